//! What a question asks of an engine, channel by channel, before any file is at hand.

use std::collections::HashSet;

use wherein_corpus::{Language, Role};

use crate::error::Result;
use crate::index::tokens::Tokens;
use crate::search::channels;
use crate::search::intent::{self, Shape};
use crate::search::query::{Mode, Query, Scope};
use crate::search::{filter, weights};

/// What to look for, and where.
#[derive(Clone, Debug, PartialEq)]
pub struct Wanted {
    /// The question without its filters: what is encoded.
    pub text: String,
    /// Terms to find in bodies, the weightiest first.
    pub terms: Vec<String>,
    /// Terms to find among names: of the identifiers the question names.
    pub names: Vec<String>,
    /// Terms to find in paths: of the files it names, and of its words.
    pub paths: Vec<String>,
    /// Only these languages; all if empty.
    pub languages: Vec<&'static str>,
    /// Only code, or only prose.
    pub role: Option<Role>,
    /// Whether words are asked for, and whether meaning is.
    pub channels: (bool, bool),
    /// How many chunks a channel should find.
    pub most: usize,
}

impl Wanted {
    /// Reads a question; says what is wrong with its filters.
    pub fn of(query: &Query) -> Result<Wanted> {
        let intent = intent::read(query)?;
        filter::check(query, &intent.filters)?;
        // Which frames of a trace are in a tree is known later; what the program said must not be lost to them.
        let said = Some(&intent).filter(|it| it.shape == Shape::Trace).and_then(intent::said);
        let said: HashSet<String> =
            said.into_iter().flat_map(|said| said.terms).map(|(term, _)| term).collect();
        let mut weighted = intent.terms.clone();
        weighted.sort_by(|a, b| {
            let said = said.contains(&b.0).cmp(&said.contains(&a.0));
            said.then(b.1.total_cmp(&a.1)).then(a.0.cmp(&b.0))
        });
        weighted.truncate(weights::MOST_TERMS);
        let names = intent.names.iter().flat_map(|name| terms_of(&name.text));
        let places = intent.places.iter().flat_map(|place| terms_of(&place.path));
        let words = terms_of(&intent.text);
        let most = channels::candidates(query, &intent);
        Ok(Wanted {
            terms: weighted.into_iter().map(|(term, _)| term).collect(),
            names: distinct(names.chain(words.clone())),
            paths: distinct(places.chain(words)),
            languages: languages(&[&query.languages, &intent.filters.languages]),
            role: role(query.scope),
            channels: (query.mode != Mode::Dense, query.mode != Mode::Lexical),
            most,
            text: intent.text,
        })
    }
}

/// The terms of a text, each once for each time it stands there.
pub fn terms_of(text: &str) -> Vec<String> {
    let (mut tokens, mut term, mut terms) = (Tokens::of(text), String::new(), Vec::new());
    while tokens.next(&mut term).is_some() {
        terms.push(term.clone());
    }
    terms
}

fn distinct(terms: impl Iterator<Item = String>) -> Vec<String> {
    let mut seen = HashSet::new();
    let is_telling = |term: &String| !weights::STOP_WORDS.contains(&term.as_str());
    terms
        .filter(is_telling)
        .filter(|term| seen.insert(term.clone()))
        .take(weights::MOST_TERMS)
        .collect()
}

/// Those that every list which has any allows.
fn languages(lists: &[&Vec<String>]) -> Vec<&'static str> {
    let named = |list: &&&Vec<String>| !list.is_empty();
    let mut lists = lists.iter().filter(named).map(|list| {
        let known = list.iter().filter_map(|name| Language::named(name));
        known.map(|language| language.name).collect::<Vec<_>>()
    });
    let first = lists.next().unwrap_or_default();
    lists.fold(first, |all, list| all.into_iter().filter(|it| list.contains(it)).collect())
}

fn role(scope: Scope) -> Option<Role> {
    match scope {
        Scope::All => None,
        Scope::Code => Some(Role::Code),
        Scope::Docs => Some(Role::Docs),
    }
}

//! From a question's text to what it asks for: its shape, words, names, files and filters.

pub mod filters;
pub mod names;
pub mod places;

use std::collections::{BTreeMap, HashSet};
use std::sync::LazyLock;

use crate::error::{Error, Result};
use crate::index::tokens::{TermKind, Tokens};
use crate::search::query::Query;
use crate::search::weights;

use filters::Filters;
use names::Name;
use places::Place;

/// What a question asks for.
#[derive(Clone, Debug)]
pub struct Intent {
    /// The question without its filters.
    pub text: String,
    /// Distinct terms and how much each counts, in the order of the alphabet.
    pub terms: Vec<(String, f32)>,
    /// What the question looks like.
    pub shape: Shape,
    /// Identifiers it names, in the order it names them.
    pub names: Vec<Name>,
    /// Files it names, the most telling first.
    pub places: Vec<Place>,
    /// What it narrows the answer to.
    pub filters: Filters,
}

impl Intent {
    /// That of a piece of code which is compared by its meaning alone.
    pub fn wordless() -> Intent {
        Intent {
            text: String::new(),
            terms: Vec::new(),
            shape: Shape::Code,
            names: Vec::new(),
            places: Vec::new(),
            filters: Filters::default(),
        }
    }
}

/// What a question looks like.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// A question in words.
    Words,
    /// One identifier, with or without what it belongs to.
    Name,
    /// A path or a piece of one.
    Path,
    /// A piece of a program.
    Code,
    /// What a program said when it failed or went on.
    Message,
    /// The calls that led to a failure.
    Trace,
}

impl Shape {
    /// Every shape.
    pub const ALL: [Shape; 6] =
        [Shape::Words, Shape::Name, Shape::Path, Shape::Code, Shape::Message, Shape::Trace];

    /// Its name in explanations.
    pub fn name(self) -> &'static str {
        match self {
            Shape::Words => "words",
            Shape::Name => "name",
            Shape::Path => "path",
            Shape::Code => "code",
            Shape::Message => "message",
            Shape::Trace => "trace",
        }
    }

    fn of(text: &str, names: &[Name], places: &[Place]) -> Shape {
        if is_trace(text, places) {
            return Shape::Trace;
        }
        if text.split_whitespace().count() == 1 && !text.contains(['(', '{', '=', ';']) {
            match (names, places) {
                (_, [place]) if place.path.contains('/') || place.line.is_some() => {
                    return Shape::Path;
                }
                (_, [place]) if place.path.len() == text.len() => return Shape::Path,
                ([_], _) => return Shape::Name,
                _ => {}
            }
        }
        if is_message(text) {
            return Shape::Message;
        }
        if is_code(text) { Shape::Code } else { Shape::Words }
    }
}

/// Frames stand on lines of their own, or there is a word that begins a trace.
fn is_trace(text: &str, places: &[Place]) -> bool {
    let frames = places.iter().filter(|place| place.line.is_some()).count();
    let heralds = ["Traceback (most recent", "stack backtrace:", "goroutine ", "panicked at "];
    let lines = text.lines().count();
    frames >= 1 && heralds.iter().any(|herald| text.contains(herald))
        || frames >= 1 && lines >= 2 && frames * 3 >= lines
}

/// Messages begin with a level, a time, or the name of an error.
fn is_message(text: &str) -> bool {
    let first = text.lines().find(|line| !line.trim().is_empty()).unwrap_or("");
    let words: Vec<&str> = first.split_whitespace().take(4).collect();
    let bare = |word: &str| word.trim_matches(|c: char| !c.is_alphanumeric()).to_owned();
    let is_level = |word: &&str| {
        ["ERROR", "WARN", "WARNING", "INFO", "DEBUG", "TRACE", "FATAL", "CRITICAL"]
            .contains(&bare(word).as_str())
    };
    let is_error = |word: &&str| {
        let Some(name) = word.strip_suffix(':') else { return false };
        ["error", "Error", "Exception", "panic", "fatal", "warning"]
            .iter()
            .any(|ending| name.ends_with(ending))
    };
    words.iter().any(is_level) || words.iter().any(is_error) || text.contains("terminate called")
}

/// Code is known by the marks that prose does without.
fn is_code(text: &str) -> bool {
    const ENOUGH: usize = 6;
    text.chars().filter(|c| "(){}[]=;<>_".contains(*c)).count() >= ENOUGH
}

/// Reads a question. Only one without a single letter or digit cannot be read.
pub fn read(query: &Query) -> Result<Intent> {
    let mut intent = read_text(&query.text);
    // Filters are for people who type; pasted text is taken as it is.
    let is_typed = matches!(intent.shape, Shape::Words | Shape::Name | Shape::Path);
    if is_typed && query.text.trim().lines().count() <= 1 {
        let (rest, filters) = filters::take(&query.text);
        if !filters.is_empty() {
            intent = filtered(&rest, filters);
        }
    }
    if intent.terms.is_empty() {
        return Err(match intent.filters.is_empty() {
            true => Error::EmptyQuery,
            false => Error::OnlyFilters,
        });
    }
    Ok(intent)
}

/// A question of nothing but names or paths asks for these.
fn filtered(rest: &str, filters: Filters) -> Intent {
    let text = match rest.contains(char::is_alphanumeric) {
        true => rest.to_owned(),
        false => [filters.symbols.as_slice(), &filters.paths].concat().join(" "),
    };
    let mut intent = Intent { filters, ..read_text(&text) };
    for name in &intent.filters.symbols {
        intent.names.extend(names::read(name));
    }
    intent
}

fn read_text(text: &str) -> Intent {
    let places = places::read(text);
    let names = names::read(text);
    let shape = Shape::of(text, &names, &places);
    let (text, terms) = (text.to_owned(), terms_of(text));
    Intent { text, terms, shape, names, places, filters: Filters::default() }
}

fn terms_of(text: &str) -> Vec<(String, f32)> {
    let mut counted: BTreeMap<String, (TermKind, u32)> = BTreeMap::new();
    let (mut tokens, mut term) = (Tokens::of(text), String::new());
    while let Some(kind) = tokens.next(&mut term) {
        match counted.get_mut(&term) {
            Some((_, count)) => *count += 1,
            None => {
                counted.insert(term.clone(), (kind, 1));
            }
        }
    }
    counted
        .into_iter()
        .map(|(term, (kind, count))| (weight(&term, kind, count), term))
        .map(|(w, t)| (t, w))
        .collect()
}

fn weight(term: &str, kind: TermKind, count: u32) -> f32 {
    let base = match kind {
        TermKind::Whole => weights::WHOLE,
        TermKind::Part if STOP_STEMS.contains(term) => weights::STOP_WORD,
        TermKind::Part => 1.0,
    };
    base * (1.0 + (count as f32).ln())
}

static STOP_STEMS: LazyLock<HashSet<String>> = LazyLock::new(|| {
    let mut stems = HashSet::new();
    let mut term = String::new();
    for word in weights::STOP_WORDS {
        let mut tokens = Tokens::of(word);
        while tokens.next(&mut term).is_some() {
            stems.insert(term.clone());
        }
    }
    stems
});

#[cfg(test)]
mod tests {
    use super::*;

    fn weight_of(text: &str, term: &str) -> Option<f32> {
        terms_of(text).into_iter().find(|(found, _)| found == term).map(|(_, weight)| weight)
    }

    #[test]
    fn question_words_count_little() {
        let text = "where do we retry failed uploads?";
        assert_eq!(weight_of(text, "retry"), Some(1.0));
        assert_eq!(weight_of(text, "upload"), Some(1.0));
        assert_eq!(weight_of(text, "wher"), Some(weights::STOP_WORD));
    }

    #[test]
    fn a_repeated_term_counts_more_but_not_twice() {
        let once = weight_of("cache", "cach").unwrap();
        let twice = weight_of("cache cache", "cach").unwrap();
        assert!(once < twice && twice < 2.0 * once);
    }

    #[test]
    fn shapes_are_told_apart() {
        for (text, expected) in [
            ("where do we retry failed uploads?", Shape::Words),
            ("parse_header(max_size)", Shape::Words),
            ("read/write lock", Shape::Words),
            ("how is config.toml read", Shape::Words),
            ("parse_header", Shape::Name),
            ("Client.send", Shape::Name),
            ("queue::Job::retry", Shape::Name),
            ("store/memory", Shape::Path),
            ("src/main.rs:12", Shape::Path),
            ("main.rs", Shape::Path),
            ("for x in items:\n    if x.get('a') == f(x):\n        y[x] = g(x)", Shape::Code),
            ("2024-06-03 11:20:14 WARN Channel - dropping event", Shape::Message),
            ("ValueError: no such key", Shape::Message),
            ("Uncaught RangeError: position 4 is outside", Shape::Message),
            ("panic: index out of range\n\ngoroutine 1:\n\t/b/file.go:116", Shape::Trace),
            ("TypeError: no\n    at f (a.ts:3:9)\n    at g (b.ts:1:8)", Shape::Trace),
        ] {
            assert_eq!(read_text(text).shape, expected, "{text}");
        }
    }

    #[test]
    fn filters_are_for_those_who_type() {
        let typed = read(&Query::new("retry -test")).unwrap();
        assert_eq!((typed.text.as_str(), typed.filters.without.len()), ("retry", 1));
        let pasted = "let total = price\n -discount;";
        assert!(read(&Query::new(pasted)).unwrap().filters.is_empty());
        assert!(matches!(read(&Query::new("lang:rust")), Err(Error::OnlyFilters)));
    }

    #[test]
    fn a_question_without_words_is_an_error() {
        assert!(matches!(read(&Query::new(" ?! ")), Err(Error::EmptyQuery)));
    }
}

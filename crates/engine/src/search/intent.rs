//! From a question's text to weighted terms.

use std::collections::{BTreeMap, HashSet};
use std::sync::LazyLock;

use crate::error::{Error, Result};
use crate::index::tokens::{TermKind, Tokens};
use crate::search::query::Query;
use crate::search::weights;

/// What a question asks for.
#[derive(Debug)]
pub struct Intent {
    /// Distinct terms and how much each counts, in the order of the alphabet.
    pub terms: Vec<(String, f32)>,
    /// What the question looks like.
    pub shape: Shape,
}

/// What a question looks like.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// Words or names.
    Words,
    /// A piece of a program.
    Code,
}

impl Shape {
    /// Code is known by the marks that prose does without.
    fn of(text: &str) -> Shape {
        const ENOUGH: usize = 6;
        let marks = text.chars().filter(|c| "(){}[]=;<>_".contains(*c)).count();
        if marks >= ENOUGH { Shape::Code } else { Shape::Words }
    }
}

/// Reads a question. Only one without a single letter or digit cannot be read.
pub fn read(query: &Query) -> Result<Intent> {
    let terms = terms_of(&query.text);
    if terms.is_empty() {
        return Err(Error::EmptyQuery);
    }
    Ok(Intent { terms, shape: Shape::of(&query.text) })
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
    fn code_is_told_from_words() {
        for (text, expected) in [
            ("where do we retry failed uploads?", Shape::Words),
            ("parse_header(max_size)", Shape::Words),
            ("for x in items:\n    if x.get('a') == f(x):\n        y[x] = g(x)", Shape::Code),
        ] {
            assert_eq!(Shape::of(text), expected, "{text}");
        }
    }

    #[test]
    fn a_question_without_words_is_an_error() {
        assert!(matches!(read(&Query::new(" ?! ")), Err(Error::EmptyQuery)));
    }
}

//! How close together a question's words stand in a chunk's text.

use std::collections::HashSet;

use crate::index::tokens::{TermKind, Tokens};
use crate::search::channels::Terms;

/// Words of a question that are looked for in their order.
const MOST_WORDS: usize = 48;

/// A question's words in their order, and how much of it each stands for.
pub struct Sequence<'q> {
    terms: &'q Terms,
    words: Vec<(String, f32)>,
}

/// What a text says about a question, each between 0 and 1.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Closeness {
    /// How much of the question its best line holds.
    pub line: f32,
    /// How much of the question stands in it word for word, in one run.
    pub run: f32,
}

impl<'q> Sequence<'q> {
    /// The words of a question.
    pub fn of(text: &str, terms: &'q Terms) -> Sequence<'q> {
        let words = parts(text).map(|word| (terms.share(terms.mass(&word)), word));
        let words = words.take(MOST_WORDS).map(|(share, word)| (word, share)).collect();
        Sequence { terms, words }
    }

    /// Compares a text with them.
    pub fn closeness(&self, text: &str) -> Closeness {
        let mut best = Closeness::default();
        let mut runs = vec![0f32; self.words.len() + 1];
        for line in text.lines() {
            let mut seen: Vec<&str> = Vec::new();
            let mut share = 0.0;
            for word in parts(line) {
                share += self.share_once(&word, &mut seen);
                best.run = best.run.max(self.lengthen(&word, &mut runs));
            }
            best.line = best.line.max(share);
        }
        Closeness { line: best.line.min(1.0), run: best.run.min(1.0) }
    }

    fn share_once<'w>(&'w self, word: &str, seen: &mut Vec<&'w str>) -> f32 {
        match self.terms.known(word) {
            Some((known, mass)) if !seen.contains(&known) => {
                seen.push(known);
                self.terms.share(mass)
            }
            _ => 0.0,
        }
    }

    /// `runs[i]` is what the run is worth that ends with the question's `i`th word and with the
    /// word before; takes in the next word and says what the best run is worth now.
    fn lengthen(&self, word: &str, runs: &mut [f32]) -> f32 {
        let mut best = 0f32;
        for place in (0..self.words.len()).rev() {
            let (wanted, share) = &self.words[place];
            runs[place + 1] = if wanted == word { runs[place] + share } else { 0.0 };
            best = best.max(runs[place + 1]);
        }
        best
    }
}

fn parts(text: &str) -> impl Iterator<Item = String> {
    let mut tokens = Tokens::of(text);
    std::iter::from_fn(move || {
        let mut term = String::new();
        loop {
            match tokens.next(&mut term)? {
                TermKind::Part => return Some(term),
                TermKind::Whole => {}
            }
        }
    })
}

/// The distinct terms of some texts.
pub fn terms_of<'t>(texts: impl IntoIterator<Item = &'t str>) -> HashSet<String> {
    let (mut terms, mut term) = (HashSet::new(), String::new());
    for text in texts {
        let mut tokens = Tokens::of(text);
        while tokens.next(&mut term).is_some() {
            if !terms.contains(&term) {
                terms.insert(term.clone());
            }
        }
    }
    terms
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(question: &str, text: &str, line: f32, run: f32) {
        let masses = parts(question).map(|word| (word, 1.0)).collect();
        let terms = Terms::of(masses, 0.0);
        let found = Sequence::of(question, &terms).closeness(text);
        assert_eq!((found.line, found.run), (line, run), "{question} in {text}");
    }

    #[test]
    fn words_count_by_line_and_by_run() {
        check("giving up after failures", "log(\"giving up\")\nafter", 0.5, 0.75);
        check("giving up after failures", "giving after\nup failures", 0.5, 0.25);
        check("giving up after failures", "// giving up after failures", 1.0, 1.0);
        check("giving up after failures", "nothing of it", 0.0, 0.0);
    }
}

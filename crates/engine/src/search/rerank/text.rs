//! How close together a question's words stand in a chunk's text.

use std::collections::HashSet;

use crate::index::tokens::{TermKind, Tokens};
use crate::search::channels::{Firsts, Terms};

/// Words of a question that are looked for in their order.
const MOST_WORDS: usize = 48;

/// A question's words in their order, and how much of it each stands for.
pub struct Sequence<'q> {
    terms: &'q Terms,
    words: Vec<(String, f32)>,
    firsts: Firsts,
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
        let mut words = Vec::new();
        each_part(
            text,
            |_| true,
            &mut String::new(),
            |word| {
                if words.len() < MOST_WORDS {
                    words.push((word.to_owned(), terms.share(terms.mass(word))));
                }
            },
        );
        let firsts = words.iter().map(|(word, _)| word.as_str());
        let firsts = Firsts::of(firsts.chain(terms.all().into_iter().map(|(term, _)| term)));
        Sequence { terms, words, firsts }
    }

    /// Compares a text with them.
    pub fn closeness(&self, text: &str) -> Closeness {
        let mut best = Closeness::default();
        let mut runs = vec![0f32; self.words.len() + 1];
        let (mut seen, mut word): (Vec<&str>, String) = Default::default();
        for line in text.lines() {
            seen.clear();
            let mut share = 0.0;
            each_part(
                line,
                |byte| self.firsts.has(byte),
                &mut word,
                |word| {
                    share += self.share_once(word, &mut seen);
                    best.run = best.run.max(self.lengthen(word, &mut runs));
                },
            );
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
        if !self.firsts.allow(word) {
            runs.fill(0.0);
            return 0.0;
        }
        let mut best = 0f32;
        for place in (0..self.words.len()).rev() {
            let (wanted, share) = &self.words[place];
            runs[place + 1] = if wanted == word { runs[place] + share } else { 0.0 };
            best = best.max(runs[place + 1]);
        }
        best
    }
}

/// Hands out the parts of words one by one, each in the same place; empty if it begins otherwise.
fn each_part(
    text: &str,
    begins: impl Fn(u8) -> bool,
    term: &mut String,
    mut take: impl FnMut(&str),
) {
    let mut tokens = Tokens::of(text);
    while let Some(kind) = tokens.next_among(term, &begins) {
        if kind == TermKind::Part {
            take(term);
        }
    }
}

/// The question's terms that stand in some texts, each once.
pub fn asked_in<'q, 't>(
    terms: &'q Terms,
    texts: impl IntoIterator<Item = &'t str>,
) -> Vec<&'q str> {
    let (mut found, mut term) = (Vec::new(), String::new());
    for text in texts {
        let mut tokens = Tokens::of(text);
        while tokens.next_among(&mut term, |byte| terms.firsts().has(byte)).is_some() {
            if let Some((known, _)) = terms.known(&term).filter(|(it, _)| !found.contains(it)) {
                found.push(known);
            }
        }
    }
    found
}

/// The distinct terms of a name: most are so few that to compare them is quicker than to hash them.
pub fn distinct(name: &str) -> Vec<String> {
    const SHORT: usize = 200;
    if name.len() > SHORT {
        return terms_of([name]).into_iter().collect();
    }
    let (mut terms, mut tokens, mut term) = (Vec::new(), Tokens::of(name), String::new());
    while tokens.next(&mut term).is_some() {
        if !terms.contains(&term) {
            terms.push(term.clone());
        }
    }
    terms
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
    use std::collections::HashMap;

    use super::*;

    #[track_caller]
    fn check(question: &str, text: &str, line: f32, run: f32) {
        let mut masses = HashMap::new();
        each_part(
            question,
            |_| true,
            &mut String::new(),
            |word| {
                masses.insert(word.to_owned(), 1.0);
            },
        );
        let terms = Terms::of(masses, 0.0);
        let found = Sequence::of(question, &terms).closeness(text);
        assert_eq!((found.line, found.run), (line, run), "{question} in {text}");
    }

    #[test]
    fn words_count_by_line_and_by_run() {
        check("giving up after failures", "log(\"giving up\")\nafter", 0.5, 0.75);
        check("giving up after failures", "giving after\nup failures", 0.5, 0.25);
        check("giving up after failures", "// giving up after failures", 1.0, 1.0);
        check("giving up after failures", "giving all up after failures", 1.0, 0.75);
        check("giving up after failures", "nothing of it", 0.0, 0.0);
    }
}

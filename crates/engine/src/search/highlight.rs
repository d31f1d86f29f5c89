//! Which words of a line are what the question asked for.

use std::collections::HashMap;
use std::ops::Range;

use crate::index::tokens::Tokens;
use crate::search::channels::Firsts;
use crate::search::intent::{self, Intent};
use crate::search::query::Query;
use crate::search::weights;

/// Lines that stand for a span where not all of it is shown.
const MOST_TELLING: usize = 3;

/// Finds a question's words in lines of text.
pub struct Highlighter {
    terms: HashMap<String, f32>,
    firsts: Firsts,
}

impl Highlighter {
    /// For a question as the user typed it.
    pub fn new(query: &Query) -> Highlighter {
        let terms = intent::read(query).map_or(Vec::new(), |intent| intent.terms);
        Highlighter::with(&terms)
    }

    pub(crate) fn of(intent: &Intent) -> Highlighter {
        Highlighter::with(&intent.terms)
    }

    fn with(terms: &[(String, f32)]) -> Highlighter {
        let firsts = Firsts::of(terms.iter().map(|(term, _)| term.as_str()));
        Highlighter { terms: terms.iter().cloned().collect(), firsts }
    }

    /// The bytes of each word that matches; question words such as "where" never do.
    pub fn matches(&self, line: &str) -> Vec<Range<usize>> {
        words(line)
            .filter(|word| self.best_weight(&line[word.clone()]) > weights::STOP_WORD)
            .collect()
    }

    /// How much of the question a line holds, each term counted once.
    pub(crate) fn score(&self, line: &str) -> f32 {
        self.terms_in(line).iter().map(|term| self.terms[term]).sum()
    }

    /// The few lines that hold most of the question together, best first: each has a word that those
    /// before it lack.
    pub(crate) fn telling<'l>(&self, lines: impl Iterator<Item = (u32, &'l str)>) -> Vec<u32> {
        let mut held: Vec<(u32, Vec<String>)> =
            lines.map(|(number, line)| (number, self.terms_in(line))).collect();
        let mut telling = Vec::new();
        while telling.len() < MOST_TELLING {
            let worth = |terms: &[String]| terms.iter().map(|term| self.terms[term]).sum::<f32>();
            let better = |a: &&(u32, Vec<String>), b: &&(u32, Vec<String>)| {
                worth(&a.1).total_cmp(&worth(&b.1)).then(b.0.cmp(&a.0))
            };
            let Some((number, terms)) = held.iter().max_by(better).cloned() else { break };
            if worth(&terms) <= weights::STOP_WORD {
                break;
            }
            telling.push(number);
            held.iter_mut().for_each(|(_, rest)| rest.retain(|term| !terms.contains(term)));
        }
        telling
    }

    fn terms_in(&self, line: &str) -> Vec<String> {
        let (mut tokens, mut term) = (Tokens::of(line), String::new());
        let mut seen: Vec<String> = Vec::new();
        while tokens.next_among(&mut term, |byte| self.firsts.has(byte)).is_some() {
            let is_asked = self.firsts.allow(&term) && self.terms.contains_key(&term);
            if is_asked && !seen.contains(&term) {
                seen.push(term.clone());
            }
        }
        seen
    }

    fn best_weight(&self, word: &str) -> f32 {
        let (mut tokens, mut term) = (Tokens::of(word), String::new());
        let mut best = 0f32;
        while tokens.next(&mut term).is_some() {
            best = best.max(self.terms.get(&term).copied().unwrap_or(0.0));
        }
        best
    }
}

fn words(line: &str) -> impl Iterator<Item = Range<usize>> {
    let mut at = 0;
    std::iter::from_fn(move || {
        let inside = |c: char| c.is_alphanumeric() || c == '_';
        let start = at + line[at..].find(inside)?;
        let end = line[start..].find(|c| !inside(c)).map_or(line.len(), |n| start + n);
        at = end;
        Some(start..end)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_match_in_any_convention_and_question_words_do_not() {
        let highlighter = Highlighter::new(&Query::new("where do we retry uploads"));
        let line = "fn retryUpload(where: u8) // uploading, retried";
        let found: Vec<&str> = highlighter.matches(line).into_iter().map(|r| &line[r]).collect();
        assert_eq!(found, ["retryUpload", "uploading", "retried"]);
        assert!(highlighter.score(line) > highlighter.score("fn upload()"));
    }

    #[track_caller]
    fn check_telling(question: &str, lines: &[&str], expected: &[u32]) {
        let highlighter = Highlighter::new(&Query::new(question));
        assert_eq!(highlighter.telling((1..).zip(lines.iter().copied())), expected);
    }

    #[test]
    fn telling_lines_hold_most_of_the_question_together() {
        let lines = ["retry", "retry upload", "upload retry", "where", "limit", "a limit"];
        check_telling("where is the retry limit of an upload", &lines, &[2, 5]);
        check_telling("where", &["nowhere", "where"], &[]);
        check_telling("a b c d", &["b", "d", "c", "x"], &[1, 2, 3]);
    }
}

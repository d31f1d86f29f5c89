//! A hit before it is decided which of its lines are shown.

use std::collections::{BTreeMap, BTreeSet};

use crate::search::answer::{GAP, Hit};

/// A hit with what is needed to show less of it.
pub struct Draft {
    /// As it is shown now.
    pub hit: Hit,
    /// What is defined there, in one line.
    pub signature: String,
    /// The lines of the span and that of the signature, which may stand above it.
    pub lines: BTreeMap<u32, String>,
    /// The line of the signature.
    pub signature_line: Option<u32>,
    /// The lines that hold most of the question, best first.
    pub telling: Vec<u32>,
}

impl Draft {
    /// A hit of which all is shown.
    pub fn whole(hit: Hit) -> Draft {
        Draft {
            hit,
            signature: String::new(),
            lines: BTreeMap::new(),
            signature_line: None,
            telling: Vec::new(),
        }
    }

    /// Shows the lines that matter, with some around each, and the line of the signature.
    pub fn trim(&mut self, around: u32) {
        let (first, last) = (self.hit.start_line, self.hit.end_line);
        let mut chosen: BTreeSet<u32> = self.signature_line.into_iter().collect();
        for line in self.cores() {
            chosen.extend(
                line.saturating_sub(around).max(first)..=line.saturating_add(around).min(last),
            );
        }
        // A gap of one line would take as much room as the line.
        let is_gap = |line: &u32| chosen.contains(&(line + 1)) && self.lines.contains_key(line);
        let gaps: Vec<u32> = chosen.iter().map(|line| line + 1).filter(is_gap).collect();
        chosen.extend(gaps);
        self.show(&chosen);
    }

    /// Shows as many of the shown lines as fit into some tokens, those that matter first. Returns
    /// whether the line of the signature does and another.
    pub fn shrink(&mut self, tokens: usize) -> bool {
        let mut chosen = BTreeSet::new();
        for line in self.by_importance() {
            chosen.insert(line);
            if self.hit.tokens_with(self.text(&chosen).len()) > tokens {
                chosen.remove(&line);
            }
        }
        let signature: BTreeSet<u32> = self.signature_line.into_iter().collect();
        let is_more = chosen.is_superset(&signature) && chosen.len() > signature.len();
        if is_more {
            self.show(&chosen);
        }
        is_more
    }

    /// Shows the signature alone.
    pub fn sign(&mut self) {
        self.hit.snippet.clone_from(&self.signature);
        self.hit.shown.clear();
        self.hit.signature_only = true;
        self.hit.best_lines = vec![self.signature_line.unwrap_or(self.hit.start_line)];
    }

    /// Around which lines a reader should look.
    fn cores(&self) -> Vec<u32> {
        let inside = |line: &u32| *line >= self.hit.start_line;
        match self.telling.is_empty() {
            true => vec![self.signature_line.filter(inside).unwrap_or(self.hit.start_line)],
            false => self.telling.clone(),
        }
    }

    /// The shown lines: the signature's, those that tell most, then the nearest to them.
    fn by_importance(&self) -> Vec<u32> {
        let cores = self.cores();
        let distance = |line: u32| cores.iter().map(|core| core.abs_diff(line)).min();
        let is_signature = |line: u32| Some(line) == self.signature_line;
        let mut lines: Vec<u32> = self.shown_lines().collect();
        lines.sort_by_key(|&line| (!is_signature(line), distance(line), line));
        lines
    }

    fn shown_lines(&self) -> impl Iterator<Item = u32> {
        let is_shown = |line: &u32| {
            let inside = |&(first, last): &(u32, u32)| (first..=last).contains(line);
            self.hit.shown.is_empty() || self.hit.shown.iter().any(inside)
        };
        self.lines.keys().copied().filter(is_shown)
    }

    fn show(&mut self, chosen: &BTreeSet<u32>) {
        let span = self.hit.start_line..=self.hit.end_line;
        let is_whole = chosen.iter().copied().eq(span.filter(|line| self.lines.contains_key(line)));
        self.hit.snippet = self.text(chosen);
        self.hit.shown = if is_whole { Vec::new() } else { runs(chosen) };
    }

    fn text(&self, chosen: &BTreeSet<u32>) -> String {
        let of_run = |&(first, last): &(u32, u32)| {
            let lines: Vec<&str> =
                self.lines.range(first..=last).map(|(_, it)| it.as_str()).collect();
            lines.join("\n")
        };
        let runs: Vec<String> = runs(chosen).iter().map(of_run).collect();
        runs.join(&format!("\n{GAP}\n"))
    }
}

/// First and last of each run of consecutive numbers.
fn runs(lines: &BTreeSet<u32>) -> Vec<(u32, u32)> {
    let mut runs: Vec<(u32, u32)> = Vec::new();
    for &line in lines {
        match runs.last_mut() {
            Some((_, last)) if *last + 1 == line => *last = line,
            _ => runs.push((line, line)),
        }
    }
    runs
}

#[cfg(test)]
pub mod tests {
    use super::*;
    use crate::search::answer::Place;

    /// A span that starts at line 11, its signature at `signature_line`.
    pub fn draft(path: &str, lines: &[&str], signature_line: u32, telling: &[u32]) -> Draft {
        let end_line = 10 + lines.len() as u32;
        let mut numbered: BTreeMap<u32, String> =
            (11..).zip(lines.iter().map(|line| (*line).to_owned())).collect();
        numbered.entry(signature_line).or_insert_with(|| "fn above()".to_owned());
        Draft {
            hit: Hit {
                blame: None,
                path: path.to_owned(),
                repositories: Vec::new(),
                start_line: 11,
                end_line,
                score: 1.0,
                confidence: None,
                language: "rust".to_owned(),
                kind: "function".to_owned(),
                symbol: Some("name".to_owned()),
                breadcrumb: String::new(),
                snippet: lines.join("\n"),
                shown: Vec::new(),
                signature_only: false,
                also_at: Vec::<Place>::new(),
                channels: BTreeMap::new(),
                judged: None,
                best_lines: telling.to_vec(),
            },
            signature: "fn name()".to_owned(),
            lines: numbered,
            signature_line: Some(signature_line),
            telling: telling.to_vec(),
        }
    }

    const LINES: &[&str] = &["fn a() {", "b", "c", "d", "e", "f", "g", "h", "}"];

    #[track_caller]
    fn check(draft: &Draft, expected: &str, shown: &[(u32, u32)]) {
        assert_eq!(draft.hit.snippet.replace('\n', " "), expected);
        assert_eq!(draft.hit.shown, shown);
        let numbers: Vec<u32> = draft.hit.numbered().into_iter().filter_map(|(n, _)| n).collect();
        let runs = if shown.is_empty() { vec![(11, 19)] } else { shown.to_vec() };
        let expected: Vec<u32> = runs.into_iter().flat_map(|(first, last)| first..=last).collect();
        assert_eq!(numbers, expected, "each line has its number");
    }

    #[test]
    fn trimming_leaves_what_matters_with_some_around_it() {
        let trimmed = |signature_line, telling: &[u32], around| {
            let mut draft = draft("a.rs", LINES, signature_line, telling);
            draft.trim(around);
            draft
        };
        check(&trimmed(11, &[15], 0), "fn a() { … e", &[(11, 11), (15, 15)]);
        check(&trimmed(11, &[15], 1), "fn a() { … d e f", &[(11, 11), (14, 16)]);
        check(&trimmed(11, &[13], 0), "fn a() { b c", &[(11, 13)]);
        check(&trimmed(11, &[18, 14], 0), "fn a() { … d … h", &[(11, 11), (14, 14), (18, 18)]);
        check(&trimmed(11, &[15], 9), &LINES.join(" "), &[]);
        check(&trimmed(3, &[15], 0), "fn above() … e", &[(3, 3), (15, 15)]);
        check(&trimmed(11, &[], 1), "fn a() { b", &[(11, 12)]);
        check(&trimmed(3, &[], 1), "fn above() … fn a() { b", &[(3, 3), (11, 12)]);
        check(&trimmed(11, &[15], u32::MAX), &LINES.join(" "), &[]);
    }

    #[test]
    fn a_hit_shrinks_to_what_fits_the_nearest_lines_first() {
        let shrunk = |room: usize| {
            let mut draft = draft("a.rs", LINES, 11, &[15]);
            let fits = draft.shrink(draft.hit.tokens_with(room));
            (draft, fits)
        };
        check(&shrunk(99).0, &LINES.join(" "), &[]);
        check(&shrunk(18).0, "fn a() { … d e f", &[(11, 11), (14, 16)]);
        assert!(!shrunk(0).1, "the line of the signature has to fit");
    }
}

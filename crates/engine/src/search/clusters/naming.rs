//! The words that tell one group of chunks from the others.
//!
//! A word counts once a chunk, by the best place it has there. What it is worth as a name of a group
//! is its part of what being in the group tells: `p · ln(p / q)`, where `p` is its average count in
//! the chunks of the group and `q` in all chunks. Words that stand everywhere are worth nothing,
//! words of one odd chunk little.

use std::collections::{HashMap, HashSet};
use std::rc::Rc;
use std::sync::LazyLock;

use crate::index::tokens::{TermKind, Tokens};
use crate::search::weights;

/// Words in a name: at most, and at least if that many are worth anything.
const MOST: usize = 6;
const LEAST: usize = 3;

/// What a word beyond the least must be worth beside the best.
const WORTH_ADDING: f32 = 0.3;

/// What a word counts in a chunk by where it stands: what a chunk defines says more of it than what
/// it calls, of which much is the standard library.
const DEFINED: f32 = 1.0;
const PATH: f32 = 0.5;
const USED: f32 = 0.4;

/// Words of chunks, counted by group.
pub struct Words {
    /// Stem → its number.
    numbers: HashMap<String, u32>,
    /// For each stem, in how many names it was written how.
    written: Vec<HashMap<String, u32>>,
    /// Name → its stems. A tree uses the same names over and over.
    stems: HashMap<String, Rc<[u32]>>,
    /// For each group, how much each stem weighs in its chunks together.
    weight: Vec<HashMap<u32, f32>>,
    /// The same in all groups.
    in_all: Vec<f32>,
    /// The chunks of each group.
    chunks: Vec<u32>,
}

impl Words {
    /// No words yet of so many groups.
    pub fn of_groups(count: usize) -> Words {
        Words {
            numbers: HashMap::new(),
            written: Vec::new(),
            stems: HashMap::new(),
            weight: vec![HashMap::new(); count],
            in_all: Vec::new(),
            chunks: vec![0; count],
        }
    }

    /// Counts a chunk of a group by the names it defines, the names it uses and the path of its file.
    pub fn count<'t>(
        &mut self,
        group: usize,
        path: &str,
        defined: impl Iterator<Item = &'t str>,
        used: impl Iterator<Item = &'t str>,
    ) {
        let mut weights = HashMap::new();
        self.weigh(stem_of(path), PATH, &mut weights);
        defined.for_each(|name| self.weigh(name, DEFINED, &mut weights));
        used.for_each(|name| self.weigh(name, USED, &mut weights));
        self.chunks[group] += 1;
        for (number, weight) in weights {
            *self.weight[group].entry(number).or_default() += weight;
            self.in_all[number as usize] += weight;
        }
    }

    fn weigh(&mut self, name: &str, weight: f32, weights: &mut HashMap<u32, f32>) {
        let stems = match self.stems.get(name) {
            Some(stems) => stems.clone(),
            None => self.learn(name),
        };
        for &number in &*stems {
            let known = weights.entry(number).or_default();
            *known = known.max(weight);
        }
    }

    fn learn(&mut self, name: &str) -> Rc<[u32]> {
        let (mut tokens, mut term, mut stems) = (Tokens::of(name), String::new(), Vec::new());
        while let Some(kind) = tokens.next(&mut term) {
            let written = tokens.written().to_lowercase();
            if kind == TermKind::Part && says_something(&written) {
                stems.push(self.number(&term, written));
            }
        }
        let stems: Rc<[u32]> = stems.into();
        self.stems.insert(name.to_owned(), stems.clone());
        stems
    }

    /// The words that name a group, best first.
    pub fn names(&self, group: usize) -> Vec<String> {
        let mut ranked: Vec<(f32, &str)> = self.weight[group]
            .iter()
            .map(|(&number, &weight)| (self.worth(group, number, weight), self.spelled(number)))
            .collect();
        ranked.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(b.1)));
        let best = ranked.first().map_or(0.0, |(worth, _)| *worth);
        let mut names: Vec<String> = Vec::new();
        for (worth, word) in ranked {
            let is_worth_it = worth > best * WORTH_ADDING || names.len() < LEAST;
            if worth <= 0.0 || !is_worth_it || names.len() == MOST {
                break;
            }
            if !names.iter().any(|name| self.says_the_same(name, word)) {
                names.push(word.to_owned());
            }
        }
        names
    }

    /// `watch` beside `watcher`, and the parts of `graphrag` where people write `GraphRag` too.
    fn says_the_same(&self, a: &str, b: &str) -> bool {
        let (long, short) = if a.len() < b.len() { (b, a) } else { (a, b) };
        let rest = long.strip_suffix(short);
        long.starts_with(short) || rest.is_some_and(|rest| self.numbers.contains_key(rest))
    }

    fn number(&mut self, stem: &str, written: String) -> u32 {
        let number = match self.numbers.get(stem) {
            Some(&number) => number,
            None => {
                let number = self.written.len() as u32;
                self.numbers.insert(stem.to_owned(), number);
                self.written.push(HashMap::new());
                self.in_all.push(0.0);
                number
            }
        };
        *self.written[number as usize].entry(written).or_default() += 1;
        number
    }

    /// As it is written most often; the shorter of two.
    fn spelled(&self, number: u32) -> &str {
        let written = self.written[number as usize].iter();
        let best = written
            .max_by(|a, b| a.1.cmp(b.1).then_with(|| (b.0.len(), b.0).cmp(&(a.0.len(), a.0))));
        best.map_or("", |(written, _)| written)
    }

    fn worth(&self, group: usize, number: u32, weight: f32) -> f32 {
        let p = weight / self.chunks[group] as f32;
        let q = self.in_all[number as usize] / self.chunks.iter().sum::<u32>() as f32;
        p * (p / q).ln()
    }
}

/// The name of a file without its folders, which are told apart, and without its extension.
fn stem_of(path: &str) -> &str {
    let name = path.rsplit('/').next().unwrap_or(path);
    name.rsplit_once('.').map_or(name, |(stem, _)| stem)
}

/// Question words, numbers and single letters name nothing.
fn says_something(word: &str) -> bool {
    static SAY_NOTHING: LazyLock<HashSet<&str>> =
        LazyLock::new(|| weights::STOP_WORDS.iter().copied().collect());
    word.chars().nth(1).is_some()
        && !word.starts_with(|c: char| c.is_ascii_digit())
        && !SAY_NOTHING.contains(word)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Chunks as `(group, path, defined, used)`, the names parted by spaces.
    type Row = (usize, &'static str, &'static str, &'static str);

    #[track_caller]
    fn check(rows: &[Row], expected: &[&[&str]]) {
        let mut words = Words::of_groups(expected.len());
        for (group, path, defined, used) in rows {
            words.count(*group, path, defined.split(' '), used.split(' '));
        }
        for (group, expected) in expected.iter().enumerate() {
            assert_eq!(words.names(group), *expected, "group {group}");
        }
    }

    #[test]
    fn a_group_is_named_by_what_the_others_lack() {
        let rows = [
            (0, "a.rs", "retryUpload config", ""),
            (0, "a.rs", "upload_file config", ""),
            (1, "b.rs", "parse_header config", ""),
            (1, "b.rs", "HeaderParser config", ""),
        ];
        check(&rows, &[&["upload", "file", "retry"], &["header", "parse"]]);
    }

    #[test]
    fn words_are_written_as_people_write_them() {
        let rows =
            [(0, "a.rs", "CACHES", ""), (0, "a.rs", "cache", ""), (0, "b.rs", "cache_retries", "")];
        let others = [(1, "c.rs", "walk", ""); 3];
        check(&[&rows[..], &others].concat(), &[&["cache", "retries"], &["walk"]]);
    }

    #[test]
    fn definitions_say_more_than_uses_and_file_names() {
        let rows = [(0, "verbs.rs", "walk", "println"), (1, "verbs.py", "parse", "println print")];
        check(&rows, &[&["walk"], &["parse", "print"]]);
        let rows = [(0, "walker.rs", "tree", "node"), (1, "x.rs", "y", "")];
        check(&rows, &[&["tree", "walker", "node"], &[]]);
    }

    #[test]
    fn a_name_says_nothing_twice_and_no_small_words() {
        let rows = [
            (0, "graphrag.rs", "watch watcher GraphRag the x 42", ""),
            (0, "graphrag.rs", "watch graphrag", ""),
            (1, "b.rs", "walk", ""),
        ];
        check(&rows, &[&["watch", "graphrag"], &["walk"]]);
    }

    #[test]
    fn a_group_without_words_has_no_name() {
        check(&[(0, "1.rs", "", ""), (1, "2.rs", "", "")], &[&[], &[]]);
    }
}

//! What the ranker looks at: numbers about a question, a candidate and its file.

use std::collections::{HashMap, HashSet};

use wherein_corpus::{Parsed, Role, Symbol, SymbolKind};

use crate::error::Result;
use crate::graph::test_code::{is_among_tests, is_test, is_test_path};
use crate::index::manifest::FileEntry;
use crate::search::channels::files::{Files, Near};
use crate::search::channels::{Channel, Terms, usual};
use crate::search::fusion::Candidate;
use crate::search::intent::{Intent, Shape};
use crate::search::texts::Texts;

use super::text::{Closeness, Sequence, asked_in, distinct};

/// The features by name, in the order of their numbers.
pub const NAMES: [&str; 68 + MOSTS] = [
    "question.terms",
    "question.is_code",
    "question.is_one_word",
    "question.asks_for_tests",
    "question.best_lexical",
    "question.best_dense",
    "lexical",
    "lexical.of_best",
    "lexical.rank",
    "dense",
    "dense.below_best",
    "dense.rank",
    "fused",
    "fused.below_best",
    "fused.rank",
    "in.stem",
    "in.folders",
    "in.names",
    "in.scope",
    "in.signatures",
    "in.docs",
    "in.any",
    "name.exact",
    "name.share",
    "stem.share",
    "file.candidates",
    "file.sum",
    "file.rank",
    "chunk.lines",
    "chunk.place",
    "chunk.symbols",
    "chunk.is_function",
    "chunk.is_type",
    "chunk.is_text",
    "chunk.in_scope",
    "file.chunks",
    "file.depth",
    "file.is_docs",
    "file.is_test",
    "file.is_example",
    "file.is_aside",
    "file.is_entry",
    "file.is_stub",
    "file.is_config",
    "question.is_name",
    "question.is_path",
    "question.is_message",
    "question.is_trace",
    "question.names",
    "definitions",
    "symbols",
    "paths",
    "file.covered",
    "file.words",
    "file.words_of_best",
    "text.line",
    "text.run",
    "file.defines",
    "file.dense",
    "question.unknown",
    "question.usual_dense",
    "question.is_howto",
    "graph.rank",
    "graph.near",
    "chunk.is_test",
    "file.is_record",
    "file.dense_first",
    "file.dense_mean",
    "most.lexical",
    "most.dense",
    "most.in.names",
    "most.in.scope",
    "most.in.signatures",
    "most.in.docs",
    "most.in.any",
    "most.name.exact",
    "most.name.share",
    "most.definitions",
    "most.symbols",
    "most.text.line",
    "most.text.run",
];

/// What stands before the name of a feature that says how much of another any candidate of the file has, and how many
/// there are.
const MOST: &str = "most.";
const MOSTS: usize = 13;

/// One candidate's features.
pub type Features = [f32; NAMES.len()];

/// What all candidates of a question share.
pub struct Page<'p> {
    terms: &'p Terms,
    words: HashSet<String>,
    question: [f32; 6],
    shape: [f32; 5],
    context: [f32; 3],
    sequence: Sequence<'p>,
    texts: &'p Texts<'p>,
    held: &'p Files,
    best_fused: f32,
    /// For each file position: candidates, the sum of their scores, and rank.
    files: HashMap<usize, FileStanding>,
}

#[derive(Clone, Copy)]
struct FileStanding {
    candidates: f32,
    sum: f32,
    rank: f32,
    /// The best score of its chunks as definitions of what is asked for, and by meaning.
    defines: f32,
    dense: f32,
}

impl<'p> Page<'p> {
    /// Looks at the candidates as a whole. They come best first.
    pub fn of(
        texts: &'p Texts<'p>,
        intent: &Intent,
        terms: &'p Terms,
        held: &'p Files,
        candidates: &[Candidate],
    ) -> Page<'p> {
        let best = |channels: &[Channel]| {
            let scores = candidates.iter().flat_map(|candidate| {
                channels.iter().filter_map(|&it| candidate.found.standings[it as usize])
            });
            scores.fold(0f32, |best, standing| best.max(standing.score))
        };
        let words: HashSet<String> = intent.text.split(is_no_name).map(str::to_owned).collect();
        let asks_for_tests = words.iter().any(|word| {
            [
                "test", "tests", "tested", "testing", "spec", "specs", "fixture", "example",
                "examples",
            ]
            .contains(&word.to_ascii_lowercase().as_str())
        });
        let question = [
            intent.terms.len().min(30) as f32,
            flag(intent.shape == Shape::Code),
            flag(intent.text.split_whitespace().count() == 1),
            flag(asks_for_tests),
            terms.share(best(&[Channel::Lexical])),
            best(&[Channel::DenseCode, Channel::DenseDocs]),
        ];
        let usual_dense = usual_dense(candidates);
        let mut files: HashMap<usize, FileStanding> = HashMap::new();
        for candidate in candidates {
            let rank = files.len() as f32 + 1.0;
            let file = files.entry(candidate.file).or_insert(FileStanding {
                candidates: 0.0,
                sum: 0.0,
                rank,
                defines: 0.0,
                dense: 0.0,
            });
            let score = |channel: Channel| {
                candidate.found.standings[channel as usize].map_or(0.0, |it| it.score)
            };
            file.candidates += 1.0;
            file.sum += candidate.score;
            file.defines = file.defines.max(score(Channel::Definitions));
            file.dense = file.dense.max(dense_of(candidate, usual_dense));
        }
        let best_fused = candidates.first().map_or(0.0, |candidate| candidate.score);
        let shape = [
            flag(intent.shape == Shape::Name),
            flag(intent.shape == Shape::Path),
            flag(intent.shape == Shape::Message),
            flag(intent.shape == Shape::Trace),
            intent.names.len().min(20) as f32,
        ];
        let context = [terms.unknown(), usual_dense, flag(is_howto(&intent.text))];
        let sequence = Sequence::of(&intent.text, terms);
        Page { terms, words, question, shape, context, sequence, texts, held, best_fused, files }
    }

    /// The features of each candidate.
    pub fn features(&self, candidates: &[Candidate]) -> Result<Vec<Features>> {
        let one = |(place, candidate)| self.of_candidate(candidate, place);
        let mut all: Vec<Features> =
            candidates.iter().enumerate().map(one).collect::<Result<_>>()?;
        let files: Vec<usize> = candidates.iter().map(|candidate| candidate.file).collect();
        fill_most(&files, &mut all);
        Ok(all)
    }

    /// The features of the candidate at a place of the list, counted from 0, without what others of its file have.
    fn of_candidate(&self, candidate: &Candidate, place: usize) -> Result<Features> {
        let file = &self.texts.index.manifest().files[candidate.file];
        let parsed = self.texts.index.parsed(file)?;
        let mut features = Vec::with_capacity(NAMES.len());
        features.extend(self.question);
        self.channels(candidate, place, &mut features);
        self.words(candidate, file, &parsed, &mut features);
        self.file_standing(candidate, &mut features);
        chunk(candidate, &parsed, &mut features);
        self.file(candidate, file, &mut features);
        features.extend(self.shape);
        self.evidence(candidate, &parsed, &mut features);
        features.extend(self.context);
        features.push(self.texts.index.rank_of_file(candidate.file));
        features.push(self.near(candidate.file));
        features.push(flag(is_test_chunk(candidate, file, &parsed)));
        features.push(flag(is_record(&file.path)));
        let whole = self.held.near.get(&candidate.file).copied();
        let usual = Near { first: self.usual_dense(), mean: self.usual_dense() };
        let Near { first, mean } = whole.unwrap_or(usual);
        features.extend([first, mean]);
        features.extend([0.0; MOSTS]);
        Ok(features.try_into().unwrap_or([0.0; NAMES.len()]))
    }

    fn channels(&self, candidate: &Candidate, place: usize, features: &mut Vec<f32>) {
        let standing = |channel: Channel| candidate.found.standings[channel as usize];
        let rank = |rank: Option<usize>| rank.map_or(0.0, |rank| 1.0 / rank as f32);
        let lexical = standing(Channel::Lexical);
        let dense = candidate.found.dense();
        let by_words = self.terms.share(lexical.map_or(0.0, |it| it.score));
        let by_meaning = dense_of(candidate, self.usual_dense());
        let [.., best_lexical, best_dense] = self.question;
        features.extend([
            by_words,
            if best_lexical > 0.0 { by_words / best_lexical } else { 0.0 },
            rank(lexical.and_then(|it| it.rank)),
            by_meaning,
            best_dense - by_meaning,
            rank(dense.and_then(|it| it.rank)),
            candidate.score,
            self.best_fused - candidate.score,
            1.0 / (1.0 + place as f32),
        ]);
    }

    fn usual_dense(&self) -> f32 {
        let [_, usual, _] = self.context;
        usual
    }

    /// How much of the question stands where, and how much of a name is in the question.
    fn words(
        &self,
        candidate: &Candidate,
        file: &FileEntry,
        parsed: &Parsed,
        features: &mut Vec<f32>,
    ) {
        let chunk = &parsed.chunks[candidate.chunk as usize];
        let (folders, name) = file.path.rsplit_once('/').unwrap_or(("", &file.path));
        let stem = name.split('.').find(|part| !part.is_empty()).unwrap_or(name);
        let symbols: Vec<&Symbol> =
            chunk.symbols.iter().map(|&symbol| &parsed.symbols[symbol as usize]).collect();
        let scope = chunk.scope.map(|symbol| &parsed.symbols[symbol as usize]);
        let parts = [
            asked_in(self.terms, [stem]),
            asked_in(self.terms, [folders]),
            asked_in(self.terms, symbols.iter().map(|symbol| symbol.name.as_str())),
            asked_in(self.terms, scope.iter().flat_map(|it| [it.scope.as_str(), it.name.as_str()])),
            asked_in(self.terms, symbols.iter().map(|symbol| symbol.signature.as_str())),
            asked_in(self.terms, symbols.iter().map(|symbol| symbol.doc.as_str())),
        ];
        features.extend(parts.iter().map(|part| self.terms.covered(|term| part.contains(&term))));
        let anywhere = |term: &str| parts.iter().any(|part| part.contains(&term));
        features.push(self.terms.covered(anywhere));
        features.extend([
            symbols.iter().map(|symbol| self.exactness(&symbol.name)).fold(0.0, f32::max),
            symbols.iter().map(|symbol| self.asked_share(&symbol.name)).fold(0.0, f32::max),
            self.asked_share(stem),
        ]);
    }

    /// 1 if a name stands in the question as it is, a half if in another case.
    fn exactness(&self, name: &str) -> f32 {
        if self.words.contains(name) {
            return 1.0;
        }
        let alike = self.words.iter().any(|word| word.eq_ignore_ascii_case(name));
        if alike { 0.5 } else { 0.0 }
    }

    /// How much of a name the question holds.
    fn asked_share(&self, name: &str) -> f32 {
        let parts = distinct(name);
        let asked = parts.iter().filter(|part| self.terms.holds(part)).count();
        if parts.is_empty() { 0.0 } else { asked as f32 / parts.len() as f32 }
    }

    /// What the channels of names say, what the whole file holds, and how close the words stand.
    fn evidence(&self, candidate: &Candidate, parsed: &Parsed, features: &mut Vec<f32>) {
        let score = |channel: Channel| {
            candidate.found.standings[channel as usize].map_or(0.0, |it| it.score)
        };
        let words = self.held.scores.get(candidate.file).copied().unwrap_or(0.0);
        let chunk = &parsed.chunks[candidate.chunk as usize];
        let text = self.texts.lines(candidate.file, chunk.start_line, chunk.end_line);
        let Closeness { line, run } = self.sequence.closeness(&text);
        let standing = self.files.get(&candidate.file);
        features.extend([
            score(Channel::Definitions),
            score(Channel::Symbols),
            score(Channel::Paths),
            self.held.covered.get(candidate.file).copied().unwrap_or(0.0),
            words,
            if self.held.best > 0.0 { words / self.held.best } else { 0.0 },
            line,
            run,
            standing.map_or(0.0, |file| file.defines),
            standing.map_or(0.0, |file| file.dense),
        ]);
    }

    /// How good the best other file is that imports this one or is imported by it.
    fn near(&self, file: usize) -> f32 {
        let Some(links) = self.texts.index.ready_links() else { return 0.0 };
        let linked = links.imports(file).chain(links.importers(file)).map(|it| it as usize);
        let standings = linked.filter(|it| *it != file).filter_map(|it| self.files.get(&it));
        standings.map(|standing| 1.0 / standing.rank).fold(0.0, f32::max)
    }

    fn file_standing(&self, candidate: &Candidate, features: &mut Vec<f32>) {
        let Some(file) = self.files.get(&candidate.file) else {
            return features.extend([0.0; 3]);
        };
        features.extend([file.candidates, file.sum, 1.0 / file.rank]);
    }

    fn file(&self, candidate: &Candidate, file: &FileEntry, features: &mut Vec<f32>) {
        let path = file.path.to_ascii_lowercase();
        let parts: Vec<&str> = path.split(['/', '.', '_', '-']).collect();
        let any = |words: &[&str]| flag(parts.iter().any(|part| words.contains(part)));
        let name = path.rsplit('/').next().unwrap_or(&path);
        features.extend([
            file.chunks.min(50) as f32,
            path.matches('/').count() as f32,
            flag(self.texts.index.roles()[candidate.file] == Role::Docs),
            any(&["test", "tests", "testing", "spec", "specs", "fixtures", "mocks", "testdata"]),
            any(&["example", "examples", "sample", "samples", "demo", "demos", "tutorial", "docs"]),
            any(&[
                "vendor",
                "third",
                "legacy",
                "compat",
                "deprecated",
                "old",
                "generated",
                "dist",
                "bench",
            ]),
            flag(
                ["__init__.", "index.", "mod.", "lib.", "main."]
                    .iter()
                    .any(|it| name.starts_with(it)),
            ),
            flag(name.ends_with(".d.ts") || name.ends_with(".pyi")),
            flag(["json", "yaml", "toml", "config", "css"].contains(&file.language.as_str())),
        ]);
    }
}

/// Fills in how much any candidate of the same file has of some features; `files` says whose each is.
fn fill_most(files: &[usize], all: &mut [Features]) {
    for (to, name) in NAMES.iter().enumerate() {
        let of = name.strip_prefix(MOST).and_then(|of| NAMES.iter().position(|it| *it == of));
        let Some(of) = of else { continue };
        let mut most: HashMap<usize, f32> = HashMap::new();
        for (file, features) in files.iter().zip(&*all) {
            let most = most.entry(*file).or_insert(features[of]);
            *most = most.max(features[of]);
        }
        files.iter().zip(&mut *all).for_each(|(file, features)| features[to] = most[file]);
    }
}

fn chunk(candidate: &Candidate, parsed: &Parsed, features: &mut Vec<f32>) {
    let chunk = &parsed.chunks[candidate.chunk as usize];
    let subject = chunk.subject(&parsed.symbols).map(|symbol| symbol.kind);
    let is_function = matches!(subject, Some(SymbolKind::Function | SymbolKind::Method));
    features.extend([
        (chunk.end_line - chunk.start_line + 1).min(200) as f32,
        candidate.chunk.min(50) as f32,
        chunk.symbols.len().min(20) as f32,
        flag(is_function),
        flag(subject.is_some_and(SymbolKind::is_type)),
        flag(subject.is_none()),
        flag(chunk.scope.is_some()),
    ]);
}

/// Whether a chunk is of tests, in a file of their own or beside what they test.
fn is_test_chunk(candidate: &Candidate, file: &FileEntry, parsed: &Parsed) -> bool {
    let subject = parsed.chunks[candidate.chunk as usize].subject(&parsed.symbols);
    is_test_path(&file.path)
        || subject.is_some_and(|it| is_test(it.kind, &it.name) || is_among_tests(it))
}

/// Whether a document says what was or was to be, rather than what is: change logs, plans, notes of a day.
fn is_record(path: &str) -> bool {
    #[rustfmt::skip]
    const WORDS: [&str; 21] = [
        "changelog", "changes", "history", "news", "plan", "plans", "proposal", "proposals", "rfc", "rfcs", "adr",
        "spec", "specs", "research", "archive", "notes", "todo", "roadmap", "blog", "release", "releases",
    ];
    let path = path.to_ascii_lowercase();
    let is_docs = [".md", ".rst", ".txt", ".adoc"].iter().any(|end| path.ends_with(end));
    let is_year =
        |part: &str| part.len() == 4 && part.starts_with("20") && part.parse::<u16>().is_ok();
    let mut parts = path.split(|c: char| !c.is_alphanumeric());
    is_docs && parts.any(|part| WORDS.contains(&part) || is_year(part))
}

/// How near the middle one of the candidates is: what a chunk is worth that is only somewhat like
/// the question.
fn usual_dense(candidates: &[Candidate]) -> f32 {
    usual(candidates.iter().filter_map(|candidate| Some(candidate.found.dense()?.score)).collect())
}

/// How near a candidate is; the usual, if it has no vector yet.
fn dense_of(candidate: &Candidate, usual: f32) -> f32 {
    candidate.found.dense().map_or(usual, |it| it.score)
}

/// Whether somebody asks how to do a thing, which documents say, rather than how it is done.
fn is_howto(text: &str) -> bool {
    let text = text.trim_start().to_ascii_lowercase();
    const STARTS: [&str; 9] = [
        "how do i ",
        "how do you ",
        "how to ",
        "how can ",
        "how should ",
        "can i ",
        "can you ",
        "what do i ",
        "guide ",
    ];
    STARTS.iter().any(|start| text.starts_with(start))
}

fn flag(is: bool) -> f32 {
    f32::from(u8::from(is))
}

fn is_no_name(c: char) -> bool {
    !c.is_alphanumeric() && c != '_'
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_candidate_has_the_most_that_its_file_has() {
        let number = |name: &str| NAMES.iter().position(|it| *it == name).unwrap();
        let of_each = [(7, 0.2), (8, 0.9), (7, 0.6)];
        let mut all = of_each.map(|(_, share)| {
            let mut features = [0.0; NAMES.len()];
            features[number("name.share")] = share;
            features
        });
        fill_most(&of_each.map(|(file, _)| file), &mut all);
        assert_eq!(all.map(|features| features[number("most.name.share")]), [0.6, 0.9, 0.6]);
        assert_eq!(all.map(|features| features[number("name.share")]), [0.2, 0.9, 0.6]);
    }

    /// Each is made from a feature there is, and room is made for as many.
    #[test]
    fn every_most_is_of_a_feature() {
        let most: Vec<&str> = NAMES.iter().filter_map(|name| name.strip_prefix(MOST)).collect();
        assert_eq!(most.len(), MOSTS);
        assert!(most.iter().all(|name| NAMES.contains(name)));
    }

    #[test]
    fn records_are_told_by_their_paths() {
        for (path, expected) in [
            ("CHANGELOG.md", true),
            ("docs/plans/2026-04-02-router.md", true),
            ("docs/research/models.rst", true),
            ("docs/guide/planning.md", false),
            ("docs/port-20800.md", false),
            ("src/history.rs", false),
            ("README.md", false),
        ] {
            assert_eq!(is_record(path), expected, "{path}");
        }
    }
}

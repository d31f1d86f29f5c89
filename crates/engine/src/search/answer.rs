//! A page of hits and the proof that comes with it: the one answer type behind every door.

use std::collections::BTreeMap;
use std::fmt;

use serde::Serialize;

use crate::history::blame::Blame;
use crate::index::manifest::Manifest;

/// What a question gets.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Answer {
    /// The question as it was asked.
    pub query: String,
    /// Hits, best first.
    pub hits: Vec<Hit>,
    /// What was searched.
    pub index: Certificate,
    /// How much of the budget the hits take, if there was one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tokens: Option<Spent>,
    /// Why nothing was searched by meaning, if it was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub dense_off_because: Option<String>,
    /// How likely the page is to answer: the surest of its first hits; absent where that cannot be
    /// said, and where text in quotes is asked for, which is there or is not.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub confidence: Option<f32>,
    /// Why nothing answers: there are no hits, or none is likely enough.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub nothing_because: Option<String>,
}

/// One span that answers.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct Hit {
    /// Relative to the root, with forward slashes.
    pub path: String,
    /// The repositories that hold the file and may be seen, in a search over a fleet of them.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub repositories: Vec<String>,
    /// First line, counted from 1.
    pub start_line: u32,
    /// Last line, included.
    pub end_line: u32,
    /// Higher is better; comparable within one answer only.
    pub score: f32,
    /// How likely the span is to answer, between 0 and 1; absent where that cannot be said, as
    /// without search by meaning.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub confidence: Option<f32>,
    /// The file's language.
    pub language: String,
    /// What the span is: the kind of its symbol, or `text`.
    pub kind: String,
    /// The qualified name of the symbol the span defines or is part of.
    pub symbol: Option<String>,
    /// Path and enclosing names, outermost first.
    pub breadcrumb: String,
    /// The lines themselves; those that matter, with a line of [`GAP`] between runs of them, if
    /// the question asked for that; the signature alone if there was no room for more.
    pub snippet: String,
    /// First and last line of each run of lines in the snippet, where those are not all. The line
    /// of the signature comes first, even if it stands above the span.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub shown: Vec<(u32, u32)>,
    /// Whether the snippet is a signature and no line of the file.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub signature_only: bool,
    /// Where nearly the same text stands.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub also_at: Vec<Place>,
    /// Where its lines come from, if that was asked.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub blame: Option<Blame>,
    /// Where each channel ranked the span, and how much of the score it gave.
    pub channels: BTreeMap<String, ChannelScore>,
    /// What the model says of question and span, read together, where that put it into its place; the higher the better.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub judged: Option<f32>,
    /// The lines that match best, best first, counted as in the file.
    #[serde(skip)]
    pub best_lines: Vec<u32>,
}

impl Hit {
    /// Its place, as people write it.
    pub fn place(&self) -> Place {
        Place { path: self.path.clone(), start_line: self.start_line, end_line: self.end_line }
    }

    /// Tokens of what a reader gets to see: its place, its name, where else it stands, its text.
    pub fn tokens(&self) -> usize {
        self.tokens_with(self.snippet.len())
    }

    /// The same if the snippet had another length.
    pub(crate) fn tokens_with(&self, snippet: usize) -> usize {
        let also_at: usize = self.also_at.iter().map(|place| place.to_string().len() + 1).sum();
        let symbol = self.symbol.as_ref().map_or(0, |symbol| symbol.len() + 1);
        let heading = self.place().to_string().len() + symbol + also_at;
        (heading + 1 + snippet + 1).div_ceil(BYTES_PER_TOKEN)
    }

    /// The lines of the snippet with their numbers; a gap, or a signature alone, has none.
    pub fn numbered(&self) -> Vec<(Option<u32>, &str)> {
        let whole = [(self.start_line, self.end_line)];
        let runs = if self.shown.is_empty() { &whole[..] } else { &self.shown };
        let mut lines = self.snippet.lines();
        let mut numbered = Vec::new();
        if self.signature_only {
            return lines.map(|line| (None, line)).collect();
        }
        for (n, &(first, last)) in runs.iter().enumerate() {
            if n > 0 {
                numbered.extend(lines.next().map(|gap| (None, gap)));
            }
            numbered.extend((first..=last).zip(&mut lines).map(|(n, line)| (Some(n), line)));
        }
        numbered
    }
}

/// Bytes that count as one token.
///
/// An estimate, for every language model cuts text in its own way. Over 12,016 runs of 40 lines of code
/// and prose from the development trees (2026-11-15), OpenAI's o200k vocabulary has 4.18 bytes a token
/// and cl100k 4.06. The estimate is too high for Java and Python (4.7), a tenth too low at most for Go,
/// C, C++ and Haskell (3.7 to 3.9), and too low by more for minified code and tables of numbers.
pub const BYTES_PER_TOKEN: usize = 4;

/// What stands for the lines left out of a snippet.
pub const GAP: &str = "…";

/// A run of lines of a file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct Place {
    /// Relative to the root, with forward slashes.
    pub path: String,
    /// First line, counted from 1.
    pub start_line: u32,
    /// Last line, included.
    pub end_line: u32,
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "{}:{}-{}", self.path, self.start_line, self.end_line)
    }
}

/// A budget and what became of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct Spent {
    /// Tokens asked for.
    pub budget: usize,
    /// Tokens of the hits; never more than that.
    pub used: usize,
}

/// One channel's word on a hit.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct ChannelScore {
    /// Position in the channel's own list, from 1; absent if it is scored but not on it.
    pub rank: Option<usize>,
    /// The channel's own score.
    pub score: f32,
    /// Its share of the hit's score.
    pub contribution: f32,
}

/// What an answer was drawn from, so that it can be checked.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct Certificate {
    /// The indexed folder.
    pub root: String,
    /// The commit the tree stood on.
    pub commit: Option<String>,
    /// How many files differed from that commit; absent without git.
    pub dirty_files: Option<u32>,
    /// Indexed files.
    pub files: usize,
    /// Indexed chunks.
    pub chunks: u64,
    /// Files left out.
    pub skipped: usize,
    /// Files that are other than on disk, or missing: there was no time to read them yet.
    pub stale_files: u32,
    /// Whether everything the tree holds was searched as it is now.
    pub complete: bool,
    /// How many repositories were searched, in a search over a fleet of them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub repositories: Option<usize>,
    /// What of a fleet could not be asked in time, and so may be missing.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub partial: Vec<String>,
}

impl Certificate {
    /// The certificate of a manifest that is known to be fresh.
    pub fn of(manifest: &Manifest) -> Certificate {
        let revision = manifest.revision.as_ref();
        Certificate {
            root: manifest.root.clone(),
            commit: revision.and_then(|revision| revision.commit.clone()),
            dirty_files: revision.and_then(|revision| revision.dirty_files),
            files: manifest.files.len(),
            chunks: manifest.chunks(),
            skipped: manifest.skipped.len(),
            stale_files: manifest.behind,
            complete: manifest.behind == 0,
            repositories: None,
            partial: Vec::new(),
        }
    }
}

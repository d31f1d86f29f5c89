//! A page of hits and the proof that comes with it: the one answer type behind every door.

use std::collections::BTreeMap;

use serde::Serialize;

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
    /// Why nothing was searched by meaning, if it was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub dense_off_because: Option<String>,
    /// Why there are no hits, if there are none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub nothing_because: Option<String>,
}

/// One span that answers.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Hit {
    /// Relative to the root, with forward slashes.
    pub path: String,
    /// First line, counted from 1.
    pub start_line: u32,
    /// Last line, included.
    pub end_line: u32,
    /// Higher is better; comparable within one answer only.
    pub score: f32,
    /// The file's language.
    pub language: String,
    /// What the span is: the kind of its symbol, or `text`.
    pub kind: String,
    /// The qualified name of the symbol the span defines or is part of.
    pub symbol: Option<String>,
    /// Path and enclosing names, outermost first.
    pub breadcrumb: String,
    /// The lines themselves.
    pub snippet: String,
    /// Where each channel ranked the span, and how much of the score it gave.
    pub channels: BTreeMap<String, ChannelScore>,
    /// The lines that match best, best first, counted as in the file.
    #[serde(skip)]
    pub best_lines: Vec<u32>,
}

/// One channel's word on a hit.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
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
    /// Whether everything the tree holds was searched as it is now.
    pub complete: bool,
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
            complete: true,
        }
    }
}

//! What every search tool looks like to the evaluation: a tree goes in once, then questions; ranked
//! hits come out. Our own engine and every rival are measured through these two traits.

use std::path::Path;

use wherein_engine::search::query::Query;

use crate::error::Result;

/// A tool that can be asked about trees.
pub trait Tool: Sync {
    /// What tables call it.
    fn name(&self) -> String;

    /// What a reader of its figures must know.
    fn note(&self) -> Option<String> {
        None
    }

    /// Makes a tree ready for questions: indexes it if the tool has an index.
    fn open(&self, root: &Path, progress: Progress) -> Result<Box<dyn Searcher + '_>>;
}

/// A tool with one tree open.
pub trait Searcher: Sync {
    /// Answers one question, best hit first. Options the tool does not have are left aside.
    fn search(&self, query: &Query) -> Result<Vec<Hit>>;

    /// What was indexed, if the tool can say.
    fn corpus(&self) -> Corpus {
        Corpus::default()
    }
}

/// A place that a tool returned.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hit {
    /// Relative to the tree, with forward slashes.
    pub path: String,
    /// First and last line, counted from 1; `None` if the tool names files only.
    pub lines: Option<(u32, u32)>,
    /// How many bytes of text came with it.
    pub bytes: usize,
}

impl Hit {
    /// As in a report: `path:start-end`.
    pub fn label(&self) -> String {
        match self.lines {
            Some((start, end)) => format!("{}:{start}-{end}", self.path),
            None => self.path.clone(),
        }
    }
}

/// What a tool made of a tree.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Corpus {
    /// Indexed files.
    pub files: usize,
    /// Indexed chunks.
    pub chunks: u64,
    /// Files left out.
    pub skipped: usize,
}

/// How far an evaluation is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// Files of the current tree that are indexed.
    Indexing {
        /// Files done.
        done: usize,
        /// Files to do.
        total: usize,
    },
    /// Chunks of the current tree that have a vector.
    Encoding {
        /// Chunks done.
        done: usize,
        /// All chunks.
        total: usize,
    },
    /// Questions answered.
    Asking {
        /// Questions done.
        done: usize,
        /// All questions of the run.
        total: usize,
    },
}

/// Is told how far an evaluation is, from any thread.
pub type Progress<'p> = &'p (dyn Fn(Step) + Sync);

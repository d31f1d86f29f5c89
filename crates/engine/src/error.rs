//! What can go wrong at rest and per query, one variant for each thing a caller could do about it.

use std::io;
use std::path::PathBuf;

use tantivy::TantivyError;

/// A failure of the engine. A bad file in the tree is not one: it is skipped and recorded.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The folder to index is missing, not a folder, or closed to us.
    #[error("cannot read the folder {path}: {source}")]
    Root {
        /// The folder.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// The index cannot be written: no permission, no space.
    #[error("cannot write the index at {path}: {source}")]
    Write {
        /// The file or folder.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// There is no index of this tree yet.
    #[error("{0} is not indexed yet")]
    Missing(PathBuf),
    /// Another process is indexing this tree.
    #[error("another process is indexing {0}")]
    Busy(PathBuf),
    /// What is stored cannot be trusted: half-written, damaged, or changed by someone else.
    #[error("the index at {path} is damaged ({what})")]
    Damaged {
        /// Where.
        path: PathBuf,
        /// What was found.
        what: String,
    },
    /// A path pattern that is no pattern.
    #[error("bad path pattern '{pattern}': {reason}")]
    Pattern {
        /// As given.
        pattern: String,
        /// What is wrong with it.
        reason: String,
    },
    /// A code pattern that is no code, or no pattern.
    #[error("{reason}")]
    Code {
        /// What is wrong with it and what to do.
        reason: String,
    },
    /// A regular expression that is none.
    #[error("bad regular expression: {reason}")]
    Regex {
        /// What is wrong with it.
        reason: String,
    },
    /// There is no repository around a folder, or it cannot be opened.
    #[error("cannot open a git repository at or around {root}: {reason}")]
    NoRepository {
        /// The folder.
        root: PathBuf,
        /// What the library said.
        reason: String,
    },
    /// A revision that names no commit.
    #[error("'{revision}' names no commit: {reason}")]
    Revision {
        /// As given.
        revision: String,
        /// What is wrong with it.
        reason: String,
    },
    /// Something of a repository that cannot be read.
    #[error("cannot read the git repository: {0}")]
    Git(String),
    /// A date nobody can read.
    #[error("'{0}' is no date; write 2026-11-15, yesterday, or 2 weeks ago")]
    Date(String),
    /// A language nobody knows.
    #[error(transparent)]
    Language(#[from] wherein_corpus::UnknownLanguage),
    /// A question with nothing to look for in it.
    #[error("the query has no letters or digits to look for")]
    EmptyQuery,
    /// A question of nothing but filters.
    #[error("the question has only filters; say what to look for besides them")]
    OnlyFilters,
    /// A file of the tree that was left out of the index.
    #[error("{path} is not indexed: {reason}")]
    Skipped {
        /// Relative to the root.
        path: String,
        /// Why.
        reason: wherein_corpus::Skip,
    },
    /// A path that the index does not know: ignored, hidden, or not there.
    #[error("{path} is not in the indexed tree {root}")]
    Unknown {
        /// Relative to the root.
        path: String,
        /// The indexed folder.
        root: PathBuf,
    },
    /// A line where there is no text.
    #[error("there is nothing at {path}:{line}: {because}")]
    NoText {
        /// Relative to the root.
        path: String,
        /// As given.
        line: u32,
        /// What is wrong with it.
        because: String,
    },
    /// A mode that needs a model, and none is chosen.
    #[error("search by meaning is off: {0}")]
    NoModel(String),
    /// Exported work that cannot be written or read.
    #[error("the exported index cannot be used: {0}")]
    Transfer(String),
    /// The model failed.
    #[error(transparent)]
    Encoder(#[from] wherein_encoder::Error),
    /// A model gave vectors of one width and then of another.
    #[error("the model gave vectors of {now} numbers where it gave {before} before; name it anew")]
    Width {
        /// What is stored.
        before: usize,
        /// What came.
        now: usize,
    },
    /// The full-text engine failed.
    #[error("full-text search failed: {0}")]
    Lexical(#[from] TantivyError),
}

/// The engine's result.
pub type Result<T> = std::result::Result<T, Error>;

impl Error {
    pub(crate) fn write(path: impl Into<PathBuf>) -> impl FnOnce(io::Error) -> Error {
        let path = path.into();
        move |source| Error::Write { path, source }
    }

    /// A failure of the full-text engine to write is no different from a failure of our own.
    pub(crate) fn write_text(path: impl Into<PathBuf>) -> impl FnOnce(TantivyError) -> Error {
        let path = path.into();
        move |error| Error::Write {
            path,
            source: match error {
                TantivyError::IoError(source) => io::Error::new(source.kind(), source),
                other => io::Error::other(other),
            },
        }
    }

    pub(crate) fn damaged(path: impl Into<PathBuf>, what: impl ToString) -> Error {
        Error::Damaged { path: path.into(), what: what.to_string() }
    }
}

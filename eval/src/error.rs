//! What can go wrong in an evaluation, one variant for each thing its user could do about it.

use std::io;
use std::path::{Path, PathBuf};

/// A failure of an evaluation. A question without a hit is not one.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// A row that is not in the published format.
    #[error("{}:{line}: expected {expected}; found {found}", file.display())]
    Row {
        /// The benchmark's file.
        file: PathBuf,
        /// The line, counted from 1.
        line: usize,
        /// What the format asks for.
        expected: String,
        /// What stands there.
        found: String,
    },
    /// A file or folder with nothing to ask.
    #[error("{}: expected at least one {expected}; found none", path.display())]
    Empty {
        /// The file or folder.
        path: PathBuf,
        /// What it should hold.
        expected: &'static str,
    },
    /// Two rows under one name.
    #[error("{}:{line}: expected an id of its own; '{id}' is already on line {first}", file.display())]
    Duplicate {
        /// The benchmark's file.
        file: PathBuf,
        /// The second row.
        line: usize,
        /// The id both have.
        id: String,
        /// The first row.
        first: usize,
    },
    /// A question about a tree that is not there.
    #[error(
        "{}:{line}: expected the tree of '{id}' at {}; export it, or ask only the others with --skip-missing",
        file.display(), tree.display()
    )]
    Tree {
        /// The benchmark's file.
        file: PathBuf,
        /// The question's line.
        line: usize,
        /// The question.
        id: String,
        /// Where its tree should be.
        tree: PathBuf,
    },
    /// A file that cannot be read.
    #[error("cannot read {}: {source}", path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// A file that cannot be written.
    #[error("cannot write {}: {source}", path.display())]
    Write {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// A folder that is not a run, or not one this version can read.
    #[error("{} is not a run: {reason}", path.display())]
    Run {
        /// The folder.
        path: PathBuf,
        /// What is wrong with it.
        reason: String,
    },
    /// Two runs that answer different questions.
    #[error("the runs cannot be compared: {0}")]
    Unpaired(String),
    /// The tool cannot answer in the mode asked for.
    #[error("{0}")]
    Unavailable(String),
    /// Another tool failed, or said something that cannot be read.
    #[error("{tool} failed: {reason}")]
    Rival {
        /// Its program.
        tool: String,
        /// What it said, or what is wrong with that.
        reason: String,
    },
    /// The search engine failed.
    #[error(transparent)]
    Engine(#[from] wherein_engine::Error),
}

/// The evaluation's result.
pub type Result<T> = std::result::Result<T, Error>;

impl Error {
    pub(crate) fn read(path: &Path) -> impl FnOnce(io::Error) -> Error {
        let path = path.to_owned();
        move |source| Error::Read { path, source }
    }

    pub(crate) fn write(path: &Path) -> impl FnOnce(io::Error) -> Error {
        let path = path.to_owned();
        move |source| Error::Write { path, source }
    }
}

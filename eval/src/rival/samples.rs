//! What the tests of rivals share: recorded outcomes, the real tool where it is installed, and
//! rivals that need no program at all.

use std::fmt::Debug;
use std::fs;
use std::io::{self, Write};

use tempfile::TempDir;
use wherein_engine::search::query::Query;

use super::call::{Outcome, failed};
use super::{Entry, LEXICAL, Rival, Tree, find};
use crate::error::{Error, Result};
use crate::searcher::{Hit, Searcher, Tool};

/// What a program left behind.
pub fn said(code: i32, out: &str, err: &str) -> Outcome {
    Outcome { code: Some(code), out: out.into(), err: err.to_owned() }
}

/// Each hit as `path:start-end=bytes`.
pub fn labels(hits: Vec<Hit>) -> String {
    let label = |hit: &Hit| format!("{}={}", hit.label(), hit.bytes);
    hits.iter().map(label).collect::<Vec<_>>().join(" ")
}

/// Checks what is made of recorded outcomes.
pub struct Recorded<F>(F);

/// Reads outcomes with `read`.
pub fn check_outcome<T, F: Fn(&Outcome) -> Result<T>>(read: F) -> Recorded<F> {
    Recorded(read)
}

impl<T, F: Fn(&Outcome) -> Result<T>> Recorded<F> {
    /// The outcome reads as `expected`.
    #[track_caller]
    pub fn gives<E: Debug>(self, outcome: Outcome, expected: E) -> Self
    where
        T: Debug + PartialEq<E>,
    {
        assert_eq!((self.0)(&outcome).unwrap(), expected);
        self
    }

    /// The outcome is an error that reads `expected`.
    #[track_caller]
    pub fn fails(self, outcome: Outcome, expected: &str) -> Self
    where
        T: Debug,
    {
        assert_eq!((self.0)(&outcome).unwrap_err().to_string(), expected);
        self
    }
}

/// The real tool over a small tree; nothing at all where it is not installed.
pub struct Real(Option<Installed>);

struct Installed {
    rival: Rival,
    tree: TempDir,
    _store: TempDir,
}

/// Writes the files, and says so if there is no tool to search them.
pub fn check(name: &str, files: &[(&str, &str)]) -> Real {
    let store = tempfile::tempdir().unwrap();
    match Rival::new(find(name).unwrap(), store.path()) {
        Ok(rival) => Real(Some(Installed { rival, tree: folder(files), _store: store })),
        Err(Error::Unavailable(why)) => {
            let _ = writeln!(io::stderr(), "not tested for real: {why}");
            Real(None)
        }
        Err(error) => panic!("{error}"),
    }
}

/// Temporary folders are hidden, and some tools pass over hidden trees.
const TREE: &str = "tree";

fn folder(files: &[(&str, &str)]) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    for (name, content) in files {
        let path = folder.path().join(TREE).join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, content).unwrap();
    }
    folder
}

impl Real {
    /// The question gets exactly these hits, as `path:start-end`.
    #[track_caller]
    pub fn finds(self, question: &str, expected: &str) -> Real {
        self.asked(question, |hits| {
            assert_eq!(hits.iter().map(Hit::label).collect::<Vec<_>>().join(" "), expected);
        })
    }

    /// The question gets a hit in this file first.
    #[track_caller]
    pub fn finds_first(self, question: &str, expected: &str) -> Real {
        self.asked(question, |hits| assert_eq!(hits[0].path, expected, "{hits:?}"))
    }

    #[track_caller]
    fn asked(self, question: &str, check: impl FnOnce(&[Hit])) -> Real {
        if let Some(Installed { rival, tree, .. }) = &self.0 {
            let searcher: Box<dyn Searcher> = rival.open(&tree.path().join(TREE), &|_| {}).unwrap();
            check(&searcher.search(&Query::new(question)).unwrap());
        }
        self
    }
}

/// Gives every file at the top of the tree for an answer, by path.
pub static BY_PATH: Entry = entry("by-path", &[], |tree| Ok(Box::new(ByPath(tree))));

/// Is not installed anywhere.
pub static MISSING: Entry =
    entry("missing", &["no-such-program-anywhere"], |tree| Ok(Box::new(ByPath(tree))));

/// Fails when it is asked.
pub static BROKEN: Entry = entry("broken", &[], |_| Err(failed("prog", "it broke")));

const fn entry(
    name: &'static str,
    programs: &'static [&'static str],
    open: fn(Tree) -> Result<Box<dyn Searcher>>,
) -> Entry {
    let (install, how) = ("ask its author", "nothing, files in the order of their paths");
    Entry { name, modes: LEXICAL, programs, version: None, install, how, open }
}

struct ByPath(Tree);

impl Searcher for ByPath {
    fn search(&self, query: &Query) -> Result<Vec<Hit>> {
        let entries = fs::read_dir(&self.0.root).map_err(Error::read(&self.0.root))?;
        let names = entries.flatten().map(|entry| entry.file_name());
        let mut paths: Vec<String> = names.filter_map(|name| name.into_string().ok()).collect();
        paths.sort();
        let whole = |path| Hit { path, lines: Some((1, u32::MAX)), bytes: 9 };
        Ok(paths.into_iter().take(query.limit).map(whole).collect())
    }
}

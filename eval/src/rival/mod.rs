//! Other tools, asked the same questions through their own command lines and scored the same way.
//!
//! In: a rival's name and a folder for its indexes. Out: a [`Tool`]. A tool that is not installed
//! is refused with the way to install it. One file a tool; what they share:
//!
//! ```text
//! call.rs      a command line      → what it printed, within a time limit
//! json.rs      what it printed     → a value, past notices and wrapped lines
//! grep.rs      matching lines      → path, number, text
//! keywords.rs  matching lines      → files by keywords, each with its densest lines
//! listing.rs   what a tool listed  → the hits a question asked for
//! ```
//!
//! Every choice left open is made in the rival's favour, and said in its file.

mod call;
mod csearch;
mod grep;
mod json;
mod keywords;
mod listing;
mod octocode;
mod probe;
mod ripgrep_keywords;
mod ripgrep_literal;
mod semble;
mod sia_code;

#[cfg(test)]
mod door;
#[cfg(test)]
pub mod samples;

use std::fs;
use std::path::{Path, PathBuf};

use wherein_engine::Store;

use crate::args::ModeArg;
use crate::error::{Error, Result};
use crate::searcher::{Progress, Searcher, Tool};
use call::{Call, Outcome};

/// What must be known of a rival beside how to ask it.
#[derive(Debug)]
pub struct Entry {
    /// As on the command line and in tables.
    pub name: &'static str,
    /// How it searches; one mode each.
    pub modes: &'static [ModeArg],
    /// The programs it runs.
    pub programs: &'static [&'static str],
    /// What makes the first program say its version, if it can.
    pub version: Option<&'static str>,
    /// How to get it.
    pub install: &'static str,
    /// What it is asked for, and in which order its hits count.
    pub how: &'static str,
    open: fn(Tree) -> Result<Box<dyn Searcher>>,
}

/// A tree, and where a rival may keep its index of it. Nothing is ever written into the tree.
struct Tree {
    /// Absolute and canonical.
    root: PathBuf,
    /// Exists, and is the rival's own.
    folder: PathBuf,
}

const LEXICAL: &[ModeArg] = &[ModeArg::Lexical];
const HYBRID: &[ModeArg] = &[ModeArg::Hybrid];

/// Every rival.
pub static ALL: &[Entry] = &[
    Entry {
        name: "ripgrep-literal",
        modes: LEXICAL,
        programs: &["rg"],
        version: Some("--version"),
        install: RIPGREP,
        how: "the whole question as one string, hits in the order of paths and lines",
        open: ripgrep_literal::open,
    },
    Entry {
        name: "ripgrep-keywords",
        modes: LEXICAL,
        programs: &["rg"],
        version: Some("--version"),
        install: RIPGREP,
        how: "every keyword of the question, files with most of them first",
        open: ripgrep_keywords::open,
    },
    Entry {
        name: "csearch",
        modes: LEXICAL,
        programs: &["csearch", "cindex"],
        version: None,
        install: "apt-get install codesearch, or go install github.com/google/codesearch/cmd/...@latest",
        how: "every keyword of the question, files with most of them first",
        open: csearch::open,
    },
    Entry {
        name: "probe",
        modes: LEXICAL,
        programs: &["probe"],
        version: Some("--version"),
        install: "npm install -g @probelabs/probe",
        how: "the question as it is, hits in the order of its scores",
        open: probe::open,
    },
    Entry {
        name: "semble",
        modes: HYBRID,
        programs: &["semble"],
        version: Some("--version"),
        install: "pip install semble",
        how: "the question as it is, hits in its own order",
        open: semble::open,
    },
    Entry {
        name: "sia-code",
        modes: LEXICAL,
        programs: &["sia-code"],
        version: Some("--version"),
        install: SIA_CODE,
        how: "the question as it is, by words, hits in its own order",
        open: sia_code::open_lexical,
    },
    Entry {
        name: "sia-code-hybrid",
        modes: HYBRID,
        programs: &["sia-code"],
        version: Some("--version"),
        install: SIA_CODE,
        how: "the question as it is, by words and meaning, hits in its own order",
        open: sia_code::open_hybrid,
    },
    Entry {
        name: "octocode",
        modes: HYBRID,
        programs: &["octocode"],
        version: Some("--version"),
        install: "cargo install --git https://github.com/Muvon/octocode",
        how: "the question as it is, hits in the order of its distances",
        open: octocode::open,
    },
];

const RIPGREP: &str = "apt-get install ripgrep, or cargo install ripgrep";
const SIA_CODE: &str = "pip install sia-code";

/// The names of all rivals.
pub fn names() -> Vec<&'static str> {
    ALL.iter().map(|entry| entry.name).collect()
}

/// The rival of that name.
pub fn find(name: &str) -> Option<&'static Entry> {
    ALL.iter().find(|entry| entry.name == name)
}

/// What most people would use instead, and so what our own figures are shown beside.
pub fn usual() -> Vec<&'static Entry> {
    ["ripgrep-literal", "ripgrep-keywords"].into_iter().filter_map(find).collect()
}

/// A rival that is installed.
pub struct Rival {
    entry: &'static Entry,
    version: Option<String>,
    store: Store,
}

impl Rival {
    /// Makes sure that the rival runs; its indexes are kept under `folder`.
    pub fn new(entry: &'static Entry, folder: &Path) -> Result<Rival> {
        let version = installed(entry)?;
        Ok(Rival { entry, version, store: Store::at(folder.join("rivals").join(entry.name)) })
    }
}

impl Tool for Rival {
    fn name(&self) -> String {
        match &self.version {
            Some(version) => format!("{} {version}", self.entry.name),
            None => self.entry.name.to_owned(),
        }
    }

    /// Our own engine is asked inside this process, so the two latencies are not quite alike.
    fn note(&self) -> Option<String> {
        let Entry { name, how, .. } = self.entry;
        Some(format!("{name}: {how}. Its latency includes starting the program."))
    }

    fn open(&self, root: &Path, _progress: Progress) -> Result<Box<dyn Searcher + '_>> {
        let root = fs::canonicalize(root).map_err(Error::read(root))?;
        let folder = self.store.tree(&root).folder;
        fs::create_dir_all(&folder).map_err(Error::write(&folder))?;
        (self.entry.open)(Tree { root, folder })
    }
}

/// Runs every program of a rival once, and gives back the version if it has one to tell.
pub fn installed(entry: &Entry) -> Result<Option<String>> {
    let ask = entry.version.unwrap_or("-help");
    let mut outcomes = Vec::new();
    for program in entry.programs {
        let outcome = Call::new(program).arg(ask).start()?;
        outcomes.push(outcome.ok_or_else(|| missing(entry, program))?);
    }
    match entry.version {
        Some(_) => version(&outcomes[0]).map(Some).ok_or_else(|| broken(entry, &outcomes[0])),
        None => Ok(None),
    }
}

/// The first word that begins with a digit: `ripgrep 13.0.0`, `sia-code, version 0.8.2`.
fn version(outcome: &Outcome) -> Option<String> {
    let said = String::from_utf8_lossy(&outcome.out);
    let word = said.split_whitespace().find(|word| word.starts_with(|c: char| c.is_ascii_digit()));
    word.map(str::to_owned)
}

fn missing(entry: &Entry, program: &str) -> Error {
    Error::Unavailable(format!(
        "{} is not installed: there is no program '{program}' to run; get it with: {}",
        entry.name, entry.install
    ))
}

fn broken(entry: &Entry, outcome: &Outcome) -> Error {
    Error::Unavailable(format!(
        "{} does not run: '{}' says {}; get a working one with: {}",
        entry.name,
        entry.programs[0],
        outcome.complaint(),
        entry.install
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(programs: &'static [&'static str], version: Option<&'static str>) -> Entry {
        Entry {
            name: "fancy",
            modes: LEXICAL,
            programs,
            version,
            install: "ask its author",
            how: "politely",
            open: semble::open,
        }
    }

    fn said(out: &str) -> Outcome {
        Outcome { code: Some(0), out: out.into(), err: String::new() }
    }

    #[track_caller]
    fn check_refused(entry: &Entry, expected: &str) {
        match installed(entry) {
            Err(Error::Unavailable(message)) => assert_eq!(message, expected),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn names_are_unique_and_found() {
        for entry in ALL {
            assert!(std::ptr::eq(find(entry.name).unwrap(), entry), "{}", entry.name);
            assert_eq!(entry.modes.len(), 1, "{}", entry.name);
        }
        assert!(find("grep").is_none());
        assert_eq!(usual().len(), 2);
    }

    #[test]
    fn the_version_is_the_first_number() {
        let check = |out: &str, expected: Option<&str>| {
            assert_eq!(version(&said(out)).as_deref(), expected, "{out}");
        };
        check("ripgrep 13.0.0\n-SIMD -AVX (compiled)\n", Some("13.0.0"));
        check("sia-code, version 0.8.2\n", Some("0.8.2"));
        check("0.7.0\n", Some("0.7.0"));
        check("usage: csearch", None);
    }

    #[test]
    fn a_missing_program_is_refused_with_the_way_to_install_it() {
        check_refused(
            &entry(&["no-such-program-anywhere"], None),
            "fancy is not installed: there is no program 'no-such-program-anywhere' to run; \
             get it with: ask its author",
        );
    }

    #[cfg(unix)]
    #[test]
    fn a_program_that_cannot_say_its_version_is_refused() {
        check_refused(
            &entry(&["false"], Some("--no")),
            "fancy does not run: 'false' says nothing (exit code 1); \
             get a working one with: ask its author",
        );
    }

    #[cfg(unix)]
    #[test]
    fn all_programs_of_a_rival_are_needed() {
        assert_eq!(installed(&entry(&["true"], None)).unwrap(), None);
        assert!(installed(&entry(&["true", "no-such-program-anywhere"], None)).is_err());
    }
}

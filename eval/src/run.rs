//! A run on disk: a folder that says what was asked, how, of what, and what came of it.
//!
//! ```text
//! run.json      settings, version, machine, date
//! ranks.csv     one row a question
//! summary.json  means with their intervals
//! summary.md    the same for people
//! ```
//!
//! They hold the questions and may lie in the tree these are about, so a search passes over them.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use wherein_corpus::OWN_IGNORE;

use crate::error::{Error, Result};
use crate::markdown;
use crate::question::MeanOver;
use crate::ranks::Ranks;
use crate::summary::Summary;

/// What a run's folder holds.
const FILES: [&str; 4] = ["run.json", "ranks.csv", "summary.json", "summary.md"];

/// Raised when a file of a run changes its meaning.
const FORMAT: u32 = 1;

/// How a run was made.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct Settings {
    /// The version of the folder's format.
    pub format: u32,
    /// The protocol's name.
    pub protocol: String,
    /// The tool that was asked.
    pub tool: String,
    /// Lexical, dense or hybrid.
    pub mode: String,
    /// Code, docs or all.
    pub scope: String,
    /// The program's version.
    pub version: String,
    /// `debug` or `release`: latencies of the first say nothing.
    pub build: String,
    /// Where it ran, in words.
    pub machine: String,
    /// When, as the caller wrote it.
    pub date: String,
    /// The benchmark's file or folder, by name.
    pub source: String,
    /// Further options of the protocol.
    pub options: BTreeMap<String, String>,
    /// The metric that decides.
    pub headline: String,
    /// What the headline is the mean of.
    pub mean_over: MeanOver,
}

/// A run, in memory.
#[derive(Clone, Debug, PartialEq)]
pub struct Run {
    /// How it was made.
    pub settings: Settings,
    /// One row a question.
    pub ranks: Ranks,
    /// What it came to.
    pub summary: Summary,
}

impl Settings {
    /// The version that this program writes.
    pub fn format() -> u32 {
        FORMAT
    }

    /// The build this code is part of.
    pub fn build() -> String {
        if cfg!(debug_assertions) { "debug" } else { "release" }.to_owned()
    }
}

impl Run {
    /// Writes the folder, replacing an earlier run in it.
    pub fn write(&self, folder: &Path) -> Result<()> {
        fs::create_dir_all(folder).map_err(Error::write(folder))?;
        keep_out_of_searches(folder)?;
        let [settings, ranks, summary, page] = FILES.map(|name| folder.join(name));
        write_json(&settings, &self.settings)?;
        self.ranks.write(&ranks)?;
        write_json(&summary, &self.summary)?;
        fs::write(&page, markdown::summary(&self.summary)).map_err(Error::write(&page))
    }

    /// Reads a folder that [`Run::write`] wrote.
    pub fn read(folder: &Path) -> Result<Run> {
        let settings: Settings = read_json(folder, "run.json")?;
        if settings.format != FORMAT {
            let reason = format!("its format is {}, this program reads {FORMAT}", settings.format);
            return Err(Error::Run { path: folder.to_owned(), reason });
        }
        let summary = read_json(folder, "summary.json")?;
        Ok(Run { settings, ranks: Ranks::read(&folder.join("ranks.csv"))?, summary })
    }
}

/// Names the files of a run to be passed over, unless the folder has rules of its own: those are its owner's.
fn keep_out_of_searches(folder: &Path) -> Result<()> {
    let rules = folder.join(OWN_IGNORE);
    if rules.exists() {
        return Ok(());
    }
    fs::write(&rules, FILES.map(|name| format!("/{name}\n")).concat()).map_err(Error::write(&rules))
}

fn write_json(file: &Path, value: &impl Serialize) -> Result<()> {
    let mut bytes =
        serde_json::to_vec_pretty(value).map_err(|error| Error::write(file)(error.into()))?;
    bytes.push(b'\n');
    fs::write(file, bytes).map_err(Error::write(file))
}

fn read_json<T: DeserializeOwned>(folder: &Path, name: &str) -> Result<T> {
    let wrong = |reason: String| Error::Run { path: folder.to_owned(), reason };
    let bytes = fs::read(folder.join(name)).map_err(|error| wrong(format!("{name}: {error}")))?;
    serde_json::from_slice(&bytes).map_err(|error| wrong(format!("{name}: {error}")))
}

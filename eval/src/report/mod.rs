//! Runs on disk as one page: folders of runs go in, a page that needs nothing else comes out.
//!
//! The page has no script and loads nothing: style and drawings are in it. `html::Markup` escapes
//! every text on its way, so a question cannot become part of the page's own markup. Nothing is
//! measured here; the figures are those of the runs.

mod chart;
mod groups;
mod header;
mod html;
mod latency;
mod limits;
mod page;
mod profile;
mod series;
mod tables;
mod worst;

use std::fs;
use std::path::{Path, PathBuf};

use crate::error::{Error, Result};
use crate::run::Run;

pub use page::page;

/// Reads runs in the order given. A folder without a run of its own stands for the runs right
/// below it: an evaluation in several modes leaves one folder for each.
pub fn read(folders: &[PathBuf]) -> Result<Vec<Run>> {
    let mut runs = Vec::new();
    for folder in folders {
        let below = if holds_run(folder) { Vec::new() } else { runs_below(folder)? };
        let own = if below.is_empty() { vec![folder.clone()] } else { below };
        for folder in own {
            runs.push(Run::read(&folder)?);
        }
    }
    Ok(runs)
}

/// Reads the one run that a folder stands for.
pub fn read_one(folder: &Path) -> Result<Run> {
    let mut runs = read(&[folder.to_owned()])?;
    match runs.len() {
        1 => Ok(runs.remove(0)),
        many => {
            let reason = format!("it holds {many} of them; name one");
            Err(Error::Run { path: folder.to_owned(), reason })
        }
    }
}

fn holds_run(folder: &Path) -> bool {
    folder.join("run.json").is_file()
}

fn runs_below(folder: &Path) -> Result<Vec<PathBuf>> {
    let mut below = Vec::new();
    for entry in fs::read_dir(folder).map_err(Error::read(folder))? {
        below.push(entry.map_err(Error::read(folder))?.path());
    }
    below.retain(|folder| holds_run(folder));
    below.sort();
    Ok(below)
}

#[cfg(test)]
mod samples;

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(folders: &[&str], expected: &[&str]) {
        let root = tempfile::tempdir().unwrap();
        for (folder, mode) in [("one", "lexical"), ("many/b", "hybrid"), ("many/a", "dense")] {
            let mut run = samples::run(mode, &[]);
            run.settings.mode = mode.to_owned();
            run.write(&root.path().join(folder)).unwrap();
        }
        fs::create_dir(root.path().join("many/notes")).unwrap();
        let folders: Vec<PathBuf> = folders.iter().map(|name| root.path().join(name)).collect();
        let shown = match read(&folders) {
            Ok(runs) => runs.into_iter().map(|run| run.settings.mode).collect(),
            Err(error) => vec![error.to_string()],
        };
        assert_eq!(shown.len(), expected.len(), "{shown:?}");
        for (shown, expected) in shown.iter().zip(expected) {
            assert!(shown.contains(expected), "{shown} is not {expected}");
        }
    }

    #[test]
    fn a_folder_stands_for_the_runs_below_it() {
        check(&["one"], &["lexical"]);
        check(&["many", "one"], &["dense", "hybrid", "lexical"]);
    }

    #[test]
    fn a_folder_of_one_run_stands_for_it() {
        let root = tempfile::tempdir().unwrap();
        samples::run("hybrid", &[]).write(&root.path().join("after/hybrid")).unwrap();
        let folder = root.path().join("after");
        assert!(read_one(&folder).is_ok());
        samples::run("dense", &[]).write(&folder.join("dense")).unwrap();
        let error = read_one(&folder).unwrap_err().to_string();
        assert!(error.ends_with("after is not a run: it holds 2 of them; name one"), "{error}");
    }

    #[test]
    fn a_folder_without_a_run_is_refused_by_name() {
        check(&["one", "many/notes"], &["notes is not a run: run.json"]);
        check(&["nowhere"], &["nowhere: No such file"]);
    }
}

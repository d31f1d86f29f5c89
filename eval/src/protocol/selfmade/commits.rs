//! From commit messages to questions about the files they touched. Asks the `git` program.

use std::collections::HashSet;
use std::path::Path;
use std::process::Command;

use wherein_corpus::Role;
use wherein_engine::search::query::Unit;

use super::{File, Made};
use crate::question::{Origin, Span};

/// How far back the log is read.
const COMMITS: &str = "--max-count=3000";
/// A commit that touches more files is about none of them.
const MOST_TOUCHED: usize = 10;
/// And no more than these are to be found.
const MOST_TARGETS: usize = 5;

/// Stand between commits and between the fields of one; no message holds them.
const COMMIT: char = '\u{1e}';
const FIELD: char = '\u{1f}';

/// A question for every commit that says what it does to a few files that are still there, and a
/// note if there is no log to read.
pub fn made(root: &Path, files: &[File]) -> (Vec<Made>, Option<String>) {
    match log(root) {
        Ok(log) => (of_log(root, &log, files), None),
        Err(reason) => (Vec::new(), Some(format!("commit: no questions, {reason}."))),
    }
}

fn log(root: &Path) -> Result<String, String> {
    let output = Command::new("git")
        .arg("-C")
        .arg(root)
        .args(["-c", "core.quotepath=off", "log", "--no-merges", "--relative", "--name-only"])
        .args([COMMITS, "--pretty=format:%x1e%h%x1f%s%x1f"])
        .output()
        .map_err(|error| format!("git cannot be run: {error}"))?;
    if output.status.success() {
        Ok(String::from_utf8_lossy(&output.stdout).into_owned())
    } else {
        Err("git has no log of this folder".to_owned())
    }
}

fn of_log(root: &Path, log: &str, files: &[File]) -> Vec<Made> {
    let code = files.iter().filter(|file| file.language.role() == Role::Code);
    let code: HashSet<&str> = code.map(|file| file.path.as_str()).collect();
    log.split(COMMIT).filter_map(|commit| of_commit(root, commit, &code)).collect()
}

fn of_commit(root: &Path, commit: &str, code: &HashSet<&str>) -> Option<Made> {
    let mut fields = commit.split(FIELD);
    let (hash, subject, touched) = (fields.next()?, fields.next()?, fields.next()?);
    let touched: Vec<&str> = touched.lines().filter(|path| !path.is_empty()).collect();
    let targets: Vec<Span> =
        touched.iter().filter(|path| code.contains(*path)).map(|path| Span::file(*path)).collect();
    let few = touched.len() <= MOST_TOUCHED && (1..=MOST_TARGETS).contains(&targets.len());
    let text = wish(subject)?;
    few.then(|| Made {
        id: format!("commit/{hash}"),
        origin: Origin { file: root.to_owned(), line: 1 },
        text,
        unit: Unit::File,
        targets,
        ignored: Vec::new(),
    })
}

/// What a subject says was done, without ticket numbers and marks of convention; `None` for
/// the routine that says nothing about code.
fn wish(subject: &str) -> Option<String> {
    const ROUTINE: [&str; 9] = [
        "merge",
        "revert",
        "bump",
        "release",
        "version",
        "update changelog",
        "wip",
        "chore(deps",
        "build(deps",
    ];
    let lower = subject.to_lowercase();
    if ROUTINE.iter().any(|routine| lower.starts_with(routine)) {
        return None;
    }
    let words: Vec<&str> = without_prefix(subject)
        .split_whitespace()
        .filter(|word| !word.trim_matches(['(', ')', ',', '.']).starts_with('#'))
        .collect();
    (words.len() >= 4).then(|| words.join(" "))
}

/// `fix(parser): read tabs` → `read tabs`; the words of a prefix often name the folder itself.
fn without_prefix(subject: &str) -> &str {
    match subject.split_once(": ") {
        Some((prefix, rest)) if !prefix.contains(' ') => rest,
        _ => subject,
    }
}

#[cfg(test)]
mod tests {
    use super::super::check::{check, tree};
    use super::*;

    #[test]
    fn a_commit_asks_for_the_code_it_touched_that_is_still_there() {
        let files = tree(&[("a.rs", ""), ("b.rs", ""), ("README.md", "")]);
        let log = "\u{1e}1\u{1f}fix(io): read tabs as blanks (#12)\u{1f}\na.rs\nREADME.md\ngone.rs\n\n\
                   \u{1e}2\u{1f}Bump version of all crates\u{1f}\na.rs\n\
                   \u{1e}3\u{1f}Say it in words\u{1f}\nREADME.md\n\
                   \u{1e}4\u{1f}Too few words\u{1f}\na.rs\n\
                   \u{1e}5\u{1f}Let both sides agree: they did not\u{1f}\na.rs\nb.rs\n";
        check(
            &of_log(Path::new(""), log, &files),
            &["read tabs as blanks → a.rs", "Let both sides agree: they did not → a.rs b.rs"],
        );
    }

    #[test]
    fn a_commit_about_everything_asks_for_nothing() {
        let files = tree(&[("a.rs", "")]);
        let many: String = (0..10).map(|n| format!("x{n}\n")).collect();
        let log = format!("\u{1e}1\u{1f}Format all of the code\u{1f}\na.rs\n{many}");
        check(&of_log(Path::new(""), &log, &files), &[]);
    }

    #[test]
    fn a_folder_without_a_log_is_noted() {
        let folder = tempfile::tempdir().unwrap();
        let (made, note) = made(folder.path(), &[]);
        assert!(made.is_empty() && note.is_some_and(|note| note.contains("no questions")));
    }
}

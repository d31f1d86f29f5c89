//! What git says of a tree: the commit it stands on and how many files differ from it.
//!
//! The commit is read from git's own files. Counting changed files is left to the `git` program,
//! which knows every corner of its index format; without it the count is unknown, not zero.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

use serde::{Deserialize, Serialize};
use wherein_corpus::{Stamp, worktree};

/// The commit a tree stands on, and what differs from it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Revision {
    /// The commit's hash; `None` before the first commit.
    pub commit: Option<String>,
    /// Files changed, added or removed since; `None` if git could not be asked.
    pub dirty_files: Option<u32>,
}

impl Revision {
    /// Asks git about the repository around `root`; `None` if there is none.
    pub fn of(root: &Path) -> Option<Revision> {
        let top = worktree::top_of(root)?;
        Some(Revision { commit: commit(top), dirty_files: dirty_files(root) })
    }
}

/// The stamp of git's list of files: commits and staging change what there is to say of a tree.
pub fn index_stamp(root: &Path) -> Option<Stamp> {
    let index = worktree::git_folder(worktree::top_of(root)?)?.join("index");
    fs::metadata(index).ok().map(|metadata| Stamp::of(&metadata))
}

/// The commit `HEAD` points at, read without starting a program.
pub fn commit(top: &Path) -> Option<String> {
    let git = worktree::git_folder(top)?;
    let head = fs::read_to_string(git.join("HEAD")).ok()?;
    let commit = match head.trim().strip_prefix("ref: ") {
        None => Some(head.trim().to_owned()),
        Some(name) => {
            let common = worktree::repository_of(top)?;
            loose(&git, name).or_else(|| loose(&common, name)).or_else(|| packed(&common, name))
        }
    };
    commit.filter(|commit| is_hash(commit))
}

fn is_hash(text: &str) -> bool {
    matches!(text.len(), 40 | 64) && text.bytes().all(|byte| byte.is_ascii_hexdigit())
}

fn loose(folder: &Path, name: &str) -> Option<String> {
    fs::read_to_string(folder.join(name)).ok().map(|hash| hash.trim().to_owned())
}

fn packed(folder: &Path, name: &str) -> Option<String> {
    let refs = fs::read_to_string(folder.join("packed-refs")).ok()?;
    let line = refs.lines().find(|line| line.split_once(' ').is_some_and(|(_, r)| r == name))?;
    line.split_once(' ').map(|(hash, _)| hash.to_owned())
}

fn dirty_files(root: &Path) -> Option<u32> {
    let output = Command::new("git")
        .args(["--no-optional-locks", "status", "--porcelain", "-z", "--no-renames"])
        .args(["--untracked-files=all", "--", "."])
        .current_dir(root)
        // Set where git runs hooks, and then about another repository than this one, maybe.
        .env_remove("GIT_DIR")
        .env_remove("GIT_WORK_TREE")
        .env_remove("GIT_INDEX_FILE")
        .stdin(Stdio::null())
        .stderr(Stdio::null())
        .output()
        .ok()
        .filter(|output| output.status.success())?;
    let entries = output.stdout.split(|&byte| byte == 0).filter(|entry| !entry.is_empty());
    Some(entries.count() as u32)
}

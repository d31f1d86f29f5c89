//! From a list of files that are not on disk to those worth reading: the rules of a walk, for a tree
//! that is only named, such as one of an older commit.
//!
//! In: every file with what stands for its stamp, and the text of the ignore files among them. Out:
//! the same kind of list as a walk gives. Ignore files of the user and above the tree are left
//! aside: they say nothing about what was committed.

use std::collections::HashMap;
use std::path::Path;

use ignore::Match;
use ignore::gitignore::{Gitignore, GitignoreBuilder};

use crate::language::Language;
use crate::skip::{self, Skip};
use crate::stamp::Stamp;
use crate::walk::{Found, IGNORE_FILES, Skipped, Walk, WalkSettings};

/// A file of the list.
#[derive(Clone, Debug)]
pub struct Listed {
    /// Relative to the root, with forward slashes.
    pub path: String,
    /// What it is.
    pub kind: ListedKind,
    /// Changes with its content.
    pub stamp: Stamp,
}

/// What a listed file is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ListedKind {
    /// A regular file.
    File,
    /// A symbolic link.
    Link,
    /// A path that no answer could name as it is.
    BadName,
}

/// An ignore file: its path, and what is in it.
#[derive(Clone, Debug)]
pub struct IgnoreFile {
    /// Relative to the root, with forward slashes.
    pub path: String,
    /// Its lines.
    pub text: String,
}

/// Whether a path is that of an ignore file.
pub fn is_ignore_file(path: &str) -> bool {
    IGNORE_FILES.contains(&name_of(path))
}

/// Sorts the list into what to read and what to leave out.
pub fn listed(files: Vec<Listed>, ignores: &[IgnoreFile], settings: &WalkSettings) -> Walk {
    let mut rules = Rules::of(ignores);
    let mut walk = Walk::default();
    for file in files {
        if rules.leave_out(&file.path) {
            continue;
        }
        match reason(&file, settings) {
            Some(reason) => walk.skipped.push(Skipped { path: file.path, reason, stamp: None }),
            None => {
                let language = Language::of_path(Path::new(&file.path), &settings.overrides);
                walk.files.push(Found { path: file.path, stamp: file.stamp, language });
            }
        }
    }
    walk.files.sort_unstable_by(|a, b| a.path.cmp(&b.path));
    walk.skipped.sort_unstable_by(|a, b| a.path.cmp(&b.path));
    walk
}

fn reason(file: &Listed, settings: &WalkSettings) -> Option<Skip> {
    let name = name_of(&file.path);
    match file.kind {
        ListedKind::Link => Some(Skip::Symlink),
        ListedKind::BadName => Some(Skip::BadName),
        ListedKind::File if settings.overrides.name(name) => None,
        ListedKind::File => skip::by_name(name),
    }
}

fn name_of(path: &str) -> &str {
    path.rsplit_once('/').map_or(path, |(_, name)| name)
}

/// The ignore files of a tree, the weightiest kind first, each kind by folder.
struct Rules {
    kinds: Vec<HashMap<String, Gitignore>>,
    /// What was decided for folders.
    folders: HashMap<String, bool>,
}

impl Rules {
    fn of(ignores: &[IgnoreFile]) -> Rules {
        let kind = |name: &&str| {
            let files = ignores.iter().filter(|file| name_of(&file.path) == *name);
            files.filter_map(|file| rules_of(file, name)).collect()
        };
        Rules { kinds: IGNORE_FILES.iter().rev().map(kind).collect(), folders: HashMap::new() }
    }

    /// Whether a file, or a folder it is in, is hidden or ignored.
    fn leave_out(&mut self, path: &str) -> bool {
        let folders = path.match_indices('/').map(|(at, _)| &path[..at]);
        for folder in folders {
            if !self.folders.contains_key(folder) {
                let verdict = self.verdict(folder, true);
                self.folders.insert(folder.to_owned(), verdict);
            }
            if self.folders[folder] {
                return true;
            }
        }
        self.verdict(path, false)
    }

    fn verdict(&self, path: &str, is_folder: bool) -> bool {
        for kind in &self.kinds {
            let mut folder = path;
            while !folder.is_empty() {
                folder = folder.rsplit_once('/').map_or("", |(above, _)| above);
                let Some(rules) = kind.get(folder) else { continue };
                match rules.matched(path, is_folder) {
                    Match::Ignore(_) => return true,
                    Match::Whitelist(_) => return false,
                    Match::None => {}
                }
            }
        }
        name_of(path).starts_with('.')
    }
}

/// A line that is no pattern is left aside, as a walk does.
fn rules_of(file: &IgnoreFile, name: &str) -> Option<(String, Gitignore)> {
    let folder = file.path.strip_suffix(name)?.trim_end_matches('/').to_owned();
    let mut builder = GitignoreBuilder::new(&folder);
    for line in file.text.lines() {
        let _ = builder.add_line(None, line);
    }
    Some((folder, builder.build().ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(ignores: &[(&str, &str)], paths: &[&str], expected: &[&str]) {
        let ignores: Vec<IgnoreFile> = ignores
            .iter()
            .map(|(path, text)| IgnoreFile { path: path.to_string(), text: text.to_string() })
            .collect();
        let file = |path: &&str| Listed {
            path: path.to_string(),
            kind: ListedKind::File,
            stamp: Stamp::default(),
        };
        let files = paths.iter().map(file).collect();
        let walk = listed(files, &ignores, &WalkSettings::default());
        let found: Vec<&str> = walk.files.iter().map(|file| file.path.as_str()).collect();
        assert_eq!(found, expected);
    }

    #[test]
    fn hidden_and_ignored_files_are_left_out_as_on_disk() {
        let paths = ["a.rs", ".hidden/b.rs", "out/c.rs", "src/.d.rs", "src/e.log", "src/f.rs"];
        check(&[], &paths, &["a.rs", "out/c.rs", "src/e.log", "src/f.rs"]);
        check(&[(".gitignore", "out/\n*.log")], &paths, &["a.rs", "src/f.rs"]);
        let nested = [(".gitignore", "*.log"), ("src/.gitignore", "!e.log\n/f.rs")];
        check(&nested, &paths, &["a.rs", "out/c.rs", "src/e.log"]);
    }

    #[test]
    fn our_own_ignore_file_outweighs_the_others() {
        let ignores = [(".gitignore", "*.log"), (".whereinignore", "!keep.log\nsrc")];
        check(&ignores, &["keep.log", "other.log", "src/a.rs", "b.rs"], &["b.rs", "keep.log"]);
    }
}

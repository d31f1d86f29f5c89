//! Which files of a tree are read, which are left out, and why.

use std::fs;
use std::path::{Path, PathBuf};

use tempfile::TempDir;
use wherein_corpus::{Overrides, Skip, Walk, WalkSettings, read, walk};

/// A folder that is gone after the test.
struct Tree(TempDir);

impl Tree {
    fn of(files: &[(&str, &str)]) -> Tree {
        let tree = Tree(TempDir::new().unwrap());
        for (path, text) in files {
            tree.write(path, text);
        }
        tree
    }

    fn path(&self, path: &str) -> PathBuf {
        self.0.path().join(path)
    }

    fn write(&self, path: &str, text: &str) {
        let path = self.path(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    fn walk(&self, settings: &WalkSettings) -> Walk {
        walk(self.0.path(), settings).unwrap()
    }
}

/// The files that are read, and those left out with the reason, by their content if need be.
fn verdicts(tree: &Tree, settings: &WalkSettings) -> (Vec<String>, Vec<(String, Skip)>) {
    let found = tree.walk(settings);
    let mut skipped: Vec<_> = found.skipped.into_iter().map(|it| (it.path, it.reason)).collect();
    let mut files = Vec::new();
    for file in found.files {
        match read(&tree.path(&file.path), settings.max_file_size) {
            Ok(_) => files.push(file.path),
            Err(reason) => skipped.push((file.path, reason)),
        }
    }
    skipped.sort();
    (files, skipped)
}

#[track_caller]
fn check(tree: &Tree, files: &[&str], skipped: &[(&str, Skip)]) {
    check_with(tree, &WalkSettings::default(), files, skipped);
}

#[track_caller]
fn check_with(tree: &Tree, settings: &WalkSettings, files: &[&str], skipped: &[(&str, Skip)]) {
    let skipped: Vec<_> =
        skipped.iter().map(|(path, why)| (path.to_string(), why.clone())).collect();
    let files: Vec<_> = files.iter().map(|path| path.to_string()).collect();
    assert_eq!(verdicts(tree, settings), (files, skipped));
}

#[test]
fn nested_gitignore_files_add_to_those_above() {
    let tree = Tree::of(&[
        (".gitignore", "*.log\n/build\n"),
        ("a.log", "x"),
        ("a.rs", "x"),
        ("build/b.rs", "x"),
        ("sub/build/c.rs", "x"),
        ("sub/.gitignore", "!keep.log\nd.rs\n"),
        ("sub/keep.log", "x"),
        ("sub/d.rs", "x"),
        ("sub/deep/d.rs", "x"),
        ("d.rs", "x"),
    ]);
    check(&tree, &["a.rs", "d.rs", "sub/build/c.rs", "sub/keep.log"], &[]);
}

#[test]
fn the_projects_own_rules_win_over_those_of_git() {
    let tree = Tree::of(&[
        (".gitignore", "gen/\nout/\n"),
        (".ignore", "!out/\nold/\n"),
        (".whereinignore", "!gen/\nbig/\n"),
        ("gen/a.rs", "x"),
        ("out/b.rs", "x"),
        ("old/c.rs", "x"),
        ("big/d.rs", "x"),
    ]);
    check(&tree, &["gen/a.rs", "out/b.rs"], &[]);
}

#[test]
fn hidden_files_are_left_out_unless_a_rule_names_them() {
    let files = [
        (".env", "x"),
        (".github/workflows/ci.yml", "x: 1"),
        (".vscode/settings.json", "{}"),
        ("src/.hidden.rs", "x"),
        ("src/a.rs", "x"),
    ];
    let tree = Tree::of(&files);
    check(&tree, &["src/a.rs"], &[]);
    tree.write(".whereinignore", "!.github\n!.hidden.rs\n");
    check(&tree, &[".github/workflows/ci.yml", "src/.hidden.rs", "src/a.rs"], &[]);
}

#[test]
fn what_is_not_for_people_is_skipped_with_its_reason() {
    let by_hand = "let a = 1;\n";
    let mark = concat!("// Code gen", "erated by a tool. DO NOT EDIT.\n");
    let tree = Tree::of(&[
        ("a.rs", by_hand),
        ("api.pb.go", by_hand),
        ("big.rs", &by_hand.repeat(200)),
        ("blob.rs", "a\0b"),
        ("de.po", "msgid \"\"\n"),
        ("lib.min.js", by_hand),
        ("lines.js", &"a=1;".repeat(300)),
        ("logo.png", by_hand),
        ("made.rs", mark),
        ("yarn.lock", "a\n"),
    ]);
    let settings = WalkSettings { max_file_size: 2000, ..WalkSettings::default() };
    check_with(
        &tree,
        &settings,
        &["a.rs", "lines.js"],
        &[
            ("api.pb.go", Skip::Generated),
            ("big.rs", Skip::TooLarge(2200)),
            ("blob.rs", Skip::Binary),
            ("de.po", Skip::Translation),
            ("lib.min.js", Skip::Minified),
            ("logo.png", Skip::Binary),
            ("made.rs", Skip::Generated),
            ("yarn.lock", Skip::Generated),
        ],
    );
    tree.write("lines.js", &"a=1;".repeat(2000));
    let (_, skipped) = verdicts(&tree, &WalkSettings::default());
    assert!(skipped.contains(&("lines.js".to_owned(), Skip::Minified)), "{skipped:?}");
}

#[test]
fn a_file_that_went_away_is_unreadable() {
    let tree = Tree::of(&[]);
    let outcome = read(&tree.path("gone.rs"), 1000);
    assert!(matches!(outcome, Err(Skip::Unreadable(_))), "{outcome:?}");
}

#[test]
fn a_mapped_extension_chooses_the_language_and_brings_the_file_in() {
    let tree = Tree::of(&[("a.inc", "<?php\n"), ("b.po", "msgid \"\"\n"), ("c.PNG", "x")]);
    let mut overrides = Overrides::default();
    for (extension, language) in [("inc", "php"), (".po", "text"), ("png", "text")] {
        overrides.set(extension, language).unwrap();
    }
    let found = tree.walk(&WalkSettings { overrides, ..WalkSettings::default() });
    let languages: Vec<_> =
        found.files.iter().map(|f| (f.path.as_str(), f.language.name)).collect();
    assert_eq!(languages, [("a.inc", "php"), ("b.po", "text"), ("c.PNG", "text")]);
    assert_eq!(found.skipped, []);
}

#[test]
fn repositories_inside_belong_to_the_tree_but_another_worktree_does_not() {
    let tree = Tree::of(&[
        (".git/HEAD", "ref: refs/heads/main\n"),
        (".git/modules/sub/HEAD", "ref: refs/heads/main\n"),
        (".git/worktrees/twin/HEAD", "ref: refs/heads/other\n"),
        (".git/worktrees/twin/commondir", "../..\n"),
        (".gitignore", "*.log\nignored-twin\n"),
        ("a.rs", "x"),
        ("nested/.git/HEAD", "ref: refs/heads/main\n"),
        ("nested/b.rs", "x"),
        ("sub/.git", "gitdir: ../.git/modules/sub\n"),
        ("sub/c.rs", "x"),
        ("work/twin/.git", "gitdir: ../../.git/worktrees/twin\n"),
        ("work/twin/a.rs", "x"),
        ("ignored-twin/.git", "gitdir: ../.git/worktrees/twin\n"),
        ("stray/.git", "gitdir: /nowhere\n"),
        ("stray/d.rs", "x"),
    ]);
    check(
        &tree,
        &["a.rs", "nested/b.rs", "stray/d.rs", "sub/c.rs"],
        &[("work/twin", Skip::Worktree)],
    );
}

#[test]
fn all_that_decides_what_is_in_the_tree_is_watched() {
    let tree = Tree::of(&[
        (".git/HEAD", "ref: refs/heads/main\n"),
        (".git/worktrees/twin/commondir", "../..\n"),
        (".whereinignore", ""),
        ("sub/.gitignore", "*.log\n"),
        ("twin/.git", "gitdir: ../.git/worktrees/twin\n"),
    ]);
    fs::create_dir(tree.path("empty")).unwrap();
    let found = tree.walk(&WalkSettings::default());
    assert!(found.files.is_empty());
    let inside = found.watched.iter().filter(|it| Path::new(&it.path).is_relative());
    let mut inside: Vec<_> = inside.map(|it| (it.path.as_str(), it.stamp.is_some())).collect();
    inside.sort_unstable();
    let paths = ["", ".whereinignore", "empty", "sub", "sub/.gitignore", "twin/.git"];
    assert_eq!(inside, paths.map(|path| (path, true)));
    let exclude = fs::canonicalize(tree.path(".git")).unwrap().join("info/exclude");
    let exclude = exclude.to_str().unwrap();
    assert!(found.watched.iter().any(|it| it.path == exclude && it.stamp.is_none()));
}

#[test]
fn a_root_that_cannot_be_listed_is_an_error() {
    let tree = Tree::of(&[("a.rs", "x")]);
    for path in ["missing", "a.rs"] {
        assert!(walk(&tree.path(path), &WalkSettings::default()).is_err(), "{path}");
    }
}

#[cfg(unix)]
mod on_unix {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;
    use std::os::unix::fs::symlink;
    use std::os::unix::net::UnixListener;

    use rustix::fs::{CWD, FileType, Mode, mknodat};

    use super::*;

    #[test]
    fn links_are_recorded_and_not_followed() {
        let tree = Tree::of(&[("a.rs", "x"), ("sub/b.rs", "x")]);
        for (target, link) in
            [("a.rs", "to-file.rs"), ("sub", "to-folder"), (".", "sub/loop"), ("none", "to-none")]
        {
            symlink(tree.path(target), tree.path(link)).unwrap();
        }
        check(
            &tree,
            &["a.rs", "sub/b.rs"],
            &["sub/loop", "to-file.rs", "to-folder", "to-none"].map(|path| (path, Skip::Symlink)),
        );
    }

    #[test]
    fn a_name_that_is_not_text_is_recorded_as_best_it_can() {
        let tree = Tree::of(&[("a.rs", "x")]);
        fs::write(tree.0.path().join(OsStr::from_bytes(b"caf\xe9.rs")), "x").unwrap();
        check(&tree, &["a.rs"], &[("caf\u{fffd}.rs", Skip::BadName)]);
    }

    #[test]
    fn pipes_and_sockets_are_never_opened() {
        let tree = Tree::of(&[("a.rs", "x")]);
        mknodat(CWD, tree.path("pipe.rs"), FileType::Fifo, Mode::RWXU, 0).unwrap();
        let _socket = UnixListener::bind(tree.path("socket.rs")).unwrap();
        check(&tree, &["a.rs"], &[("pipe.rs", Skip::Special), ("socket.rs", Skip::Special)]);
    }

    /// A path beyond what the system takes cannot be listed, not even by the superuser.
    #[test]
    fn a_folder_that_cannot_be_listed_is_recorded() {
        let tree = Tree::of(&[("a.rs", "x"), ("upper/b.rs", "x")]);
        let deep = vec!["d".repeat(250); 9].join("/");
        for half in ["upper", "lower"] {
            fs::create_dir_all(tree.path(half).join(&deep)).unwrap();
        }
        fs::rename(tree.path("lower"), tree.path("upper").join(&deep).join("lower")).unwrap();
        let (files, skipped) = verdicts(&tree, &WalkSettings::default());
        assert_eq!(files, ["a.rs", "upper/b.rs"]);
        let [(path, Skip::Unreadable(_))] = skipped.as_slice() else {
            panic!("{skipped:?}");
        };
        assert!(path.starts_with(&format!("upper/{deep}/lower/")), "{path}");
    }
}

/// A pipe that nobody writes into would be waited for.
#[cfg(unix)]
#[test]
fn rules_are_read_from_files_alone() {
    for name in [".gitignore", ".ignore", ".whereinignore"] {
        for folder in ["", "sub/"] {
            let tree = Tree::of(&[("a.rs", "a"), ("sub/b.rs", "b"), ("sub/deep/c.rs", "c")]);
            let pipe = format!("{folder}{name}");
            let made = std::process::Command::new("mkfifo").arg(tree.path(&pipe)).status();
            assert!(made.unwrap().success());
            check(&tree, &["a.rs", "sub/b.rs", "sub/deep/c.rs"], &[(&pipe, Skip::Special)]);
            let mut folders: Vec<_> = tree.walk(&WalkSettings::default()).watched;
            folders.retain(|it| ["", "sub", "sub/deep"].contains(&it.path.as_str()));
            assert_eq!(folders.len(), 3, "{pipe}");
        }
    }
}

//! Work is keyed by content: trees that hold the same files share their parses.

use std::fs::{self, File};
use std::time::{Duration, SystemTime};

use wherein_engine::Work;

use crate::project::{Project, SAMPLE, files_under};

/// What indexing a known tree under another root costs: all is read, nothing is parsed.
fn all_known() -> Work {
    Work { read: SAMPLE.len(), indexed: SAMPLE.len(), ..Work::default() }
}

#[test]
fn a_second_clone_parses_nothing() {
    let first = Project::indexed();
    let second = first.beside("clone").filled();
    assert_eq!(second.refresh(), all_known());
    assert_eq!(second.find("evict_oldest"), first.find("evict_oldest"));
    assert_eq!(files_under(&first.place.store.parsed()).len(), 1, "one pack serves both");
}

#[test]
fn a_clone_parses_nothing_after_the_first_tree_was_forgotten() {
    let first = Project::indexed();
    assert!(first.place.clear().unwrap());
    assert!(!first.place.clear().unwrap(), "there is nothing left to forget");
    assert!(!first.place.folder.exists());
    let second = first.beside("clone").filled();
    assert_eq!(second.refresh(), all_known());
    assert_eq!(second.find("evict_oldest"), ["src/cache.rs"]);
}

#[test]
fn forgetting_one_clone_leaves_the_other_whole() {
    let first = Project::indexed();
    let second = first.beside("clone").filled();
    second.settle();
    second.refresh();
    first.place.clear().unwrap();
    assert_eq!(second.refresh(), Work::default());
    assert_eq!(second.find("evict_oldest"), ["src/cache.rs"]);
}

#[test]
fn a_worktree_parses_nothing_and_is_not_part_of_its_repository() {
    let main = Project::sample();
    main.git(&["init", "-q"]);
    main.git(&["add", "."]);
    main.git(&["commit", "-q", "-m", "first"]);
    main.git(&["worktree", "add", "-q", "inside", "-b", "other"]);
    main.git(&["worktree", "add", "-q", "../outside", "-b", "third"]);
    main.settle();
    assert_eq!(main.refresh().parsed, SAMPLE.len());
    for worktree in ["tree/inside", "outside"] {
        let work = Work { read: SAMPLE.len(), ..Work::default() };
        assert_eq!(main.beside(worktree).refresh(), work, "{worktree}: not even indexed again");
    }
    assert_eq!(main.find("evict_oldest"), ["src/cache.rs"]);
}

#[test]
fn a_pack_nobody_needs_goes_after_a_while_and_a_needed_one_stays() {
    let project = Project::indexed();
    let needed = files_under(&project.place.store.parsed());
    let parsed = project.place.store.parsed();
    let (old, young) = (parsed.join("old.pack"), parsed.join("young.pack"));
    let (half, fresh_half) = (parsed.join("1-1.new"), parsed.join("1-2.new"));
    for path in [&old, &young, &half, &fresh_half] {
        fs::write(path, "left behind").unwrap();
    }
    for path in [&old, &half, &needed[0]] {
        age(path);
    }
    project.refresh();
    assert!(!old.exists() && !half.exists());
    assert!(young.exists() && fresh_half.exists(), "their writer may be about to publish");
    assert!(needed[0].exists());
}

fn age(path: &std::path::Path) {
    let file = File::options().write(true).open(path).unwrap();
    file.set_modified(SystemTime::now() - Duration::from_secs(2 * 3600)).unwrap();
}

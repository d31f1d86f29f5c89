//! Folders with names that are a nuisance.

use std::fs;
use std::path::Path;

use wherein_engine::index::fresh;
use wherein_engine::{Error, Store, Work};

use crate::project::{Project, SAMPLE};

#[track_caller]
fn check(name: impl AsRef<Path>) {
    let project = Project::empty().beside(name).filled();
    project.settle();
    assert_eq!(project.find("evict_oldest"), ["src/cache.rs"]);
    assert_eq!(project.refresh(), Work::default(), "it is known from then on");
}

#[test]
fn any_folder_name_will_do() {
    check("with space");
    check("ünï-çødé 目录");
    check("..dots..");
    check("n".repeat(255));
    check("木".repeat(85));
}

/// Linux takes any bytes for a name.
#[cfg(target_os = "linux")]
#[test]
fn a_folder_name_may_be_no_text_at_all() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;
    check("back\\slash\nand line");
    check(OsStr::from_bytes(b"caf\xe9 not UTF-8"));
}

#[test]
fn what_is_no_readable_folder_is_an_error_that_names_it() {
    let project = Project::sample();
    for name in ["src/cache.rs", "missing"] {
        let place = Store::at(project.path(".index")).tree(&project.path(name));
        let error = wherein_engine::refresh(&place, &project.settings, &|_, _| {}).unwrap_err();
        assert!(matches!(error, Error::Root { .. }), "{error}");
        assert!(error.to_string().contains(name), "{error}");
        assert!(!project.path(".index").exists(), "nothing is written for {name}");
    }
}

#[test]
fn an_index_that_cannot_be_written_is_an_error_that_names_it() {
    let project = Project::sample();
    fs::write(project.path("a file"), "").unwrap();
    let place = Store::at(project.path("a file")).tree(&project.place.root);
    let error = wherein_engine::refresh(&place, &project.settings, &|_, _| {}).unwrap_err();
    assert!(matches!(error, Error::Write { .. }), "{error}");
    assert!(error.to_string().contains("a file"), "{error}");
}

#[test]
fn an_index_inside_its_tree_is_no_part_of_it() {
    let mut project = Project::sample();
    project.place = Store::at(project.path("index")).tree(&project.place.root);
    project.settle();
    assert_eq!(project.refresh().indexed, SAMPLE.len());
    project.settle();
    assert_eq!(project.refresh(), Work::default());
    let manifest = project.snapshot().manifest;
    assert_eq!(manifest.skipped, []);
    assert!(fresh::is_fresh(&project.place.root, &manifest));
}

#[test]
fn an_empty_tree_has_an_index() {
    let project = Project::empty();
    project.settle();
    assert_eq!(project.find("anything"), [""; 0]);
    assert_eq!(project.refresh(), Work::default());
    project.write("a.py", "def anything(): pass\n");
    assert_eq!(project.find("anything"), ["a.py"]);
    project.remove("a.py");
    assert_eq!(project.find("anything"), [""; 0]);
}

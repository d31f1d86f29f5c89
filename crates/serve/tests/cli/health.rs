//! `wherein doctor` finds what is wrong, mends it if asked to, and says so in its exit code.

use std::fs::{self, File};
use std::path::Path;

use serde_json::Value;

use crate::project::{Project, files_under, paths};

fn indexed() -> Project {
    let project = Project::sample();
    project.settle();
    project.wherein(["index"]).with_code(0);
    project
}

fn states(report: &Value) -> Vec<(&str, &str)> {
    let findings = report["findings"].as_array().unwrap();
    findings
        .iter()
        .map(|it| (it["check"].as_str().unwrap(), it["state"].as_str().unwrap()))
        .filter(|(_, state)| *state != "healthy")
        .collect()
}

/// Harms an index; what the doctor says before, while and after mending.
#[track_caller]
fn check(harm: impl Fn(&Project), expected: &str) {
    let project = indexed();
    let healthy = project.wherein(["doctor", "--json"]).with_code(0).json();
    assert_eq!((&healthy["healthy"], states(&healthy)), (&true.into(), vec![]));
    harm(&project);
    let ill = project.wherein(["doctor", "--json"]).with_code(1).json();
    assert!(states(&ill).contains(&(expected, "problem")), "{ill}");
    let told = project.wherein(["doctor"]).with_code(1).out;
    assert!(told.contains(&format!("PROBLEM {expected}")), "{told}");
    let mended = project.wherein(["doctor", "--json", "--fix"]).with_code(0).json();
    assert!(states(&mended).contains(&(expected, "mended")), "{mended}");
    project.wherein(["doctor"]).with_code(0);
    assert_eq!(paths(&project.ask(&["evict_oldest", "-k1"])), ["src/cache.rs"]);
}

/// Changes a bit in the middle and puts the time back.
fn flip(path: &Path) {
    let modified = fs::metadata(path).unwrap().modified().unwrap();
    let mut bytes = fs::read(path).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 4;
    fs::write(path, bytes).unwrap();
    File::options().write(true).open(path).unwrap().set_modified(modified).unwrap();
}

fn flip_one(project: &Project, ending: &str) {
    let files = files_under(&project.cache());
    flip(files.iter().find(|path| path.to_string_lossy().ends_with(ending)).unwrap());
}

#[test]
fn a_bit_lost_in_any_part_is_found_and_mended() {
    for ending in
        [".term", ".idx", ".fast", ".pack", ".vec", ".clusters", "manifest", "vectors/list"]
    {
        check(|project| flip_one(project, ending), "index");
    }
}

#[cfg(unix)]
#[test]
fn an_index_open_to_others_is_closed() {
    use std::os::unix::fs::PermissionsExt;
    check(
        |project| {
            let path = files_under(&project.cache()).remove(0);
            fs::set_permissions(path, fs::Permissions::from_mode(0o644)).unwrap();
        },
        "permissions",
    );
}

#[test]
fn a_tree_without_an_index_is_healthy() {
    let project = Project::sample();
    project.wherein(["doctor"]).with_code(0);
    project.wherein(["doctor", "nowhere"]).fails_naming(&["cannot open nowhere"]);
}

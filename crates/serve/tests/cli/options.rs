//! Every option of a search, once, with its effect.

use std::fs;

use serde_json::json;

use crate::project::{Project, paths, run};

/// Compares the paths that answer, best first.
#[track_caller]
fn check(arguments: &[&str], expected: &[&str]) {
    let project = Project::sample();
    let answer = project.ask(&[&["--mode", "lexical"], arguments].concat());
    assert_eq!(paths(&answer), expected, "{arguments:?}");
}

#[test]
fn options_choose_what_may_answer() {
    check(&["retry_upload"], &["src/upload.py", "docs/guide.md"]);
    check(&["retry", "upload", "-k", "1"], &["src/upload.py"]);
    check(&["retry_upload", "--limit", "1"], &["src/upload.py"]);
    check(&["retry_upload", "--scope", "docs"], &["docs/guide.md"]);
    check(&["retry_upload", "--scope", "code"], &["src/upload.py"]);
    check(&["retry_upload", "--lang", "markdown"], &["docs/guide.md"]);
    check(&["page", "upload", "--lang", "rust", "--lang", "markdown", "-k1"], &["src/cache.rs"]);
    check(&["retry_upload", "--path", "docs"], &["docs/guide.md"]);
    check(&["retry_upload", "--path", "!*.md"], &["src/upload.py"]);
    check(&["upload", "page", "--path", "src", "--path", "!*.py"], &["src/cache.rs"]);
    check(&["retry_upload", "--unit", "file"], &["src/upload.py", "docs/guide.md"]);
    check(&["search", "retry_upload", "--scope", "docs"], &["docs/guide.md"]);
}

#[test]
fn max_per_file_keeps_one_file_from_filling_the_page() {
    let project = Project::empty();
    let function =
        |n| format!("def parcel_{n}(weight):\n{}\n\n", "    weight = counted(weight)\n".repeat(30));
    project.write("a.py", (0..5).map(function).collect::<String>());
    let hits = |arguments: &[&str]| paths(&project.ask(&[&["parcel"], arguments].concat())).len();
    assert_eq!(hits(&[]), 3);
    assert_eq!(hits(&["--max-per-file", "2"]), 2);
    assert_eq!(hits(&["--max-per-file", "0"]), 5);
    assert_eq!(hits(&["--unit", "file"]), 1);
}

#[test]
fn explain_says_how_each_field_contributed() {
    let project = Project::sample();
    let answer = project.ask(&["evict_oldest", "--explain"]);
    let channels = answer["hits"][0]["channels"].as_object().unwrap();
    let names: Vec<&str> = channels.keys().map(String::as_str).collect();
    let fields = ["body", "doc", "name", "path", "signature"].map(|name| format!("lexical.{name}"));
    assert_eq!(names[..2], ["dense-code", "lexical"]);
    assert_eq!(names[2..], fields.each_ref().map(String::as_str));
    for format in ["plain", "pretty"] {
        let out = project.wherein(["evict_oldest", "--explain", "--format", format]).out;
        assert!(out.contains("    lexical.body: rank 1, score "), "{format}: {out}");
    }
}

#[test]
fn root_names_the_tree_from_anywhere() {
    let project = Project::sample();
    let mut command = project.command();
    command.current_dir(project.home()).args(["evict_oldest", "--json", "--root"]);
    let answer = run(command.arg(project.root())).with_code(0).json();
    assert_eq!(paths(&answer), ["src/cache.rs"]);
    let narrow = project.ask(&["evict_oldest", "--root", "src"]);
    assert_eq!(paths(&narrow), ["cache.rs"]);
}

#[test]
fn without_root_the_repository_around_is_searched() {
    let project = Project::sample();
    fs::create_dir(project.path(".git")).unwrap();
    let mut command = project.command();
    let command = command.current_dir(project.path("docs")).args(["evict_oldest", "--json"]);
    let answer = run(command).with_code(0).json();
    assert_eq!(paths(&answer), ["src/cache.rs"]);
    assert_eq!(answer["index"]["root"], project.root().to_str().unwrap());
}

#[test]
fn the_index_goes_where_it_is_told() {
    let project = Project::sample();
    let place = project.home().join("here");
    project.wherein(["upload", "--index-dir", place.to_str().unwrap()]).with_code(0);
    assert!(place.join("v2/trees").is_dir() && !project.cache().exists());
    project.wherein(["upload"]).with_code(0);
    assert!(project.cache().join("v2/trees").is_dir());
    run(project.command().env_remove("XDG_CACHE_HOME").arg("upload")).with_code(0);
    assert!(project.home().join(".cache/wherein/v2/trees").is_dir());
    run(project.command().env("XDG_CACHE_HOME", "not/absolute").arg("upload")).with_code(0);
    assert!(!project.path("not").exists(), "a relative cache folder is none, says the standard");
    let mut homeless = project.command();
    run(homeless.env_remove("XDG_CACHE_HOME").env_remove("HOME").arg("upload"))
        .fails_naming(&["no home folder", "--index-dir"]);
}

#[test]
fn a_relative_index_folder_is_relative_to_the_current_folder() {
    let project = Project::sample();
    let mut command = project.command();
    let command = command.current_dir(project.home()).args(["upload", "--index-dir", "near"]);
    run(command.arg("--root").arg(project.root())).with_code(0);
    assert!(project.home().join("near/v2/trees").is_dir());
}

#[test]
fn the_project_decides_by_its_settings() {
    let project = Project::sample();
    project.write("wherein.toml", "max_file_size = 300\n\n[extensions]\nmd = \"text\"\n");
    project.write("big.py", "evict_oldest\n".repeat(100));
    let answer = project.ask(&["evict_oldest"]);
    assert_eq!(paths(&answer), ["src/cache.rs"]);
    assert_eq!(answer["index"]["skipped"], json!(1));
    let answer = project.ask(&["tried", "again", "--lang", "text"]);
    assert_eq!(paths(&answer), ["docs/guide.md"]);
}

#[test]
fn edits_show_in_the_next_answer() {
    let project = Project::sample();
    assert_eq!(paths(&project.ask(&["zebra"])), [""; 0]);
    project.write("src/zebra.py", "def zebra(): pass\n");
    assert_eq!(paths(&project.ask(&["zebra"])), ["src/zebra.py"]);
    fs::remove_file(project.path("src/zebra.py")).unwrap();
    assert_eq!(paths(&project.ask(&["zebra"])), [""; 0]);
}

//! Every command, its options and its exit codes.

use std::fs;

use serde_json::json;

use crate::project::{Project, files_under, keys, paths};

const COMMANDS: [&str; 23] = [
    "search",
    "grep",
    "log",
    "diff",
    "similar",
    "clusters",
    "index",
    "status",
    "show",
    "symbols",
    "def",
    "refs",
    "callers",
    "callees",
    "impact",
    "path",
    "map",
    "outline",
    "graph",
    "clear",
    "eval",
    "completions",
    "man",
];

#[test]
fn index_reports_what_it_did() {
    let project = Project::sample();
    let summary = project.wherein(["index"]).with_code(0).out;
    let root = project.root().display().to_string();
    assert!(summary.starts_with(&format!("{root}: 3 files, ")), "{summary}");
    assert!(summary.contains("(3 read, 3 parsed, 3 indexed, 0 removed)"), "{summary}");
}

#[test]
fn index_in_json_has_every_count() {
    let project = Project::sample();
    project.write("logo.png", "");
    let summary = project.wherein(["index", "--json", "--no-vectors"]).with_code(0).json();
    let expected = [
        "bytes_on_disk",
        "chunks",
        "files",
        "indexed",
        "meaning",
        "parsed",
        "read",
        "rebuilt_because",
        "removed",
        "root",
        "skipped",
        "skipped_by_reason",
        "took_ms",
    ];
    assert_eq!(keys(&summary), expected);
    assert_eq!(summary["root"], project.root().to_str().unwrap());
    assert_eq!((&summary["files"], &summary["skipped"]), (&json!(3), &json!(1)));
    assert_eq!(summary["skipped_by_reason"], json!({"binary": 1}));
    assert_eq!(summary["rebuilt_because"], json!(null));
    assert_eq!(summary["meaning"], json!(null), "it was told to leave it");
}

#[test]
fn index_takes_a_folder_and_a_place() {
    let project = Project::sample();
    let place = project.home().join("elsewhere");
    let arguments = ["index", "src", "--index-dir", place.to_str().unwrap()];
    assert!(project.wherein(arguments).with_code(0).out.contains("/src: 2 files"));
    assert!(!files_under(&place).is_empty());
    assert!(!project.cache().exists());
}

#[test]
fn a_rebuild_is_explained() {
    let project = Project::sample();
    project.wherein(["index"]).with_code(0);
    project.write("wherein.toml", "max_file_size = 200\n");
    let summary = project.wherein(["index"]).with_code(0).out;
    assert!(summary.starts_with("built anew: the settings or the program changed\n"), "{summary}");
    assert!(summary.ends_with("1 skipped: 1 too large\n"), "{summary}");
}

#[test]
fn status_before_and_after_indexing() {
    let project = Project::sample();
    let before = project.wherein(["status"]).with_code(1).out;
    assert!(before.contains("is not indexed yet"), "{before}");
    let root = project.root();
    let before = project.wherein(["status", "--json"]).with_code(1).json();
    assert_eq!(before, json!({"index": null, "root": root}));
    assert!(!project.cache().exists(), "status changes nothing");

    project.write("logo.png", "");
    project.settle();
    project.wherein(["index"]).with_code(0);
    let after = project.wherein(["status"]).with_code(0).out;
    for part in ["3 files", "up to date", "1 markdown, 1 python, 1 rust", "skipped 1: 1 binary"] {
        assert!(after.contains(part), "no '{part}' in {after}");
    }
    assert!(!after.contains("logo.png"), "{after}");
    let listed = project.wherein(["status", "--skipped"]).with_code(0).out;
    assert!(listed.contains("logo.png: binary"), "{listed}");
}

#[test]
fn status_in_json_tells_fresh_from_stale() {
    let project = Project::sample();
    project.write("logo.png", "");
    project.settle();
    project.wherein(["index"]).with_code(0);
    let status = project.wherein(["status", "--json"]).with_code(0).json();
    let expected = [
        "bytes_on_disk",
        "folder",
        "fresh",
        "index",
        "languages",
        "model",
        "model_off_because",
        "skipped_by_reason",
        "skipped_files",
        "with_vectors",
    ];
    assert_eq!(keys(&status), expected);
    assert_eq!(status["fresh"], true);
    assert_eq!(status["languages"], json!({"markdown": 1, "python": 1, "rust": 1}));
    assert_eq!(status["skipped_files"], json!([{"path": "logo.png", "reason": "binary"}]));
    project.write("src/more.py", "def more(): pass\n");
    let status = project.wherein(["status", "--json"]).with_code(0).json();
    assert_eq!((&status["fresh"], &status["index"]["complete"]), (&json!(false), &json!(false)));
    let status = project.wherein(["status"]).with_code(0).out;
    assert!(status.contains("out of date"), "{status}");
}

#[test]
fn show_lists_chunks_and_symbols() {
    let project = Project::sample();
    let expected = "src/upload.py (python)\nchunks:\n  1-9 retry_upload\nsymbols:\n  4-9 function retry_upload\nimports: time\n";
    assert_eq!(project.wherein(["show", "src/upload.py"]).with_code(0).out, expected);
    let absolute = project.path("src/upload.py");
    assert_eq!(project.wherein(["show", absolute.to_str().unwrap()]).out, expected);
    let named = ["show", "upload.py", "--root", "src"];
    assert!(project.wherein(named).with_code(0).out.starts_with("upload.py (python)\n"));
}

#[test]
fn show_narrows_to_a_line() {
    let project = Project::sample();
    let out = project.wherein(["show", "src/upload.py:5"]).with_code(0).out;
    assert!(out.contains("4-9 function retry_upload") && !out.contains("imports"), "{out}");
    let out = project.wherein(["show", "src/upload.py:2"]).with_code(0).out;
    assert!(!out.contains("function"), "{out}");
    let nothing = project.wherein(["show", "src/upload.py:99"]).with_code(1);
    assert!(nothing.err.contains("nothing stands at src/upload.py:99"), "{nothing:?}");
}

#[test]
fn show_in_json_has_everything() {
    let project = Project::sample();
    let shown = project.wherein(["show", "src/upload.py", "--json"]).with_code(0).json();
    assert_eq!(keys(&shown), ["chunks", "imports", "language", "note", "path", "symbols"]);
    assert_eq!(shown["symbols"][0]["signature"], "def retry_upload(name, attempts)");
    assert_eq!(shown["symbols"][0]["doc"], "Tries a failed upload again.");
    assert_eq!(shown["imports"], json!(["time"]));
}

#[test]
fn show_says_why_a_file_is_not_there() {
    let project = Project::sample();
    project.write("logo.png", "");
    project.write(".hidden.py", "");
    fs::write(project.home().join("outside.py"), "").unwrap();
    let show = |target: &str| project.wherein(["show", target]);
    show("missing.py").fails_naming(&["cannot open missing.py"]);
    show("logo.png").fails_naming(&["logo.png is not indexed: binary"]);
    show(".hidden.py").fails_naming(&[".hidden.py is not in the indexed tree"]);
    show("../home/outside.py").fails_naming(&["outside the indexed tree"]);
}

#[test]
fn clear_forgets_the_index_and_nothing_else() {
    let project = Project::sample();
    project.wherein(["index"]).with_code(0);
    let files = files_under(&project.root());
    assert!(project.wherein(["clear"]).with_code(0).out.starts_with("forgot the index of "));
    assert!(project.wherein(["clear"]).with_code(1).out.contains("was not indexed"));
    assert_eq!(files_under(&project.root()), files);
    project.wherein(["status"]).with_code(1);
    project.wherein(["evict_oldest"]).with_code(0);
}

#[test]
fn help_tells_about_commands_examples_and_exit_codes() {
    let project = Project::sample();
    let help = project.wherein(["--help"]).with_code(0).out;
    for command in COMMANDS {
        assert!(help.contains(&format!("\n  {command} ")), "no '{command}' in {help}");
    }
    for part in ["--batch", "Exit codes: 0 found, 1 nothing found, 2 failed.", "'search' first"] {
        assert!(help.contains(part), "no '{part}' in {help}");
    }
    assert_eq!(project.wherein(["-h"]).code, Some(0));
    assert_eq!(project.wherein(["help", "index"]).code, Some(0));
    assert!(project.wherein([""; 0]).with_code(2).err.contains("Usage: wherein"));
}

#[test]
fn version_names_program_and_number() {
    let version = Project::empty().wherein(["--version"]).with_code(0).out;
    assert_eq!(version, format!("wherein {}\n", env!("CARGO_PKG_VERSION")));
}

#[test]
fn completions_know_every_command_and_option() {
    let project = Project::empty();
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let script = project.wherein(["completions", shell]).with_code(0).out;
        for word in COMMANDS.iter().chain(&["max-per-file", "index-dir", "batch", "skipped"]) {
            assert!(script.contains(word), "no '{word}' for {shell}");
        }
    }
    let bash = project.shell("$WHEREIN completions bash > c && bash -n c");
    assert_eq!((bash.code, bash.err.as_str()), (Some(0), ""));
    project.wherein(["completions", "tcsh"]).fails_naming(&["tcsh"]);
}

#[test]
fn the_man_page_has_every_command() {
    let page = Project::empty().wherein(["man"]).with_code(0).out;
    assert!(page.contains(".TH wherein 1"), "{page}");
    for command in COMMANDS {
        let section = format!(".SH \"WHEREIN {}\"", command.to_uppercase());
        assert!(page.contains(&section), "no {section}");
    }
    for option in ["max\\-per\\-file", "index\\-dir", "batch", "no\\-vectors", "skipped"] {
        assert!(page.contains(option), "no {option}");
    }
}

#[test]
fn a_word_that_is_a_command_is_one_only_in_front() {
    let project = Project::sample();
    project.write("src/index.py", "def index_files(): pass\n");
    project.wherein(["index", "files"]).fails_naming(&["cannot open files"]);
    for arguments in [
        &["search", "--json", "index", "files"][..],
        &["files", "index", "--json"],
        &["--json", "-k", "5", "index", "files"],
        &["index files", "--json"],
        &["--json", "--", "index", "files"],
    ] {
        let answer = project.wherein(arguments).with_code(0).json();
        assert_eq!(paths(&answer)[0], "src/index.py", "{arguments:?}");
    }
}

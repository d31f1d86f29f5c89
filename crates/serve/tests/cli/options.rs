//! Every option of a search, once, with its effect.

use std::fs;

use serde_json::json;

use crate::project::{Project, keeps_indexes, paths, run};

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
fn a_full_path_inside_the_tree_is_one_below_its_root() {
    let project = Project::sample();
    let root = project.root();
    let found = |pattern: String| {
        let ask = ["retry_upload", "--mode", "lexical", "--json", "--path", &pattern];
        paths(&project.wherein(ask).json()).join(" ")
    };
    assert_eq!(found(format!("{}/docs", root.display())), "docs/guide.md");
    assert_eq!(found(format!("!{}/docs/*.md", root.display())), "src/upload.py");
    assert_eq!(found(root.display().to_string()), "src/upload.py docs/guide.md");
    assert_eq!(found("/elsewhere/docs".to_owned()), "");
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

/// Two folders with the same function, and one more that is like neither.
fn with_copy() -> Project {
    let project = Project::empty();
    let function = |name: &str, call: &str| {
        let line = |n| format!("    weight += {call}_{n}(parcel)\n");
        format!("def {name}(weight):\n{}    return weight\n", (0..30).map(line).collect::<String>())
    };
    project.write("src/parcel.py", function("pack_parcel", "weigh"));
    project.write("vendor/parcel.py", function("pack_parcel", "weigh"));
    project.write("src/letter.py", function("pack_letter", "stamp"));
    project
}

#[test]
fn a_copy_is_named_beside_the_hit_in_every_format() {
    let project = with_copy();
    // By words alone, since it is not for a model to say which of two copies comes first.
    let answer = project.ask(&["pack_parcel", "--mode", "lexical"]);
    assert_eq!(paths(&answer), ["src/parcel.py", "src/letter.py"]);
    let copy = json!([{"path": "vendor/parcel.py", "start_line": 1, "end_line": 32}]);
    assert_eq!(answer["hits"][0]["also_at"], copy);
    assert_eq!(answer["hits"][1].get("also_at"), None);
    let check = |format: &str, expected: &str| {
        let ask = ["pack_parcel", "--mode", "lexical", "--format", format];
        let out = project.wherein(ask).with_code(0).out;
        assert!(out.contains(expected), "{format}: {out}");
    };
    check("plain", "\tpack_parcel\talso at vendor/parcel.py:1-32\n");
    check("pretty", "\n   also at vendor/parcel.py:1-32\n");
    check("md", "\nalso at vendor/parcel.py:1-32\n");
    check("grep", "\nvendor/parcel.py:1:like src/parcel.py:1\n");
}

#[test]
fn context_shows_the_lines_that_matter_and_marks_the_gaps() {
    let project = with_copy();
    let hit = &project.ask(&["weigh_9", "--context", "0", "-k1"])["hits"][0];
    let line = "    weight += weigh_9(parcel)";
    assert_eq!(hit["snippet"], format!("def pack_parcel(weight):\n…\n{line}"));
    assert_eq!(hit["shown"], json!([[1, 1], [11, 11]]));
    let pretty = ["weigh_9", "--context", "0", "-k1", "--format", "pretty"];
    let out = project.wherein(pretty).with_code(0).out;
    let expected = format!("       1 def pack_parcel(weight):\n         …\n      11 {line}\n");
    assert!(out.contains(&expected), "{out}");
    let out = project.wherein(["weigh_9", "--context", "0", "-k1", "--format", "grep"]).out;
    assert!(out.starts_with(&format!("src/parcel.py:11:{line}\n")), "{out}");
}

#[test]
fn a_budget_is_kept_and_says_what_it_took() {
    let project = with_copy();
    for budget in [40, 120, 300, 5000] {
        let answer = project.ask(&["parcel", "--budget", &budget.to_string()]);
        let used = answer["tokens"]["used"].as_u64().unwrap();
        assert_eq!(answer["tokens"]["budget"], budget);
        assert!(0 < used && used <= budget, "{used} of {budget}");
        let hits = answer["hits"].as_array().unwrap();
        let bytes = hits.iter().map(|hit| hit["snippet"].as_str().unwrap().len() as u64);
        assert!(bytes.sum::<u64>() <= 4 * budget);
    }
    let hit = &project.ask(&["parcel", "--budget", "22"])["hits"][0];
    assert_eq!(
        (&hit["signature_only"], &hit["snippet"]),
        (&json!(true), &json!("def pack_parcel(weight)"))
    );
    let out = project.wherein(["parcel", "--budget", "300", "--format", "pretty"]).with_code(0).out;
    assert!(out.contains(" of 300 tokens, "), "{out}");
    project.wherein(["parcel", "--budget", "1"]).with_code(1);
}

#[test]
fn explain_says_how_each_field_contributed() {
    let project = Project::sample();
    let answer = project.ask(&["evict_oldest", "--explain"]);
    let channels = answer["hits"][0]["channels"].as_object().unwrap();
    let names: Vec<&str> = channels.keys().map(String::as_str).collect();
    let fields = ["body", "doc", "name", "path", "signature"].map(|name| format!("lexical.{name}"));
    let [body, doc, name, path, signature] = fields.each_ref().map(String::as_str);
    assert_eq!(
        names,
        ["definitions", "dense-code", "lexical", body, doc, name, path, signature, "symbols"]
    );
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
    assert!(keeps_indexes(&place) && !project.cache().exists());
    project.wherein(["upload"]).with_code(0);
    assert!(keeps_indexes(&project.cache()));
    run(project.command().env_remove("XDG_CACHE_HOME").arg("upload")).with_code(0);
    assert!(keeps_indexes(&project.home().join(".cache/wherein")));
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
    assert!(keeps_indexes(&project.home().join("near")));
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

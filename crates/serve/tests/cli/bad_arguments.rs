//! The user's mistakes: a message that names the mistake, exit code 2, and never a panic.

use std::fs;
use std::os::unix::fs::symlink;

use crate::project::{Project, paths, run};

#[track_caller]
fn check(arguments: &[&str], words: &[&str]) {
    let project = Project::sample();
    symlink("loop", project.path("loop")).unwrap();
    project.wherein(arguments).fails_naming(words);
}

#[test]
fn the_root_must_be_a_folder() {
    check(&["x", "--root", "missing"], &["cannot open missing", "No such file"]);
    check(&["x", "--root", "src/cache.rs"], &["src/cache.rs is not a folder"]);
    check(&["x", "--root", "loop"], &["cannot open loop"]);
    check(&["x", "--root", ""], &["--root"]);
    check(&["index", "missing"], &["cannot open missing"]);
    check(&["status", "src/cache.rs"], &["not a folder"]);
    check(&["clear", "missing"], &["cannot open missing"]);
    check(&["show", "x", "--root", "missing"], &["cannot open missing"]);
}

#[test]
fn a_query_needs_something_to_look_for() {
    for query in ["", " ", "?!", "🦀"] {
        check(&[query], &["no letters or digits"]);
    }
    check(&["search"], &["QUERY"]);
}

/// A line of a log, or filters written first.
#[test]
fn an_argument_with_a_dash_and_a_blank_is_part_of_the_question() {
    let project = Project::sample();
    for question in ["--- FAIL: evict_oldest (0.50s)", "-path:docs evict_oldest", "-k evict_oldest"]
    {
        for arguments in [&[question, "--json"][..], &["search", "--json", question]] {
            let answer = project.wherein(arguments).with_code(0).json();
            assert_eq!(
                (answer["query"].as_str(), paths(&answer)[0]),
                (Some(question), "src/cache.rs")
            );
        }
    }
    project.wherein(["--path=src dir", "evict_oldest"]).with_code(1);
    project.wherein(["x", "--frobnicate me"]).with_code(1);
    project.wherein(["status", "-x y"]).fails_naming(&["unexpected argument"]);
}

/// Commands are started there by mistake.
#[test]
fn the_home_folder_is_not_indexed_unless_it_is_named() {
    let project = Project::sample();
    let home = project.home();
    fs::write(home.join("notes.md"), "evict_oldest").unwrap();
    let at_home = |arguments: &[&str]| run(project.command().current_dir(&home).args(arguments));
    let refusal = ["is no project but everything you have", "--root DIR"];
    for arguments in [&["evict_oldest"][..], &["index"], &["watch"], &["serve"], &["grep", "x"]] {
        at_home(arguments).fails_naming(&refusal);
    }
    run(project.command().current_dir("/").arg("evict_oldest")).fails_naming(&refusal);
    assert!(!project.cache().exists());
    at_home(&["config"]).with_code(0);
    at_home(&["evict_oldest", "--root", "."]).with_code(0);
    at_home(&["index", "."]).with_code(0);
    fs::write(home.join("wherein.toml"), "").unwrap();
    at_home(&["evict_oldest"]).with_code(0);
}

#[test]
fn options_refuse_what_they_do_not_know() {
    check(&["x", "--lang", "klingon"], &["klingon"]);
    check(&["x", "--path", "a["], &["bad path pattern 'a['"]);
    check(&["x", "--path", "!{a"], &["bad path pattern '{a'"]);
    check(&["x", "--mode", "telepathy"], &["telepathy", "lexical"]);
    check(&["x", "--scope", "galaxy"], &["galaxy"]);
    check(&["x", "--format", "xml"], &["xml"]);
    check(&["x", "-k", "many"], &["many"]);
    check(&["x", "-k", "-1"], &["-1"]);
    for share in ["2", "-0.1", "nan", "inf", "x"] {
        check(&["x", &format!("--min-confidence={share}")], &["between 0 and 1"]);
    }
    check(&["map", "--budget", "0"], &["--budget", "0 is not in 1"]);
    check(&["serve", "--listen", "nowhere"], &["--listen", "localhost:7700"]);
    check(&["serve", "--listen", "localhost:x"], &["--listen", "localhost:7700"]);
    check(&["x", "--json", "--format", "md"], &["cannot be used with"]);
    check(&["x", "--frobnicate"], &["--frobnicate"]);
    check(&["completions"], &["SHELL"]);
    check(&["show"], &["PATH"]);
}

#[test]
fn numbers_may_be_as_large_as_they_fit() {
    let project = Project::sample();
    project.wherein(["index"]).with_code(0);
    let most = usize::MAX.to_string();
    for (mode, hits) in [("lexical", 1), ("hybrid", 3), ("dense", 3)] {
        let most = ["-k", &most, "--max-per-file", &most];
        let answer = project.ask(&[&["evict_oldest", "--mode", mode], &most[..]].concat());
        assert_eq!((paths(&answer)[0], paths(&answer).len()), ("src/cache.rs", hits), "{mode}");
    }
    let none = project.wherein(["upload", "-k", "0"]).with_code(1);
    assert!(none.err.contains("no hits were asked for"), "{none:?}");
}

#[test]
fn a_glob_that_matches_nothing_is_nothing_found() {
    let ran = Project::sample().wherein(["upload", "--path", "nowhere/**"]).with_code(1);
    assert!(ran.err.contains("none of the 3 indexed files is in the given scope"), "{ran:?}");
}

#[track_caller]
fn check_settings(text: &[u8], words: &[&str]) {
    let project = Project::sample();
    project.write("wherein.toml", text);
    for arguments in [&["upload"][..], &["index"], &["status"]] {
        project.wherein(arguments).fails_naming(&[words, &["wherein.toml"]].concat());
    }
}

#[test]
fn mistakes_in_the_settings_are_named() {
    check_settings(b"max_fil_size = 5", &["max_fil_size"]);
    check_settings(b"max_file_size = \"big\"", &["max_file_size"]);
    check_settings(b"max_file_size = -1", &["max_file_size"]);
    check_settings(b"[extensions]\nx = \"klingon\"", &["extensions.x", "klingon"]);
    check_settings(b"[extensions", &[]);
    check_settings(b"\xff\xfe", &[]);
}

#[test]
fn a_folder_for_settings_is_named() {
    let project = Project::sample();
    fs::create_dir(project.path("wherein.toml")).unwrap();
    project.wherein(["upload"]).fails_naming(&["cannot read", "wherein.toml"]);
}

#[test]
fn a_query_of_a_hundred_kilobytes_is_a_query() {
    let project = Project::sample();
    let text = format!("{}evict_oldest", "let filler = another(word, 42);\n".repeat(3130));
    assert!(text.len() > 100_000);
    let answer = project.wherein([&text, "--json"]).with_code(0).json();
    assert_eq!(paths(&answer)[0], "src/cache.rs");
    assert_eq!(answer["query"], text);
}

#[test]
fn a_query_that_is_not_utf_8_is_refused() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;
    let project = Project::sample();
    run(project.command().arg(OsStr::from_bytes(b"caf\xe9"))).fails_naming(&["UTF-8"]);
}

#[test]
fn syntax_of_other_engines_is_only_text() {
    let project = Project::sample();
    for query in ["evict_oldest AND (b", "field:evict_oldest", "\"evict_oldest", "evict_oldest*"] {
        assert_eq!(paths(&project.ask(&[query]))[0], "src/cache.rs", "{query}");
    }
}

#[test]
fn a_current_folder_that_is_gone_is_said_to_be() {
    let project = Project::sample();
    let gone = "mkdir ../gone && cd ../gone && rmdir ../gone && exec $WHEREIN";
    for command in ["upload", "index", "status", "clear", "show x"] {
        let ran = project.shell(&format!("{gone} {command}"));
        ran.fails_naming(&["the current folder is gone"]);
    }
    let root = project.root();
    let ran = project.shell(&format!("{gone} upload --root '{}'", root.display()));
    assert_eq!(ran.code, Some(0), "{ran:?}");
}

#[test]
fn an_index_folder_that_is_a_file_is_named() {
    let project = Project::sample();
    for arguments in [&["upload"][..], &["index"]] {
        let arguments = [arguments, &["--index-dir", "src/cache.rs"]].concat();
        project.wherein(arguments).fails_naming(&["cannot write the index at src/cache.rs"]);
    }
}

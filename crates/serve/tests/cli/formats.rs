//! One answer in every shape it can be printed in.

use std::fs;

use serde_json::json;

use crate::project::{Project, keys, run};

#[test]
fn json_has_exactly_these_keys() {
    let project = Project::sample();
    let answer = project.wherein(["retry_upload", "--json"]).with_code(0).json();
    assert_eq!(keys(&answer), ["confidence", "hits", "index", "query", "took_ms"]);
    assert_eq!(
        keys(&answer["hits"][0]),
        [
            "breadcrumb",
            "channels",
            "confidence",
            "end_line",
            "kind",
            "language",
            "path",
            "score",
            "snippet",
            "start_line",
            "symbol"
        ]
    );
    let channels = &answer["hits"][0]["channels"];
    let names = ["definitions", "dense-code", "lexical", "symbols"];
    assert_eq!(keys(channels), names);
    for channel in names {
        assert_eq!(keys(&channels[channel]), ["contribution", "rank", "score"]);
    }
    assert_eq!(
        keys(&answer["index"]),
        ["chunks", "commit", "complete", "dirty_files", "files", "root", "skipped", "stale_files"]
    );
}

#[test]
fn json_values_are_what_they_say() {
    let project = Project::sample();
    let arguments =
        ["--format", "json", "--mode", "lexical", "throws page out", "--path", "src", "-k1"];
    let answer = project.wherein(arguments).with_code(0).json();
    assert_eq!(answer["query"], "throws page out");
    assert!(answer["took_ms"].as_f64().unwrap() > 0.0);
    let hit = &answer["hits"][0];
    let score = hit["score"].as_f64().unwrap();
    assert!(score > 0.0);
    let expected = json!({
        "path": "src/cache.rs",
        "start_line": 1,
        "end_line": 4,
        "score": hit["score"],
        "language": "rust",
        "kind": "function",
        "symbol": "evict_oldest",
        "breadcrumb": "src/cache.rs > evict_oldest",
        "snippet": crate::project::SAMPLE[1].1.trim_end(),
        "channels": {"lexical": {"rank": 1, "score": hit["score"], "contribution": 1.0}},
    });
    assert_eq!(*hit, expected);
    let root = project.root();
    let index = json!({
        "root": root, "commit": null, "dirty_files": null,
        "files": 3, "chunks": 3, "skipped": 0, "stale_files": 0, "complete": true,
    });
    assert_eq!(answer["index"], index);
}

#[test]
fn an_empty_answer_says_why_in_every_format() {
    let project = Project::sample();
    let reason = "none of the searched files holds any of: zebra";
    let answer = project.wherein(["zebra", "--json"]).with_code(1).json();
    assert_eq!(keys(&answer), ["hits", "index", "nothing_because", "query", "took_ms"]);
    assert_eq!((&answer["hits"], &answer["nothing_because"]), (&json!([]), &json!(reason)));
    for format in ["pretty", "plain", "json", "grep", "md"] {
        let ran = project.wherein(["zebra", "--format", format]).with_code(1);
        assert_eq!(ran.err, format!("wherein: nothing found: {reason}\n"), "{format}");
    }
}

#[test]
fn lines_for_programs_hold_no_hits_that_only_come_nearest() {
    let project = Project::sample();
    for (format, shows) in [("pretty", true), ("md", true), ("plain", false), ("grep", false)] {
        let ask = ["where is the tax worked out", "--min-confidence", "1", "--format", format];
        let ran = project.wherein(ask).with_code(1);
        assert_eq!(ran.out.contains("src/"), shows, "{format}: {ran:?}");
        assert!(ran.err.contains("nothing found: "), "{ran:?}");
    }
}

#[test]
fn plain_is_one_line_a_hit_and_the_choice_in_a_pipe() {
    let project = Project::sample();
    let out = project.wherein(["retry_upload", "--format", "plain"]).with_code(0).out;
    assert_eq!(out, project.wherein(["retry_upload"]).out);
    let lines: Vec<Vec<&str>> = out.lines().map(|line| line.split('\t').collect()).collect();
    assert_eq!(lines.len(), 2);
    assert_eq!(lines[0][0], "src/upload.py:1-9");
    assert_eq!(lines[0][2..], ["function", "retry_upload"]);
    assert!(lines.iter().all(|line| line[1].parse::<f64>().unwrap() > 0.0), "{out}");
}

#[test]
fn grep_gives_the_line_that_matches() {
    let out = Project::sample().wherein(["retry_upload", "--format", "grep"]).with_code(0).out;
    assert_eq!(
        out,
        "src/upload.py:4:def retry_upload(name, attempts):\ndocs/guide.md:8:retry_upload('a', 3)\n"
    );
}

#[test]
fn markdown_has_headings_and_fences_that_hold() {
    let out = Project::sample().wherein(["retry_upload", "--format", "md"]).with_code(0).out;
    assert!(
        out.starts_with("# retry_upload\n\n## `src/upload.py:1-9`\n\nfunction `retry_upload`\n")
    );
    assert!(out.contains("\n```python\nimport time\n"), "{out}");
    assert!(out.contains("\n````markdown\n"), "a fence longer than the one inside: {out}");
}

#[test]
fn pretty_shows_place_name_lines_and_a_summary() {
    let out = Project::sample().wherein(["evict_oldest", "--format", "pretty"]).with_code(0).out;
    assert!(out.starts_with(" 1 src/cache.rs:1-4 ██████████ "), "{out}");
    assert!(out.contains("\n   function evict_oldest\n"), "{out}");
    assert!(out.contains("\n       2 pub fn evict_oldest("), "{out}");
    assert!(out.contains("\n1 hits in 3 files, "), "{out}");
}

#[test]
fn a_pipe_gets_no_colours() {
    let project = Project::sample();
    for format in ["pretty", "plain", "json", "grep", "md"] {
        let ran = project.wherein(["upload", "--format", format]);
        assert!(!ran.out.contains('\x1b') && !ran.err.contains('\x1b'), "{format}: {ran:?}");
    }
}

/// `script` gives the program a terminal of its own.
#[test]
fn a_terminal_gets_colours_unless_it_refuses_them() {
    let project = Project::sample();
    if project.shell("script -qec true /dev/null").code != Some(0) {
        println!("not checked: there is no `script` here to make a terminal with");
        return;
    }
    let on_terminal = |environment: &str| {
        let script = format!("{environment} script -qec '$WHEREIN upload' /dev/null");
        project.shell(&script).with_code(0).out
    };
    assert!(on_terminal("TERM=xterm").contains("\x1b[35msrc/upload.py:1-9"));
    let refused = on_terminal("TERM=xterm NO_COLOR=1");
    assert!(refused.contains("src/upload.py:1-9") && !refused.contains("\x1b["), "{refused:?}");
    assert!(on_terminal("TERM=xterm NO_COLOR=").contains("\x1b[35m"), "empty means not set");
    assert!(!on_terminal("TERM=dumb").contains("\x1b["));
}

#[test]
fn the_commit_and_changed_files_are_certified() {
    let project = Project::sample();
    let git = "git -c user.name=t -c user.email=t@t";
    project.shell(&format!("git init -q && git add . && {git} commit -qm first")).with_code(0);
    project.write("src/new.py", "def fresh_upload(): pass\n");
    let answer = project.ask(&["upload"]);
    assert_eq!(answer["index"]["commit"].as_str().map(str::len), Some(40));
    assert_eq!(answer["index"]["dirty_files"], 1);
    let status = project.wherein(["status"]).with_code(0).out;
    assert!(status.contains("with 1 changed files"), "{status}");
    fs::remove_file(project.path("src/new.py")).unwrap();
    let mut in_a_hook = project.command();
    in_a_hook.env("GIT_DIR", "/elsewhere/.git").env("GIT_INDEX_FILE", "/elsewhere/index");
    let answer = run(in_a_hook.args(["upload", "--json"])).json();
    assert_eq!(answer["index"]["dirty_files"], 0, "git is asked about this tree, not the hook's");
}

#[test]
fn without_git_the_changed_files_are_unknown() {
    let project = Project::sample();
    project.shell("git init -q").with_code(0);
    let answer = run(project.command().env("PATH", "").args(["upload", "--json"])).json();
    assert_eq!(answer["index"]["dirty_files"], json!(null));
}

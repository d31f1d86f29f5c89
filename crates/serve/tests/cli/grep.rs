//! `wherein grep`, through the program: formats, options and exit codes.

use serde_json::Value;

use crate::project::{Project, keys};

fn grep(project: &Project, arguments: &[&str]) -> Value {
    project.wherein([&["grep", "--json"], arguments].concat()).json()
}

#[test]
fn every_format_shows_the_same_matches() {
    let project = Project::sample();
    let ran = |format: &str| {
        let arguments = ["grep", "send($NAME)", "--format", format];
        project.wherein(arguments).with_code(0).out
    };
    assert_eq!(
        ran("plain"),
        "src/upload.py:7-7\tfunction\tretry_upload\tif send(name):\tNAME=name\n"
    );
    assert_eq!(ran("grep"), "src/upload.py:7:        if send(name):\n");
    assert!(ran("pretty").contains("$NAME = name") && ran("pretty").contains("1 of 1 matches"));
    assert!(ran("md").contains("- `$NAME` = `name`") && ran("md").contains("```python"));
    let json: Value = serde_json::from_str(&ran("json")).unwrap();
    assert_eq!(
        keys(&json),
        [
            "files",
            "hits",
            "index",
            "kind",
            "languages",
            "parsed",
            "pattern",
            "read",
            "took_ms",
            "total"
        ]
    );
    assert_eq!(json["hits"][0]["bindings"]["NAME"]["text"], "name");
    assert_eq!(json["hits"][0]["symbol"], "retry_upload");
}

#[test]
fn what_a_pattern_means_is_said_by_an_option() {
    let project = Project::sample();
    assert_eq!(grep(&project, &["retry_upload($$$)"])["total"], 0, "a definition is no call");
    assert_eq!(grep(&project, &["--fixed", "retry_upload("])["total"], 2);
    assert_eq!(grep(&project, &["-E", r"retry_\w+\("])["total"], 2);
    assert_eq!(grep(&project, &["-F", "-i", "RETRY_upload", "--path", "src"])["total"], 1);
    assert_eq!(
        grep(&project, &["-F", "-k", "1", "--", "upload"])["hits"].as_array().unwrap().len(),
        1
    );
}

#[test]
fn exit_codes_and_advice() {
    let project = Project::sample();
    let nothing = project.wherein(["grep", "nobody($X)"]).with_code(1);
    assert!(nothing.err.contains("no code matches"), "{nothing:?}");
    project.wherein(["grep", "foo((", "--lang", "python"]).fails_naming(&["python", "--fixed"]);
    project.wherein(["grep", "--regex", "a("]).fails_naming(&["regular expression", "--fixed"]);
    project.wherein(["grep", "x()", "--lang", "klingon"]).fails_naming(&["klingon"]);
    project.wherein(["grep", "--fixed", "--regex", "x"]).with_code(2);
    project.wherein(["grep", "-i", "foo($X)"]).fails_naming(&["upper and lower case", "--fixed"]);
}

#[test]
fn a_pattern_that_the_tree_cannot_read_says_in_which_languages() {
    let project = Project::sample();
    let nothing = project.wherein(["grep", "go func() { $$$ }()"]).with_code(1);
    assert!(nothing.err.contains("not a piece of code in any language of the tree"), "{nothing:?}");
    assert!(nothing.err.contains("python") && nothing.err.contains("--fixed"), "{nothing:?}");
}

#[test]
fn bodies_are_looked_for_in_whatever_language_the_tree_is_in() {
    let project = Project::sample();
    project.write("A.java", "public class A {\n  @Override void f(int a) { g(a); }\n}\n");
    project.write("b.php", "<?php\nfunction b($a) {\n  if ($a) { g(); }\n}\n");
    project.write("c.rs", "struct C { a: u8 }\nfn c() { tri!(a.b(c)); }\n");
    let places = |pattern: &str| {
        let found = grep(&project, &[pattern]);
        let place =
            |hit: &Value| format!("{}:{}", hit["path"].as_str().unwrap(), hit["start_line"]);
        found["hits"].as_array().unwrap().iter().map(place).collect::<Vec<_>>().join(" ")
    };
    assert_eq!(places("class $X { $$$ }"), "A.java:1");
    assert_eq!(places("void $F($$$) { $$$ }"), "A.java:2");
    assert_eq!(places("@Override"), "A.java:2");
    assert_eq!(places("function $F($$$) { $$$ }"), "b.php:2");
    assert_eq!(places("if ($A) { $$$ }"), "b.php:3");
    assert_eq!(places("struct $X { $$$ }"), "c.rs:1");
    assert_eq!(places("tri!($X)"), "c.rs:2");
}

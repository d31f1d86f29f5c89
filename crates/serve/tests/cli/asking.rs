//! What the words of a question ask for, and how sure the answer is.

use crate::project::{Project, paths};

#[track_caller]
fn check(arguments: &[&str], expected: &[&str]) {
    let answer = Project::sample().ask(&[&["--mode", "lexical"], arguments].concat());
    assert_eq!(paths(&answer), expected, "{arguments:?}");
}

#[test]
fn filters_may_stand_in_the_question() {
    check(&["retry_upload lang:markdown"], &["docs/guide.md"]);
    check(&["retry_upload", "path:docs"], &["docs/guide.md"]);
    check(&["upload -docs"], &["src/upload.py"]);
    check(&["retry_upload kind:function"], &["src/upload.py"]);
}

#[test]
fn nothing_but_filters_fails_and_says_what_to_do() {
    let ran = Project::sample().wherein(["lang:rust"]).with_code(2);
    assert!(ran.err.contains("say what to look for"), "{}", ran.err);
}

#[test]
fn a_silent_channel_is_named() {
    let project = Project::sample();
    let asked = ["--mode", "lexical", "retry_uplo"];
    assert_eq!(paths(&project.ask(&asked))[0], "src/upload.py");
    let ran = project.wherein([&asked[..], &["--without", "symbols"]].concat()).with_code(0);
    assert!(!ran.out.contains("symbols"), "{}", ran.out);
    let ran = project.wherein(["x", "--without", "telepathy"]).with_code(2);
    assert!(ran.err.contains("definitions"), "{}", ran.err);
}

#[test]
fn what_is_not_there_is_not_found_and_what_comes_nearest_is_named() {
    let project = Project::sample();
    project.wherein(["index"]).with_code(0);
    let absent = "how is the orbit of a satellite computed from telescope images";
    let answer = project.wherein([absent, "--json"]).with_code(1).json();
    assert!(answer["nothing_because"].as_str().unwrap().contains("nearest names are"), "{answer}");
    assert!(!answer["hits"].as_array().unwrap().is_empty());
    project.wherein([absent, "--min-confidence", "0"]).with_code(0);
    project.wherein(["retry a failed upload", "--min-confidence", "1"]).with_code(1);
    let there = project.wherein(["where is a failed upload tried again", "--json"]).with_code(0);
    assert!(there.json()["confidence"].as_f64().unwrap() > 0.2);
}

#[test]
fn why_explains_a_hit_and_a_span_that_is_none() {
    let project = Project::sample();
    let question = ["--query", "retry_upload"];
    let ran = project.wherein([&["why", "src/upload.py"], &question[..]].concat()).with_code(0);
    assert!(ran.out.contains("it is the first hit"), "{}", ran.out);
    assert!(ran.out.contains("definitions"), "{}", ran.out);
    let other = [&["why", "src/cache.rs:1", "--json"], &question[..]].concat();
    let told = project.wherein(other).with_code(1).json();
    assert_eq!(told["shape"], "name");
    assert_eq!(told["first"]["path"], "src/upload.py");
    let nowhere = [&["why", "src/nothing.rs"], &question[..]].concat();
    project.wherein(nowhere).with_code(2);
}

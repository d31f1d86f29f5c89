//! Many questions at once: JSON lines in, JSON lines out, in the same order.

use serde_json::{Value, json};

use crate::project::{Project, Ran, keys, paths, run};

fn batch(project: &Project, input: &str, more: &[&str]) -> Ran {
    run(project.command().args(["--batch", "-"]).args(more).write_stdin(input))
}

fn replies(ran: &Ran) -> Vec<Value> {
    ran.out.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[test]
fn replies_come_in_the_order_of_the_questions() {
    let project = Project::sample();
    let questions = ["evict_oldest", "retry_upload", "zebra"];
    let input: String =
        (0..300).map(|n| format!("{}\n", json!({"id": n, "query": questions[n % 3]}))).collect();
    let replies = replies(&batch(&project, &input, &[]).with_code(0));
    assert_eq!(replies.len(), 300);
    for (n, reply) in replies.iter().enumerate() {
        let has_reason = keys(reply).contains(&"nothing_because");
        assert_eq!(has_reason, n % 3 == 2, "{reply}");
        assert_eq!(reply["id"], n);
        let expected = [Some(&"src/cache.rs"), Some(&"src/upload.py"), None][n % 3];
        assert_eq!(paths(reply).first(), expected);
    }
}

#[test]
fn a_reply_holds_what_a_single_answer_holds() {
    let project = Project::sample();
    let single = project.ask(&["upload", "--scope", "docs"]);
    let ran = batch(&project, "{\"id\":\"a\",\"query\":\"upload\"}", &["--scope", "docs"]);
    assert_eq!(replies(&ran.with_code(0)), [json!({"id": "a", "hits": single["hits"]})]);
}

#[test]
fn questions_may_come_from_a_file() {
    let project = Project::sample();
    project.write("questions.jsonl", "\n{\"id\": null, \"query\": \"evict_oldest\"}\n\n");
    let ran = project.wherein(["--batch", "questions.jsonl"]).with_code(0);
    let replies = replies(&ran);
    assert_eq!((replies.len(), &replies[0]["id"]), (1, &json!(null)));
    project.wherein(["--batch", "missing.jsonl"]).fails_naming(&["cannot open missing.jsonl"]);
    project.wherein(["--batch", "src"]).fails_naming(&["src"]);
}

#[test]
fn a_bad_line_is_answered_in_its_place_and_named_by_its_number() {
    let project = Project::sample();
    let good = "{\"id\": 1, \"query\": \"upload\"}\n";
    for (bad, id) in [
        (&b"not json"[..], json!(null)),
        (b"{\"id\": 7}", json!(7)),
        (b"{\"query\": \"x\"}", json!(null)),
        (b"[]", json!(null)),
        (b"{\"id\":\"a\",\"query\":2}", json!("a")),
        (b"\0", json!(null)),
        (b"{\"id\": 1, \"\xff", json!(null)),
    ] {
        let input = [good.as_bytes(), b"\n", bad, b"\n", good.as_bytes()].concat();
        let ran = run(project.command().args(["--batch", "-"]).write_stdin(input));
        assert_eq!(ran.code, Some(2), "{bad:?}: {ran:?}");
        assert!(ran.err.contains("1 lines of - could not be asked"), "{ran:?}");
        let replies = replies(&ran);
        let error = replies[1]["error"].as_str().unwrap();
        assert!(error.starts_with("-:3: expected {\"id\": …, \"query\": \"…\"}"), "{error}");
        assert_eq!((&replies[1]["id"], &replies[1]["hits"]), (&id, &json!([])), "{bad:?}");
        assert_eq!(replies.len(), 3);
        assert_eq!((&replies[0], paths(&replies[0])[0]), (&replies[2], "src/upload.py"));
    }
}

#[test]
fn a_question_with_a_bad_filter_does_not_stop_the_others() {
    let project = Project::sample();
    let input = "{\"id\":1,\"query\":\"upload path:a[\"}\n{\"id\":2,\"query\":\"evict_oldest\"}\n";
    let replies = replies(&batch(&project, input, &[]).with_code(2));
    assert!(replies[0]["error"].as_str().unwrap().contains("bad path pattern"), "{replies:?}");
    assert_eq!(paths(&replies[1]), ["src/cache.rs"]);
    batch(&project, input, &["--lang", "klingon"]).fails_naming(&["klingon"]);
}

#[test]
fn an_empty_question_gets_no_hits_and_does_not_stop_the_others() {
    let project = Project::sample();
    let input = "{\"id\":1,\"query\":\"?!\"}\n{\"id\":2,\"query\":\"evict_oldest\"}\n";
    let replies = replies(&batch(&project, input, &[]).with_code(0));
    let reason = "the query has no letters or digits to look for";
    assert_eq!(replies[0], json!({"id": 1, "hits": [], "nothing_because": reason}));
    assert_eq!(paths(&replies[1]), ["src/cache.rs"]);
}

#[test]
fn a_batch_without_any_hit_or_question_is_nothing_found() {
    let project = Project::sample();
    assert_eq!(batch(&project, "", &[]).with_code(1).out, "");
    let ran = batch(&project, "{\"id\":1,\"query\":\"zebra\"}\n", &[]).with_code(1);
    let reason = "none of the searched files holds any of: zebra";
    assert_eq!(replies(&ran), [json!({"id": 1, "hits": [], "nothing_because": reason})]);
}

#[test]
fn hits_that_only_come_nearest_are_nothing_found() {
    let project = Project::sample();
    let input = "{\"id\":1,\"query\":\"where is the tax on parcels worked out\"}\n";
    let ran = batch(&project, input, &["--min-confidence", "1"]).with_code(1);
    let replies = replies(&ran);
    assert!(!paths(&replies[0]).is_empty() && replies[0]["nothing_because"].is_string(), "{ran:?}");
}

#[test]
fn a_question_may_be_a_whole_file() {
    let project = Project::sample();
    let text = format!("{}\nevict_oldest", "let filler = another(word, 42);\n".repeat(3300));
    assert!(text.len() > 100_000);
    let input = json!({"id": 1, "query": text}).to_string();
    let replies = replies(&batch(&project, &input, &[]).with_code(0));
    assert_eq!(paths(&replies[0])[0], "src/cache.rs");
}

#[test]
fn batch_and_words_exclude_each_other() {
    let project = Project::sample();
    project.wherein(["--batch", "-", "word"]).fails_naming(&["cannot be used with"]);
}

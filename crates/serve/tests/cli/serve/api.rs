//! What the addresses answer.

use serde_json::json;

use super::served::Served;
use crate::project::{Project, keys, paths};

#[test]
fn a_question_by_address_by_body_and_on_the_command_line_is_one() {
    let project = Project::sample();
    project.settle();
    project.wherein(["index"]).with_code(0);
    let served = Served::start(&project);
    let line = project.ask(&["retry a failed upload", "--explain", "-k", "3"]);
    let address = served.get("/api/search?text=retry+a+failed+upload&explain=true&limit=3").well();
    let body = r#"{"text": "retry a failed upload", "explain": true, "limit": 3}"#;
    let body = served.post("/api/search", body).well();
    let version =
        served.get("/api/v1/search?text=retry+a+failed+upload&explain=true&limit=3").well();
    assert_eq!(address["hits"], body["hits"]);
    assert_eq!(address["hits"], version["hits"]);
    assert_eq!(address["index"], line["index"]);
    for (ours, theirs) in
        address["hits"].as_array().unwrap().iter().zip(line["hits"].as_array().unwrap())
    {
        for key in keys(theirs) {
            assert_eq!(ours[key], theirs[key], "{key}");
        }
    }
    assert_eq!(paths(&address).len(), paths(&line).len());
}

#[test]
fn unsaved_text_is_searched_as_if_it_were_saved() {
    let served = Served::sample(&[], &[]);
    let ask = |text: &str, overlay: serde_json::Value| {
        let without = json!(["symbols"]);
        let body = json!({"text": text, "mode": "lexical", "without": without, "overlay": overlay});
        served.post("/api/search", &body.to_string())
    };
    let typed = json!({"src/cache.rs": "pub fn zebra() {}\n", "docs/guide.md": null});
    let zebra = ask("zebra", typed.clone()).well();
    assert_eq!(paths(&zebra), ["src/cache.rs"]);
    assert_eq!(zebra["hits"][0]["snippet"], "pub fn zebra() {}");
    assert_eq!(paths(&ask("guide", typed).well()), [""; 0]);
    assert_eq!(paths(&ask("zebra", json!({})).well()), [""; 0]);
    ask("zebra", json!({"../x": "y"})).refused(404, "file_unknown");
}

#[test]
fn options_reach_the_engine() {
    let served = Served::sample(&[], &[]);
    let ask = |options: &str| served.get(&format!("/api/search?text=upload&{options}")).well();
    assert_eq!(paths(&ask("languages=markdown")), ["docs/guide.md"]);
    assert_eq!(paths(&ask("languages=markdown&languages=python&mode=lexical")).len(), 2);
    assert_eq!(paths(&ask("paths=src&mode=lexical")), ["src/upload.py"]);
    assert_eq!(paths(&ask("paths=!docs&mode=lexical")), ["src/upload.py"]);
    assert_eq!(paths(&ask("scope=docs")), ["docs/guide.md"]);
    assert_eq!(paths(&ask("kinds=heading&mode=lexical")), ["docs/guide.md"]);
    let none = ask("kinds=trait&mode=lexical");
    assert!(none["nothing_because"].as_str().unwrap().contains("is a trait"), "{none}");
    let lexical = ask("mode=lexical&paths=src");
    let channels = keys(&lexical["hits"][0]["channels"]);
    assert!(channels.contains(&"lexical"), "{channels:?}");
    assert!(!channels.iter().any(|name| name.starts_with("dense")), "{channels:?}");
    let ranks = ask("mode=lexical&fusion=ranks&paths=src");
    assert_eq!(ranks["hits"][0]["channels"]["lexical"]["rank"], 1, "{ranks}");
    let silent = ask("mode=lexical&paths=src&without=symbols&without=paths&fusion=ranks");
    assert!((silent["hits"][0]["score"].as_f64().unwrap() - 1.0 / 61.0).abs() < 1e-4, "{silent}");
    let short = ask("paths=src&context=0&mode=lexical");
    assert!(short["hits"][0]["shown"].is_array(), "{short}");
    let packed = ask("budget=60&limit=100");
    assert!(packed["tokens"]["used"].as_u64().unwrap() <= 60, "{packed}");
}

#[test]
fn pages_follow_one_another() {
    let project = Project::empty();
    for n in 0..30 {
        project.write(&format!("f{n:02}.py"), format!("def upload_{n}():\n    pass\n"));
    }
    let served = Served::start(&project);
    let page = |offset: usize| {
        let path = format!("/api/search?text=upload&mode=lexical&limit=12&offset={offset}");
        served.get(&path).well()
    };
    let (first, second, third) = (page(0), page(12), page(24));
    assert_eq!([&first["more"], &second["more"], &third["more"]], [true, true, false]);
    let mut all = [paths(&first), paths(&second), paths(&third)].concat();
    all.sort_unstable();
    all.dedup();
    assert_eq!(all.len(), 30);
}

#[test]
fn hits_come_with_marks_and_tints_if_asked() {
    let served = Served::sample(&[], &[]);
    let page = served.get("/api/search?text=retry_upload&paths=src&highlight=true").well();
    let hit = &page["hits"][0];
    assert_eq!(hit["best_lines"][0], 4);
    let tints = hit["tints"].as_array().unwrap();
    assert!(tints.contains(&json!([4, 0, 3, 4])), "def is a keyword: {tints:?}");
    assert!(tints.contains(&json!([4, 4, 16, 6])), "the name is a function's: {tints:?}");
    let plain = served.get("/api/search?text=retry_upload").well();
    assert!(plain["hits"][0].get("tints").is_none());
}

#[test]
fn mistakes_are_told_from_faults() {
    let served = Served::sample(&[], &[]);
    let check = |path: &str, status, code| served.get(path).refused(status, code);
    check("/api/search", 400, "malformed");
    check("/api/search?text=a&limit=x", 400, "malformed");
    check("/api/search?text=a&nonsense=1", 400, "malformed");
    check("/api/search?text=a&mode=magic", 400, "malformed");
    check("/api/search?text=...", 422, "empty_query");
    check("/api/search?text=a&limit=0", 422, "out_of_bounds");
    check("/api/search?text=a&limit=101", 422, "out_of_bounds");
    check("/api/search?text=a&offset=401", 422, "out_of_bounds");
    check("/api/search?text=a&budget=0", 422, "out_of_bounds");
    check("/api/search?text=a&budget=9&offset=1", 422, "out_of_bounds");
    check("/api/search?text=a&min_confidence=2", 422, "out_of_bounds");
    check("/api/search?text=a&languages=klingon", 422, "unknown_language");
    check("/api/search?text=a&paths=a%5B", 422, "bad_pattern");
    check("/api/similar?path=src/upload.py", 422, "no_target");
    check("/api/similar?text=x&path=src/upload.py&line=1", 422, "no_target");
    check("/api/similar?path=src/upload.py&line=99", 404, "no_text");
    check("/api/similar?path=src/none.py&line=1", 404, "file_unknown");
    check("/api/file?path=none.py", 404, "file_unknown");
    check("/api/eval/runs/none", 404, "run_unknown");
    check("/nowhere", 404, "no_such_page");
    let host = format!("Host: {}", served.address);
    let json = "Content-Type: application/json";
    served.raw("DELETE", "/api/search", &[&host], "").refused(405, "wrong_method");
    served.raw("POST", "/api/search", &[&host], "{}").refused(415, "not_json");
    served.raw("POST", "/api/search", &[&host, json], "{").refused(400, "malformed");
    served.raw("POST", "/api/search", &[&host, json], "{\"text\": 3}").refused(400, "malformed");
    let large = format!("{{\"text\": \"{}\"}}", "x".repeat(2 << 20));
    served.raw("POST", "/api/search", &[&host, json], &large).refused(413, "too_large");
    let long = format!("{{\"text\": \"{}\"}}", "x ".repeat(15_000));
    served.raw("POST", "/api/search", &[&host, json], &long).refused(422, "out_of_bounds");
}

#[test]
fn what_is_wrong_is_named() {
    let served = Served::sample(&[], &[]);
    let host = format!("Host: {}", served.address);
    let post = |body: &str| {
        let json = "Content-Type: application/json";
        served.raw("POST", "/api/search", &[&host, json], body)
    };
    for (reply, words) in [
        (served.get("/api/search?text=a&limit=abc"), "limit: invalid digit"),
        (served.get("/api/search?text=a&mode=magic"), "mode: unknown variant"),
        (served.get("/api/similar?text=x&path=src/upload.py&line=1"), "both a line and a text"),
        (served.get("/api/similar?path=src/upload.py"), "without a line"),
        (post("{\"text\": \"a\", \"limit\": \"b\"}"), "limit: invalid type"),
        (post("{\"text\": \"a\"} x"), "trailing characters"),
    ] {
        assert!(reply.body.contains(words), "{words}: {}", reply.body);
    }
}

#[test]
fn a_file_is_shown_with_its_symbols_and_by_parts() {
    let served = Served::sample(&["--editor", "edit://{path}#{line}"], &[]);
    let file = served.get("/api/file?path=src/upload.py&highlight=true").well();
    assert_eq!((&file["total_lines"], &file["language"]), (&9.into(), &"python".into()));
    let symbol = &file["symbols"][0];
    assert_eq!([&symbol["name"], &symbol["kind"]], ["retry_upload", "function"]);
    assert_eq!((&symbol["name_line"], &symbol["depth"]), (&4.into(), &0.into()));
    assert_eq!(file["imports"], json!(["time"]));
    let editor = file["editor"].as_str().unwrap();
    assert!(editor.starts_with("edit:///") && editor.ends_with("src/upload.py#{line}"), "{editor}");
    let part = served.get("/api/file?path=src/upload.py&start=4&limit=2").well();
    let text = "def retry_upload(name, attempts):\n    \"\"\"Tries a failed upload again.\"\"\"";
    assert_eq!((part["text"].as_str(), &part["start_line"]), (Some(text), &4.into()));
    let beyond = served.get("/api/file?path=src/upload.py&start=400").well();
    assert_eq!(beyond["start_line"], 9);
}

#[test]
fn similar_code_and_clusters_answer_from_vectors() {
    let served = Served::sample(&[], &[]);
    served.encoded();
    let like = served.get("/api/similar?path=src/upload.py&line=4").well();
    assert!(!paths(&like).contains(&"src/upload.py"), "{like}");
    assert!(paths(&like).contains(&"docs/guide.md"));
    let body = r#"{"text": "pages.remove(0)", "limit": 1}"#;
    assert_eq!(paths(&served.post("/api/similar", body).well()), ["src/cache.rs"]);
    let clusters = served.get("/api/clusters").well();
    let chunks = clusters["clusters"].as_array().unwrap().iter();
    assert_eq!(chunks.map(|it| it["chunks"].as_u64().unwrap()).sum::<u64>(), 3);
}

#[test]
fn status_says_what_is_indexed_and_what_was_left_out() {
    let project = Project::sample();
    for n in 0..5 {
        project.write(&format!("img/{n}.png"), "x");
    }
    let served = Served::start(&project);
    let status = served.encoded();
    let indexed = &status["indexed"];
    assert_eq!((&indexed["index"]["files"], &indexed["with_vectors"]), (&3.into(), &3.into()));
    assert_eq!(indexed["skipped_by_reason"], json!({"binary": 5}));
    assert_eq!(status["root"], project.root().to_str().unwrap());
    let some = served.get("/api/status?skipped_limit=2&skipped_offset=4").well();
    let listed = &some["indexed"]["skipped_files"];
    assert_eq!(listed, &json!([{"path": "img/4.png", "reason": "binary"}]));
}

#[test]
fn figures_for_prometheus_count_requests() {
    let served = Served::sample(&[], &[]);
    served.get("/api/search?text=upload").well();
    served.get("/api/search?text=...");
    let reply = served.get("/metrics");
    for line in [
        "wherein_request_seconds_count{route=\"/api/search\",status=\"200\"} 1",
        "wherein_request_seconds_count{route=\"/api/search\",status=\"422\"} 1",
        "wherein_indexed_files 3",
        "# TYPE wherein_request_seconds histogram",
    ] {
        assert!(reply.body.lines().any(|it| it == line), "no {line} in {}", reply.body);
    }
    assert_eq!(served.get("/healthz").body, "ok\n");
}

#[test]
fn the_description_names_every_address_and_no_other() {
    let served = Served::sample(&[], &[]);
    let document = served.get("/api/openapi.json").well();
    let expected = [
        "/api/clusters",
        "/api/eval/compare",
        "/api/eval/runs",
        "/api/eval/runs/{id}",
        "/api/file",
        "/api/graph",
        "/api/impact",
        "/api/index",
        "/api/refs",
        "/api/search",
        "/api/similar",
        "/api/status",
        "/api/symbols",
        "/api/trees",
        "/healthz",
        "/metrics",
        "/v1/embeddings",
        "/v1/models",
    ];
    assert_eq!(keys(&document["paths"]), expected);
    assert!(document["openapi"].as_str().unwrap().starts_with("3."));
    let text = document.to_string();
    for name in text.split("#/components/schemas/").skip(1) {
        let name = &name[..name.find('"').unwrap()];
        assert!(document["components"]["schemas"].get(name).is_some(), "{name} is not described");
    }
}

#[test]
fn the_page_is_carried_by_the_program() {
    let served = Served::sample(&[], &[]);
    for view in ["/", "/search?q=x", "/file?path=a", "/graph", "/eval", "/index", "/reference"] {
        let reply = served.get(view);
        assert!(reply.status == 200 && reply.body.starts_with("<!doctype html>"), "{view}");
    }
    let script = served.get("/assets/main.js");
    assert!(script.head.contains("text/javascript"), "{}", script.head);
    let tag = script.head.lines().find_map(|line| line.strip_prefix("etag: ")).unwrap().to_owned();
    let again = served.ask("/assets/main.js", &[&format!("If-None-Match: {tag}")]);
    assert_eq!((again.status, again.body.as_str()), (304, ""));
    served.get("/assets/none.js").refused(404, "no_such_page");
}

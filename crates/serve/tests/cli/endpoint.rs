//! A model behind an address, over a real socket: one that is well, and every way it can fail.

#[expect(dead_code, reason = "its other user needs more of it")]
#[path = "../../src/models/tests/service.rs"]
mod service;

use serde_json::json;
use service::{Asked, Reply, Service, say, well};

use crate::project::{Project, paths};

fn asking(url: &str) -> Project {
    let project = Project::sample();
    let more = "model = \"small\"\ntimeout_s = 1\n";
    project.configure(&format!("model = \"far\"\n[models.far]\nurl = \"{url}\"\n{more}"));
    project
}

/// The vectors fail, and say so in these words; words answer all the same.
#[track_caller]
fn check(project: &Project, words: &[&str]) {
    let ran = project.wherein(["index"]).with_code(2);
    assert!(ran.out.contains(": 3 files"), "{ran:?}");
    for word in [words, &["the tree can be searched by words only"]].concat() {
        assert!(ran.err.contains(word), "no '{word}' in {ran:?}");
    }
    let ran = project.wherein(["evict_oldest", "--json"]).with_code(0);
    assert_eq!(paths(&ran.json()), ["src/cache.rs"]);
    assert!(ran.err.starts_with("wherein: searched by words only: "), "{ran:?}");
    for word in words {
        assert!(ran.err.contains(word), "no '{word}' in {ran:?}");
    }
    let ran = project.wherein(["evict_oldest", "--mode", "lexical"]).with_code(0);
    assert_eq!(ran.err, "");
}

#[track_caller]
fn check_reply(reply: impl Fn(usize, &Asked) -> Reply + Send + Sync + 'static, words: &[&str]) {
    let service = Service::start(reply);
    let project = asking(&service.url);
    check(&project, &[words, &[&service.url]].concat());
    project.wherein(["evict_oldest", "--mode", "dense"]).fails_naming(words);
}

#[test]
fn a_service_that_is_well_gives_the_vectors() {
    let service = Service::start(|_, asked| well(asked));
    let project = asking(&service.url);
    let meaning = project.wherein(["index", "--json"]).with_code(0).json()["meaning"].clone();
    assert_eq!(meaning["encoded"], 3);
    assert_eq!(meaning["model"], format!("endpoint {} small", service.url));
    let before = service.asked().len();
    let answer = project.ask(&["drop stale entries", "--mode", "dense"]);
    assert_eq!(paths(&answer)[0], "src/cache.rs");
    assert_eq!(service.asked()[before..][0].texts(), ["drop stale entries"]);
    project.wherein(["index"]).with_code(0);
    assert_eq!(service.asked().len(), before + 1, "nothing is sent that need not be");
}

#[test]
fn a_service_that_does_not_run_costs_meaning_only() {
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}/v1", listener.local_addr().unwrap());
    drop(listener);
    check(&asking(&url), &["cannot be reached", "is the service running", &url]);
}

#[test]
fn a_service_that_refuses_costs_meaning_only() {
    let at_once = "Retry-After: 0\r\n";
    check_reply(move |_, _| Reply::Say(500, at_once, "out of memory".into()), &["answered 500"]);
    check_reply(move |_, _| Reply::Say(429, at_once, String::new()), &["answered 429", "wait"]);
    check_reply(|_, _| Reply::Say(401, "", String::new()), &["answered 401", "key_env"]);
}

#[test]
fn a_service_that_talks_nonsense_costs_meaning_only() {
    check_reply(|_, _| Reply::Say(200, "", "<html>".into()), &["gave no JSON", "<html>"]);
    check_reply(|_, _| say(&json!({"data": []})), &["gave 0 vectors for"]);
    let zero = |_, asked: &Asked| {
        let entry = |index| json!({"index": index, "embedding": [0.0, 0.0]});
        say(&json!({"data": (0..asked.texts().len()).map(entry).collect::<Vec<_>>()}))
    };
    check(&asking(&Service::start(zero).url), &["zero or not finite"]);
}

#[test]
fn a_service_that_never_answers_costs_a_while_and_meaning() {
    let service = Service::start(|_, _| Reply::Hang);
    check(&asking(&service.url), &["gave no answer within 1s", "timeout_s"]);
}

/// Another model answers behind the same address and name.
#[test]
fn vectors_of_another_width_than_those_stored_cost_meaning_only() {
    let flat = |_, asked: &Asked| {
        let entry = |index| json!({"index": index, "embedding": [1.0, 2.0]});
        match asked.texts().len() {
            3 => well(asked),
            count => say(&json!({"data": (0..count).map(entry).collect::<Vec<_>>()})),
        }
    };
    let service = Service::start(flat);
    let project = asking(&service.url);
    project.wherein(["index"]).with_code(0);
    std::fs::remove_file(project.path("docs/guide.md")).unwrap();
    project.write("src/more.py", "def more(): pass\n");
    check(&project, &["vectors of 2 numbers where it gave", "name it anew"]);
    project.wherein(["upload", "--mode", "dense"]).fails_naming(&["name it anew"]);
}

/// A question that went through and candidates that did not.
#[test]
fn a_service_that_fails_in_the_middle_of_a_question_costs_meaning_only() {
    let service = Service::start(|number, asked| match number {
        0 => well(asked),
        _ => Reply::Say(403, "", "enough".to_owned()),
    });
    let project = asking(&service.url);
    project.wherein(["index", "--no-vectors"]).with_code(0);
    let ran = project.wherein(["evict_oldest", "--json"]).with_code(0);
    assert_eq!(paths(&ran.json()), ["src/cache.rs"]);
    assert!(ran.err.contains("searched by words only") && ran.err.contains("enough"), "{ran:?}");
    assert_eq!(service.asked().len(), 2);
}

//! Freshness, refreshes and encoding while the server runs.

use std::io::Read;
use std::panic::AssertUnwindSafe;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use super::served::Served;
use crate::project::{Project, paths};

#[test]
fn every_answer_is_as_fresh_as_a_command_s() {
    let project = Project::sample();
    let served = Served::start(&project);
    let ask = |text: &str| served.get(&format!("/api/search?text={text}&mode=lexical")).well();
    assert_eq!(paths(&ask("quokka")).len(), 0);
    project.write("src/quokka.py", "def quokka():\n    pass\n");
    assert_eq!(paths(&ask("quokka")), ["src/quokka.py"]);
    std::fs::remove_file(project.path("src/quokka.py")).unwrap();
    assert_eq!(paths(&ask("quokka")).len(), 0);
    project.write("wherein.toml", "[extensions]\nwombat = \"python\"\n");
    project.write("src/a.wombat", "def wallaby():\n    pass\n");
    let found = ask("wallaby");
    assert_eq!(found["hits"][0]["language"], "python", "settings are read anew: {found}");
    assert_eq!(found["index"]["complete"], true);
    project.write("wherein.toml", "nonsense = 1\n");
    let stale = ask("wallaby");
    assert!(stale["stale_because"].as_str().unwrap().contains("nonsense"), "{stale}");
    assert_eq!(stale["index"]["complete"], false);
}

/// After some questions the server is told of changes and looks no longer; whatever the change, it is told.
#[test]
fn a_change_after_quiet_questions_is_seen() {
    let project = Project::sample();
    let served = Served::start(&project);
    let ask = |text: &str| served.get(&format!("/api/search?text={text}&mode=lexical")).well();
    for (change, text, expected) in [
        (
            "mkdir -p src/a/b && echo 'def quokka(): pass' > src/a/b/new.py",
            "quokka",
            Some("src/a/b/new.py"),
        ),
        ("echo 'def numbat(): pass' > src/a/b/new.py", "numbat", Some("src/a/b/new.py")),
        ("echo 'def bilby(): pass' > x && mv x src/a/b/new.py", "bilby", Some("src/a/b/new.py")),
        ("mv src/a src/c", "bilby", Some("src/c/b/new.py")),
        ("echo b/ > src/c/.gitignore", "bilby", None),
        ("rm src/c/.gitignore", "bilby", Some("src/c/b/new.py")),
        ("printf 'def koala(): pass\\n\\0' > src/c/b/new.py", "koala", None),
        ("echo 'def koala(): pass' > src/c/b/new.py", "koala", Some("src/c/b/new.py")),
        ("rm -r src/c", "koala", None),
    ] {
        project.settle();
        for _ in 0..4 {
            ask("upload");
        }
        project.shell(change).with_code(0);
        let found = ask(text);
        assert_eq!(paths(&found), expected.into_iter().collect::<Vec<_>>(), "{change}: {found}");
    }
}

#[test]
fn what_another_process_publishes_is_seen() {
    let project = Project::sample();
    let served = Served::start(&project);
    served.encoded();
    project.write("src/more.py", "def numbat():\n    pass\n");
    project.wherein(["index"]).with_code(0);
    assert_eq!(paths(&served.get("/api/search?text=numbat&mode=lexical").well()), ["src/more.py"]);
    // The server may be writing just now.
    while project.wherein(["clear"]).code != Some(0) {
        std::thread::sleep(Duration::from_millis(20));
    }
    assert_eq!(paths(&served.get("/api/search?text=numbat&mode=lexical").well()), ["src/more.py"]);
}

#[test]
fn vectors_are_made_in_the_background_and_after_each_refresh() {
    let project = Project::sample();
    let served = Served::start(&project);
    assert_eq!(served.encoded()["indexed"]["with_vectors"], 3);
    project.write("src/more.py", "def numbat():\n    \"\"\"Eats termites.\"\"\"\n");
    let started = served.post("/api/index", "");
    assert_eq!(started.status, 202, "{started:?}");
    let start = Instant::now();
    while served.get("/api/status").json()["indexed"]["with_vectors"] != 4 {
        assert!(start.elapsed() < Duration::from_secs(60), "the new file has no vector");
        std::thread::sleep(Duration::from_millis(50));
    }
    let found = served.get("/api/search?text=insect+food&mode=dense&limit=4").well();
    assert!(paths(&found).contains(&"src/more.py"), "{found}");
}

/// Questions go first: the threads that encode have the lowest priority there is.
#[cfg(target_os = "linux")]
#[test]
fn vectors_are_made_at_low_priority() {
    let served = Served::sample(&[], &[]);
    served.encoded();
    let tasks = std::fs::read_dir(format!("/proc/{}/task", served.id())).unwrap();
    let mut lowered = 0;
    for task in tasks.flatten() {
        let stat = std::fs::read_to_string(task.path().join("stat")).unwrap();
        let (name, rest) = stat.rsplit_once(')').unwrap();
        let niceness = rest.split_whitespace().nth(16).unwrap();
        let is_background = name.ends_with("(background");
        assert_eq!(is_background, niceness == "19", "{stat}");
        lowered += usize::from(is_background);
    }
    assert!(lowered >= 2, "the one that waits, and at least one that encodes");
}

#[test]
fn without_a_model_words_answer_and_the_reason_is_told() {
    let project = Project::sample();
    project.configure("model = \"none\"\n");
    let served = Served::start(&project);
    let found = served.get("/api/search?text=retry_upload").well();
    assert_eq!(paths(&found)[0], "src/upload.py");
    assert!(found["dense_off_because"].as_str().unwrap().contains("none"), "{found}");
    served.get("/api/search?text=retry_upload&mode=dense").refused(409, "meaning_off");
    served.get("/api/similar?path=src/upload.py&line=4").refused(409, "meaning_off");
    served.get("/api/clusters").refused(409, "meaning_off");
    let start = Instant::now();
    while served.get("/api/status").json()["activity"]["encoding"]["state"] != "off" {
        assert!(start.elapsed() < Duration::from_secs(60));
        std::thread::sleep(Duration::from_millis(20));
    }
}

#[test]
fn events_tell_how_far_the_work_is_and_end_with_it() {
    let project = Project::sample();
    let served = Served::start(&project);
    served.encoded();
    project.write("src/more.py", "def numbat():\n    pass\n");
    served.post("/api/index", "");
    let reply = served.get("/api/index");
    assert!(reply.head.contains("text/event-stream"), "{}", reply.head);
    let events: Vec<&str> = reply.body.split("\n\n").filter(|it| !it.trim().is_empty()).collect();
    assert!(events.iter().all(|it| it.starts_with("event: activity\ndata: {")), "{events:?}");
    let last = events.last().unwrap().split("data: ").nth(1).unwrap();
    let last: serde_json::Value = serde_json::from_str(last).unwrap();
    assert_eq!(last["indexing"], serde_json::Value::Null);
    assert!(last["last_refresh"]["number"].as_u64().unwrap() >= 1, "{last}");
}

#[test]
fn a_client_that_goes_away_or_says_nothing_disturbs_nobody() {
    let served = Served::sample(&[], &[]);
    served.encoded();
    for _ in 0..50 {
        drop(served.open("/api/search?text=upload"));
    }
    let silent: Vec<_> =
        (0..50).map(|_| std::net::TcpStream::connect(&served.address).unwrap()).collect();
    let start = Instant::now();
    served.get("/api/search?text=upload").well();
    assert!(start.elapsed() < Duration::from_secs(5));
    drop(silent);
    let mut follows = served.open("/api/index?follow=true");
    follows.read_exact(&mut [0; 100]).unwrap();
    served.get("/api/search?text=upload").well();
}

#[test]
fn an_interrupt_ends_the_server_at_once() {
    let project = Project::sample();
    let served = Served::start(&project);
    let _follows = served.open("/api/index?follow=true");
    served.get("/api/search?text=upload").well();
    let killed = std::process::Command::new("kill").arg(served.id().to_string()).status().unwrap();
    assert!(killed.success());
    let start = Instant::now();
    while std::net::TcpStream::connect(&served.address).is_ok() {
        assert!(start.elapsed() < Duration::from_secs(5), "it still listens");
        std::thread::sleep(Duration::from_millis(20));
    }
}

#[test]
fn many_at_once_get_the_same_answer() {
    let served = Served::sample(&[], &[]);
    served.encoded();
    let expected = served.get("/api/search?text=retry+upload").well()["hits"].clone();
    std::thread::scope(|scope| {
        for _ in 0..16 {
            scope.spawn(|| {
                for _ in 0..5 {
                    let found = served.get("/api/search?text=retry+upload").well();
                    assert_eq!(found["hits"], expected);
                }
            });
        }
    });
}

/// Looks at the tree are shared by those who wait together, but none that began before a question
/// came may answer it: 28 clients keep looks under way while four edit, then ask. So many files make
/// a look long enough to be met with.
#[test]
fn an_edit_before_a_question_is_seen_however_many_ask() {
    let project = Project::sample();
    for n in 0..1500 {
        project.write(&format!("src/f{}/f{n}.txt", n % 40), format!("file {n}\n"));
    }
    let served = Served::start(&project);
    let ask = |text: &str| served.get(&format!("/api/search?text={text}&mode=lexical")).well();
    ask("upload");
    let editing = AtomicUsize::new(4);
    std::thread::scope(|scope| {
        for _ in 0..28 {
            scope.spawn(|| {
                while editing.load(Ordering::Relaxed) > 0 {
                    ask("upload");
                }
            });
        }
        for editor in ["numbat", "quokka", "wallaby", "bilby"] {
            let (project, editing, ask) = (&project, &editing, &ask);
            scope.spawn(move || {
                let seen =
                    std::panic::catch_unwind(AssertUnwindSafe(|| edits(project, editor, ask)));
                editing.fetch_sub(1, Ordering::Relaxed);
                seen.unwrap();
            });
        }
    });
}

/// Writes a name that was never there and asks for it, time after time. An answer may say that it is behind,
/// but not all of them may.
fn edits(project: &Project, editor: &str, ask: impl Fn(&str) -> serde_json::Value) {
    let file = format!("src/{editor}.py");
    let mut seen = 0;
    for letter in 'a'..='j' {
        let name = format!("{editor}{letter}{letter}{letter}");
        project.write(&file, format!("def {name}():\n    pass\n"));
        let found = ask(&name);
        if found["stale_because"].is_null() {
            assert_eq!(paths(&found), [file.as_str()], "{name}: {found}");
            seen += 1;
        }
        // Lets the tree come to rest: while it changes all the time, nobody is answered from a look alone.
        std::thread::sleep(Duration::from_millis(60));
    }
    assert!(seen > 0, "every answer was behind");
}

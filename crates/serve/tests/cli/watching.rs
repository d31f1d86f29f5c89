//! `wherein watch`: changes are indexed as they come, whoever saves them and however.

use std::fs;
use std::io::{BufRead, BufReader};
use std::process::{Child, ChildStdout, Command};
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::Duration;

use serde_json::Value;

use crate::project::{Project, paths};

/// A watcher at work and what it prints.
struct Watcher {
    child: Child,
    lines: Receiver<Value>,
}

impl Watcher {
    fn start(project: &Project, arguments: &[&str]) -> Watcher {
        let mut child = project.spawn(&[&["watch", "--json"], arguments].concat());
        let lines = lines(child.stdout.take().unwrap());
        let watcher = Watcher { child, lines };
        assert_eq!(watcher.next()["files"], 3, "the first line is about the whole tree");
        watcher
    }

    #[track_caller]
    fn next(&self) -> Value {
        self.lines.recv_timeout(Duration::from_secs(40)).expect("nothing was noticed")
    }

    /// Waits until the index finds something, told by line after line.
    #[track_caller]
    fn until(&self, project: &Project, words: &str, expected: &[&str]) {
        for _ in 0..20 {
            self.next();
            // Beside the watcher: what it published is there, whether or not we would look.
            let answer = project.ask(&[words, "--without", "symbols", "--mode", "lexical"]);
            if paths(&answer) == expected {
                return;
            }
        }
        panic!("{words} never led to {expected:?}");
    }

    fn end(mut self, signal: &str) {
        let id = self.child.id().to_string();
        assert!(Command::new("kill").args([signal, &id]).status().unwrap().success());
        assert_eq!(self.child.wait().unwrap().code(), Some(0), "{signal}");
    }
}

fn lines(out: ChildStdout) -> Receiver<Value> {
    let (tell, lines) = channel();
    thread::spawn(move || {
        for line in BufReader::new(out).lines().map_while(Result::ok) {
            let _ = tell.send(serde_json::from_str(&line).unwrap());
        }
    });
    lines
}

type Save = (&'static str, fn(&Project));

/// How programs save a file that is there.
const SAVES: &[Save] = &[
    ("in place", |project| project.write("src/cache.rs", "pub fn zebra() {}\n")),
    ("renamed over", |project| {
        project.write("src/.cache.rs.swp", "pub fn zebra() {}\n");
        fs::rename(project.path("src/.cache.rs.swp"), project.path("src/cache.rs")).unwrap();
    }),
    ("deleted and made again", |project| {
        fs::remove_file(project.path("src/cache.rs")).unwrap();
        project.write("src/cache.rs", "pub fn zebra() {}\n");
    }),
    ("moved away and made again", |project| {
        fs::rename(project.path("src/cache.rs"), project.path("src/cache.rs~")).unwrap();
        project.write("src/cache.rs", "pub fn zebra() {}\n");
        fs::remove_file(project.path("src/cache.rs~")).unwrap();
    }),
];

#[test]
fn every_way_to_save_is_noticed() {
    let project = Project::sample();
    project.settle();
    let watcher = Watcher::start(&project, &[]);
    for (how, save) in SAVES {
        project.write("src/cache.rs", "pub fn evict_oldest() {}\n");
        watcher.until(&project, "evict_oldest", &["src/cache.rs"]);
        project.settle();
        save(&project);
        watcher.until(&project, "zebra", &["src/cache.rs"]);
        assert_eq!(project.wherein(["status", "--json"]).json()["index"]["files"], 3, "{how}");
    }
    watcher.end("-TERM");
}

#[test]
fn folders_that_come_and_go_are_followed() {
    let project = Project::sample();
    project.settle();
    let watcher = Watcher::start(&project, &[]);
    project.write("new/deep/zebra.py", "def zebra(): pass\n");
    watcher.until(&project, "zebra", &["new/deep/zebra.py"]);
    project.write("new/deep/quagga.py", "def quagga(): pass\n");
    watcher.until(&project, "quagga", &["new/deep/quagga.py"]);
    fs::remove_dir_all(project.path("new")).unwrap();
    watcher.until(&project, "zebra", &[]);
    watcher.end("-INT");
}

#[test]
fn where_nobody_tells_the_tree_is_looked_at() {
    let project = Project::sample();
    project.settle();
    let watcher = Watcher::start(&project, &["--poll", "50"]);
    project.write("src/zebra.py", "def zebra(): pass\n");
    watcher.until(&project, "zebra", &["src/zebra.py"]);
    watcher.end("-TERM");
}

#[test]
fn in_a_pipe_it_is_quiet() {
    let project = Project::sample();
    let child = project.spawn(&["watch"]);
    while project.ask(&["evict_oldest"])["index"]["files"] != 3 {}
    thread::sleep(Duration::from_millis(300));
    let id = child.id().to_string();
    Command::new("kill").args(["-TERM", &id]).status().unwrap();
    let output = child.wait_with_output().unwrap();
    assert_eq!((output.status.code(), output.stdout, output.stderr), (Some(0), vec![], vec![]));
}

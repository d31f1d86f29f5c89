//! The server ends when its client does, whatever it is doing, and leaves nothing behind.

use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::json;

use super::talk::Agent;
use crate::project::{Project, WHEREIN};

/// Half of it is for a machine that is busy with other tests.
const LIMIT: Duration = Duration::from_secs(4);

/// Enough files to be indexed for some seconds.
fn large() -> Project {
    let project = Project::empty();
    for n in 0..1500 {
        let text = format!("def function_{n}(first, second):\n    return first + second * {n}\n");
        project.write(&format!("src/f{n}.py"), text.repeat(30));
    }
    project
}

#[test]
fn it_ends_when_its_input_does() {
    let project = Project::sample();
    let mut silent = Agent::unspoken(&project, &[]);
    silent.hang_up();
    silent.ends_within(LIMIT);
    let mut agent = Agent::start(&project, &[]);
    agent.text("search", json!({"query": "upload"}));
    agent.hang_up();
    agent.ends_within(LIMIT);
}

#[test]
fn it_ends_while_it_indexes_and_the_next_goes_on() {
    let project = large();
    let mut agent = Agent::start(&project, &[]);
    agent.ask("tools/call", json!({"name": "search", "arguments": {"query": "function_7"}}));
    let asked = Instant::now();
    let status = agent.call("status", json!({}))["content"][0]["text"].to_string();
    assert!(asked.elapsed() < LIMIT, "how far it is is told at once");
    assert!(status.contains("first time") || status.contains("1500 files"), "{status}");
    agent.hang_up();
    agent.ends_within(LIMIT);
    let mut next = Agent::start(&project, &[]);
    let text = next.text("search", json!({"query": "function_1499", "budget": 300}));
    assert!(text.contains("src/f1499.py") && text.ends_with("complete"), "{text}");
    // Encoding has begun in the background.
    next.hang_up();
    next.ends_within(LIMIT);
}

#[test]
fn what_was_asked_before_the_end_of_the_input_is_answered() {
    let project = Project::sample();
    project.configure("model = \"none\"\n");
    let mut agent = Agent::start(&project, &[]);
    agent.text("status", json!({}));
    let id = agent.ask("tools/call", json!({"name": "search", "arguments": {"query": "upload"}}));
    agent.hang_up();
    assert!(agent.answer(id)["content"][0]["text"].as_str().unwrap().contains("src/upload.py"));
    agent.ends_within(LIMIT);
}

#[test]
fn a_last_line_that_nothing_ends_is_answered() {
    let project = Project::sample();
    let mut agent = Agent::start(&project, &[]);
    agent.write("{\"jsonrpc\":\"2.0\",\"id\":5,\"method\":\"ping\"}");
    agent.hang_up();
    assert_eq!(agent.hear()["id"], 5);
    agent.ends_within(LIMIT);
    let mut agent = Agent::unspoken(&project, &[]);
    agent.write("garbage");
    agent.hang_up();
    assert_eq!(agent.hear()["error"]["code"], -32700);
    agent.ends_within(LIMIT);
}

/// Somebody else holds our input open, as a process that the client left behind would.
#[test]
fn it_ends_when_its_client_is_killed_though_its_input_stays_open() {
    let project = Project::sample();
    let script = "mkfifo \"$1\" && exec 3<>\"$1\"\n\
        \"$2\" mcp <&3 >/dev/null & echo $!\nsleep 60";
    let mut client = Command::new("sh")
        .args(["-c", script, "client"])
        .arg(project.home().join("input"))
        .arg(WHEREIN)
        .current_dir(project.root())
        .env("XDG_CACHE_HOME", project.home().join("cache"))
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut line = String::new();
    let mut output = std::io::BufReader::new(client.stdout.take().unwrap());
    std::io::BufRead::read_line(&mut output, &mut line).unwrap();
    let server = line.trim().to_owned();
    // Held open by us for as long as the test runs.
    let held = std::fs::OpenOptions::new()
        .read(true)
        .write(true)
        .open(project.home().join("input"))
        .unwrap();
    std::thread::sleep(Duration::from_millis(800));
    assert!(runs(&server), "it waits for its client");
    client.kill().unwrap();
    client.wait().unwrap();
    let start = Instant::now();
    while runs(&server) {
        assert!(start.elapsed() < LIMIT, "process {server} is left behind");
        std::thread::sleep(Duration::from_millis(20));
    }
    drop(held);
}

/// Whether a process is there and not merely waiting for its end to be noticed.
fn runs(process: &str) -> bool {
    let asked = Command::new("ps").args(["-o", "stat=", "-p", process]).output().unwrap();
    let state = String::from_utf8_lossy(&asked.stdout).trim().to_owned();
    !state.is_empty() && !state.starts_with('Z')
}

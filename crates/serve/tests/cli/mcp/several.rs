//! Several folders in one server, and several servers over one folder.

use std::time::{Duration, Instant};

use serde_json::json;

use super::talk::{Agent, copy};
use crate::project::Project;

/// Two repositories and a folder that is none.
fn two() -> Project {
    let project = Project::empty();
    project.configure("model = \"none\"\n");
    for (path, text) in [
        ("api/.git/HEAD", "ref: refs/heads/main\n"),
        ("api/src/pay.py", "def charge_card(amount):\n    return amount\n"),
        ("web/.git/HEAD", "ref: refs/heads/main\n"),
        ("web/src/pay.js", "function chargeCard(amount) {\n  return amount;\n}\n"),
        ("web/src/other.js", "function other() {}\n"),
        ("notes/charge_card.py", "def charge_card():\n    pass\n"),
    ] {
        project.write(path, text);
    }
    project
}

#[test]
fn one_question_is_asked_of_every_repository_under_a_folder() {
    let project = two();
    let mut agent = Agent::start(&project, &["--multi", "."]);
    let text = agent.text("search", json!({"query": "charge card"}));
    let heads: Vec<&str> = text.lines().filter(|line| line.contains("/src/pay")).collect();
    assert_eq!(heads.len(), 2, "{text}");
    assert!(
        heads[0].starts_with("api/src/pay.py:1-2 ") && heads[1].starts_with("web/src/pay.js:1-3 ")
    );
    assert!(!text.contains("notes/"), "{text}");
    assert!(
        text.ends_with("# searched api no commit | web no commit, 3 files, complete"),
        "{text}"
    );
    let text = agent.text("search", json!({"query": "charge card", "paths": ["web"]}));
    assert!(text.contains("web/src/pay.js") && !text.contains("api/"), "{text}");
    let text = agent.text("read", json!({"spans": ["api/src/pay.py:1-1", "web/src/other.js"]}));
    assert!(
        text.starts_with("api/src/pay.py:1-1\ndef charge_card(amount):\nweb/src/other.js:1-1\n")
    );
    let told = agent.refused("read", json!({"spans": ["api/../notes/charge_card.py"]}));
    assert!(told.contains("no file"), "{told}");
    let text = agent.text("symbols", json!({"name": "charge"}));
    assert!(text.contains("api/src/pay.py:1-2") && text.contains("web/src/pay.js:1-3"), "{text}");
    let text = agent.text("refs", json!({"target": "charge_card"}));
    assert!(text.starts_with("api/src/pay.py:1-2 function charge_card"), "{text}");
    let text = agent.text("map", json!({}));
    assert!(text.contains("api/src/pay.py") && text.contains("web/src/pay.js"), "{text}");
    let text = agent.text("status", json!({}));
    assert!(text.contains("api = ") && text.contains("web = "), "{text}");
}

#[test]
fn a_repository_that_cannot_be_served_is_told_and_the_others_answer() {
    let project = two();
    project.write("web/wherein.toml", "nonsense = 1\n");
    let mut agent = Agent::start(&project, &["--multi", "."]);
    let text = agent.text("search", json!({"query": "charge card"}));
    assert!(text.contains("pay.py") && !text.contains("pay.js"), "{text}");
    let last = text.lines().last().unwrap();
    assert!(last.contains("INCOMPLETE: ") && last.contains("nonsense"), "{last}");
}

#[test]
fn folders_are_named_one_by_one_too_and_one_alone_has_no_label() {
    let project = two();
    let mut both = Agent::start(&project, &["--root", "api", "--root", "notes"]);
    let text = both.text("search", json!({"query": "charge_card"}));
    assert!(text.contains("api/src/pay.py") && text.contains("notes/charge_card.py"), "{text}");
    let mut one = Agent::start(&project, &["--root", "api"]);
    assert!(one.text("search", json!({"query": "charge_card"})).starts_with("src/pay.py:1-2 "));
}

#[test]
fn a_folder_that_is_everything_is_not_served_and_the_agent_is_told() {
    let project = Project::empty();
    let home = project.home().canonicalize().unwrap();
    let mut command = std::process::Command::new(crate::project::WHEREIN);
    let hello = json!({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {
        "protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}}});
    let ready = json!({"jsonrpc": "2.0", "method": "notifications/initialized"});
    let call = json!({"jsonrpc": "2.0", "id": 2, "method": "tools/call",
        "params": {"name": "search", "arguments": {"query": "x"}}});
    let input = project.home().join("messages");
    std::fs::write(&input, format!("{hello}\n{ready}\n{call}\n")).unwrap();
    command.arg("mcp").current_dir(&home).env("HOME", &home);
    command.stdin(std::fs::File::open(input).unwrap());
    let output = String::from_utf8(command.output().unwrap().stdout).unwrap();
    assert!(
        output.contains("wherein mcp --root DIR") && output.contains("\"isError\":true"),
        "{output}"
    );
    let mut agent = Agent::start(&project, &["--multi", "."]);
    let told = agent.refused("status", json!({}));
    assert!(told.contains("holds a repository"), "{told}");
}

/// Whoever encodes a tree does it for all; nobody waits for an answer meanwhile.
#[test]
fn several_servers_encode_a_tree_once() {
    let project = copy("../../eval/golden/trees/larder");
    project.configure("");
    let mut agents: Vec<Agent> = (0..3).map(|_| Agent::start(&project, &[])).collect();
    let start = Instant::now();
    let (mut most_at_once, mut slowest) = (0, Duration::ZERO);
    loop {
        let mut states = Vec::new();
        for agent in &mut agents {
            let asked = Instant::now();
            let found = agent.text("search", json!({"query": "lookup", "budget": 200}));
            assert!(found.contains("lookup"), "{found}");
            slowest = slowest.max(asked.elapsed());
            let text = agent.text("status", json!({}));
            states.push(
                text.lines().find(|line| line.contains("chunks can be found")).unwrap().to_owned(),
            );
        }
        let at_work = states.iter().filter(|it| it.contains("encoding goes on here")).count();
        most_at_once = most_at_once.max(at_work);
        let is_done = |state: &String| {
            let mut numbers = state.split(' ').filter_map(|word| word.parse::<u32>().ok());
            numbers.next() == numbers.next()
        };
        if states.iter().all(is_done) {
            break;
        }
        assert!(start.elapsed() < Duration::from_secs(60), "{states:?}");
        std::thread::sleep(Duration::from_millis(20));
    }
    println!("{most_at_once} encoded at once; the slowest answer took {slowest:?}");
    assert!(most_at_once <= 1, "{most_at_once} at once");
    assert!(slowest < Duration::from_secs(10), "{slowest:?}");
}

//! One server over several folders: each asked under its own address, all listed.

use serde_json::Value;

use super::served::Served;
use crate::project::Project;

/// Two repositories and a folder that is none, one of them with a file that is left out.
pub fn two() -> Project {
    let project = Project::empty();
    project.configure("model = \"none\"\n");
    for (path, text) in [
        ("api/.git/HEAD", "ref: refs/heads/main\n"),
        ("api/src/pay.py", "def charge_card(amount):\n    return amount\n"),
        ("my web/.git/HEAD", "ref: refs/heads/main\n"),
        ("my web/src/pay.js", "function chargeCard(amount) {\n  return amount;\n}\n"),
        ("my web/src/picture.png", "\u{0}"),
        ("notes/charge_card.py", "def charge_card():\n    pass\n"),
    ] {
        project.write(path, text);
    }
    project
}

fn paths(answer: &Value) -> Vec<&str> {
    let hits = answer["hits"].as_array().unwrap().iter();
    hits.map(|hit| hit["path"].as_str().unwrap()).collect()
}

#[test]
fn every_tree_has_an_address_and_a_row() {
    let project = two();
    let served = Served::with(&project, &["--multi", "."], &[]);
    for address in ["/api", "/api/trees/api", "/api/trees/my%20web"] {
        served.get(&format!("{address}/search?text=charge+card")).well();
    }
    let trees = served.get("/api/trees").well();
    let rows: Vec<String> = trees["trees"].as_array().unwrap().iter().map(row).collect();
    assert_eq!(rows, ["api true 1 0 /api/trees/api", "my web true 1 1 /api/trees/my%20web"]);
    let status = served.get("/api/status").well();
    let labels: Vec<&str> = status["served"].as_array().unwrap().iter().map(label).collect();
    assert_eq!(labels, ["api", "my web"]);
    assert!(
        served.get("/api/trees/my%20web/status").well()["root"]
            .as_str()
            .is_some_and(|root| root.ends_with("my web"))
    );
}

fn label(tree: &Value) -> &str {
    tree["label"].as_str().unwrap()
}

fn row(tree: &Value) -> String {
    let (label, address) = (label(tree), tree["address"].as_str().unwrap());
    format!("{label} {} {} {} {address}", tree["fresh"], tree["files"], tree["skipped"])
}

#[test]
fn what_names_a_tree_is_asked_of_that_tree_alone() {
    let project = two();
    let served = Served::with(&project, &["--root", "api", "--root", "my web"], &[]);
    for (address, expected) in [
        ("/api", "src/pay.py"),
        ("/api/trees/api", "src/pay.py"),
        ("/api/trees/my%20web", "src/pay.js"),
    ] {
        let answer = served.get(&format!("{address}/search?text=charge+card")).well();
        assert_eq!(paths(&answer), [expected], "{address}");
    }
    assert_eq!(served.get("/api/trees/notes/search?text=charge").status, 404);
    assert_eq!(served.get("/api/trees/api/file?path=../my+web/src/pay.js").status, 404);
}

#[test]
fn one_tree_needs_no_name() {
    let served = Served::sample(&[], &[]);
    let trees = served.get("/api/trees").well();
    assert_eq!(trees["trees"].as_array().unwrap().len(), 1);
    assert_eq!(trees["trees"][0]["address"], "/api");
    assert_eq!(served.get("/api/status").well()["served"][0]["label"], "");
}

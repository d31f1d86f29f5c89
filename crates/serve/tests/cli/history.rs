//! The commands that read git's history, through the program.

use std::process::Command;

use serde_json::Value;

use crate::project::Project;

/// Runs git in the tree at a time of our own.
#[track_caller]
fn git(project: &Project, day: u32, arguments: &[&str]) {
    let date = format!("{} +0000", 1_700_000_000 + day * 86_400);
    let done = Command::new("git")
        .args(["-c", "user.name=Ada", "-c", "user.email=ada@example.org"])
        .args(["-c", "init.defaultBranch=main"])
        .args(arguments)
        .current_dir(project.root())
        .env("HOME", project.home())
        .env("GIT_CONFIG_NOSYSTEM", "1")
        .env("GIT_AUTHOR_DATE", &date)
        .env("GIT_COMMITTER_DATE", &date)
        .output()
        .unwrap();
    assert!(done.status.success(), "{arguments:?} {done:?}");
}

fn project() -> Project {
    let project = Project::sample();
    git(&project, 0, &["init", "-q"]);
    git(&project, 0, &["add", "-A"]);
    git(&project, 0, &["commit", "-q", "-m", "Begin"]);
    project.write(
        "src/upload.py",
        "import time\n\n\ndef retry_upload(name, attempts, pause):\n    time.sleep(pause)\n",
    );
    git(&project, 1, &["commit", "-qam", "Wait between attempts\n\nServers were flooded."]);
    project
}

#[track_caller]
fn json(project: &Project, arguments: &[&str]) -> Value {
    project.wherein([arguments, &["--json"]].concat()).with_code(0).json()
}

#[test]
fn commits_are_found_and_filtered() {
    let project = project();
    let found = json(&project, &["log", "servers", "flooded", "--mode", "lexical"]);
    assert_eq!(found["hits"][0]["subject"], "Wait between attempts");
    assert_eq!(found["hits"][0]["paths"], serde_json::json!(["src/upload.py"]));
    assert_eq!(found["history"]["commits"], 2);
    let out = project.wherein(["log", "--until", "2023-11-15 00:00:00 +0000"]).with_code(0).out;
    assert!(out.contains("Begin") && !out.contains("Wait"), "{out}");
    assert_eq!(out.split('\t').nth(1), Some("2023-11-14"));
    project.wherein(["log", "flooded", "--author", "nobody"]).with_code(1);
    project.wherein(["log", "--since", "2 weeks ago"]).with_code(1);
    project.wherein(["log", "x", "--since", "soonish"]).fails_naming(&["soonish", "is no date"]);
}

#[test]
fn secrets_in_messages_are_shown_only_on_demand() {
    let project = project();
    let token = ["ghp_", "aB3dE5gH7jK9mN1pQ3sT5vW7yZ9bC1dE3fG5"].concat();
    let message = format!("Revoke {token} now\n\nIt was {token} all along.");
    git(&project, 2, &["commit", "-q", "--allow-empty", "-m", &message]);
    for more in [&[][..], &["--json"]] {
        let arguments = [&["log", "revoke", "--mode", "lexical"], more].concat();
        let out = project.wherein(&arguments).with_code(0).out;
        assert!(out.contains("Revoke [redacted] now") && !out.contains(&token), "{out}");
        let shown = project.wherein(arguments.iter().chain(&["--show-secrets"])).with_code(0).out;
        assert!(shown.contains(&format!("Revoke {token} now")), "{shown}");
    }
}

#[test]
fn messages_are_compared_by_meaning_once_encoded() {
    let project = project();
    let found = json(&project, &["log", "wait a while before trying the servers again"]);
    assert!(found["history"]["with_vectors"].is_number(), "{found}");
    let done = json(&project, &["index", "--history"]);
    assert_eq!(done["history"]["with_vectors"], 2);
    let found =
        json(&project, &["log", "wait a while before trying the servers again", "--mode", "dense"]);
    assert_eq!(found["history"]["with_vectors"], 2);
    assert_eq!(found["hits"][0]["subject"], "Wait between attempts");
}

#[test]
fn hits_say_where_they_come_from() {
    let project = project();
    let found = json(&project, &["search", "retry_upload", "--blame", "--path", "src"]);
    let blame = &found["hits"][0]["blame"];
    assert_eq!(blame["last"]["subject"], "Wait between attempts");
    assert_eq!(blame["introduced"]["subject"], "Begin");
    assert_eq!(blame["complete"], true);
    let out = project.wherein(["search", "retry_upload", "--blame", "--path", "src"]).out;
    assert!(out.contains("last changed 2023-11-15 by Ada: Wait between attempts"), "{out}");
    project.write("src/upload.py", "def retry_upload():\n    pass\n");
    let found = json(&project, &["search", "retry_upload", "--blame", "--path", "src"]);
    assert_eq!(found["hits"][0]["blame"]["uncommitted_lines"], 2);
    let folder = Project::sample();
    folder.wherein(["search", "upload", "--blame"]).fails_naming(&["git repository"]);
}

#[test]
fn a_tree_is_searched_as_it_was() {
    let project = project();
    let found = json(&project, &["search", "UploadError", "--rev", "HEAD~1"]);
    assert_eq!(found["hits"][0]["path"], "src/upload.py");
    assert_eq!(found["index"]["dirty_files"], 0);
    assert!(found["hits"][0]["snippet"].as_str().unwrap().contains("raise UploadError"));
    let found = json(&project, &["grep", "send($X)", "--rev", "HEAD~1"]);
    assert_eq!(found["total"], 1);
    project
        .wherein(["search", "x", "--rev", "nothing"])
        .fails_naming(&["nothing", "names no commit"]);
}

#[test]
fn what_changed_is_found() {
    let project = project();
    let found = json(&project, &["diff", "pause", "HEAD~1..HEAD"]);
    assert_eq!(found["hits"][0]["path"], "src/upload.py");
    assert_eq!(found["hits"][0]["change"], "changed");
    assert_eq!(found["files_changed"], 1);
    let out = project.wherein(["diff", "pause", "HEAD~1"]).with_code(0).out;
    assert!(out.starts_with("src/upload.py:"), "{out}");
    project.wherein(["diff", "evict_oldest", "HEAD~1..HEAD", "--mode", "lexical"]).with_code(1);
    project.wherein(["diff", "x", "nothing..HEAD"]).fails_naming(&["nothing"]);
}

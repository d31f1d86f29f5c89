//! A reader that has seen enough is no failure; a full device is one, without a panic.

use std::fs::File;
use std::process::{Command, Stdio};

use crate::project::{Project, WHEREIN};

const ARGUMENTS: &[&[&str]] = &[
    &["upload"],
    &["upload", "--json"],
    &["upload", "--format", "pretty"],
    &["upload", "--format", "grep"],
    &["upload", "--format", "md"],
    &["upload", "--explain"],
    &["--batch", "questions.jsonl"],
    &["index"],
    &["index", "--json"],
    &["status"],
    &["status", "--json"],
    &["status", "--skipped"],
    &["show", "src/upload.py"],
    &["show", "src/upload.py", "--json"],
    &["completions", "bash"],
    &["completions", "zsh"],
    &["man"],
    &["clear"],
];

fn project() -> Project {
    let project = Project::sample();
    project.write("questions.jsonl", "{\"id\":1,\"query\":\"upload\"}\n".repeat(200));
    project.wherein(["index"]).with_code(0);
    project
}

fn command(project: &Project, arguments: &[&str]) -> Command {
    let mut command = Command::new(WHEREIN);
    command
        .args(arguments)
        .current_dir(project.root())
        .env("XDG_CACHE_HOME", project.home().join("cache"))
        .env("XDG_CONFIG_HOME", project.home().join("config"))
        .stderr(Stdio::piped());
    command
}

#[test]
fn a_closed_pipe_is_no_error() {
    let project = project();
    for arguments in ARGUMENTS {
        let mut child = command(&project, arguments).stdout(Stdio::piped()).spawn().unwrap();
        drop(child.stdout.take());
        let output = child.wait_with_output().unwrap();
        let err = String::from_utf8(output.stderr).unwrap();
        assert_eq!((output.status.code(), err.as_str()), (Some(0), ""), "{arguments:?}");
    }
}

#[test]
fn head_takes_what_it_wants() {
    let project = project();
    let ran = project.shell("$WHEREIN --batch questions.jsonl | head -1 | wc -l");
    assert_eq!((ran.out.trim(), ran.err.as_str()), ("1", ""));
}

/// Writes to this device fail as on a full disk.
#[cfg(target_os = "linux")]
#[test]
fn a_full_device_is_an_error_that_says_so() {
    let project = project();
    for arguments in ARGUMENTS {
        let full = File::options().write(true).open("/dev/full").unwrap();
        let output = command(&project, arguments).stdout(full).output().unwrap();
        let err = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {err}");
        assert!(err.starts_with("wherein: ") && err.contains("No space left"), "{err}");
        if arguments == &["clear"] {
            project.wherein(["index"]).with_code(0);
        }
    }
}

//! Trees that mean harm: what they hold is shown and never obeyed, and their secrets stay theirs.

use serde_json::json;

use crate::mcp::talk::Agent;
use crate::project::{Project, paths};

/// Everything a terminal would obey, and what could forge a line of ours.
fn is_tame(text: &str) -> bool {
    !text.chars().any(|c| (c.is_control() && c != '\n' && c != '\t') || c == '\u{202e}')
}

fn hostile() -> Project {
    let project = Project::empty();
    let text =
        "def wipe_screen():\n    return '\x1b[2J\x1b]0;owned\x07' # \u{202e}olleh \u{9b}31m\n";
    project.write("bad\x1b[31m/na\nme.py", text);
    project.write("plain.py", "def wipe_nothing():\n    return 1\n");
    project
}

#[test]
fn no_format_lets_a_tree_speak_to_the_terminal() {
    let project = hostile();
    for format in ["pretty", "plain", "grep", "md"] {
        let ran = project.wherein(["wipe_screen", "--format", format]).with_code(0);
        assert!(is_tame(&ran.out) && is_tame(&ran.err), "{format}: {ran:?}");
        assert!(ran.out.contains("bad\\x1b[31m/na\\nme.py"), "{format}: {ran:?}");
    }
    let plain = project.wherein(["wipe_screen", "--format", "plain", "-k1"]).out;
    assert_eq!(plain.lines().count(), 1, "a line end in a name forges no line: {plain}");
    let answer = project.ask(&["wipe_screen", "-k1"]);
    assert_eq!(paths(&answer), ["bad\x1b[31m/na\nme.py"], "programs get the name as it is");
}

#[test]
fn nor_does_any_other_command() {
    let project = hostile();
    let name = "bad\x1b[31m/na\nme.py";
    for arguments in [
        &["show", name][..],
        &["status", "--skipped"],
        &["why", name, "--query", "wipe screen"],
        &["symbols", "wipe"],
        &["outline", "bad*/**"],
        &["map"],
        &["refs", "wipe_screen"],
        &["show", "no\x1b[31m such"],
    ] {
        let ran = project.wherein(arguments);
        assert!(is_tame(&ran.out) && is_tame(&ran.err), "{arguments:?}: {ran:?}");
    }
}

#[test]
fn secrets_are_shown_only_on_demand() {
    let project = Project::empty();
    let token = ["ghp_", "aB3dE5gH7jK9mN1pQ3sT5vW7yZ9bC1dE3fG5"].concat();
    let key = "MIIEpAIBAAKCAQEA7bq";
    let begin = ["-----BEGIN RSA PRIVATE", " KEY-----"].concat();
    project.write("deploy.py", format!("def deploy_token():\n    return '{token}'\n"));
    project.write(
        "deploy.pem.txt",
        format!("deploy key\n{begin}\n{key}\n-----END RSA PRIVATE KEY-----\n"),
    );
    project.write("const.rs", format!("pub const DEPLOY_TOKEN: &str = \"{token}\";\n"));
    for format in ["pretty", "plain", "grep", "md", "json"] {
        for more in [&[][..], &["--context", "0"], &["--budget", "200"]] {
            let arguments =
                [&["deploy token key", "--format", format, "--min-confidence", "0"], more].concat();
            let ran = project.wherein(&arguments).with_code(0);
            assert!(!ran.out.contains(&token) && !ran.out.contains(key), "{arguments:?}: {ran:?}");
            let shown = project.wherein(arguments.iter().chain(&["--show-secrets"])).with_code(0);
            if format == "json" && more.is_empty() {
                assert!(ran.out.contains("[redacted]"));
                assert!(shown.out.contains(&token) && shown.out.contains(key), "{shown:?}");
            }
        }
    }
    for arguments in [
        &["symbols", "DEPLOY"][..],
        &["outline", "const.rs"],
        &["show", "const.rs", "--json"],
        &["refs", "DEPLOY_TOKEN"],
        &["grep", "return $TOKEN", "--json"],
        &["grep", "--regex", "(?P<all>(?s:deploy key.*))", "--json"],
        &["grep", "--fixed", "MIIEpAIB", "--format", "pretty"],
    ] {
        let ran = project.wherein(arguments);
        let shows = ran.out.contains(&token) || ran.out.contains(key);
        assert!(!shows, "{arguments:?}: {ran:?}");
        if arguments[0] == "grep" {
            assert!(ran.out.contains("[redacted]"), "{arguments:?}: {ran:?}");
            let shown = project.wherein(arguments.iter().chain(&["--show-secrets"])).with_code(0);
            assert!(shown.out.contains(&token) || shown.out.contains(key), "{shown:?}");
        }
    }
    let mut agent = Agent::start(&project, &[]);
    let read = agent.text("read", json!({"spans": ["deploy.py", "deploy.pem.txt:3-3"]}));
    assert!(read.contains("[redacted]") && !read.contains(&token) && !read.contains(key), "{read}");
}

#[cfg(unix)]
#[test]
fn links_out_of_the_tree_lead_nowhere() {
    let project = Project::sample();
    std::fs::write(project.home().join("secret.py"), "def outside_zebra(): pass\n").unwrap();
    std::os::unix::fs::symlink(project.home(), project.path("out")).unwrap();
    std::os::unix::fs::symlink(project.home().join("secret.py"), project.path("src/secret.py"))
        .unwrap();
    std::os::unix::fs::symlink("..", project.path("src/loop")).unwrap();
    let answer = project.ask(&["outside_zebra", "--without", "symbols", "--mode", "lexical"]);
    assert_eq!(paths(&answer), [""; 0]);
    assert_eq!(answer["index"]["files"], 3);
}

#[test]
fn a_deep_tree_is_walked() {
    let project = Project::empty();
    let deep = vec!["d"; 400].join("/");
    project.write(&format!("{deep}/zebra.py"), "def zebra(): pass\n");
    assert_eq!(paths(&project.ask(&["zebra", "-k1"])), [format!("{deep}/zebra.py")]);
}

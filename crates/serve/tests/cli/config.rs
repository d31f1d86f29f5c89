//! Files of keys: which comes first, what is refused, and what `wherein config` says.

use serde_json::Value;

use crate::project::{Project, keeps_indexes, paths, run};

/// What holds for a key, and who said so.
#[track_caller]
fn check(project: &Project, key: &str, value: &str, source: &str) {
    let report = project.wherein(["config", key, "--json"]).with_code(0).json();
    let setting = &report["keys"][0];
    assert_eq!(
        (&setting["value"], &setting["source"]),
        (&value.into(), &source.into()),
        "{report}"
    );
}

#[test]
fn the_command_line_comes_first_then_the_environment_the_project_and_the_user() {
    let project = Project::sample();
    let hits = |arguments: &[&str], limit: Option<&str>| {
        let mut command = project.command();
        command.args(["retry_upload", "--json", "--mode", "lexical"]).args(arguments);
        if let Some(limit) = limit {
            command.env("WHEREIN_LIMIT", limit);
        }
        paths(&run(&mut command).json()).len()
    };
    assert_eq!(hits(&[], None), 2);
    project.configure("limit = 1\n");
    assert_eq!(hits(&[], None), 1);
    project.write("wherein.toml", "limit = 2\n");
    assert_eq!(hits(&[], None), 2);
    assert_eq!(hits(&[], Some("1")), 1);
    assert_eq!(hits(&["-k", "2"], Some("1")), 2);
}

#[test]
fn options_of_every_command_named_take_what_is_configured() {
    let project = Project::sample();
    project.configure("scope = \"docs\"\nformat = \"grep\"\n");
    for arguments in [&["retry_upload"][..], &["search", "retry_upload"]] {
        let out = project.wherein(arguments).with_code(0).out;
        assert!(out.starts_with("docs/guide.md:"), "{arguments:?}: {out}");
    }
    let out = project.wherein(["grep", "--fixed", "def "]).with_code(0).out;
    assert!(out.starts_with("src/upload.py:4:def"), "{out}");
    let answer = project.wherein(["retry_upload", "--json", "--scope", "all"]).with_code(0).json();
    assert_eq!(paths(&answer).len(), 2, "--json is no conflict with a configured format");
}

#[test]
fn config_says_where_each_value_came_from() {
    let project = Project::sample();
    project.configure("mode = \"dense\"\neditor = \"hx\"\n[models.mine]\nfolder = \"x\"\n");
    project.write("wherein.toml", "mode = \"lexical\"\n");
    check(&project, "mode", "lexical", "project");
    check(&project, "editor", "hx", "user");
    check(&project, "models", "mine", "user");
    check(&project, "scope", "all", "default");
    let mut command = project.command();
    let report = run(command.env("WHEREIN_SCOPE", "code").args(["config", "--json"])).json();
    let keys = report["keys"].as_array().unwrap();
    let scope = keys.iter().find(|it| it["key"] == "scope").unwrap();
    assert_eq!(
        (&scope["source"], &scope["where"]),
        (&"environment".into(), &"$WHEREIN_SCOPE".into())
    );
    assert_eq!(report["project"]["exists"], Value::Bool(true));
    let out = project.wherein(["config"]).with_code(0).out;
    assert!(out.contains("wherein.toml") && out.contains("mode             lexical"), "{out}");
}

#[test]
fn what_is_not_a_key_is_refused_with_the_nearest_one() {
    let project = Project::sample();
    project.configure("modle = \"built-in\"\n");
    let mistake = ["config.toml", "line 1", "\"modle\"", "did you mean \"model\"?"];
    for arguments in [&["upload"][..], &["index"], &["status"], &["config"]] {
        project.wherein(arguments).fails_naming(&mistake);
    }
    project.wherein(["completions", "bash"]).with_code(0);
    project.configure("");
    project.wherein(["config", "limits"]).fails_naming(&["did you mean \"limit\"?"]);
    let mut command = project.command();
    run(command.env("WHEREIN_MODE", "fast").arg("upload"))
        .fails_naming(&["$WHEREIN_MODE", "\"lexical\", \"dense\", \"hybrid\""]);
}

#[test]
fn a_project_runs_nothing_and_writes_nowhere_else() {
    let project = Project::sample();
    for text in
        ["editor = \"touch harm\"", "index_dir = \"/\"", "[models.a]\nurl = \"http://x/v1\""]
    {
        project.write("wherein.toml", text);
        project.wherein(["upload"]).fails_naming(&["wherein.toml", "belongs into the user's own"]);
    }
}

#[test]
fn the_index_goes_where_the_user_says() {
    let project = Project::sample();
    project.configure("index_dir = \"~/mine\"\n");
    project.wherein(["upload"]).with_code(0);
    assert!(keeps_indexes(&project.home().join("mine")) && !project.cache().exists());
}

#[test]
fn colour_is_the_users_to_say() {
    let project = Project::sample();
    let ask = ["upload", "--format", "pretty"];
    assert!(!project.wherein(ask).out.contains('\x1b'), "a pipe has no colours");
    project.configure("colour = \"always\"\n");
    assert!(project.wherein(ask).out.contains("\x1b[35m"));
}

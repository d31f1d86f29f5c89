//! `wherein setup`: one entry of one file, and back again.

use std::fs;
use std::path::PathBuf;

use crate::project::{Project, Ran};

/// Each agent with its file in a project and in the home folder, and some text that may stand there.
const AGENTS: &[(&str, &str, &str, &str)] = &[
    (
        "claude-code",
        ".mcp.json",
        ".claude.json",
        "{\n  \"mcpServers\": {},\n  \"numStartups\": 7\n}\n",
    ),
    (
        "codex",
        ".codex/config.toml",
        ".codex/config.toml",
        "# mine\nmodel = \"x\"\n\n[mcp_servers.other]\ncommand = \"y\"\n",
    ),
    (
        "cursor",
        ".cursor/mcp.json",
        ".cursor/mcp.json",
        "{\n  \"mcpServers\": {\n    \"a\": {\"url\": \"http://localhost/\"}\n  }\n}\n",
    ),
    (
        "vscode",
        ".vscode/mcp.json",
        "config/Code/User/mcp.json",
        "{\n\t// servers of mine\n\t\"servers\": {\n\t\t\"a\": {\n\t\t\t\"command\": \"b\", // why\n\t\t},\n\t},\n\t\"inputs\": []\n}",
    ),
    ("gemini", ".gemini/settings.json", ".gemini/settings.json", "{\"theme\": \"Dracula\"}\n"),
    (
        "opencode",
        "opencode.json",
        "config/opencode/opencode.json",
        "{\r\n  \"$schema\": \"https://opencode.ai/config.json\"\r\n}\r\n",
    ),
    (
        "zed",
        ".zed/settings.json",
        "config/zed/settings.json",
        "// Zed\n{\n  \"vim_mode\": true, // yes\n  /* font */ \"buffer_font_size\": 14\n}\n",
    ),
];

fn setup(project: &Project, arguments: &[&str]) -> Ran {
    project.wherein([&["setup"], arguments].concat())
}

fn at(project: &Project, in_project: &str, in_home: &str, user: bool) -> PathBuf {
    if user { project.home().join(in_home) } else { project.path(in_project) }
}

#[test]
fn each_agent_is_set_up_once_and_back_to_the_same_bytes() {
    for &(agent, in_project, in_home, text) in AGENTS {
        for user in [false, true] {
            let project = Project::empty();
            let path = at(&project, in_project, in_home, user);
            let level: &[&str] = if user { &["--user"] } else { &[] };
            let run = |more: &[&str]| setup(&project, &[&[agent], level, more].concat());
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(&path, text).unwrap();
            let shown = run(&[]).with_code(1);
            assert!(shown.out.contains("+++ ") && shown.out.contains("nothing was written"));
            assert_eq!(fs::read_to_string(&path).unwrap(), text, "{agent}: shown, not done");
            run(&["--yes"]).with_code(0);
            let with = fs::read_to_string(&path).unwrap();
            assert!(with.contains("wherein") && with.contains("mcp"), "{agent}: {with}");
            let lost =
                text.lines().filter(|line| !with.contains(line.trim_end_matches([',', '}'])));
            assert_eq!(lost.count(), 0, "{agent}: {with}");
            let again = run(&["--yes"]).with_code(0);
            assert!(again.out.contains("lists it already"), "{agent}: {}", again.out);
            assert_eq!(fs::read_to_string(&path).unwrap(), with, "{agent}: again");
            run(&["--remove", "--yes"]).with_code(0);
            assert_eq!(fs::read_to_string(&path).unwrap(), text, "{agent}: back");
            let absent = run(&["--remove", "--yes"]).with_code(0);
            assert!(absent.out.contains("does not list it"), "{agent}: {}", absent.out);
        }
    }
}

#[test]
fn a_file_of_our_own_and_the_skill_go_as_they_came() {
    for &(agent, in_project, in_home, _) in AGENTS {
        for user in [false, true] {
            let project = Project::empty();
            let path = at(&project, in_project, in_home, user);
            let level: &[&str] = if user { &["--user"] } else { &[] };
            let run =
                |more: &[&str]| setup(&project, &[&[agent], level, more].concat()).with_code(0);
            let made = run(&["--skill", "--yes"]);
            assert!(made.out.contains("SKILL.md"), "{}", made.out);
            let text = fs::read_to_string(&path).unwrap();
            match agent {
                "codex" => assert!(text.starts_with("[mcp_servers.wherein]\ncommand = "), "{text}"),
                _ => drop(serde_json::from_str::<serde_json::Value>(&text).unwrap()),
            }
            run(&["--remove", "--yes"]);
            let top = if user { project.home() } else { project.root() };
            let left = crate::project::files_under(&top);
            assert!(left.is_empty(), "{agent}: {left:?}");
        }
    }
}

#[test]
fn what_is_not_ours_is_left() {
    let project = Project::empty();
    let other = "{\n  \"mcpServers\": {\"wherein\": {\"command\": \"my-own\"}}\n}\n";
    project.write(".mcp.json", other);
    let ran = setup(&project, &["claude", "--yes"]).with_code(0);
    assert!(ran.out.contains("lists another"), "{}", ran.out);
    assert_eq!(fs::read_to_string(project.path(".mcp.json")).unwrap(), other);
    let ran = setup(&project, &["claude", "--remove", "--yes"]).with_code(0);
    assert!(ran.out.contains("lists another"), "{}", ran.out);
    assert_eq!(fs::read_to_string(project.path(".mcp.json")).unwrap(), other);
    let codex = "[mcp_servers.wherein]\ncommand = \"my-own\"\nargs = [\"mcp\"]\n";
    project.write(".codex/config.toml", codex);
    setup(&project, &["codex", "--remove", "--yes"]).with_code(0);
    assert_eq!(fs::read_to_string(project.path(".codex/config.toml")).unwrap(), codex);
    setup(&project, &["claude", "--skill", "--yes"]).with_code(0);
    let skill = ".claude/skills/wherein/SKILL.md";
    project.write(skill, "my own words\n");
    let ran = setup(&project, &["claude", "--remove", "--yes"]).with_code(0);
    assert!(ran.out.contains("it is left"), "{}", ran.out);
    assert!(project.path(skill).exists());
    project.write(".mcp.json", "{ \"mcpServers\": \n nonsense");
    setup(&project, &["claude", "--yes"]).fails_naming(&[".mcp.json", "mend it", "line 2"]);
}

#[test]
fn an_entry_of_ours_goes_wherever_the_program_stood_and_whatever_was_added() {
    let project = Project::empty();
    let ours = "{\"mcpServers\": {\"wherein\": {\"command\": \"/opt/wherein\", \"args\": [\"mcp\", \"--multi\", \"x\"]}}}";
    project.write(".mcp.json", ours);
    setup(&project, &["claude", "--remove", "--yes"]).with_code(0);
    assert_eq!(fs::read_to_string(project.path(".mcp.json")).unwrap(), "{\"mcpServers\": {}}");
}

#[test]
fn an_empty_file_is_empty_again() {
    for &(agent, in_project, ..) in AGENTS {
        let project = Project::empty();
        project.write(in_project, "");
        setup(&project, &[agent, "--yes"]).with_code(0);
        let with = fs::read_to_string(project.path(in_project)).unwrap();
        assert!(with.contains("wherein"), "{agent}: {with}");
        setup(&project, &[agent, "--remove", "--yes"]).with_code(0);
        let after = fs::read_to_string(project.path(in_project));
        assert_eq!(after.ok().as_deref(), Some(""), "{agent}");
    }
}

#[test]
fn links_and_permissions_stay() {
    use std::os::unix::fs::PermissionsExt;
    let project = Project::empty();
    let real = project.home().join("dotfiles.json");
    fs::write(&real, "{}\n").unwrap();
    fs::set_permissions(&real, fs::Permissions::from_mode(0o600)).unwrap();
    std::os::unix::fs::symlink(&real, project.home().join(".claude.json")).unwrap();
    setup(&project, &["claude-code", "--user", "--yes"]).with_code(0);
    assert!(fs::read_to_string(&real).unwrap().contains("wherein"));
    assert!(fs::symlink_metadata(project.home().join(".claude.json")).unwrap().is_symlink());
    assert_eq!(fs::metadata(&real).unwrap().permissions().mode() & 0o777, 0o600);
}

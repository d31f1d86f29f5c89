//! The agents that are known, and where each keeps what it should start.

use std::path::{Path, PathBuf};

use clap::ValueEnum;
use serde_json::{Value, json};

/// An agent that can start servers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Agent {
    /// Claude Code
    #[value(alias = "claude")]
    ClaudeCode,
    /// Codex
    Codex,
    /// Cursor
    Cursor,
    /// Visual Studio Code with Copilot
    #[value(name = "vscode", alias = "vs-code")]
    VsCode,
    /// Gemini CLI
    #[value(alias = "gemini-cli")]
    Gemini,
    /// OpenCode
    #[value(name = "opencode")]
    OpenCode,
    /// Zed
    Zed,
}

/// What an agent says of a server, in the order people write it.
pub type Entry = Vec<(&'static str, Value)>;

/// For whom a setup holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Level {
    /// Everybody who opens this project.
    Project,
    /// This user, in every project.
    User,
}

/// Where folders are that depend on the user and the system.
pub struct Places {
    /// The project's top folder.
    pub project: PathBuf,
    /// The user's home folder.
    pub home: PathBuf,
    /// What environment variables say.
    pub variable: fn(&str) -> Option<PathBuf>,
}

impl Agent {
    /// The file that lists servers.
    pub fn file(self, level: Level, places: &Places) -> PathBuf {
        match level {
            Level::Project => places.project.join(match self {
                Agent::ClaudeCode => ".mcp.json",
                Agent::Codex => ".codex/config.toml",
                Agent::Cursor => ".cursor/mcp.json",
                Agent::VsCode => ".vscode/mcp.json",
                Agent::Gemini => ".gemini/settings.json",
                Agent::OpenCode => return with_comments(&places.project.join("opencode.json")),
                Agent::Zed => ".zed/settings.json",
            }),
            Level::User => match self {
                Agent::ClaudeCode => places.home.join(".claude.json"),
                Agent::Codex => (places.variable)("CODEX_HOME")
                    .unwrap_or_else(|| places.home.join(".codex"))
                    .join("config.toml"),
                Agent::Cursor => places.home.join(".cursor/mcp.json"),
                Agent::VsCode => places.applications().join("Code/User/mcp.json"),
                Agent::Gemini => places.home.join(".gemini/settings.json"),
                Agent::OpenCode => {
                    with_comments(&places.config().join("opencode").join("opencode.json"))
                }
                Agent::Zed if cfg!(windows) => places.applications().join("Zed/settings.json"),
                Agent::Zed => places.config().join("zed/settings.json"),
            },
        }
    }

    /// The folder of its skills.
    pub fn skills(self, level: Level, places: &Places) -> PathBuf {
        let folder = match (self, level) {
            (Agent::ClaudeCode, _) => ".claude/skills",
            (Agent::Cursor, _) => ".cursor/skills",
            (Agent::VsCode, Level::Project) => ".github/skills",
            (Agent::VsCode, Level::User) => ".copilot/skills",
            (Agent::Gemini, _) => ".gemini/skills",
            (Agent::OpenCode, Level::Project) => ".opencode/skills",
            (Agent::OpenCode, Level::User) => return places.config().join("opencode/skills"),
            (Agent::Codex | Agent::Zed, _) => ".agents/skills",
        };
        match level {
            Level::Project => places.project.join(folder),
            Level::User => places.home.join(folder),
        }
    }

    /// Under which key servers are listed.
    pub fn list(self) -> &'static str {
        match self {
            Agent::ClaudeCode | Agent::Cursor | Agent::Gemini => "mcpServers",
            Agent::Codex => "mcp_servers",
            Agent::VsCode => "servers",
            Agent::OpenCode => "mcp",
            Agent::Zed => "context_servers",
        }
    }

    /// What it says of a server that is started by `command`.
    pub fn entry(self, command: &str) -> Entry {
        let kind = ("type", json!("stdio"));
        let (program, args) = (("command", json!(command)), ("args", json!(["mcp"])));
        // Some may start servers elsewhere than in the project.
        let placed = ("args", json!(["mcp", "--root", "${workspaceFolder}"]));
        match self {
            Agent::Cursor | Agent::VsCode => vec![kind, program, placed],
            Agent::ClaudeCode => vec![kind, program, args],
            Agent::OpenCode => vec![("type", json!("local")), ("command", json!([command, "mcp"]))],
            Agent::Codex | Agent::Gemini | Agent::Zed => vec![program, args],
        }
    }
}

impl Places {
    fn config(&self) -> PathBuf {
        (self.variable)("XDG_CONFIG_HOME").unwrap_or_else(|| self.home.join(".config"))
    }

    fn applications(&self) -> PathBuf {
        match () {
            () if cfg!(windows) => {
                (self.variable)("APPDATA").unwrap_or_else(|| self.home.join("AppData/Roaming"))
            }
            () if cfg!(target_os = "macos") => self.home.join("Library/Application Support"),
            () => self.config(),
        }
    }
}

/// The same file with comments in it, if that is the one there is.
fn with_comments(path: &Path) -> PathBuf {
    let other = path.with_extension("jsonc");
    if !path.exists() && other.exists() { other } else { path.to_owned() }
}

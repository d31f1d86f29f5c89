//! `wherein setup AGENT`: tells an agent how to start `wherein mcp`, and takes that back.
//!
//! The change is shown first and made only if the user agrees. Nothing but one entry of one file is
//! touched, and a skill's file of our own if that is asked for.

pub mod agents;
mod diff;
mod jsonc;
mod toml;

use std::fs;
use std::io::{self, IsTerminal, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, anyhow};
use clap::Args;
use serde_json::{Map, Value};
use wherein_corpus::worktree;

use super::Outcome;
use agents::{Agent, Entry, Level, Places};

/// Which agent to set up.
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  wherein setup claude-code                     # in this project, after showing the change
  wherein setup codex --user --skill            # in all projects, with a skill that teaches its use
  wherein setup zed --remove --yes              # take it back")]
pub struct SetupArgs {
    /// The agent.
    #[arg(value_enum)]
    pub agent: Agent,

    /// Set it up for this user in every project, not for this project.
    #[arg(long)]
    pub user: bool,

    /// Write a skill too: a page that teaches the agent when to use which tool.
    #[arg(long)]
    pub skill: bool,

    /// Take back what was written.
    #[arg(long)]
    pub remove: bool,

    /// Do not ask.
    #[arg(long)]
    pub yes: bool,
}

/// What our entry is called.
const NAME: &str = "wherein";
/// When to use which tool, for agents that read skills.
const SKILL: &str = include_str!("skill.md");

/// A file before and after; `None` where there is none.
struct Change {
    path: PathBuf,
    before: Option<String>,
    after: Option<String>,
}

/// Sets an agent up, or takes that back.
pub fn run(args: &SetupArgs) -> anyhow::Result<Outcome> {
    let level = if args.user { Level::User } else { Level::Project };
    let places = places()?;
    let command = command(std::env::var_os("PATH"))?;
    let mut notes = Vec::new();
    let mut changes = vec![entry_change(args, level, &places, &command, &mut notes)?];
    if args.skill || args.remove {
        changes.push(skill_change(args, level, &places, &mut notes)?);
    }
    changes.retain(|change| change.before != change.after);
    let mut out = io::stdout();
    for change in &changes {
        let path = change.path.display().to_string();
        let shown = diff::lines(&path, change.before.as_deref(), change.after.as_deref());
        write!(out, "{shown}")?;
    }
    for note in &notes {
        writeln!(out, "{note}")?;
    }
    if changes.is_empty() {
        return Ok(Outcome::Found);
    }
    if !args.yes && !agreed()? {
        writeln!(out, "nothing was written; --yes writes it without asking")?;
        return Ok(Outcome::Nothing);
    }
    for change in &changes {
        change.make()?;
        writeln!(out, "{} {}", change.done(), change.path.display())?;
    }
    if !args.remove {
        writeln!(out, "restart the agent, or have it reload its servers")?;
    }
    Ok(Outcome::Found)
}

fn entry_change(
    args: &SetupArgs,
    level: Level,
    places: &Places,
    command: &str,
    notes: &mut Vec<String>,
) -> anyhow::Result<Change> {
    let agent = args.agent;
    let path = agent.file(level, places);
    let before = text_of(&path)?;
    let (list, entry) = (agent.list(), agent.entry(command));
    let edited = match agent {
        Agent::Codex => edit_toml(before.as_deref(), list, &entry, args.remove),
        _ => edit_json(before.as_deref(), list, &entry, args.remove),
    };
    let shown = path.display();
    let edited = edited.with_context(|| format!("cannot read {shown}; mend it, then try again"))?;
    let after = match edited {
        Edited::To(after) => after,
        Edited::Same => {
            notes.push(format!("{shown} lists it already"));
            before.clone()
        }
        Edited::Other => {
            notes.push(format!("{shown} lists another {NAME:?}; it is left as it is"));
            before.clone()
        }
        Edited::Absent => {
            notes.push(format!("{shown} does not list it"));
            before.clone()
        }
    };
    Ok(Change { path, before, after })
}

/// What becomes of a text.
enum Edited {
    To(Option<String>),
    /// What should be there is.
    Same,
    /// Something else is there under our name.
    Other,
    /// There is nothing to take out.
    Absent,
}

fn edit_json(
    before: Option<&str>,
    list: &str,
    entry: &Entry,
    remove: bool,
) -> anyhow::Result<Edited> {
    let wrong = |what: String| anyhow!(what);
    let text = before.unwrap_or_default();
    Ok(match (remove, jsonc::find(text, list, NAME).map_err(wrong)?) {
        (false, None) => Edited::To(Some(jsonc::insert(before, list, NAME, entry).map_err(wrong)?)),
        (false, Some(found)) if is_same(&found, entry) => Edited::Same,
        (true, Some(found)) if is_ours(&found, entry) => {
            Edited::To(jsonc::remove(text, list, NAME, entry).map_err(wrong)?)
        }
        (_, Some(_)) => Edited::Other,
        (true, None) => Edited::Absent,
    })
}

fn is_same(found: &Map<String, Value>, entry: &Entry) -> bool {
    found.len() == entry.len() && entry.iter().all(|(key, value)| found.get(*key) == Some(value))
}

/// Whether an entry starts `wherein mcp`, wherever that program stands and whatever was added since.
fn is_ours(found: &Map<String, Value>, entry: &Entry) -> bool {
    let words = |key: &str| match found.get(key) {
        Some(Value::Array(words)) => words.clone(),
        Some(word) => vec![word.clone()],
        None => Vec::new(),
    };
    let words = [words("command"), words("args")].concat();
    let program = words.first().and_then(Value::as_str).map(Path::new);
    let is_named = program.and_then(Path::file_stem).is_some_and(|name| name == NAME);
    let has_same =
        |key: &str| entry.iter().any(|(own, it)| *own == key && found.get(key) == Some(it));
    (is_named || has_same("command")) && words.get(1).is_some_and(|word| word == "mcp")
}

fn edit_toml(
    before: Option<&str>,
    list: &str,
    entry: &Entry,
    remove: bool,
) -> anyhow::Result<Edited> {
    let text = before.unwrap_or_default();
    Ok(match (remove, toml::find(text, list, NAME, entry)?) {
        (false, None) => Edited::To(Some(toml::insert(before, list, NAME, entry)?)),
        (false, Some(found)) if found.is_same => Edited::Same,
        (true, Some(found)) if is_ours(&found.entry, entry) => {
            Edited::To(toml::remove(text, list, NAME, entry)?)
        }
        (_, Some(_)) => Edited::Other,
        (true, None) => Edited::Absent,
    })
}

fn skill_change(
    args: &SetupArgs,
    level: Level,
    places: &Places,
    notes: &mut Vec<String>,
) -> anyhow::Result<Change> {
    let path = args.agent.skills(level, places).join(NAME).join("SKILL.md");
    let before = text_of(&path)?;
    let is_ours = before.as_deref() == Some(SKILL);
    let after = match (args.remove, &before) {
        (false, None) => Some(SKILL.to_owned()),
        (true, Some(_)) if is_ours => None,
        (_, Some(_)) if !is_ours => {
            notes.push(format!("{} is not as it was written; it is left", path.display()));
            before.clone()
        }
        _ => before.clone(),
    };
    Ok(Change { path, before, after })
}

impl Change {
    /// Replaces the file in one step, where it really is if it is a link. Folders that we made and
    /// that hold nothing go with it.
    fn make(&self) -> anyhow::Result<()> {
        let path = self.path.canonicalize().unwrap_or_else(|_| self.path.clone());
        let failed = || format!("cannot write {}", self.path.display());
        let Some(after) = &self.after else {
            fs::remove_file(&path).with_context(failed)?;
            // Fails where there is something else in it, which is right.
            let folder = path.parent();
            if folder.is_some_and(|folder| fs::remove_dir(folder).is_ok())
                && let Some(above) = folder.and_then(Path::parent)
                && above.ends_with("skills")
            {
                let _ = fs::remove_dir(above);
            }
            return Ok(());
        };
        let folder = path.parent().unwrap_or(Path::new("."));
        fs::create_dir_all(folder).with_context(failed)?;
        let temporary = path.with_extension(format!("wherein-{}", std::process::id()));
        fs::write(&temporary, after).with_context(failed)?;
        if let Ok(before) = fs::metadata(&path) {
            let _ = fs::set_permissions(&temporary, before.permissions());
        }
        fs::rename(&temporary, &path)
            .inspect_err(|_| drop(fs::remove_file(&temporary)))
            .with_context(failed)
    }

    fn done(&self) -> &'static str {
        match (&self.before, &self.after) {
            (None, _) => "made",
            (_, None) => "removed",
            _ => "changed",
        }
    }
}

fn text_of(path: &Path) -> anyhow::Result<Option<String>> {
    match fs::read_to_string(path) {
        Ok(text) => Ok(Some(text)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error).with_context(|| format!("cannot read {}", path.display())),
    }
}

/// Asks on a terminal; elsewhere nobody can agree.
fn agreed() -> anyhow::Result<bool> {
    if !io::stdin().is_terminal() || !io::stdout().is_terminal() {
        return Ok(false);
    }
    write!(io::stdout(), "write this? [y/N] ")?;
    io::stdout().flush()?;
    let mut answer = String::new();
    io::stdin().read_line(&mut answer)?;
    Ok(matches!(answer.trim().to_lowercase().as_str(), "y" | "yes"))
}

fn places() -> anyhow::Result<Places> {
    let here = std::env::current_dir().context("the current folder is gone")?;
    let project = worktree::top_of(&here).map_or(here.clone(), Path::to_owned);
    let variable =
        |name: &str| std::env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute());
    let home = variable("HOME").or_else(|| variable("USERPROFILE"));
    let home = home.context("no home folder is known; set HOME")?;
    Ok(Places { project, home, variable })
}

/// Plain `wherein` if the path leads to one, so that a project's file suits everybody; this program
/// by its place otherwise.
fn command(path: Option<std::ffi::OsString>) -> anyhow::Result<String> {
    let file = format!("{NAME}{}", std::env::consts::EXE_SUFFIX);
    let folders = path.iter().flat_map(std::env::split_paths);
    if folders.map(|folder| folder.join(&file)).any(|it| it.is_file()) {
        return Ok(NAME.to_owned());
    }
    let here = std::env::current_exe().context("cannot tell where this program is")?;
    Ok(here.to_string_lossy().into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_skill_is_short() {
        let tokens = crate::mcp::real(SKILL);
        println!("the skill has {tokens} tokens");
        assert!(tokens < 400, "{tokens}");
        assert!(SKILL.starts_with("---\nname: wherein\ndescription: "));
    }
}

//! The command line, with what is configured in place of the options' own defaults.
//!
//! The arguments are read once to learn which command and which tree they are about; if something
//! is configured for that command, its options get these defaults and the arguments are read again.

use std::path::{Path, PathBuf};

use clap::{ArgMatches, Command, CommandFactory, FromArgMatches};

use super::args::Cli;
use super::output::Paint;
use super::tree;
use crate::config::keys::{KEYS, Key, Sets};
use crate::config::{Config, shown};

/// What a plain question is; its options stand before any command.
const SEARCH: &str = "search";

/// The arguments this process was started with. A mistake in them ends it here, with help.
pub fn command_line() -> anyhow::Result<Cli> {
    let matches = Cli::command().get_matches();
    let (name, given) = matches.subcommand().unwrap_or((SEARCH, &matches));
    let keys: Vec<&Key> = KEYS.iter().filter(|key| is_for(key, name, given)).collect();
    if keys.is_empty() {
        return Ok(Cli::from_arg_matches(&matches)?);
    }
    let config = Config::read(root(given).as_deref())?;
    Paint::choose(config.text("colour").as_deref());
    let set: Vec<(&Key, String)> =
        keys.into_iter().filter_map(|key| Some((key, shown(config.get(key)?.0)))).collect();
    if set.is_empty() {
        return Ok(Cli::from_arg_matches(&matches)?);
    }
    let command = with_defaults(Cli::command(), matches.subcommand_name(), set);
    Ok(Cli::from_arg_matches(&command.get_matches())?)
}

/// Whether a command has an option that a key is the default of.
fn is_for(key: &Key, command: &str, given: &ArgMatches) -> bool {
    match key.sets {
        Sets::Nothing => false,
        Sets::Commands(commands) => commands.contains(&command),
        Sets::Every => given.try_contains_id(key.name).is_ok(),
    }
}

fn with_defaults(root: Command, below: Option<&str>, set: Vec<(&Key, String)>) -> Command {
    let apply = |command: Command| {
        set.iter().fold(command, |command, (key, value)| {
            let value = match value.strip_prefix("~/").zip(std::env::home_dir()) {
                Some((rest, home)) => home.join(rest).into_os_string(),
                None => value.into(),
            };
            command.mut_arg(key.name, |option| option.default_value(value))
        })
    };
    match below {
        Some(name) => root.mut_subcommand(name, apply),
        None => apply(root),
    }
}

/// The tree a command is about. One that cannot be told is for the command to complain about.
fn root(given: &ArgMatches) -> Option<PathBuf> {
    let named = ["root", "dir"]
        .iter()
        .find_map(|name| given.try_get_one::<PathBuf>(name).ok().flatten().map(PathBuf::as_path));
    tree::root(named.filter(|path: &&Path| !path.as_os_str().is_empty())).ok()
}

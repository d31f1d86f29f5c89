//! The command line, with what is configured in place of the options' own defaults.
//!
//! The arguments are read once to learn which command and which tree they are about; if something
//! is configured for that command, its options get these defaults and the arguments are read again.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use clap::{ArgMatches, Command, CommandFactory, FromArgMatches};

use super::args::Cli;
use super::output::Paint;
use super::tree;
use crate::config::keys::{KEYS, Key, Owner, Sets};
use crate::config::{Config, shown};

/// What a plain question is; its options stand before any command.
const SEARCH: &str = "search";

/// The arguments this process was started with. A mistake in them ends it here, with help.
pub fn command_line() -> anyhow::Result<Cli> {
    let (arguments, matches) = understood(std::env::args_os().collect());
    let (name, given) = matches.subcommand().unwrap_or((SEARCH, &matches));
    let keys: Vec<&Key> = KEYS.iter().filter(|key| is_for(key, name, given)).collect();
    if keys.is_empty() {
        return Ok(Cli::from_arg_matches(&matches)?);
    }
    // A server's own options are the user's to say, and what a project says must not keep it from starting.
    let is_users = keys.iter().all(|key| matches!(key.owner, Owner::User(_)));
    let root = if is_users { None } else { root(given) };
    let config = Config::read(root.as_deref())?;
    Paint::choose(config.text("colour").as_deref());
    let set: Vec<(&Key, String)> =
        keys.into_iter().filter_map(|key| Some((key, shown(config.get(key)?.0)))).collect();
    if set.is_empty() {
        return Ok(Cli::from_arg_matches(&matches)?);
    }
    let command = with_defaults(Cli::command(), matches.subcommand_name(), set);
    Ok(Cli::from_arg_matches(&command.get_matches_from(arguments))?)
}

/// The arguments as they can be read. What begins with a dash and holds a blank, as a line of a log does,
/// is no option but part of the question, if it cannot be read otherwise.
fn understood(arguments: Vec<OsString>) -> (Vec<OsString>, ArgMatches) {
    let read = |arguments: &[OsString]| Cli::command().try_get_matches_from(arguments);
    let is_question = |it: &ArgMatches| matches!(it.subcommand_name(), None | Some(SEARCH));
    let error = match read(&arguments) {
        Ok(matches) => return (arguments, matches),
        Err(error) => error,
    };
    let words: Vec<OsString> = arguments.into_iter().map(as_word).collect();
    match read(&words) {
        Ok(matches) if is_question(&matches) => (words, matches),
        _ => error.exit(),
    }
}

/// With a blank in front, which [`SearchArgs`](super::search::SearchArgs) takes away, so that nobody
/// takes it for an option.
fn as_word(argument: OsString) -> OsString {
    let is_text = |text: &str| {
        let name = text.split_once('=').map_or("", |(name, _)| name);
        let has_value = name.starts_with("--") && !name.contains(char::is_whitespace);
        text.starts_with('-') && text.contains(char::is_whitespace) && !has_value
    };
    match argument.to_str() {
        Some(text) if is_text(text) => format!(" {text}").into(),
        _ => argument,
    }
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

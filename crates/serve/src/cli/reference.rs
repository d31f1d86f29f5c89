//! The reference page, written from the one definition of the command line.
//!
//! Only the tests use it: `docs/reference.md` must be what this writes.

use std::fmt::Write;

use clap::{Arg, Command, CommandFactory};

use super::args::Cli;

/// The page as it should be.
fn page() -> String {
    let mut root = Cli::command();
    root.build();
    let mut page = String::from("# Command line reference\n");
    sections(&mut page, &root, "wherein");
    page
}

fn sections(page: &mut String, command: &Command, name: &str) {
    section(page, command, name);
    for below in command.get_subcommands().filter(|below| below.get_name() != "help") {
        sections(page, below, &format!("{name} {}", below.get_name()));
    }
}

fn section(page: &mut String, command: &Command, name: &str) {
    let about = command.get_long_about().or(command.get_about());
    let _ =
        write!(page, "\n## {name}\n\n{}\n\n", about.map(ToString::to_string).unwrap_or_default());
    let arguments = command.get_arguments().filter(|arg| !arg.is_hide_set());
    for arg in arguments.filter(|arg| !matches!(arg.get_id().as_str(), "help" | "version")) {
        let _ = writeln!(page, "- {}: {}{}", spelled(arg), explained(arg), values(arg));
    }
    if let Some(after) = command.get_after_help() {
        let _ = write!(page, "\n```text\n{after}\n```\n");
    }
}

/// `-k, --limit N`, or the bare value name of a positional.
fn spelled(arg: &Arg) -> String {
    let value = arg.get_value_names().map(|names| names[0].to_string()).unwrap_or_default();
    let names: Vec<String> = [
        arg.get_short().map(|short| format!("-{short}")),
        arg.get_long().map(|long| format!("--{long}")),
    ]
    .into_iter()
    .flatten()
    .collect();
    let takes_value = arg.get_action().takes_values();
    match (names.is_empty(), takes_value) {
        (true, _) => format!("`{value}`"),
        (false, true) => format!("`{} {value}`", names.join(", ")),
        (false, false) => format!("`{}`", names.join(", ")),
    }
}

fn explained(arg: &Arg) -> String {
    let help = arg.get_long_help().or(arg.get_help()).map(ToString::to_string).unwrap_or_default();
    help.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn values(arg: &Arg) -> String {
    if !arg.get_action().takes_values() {
        return String::from(".");
    }
    let possible: Vec<String> =
        arg.get_possible_values().iter().map(|value| format!("`{}`", value.get_name())).collect();
    let default: Vec<String> =
        arg.get_default_values().iter().map(|value| value.to_string_lossy().into_owned()).collect();
    let mut text = String::from(".");
    if !possible.is_empty() {
        let _ = write!(text, " One of {}.", possible.join(", "));
    }
    if !default.is_empty() {
        let _ = write!(text, " Default: `{}`.", default.join("`, `"));
    }
    text
}

#[test]
fn the_reference_page_is_current() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/reference.md");
    if std::env::var_os("UPDATE_EXPECTED").is_some() {
        std::fs::write(path, page()).unwrap();
    }
    let written = std::fs::read_to_string(path).unwrap_or_default();
    assert_eq!(written, page(), "run `just update-expected` and look at the difference");
}

/// A stranger learns more from one line that works than from a list of options.
#[test]
fn the_help_of_every_command_has_an_example() {
    let mut root = Cli::command();
    root.build();
    for command in root.get_subcommands().filter(|it| it.get_name() != "help") {
        let help = command.get_after_help().map(ToString::to_string).unwrap_or_default();
        let call = format!("wherein {}", command.get_name());
        assert!(
            help.contains("Example") && help.contains(&call),
            "{} has none: {help}",
            command.get_name()
        );
    }
}

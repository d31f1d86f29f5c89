//! The command line: from arguments to an exit code.

pub mod args;
mod batch;
mod blame;
mod clear;
mod clusters;
mod config;
mod defaults;
mod diff;
mod doctor;
mod eval;
#[cfg(feature = "fleet")]
pub mod fleet;
pub mod graph;
mod grep;
mod index;
mod log;
mod mcp;
pub mod output;
pub mod page;
mod progress;
#[cfg(test)]
mod reference;
pub mod search;
mod serve;
mod setup;
mod show;
mod similar;
pub mod span;
pub mod status;
pub mod target;
mod transfer;
pub mod tree;
mod watch;
mod why;

use std::io::{self, Write};
use std::process::ExitCode;

use clap::CommandFactory;
use wherein_engine::graph::ask::calls::Direction;

use args::{Cli, Command};
use output::visible;

use crate::tui;

/// What a command came to, beside failing.
pub enum Outcome {
    /// Something was found or done.
    Found,
    /// There is nothing to show.
    Nothing,
}

/// Runs the command the process was started with.
pub fn run() -> ExitCode {
    match defaults::command_line().and_then(dispatch).and_then(written_out) {
        Ok(Outcome::Found) => ExitCode::SUCCESS,
        Ok(Outcome::Nothing) => ExitCode::from(1),
        Err(error) if is_closed_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => {
            let _ = writeln!(io::stderr(), "wherein: {}", visible::lines(&message(&error)));
            ExitCode::from(2)
        }
    }
}

/// What is still on its way to the reader may fail too.
fn written_out(outcome: Outcome) -> anyhow::Result<Outcome> {
    io::stdout().flush()?;
    Ok(outcome)
}

fn dispatch(cli: Cli) -> anyhow::Result<Outcome> {
    match cli.command {
        None => search::run(&cli.search),
        Some(Command::Search(args)) => search::run(&args),
        Some(Command::Grep(args)) => grep::run(&args),
        Some(Command::Log(args)) => log::run(&args),
        Some(Command::Diff(args)) => diff::run(&args),
        Some(Command::Why(args)) => why::run(&args),
        Some(Command::Index(args)) => index::run(&args),
        Some(Command::Status(args)) => status::run(&args),
        Some(Command::Tui(args)) => tui::run(&args),
        Some(Command::Show(args)) => show::run(&args),
        Some(Command::Similar(args)) => similar::run(&args),
        Some(Command::Clusters(args)) => clusters::run(&args),
        Some(Command::Symbols(args)) => graph::symbols(&args),
        Some(Command::Def(args)) => graph::def(&args),
        Some(Command::Refs(args)) => graph::refs(&args),
        Some(Command::Callers(args)) => graph::call(&args, Direction::Callers),
        Some(Command::Callees(args)) => graph::call(&args, Direction::Callees),
        Some(Command::Impact(args)) => graph::impact(&args),
        Some(Command::Path(args)) => graph::path(&args),
        Some(Command::Map(args)) => graph::map(&args),
        Some(Command::Outline(args)) => graph::outline(&args),
        Some(Command::Graph(args)) => graph::graph(&args),
        #[cfg(feature = "fleet")]
        Some(Command::Fleet(args)) => fleet::run(&args),
        Some(Command::Serve(args)) => serve::run(args),
        Some(Command::Watch(args)) => watch::run(&args),
        Some(Command::Doctor(args)) => doctor::run(&args),
        Some(Command::Export(args)) => transfer::export(&args),
        Some(Command::Import(args)) => transfer::import(&args),
        Some(Command::Mcp(args)) => mcp::run(&args),
        Some(Command::Setup(args)) => setup::run(&args),
        Some(Command::Clear(args)) => clear::run(&args),
        Some(Command::Config(args)) => config::run(&args),
        Some(Command::Eval(args)) => eval::run(args),
        Some(Command::Completions { shell }) => {
            let mut script = Vec::new();
            clap_complete::generate(shell, &mut Cli::command(), "wherein", &mut script);
            io::stdout().write_all(&script)?;
            Ok(Outcome::Found)
        }
        Some(Command::Man) => man(),
    }
}

/// One page for the program and every command of it.
fn man() -> anyhow::Result<Outcome> {
    let mut page = Vec::new();
    let command = Cli::command();
    clap_mangen::Man::new(command.clone()).render(&mut page)?;
    for sub in command.get_subcommands() {
        let name = format!("wherein {}", sub.get_name());
        page.extend_from_slice(format!("\n.SH \"{}\"\n", name.to_uppercase()).as_bytes());
        let man = clap_mangen::Man::new(sub.clone().display_name(name));
        man.render_synopsis_section(&mut page)?;
        man.render_description_section(&mut page)?;
        man.render_options_section(&mut page)?;
    }
    io::stdout().write_all(&page)?;
    Ok(Outcome::Found)
}

/// What went wrong and why, in one line; a cause that is already quoted is not said again.
fn message(error: &anyhow::Error) -> String {
    let mut message = error.to_string();
    for cause in error.chain().skip(1).map(ToString::to_string) {
        if !message.contains(&cause) {
            message = format!("{message}: {cause}");
        }
    }
    message
}

/// A reader that has seen enough (`wherein … | head`) is no failure.
fn is_closed_pipe(error: &anyhow::Error) -> bool {
    let kind = |cause: &(dyn std::error::Error + 'static)| {
        let json = cause.downcast_ref::<serde_json::Error>();
        let io = cause.downcast_ref::<io::Error>();
        json.and_then(serde_json::Error::io_error_kind).or(io.map(io::Error::kind))
    };
    error.chain().any(|cause| kind(cause) == Some(io::ErrorKind::BrokenPipe))
}

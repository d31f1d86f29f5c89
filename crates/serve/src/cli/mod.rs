//! The command line: from arguments to an exit code.

mod args;
mod batch;
mod config;
mod index;
mod output;
mod progress;
#[cfg(test)]
mod reference;
mod search;
mod show;
mod status;
mod tree;

use std::io::{self, Write};
use std::process::ExitCode;

use clap::{CommandFactory, Parser};

use args::{ClearArgs, Cli, Command};
use tree::Tree;

/// What a command came to, beside failing.
pub enum Outcome {
    /// Something was found or done.
    Found,
    /// There is nothing to show.
    Nothing,
}

/// Runs the command the process was started with.
pub fn run() -> ExitCode {
    match dispatch(Cli::parse()) {
        Ok(Outcome::Found) => ExitCode::SUCCESS,
        Ok(Outcome::Nothing) => ExitCode::from(1),
        Err(error) if is_closed_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => {
            let _ = writeln!(io::stderr(), "wherein: {error:#}");
            ExitCode::from(2)
        }
    }
}

fn dispatch(cli: Cli) -> anyhow::Result<Outcome> {
    match cli.command {
        None => search::run(&cli.search),
        Some(Command::Search(args)) => search::run(&args),
        Some(Command::Index(args)) => index::run(&args),
        Some(Command::Status(args)) => status::run(&args),
        Some(Command::Show(args)) => show::run(&args),
        Some(Command::Clear(args)) => clear(&args),
        Some(Command::Completions { shell }) => {
            clap_complete::generate(shell, &mut Cli::command(), "wherein", &mut io::stdout());
            Ok(Outcome::Found)
        }
        Some(Command::Man) => man(),
    }
}

fn clear(args: &ClearArgs) -> anyhow::Result<Outcome> {
    let tree = Tree::around(args.dir.as_deref(), &args.place)?;
    let root = tree.place.root.display();
    if tree.place.clear()? {
        println!("forgot the index of {root}");
        Ok(Outcome::Found)
    } else {
        println!("{root} was not indexed");
        Ok(Outcome::Nothing)
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

/// A reader that has seen enough (`wherein … | head`) is no failure.
fn is_closed_pipe(error: &anyhow::Error) -> bool {
    error.downcast_ref::<io::Error>().is_some_and(|error| error.kind() == io::ErrorKind::BrokenPipe)
}

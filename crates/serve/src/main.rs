//! The program: hits for people and for other programs.

mod cli;

use std::process::ExitCode;

fn main() -> ExitCode {
    cli::run()
}

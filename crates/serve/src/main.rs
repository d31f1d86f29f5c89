//! The program: hits for people and for other programs.

mod cli;
mod config;
mod http;
mod mcp;
mod models;
mod tui;

use std::process::ExitCode;

/// Syntax trees are millions of small allocations; this allocator saves a tenth of indexing.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    cli::run()
}

//! Runs an evaluation command on its own: `cargo run -p wherein-eval --example run -- spans …`.

use std::io::{self, Write};
use std::process::ExitCode;
use std::sync::atomic::{AtomicUsize, Ordering};

use clap::Parser;
use wherein_eval::{Edge, EvalArgs, ExitKind, Step};

#[derive(Parser)]
struct Cli {
    #[command(flatten)]
    eval: EvalArgs,

    /// The day to write into the run.
    #[arg(long, global = true, default_value = "no date")]
    date: String,
}

fn main() -> ExitCode {
    let cli = Cli::parse();
    let shown = AtomicUsize::new(0);
    let progress = |step: Step| {
        if let Step::Asking { done, total } = step
            && done * 10 / total > shown.swap(done * 10 / total, Ordering::Relaxed)
        {
            let _ = writeln!(io::stderr(), "asked {done} of {total}");
        }
    };
    let mut edge = Edge {
        version: env!("CARGO_PKG_VERSION"),
        date: &cli.date,
        machine: std::env::consts::ARCH,
        progress: &progress,
        out: &mut io::stdout(),
    };
    match wherein_eval::main(cli.eval, &mut edge) {
        Ok(ExitKind::Passed) => ExitCode::SUCCESS,
        Ok(ExitKind::BelowFloor) => ExitCode::from(1),
        Err(error) => {
            let _ = writeln!(io::stderr(), "run: {error:#}");
            ExitCode::from(2)
        }
    }
}

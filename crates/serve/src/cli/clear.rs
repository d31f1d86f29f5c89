//! `wherein clear`: forgets an index.

use std::io::{self, Write};
use std::path::PathBuf;

use clap::Args;

use super::Outcome;
use super::page::PlaceArgs;
use super::tree::Tree;

/// What to forget.
#[derive(Args, Debug)]
#[command(after_help = "Example:
  wherein clear ~/src/project")]
pub struct ClearArgs {
    /// The folder; the repository around the current folder unless given.
    pub dir: Option<PathBuf>,

    #[command(flatten)]
    pub place: PlaceArgs,
}

/// Forgets the index of a folder; says so if there is none.
pub fn run(args: &ClearArgs) -> anyhow::Result<Outcome> {
    let tree = Tree::around(args.dir.as_deref(), &args.place)?;
    let root = tree.place.root.display();
    if tree.place.clear()? {
        writeln!(io::stdout(), "forgot the index of {root}")?;
        Ok(Outcome::Found)
    } else {
        writeln!(io::stdout(), "{root} was not indexed")?;
        Ok(Outcome::Nothing)
    }
}

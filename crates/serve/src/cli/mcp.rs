//! `wherein mcp`: search for a coding agent that started us, over standard input and output.

use std::path::{Path, PathBuf};

use anyhow::Context;
use clap::Args;

use super::Outcome;
use super::page::PlaceArgs;
use super::tree::{self, Tree};
use crate::mcp::{self, Served};

/// What agents may search.
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  wherein mcp                                   # the repository around the current folder
  wherein mcp --root api --root ../web          # several; answers name their folder
  wherein mcp --multi ~/src                     # every repository right under a folder

An agent starts it; 'wherein setup AGENT' tells the agent how. It ends when the agent does. Over HTTP
the same is at /mcp of 'wherein serve'.")]
pub struct McpArgs {
    /// Serve this folder instead of the repository around the current one; may be given again.
    #[arg(long = "root", value_name = "DIR")]
    pub roots: Vec<PathBuf>,

    /// Serve every repository right under this folder; may be given again.
    #[arg(long, value_name = "DIR")]
    pub multi: Vec<PathBuf>,

    #[command(flatten)]
    pub place: PlaceArgs,
}

/// Serves until the client is gone.
pub fn run(args: &McpArgs) -> anyhow::Result<Outcome> {
    let mut served = served(&args.roots, &args.multi, &args.place, Tree::around_at_any_rate)?;
    if args.roots.is_empty() && args.multi.is_empty() {
        match too_much()? {
            Some(because) => served.left_out.push(because),
            None => served.trees.push(Tree::around_at_any_rate(None, &args.place)?),
        }
    }
    mcp::serve(served)?;
    Ok(Outcome::Found)
}

/// How the tree of a folder is had.
type Opening = fn(Option<&Path>, &PlaceArgs) -> anyhow::Result<Tree>;

/// What to serve. A folder that is named must be one that can be; of those under `--multi` one that
/// cannot is no reason to withhold the others.
pub fn served(
    roots: &[PathBuf],
    multi: &[PathBuf],
    place: &PlaceArgs,
    open: Opening,
) -> anyhow::Result<Served> {
    let mut served = Served::default();
    for root in roots {
        served.trees.push(open(Some(root), place)?);
    }
    for dir in multi {
        let found = repositories(dir)?;
        if found.is_empty() {
            let because = format!("no folder right under {} holds a repository", dir.display());
            served.left_out.push(because);
        }
        for folder in found {
            match open(Some(&folder), place) {
                Ok(tree) => served.trees.push(tree),
                Err(error) => {
                    let because =
                        format!("{error:#}").split_whitespace().collect::<Vec<_>>().join(" ");
                    served.left_out.push(format!("{}: {because}", folder.display()));
                }
            }
        }
    }
    Ok(served)
}

/// Why the current folder should not be served, if it should not.
fn too_much() -> anyhow::Result<Option<String>> {
    let here = std::env::current_dir().context("the current folder is gone")?;
    let because = || {
        let here = here.display();
        format!("wherein was started in {here}, which is no project but everything you have")
    };
    Ok(tree::is_everything(&here).then(because))
}

/// Every repository right under a folder, by name.
fn repositories(dir: &Path) -> anyhow::Result<Vec<PathBuf>> {
    let entries =
        std::fs::read_dir(dir).with_context(|| format!("cannot open {}", dir.display()))?;
    let folders = entries.flatten().map(|entry| entry.path());
    let mut found: Vec<PathBuf> = folders.filter(|folder| folder.join(".git").exists()).collect();
    found.sort();
    Ok(found)
}

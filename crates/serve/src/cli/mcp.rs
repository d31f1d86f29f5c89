//! `wherein mcp`: search for a coding agent that started us, over standard input and output.

use std::path::{Path, PathBuf};

use anyhow::Context;
use clap::Args;
use wherein_corpus::worktree;

use super::Outcome;
use super::page::PlaceArgs;
use super::tree::Tree;
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
    let mut served = served(&args.roots, &args.multi, &args.place)?;
    if args.roots.is_empty() && args.multi.is_empty() {
        match too_much()? {
            Some(because) => served.left_out.push(because),
            None => served.trees.push(Tree::around(None, &args.place)?),
        }
    }
    mcp::serve(served)?;
    Ok(Outcome::Found)
}

/// What to serve. A folder that is named must be one that can be; of those under `--multi` one that
/// cannot is no reason to withhold the others.
pub fn served(roots: &[PathBuf], multi: &[PathBuf], place: &PlaceArgs) -> anyhow::Result<Served> {
    let mut served = Served::default();
    for root in roots {
        served.trees.push(Tree::around(Some(root), place)?);
    }
    for dir in multi {
        let found = repositories(dir)?;
        if found.is_empty() {
            let because = format!("no folder right under {} holds a repository", dir.display());
            served.left_out.push(because);
        }
        for folder in found {
            match Tree::around(Some(&folder), place) {
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
    let is_too_much = worktree::top_of(&here).is_none() && is_everything(&here);
    let because = || {
        let here = here.display();
        format!("wherein was started in {here}, which is no repository but everything you have")
    };
    Ok(is_too_much.then(because))
}

/// The home folder or the root of the file system: agents start servers there by mistake.
fn is_everything(folder: &Path) -> bool {
    let home = std::env::var_os("HOME").map(PathBuf::from);
    folder.parent().is_none()
        || home.is_some_and(|home| home.canonicalize().ok().as_deref() == Some(folder))
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

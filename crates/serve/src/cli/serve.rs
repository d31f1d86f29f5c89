//! `wherein serve`: the same search for a browser and for programs, until it is interrupted.

use std::io::{self, Write};

use anyhow::{Context, anyhow, bail};

use super::Outcome;
use super::args::ServeArgs;
use super::mcp::served;
use super::tree::Tree;
use crate::http::{Door, Options, serve};
use crate::mcp::Served;

/// Holds the token, so that it stands in no list of processes.
const TOKEN: &str = "WHEREIN_TOKEN";

/// Serves one tree or several.
pub fn run(args: ServeArgs) -> anyhow::Result<Outcome> {
    let served = trees(&args)?;
    let door = Door::new(args.listen, token()?, args.allow_hosts).map_err(|why| anyhow!(why))?;
    let first = &served.trees[0].place.root;
    let runs = args.runs.unwrap_or_else(|| first.join("runs"));
    let root = match served.trees.len() {
        1 => first.display().to_string(),
        several => format!("{several} folders"),
    };
    let ready = |door: &Door| {
        let _ = writeln!(io::stdout(), "serving {root} at http://{}/", door.address);
        if door.wants_token() {
            let _ = writeln!(io::stdout(), "requests need the token in {TOKEN}");
        }
        let _ = io::stdout().flush();
    };
    serve(served, Options { door, runs, editor: args.editor }, ready)?;
    Ok(Outcome::Found)
}

/// What to serve: the folders that are named, or the one around us.
fn trees(args: &ServeArgs) -> anyhow::Result<Served> {
    let roots: Vec<_> = args.dir.iter().chain(&args.roots).cloned().collect();
    let mut served = served(&roots, &args.multi, &args.place)?;
    if roots.is_empty() && args.multi.is_empty() {
        served.trees.push(Tree::around(None, &args.place)?);
    }
    if served.trees.is_empty() {
        bail!("{}; name another folder", served.left_out.join("; "));
    }
    Ok(served)
}

fn token() -> anyhow::Result<Option<String>> {
    let Some(token) = std::env::var_os(TOKEN).filter(|token| !token.is_empty()) else {
        return Ok(None);
    };
    let token =
        token.into_string().ok().filter(|it| it.bytes().all(|byte| byte.is_ascii_graphic()));
    token.map(Some).with_context(|| format!("{TOKEN} must hold printable ASCII without spaces"))
}

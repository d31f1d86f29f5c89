//! `wherein serve`: the same search for a browser and for programs, until it is interrupted.

use std::io::{self, Write};

use anyhow::{Context, anyhow};

use super::Outcome;
use super::args::ServeArgs;
use super::tree::Tree;
use crate::http::{Door, Options, serve};

/// Holds the token, so that it stands in no list of processes.
const TOKEN: &str = "WHEREIN_TOKEN";

/// Serves a tree.
pub fn run(args: ServeArgs) -> anyhow::Result<Outcome> {
    let tree = Tree::around(args.dir.as_deref(), &args.place)?;
    let door = Door::new(args.listen, token()?, args.allow_hosts).map_err(|why| anyhow!(why))?;
    let runs = args.runs.unwrap_or_else(|| tree.place.root.join("runs"));
    let root = tree.place.root.display().to_string();
    let ready = |door: &Door| {
        let _ = writeln!(io::stdout(), "serving {root} at http://{}/", door.address);
        if door.wants_token() {
            let _ = writeln!(io::stdout(), "requests need the token in {TOKEN}");
        }
        let _ = io::stdout().flush();
    };
    serve(tree, Options { door, runs, editor: args.editor }, ready)?;
    Ok(Outcome::Found)
}

fn token() -> anyhow::Result<Option<String>> {
    let Some(token) = std::env::var_os(TOKEN).filter(|token| !token.is_empty()) else {
        return Ok(None);
    };
    let token =
        token.into_string().ok().filter(|it| it.bytes().all(|byte| byte.is_ascii_graphic()));
    token.map(Some).with_context(|| format!("{TOKEN} must hold printable ASCII without spaces"))
}

//! `wherein serve`: the same search for a browser and for programs, until it is interrupted.

use std::io::{self, Write};
use std::net::SocketAddr;
use std::path::PathBuf;

use anyhow::{Context, anyhow, bail};
use clap::Args;

use super::Outcome;
use super::mcp::served;
use super::page::PlaceArgs;
use super::tree::Tree;
use crate::http::{Door, Options, serve};
use crate::mcp::Served;

/// What to serve, and to whom.
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  wherein serve                                 # then open http://127.0.0.1:7700/
  wherein serve ~/src/project --listen 127.0.0.1:0
  WHEREIN_TOKEN=… wherein serve --listen 0.0.0.0:7700

An address that other machines reach needs a token in the environment variable WHEREIN_TOKEN;
clients send it as 'Authorization: Bearer TOKEN'. The API is described at /reference.")]
pub struct ServeArgs {
    /// The folder; the repository around the current folder unless given.
    pub dir: Option<PathBuf>,

    /// Serve this folder too; may be given again.
    #[arg(long = "root", value_name = "DIR")]
    pub roots: Vec<PathBuf>,

    /// Serve every repository right under this folder; may be given again.
    #[arg(long, value_name = "DIR")]
    pub multi: Vec<PathBuf>,

    /// Listen here; port 0 takes a free one.
    #[arg(long, value_name = "ADDRESS:PORT", default_value = "127.0.0.1:7700", value_parser = address)]
    pub listen: SocketAddr,

    /// Answer to this host name too; may be given again.
    #[arg(long = "allow-host", value_name = "NAME")]
    pub allow_hosts: Vec<String>,

    /// Show the evaluation runs in this folder; 'runs' in the served folder unless given.
    #[arg(long, value_name = "DIR")]
    pub runs: Option<PathBuf>,

    /// How the page opens a file in your editor.
    #[arg(long, value_name = "URL", default_value = "vscode://file{path}:{line}")]
    pub editor: String,

    #[command(flatten)]
    pub place: PlaceArgs,
}

/// An address with a port. Of names only that of this machine is known without asking anybody.
fn address(text: &str) -> Result<SocketAddr, String> {
    let numbered = match text.strip_prefix("localhost:") {
        Some(port) => format!("127.0.0.1:{port}"),
        None => text.to_owned(),
    };
    let wanted = "it takes an address and a port, as 127.0.0.1:7700 or localhost:7700";
    numbered.parse().map_err(|_| wanted.to_owned())
}

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
    let mut served = served(&roots, &args.multi, &args.place, Tree::around)?;
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

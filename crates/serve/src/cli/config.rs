//! `wherein config`: every key, the value that holds, and who set it.

use std::io::{self, Write};
use std::path::PathBuf;

use anyhow::bail;
use clap::Args;
use serde::Serialize;

use super::Outcome;
use super::output::visible::Visible;
use super::tree;
use crate::config::keys::{KEYS, Key};
use crate::config::{Config, File, Source, shown, unknown};

/// Which keys to show.
#[derive(Args, Debug)]
#[command(
    after_help = "The command line comes before the environment, that before the project's wherein.toml, that before
the user's config.toml. Every key is described in docs/configuration.md.

Examples:
  wherein config                                # every key, its value, where it came from
  wherein config editor
  WHEREIN_MODE=lexical wherein config --json"
)]
pub struct ConfigArgs {
    /// One key; all unless given.
    #[arg(value_name = "KEY")]
    pub key: Option<String>,

    /// The project's folder; the repository around the current one unless given.
    #[arg(long, value_name = "DIR")]
    pub root: Option<PathBuf>,

    /// Print as JSON.
    #[arg(long)]
    pub json: bool,
}

#[derive(Serialize)]
struct Report {
    project: Place,
    user: Place,
    keys: Vec<Setting>,
}

/// Where a file is, or would be.
#[derive(Serialize)]
struct Place {
    path: String,
    exists: bool,
}

/// A key and what holds for it.
#[derive(Serialize)]
struct Setting {
    key: &'static str,
    value: String,
    source: &'static str,
    /// The file or variable, if one set it.
    #[serde(rename = "where", skip_serializing_if = "Option::is_none")]
    place: Option<String>,
    about: &'static str,
}

/// Shows them.
pub fn run(args: &ConfigArgs) -> anyhow::Result<Outcome> {
    let root = tree::root(args.root.as_deref())?;
    let config = Config::read(Some(&root))?;
    let wanted = |key: &&Key| args.key.as_deref().is_none_or(|name| name == key.name);
    let keys: Vec<Setting> = KEYS.iter().filter(wanted).map(|key| setting(&config, key)).collect();
    if let (Some(name), true) = (&args.key, keys.is_empty()) {
        bail!("{}", unknown(name));
    }
    let file =
        |file: &File| Place { path: file.path.to_string_lossy().into_owned(), exists: file.exists };
    let report = Report { project: file(&config.project), user: file(&config.user), keys };
    match args.json {
        true => writeln!(io::stdout(), "{}", serde_json::to_string(&report)?)?,
        false => print(&mut Visible(io::stdout().lock()), &report)?,
    }
    Ok(Outcome::Found)
}

fn setting(config: &Config, key: &Key) -> Setting {
    let (value, source) = match config.get(key) {
        Some((value, source)) => (shown(value), source),
        None => (key.default.to_owned(), Source::Default),
    };
    let place = (source != Source::Default).then(|| source.to_string());
    Setting { key: key.name, value, source: source.name(), place, about: key.about }
}

fn print(out: &mut impl Write, report: &Report) -> io::Result<()> {
    for (whose, file) in [("project", &report.project), ("user", &report.user)] {
        let there = if file.exists { "" } else { " (not there)" };
        writeln!(out, "{whose:<8} {}{there}", file.path)?;
    }
    writeln!(out)?;
    for Setting { key, value, source, place, .. } in &report.keys {
        let from = place.as_deref().unwrap_or(source);
        writeln!(out, "{key:<16} {value:<40} {from}")?;
    }
    match report.keys.as_slice() {
        [only] => writeln!(out, "\n{}", only.about),
        _ => Ok(()),
    }
}

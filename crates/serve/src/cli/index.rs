//! `wherein index`: build or refresh, and say what was done.

use std::io::{self, Write};
use std::path::PathBuf;
use std::time::Instant;

use anyhow::{Context, bail};
use clap::Args;
use serde::Serialize;
use wherein_engine::Snapshot;

use super::Outcome;
use super::log;
use super::page::PlaceArgs;
use super::status::{Skips, folder_size, human};
use super::tree::{NoModel, Tree};

/// What to index.
#[derive(Args, Debug)]
#[command(
    after_help = "A question indexes what it needs; this does it ahead of time, and encodes the whole tree.

Examples:
  wherein index
  wherein index ~/src/project --no-vectors      # by words only: seconds instead of minutes
  wherein index --history --max-memory 512"
)]
pub struct IndexArgs {
    /// The folder; the repository around the current folder unless given.
    pub dir: Option<PathBuf>,

    /// Do not encode for search by meaning.
    #[arg(long)]
    pub no_vectors: bool,

    /// Index the commits of its repository too, and encode their messages.
    #[arg(long)]
    pub history: bool,

    /// Use about this much memory at most, in MiB; what does not fit is written out sooner.
    #[arg(long, value_name = "MIB", default_value_t = 1024, value_parser = clap::value_parser!(u32).range(128..))]
    pub max_memory: u32,

    /// Print the summary as JSON.
    #[arg(long)]
    pub json: bool,

    #[command(flatten)]
    pub place: PlaceArgs,
}

#[derive(Serialize)]
struct Summary {
    root: String,
    files: usize,
    chunks: u64,
    read: usize,
    parsed: usize,
    indexed: usize,
    removed: usize,
    skipped: usize,
    skipped_by_reason: Skips,
    bytes_on_disk: u64,
    rebuilt_because: Option<String>,
    meaning: Option<Meaning>,
    #[serde(skip_serializing_if = "Option::is_none")]
    history: Option<History>,
    took_ms: f64,
}

/// What was done for search in commits.
#[derive(Clone, Copy, Serialize)]
struct History {
    read: usize,
    dropped: usize,
    commits: usize,
    with_vectors: usize,
    encoded: usize,
}

/// What was done for search by meaning.
#[derive(Clone, Serialize)]
struct Meaning {
    model: String,
    with_vectors: u64,
    encoded: usize,
    reused: usize,
}

/// Brings the index up to date.
pub fn run(args: &IndexArgs) -> anyhow::Result<Outcome> {
    let started = Instant::now();
    let mut tree = Tree::around(args.dir.as_deref(), &args.place)?;
    tree.memory = (args.max_memory as usize) << 20;
    let work = tree.refresh_in_turn()?;
    let meaning = if args.no_vectors { Ok(None) } else { encode(&tree) };
    let history = if args.history { Some(history(&tree)?) } else { None };
    let snapshot = Snapshot::open(&tree.place)?;
    let manifest = &snapshot.manifest;
    let summary = Summary {
        root: manifest.root.clone(),
        files: manifest.files.len(),
        chunks: manifest.chunks(),
        read: work.read,
        parsed: work.parsed,
        indexed: work.indexed,
        removed: work.removed,
        skipped: manifest.skipped.len(),
        skipped_by_reason: Skips::of(manifest),
        bytes_on_disk: folder_size(&tree.place, manifest),
        rebuilt_because: work.rebuilt,
        meaning: meaning.as_ref().ok().cloned().flatten(),
        history,
        took_ms: started.elapsed().as_secs_f64() * 1000.0,
    };
    if args.json {
        writeln!(io::stdout(), "{}", serde_json::to_string(&summary)?)?;
    } else {
        print(&mut io::stdout().lock(), &summary)?;
    }
    meaning.context("the tree can be searched by words only")?;
    Ok(Outcome::Found)
}

/// Encodes what has no vector yet; nothing at all if the configuration says so.
fn encode(tree: &Tree) -> anyhow::Result<Option<Meaning>> {
    let model = match &tree.model {
        Ok(model) => model,
        Err(NoModel::Unwanted) => return Ok(None),
        Err(NoModel::Unusable(why)) => bail!("{why}"),
    };
    let done = tree.encode_in_turn(model)?;
    Ok(Some(Meaning {
        model: model.id().to_owned(),
        with_vectors: done.with_vectors,
        encoded: done.encoded,
        reused: done.reused,
    }))
}

fn history(tree: &Tree) -> anyhow::Result<History> {
    let (work, encoding) = log::index(tree)?;
    Ok(History {
        read: work.read,
        dropped: work.dropped,
        commits: encoding.commits,
        with_vectors: encoding.with_vectors,
        encoded: encoding.encoded,
    })
}

fn print(out: &mut impl Write, summary: &Summary) -> io::Result<()> {
    if let Some(because) = &summary.rebuilt_because {
        writeln!(out, "built anew: {because}")?;
    }
    writeln!(
        out,
        "{}: {} files, {} chunks ({} read, {} parsed, {} indexed, {} removed), {} in {:.2} s",
        summary.root,
        summary.files,
        summary.chunks,
        summary.read,
        summary.parsed,
        summary.indexed,
        summary.removed,
        human(summary.bytes_on_disk),
        summary.took_ms / 1000.0,
    )?;
    if let Some(meaning) = &summary.meaning {
        writeln!(
            out,
            "{} of {} chunks have a vector ({} encoded, {} reused)",
            meaning.with_vectors, summary.chunks, meaning.encoded, meaning.reused,
        )?;
    }
    if let Some(history) = &summary.history {
        writeln!(
            out,
            "{} commits read, {} of {} messages have a vector ({} encoded)",
            history.read, history.with_vectors, history.commits, history.encoded,
        )?;
    }
    if summary.skipped > 0 {
        writeln!(out, "{} skipped: {}", summary.skipped, summary.skipped_by_reason)?;
    }
    Ok(())
}

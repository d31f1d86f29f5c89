//! `wherein export` and `wherein import`: the work of one machine for another.

use std::fs::{self, File};
use std::io::{self, BufReader, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::time::Instant;

use anyhow::Context;
use clap::Args;
use serde::Serialize;
use wherein_engine::index::transfer::{self, Contents};
use wherein_engine::index::vectors::encode::adopt;
use wherein_engine::{Error, Snapshot};

use super::Outcome;
use super::page::PlaceArgs;
use super::status::human;
use super::tree::Tree;

/// What to export.
#[derive(Args, Debug)]
#[command(after_help = "Example:
  wherein index && wherein export index.wherein      # where it is built
  wherein import index.wherein                       # where it is wanted")]
pub struct ExportIndexArgs {
    /// The file to write; '-' for standard output.
    pub file: PathBuf,

    /// The indexed folder; the repository around the current one unless given.
    #[arg(long, value_name = "DIR")]
    pub root: Option<PathBuf>,

    #[command(flatten)]
    pub place: PlaceArgs,
}

/// What to import.
#[derive(Args, Debug)]
#[command(after_help = "Example:
  wherein import index.wherein")]
pub struct ImportArgs {
    /// The file to read.
    pub file: PathBuf,

    /// The folder; the repository around the current one unless given.
    #[arg(long, value_name = "DIR")]
    pub root: Option<PathBuf>,

    /// Print the summary as JSON.
    #[arg(long)]
    pub json: bool,

    #[command(flatten)]
    pub place: PlaceArgs,
}

/// Writes the work that went into the index of a folder, brought up to date first.
pub fn export(args: &ExportIndexArgs) -> anyhow::Result<Outcome> {
    let tree = Tree::around(args.root.as_deref(), &args.place)?;
    tree.refresh_in_turn()?;
    if args.file == Path::new("-") {
        let whole = tree.ask(|opened| {
            let mut whole = Vec::new();
            transfer::export(&opened.snapshot, &tree.settings, &mut whole).map(|_| whole)
        })?;
        io::stdout().write_all(&whole)?;
        return Ok(Outcome::Found);
    }
    let contents = tree.ask(|opened| write(&tree, &opened.snapshot, &args.file))?;
    let size = fs::metadata(&args.file).map_or(0, |metadata| metadata.len());
    let Contents { parses, vectors } = contents;
    let name = args.file.display();
    writeln!(io::stdout(), "{name}: {parses} parses, {vectors} vectors, {}", human(size))?;
    Ok(Outcome::Found)
}

/// Writes a whole file or none.
fn write(tree: &Tree, index: &Snapshot, file: &Path) -> Result<Contents, Error> {
    let mut name = file.file_name().unwrap_or_default().to_owned();
    name.push(".unfinished");
    let unfinished = file.with_file_name(name);
    let failed = |error: io::Error| Error::Transfer(format!("{}: {error}", file.display()));
    let written = File::create(&unfinished)
        .map_err(failed)
        .and_then(|out| transfer::export(index, &tree.settings, BufWriter::new(out)))
        .and_then(|contents| fs::rename(&unfinished, file).map(|()| contents).map_err(failed));
    if written.is_err() {
        let _ = fs::remove_file(&unfinished);
    }
    written
}

#[derive(Serialize)]
struct Summary {
    files: usize,
    parses_in_file: usize,
    vectors_in_file: usize,
    parsed_here: usize,
    encoded_here: usize,
    vectors_reused: usize,
    /// Why the vectors are of no use here, if they are not.
    vectors_unused_because: Option<String>,
    took_ms: f64,
}

/// Takes over exported work and indexes the folder with it.
pub fn import(args: &ImportArgs) -> anyhow::Result<Outcome> {
    let started = Instant::now();
    let tree = Tree::around(args.root.as_deref(), &args.place)?;
    let file = File::open(&args.file);
    let file = file.with_context(|| format!("cannot open {}", args.file.display()))?;
    let (contents, rows) = transfer::import(&tree.place, BufReader::new(file))?;
    let work = tree.refresh_in_turn()?;
    let (mut summary, theirs) = (
        Summary {
            files: Snapshot::open(&tree.place)?.manifest.files.len(),
            parses_in_file: contents.parses,
            vectors_in_file: contents.vectors,
            parsed_here: work.parsed,
            encoded_here: 0,
            vectors_reused: 0,
            vectors_unused_because: None,
            took_ms: 0.0,
        },
        rows.model.clone(),
    );
    match &tree.model {
        _ if contents.vectors == 0 => {}
        Ok(model) if model.id() == theirs => {
            adopt(&tree.place, model, rows)?;
            let done = tree.encode_in_turn(model)?;
            (summary.encoded_here, summary.vectors_reused) = (done.encoded, done.reused);
        }
        Ok(model) => {
            let because = format!("they are of the model {theirs:?}, not of {:?}", model.id());
            summary.vectors_unused_because = Some(because);
        }
        Err(reason) => summary.vectors_unused_because = Some(reason.reason().to_owned()),
    }
    summary.took_ms = started.elapsed().as_secs_f64() * 1e3;
    tell(&summary, args.json)
}

fn tell(summary: &Summary, json: bool) -> anyhow::Result<Outcome> {
    let mut out = io::stdout().lock();
    if json {
        writeln!(out, "{}", serde_json::to_string(summary)?)?;
        return Ok(Outcome::Found);
    }
    writeln!(
        out,
        "{} files indexed: {} parsed here, {} vectors reused, {} encoded here, in {:.2} s",
        summary.files,
        summary.parsed_here,
        summary.vectors_reused,
        summary.encoded_here,
        summary.took_ms / 1e3
    )?;
    if let Some(because) = &summary.vectors_unused_because {
        writeln!(out, "the vectors in the file are of no use here: {because}")?;
    }
    Ok(Outcome::Found)
}

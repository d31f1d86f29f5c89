//! `wherein status`: what is indexed, how fresh, what was skipped and why.

use std::collections::BTreeMap;
use std::fmt;
use std::io::{self, Write};
use std::path::PathBuf;

use anyhow::Context;
use clap::Args;
use serde::Serialize;
use utoipa::ToSchema;
use wherein_encoder::Model;
use wherein_engine::index::manifest::Manifest;
use wherein_engine::index::vectors::Vectors;
use wherein_engine::index::vectors::encode::covered;
use wherein_engine::index::vectors::list::List;
use wherein_engine::search::answer::Certificate;
use wherein_engine::{Error, Snapshot, TreePlace};

use super::Outcome;
use super::output::visible::Visible;
use super::page::PlaceArgs;
use super::tree::Tree;

/// What to report on.
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  wherein status
  wherein status --skipped                      # every file that is not searched, and why")]
pub struct StatusArgs {
    /// The folder; the repository around the current folder unless given.
    pub dir: Option<PathBuf>,

    /// List every skipped file with its reason.
    #[arg(long)]
    pub skipped: bool,

    /// Print as JSON, skipped files included.
    #[arg(long)]
    pub json: bool,

    #[command(flatten)]
    pub place: PlaceArgs,
}

/// How many files were skipped for each reason.
#[derive(Serialize, ToSchema)]
#[serde(transparent)]
#[schema(value_type = BTreeMap<String, usize>)]
pub struct Skips(BTreeMap<&'static str, usize>);

impl Skips {
    pub fn of(manifest: &Manifest) -> Skips {
        let mut counts = BTreeMap::new();
        for skipped in &manifest.skipped {
            *counts.entry(skipped.reason.label()).or_default() += 1;
        }
        Skips(counts)
    }
}

impl fmt::Display for Skips {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let counts: Vec<String> =
            self.0.iter().map(|(reason, n)| format!("{n} {reason}")).collect();
        f.write_str(&counts.join(", "))
    }
}

/// The state of an index.
#[derive(Serialize, ToSchema)]
pub struct Status {
    /// What is indexed.
    pub index: Certificate,
    /// Whether that is what is on disk.
    pub fresh: bool,
    /// Chunks that can be found by their meaning.
    pub with_vectors: u64,
    /// The model's id.
    pub model: Option<String>,
    /// Why there is none.
    pub model_off_because: Option<String>,
    /// Where the index is kept.
    pub folder: String,
    /// What it takes there.
    pub bytes_on_disk: u64,
    /// Files of each language.
    pub languages: BTreeMap<String, usize>,
    /// How many files were skipped for each reason.
    pub skipped_by_reason: Skips,
    /// Which files.
    pub skipped_files: Vec<SkippedFile>,
}

/// A file that was left out.
#[derive(Serialize, ToSchema)]
pub struct SkippedFile {
    /// Relative to the root.
    pub path: String,
    /// Why.
    pub reason: String,
}

/// Reports on an index without changing it.
pub fn run(args: &StatusArgs) -> anyhow::Result<Outcome> {
    let tree = Tree::around(args.dir.as_deref(), &args.place)?;
    let snapshot = match Snapshot::open(&tree.place) {
        Ok(snapshot) => snapshot,
        Err(Error::Missing(root)) => {
            if args.json {
                let root = serde_json::to_string(&root.to_string_lossy())?;
                writeln!(io::stdout(), "{{\"index\":null,\"root\":{root}}}")?;
            } else {
                writeln!(
                    io::stdout(),
                    "{} is not indexed yet; the first question or 'wherein index' does it",
                    root.display()
                )?;
            }
            return Ok(Outcome::Nothing);
        }
        Err(error) => return Err(error).context("the next question builds it anew"),
    };
    let manifest = &snapshot.manifest;
    let fresh = manifest.settings == tree.settings.digest() && tree.place.source.is_fresh(manifest);
    let status = status(&tree, manifest, fresh);
    if args.json {
        writeln!(io::stdout(), "{}", serde_json::to_string(&status)?)?;
    } else {
        print(&mut Visible(io::stdout().lock()), &status, args.skipped)?;
    }
    Ok(Outcome::Found)
}

/// What there is to say of an index that is known to be fresh or not.
pub fn status(tree: &Tree, manifest: &Manifest, fresh: bool) -> Status {
    let mut languages = BTreeMap::new();
    for file in &manifest.files {
        *languages.entry(file.language.clone()).or_default() += 1;
    }
    let mut index = Certificate::of(manifest);
    index.complete = fresh;
    let (model, model_off_because) = match &tree.model {
        Ok(model) => (Some(model.id().to_owned()), None),
        Err(reason) => (None, Some(reason.reason().to_owned())),
    };
    Status {
        index,
        fresh,
        with_vectors: with_vectors(tree, manifest),
        model,
        model_off_because,
        folder: tree.place.folder.display().to_string(),
        bytes_on_disk: folder_size(&tree.place, manifest),
        languages,
        skipped_by_reason: Skips::of(manifest),
        skipped_files: manifest
            .skipped
            .iter()
            .map(|skipped| SkippedFile {
                path: skipped.path.clone(),
                reason: skipped.reason.to_string(),
            })
            .collect(),
    }
}

fn print(out: &mut impl Write, status: &Status, list_skipped: bool) -> io::Result<()> {
    let index = &status.index;
    writeln!(out, "{}", index.root)?;
    let state =
        if status.fresh { "up to date" } else { "out of date; the next question refreshes it" };
    writeln!(out, "  {} files, {} chunks, {state}", index.files, index.chunks)?;
    if let Some(commit) = &index.commit {
        let dirty = index
            .dirty_files
            .map_or("unknown changes".to_owned(), |n| format!("{n} changed files"));
        writeln!(out, "  commit {} with {dirty}", &commit[..commit.len().min(12)])?;
    }
    match (&status.model, &status.model_off_because) {
        (Some(model), _) => writeln!(
            out,
            "  {} of {} chunks have a vector (model {model})",
            status.with_vectors, index.chunks
        )?,
        (None, reason) => {
            writeln!(out, "  searched by words only: {}", reason.as_deref().unwrap_or("no model"))?
        }
    }
    writeln!(out, "  {} in {}", human(status.bytes_on_disk), status.folder)?;
    let mut languages: Vec<_> = status.languages.iter().collect();
    languages.sort_by_key(|(name, count)| (std::cmp::Reverse(**count), name.as_str()));
    let languages: Vec<String> =
        languages.iter().map(|(name, count)| format!("{count} {name}")).collect();
    writeln!(out, "  languages: {}", languages.join(", "))?;
    if index.skipped > 0 {
        writeln!(out, "  skipped {}: {}", index.skipped, status.skipped_by_reason)?;
    }
    if list_skipped {
        for file in &status.skipped_files {
            writeln!(out, "    {}: {}", file.path, file.reason)?;
        }
    } else if index.skipped > 0 {
        writeln!(out, "  (--skipped lists them)")?;
    }
    Ok(())
}

fn with_vectors(tree: &Tree, manifest: &Manifest) -> u64 {
    let model = tree.model.as_ref().ok().map(Model::id);
    match Vectors::open(&tree.place) {
        Ok(vectors) if model == Some(vectors.list.model.as_str()) => covered(manifest, &vectors),
        _ => 0,
    }
}

/// What the index of a tree takes on disk, the packs it points into counted whole.
pub fn folder_size(place: &TreePlace, manifest: &Manifest) -> u64 {
    let size =
        |path: std::path::PathBuf| std::fs::metadata(path).map_or(0, |metadata| metadata.len());
    let segments: u64 =
        manifest.seals.iter().map(|seal| size(place.segments().join(&seal.name))).sum();
    let packs: u64 =
        manifest.packs.iter().map(|pack| size(place.store.parsed().join(&pack.name))).sum();
    let list = List::load(place);
    let vectors: u64 = list.files().map(|file| size(place.vectors().join(&file.name))).sum();
    let graph = manifest.links.iter().chain(&manifest.symbols);
    let graph: u64 = graph.map(|seal| size(place.graph().join(&seal.name))).sum();
    segments + packs + vectors + graph + size(place.manifest())
}

/// Bytes for people.
pub fn human(bytes: u64) -> String {
    match bytes {
        0..1_000 => format!("{bytes} B"),
        1_000..1_000_000 => format!("{:.1} kB", bytes as f64 / 1e3),
        _ => format!("{:.1} MB", bytes as f64 / 1e6),
    }
}

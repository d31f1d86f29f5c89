//! `wherein show PATH[:LINE]`: the chunks and symbols of a file.

use std::io::{self, Write};

use clap::Args;
use serde::Serialize;
use wherein_corpus::{Chunk, Language, Parsed, Symbol};
use wherein_engine::index::manifest::FileEntry;
use wherein_engine::search::secrets::redact;

use super::Outcome;
use super::output::visible::Visible;
use super::page::TreeArgs;
use super::target;
use super::tree::Tree;

/// What to show.
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  wherein show src/upload.rs
  wherein show src/upload.rs:120 --json")]
pub struct ShowArgs {
    /// A file, and perhaps a line: PATH or PATH:LINE.
    #[arg(value_name = "PATH[:LINE]")]
    pub target: String,

    #[command(flatten)]
    pub tree: TreeArgs,
}

#[derive(Serialize)]
struct Shown {
    path: String,
    language: String,
    note: Option<String>,
    chunks: Vec<ShownChunk>,
    symbols: Vec<ShownSymbol>,
    imports: Vec<String>,
}

#[derive(Serialize)]
struct ShownChunk {
    start_line: u32,
    end_line: u32,
    symbol: Option<String>,
}

#[derive(Serialize)]
struct ShownSymbol {
    name: String,
    kind: &'static str,
    start_line: u32,
    end_line: u32,
    signature: String,
    doc: String,
}

/// Shows a file, or the part of it around a line.
pub fn run(args: &ShowArgs) -> anyhow::Result<Outcome> {
    let (path, line) = target::split(&args.target);
    let tree = Tree::around(args.tree.root.as_deref(), &args.tree.place)?;
    let snapshot = tree.open()?.snapshot;
    let file = snapshot.indexed(&target::relative(&tree.place.root, path)?)?;
    let parsed = snapshot.parsed(file)?;
    let shown = shown(file, &parsed, line);
    if shown.chunks.is_empty() && shown.symbols.is_empty() {
        let _ = writeln!(io::stderr(), "wherein: nothing stands at {}", args.target);
        return Ok(Outcome::Nothing);
    }
    if args.tree.json {
        writeln!(io::stdout(), "{}", serde_json::to_string(&shown)?)?;
    } else {
        print(&mut Visible(io::stdout().lock()), &shown)?;
    }
    Ok(Outcome::Found)
}

fn shown(file: &FileEntry, parsed: &Parsed, line: Option<u32>) -> Shown {
    let separator = Language::named(&file.language).map_or(".", |language| language.separator);
    let within = |start: u32, end: u32| line.is_none_or(|line| (start..=end).contains(&line));
    let chunk = |chunk: &Chunk| ShownChunk {
        start_line: chunk.start_line,
        end_line: chunk.end_line,
        symbol: chunk.subject(&parsed.symbols).map(|symbol| symbol.qualified(separator)),
    };
    let symbol = |symbol: &Symbol| ShownSymbol {
        name: symbol.qualified(separator),
        kind: symbol.kind.name(),
        start_line: symbol.start_line,
        end_line: symbol.end_line,
        signature: redact(&symbol.signature).into_owned(),
        doc: redact(&symbol.doc).into_owned(),
    };
    Shown {
        path: file.path.clone(),
        language: file.language.clone(),
        note: parsed.note.clone(),
        chunks: parsed
            .chunks
            .iter()
            .filter(|c| within(c.start_line, c.end_line))
            .map(chunk)
            .collect(),
        symbols: parsed
            .symbols
            .iter()
            .filter(|s| within(s.start_line, s.end_line))
            .map(symbol)
            .collect(),
        imports: match line {
            None => parsed.imports.iter().map(|import| import.source.clone()).collect(),
            Some(_) => Vec::new(),
        },
    }
}

fn print(out: &mut impl Write, shown: &Shown) -> io::Result<()> {
    writeln!(out, "{} ({})", shown.path, shown.language)?;
    if let Some(note) = &shown.note {
        writeln!(out, "note: {note}")?;
    }
    writeln!(out, "chunks:")?;
    for chunk in &shown.chunks {
        writeln!(
            out,
            "  {}-{} {}",
            chunk.start_line,
            chunk.end_line,
            chunk.symbol.as_deref().unwrap_or("")
        )?;
    }
    writeln!(out, "symbols:")?;
    for symbol in &shown.symbols {
        writeln!(
            out,
            "  {}-{} {} {}",
            symbol.start_line, symbol.end_line, symbol.kind, symbol.name
        )?;
    }
    if !shown.imports.is_empty() {
        writeln!(out, "imports: {}", shown.imports.join(", "))?;
    }
    Ok(())
}

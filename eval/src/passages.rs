//! What of a tree is encoded, as the tokens that the model reads. Training reads it, so that a model
//! learns from the very passages that it will be asked about.
//!
//! In: a tree. Out: JSON lines, in the order of paths and chunks.

use std::io::Write;
use std::path::Path;

use rayon::prelude::*;
use serde::Serialize;
use wherein_corpus::{ChunkSize, Found, Lines, WalkSettings};
use wherein_encoder::{Bert, GLANCE, built_in};
use wherein_engine::index::vectors::passage::Passage;

use crate::error::{Error, Result};

/// A passage of a chunk; a long chunk has two.
#[derive(Debug, PartialEq, Eq, Serialize)]
struct Read {
    path: String,
    start_line: u32,
    end_line: u32,
    /// The numbers of its tokens.
    ids: Vec<u32>,
}

/// Writes the passages of the tree at `root`.
pub fn write(root: &Path, out: &mut dyn Write) -> Result<()> {
    let bert = built_in().map_err(|error| Error::read(root)(std::io::Error::other(error)))?;
    let settings = WalkSettings::default();
    let walk = wherein_corpus::walk(root, &settings).map_err(Error::read(root))?;
    let read = |found: &Found| of_file(&bert, root, found, settings.max_file_size);
    let passages: Vec<Vec<Read>> = walk.files.par_iter().map(read).collect();
    for passage in passages.iter().flatten() {
        let line = serde_json::to_string(passage).map_err(std::io::Error::other);
        let written = line.and_then(|line| writeln!(out, "{line}"));
        written.map_err(Error::read(Path::new("standard output")))?;
    }
    Ok(())
}

fn of_file(bert: &Bert, root: &Path, found: &Found, most: u64) -> Vec<Read> {
    // A file that cannot be read has nothing to teach.
    let Ok(text) = wherein_corpus::read(&root.join(&found.path), most) else { return Vec::new() };
    let lines = Lines::of(&text.text);
    let parsed = wherein_corpus::parse(&lines, found.language, ChunkSize::default());
    let mut passages = Vec::new();
    for chunk in &parsed.chunks {
        let all = Passage::all_of(&found.path, found.language, &parsed, chunk, &lines);
        passages.extend(all.iter().map(|passage| Read {
            path: found.path.clone(),
            start_line: chunk.start_line,
            end_line: chunk.end_line,
            ids: bert.glanced(&passage.text, GLANCE),
        }));
    }
    passages
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tree_is_written_as_the_model_reads_it() {
        let tree = tempfile::tempdir().unwrap();
        let long: String = (0..40).map(|n| format!("    step_{n}();\n")).collect();
        std::fs::write(tree.path().join("a.rs"), format!("fn run() {{\n{long}}}\n")).unwrap();
        std::fs::write(tree.path().join("b.md"), "# Guide\n\nHow to run.\n").unwrap();
        let mut out = Vec::new();
        write(tree.path(), &mut out).unwrap();
        let lines = String::from_utf8(out).unwrap();
        let seen: Vec<serde_json::Value> =
            lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        let places: Vec<_> =
            seen.iter().map(|it| (it["path"].as_str().unwrap(), it["end_line"].as_u64())).collect();
        assert_eq!(places, [("a.rs", Some(42)), ("a.rs", Some(42)), ("b.md", Some(3))]);
        let length = |n: usize| seen[n]["ids"].as_array().unwrap().len();
        assert_eq!((length(0), length(1)), (GLANCE.told, GLANCE.told), "both are longer than that");
        // [CLS] # guide how to run . [SEP]
        assert_eq!(length(2), 8);
    }
}

//! What of a tree is encoded, as the tokens that the model reads. Training reads it, so that a model
//! learns from the very passages that it will be asked about.
//!
//! In: a tree. Out: JSON lines, in the order of paths and chunks.

use std::io::Write;
use std::path::Path;

use serde::Serialize;
use wherein_corpus::{Chunk, ChunkSize, Language, Lines};
use wherein_encoder::{Bert, GLANCE, built_in};
use wherein_engine::index::vectors::passage::Passage;

use crate::error::{Error, Result};
use crate::pairs::write_each;

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
    write_each(root, out, |path, language, text| of_text(&bert, path, language, text))
}

fn of_text(bert: &Bert, path: &str, language: &'static Language, text: &str) -> Vec<Read> {
    let lines = Lines::of(text);
    let parsed = wherein_corpus::parse(&lines, language, ChunkSize::default());
    let of_chunk = |chunk: &Chunk| -> Vec<Read> {
        let all = Passage::all_of(path, language, &parsed, chunk, &lines);
        let read = |passage: &Passage| Read {
            path: path.to_owned(),
            start_line: chunk.start_line,
            end_line: chunk.end_line,
            ids: bert.glanced(&passage.text, GLANCE),
        };
        all.iter().map(read).collect()
    };
    parsed.chunks.iter().flat_map(of_chunk).collect()
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
        let glance = GLANCE.head..=GLANCE.told;
        assert!(glance.contains(&length(0)), "a long one is read at a glance: {}", length(0));
        assert_ne!(seen[0]["ids"], seen[1]["ids"], "then its second half");
        // [CLS] # guide how to run . [SEP]
        assert_eq!(length(2), 8);
    }
}

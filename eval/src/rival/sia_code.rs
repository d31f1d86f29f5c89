//! sia-code: `sia-code search --format json`, with an index made anew in a folder of ours.
//!
//! Two rivals: its lexical search, which its authors publish figures for and which needs no
//! model, and the hybrid one it has by default. Its text and table forms are wrapped at the width
//! of a terminal; only JSON is read.

use std::fs;
use std::path::Path;

use serde::Deserialize;
use wherein_engine::search::query::Query;

use super::Tree;
use super::call::{Call, Outcome, failed};
use super::json;
use super::listing::{page, pool, relative};
use crate::error::{Error, Result};
use crate::searcher::{Hit, Searcher};

/// Indexes words only.
pub fn open_lexical(tree: Tree) -> Result<Box<dyn Searcher>> {
    open(SiaCode { tree, how: How::Lexical })
}

/// Indexes with the model that it is set up with.
pub fn open_hybrid(tree: Tree) -> Result<Box<dyn Searcher>> {
    open(SiaCode { tree, how: How::Hybrid })
}

fn open(sia: SiaCode) -> Result<Box<dyn Searcher>> {
    let index = sia.tree.folder.join(INDEX);
    if index.exists() {
        fs::remove_dir_all(&index).map_err(Error::write(&index))?;
    }
    sia.call().arg("init").succeed()?;
    if sia.how == How::Lexical {
        sia.call().args(["config", "set", "embedding.enabled", "false"]).succeed()?;
    }
    let indexed = sia.call().patient().args(["index", "--no-git-sync", "."]).succeed()?;
    complete(&indexed)?;
    Ok(Box::new(sia))
}

const INDEX: &str = "index";

#[derive(Clone, Copy, PartialEq, Eq)]
enum How {
    Lexical,
    Hybrid,
}

struct SiaCode {
    tree: Tree,
    how: How,
}

impl SiaCode {
    fn call(&self) -> Call {
        let index = self.tree.folder.join(INDEX);
        Call::new("sia-code").within(&self.tree.root).env("SIA_CODE_INDEX_DIR", index)
    }
}

impl Searcher for SiaCode {
    fn search(&self, query: &Query) -> Result<Vec<Hit>> {
        let words = (self.how == How::Lexical).then_some("--regex");
        let call = self.call().args(["search", "--format", "json", "--no-deps"]).args(words);
        let call = call.args(["--limit", &pool(query).to_string(), "--"]);
        let outcome = call.text(&plain(&query.text)).succeed()?;
        Ok(page(hits(&outcome, &self.tree.root)?, query))
    }
}

/// It hands words to a language in which these are operators, and stops if they stand alone.
fn plain(question: &str) -> String {
    let word = |word: &str| match word.trim_end_matches(|c: char| !c.is_alphanumeric()) {
        "AND" | "OR" | "NOT" | "NEAR" => word.to_lowercase(),
        _ => word.to_owned(),
    };
    let words = question.split_inclusive(|c: char| !c.is_alphanumeric() && c != '_');
    words.map(word).collect()
}

/// A file that could not be indexed is only a warning to it, with exit code 0. Measuring the rest
/// would be no measure of the tool.
fn complete(indexed: &Outcome) -> Result<()> {
    let said = String::from_utf8_lossy(&indexed.out).into_owned() + &indexed.err;
    match said.split_once("Unexpected error: ") {
        Some((_, reason)) => {
            let reason: Vec<&str> = reason.split_whitespace().take(20).collect();
            Err(failed("sia-code", &format!("files were not indexed: {}", reason.join(" "))))
        }
        None => Ok(()),
    }
}

#[derive(Deserialize)]
struct Answer {
    results: Vec<Found>,
}

#[derive(Deserialize)]
struct Found {
    chunk: Chunk,
}

#[derive(Deserialize)]
struct Chunk {
    file_path: String,
    start_line: u32,
    end_line: u32,
    #[serde(default)]
    code: String,
}

fn hits(outcome: &Outcome, root: &Path) -> Result<Vec<Hit>> {
    let hit = |Found { chunk }| Hit {
        path: relative(&chunk.file_path, root),
        lines: Some((chunk.start_line, chunk.end_line)),
        bytes: chunk.code.len(),
    };
    let answer: Answer = json::read("sia-code", &outcome.out)?;
    Ok(answer.results.into_iter().map(hit).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rival::samples::{check, check_outcome, labels, said};

    const FOUND: &str = r#"{
  "query": "q",
  "mode": "lexical",
  "results": [
    {
      "chunk": {
        "symbol": "retry", "start_line": 121, "end_line": 164, "code": "fn a",
        "chunk_type": "function", "language": "rust", "file_path": "/t/src/deep/down/a.rs",
        "file_id": null, "id": "70", "parent_header": null, "metadata": {}
      },
      "score": 0.085, "snippet": null, "highlights": []
    },
    {"chunk": {"file_path": "/t/b.md", "start_line": 1, "end_line": 2}, "score": 0.01}
  ]
}"#;

    #[test]
    fn answers_are_read() {
        let expected = "src/deep/down/a.rs:121-164=4 b.md:1-2=0";
        let wrapped = FOUND.replace("/t/src/deep/down/a.rs", "/t/src/deep\n/down/a.rs");
        let noticed = format!("Multi-repo: searching across 2 repos\n{FOUND}");
        let nothing = "{\n  \"query\": \"q\",\n  \"mode\": \"lexical\",\n  \"results\": []\n}\n";
        check_outcome(|outcome| hits(outcome, Path::new("/t")).map(labels))
            .gives(said(0, FOUND, ""), expected)
            .gives(said(0, &wrapped, ""), expected)
            .gives(said(0, &noticed, "WARNING - sqlite-vec extension not available"), expected)
            .gives(said(0, nothing, ""), "")
            .fails(
                said(0, "Error: Sia Code not initialized. Run 'sia-code init' first.\n", ""),
                "sia-code failed: its output cannot be read: no JSON in 'Error: Sia Code not \
                 initialized. Run 'sia-code init' first.'",
            );
    }

    #[test]
    fn an_index_with_gaps_is_a_failure() {
        let gaps = "Warnings:\n  /t/a.rs: Unexpected error: Client error: \nServerError: No module \
            named 'sentence_transformers'\n";
        check_outcome(|outcome| complete(outcome).map(|()| "whole"))
            .gives(said(0, "Indexing: a.rs 1/1\nDuration: 1.7s\n", ""), "whole")
            .fails(
                said(0, gaps, ""),
                "sia-code failed: files were not indexed: Client error: ServerError: No module \
                 named 'sentence_transformers'",
            );
    }

    #[test]
    fn operators_are_only_words() {
        assert_eq!(plain("a AND b, NOT(c) OR"), "a and b, not(c) or");
        assert_eq!(plain("NOTE ANDROID x_AND And é"), "NOTE ANDROID x_AND And é");
    }

    #[test]
    fn the_real_sia_code_finds_words() {
        let files = [
            ("src/retry.py", "def retry_request():\n    \"\"\"Retries.\"\"\"\n    return 1\n"),
            ("src/other.py", "def other():\n    return 2\n"),
        ];
        check("sia-code", &files)
            .finds_first("retry_request AND backoff", "src/retry.py")
            .finds("nowhere", "");
    }
}

//! semble: `semble search --format json`, its own index in a cache that we place.
//!
//! It has content types of its own for code and documentation; its default, and what its authors
//! publish figures for, is `--scope code`.

use std::collections::HashSet;
use std::path::Path;
use std::sync::{Mutex, PoisonError};

use serde::Deserialize;
use wherein_engine::search::query::{Query, Scope};

use super::Tree;
use super::call::{Call, Outcome, failed};
use super::json;
use super::listing::{page, pool, relative};
use crate::error::Result;
use crate::searcher::{Hit, Searcher};

/// The index is made by the first question of each scope.
pub fn open(tree: Tree) -> Result<Box<dyn Searcher>> {
    Ok(Box::new(Semble { tree, indexed: Mutex::default() }))
}

struct Semble {
    tree: Tree,
    /// The content types that have an index. Two that write it at once would spoil it.
    indexed: Mutex<HashSet<&'static str>>,
}

impl Searcher for Semble {
    fn search(&self, query: &Query) -> Result<Vec<Hit>> {
        let content = content(query.scope);
        self.index(content)?;
        let outcome = self.ask(&query.text, content, pool(query)).run()?;
        // Its own content types are the scope.
        Ok(page(hits(&outcome, &self.tree.root)?, &Query { scope: Scope::All, ..query.clone() }))
    }
}

impl Semble {
    /// There is no command for it: a question is asked, and its answer left aside.
    fn index(&self, content: &'static str) -> Result<()> {
        let mut indexed = self.indexed.lock().unwrap_or_else(PoisonError::into_inner);
        if !indexed.contains(content) {
            hits(&self.ask("index", content, 1).patient().run()?, &self.tree.root)?;
            indexed.insert(content);
        }
        Ok(())
    }

    fn ask(&self, question: &str, content: &str, most: usize) -> Call {
        Call::new("semble")
            .env("SEMBLE_CACHE_LOCATION", &self.tree.folder)
            .args(["search", "--format", "json", "--content", content, "--top-k"])
            .arg(most.to_string())
            .arg("--")
            .text(question)
            .arg(&self.tree.root)
    }
}

fn content(scope: Scope) -> &'static str {
    match scope {
        Scope::Code => "code",
        Scope::Docs => "docs",
        Scope::All => "all",
    }
}

#[derive(Deserialize)]
#[serde(untagged)]
enum Answer {
    Results { results: Vec<Found> },
    Error { error: String },
}

#[derive(Deserialize)]
struct Found {
    file_path: String,
    start_line: u32,
    end_line: u32,
    #[serde(default)]
    content: String,
}

/// A tree without a file of the content type is refused; that it holds no answer is an answer.
fn hits(outcome: &Outcome, root: &Path) -> Result<Vec<Hit>> {
    if outcome.err.contains("No supported files found") {
        return Ok(Vec::new());
    }
    if outcome.code != Some(0) {
        return Err(outcome.failure("semble"));
    }
    let hit = |found: Found| Hit {
        path: relative(&found.file_path, root),
        lines: Some((found.start_line, found.end_line)),
        bytes: found.content.len(),
    };
    match json::read("semble", &outcome.out)? {
        Answer::Results { results } => Ok(results.into_iter().map(hit).collect()),
        Answer::Error { error } if error.starts_with("No results") => Ok(Vec::new()),
        Answer::Error { error } => Err(failed("semble", &error)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rival::samples::{check_outcome, labels, said};

    const FOUND: &str = r#"{"query": "q", "results": [
        {"file_path": "src/a.rs", "start_line": 7, "end_line": 19, "score": 0.02, "content": "fn a"},
        {"file_path": "/t/src/b.rs", "start_line": 1, "end_line": 2, "score": 0.01}]}"#;

    #[test]
    fn answers_are_read() {
        let wrapped = FOUND.replace("src/a.rs", "src\n/a.\nrs");
        let noticed = format!("Fetching 4 files: 100%\n{FOUND}\n");
        check_outcome(|outcome| hits(outcome, Path::new("/t")).map(labels))
            .gives(said(0, FOUND, ""), "src/a.rs:7-19=4 src/b.rs:1-2=0")
            .gives(said(0, &wrapped, "WARNING: slow"), "src/a.rs:7-19=4 src/b.rs:1-2=0")
            .gives(said(0, &noticed, ""), "src/a.rs:7-19=4 src/b.rs:1-2=0")
            .gives(said(0, "{\"error\": \"No results found.\"}\n", ""), "")
            .gives(said(1, "", "ValueError: No supported files found under /t.\n"), "")
            .fails(said(0, "{\"error\": \"out of memory\"}", ""), "semble failed: out of memory")
            .fails(
                said(1, "", "Traceback (most recent call last):\n  File\nOSError: no model\n"),
                "semble failed: OSError: no model (exit code 1)",
            )
            .fails(
                said(0, "src/a.rs:7-19\n", ""),
                "semble failed: its output cannot be read: no JSON in 'src/a.rs:7-19'",
            );
    }
}

//! probe: `probe search --format json`. It has no index.
//!
//! It prints its results by path; they are put in the order of their scores. It merges those that
//! stand close together after it has counted them, so more are asked for than wanted: of
//! octocode's code questions, Hit@5 is .781 with ten times as many, .750 with three times, and
//! .594 unmerged. The question is read by its own query language, in which a minus or a colon may
//! mean something.

use std::path::Path;

use serde::Deserialize;
use wherein_engine::search::query::Query;

use super::Tree;
use super::call::{Call, Outcome};
use super::json;
use super::listing::{SPARE, page, relative};
use crate::error::Result;
use crate::searcher::{Hit, Searcher};

/// There is nothing to prepare.
pub fn open(tree: Tree) -> Result<Box<dyn Searcher>> {
    Ok(Box::new(Probe { tree }))
}

struct Probe {
    tree: Tree,
}

impl Searcher for Probe {
    fn search(&self, query: &Query) -> Result<Vec<Hit>> {
        if query.text.trim().is_empty() {
            return Ok(Vec::new());
        }
        let call = Call::new("probe").args(["search", "--format", "json"]);
        let most = query.limit * SPARE;
        let call = call.args(["--timeout", "110", "--max-results", &most.to_string()]);
        let outcome = call.arg("--").text(&query.text).arg(&self.tree.root).succeed()?;
        Ok(page(hits(&outcome, &self.tree.root)?, query))
    }
}

#[derive(Deserialize)]
struct Answer {
    results: Vec<Found>,
}

#[derive(Deserialize)]
struct Found {
    file: String,
    lines: (u32, u32),
    #[serde(default)]
    code: String,
    score: Option<f64>,
}

fn hits(outcome: &Outcome, root: &Path) -> Result<Vec<Hit>> {
    let mut results = json::read::<Answer>("probe", &outcome.out)?.results;
    let score = |found: &Found| found.score.unwrap_or(f64::NEG_INFINITY);
    results.sort_by(|a, b| score(b).total_cmp(&score(a)));
    let hit = |found: Found| Hit {
        path: relative(&found.file, root),
        lines: Some(found.lines),
        bytes: found.code.len(),
    };
    Ok(results.into_iter().map(hit).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rival::samples::{check, check_outcome, labels, said};

    const FOUND: &str = r#"{
  "limits": {"max_results": 3},
  "results": [
    {"file": "/t/a.rs", "lines": [3, 9], "node_type": "function_item", "code": "fn a", "score": 1.5},
    {"file": "/t/b.rs", "lines": [1, 2], "node_type": "function_item", "code": "", "score": null},
    {"file": "/t/c.md", "lines": [4, 4], "code": "words", "score": 20.25, "is_doc": true}
  ],
  "skipped_files": [{"file": "/t/d.rs", "uniq": 1, "all": 1}],
  "summary": {"count": 3, "total_bytes": 9, "total_tokens": 3},
  "version": "0.6.0"
}"#;
    const NOTHING: &str = "Failed to parse query as AST expression\n\
        {\n  \"results\": [],\n  \"summary\": {\"count\": 0}\n}\n";

    #[test]
    fn answers_are_read_in_the_order_of_scores() {
        let notice = "Using BM25 ranking (Okapi BM25 algorithm)\n";
        let wrapped = FOUND.replace("/t/a.rs", "/t\n/a.rs");
        check_outcome(|outcome| hits(outcome, Path::new("/t")).map(labels))
            .gives(said(0, FOUND, notice), "c.md:4-4=5 a.rs:3-9=4 b.rs:1-2=0")
            .gives(said(0, &wrapped, ""), "c.md:4-4=5 a.rs:3-9=4 b.rs:1-2=0")
            .gives(said(0, NOTHING, notice), "")
            .fails(
                said(0, "No results found.\n", ""),
                "probe failed: its output cannot be read: no JSON in 'No results found.'",
            );
    }

    #[test]
    fn the_real_probe_ranks_by_score() {
        let files = [
            ("a.rs", "fn other() {\n    let x = request();\n}\n"),
            ("z.rs", "/// Retries a request.\nfn retry_request() {\n    request();\n}\n"),
        ];
        check("probe", &files).finds("retry request", "z.rs:1-4 a.rs:1-3").finds("nowhere", "");
    }
}

//! octocode: `octocode search --format json`, after `octocode index`.
//!
//! Models, keys, the number of results (20 unless set) and the place of its index come from its
//! own configuration: to move them would be to measure another set-up than the user's. It counts
//! the lines of code and documentation from 0 and those of other text from 1; here all count
//! from 1. Over everything it gives a list a kind, merged here by the distance that ranks each.

use std::path::Path;

use serde::Deserialize;
use wherein_engine::search::query::{Query, Scope};

use super::Tree;
use super::call::{Call, Outcome};
use super::json;
use super::listing::{page, relative};
use crate::error::Result;
use crate::searcher::{Hit, Searcher};

/// Brings its index up to date. The trees of benchmarks need not be repositories.
pub fn open(tree: Tree) -> Result<Box<dyn Searcher>> {
    let call = Call::new("octocode").within(&tree.root).patient();
    call.args(["index", "--no-git"]).succeed()?;
    Ok(Box::new(Octocode { tree }))
}

struct Octocode {
    tree: Tree,
}

/// It refuses questions with fewer bytes, and with more.
const SHORTEST: usize = 3;
const LONGEST: usize = 500;

impl Searcher for Octocode {
    fn search(&self, query: &Query) -> Result<Vec<Hit>> {
        let question = cut(query.text.trim());
        if question.len() < SHORTEST {
            return Ok(Vec::new());
        }
        let call = Call::new("octocode").within(&self.tree.root).args(["search", "--format"]);
        let call = call.args(["json", "--mode", mode(query.scope), "--"]);
        let outcome = call.text(question).succeed()?;
        // Its own mode is the scope.
        Ok(page(hits(&outcome, &self.tree.root)?, &Query { scope: Scope::All, ..query.clone() }))
    }
}

fn cut(question: &str) -> &str {
    &question[..question.floor_char_boundary(LONGEST)]
}

fn mode(scope: Scope) -> &'static str {
    match scope {
        Scope::Code => "code",
        Scope::Docs => "docs",
        Scope::All => "all",
    }
}

#[derive(Deserialize)]
#[serde(untagged)]
enum Answer {
    One(Vec<Block>),
    Three { code_blocks: Vec<Block>, document_blocks: Vec<Block>, text_blocks: Vec<Block> },
}

#[derive(Deserialize)]
struct Block {
    path: String,
    start_line: u32,
    end_line: u32,
    #[serde(default)]
    content: String,
    distance: Option<f64>,
}

fn hits(outcome: &Outcome, root: &Path) -> Result<Vec<Hit>> {
    let from_0 = |block: Block| (block.hit(root, 1), block.distance);
    let from_1 = |block: Block| (block.hit(root, 0), block.distance);
    Ok(match json::read("octocode", &outcome.out)? {
        Answer::One(blocks) => blocks.into_iter().map(from_0).map(|(hit, _)| hit).collect(),
        Answer::Three { code_blocks, document_blocks, text_blocks } => {
            let blocks = code_blocks.into_iter().chain(document_blocks).map(from_0);
            nearest_first(blocks.chain(text_blocks.into_iter().map(from_1)).collect())
        }
    })
}

impl Block {
    fn hit(&self, root: &Path, shift: u32) -> Hit {
        Hit {
            path: relative(&self.path, root),
            lines: Some((self.start_line + shift, self.end_line + shift)),
            bytes: self.content.len(),
        }
    }
}

fn nearest_first(mut hits: Vec<(Hit, Option<f64>)>) -> Vec<Hit> {
    let distance = |(_, distance): &(Hit, Option<f64>)| distance.unwrap_or(f64::INFINITY);
    hits.sort_by(|a, b| distance(a).total_cmp(&distance(b)));
    hits.into_iter().map(|(hit, _)| hit).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rival::samples::{check_outcome, labels, said};

    const CODE: &str = r#"[
  {"path": "src/a.rs", "language": "rust", "content": "fn a", "symbols": ["a"], "start_line": 0, "end_line": 8, "hash": "1", "distance": 0.4},
  {"path": "src/b.rs", "language": "rust", "content": "fn b", "symbols": ["b"], "start_line": 20, "end_line": 20, "hash": "2", "distance": 0.2}
]"#;
    const ALL: &str = r##"{
  "code_blocks": [{"path": "a.rs", "content": "fn a", "start_line": 4, "end_line": 8, "distance": 0.5}],
  "document_blocks": [{"path": "a.md", "title": "A", "content": "# A", "context": ["# A"], "level": 1, "start_line": 9, "end_line": 9, "hash": "3", "distance": 0.1}],
  "text_blocks": [{"path": "a.txt", "content": "a", "start_line": 1, "end_line": 3, "distance": 0.3}, {"path": "b.txt", "content": "a", "start_line": 1, "end_line": 3}]
}"##;

    #[test]
    fn answers_are_read() {
        let wrapped = CODE.replace("src/a.rs", "src/\na.rs");
        let nothing = r#"{"code_blocks": [], "document_blocks": [], "text_blocks": []}"#;
        check_outcome(|outcome| hits(outcome, Path::new("/t")).map(labels))
            .gives(said(0, CODE, ""), "src/a.rs:1-9=4 src/b.rs:21-21=4")
            .gives(said(0, &wrapped, ""), "src/a.rs:1-9=4 src/b.rs:21-21=4")
            .gives(said(0, ALL, ""), "a.md:10-10=3 a.txt:1-3=1 a.rs:5-9=4 b.txt:1-3=1")
            .gives(said(0, nothing, ""), "")
            .gives(said(0, "[]\n", ""), "")
            .fails(
                said(0, "No results found for the query.\n", ""),
                "octocode failed: its output cannot be read: no JSON in 'No results found for \
                 the query.'",
            );
    }

    #[test]
    fn long_questions_are_cut_between_characters() {
        assert_eq!(cut("short"), "short");
        assert_eq!(cut(&"é".repeat(300)).len(), 500);
        assert_eq!(cut(&format!("x{}", "é".repeat(300))).len(), 499);
    }
}

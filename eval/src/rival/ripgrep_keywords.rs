//! ripgrep with every keyword of the question: files by how many distinct ones they hold.
//!
//! A keyword matches inside longer words and in any case, so `index` finds `Indexer`.

use wherein_engine::search::query::Query;

use super::Tree;
use super::keywords;
use super::ripgrep_literal::{matching, ripgrep};
use crate::error::Result;
use crate::searcher::{Hit, Searcher};

/// There is nothing to prepare.
pub fn open(tree: Tree) -> Result<Box<dyn Searcher>> {
    Ok(Box::new(RipgrepKeywords { tree }))
}

struct RipgrepKeywords {
    tree: Tree,
}

impl Searcher for RipgrepKeywords {
    fn search(&self, query: &Query) -> Result<Vec<Hit>> {
        let keywords = keywords::of(&query.text);
        if keywords.is_empty() {
            return Ok(Vec::new());
        }
        let patterns = keywords.iter().flat_map(|keyword| ["-e", keyword]);
        let call = ripgrep(&self.tree.root).arg("--ignore-case").args(patterns);
        let lines = matching(&call.arg("--").arg(".").run()?, &self.tree.root)?;
        Ok(keywords::rank(&lines, &keywords, &self.tree.root, query))
    }
}

#[cfg(test)]
mod tests {
    use crate::rival::samples::check;

    #[test]
    fn the_real_ripgrep_ranks_by_distinct_keywords() {
        let files = [
            ("src/retry.rs", "// Retries.\nfn request_again() {}\n// timeouts\n"),
            ("src/request.rs", "fn request() {}\nfn request2() {}\nfn request3() {}\n"),
            ("docs/limits.md", "How long a timeout is.\n"),
            ("src/other.rs", "fn other() {}\n"),
        ];
        check("ripgrep-keywords", &files)
            .finds(
                "How does a request retry (after a timeout)?",
                "src/retry.rs:1-3 src/request.rs:1-3 docs/limits.md:1-1",
            )
            .finds("-e --retri", "src/retry.rs:1-3")
            .finds("nowhere", "")
            .finds("what is it", "");
    }
}

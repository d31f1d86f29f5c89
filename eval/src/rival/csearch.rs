//! Code Search (cindex, csearch): every keyword of the question in one regular expression over a
//! trigram index, ranked as the keywords of ripgrep are.
//!
//! csearch itself ranks nothing, and a whole question as one string finds nothing.

use std::path::Path;

use wherein_engine::search::query::Query;

use super::Tree;
use super::call::{Call, Outcome, failed};
use super::grep::{Line, after_colon};
use super::keywords;
use crate::error::Result;
use crate::searcher::{Hit, Searcher};

/// Indexes the tree anew: that takes less time than reading it.
pub fn open(tree: Tree) -> Result<Box<dyn Searcher>> {
    if is_hidden(&tree.root) {
        return Err(failed("cindex", "it passes over trees whose names begin with a dot"));
    }
    let csearch = Csearch { tree };
    csearch.call("cindex").patient().arg("-reset").arg(&csearch.tree.root).succeed()?;
    Ok(Box::new(csearch))
}

/// Its index would be empty, without a word.
fn is_hidden(root: &Path) -> bool {
    root.file_name().is_some_and(|name| name.as_encoded_bytes().starts_with(b"."))
}

struct Csearch {
    tree: Tree,
}

impl Csearch {
    fn call(&self, program: &'static str) -> Call {
        Call::new(program).env("CSEARCHINDEX", self.tree.folder.join("csearchindex"))
    }
}

impl Searcher for Csearch {
    fn search(&self, query: &Query) -> Result<Vec<Hit>> {
        let keywords = keywords::of(&query.text);
        if keywords.is_empty() {
            return Ok(Vec::new());
        }
        // Keywords are letters, digits and underscores: none means anything to the expression.
        let outcome = self.call("csearch").args(["-n", "-i"]).arg(keywords.join("|")).run()?;
        let lines = matching(&outcome, &self.tree.root)?;
        Ok(keywords::rank(&lines, &keywords, &self.tree.root, query))
    }
}

/// Finding nothing and failing have the same exit code; only the latter is put into words.
fn matching(outcome: &Outcome, root: &Path) -> Result<Vec<Line>> {
    let nothing = outcome.code == Some(1) && outcome.err.trim().is_empty();
    if outcome.code != Some(0) && !nothing {
        return Err(outcome.failure("csearch"));
    }
    Ok(after_colon(&outcome.out, root))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rival::samples::{check, check_outcome, said};

    #[test]
    fn finding_nothing_is_no_failure() {
        check_outcome(|outcome| matching(outcome, Path::new("/t")).map(|lines| lines.len()))
            .gives(said(0, "/t/a.rs:1:x\n/t/b.rs:2:x\n", ""), 2)
            .gives(said(1, "", ""), 0)
            .fails(
                said(1, "", "2026/11/15 11:57:29 open /i: no such file or directory\n"),
                "csearch failed: 2026/11/15 11:57:29 open /i: no such file or directory (exit code 1)",
            );
    }

    #[test]
    fn hidden_trees_are_told_apart() {
        assert!(is_hidden(Path::new("/t/.tree")));
        assert!(!is_hidden(Path::new("/.t/tree")));
    }

    #[test]
    fn the_real_csearch_ranks_by_distinct_keywords() {
        let files = [
            ("src/retry.rs", "// How to retry.\nfn request_again() {}\n// timeouts\n"),
            ("src/request.rs", "fn request() {}\nfn request2() {}\n"),
            ("src/other.rs", "fn other() {}\n"),
        ];
        check("csearch", &files)
            .finds("How does a request retry?", "src/retry.rs:1-3 src/request.rs:1-2")
            .finds("nowhere", "")
            .finds("what is it", "");
    }
}

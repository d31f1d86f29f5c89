//! ripgrep with the whole question as one fixed string: hits in the order of paths and lines.
//!
//! A question without capitals matches in any case. The files searched are those that our own
//! index takes: ignore files, our own at the tree's root too, are followed also outside a
//! repository, and hidden files are left out.

use std::path::Path;

use wherein_engine::search::query::Query;

use super::Tree;
use super::call::{Call, Outcome};
use super::grep::{Line, after_nul};
use super::listing::page;
use crate::error::Result;
use crate::searcher::{Hit, Searcher};

/// There is nothing to prepare.
pub fn open(tree: Tree) -> Result<Box<dyn Searcher>> {
    Ok(Box::new(RipgrepLiteral { tree }))
}

struct RipgrepLiteral {
    tree: Tree,
}

impl Searcher for RipgrepLiteral {
    fn search(&self, query: &Query) -> Result<Vec<Hit>> {
        let question = query.text.trim();
        if question.is_empty() {
            return Ok(Vec::new());
        }
        let call = ripgrep(&self.tree.root).args(["--smart-case", "--multiline", "-e"]);
        let outcome = call.text(question).arg("--").arg(".").run()?;
        let lines = matching(&outcome, &self.tree.root)?;
        Ok(page(hits(lines, question.lines().count()), query))
    }
}

/// The beginning of every call: one line of output a matching line, in a form that can be read.
pub fn ripgrep(root: &Path) -> Call {
    let call = Call::new("rg").within(root).args(["--no-config", "--no-messages", "--color=never"]);
    let call = call.args(["--no-heading", "--with-filename", "--line-number", "--null"]);
    let call = call.args(["--no-require-git", "--fixed-strings"]);
    if root.join(OWN_IGNORE).is_file() { call.args(["--ignore-file", OWN_IGNORE]) } else { call }
}

/// Without it, ripgrep would list files that our own index must not have.
const OWN_IGNORE: &str = ".whereinignore";

/// Exit code 2 without a word is a file that could not be read: that stops no run.
pub fn matching(outcome: &Outcome, root: &Path) -> Result<Vec<Line>> {
    match outcome.code {
        Some(0 | 1) => {}
        Some(2) if outcome.err.trim().is_empty() => {}
        _ => return Err(outcome.failure("rg")),
    }
    Ok(after_nul(&outcome.out, root))
}

/// A question of several lines matches as many at a time, printed one by one.
fn hits(mut lines: Vec<Line>, length: usize) -> Vec<Hit> {
    lines.sort_by(|a, b| (&a.path, a.number).cmp(&(&b.path, b.number)));
    let file = |a: &Line, b: &Line| a.path == b.path;
    lines.chunk_by(file).flat_map(|file| file.chunks(length)).map(hit).collect()
}

fn hit(lines: &[Line]) -> Hit {
    Hit {
        path: lines[0].path.clone(),
        lines: Some((lines[0].number, lines[lines.len() - 1].number)),
        bytes: lines.iter().map(|line| line.text.len() + 1).sum(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rival::samples::{check, check_outcome, said};

    #[test]
    fn hits_are_in_the_order_of_paths_and_lines() {
        let printed = "./b.rs\x003:fn b\n./a/z.rs\x0012:fn b\n./a/z.rs\x0011:fn b\n";
        let lines = matching(&said(0, printed, ""), Path::new("/t")).unwrap();
        let hits = hits(lines, 1);
        let labels: Vec<_> = hits.iter().map(Hit::label).collect();
        assert_eq!(labels, ["a/z.rs:11-11", "a/z.rs:12-12", "b.rs:3-3"]);
        assert_eq!(hits[0].bytes, 5);
    }

    #[test]
    fn lines_of_a_longer_question_are_one_hit() {
        let printed =
            "./a\x004:one\n./a\x005:two\n./a\x009:one\n./a\x0010:two\n./b\x001:one\n./b\x002:two\n";
        let lines = matching(&said(0, printed, ""), Path::new("/t")).unwrap();
        let labels: Vec<_> = hits(lines, 2).iter().map(Hit::label).collect();
        assert_eq!(labels, ["a:4-5", "a:9-10", "b:1-2"]);
    }

    #[test]
    fn no_match_and_an_unreadable_file_are_no_failure() {
        check_outcome(|outcome| matching(outcome, Path::new("/t")).map(|lines| lines.len()))
            .gives(said(1, "", ""), 0)
            .gives(said(2, "./a\x001:x\n", ""), 1)
            .fails(said(2, "", "error: bad\nregex\n"), "rg failed: regex (exit code 2)");
    }

    #[test]
    fn the_real_ripgrep_finds_a_question_that_stands_in_the_tree() {
        let files = [
            ("src/b.rs", "// Where Is it\nfn b() {}\n// where is it\n"),
            ("a.md", "first\nwhere is it\n  -- and then\n"),
            (".hidden", "where is it\n"),
            ("out/c.rs", "where is it\n"),
            (".gitignore", "out\n"),
            ("kept/d.rs", "where is it\n"),
            (".whereinignore", "/kept\n"),
        ];
        check("ripgrep-literal", &files)
            .finds("where is it", "a.md:2-2 src/b.rs:1-1 src/b.rs:3-3")
            .finds("Where Is", "src/b.rs:1-1")
            .finds("is it\n  -- and", "a.md:2-3")
            .finds("-- and", "a.md:3-3")
            .finds("where is .*", "")
            .finds("  ", "");
    }
}

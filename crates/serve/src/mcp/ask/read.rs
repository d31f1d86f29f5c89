//! `read`: lines of indexed files, as they are on disk now.
//!
//! Only what the index names can be read, and only where it names it: what is ignored stays unread.

use wherein_corpus::{Lines, Symbol, decode};
use wherein_engine::search::secrets::redact;

use super::{Failure, Tree, located, tree_of};
use crate::cli::span::{Wanted, parsed};
use crate::mcp::answer::{Found, Item, Manner, numbered};
use crate::mcp::request::Read;
use crate::mcp::roots::Roots;
use crate::mcp::trouble::Trouble;

pub fn ask(roots: &Roots, trees: &[Tree], request: &Read) -> Result<Found, Failure> {
    let (mut items, mut troubles) = (Vec::new(), Vec::new());
    for span in &request.spans {
        match lines_of(roots, trees, span, request.context) {
            Ok(lines) => items.extend(lines),
            Err(Failure::Trouble(trouble)) => troubles.push(trouble),
            Err(damaged) => return Err(damaged),
        }
    }
    match troubles.len() == request.spans.len() {
        // One span that cannot be read is no reason to withhold the others.
        false => Ok(Found {
            notes: troubles.iter().map(|it| format!("not read: {it}")).collect(),
            items,
            last: Vec::new(),
        }),
        true => {
            let told: Vec<String> = troubles.iter().map(ToString::to_string).collect();
            Err(Trouble::new(told.join("\n"), "").into())
        }
    }
}

fn lines_of(roots: &Roots, trees: &[Tree], span: &str, context: u32) -> Result<Vec<Item>, Failure> {
    let (path, wanted) = parsed(span);
    let located = located(roots, trees, path)?;
    let tree = tree_of(trees, &located)?;
    let file = tree.snapshot().indexed(&located.path).map_err(tree.failure())?;
    let text = text_of(tree, &file.path)?;
    let text = redact(&text);
    // Only a line alone needs to know what is defined around it.
    let parsed = match wanted {
        Wanted::Line(_) => Some(tree.snapshot().parsed(file).map_err(tree.failure())?),
        _ => None,
    };
    let symbols = parsed.as_ref().map_or(&[][..], |parsed| &parsed.symbols);
    let named = tree.named(&file.path);
    Ok(Text { path: &named, text: &text, symbols }.items(span, wanted, context)?)
}

/// A file's text and what it defines.
pub struct Text<'t> {
    /// As answers name it.
    pub path: &'t str,
    pub text: &'t str,
    pub symbols: &'t [Symbol],
}

impl Text<'_> {
    /// The lines of a span.
    pub fn items(&self, span: &str, wanted: Wanted, context: u32) -> Result<Vec<Item>, Trouble> {
        let (lines, path) = (Lines::of(self.text), self.path);
        let last = lines.count();
        let Some((first, end)) = wanted.lines(self.symbols, last, context) else {
            let what = format!("there is nothing at {span}: {path} has lines 1 to {last}");
            return Err(Trouble::new(what, "Name lines it has."));
        };
        let item = |line: (u32, String)| Item {
            path: Some(path.to_owned()),
            lines: vec![line],
            manner: Manner::Line,
            ..Item::line(path)
        };
        Ok(numbered(lines.span(first..=end), first).into_iter().map(item).collect())
    }
}

/// The text of a file of the tree that is still where the index found it.
fn text_of(tree: &Tree, path: &str) -> Result<String, Trouble> {
    let gone = |what: String| Trouble::new(what, "Ask again: the index is refreshed then.");
    let full = tree.snapshot().root().join(path);
    let real = full.canonicalize().map_err(|error| gone(format!("{path}: {error}")))?;
    if real != full {
        return Err(gone(format!("{path} has become a link since it was indexed")));
    }
    let bytes = std::fs::read(&real).map_err(|error| gone(format!("{path}: {error}")))?;
    decode(bytes).map_err(|reason| gone(format!("{path} is {reason} now")))
}

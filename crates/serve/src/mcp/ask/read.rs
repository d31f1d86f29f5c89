//! `read`: lines of indexed files, as they are on disk now.
//!
//! Only what the index names can be read, and only where it names it: what is ignored stays unread.

use wherein_corpus::{Lines, Symbol, decode};
use wherein_engine::search::secrets::redact;

use super::{Failure, Tree, located, tree_of};
use crate::mcp::answer::{Found, Item, Manner, numbered};
use crate::mcp::request::Read;
use crate::mcp::roots::Roots;
use crate::mcp::trouble::Trouble;

/// Lines of a definition that is read whole: fewer are a field, more are a file of their own.
const LEAST: u32 = 3;
const MOST: u32 = 120;
/// Lines on both sides of a line that stands in no such definition.
const AROUND: u32 = 20;

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
    let lines = Lines::of(&text);
    let last = lines.count();
    let (first, end) = match wanted {
        Wanted::File => (1, last),
        Wanted::Lines(first, end) => (first, end.min(last)),
        Wanted::Line(line) => {
            let parsed = tree.snapshot().parsed(file).map_err(tree.failure())?;
            definition(&parsed.symbols, line.min(last + 1), last)
        }
    };
    if first == 0 || first > end {
        let what = format!("there is nothing at {span}: {path} has lines 1 to {last}");
        return Err(Trouble::new(what, "Name lines it has.").into());
    }
    let (first, end) =
        (first.saturating_sub(context).max(1), end.saturating_add(context).min(last));
    let path = tree.named(&file.path);
    let item = |line: (u32, String)| Item {
        path: Some(path.clone()),
        lines: vec![line],
        manner: Manner::Line,
        ..Item::line(path.clone())
    };
    Ok(numbered(lines.span(first..=end), first).into_iter().map(item).collect())
}

/// The innermost definition of code around a line, if it is of a size to be read at once; else the
/// lines on both sides.
fn definition(symbols: &[Symbol], line: u32, last: u32) -> (u32, u32) {
    let holds = |symbol: &&Symbol| {
        (symbol.start_line..=symbol.end_line).contains(&line)
            && (LEAST..=MOST).contains(&(symbol.end_line - symbol.start_line + 1))
    };
    let innermost = symbols.iter().filter(holds).min_by_key(|it| it.end_line - it.start_line);
    match innermost {
        Some(symbol) => (symbol.start_line, symbol.end_line.min(last)),
        None if line > last => (line, last),
        None => (line.saturating_sub(AROUND).max(1), (line + AROUND).min(last)),
    }
}

/// What of a file is wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Wanted {
    File,
    Line(u32),
    Lines(u32, u32),
}

/// `a.rs`, `a.rs:12`, `a.rs:12-40`.
fn parsed(span: &str) -> (&str, Wanted) {
    let whole = (span, Wanted::File);
    let Some((path, lines)) = span.rsplit_once(':') else { return whole };
    match lines.split_once('-') {
        Some((first, last)) => match (first.parse(), last.parse()) {
            (Ok(first), Ok(last)) => (path, Wanted::Lines(first, last)),
            _ => whole,
        },
        None => lines.parse().map_or(whole, |line| (path, Wanted::Line(line))),
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

#[cfg(test)]
mod tests {
    use wherein_corpus::{ChunkSize, Language, parse};

    use super::*;

    #[test]
    fn a_line_gives_the_definition_around_it() {
        let method = "class A:\n    def b(self):\n        c()\n        d()\n        e()\n";
        let long = format!("def f():\n{}", "    g()\n".repeat(299));
        let text = format!("{method}{long}");
        let lines = Lines::of(&text);
        let python = Language::named("python").unwrap();
        let symbols = parse(&lines, python, ChunkSize::default()).symbols;
        let at = |line| definition(&symbols, line, 305);
        assert_eq!(at(3), (2, 5), "the method, not the class");
        assert_eq!(at(1), (1, 5), "the class");
        assert_eq!(at(150), (130, 170), "the function is too long");
        assert_eq!(at(305), (285, 305));
        assert_eq!(at(400), (400, 305), "there is no such line");
    }

    #[test]
    fn spans_are_read_as_answers_write_them() {
        for (span, expected) in [
            ("src/a.rs", ("src/a.rs", Wanted::File)),
            ("src/a.rs:12", ("src/a.rs", Wanted::Line(12))),
            ("src/a.rs:12-40", ("src/a.rs", Wanted::Lines(12, 40))),
            ("src/a.rs:x", ("src/a.rs:x", Wanted::File)),
            ("src/a.rs:1-x", ("src/a.rs:1-x", Wanted::File)),
            ("a:b:3", ("a:b", Wanted::Line(3))),
        ] {
            assert_eq!(parsed(span), expected, "{span}");
        }
    }
}

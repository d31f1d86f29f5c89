//! From a text to the same text with the documentation of its definitions blanked out.
//!
//! Comments above a definition and docstrings inside it become spaces; every line keeps its
//! number and every other character its place. Comments between statements stay: they are code
//! to a reader, and no question is made of them.

use tree_sitter::{Node, Parser, TreeCursor};
use wherein_corpus::{ChunkSize, Language, Lines, Symbol, parse};

/// The text without its documentation. A language without a grammar is given back as it is.
pub fn docs(text: &str, language: &'static Language) -> String {
    let mut bytes = text.as_bytes().to_vec();
    let tree = language.grammar().and_then(|grammar| {
        let mut parser = Parser::new();
        parser.set_language(&grammar).ok()?;
        parser.parse(text, None)
    });
    if let Some(tree) = tree {
        let symbols = parse(&Lines::of(text), language, ChunkSize::default()).symbols;
        let heads = heads(&Lines::of(text), &symbols);
        walk(&mut tree.walk(), &mut |node| {
            let doc = hidden_part(node, text, language.name, &heads);
            doc.inspect(|doc| blank(&mut bytes[doc.byte_range()], doc.kind())).is_some()
        });
    }
    String::from_utf8(bytes).unwrap_or_else(|_| text.to_owned())
}

/// For each definition the lines before its name, and the column the name starts at.
struct Head {
    first: u32,
    name_line: u32,
    name_column: usize,
}

fn heads(lines: &Lines, symbols: &[Symbol]) -> Vec<Head> {
    let head = |symbol: &Symbol| Head {
        first: symbol.start_line,
        name_line: symbol.name_line,
        name_column: lines.line(symbol.name_line).find(&symbol.name).unwrap_or(0),
    };
    symbols.iter().map(head).collect()
}

/// The part of a node that documents something, if it does.
fn hidden_part<'t>(node: Node<'t>, text: &str, language: &str, heads: &[Head]) -> Option<Node<'t>> {
    let kind = node.kind();
    let is_comment = kind.contains("comment") || kind == "haddock" || kind == "marginalia";
    if is_comment && heads.iter().any(|head| head.holds(node)) {
        return Some(node);
    }
    match (language, kind) {
        ("python", "expression_statement") => docstring(node),
        ("elixir", "unary_operator") => is_doc_attribute(node, text).then_some(node),
        _ => None,
    }
}

impl Head {
    fn holds(&self, node: Node) -> bool {
        let first = node.start_position().row as u32 + 1;
        let end = node.end_position();
        let last = if end.column == 0 { end.row as u32 } else { end.row as u32 + 1 };
        let before_name =
            last < self.name_line || (last == self.name_line && end.column <= self.name_column);
        first >= self.first && before_name
    }
}

/// A statement in a body that is nothing but a string.
fn docstring(statement: Node) -> Option<Node> {
    statement.parent().filter(|parent| parent.kind() == "block")?;
    let only = statement.named_child(0).filter(|_| statement.named_child_count() == 1)?;
    matches!(only.kind(), "string" | "concatenated_string").then_some(only)
}

/// `@doc "…"`, `@moduledoc "…"`, `@typedoc "…"`.
fn is_doc_attribute(node: Node, text: &str) -> bool {
    let written = &text[node.byte_range()];
    let name = written.strip_prefix('@').unwrap_or_default();
    ["doc", "moduledoc", "typedoc"]
        .iter()
        .any(|doc| name.strip_prefix(doc).is_some_and(|rest| rest.starts_with(char::is_whitespace)))
}

/// Spaces for everything but line ends. A docstring leaves `...`, so that a body stays a body.
fn blank(bytes: &mut [u8], kind: &str) {
    for byte in bytes.iter_mut().filter(|byte| !matches!(byte, b'\n' | b'\r')) {
        *byte = b' ';
    }
    if kind.contains("string") && bytes.len() >= 3 {
        bytes[..3].fill(b'.');
    }
}

/// Every node, outside in; those inside a node that `visit` took are passed over.
fn walk(cursor: &mut TreeCursor, visit: &mut impl FnMut(Node) -> bool) {
    loop {
        if !visit(cursor.node()) && cursor.goto_first_child() {
            continue;
        }
        while !cursor.goto_next_sibling() {
            if !cursor.goto_parent() {
                return;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(language: &str, text: &str, expected: &str) {
        let hidden = docs(text, Language::named(language).unwrap());
        let trimmed: Vec<&str> = hidden.lines().map(str::trim_end).collect();
        assert_eq!(trimmed.join("\n"), expected);
        assert_eq!(hidden.len(), text.len());
    }

    #[test]
    fn comments_above_a_definition_go_and_those_inside_stay() {
        check(
            "rust",
            "//! File.\n\n/// Adds.\n#[inline]\nfn add() {\n    // why\n    x() // so\n}",
            "//! File.\n\n\n#[inline]\nfn add() {\n    // why\n    x() // so\n}",
        );
        check("go", "// Add adds.\nfunc Add() {} // not this", "\nfunc Add() {} // not this");
        check(
            "java",
            "class A {\n  /** é\n   * Runs. */\n  void run() {}\n}",
            "class A {\n\n\n  void run() {}\n}",
        );
        check("javascript", "/* Adds. */ function add() {}", "            function add() {}");
    }

    #[test]
    fn docstrings_leave_a_body_behind() {
        check(
            "python",
            "def f():\n    \"\"\"Adds.\n    Twice.\n    \"\"\"\n    # why\n    return 1",
            "def f():\n    ...\n\n\n    # why\n    return 1",
        );
        check("python", "'''File.'''\nx = 'kept'\nf('kept')", "'''File.'''\nx = 'kept'\nf('kept')");
        check("javascript", "'use strict';\nf()", "'use strict';\nf()");
        check(
            "elixir",
            "defmodule A do\n  @doc \"Adds.\"\n  @docs 1\n  def add, do: 1\nend",
            "defmodule A do\n\n  @docs 1\n  def add, do: 1\nend",
        );
    }

    #[test]
    fn what_has_no_grammar_stays() {
        check("markdown", "# Title\n\nText.", "# Title\n\nText.");
    }
}

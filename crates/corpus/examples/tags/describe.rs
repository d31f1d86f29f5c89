//! A parse as text, one finding a line: the form that tests compare and people read.

use std::fmt::Write;

use wherein_corpus::{Parsed, ReferenceKind};

/// Symbols, imports and references of a parse.
pub fn describe(parsed: &Parsed) -> String {
    let mut out = String::new();
    for symbol in &parsed.symbols {
        let doc = symbol.doc.replace('\n', " ⏎ ");
        let (start, end, kind) = (symbol.start_line, symbol.end_line, symbol.kind.name());
        let scope =
            if symbol.scope.is_empty() { String::new() } else { format!("[{}] ", symbol.scope) };
        let _ = writeln!(
            out,
            "{start}-{end} {kind} {scope}{} | {} | {doc}",
            symbol.name, symbol.signature
        );
    }
    for import in &parsed.imports {
        let _ = writeln!(out, "{} import {}", import.line, import.source);
    }
    for reference in &parsed.references {
        let kind = match reference.kind {
            ReferenceKind::Call => "call",
            ReferenceKind::Type => "type",
        };
        let _ = writeln!(out, "{kind} {} {:?}", reference.name, reference.lines);
    }
    out
}

//! A parse as text, one finding a line: the form that tests compare and people read.

use std::fmt::Write;

use wherein_corpus::Parsed;

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
    if !parsed.package.is_empty() {
        let _ = writeln!(out, "package {}", parsed.package);
    }
    for import in &parsed.imports {
        let how = if import.dynamic { "dynamic import" } else { "import" };
        let _ = write!(out, "{} {how} {}", import.line, import.source);
        for name in &import.names {
            let _ = write!(out, " [{} as {}]", name.name, name.local);
        }
        let _ = writeln!(out);
    }
    for reference in &parsed.references {
        let (kind, name) = (reference.kind.name(), &reference.name);
        match reference.receiver.as_str() {
            "" => {
                let _ = writeln!(out, "{kind} {name} {:?}", reference.lines);
            }
            receiver => {
                let _ = writeln!(out, "{kind} {receiver}.{name} {:?}", reference.lines);
            }
        }
    }
    for typed in &parsed.types {
        let _ = writeln!(out, "{} {}: {}", typed.line, typed.name, typed.of);
    }
    out
}

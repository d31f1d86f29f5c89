//! What a tree says about its own code: each definition with its documentation, each section of
//! prose with its headings. Training reads it, so that a model learns from the same symbols and
//! chunks that it will be asked about.
//!
//! In: a tree. Out: JSON lines, in the order of paths and lines.

use std::collections::HashSet;
use std::io::Write;
use std::path::Path;

use rayon::prelude::*;
use serde::Serialize;
use wherein_corpus::{
    ChunkSize, Found, Language, Lines, Parsed, Role, Symbol, SymbolKind, WalkSettings,
};

use crate::error::{Error, Result};

/// Bytes of code kept with a pair: more than any encoder reads.
const MOST_CODE: usize = 2400;

/// One thing and what is said about it.
#[derive(Debug, PartialEq, Eq, Serialize)]
struct Pair {
    language: &'static str,
    path: String,
    line: u32,
    kind: &'static str,
    name: String,
    /// The names around it.
    scope: String,
    /// Its documentation, or the headings above it; empty for a test.
    doc: String,
    /// Its text without the documentation.
    code: String,
}

/// Writes the pairs of the tree at `root`.
pub fn write(root: &Path, out: &mut dyn Write) -> Result<()> {
    write_each(root, out, of_text)
}

/// Writes what each file of the tree at `root` has to teach, given its path, language and text.
pub fn write_each<Lesson: Serialize + Send>(
    root: &Path,
    out: &mut dyn Write,
    of_text: impl Fn(&str, &'static Language, &str) -> Vec<Lesson> + Sync,
) -> Result<()> {
    let settings = WalkSettings::default();
    let walk = wherein_corpus::walk(root, &settings).map_err(Error::read(root))?;
    let read = |found: &Found| {
        // A file that cannot be read has nothing to teach.
        let text = wherein_corpus::read(&root.join(&found.path), settings.max_file_size);
        text.map_or(Vec::new(), |text| of_text(&found.path, found.language, &text.text))
    };
    let lessons: Vec<Vec<Lesson>> = walk.files.par_iter().map(read).collect();
    for lesson in lessons.iter().flatten() {
        let line = serde_json::to_string(lesson).map_err(std::io::Error::other);
        let written = line.and_then(|line| writeln!(out, "{line}"));
        written.map_err(Error::read(Path::new("standard output")))?;
    }
    Ok(())
}

fn of_text(path: &str, language: &'static Language, text: &str) -> Vec<Pair> {
    let lines = Lines::of(text);
    let parsed = wherein_corpus::parse(&lines, language, ChunkSize::default());
    match language.role() {
        Role::Code => definitions(path, language, &parsed, &lines),
        Role::Docs => sections(path, language, &parsed, &lines),
    }
}

fn definitions(
    path: &str,
    language: &'static Language,
    parsed: &Parsed,
    lines: &Lines,
) -> Vec<Pair> {
    let told = parsed.symbols.iter().filter(|symbol| is_told(symbol));
    let pair = |symbol: &Symbol| Pair {
        language: language.name,
        path: path.to_owned(),
        line: symbol.name_line,
        kind: symbol.kind.name(),
        name: symbol.name.clone(),
        scope: symbol.scope.clone(),
        doc: symbol.doc.clone(),
        code: undocumented(symbol, lines),
    };
    told.map(pair).collect()
}

/// Whether there is something to learn: it is documented, or a test that says what it tests.
fn is_told(symbol: &Symbol) -> bool {
    use SymbolKind::*;
    let documented = !symbol.doc.is_empty()
        && (symbol.kind.is_type() || matches!(symbol.kind, Function | Method | Macro));
    let test = matches!(symbol.kind, Test)
        || (matches!(symbol.kind, Function | Method)
            && symbol.name.to_lowercase().starts_with("test"));
    documented || test
}

/// The symbol's text without the lines its documentation was made of.
fn undocumented(symbol: &Symbol, lines: &Lines) -> String {
    let doc: HashSet<&str> = symbol.doc.lines().map(str::trim).collect();
    let mut code = String::new();
    // A doc that was cut is cut off here too: what follows in the same comment is still doc.
    let mut inside = false;
    for number in symbol.start_line..=symbol.end_line {
        let line = lines.line(number);
        let words = line.trim().trim_matches(|c: char| !c.is_alphanumeric() && c != '_');
        let said = !words.is_empty() && doc.iter().any(|said| said.contains(words));
        let mark = words.is_empty() && is_comment_mark(line.trim());
        inside = said || mark || (inside && is_comment_line(line.trim()));
        let named = number == symbol.name_line;
        if (named || !inside) && code.len() < MOST_CODE {
            code.push_str(line);
            code.push('\n');
        }
    }
    code.truncate(code.floor_char_boundary(MOST_CODE));
    code
}

/// Whether a line without words is part of a comment or of the quotes around one.
fn is_comment_mark(line: &str) -> bool {
    let marks =
        ["/**", "/*", "*", "*/", "**/", "///", "//", "//!", "#", "\"\"\"", "'''", "r\"\"\"", "--"];
    marks.contains(&line)
}

fn is_comment_line(line: &str) -> bool {
    line.starts_with("* ") || line.starts_with("//") || line.starts_with("# ")
}

fn sections(path: &str, language: &'static Language, parsed: &Parsed, lines: &Lines) -> Vec<Pair> {
    let pair = |chunk: &wherein_corpus::Chunk| {
        let heading = chunk.subject(&parsed.symbols)?;
        let body = lines.span(chunk.start_line..=chunk.end_line);
        let mut code = String::new();
        for line in body.lines().filter(|line| !is_heading(line, heading)) {
            code.push_str(line);
            code.push('\n');
        }
        code.truncate(code.floor_char_boundary(MOST_CODE));
        Some(Pair {
            language: language.name,
            path: path.to_owned(),
            line: chunk.start_line,
            kind: "section",
            name: heading.name.clone(),
            scope: heading.scope.clone(),
            doc: heading.qualified(language.separator),
            code,
        })
    };
    parsed.chunks.iter().filter_map(pair).collect()
}

fn is_heading(line: &str, heading: &Symbol) -> bool {
    line.trim_matches(|c: char| matches!(c, '#' | '=' | ' ')) == heading.name
}

#[cfg(test)]
mod tests {
    use wherein_corpus::Overrides;

    use super::*;

    #[track_caller]
    fn check(path: &str, text: &str, expected: &[(&str, &str, &str)]) {
        let language = Language::of_path(Path::new(path), &Overrides::default());
        let pairs = of_text(path, language, text);
        let seen: Vec<(&str, &str, &str)> =
            pairs.iter().map(|p| (p.name.as_str(), p.doc.as_str(), p.code.as_str())).collect();
        assert_eq!(seen, expected);
    }

    #[test]
    fn code_is_told_apart_from_its_documentation() {
        check(
            "a.py",
            "def load(path):\n    \"\"\"Reads a file.\n\n    Twice.\n    \"\"\"\n    return open(path)\n\ndef bare():\n    pass\n",
            &[("load", "Reads a file.\nTwice.", "def load(path):\n\n    return open(path)\n")],
        );
        check(
            "a.rs",
            "/// Adds two.\nfn add(a: u8) -> u8 {\n    // carry\n    a + 2\n}\n",
            &[("add", "Adds two.", "fn add(a: u8) -> u8 {\n    // carry\n    a + 2\n}\n")],
        );
    }

    #[test]
    fn a_section_is_told_by_its_headings() {
        check("a.md", "# Guide\n\nWords.\n", &[("Guide", "Guide", "\nWords.\n")]);
    }
}

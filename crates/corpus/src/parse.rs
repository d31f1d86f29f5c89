//! From one file's text to its chunks, symbols, imports and references.
//!
//! Parsing never fails: odd input gives plainer chunks and a note that says so.

use serde::{Deserialize, Serialize};

use crate::chunk::{self, Chunk, ChunkSize};
use crate::component;
use crate::headings;
use crate::language::{Language, Markup, Reading};
use crate::lines::Lines;
use crate::mentions;
use crate::python;
use crate::symbol::{Import, Reference, Symbol, Typed};
use crate::syntax::Syntax;
use crate::tags::Findings;
use crate::tree;

/// Everything read out of one file. Lines are counted from 1.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Parsed {
    /// Chunks in the order of the file; they cover every non-blank line once.
    pub chunks: Vec<Chunk>,
    /// Symbols in the order they start.
    pub symbols: Vec<Symbol>,
    /// Imports in the order they stand.
    pub imports: Vec<Import>,
    /// References by name.
    pub references: Vec<Reference>,
    /// Variables whose type is written down, in the order they stand.
    pub types: Vec<Typed>,
    /// The package, namespace or module the file says it is part of; empty if it does not.
    pub package: String,
    /// Why the file was read more plainly than its language allows.
    pub note: Option<String>,
}

/// Reads a text as `language`.
///
/// ```
/// use wherein_corpus::{ChunkSize, Language, Lines, parse};
/// let rust = Language::named("rust").unwrap();
/// let lines = Lines::of("/// Says hello.\nfn hello() {}\n");
/// let parsed = parse(&lines, rust, ChunkSize::default());
/// assert_eq!(parsed.symbols[0].name, "hello");
/// assert_eq!(parsed.symbols[0].doc, "Says hello.");
/// assert_eq!((parsed.chunks[0].start_line, parsed.chunks[0].end_line), (1, 2));
/// ```
pub fn parse(lines: &Lines, language: &'static Language, size: ChunkSize) -> Parsed {
    match language.reading {
        Reading::Syntax => syntax(lines, language, size),
        Reading::Component => component(lines, size),
        Reading::Headings(markup) => document(lines, markup, size),
        Reading::Paragraphs => prose(lines, Vec::new(), size),
    }
}

fn document(lines: &Lines, markup: Markup, size: ChunkSize) -> Parsed {
    let (imports, references) = mentions::mentions(lines, markup);
    Parsed { imports, references, ..prose(lines, headings::headings(lines, markup), size) }
}

fn prose(lines: &Lines, symbols: Vec<Symbol>, size: ChunkSize) -> Parsed {
    Parsed { chunks: chunk::along_paragraphs(lines, &symbols, size), symbols, ..Parsed::default() }
}

fn syntax(lines: &Lines, language: &'static Language, size: ChunkSize) -> Parsed {
    let Some(syntax) = read(lines.text(), language) else {
        let note = Some("the grammar gave up; read as plain text".to_owned());
        return Parsed { note, ..prose(lines, Vec::new(), size) };
    };
    let found = findings(&syntax, lines, language);
    let chunks = chunk::along_tree(&syntax, lines, &found.symbols, &found.leading, size);
    Parsed {
        chunks,
        symbols: found.symbols,
        imports: found.imports,
        references: found.references,
        types: found.types,
        package: found.package,
        note: None,
    }
}

/// The tree of a text: by hand where we can, by the language's grammar everywhere else.
fn read(text: &str, language: &'static Language) -> Option<Syntax> {
    let by_hand = if language.name == "python" { python::read(text) } else { None };
    by_hand.or_else(|| Some(Syntax::of(&tree::of(text, language, &[])?)))
}

/// Each part is parsed in place, so that its lines are the file's lines.
fn component(lines: &Lines, size: ChunkSize) -> Parsed {
    let mut parsed = Parsed::default();
    for part in component::parts(lines.text()) {
        match tree::of(lines.text(), part.language, &[lines.range(part.bytes)]) {
            Some(tree) => append(&mut parsed, findings(&Syntax::of(&tree), lines, part.language)),
            None => parsed.note = Some("a part's grammar gave up; read as plain text".to_owned()),
        }
    }
    parsed.chunks = chunk::along_paragraphs(lines, &parsed.symbols, size);
    parsed
}

/// Adds what a later part of the file holds.
fn append(parsed: &mut Parsed, found: Findings) {
    let offset = parsed.symbols.len() as u32;
    parsed.symbols.extend(found.symbols.into_iter().map(|mut symbol| {
        symbol.parent = symbol.parent.map(|parent| parent + offset);
        symbol
    }));
    parsed.imports.extend(found.imports);
    parsed.references.extend(found.references);
    parsed.types.extend(found.types);
    let key = |it: &Reference| (it.name.clone(), it.kind, it.receiver.clone());
    parsed.references.sort_by_cached_key(key);
    parsed.references.dedup_by(|later, earlier| {
        let same = key(later) == key(earlier);
        if same {
            earlier.lines.append(&mut later.lines);
        }
        same
    });
}

fn findings(syntax: &Syntax, lines: &Lines, language: &'static Language) -> Findings {
    match language.tags() {
        Some(tags) => tags.find(syntax, lines, language),
        None => Findings::default(),
    }
}

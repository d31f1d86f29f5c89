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
use crate::syntax::{Node, Syntax};
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
    let mut parsed = Parsed {
        symbols: found.symbols,
        imports: found.imports,
        references: found.references,
        types: found.types,
        package: found.package,
        ..Parsed::default()
    };
    read_on(&syntax, lines, language, &mut parsed);
    parsed.chunks = chunk::along_tree(&syntax, lines, &parsed.symbols, &found.leading, size);
    parsed
}

/// Reads on behind what the grammar could not read, where it gave the rest of the file up with it: Kotlin's does at
/// an annotation before `constructor`, in one file of a hundred.
fn read_on(syntax: &Syntax, lines: &Lines, language: &'static Language, parsed: &mut Parsed) {
    const MOST_TRIES: usize = 8;
    let mut given_up = given_up_at(syntax, lines, parsed);
    for _ in 0..MOST_TRIES {
        let Some(from) = given_up.and_then(|line| next_outermost(lines, line)) else { return };
        let rest = lines.range(lines.start(from)..lines.text().len());
        let Some(tree) = tree::of(lines.text(), language, &[rest]) else { return };
        let syntax = Syntax::of(&tree);
        forget(parsed, from);
        append(parsed, findings(&syntax, lines, language));
        given_up = given_up_at(&syntax, lines, parsed);
    }
}

/// The first line of a long stretch outside everything that the grammar could not read, if there is no symbol from
/// there on.
fn given_up_at(syntax: &Syntax, lines: &Lines, parsed: &Parsed) -> Option<u32> {
    const LONG: u32 = 20;
    let stretch = |node: &Node| (lines.line_at(node.start_byte()), lines.line_at(node.end_byte()));
    let errors = syntax.children(syntax.root()).iter().filter(|node| node.is_error()).map(stretch);
    let last = parsed.symbols.iter().map(|symbol| symbol.start_line).max().unwrap_or(0);
    let is_it = |(first, end): &(u32, u32)| end - first >= LONG && last <= *first;
    errors.filter(is_it).map(|(first, _)| first).next()
}

/// Takes out what stands from a line on; there is no symbol there.
fn forget(parsed: &mut Parsed, from: u32) {
    parsed.imports.retain(|import| import.line < from);
    parsed.types.retain(|typed| typed.line < from);
    parsed.references.iter_mut().for_each(|reference| reference.lines.retain(|line| *line < from));
    parsed.references.retain(|reference| !reference.lines.is_empty());
}

/// The first line behind another that may begin something outside everything: it is not indented.
fn next_outermost(lines: &Lines, behind: u32) -> Option<u32> {
    let begins = |line: &str| line.starts_with(|c: char| c.is_alphabetic() || c == '@');
    (behind + 1..=lines.count()).find(|&line| begins(lines.line(line)))
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

//! From one file's text to its chunks, symbols, imports and references.
//!
//! Parsing never fails: odd input gives plainer chunks and a note that says so.

use std::cell::RefCell;
use std::collections::HashMap;
use std::ops::ControlFlow;

use serde::{Deserialize, Serialize};
use tree_sitter::{ParseOptions, Parser, Range, Tree};

use crate::chunk::{self, Chunk, ChunkSize};
use crate::component;
use crate::headings;
use crate::language::{Language, Reading};
use crate::lines::Lines;
use crate::symbol::{Import, Reference, Symbol};
use crate::tags::Findings;

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
        Reading::Headings(markup) => prose(lines, headings::headings(lines, markup), size),
        Reading::Paragraphs => prose(lines, Vec::new(), size),
    }
}

fn prose(lines: &Lines, symbols: Vec<Symbol>, size: ChunkSize) -> Parsed {
    Parsed { chunks: chunk::along_paragraphs(lines, &symbols, size), symbols, ..Parsed::default() }
}

fn syntax(lines: &Lines, language: &'static Language, size: ChunkSize) -> Parsed {
    let Some(tree) = tree_of(lines, language, &[]) else {
        let note = Some("the grammar gave up; read as plain text".to_owned());
        return Parsed { note, ..prose(lines, Vec::new(), size) };
    };
    let found = findings(&tree, lines, language);
    let chunks = chunk::along_tree(tree.root_node(), lines, &found.symbols, &found.leading, size);
    Parsed {
        chunks,
        symbols: found.symbols,
        imports: found.imports,
        references: found.references,
        note: None,
    }
}

/// Each part is parsed in place, so that its lines are the file's lines.
fn component(lines: &Lines, size: ChunkSize) -> Parsed {
    let mut parsed = Parsed::default();
    for part in component::parts(lines.text()) {
        let Some(tree) = tree_of(lines, part.language, &[range(lines.text(), part.bytes)]) else {
            parsed.note = Some("a part's grammar gave up; read as plain text".to_owned());
            continue;
        };
        let found = findings(&tree, lines, part.language);
        let offset = parsed.symbols.len() as u32;
        parsed.symbols.extend(found.symbols.into_iter().map(|mut symbol| {
            symbol.parent = symbol.parent.map(|parent| parent + offset);
            symbol
        }));
        parsed.imports.extend(found.imports);
        parsed.references.extend(found.references);
    }
    parsed.chunks = chunk::along_paragraphs(lines, &parsed.symbols, size);
    parsed
}

fn range(text: &str, bytes: std::ops::Range<usize>) -> Range {
    let point = |at: usize| {
        let before = &text[..at];
        let column = at - before.rfind('\n').map_or(0, |n| n + 1);
        tree_sitter::Point::new(before.matches('\n').count(), column)
    };
    Range {
        start_byte: bytes.start,
        end_byte: bytes.end,
        start_point: point(bytes.start),
        end_point: point(bytes.end),
    }
}

fn findings(tree: &Tree, lines: &Lines, language: &'static Language) -> Findings {
    match language.tags() {
        Some(tags) => tags.find(tree.root_node(), lines, language.separator),
        None => Findings::default(),
    }
}

thread_local! {
    /// Parsers keep their buffers; one a language and thread saves allocating them per file.
    static PARSERS: RefCell<HashMap<&'static str, Parser>> = RefCell::default();
}

/// Parser steps allowed for each byte of text before the grammar is given up on.
///
/// Ordinary code takes well under one; a grammar that backtracks without end would otherwise
/// hold an indexing thread for minutes over one hostile file.
const STEPS_PER_BYTE: usize = 20;

fn tree_of(lines: &Lines, language: &'static Language, ranges: &[Range]) -> Option<Tree> {
    let grammar = language.grammar()?;
    PARSERS.with_borrow_mut(|parsers| {
        let parser = parsers.entry(language.name).or_default();
        parser.set_language(&grammar).ok()?;
        parser.set_included_ranges(ranges).ok()?;
        let tree = parse_within_steps(parser, lines.text());
        if tree.is_none() {
            parser.reset();
        }
        tree
    })
}

fn parse_within_steps(parser: &mut Parser, text: &str) -> Option<Tree> {
    let bytes = text.as_bytes();
    let mut steps = 0usize;
    let most = 10_000 + bytes.len() * STEPS_PER_BYTE / 100;
    let mut watch = |_: &tree_sitter::ParseState| {
        steps += 1;
        if steps > most { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    };
    let options = ParseOptions::new().progress_callback(&mut watch);
    parser.parse_with_options(&mut |at, _| bytes.get(at..).unwrap_or_default(), None, Some(options))
}

//! From lines and a syntax tree to chunks: split, then merge.
//!
//! A chunk is a run of whole lines. A node that fits the limit stays whole, a larger one is
//! descended into, and neighbours are merged greedily while they fit (the cAST method). Every
//! non-blank line ends up in exactly one chunk. The text itself is not copied here.

use std::ops::RangeInclusive;

use serde::{Deserialize, Serialize};

use crate::lines::Lines;
use crate::symbol::{Symbol, SymbolKind};
use crate::syntax::{Node, Syntax};

/// A run of lines that is indexed, ranked and shown as one.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Chunk {
    /// First line, counted from 1.
    pub start_line: u32,
    /// Last line, included.
    pub end_line: u32,
    /// The innermost symbol that was already open when the chunk started.
    pub scope: Option<u32>,
    /// The symbols whose name stands in the chunk.
    pub symbols: Vec<u32>,
}

impl Chunk {
    /// The symbol a reader would call the chunk by: its largest definition, or what it is part of.
    pub fn subject<'s>(&self, symbols: &'s [Symbol]) -> Option<&'s Symbol> {
        let defined = || self.symbols.iter().map(|&i| &symbols[i as usize]).rev();
        let lines = |symbol: &&Symbol| {
            symbol.end_line.min(self.end_line) - symbol.name_line.min(self.end_line)
        };
        let named = defined().filter(|symbol| symbol.kind != SymbolKind::Module).max_by_key(lines);
        let largest = named.or_else(|| defined().max_by_key(lines));
        largest.or_else(|| self.scope.map(|i| &symbols[i as usize]))
    }
}

/// How large chunks may grow.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ChunkSize {
    /// Most non-whitespace bytes in a chunk, but for a line that is longer on its own and for the
    /// few brackets that close what came before.
    pub limit: u32,
}

impl Default for ChunkSize {
    fn default() -> Self {
        ChunkSize { limit: 1200 }
    }
}

/// Cuts a parsed text along its syntax tree.
///
/// `leading` says which lines comment on what follows; `symbols` where definitions begin.
pub fn along_tree(
    syntax: &Syntax,
    lines: &Lines,
    symbols: &[Symbol],
    leading: &[bool],
    size: ChunkSize,
) -> Vec<Chunk> {
    let mut cutter = Cutter::new(lines, size, symbols, leading);
    if lines.count() > 0 {
        cutter.descend(syntax, syntax.root(), 1..=lines.count(), 0);
    }
    cutter.finish()
}

/// Cuts a text at its blank lines, and always before the line of a symbol.
pub fn along_paragraphs(lines: &Lines, symbols: &[Symbol], size: ChunkSize) -> Vec<Chunk> {
    let mut cutter = Cutter::new(lines, size, symbols, &[]);
    if lines.count() > 0 {
        cutter.paragraphs(1..=lines.count());
    }
    cutter.finish()
}

/// Deeper than any code people write; beyond it lines are cut without looking at the tree.
const MAX_DEPTH: usize = 400;

/// A trailing line with no more than this on it is a closing bracket, not content.
const CLOSER: u32 = 4;

/// How far closing brackets may take a chunk beyond the limit: as many as nest in code people
/// write, and not a list of short numbers.
const MOST_CLOSING: u32 = 16;

struct Cutter<'a> {
    lines: &'a Lines<'a>,
    limit: u32,
    symbols: &'a [Symbol],
    /// Lines a definition starts on, in ascending order.
    starts: Vec<u32>,
    leading: &'a [bool],
    runs: Vec<Run>,
    /// Whether the last run may still grow.
    open: bool,
}

/// Lines that become a chunk.
struct Run {
    rows: RangeInclusive<u32>,
    /// Size of the closing brackets taken in although the run was full or closed.
    closing: u32,
}

impl<'a> Cutter<'a> {
    fn new(lines: &'a Lines, size: ChunkSize, symbols: &'a [Symbol], leading: &'a [bool]) -> Self {
        let mut starts: Vec<u32> = symbols.iter().map(|symbol| symbol.start_line).collect();
        starts.sort_unstable();
        let limit = size.limit.max(1);
        Cutter { lines, limit, symbols, starts, leading, runs: Vec::new(), open: false }
    }

    /// Adds the lines of a node, as one piece for each child.
    fn descend(&mut self, syntax: &Syntax, node: &Node, within: RangeInclusive<u32>, depth: usize) {
        let children = syntax.children(node);
        if depth == MAX_DEPTH || children.is_empty() {
            return self.paragraphs(within);
        }
        let mut next = *within.start();
        for child in children {
            let rows = rows(child, self.lines, &within);
            if *rows.end() >= next && !self.only_leads(&rows) {
                let first = self.first_of(next, *rows.start());
                if first > next {
                    self.between(next..=first - 1);
                }
                self.add_node(syntax, child, first.max(next)..=*rows.end(), depth);
                next = rows.end() + 1;
            }
        }
        if next <= *within.end() {
            self.between(next..=*within.end());
        }
    }

    /// Adds lines that are in no child: comments, mostly.
    fn between(&mut self, rows: RangeInclusive<u32>) {
        if self.lines.size(rows.clone()) <= self.limit {
            self.add(rows);
        } else {
            self.paragraphs(rows);
        }
    }

    fn add_node(&mut self, syntax: &Syntax, node: &Node, rows: RangeInclusive<u32>, depth: usize) {
        if self.lines.size(rows.clone()) <= self.limit {
            return self.add(rows);
        }
        let defines = self.starts.binary_search(rows.start()).is_ok();
        if defines && !self.is_headed(&rows) {
            self.close();
        }
        self.descend(syntax, node, rows, depth + 1);
        if defines {
            self.close();
        }
    }

    /// Whether the open run is the beginning of what these lines are inside of: a class's first
    /// line stays with its first member.
    fn is_headed(&self, rows: &RangeInclusive<u32>) -> bool {
        let Some(run) = self.runs.last().filter(|_| self.open) else { return false };
        let begins = |symbol: &&Symbol| symbol.start_line == *run.rows.start();
        self.symbols.iter().filter(begins).any(|symbol| symbol.end_line >= *rows.end())
    }

    /// Whether every line of a node comments on what comes after it.
    fn only_leads(&self, rows: &RangeInclusive<u32>) -> bool {
        rows.clone().all(|row| self.leads(row))
    }

    fn leads(&self, line: u32) -> bool {
        self.leading.get(line as usize - 1).copied().unwrap_or(false)
    }

    /// Where a node begins once the comments right above it are counted in.
    fn first_of(&self, at_least: u32, mut line: u32) -> u32 {
        while line > at_least && self.leads(line - 1) {
            line -= 1;
        }
        line
    }

    /// Adds lines that no syntax speaks for, a paragraph at a time, line by line if too long.
    fn paragraphs(&mut self, rows: RangeInclusive<u32>) {
        let mut start = *rows.start();
        for row in rows.clone() {
            let last = row == *rows.end();
            let ends =
                last || self.lines.is_blank(row) || self.starts.binary_search(&(row + 1)).is_ok();
            if !ends {
                continue;
            }
            if self.starts.binary_search(&start).is_ok() {
                self.begin_section();
            }
            self.paragraph(start..=row);
            start = row + 1;
        }
    }

    fn paragraph(&mut self, rows: RangeInclusive<u32>) {
        if self.lines.size(rows.clone()) <= self.limit {
            return self.add(rows);
        }
        rows.for_each(|row| self.add(row..=row));
    }

    /// A section starts a chunk of its own unless what is open is still small.
    fn begin_section(&mut self) {
        let size = self.runs.last().map_or(0, |run| self.lines.size(run.rows.clone()));
        if size * 4 > self.limit {
            self.close();
        }
    }

    /// Merges a piece into the last run if it may, or starts the next one with it.
    fn add(&mut self, rows: RangeInclusive<u32>) {
        let size = self.lines.size(rows.clone());
        if size > 0 && !self.join(&rows, size) {
            self.runs.push(Run { rows, closing: 0 });
            self.open = true;
        }
    }

    fn join(&mut self, rows: &RangeInclusive<u32>, size: u32) -> bool {
        let Some(last) = self.runs.last_mut() else {
            return false;
        };
        let both = *last.rows.start()..=*rows.end();
        let fits = self.open && self.lines.size(both.clone()) <= self.limit;
        let closes = size <= CLOSER && last.closing + size <= MOST_CLOSING;
        if fits || closes {
            last.closing += if fits { 0 } else { size };
            last.rows = both;
        }
        fits || closes
    }

    fn close(&mut self) {
        self.open = false;
    }

    fn finish(self) -> Vec<Chunk> {
        let rows = self.runs.into_iter().map(|run| trimmed(run.rows, self.lines));
        rows.map(|rows| chunk(rows, self.symbols)).collect()
    }
}

/// The lines of a node, counted from 1 and kept inside `within`.
fn rows(node: &Node, lines: &Lines, within: &RangeInclusive<u32>) -> RangeInclusive<u32> {
    let start = lines.point(node.start_byte()).row as u32 + 1;
    let end = lines.point(node.end_byte());
    let end = if end.column == 0 { end.row as u32 } else { end.row as u32 + 1 };
    start.clamp(*within.start(), *within.end())..=end.clamp(*within.start(), *within.end())
}

fn trimmed(rows: RangeInclusive<u32>, lines: &Lines) -> RangeInclusive<u32> {
    let (mut start, mut end) = rows.into_inner();
    while start < end && lines.is_blank(start) {
        start += 1;
    }
    while end > start && lines.is_blank(end) {
        end -= 1;
    }
    start..=end
}

fn chunk(rows: RangeInclusive<u32>, symbols: &[Symbol]) -> Chunk {
    let (start_line, end_line) = rows.clone().into_inner();
    let first = symbols.partition_point(|symbol| symbol.start_line < start_line);
    let scope =
        symbols[..first].iter().rposition(|symbol| symbol.end_line >= start_line).map(|i| i as u32);
    let named = symbols
        .iter()
        .enumerate()
        .filter(|(_, symbol)| rows.contains(&symbol.name_line))
        .map(|(i, _)| i as u32);
    Chunk { start_line, end_line, scope, symbols: named.collect() }
}

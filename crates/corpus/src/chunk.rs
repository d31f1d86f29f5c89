//! From lines and a syntax tree to chunks: split, then merge.
//!
//! A chunk is a run of whole lines. A node that fits the limit stays whole, a larger one is
//! descended into, and neighbours are merged greedily while they fit (the cAST method). Every
//! non-blank line ends up in exactly one chunk. The text itself is not copied here.

use std::ops::RangeInclusive;

use serde::{Deserialize, Serialize};
use tree_sitter::{Node, TreeCursor};

use crate::lines::Lines;
use crate::symbol::Symbol;

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
        let defined = self.symbols.iter().map(|&i| &symbols[i as usize]);
        let largest = defined.rev().max_by_key(|symbol| {
            symbol.end_line.min(self.end_line) - symbol.name_line.min(self.end_line)
        });
        largest.or_else(|| self.scope.map(|i| &symbols[i as usize]))
    }
}

/// How large chunks may grow.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ChunkSize {
    /// Most non-whitespace characters in a chunk that could be split.
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
    root: Node,
    lines: &Lines,
    symbols: &[Symbol],
    leading: &[bool],
    size: ChunkSize,
) -> Vec<Chunk> {
    let mut cutter = Cutter::new(lines, size, symbols, leading);
    cutter.descend(&mut root.walk(), 1..=lines.count(), 0);
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

struct Cutter<'a> {
    lines: &'a Lines<'a>,
    limit: u32,
    symbols: &'a [Symbol],
    /// Lines a definition starts on, in ascending order.
    starts: Vec<u32>,
    leading: &'a [bool],
    done: Vec<RangeInclusive<u32>>,
    open: Option<RangeInclusive<u32>>,
}

impl<'a> Cutter<'a> {
    fn new(lines: &'a Lines, size: ChunkSize, symbols: &'a [Symbol], leading: &'a [bool]) -> Self {
        let mut starts: Vec<u32> = symbols.iter().map(|symbol| symbol.start_line).collect();
        starts.sort_unstable();
        let limit = size.limit.max(1);
        Cutter { lines, limit, symbols, starts, leading, done: Vec::new(), open: None }
    }

    /// Adds the lines of the node under the cursor, as one piece for each child.
    fn descend(&mut self, cursor: &mut TreeCursor, within: RangeInclusive<u32>, depth: usize) {
        let mut next = *within.start();
        if depth < MAX_DEPTH && cursor.goto_first_child() {
            loop {
                let rows = rows(cursor.node(), &within);
                if *rows.end() >= next && !self.only_leads(&rows) {
                    let first = self.first_of(next, *rows.start());
                    if first > next {
                        self.add(next..=first - 1);
                    }
                    self.add_node(cursor, first.max(next)..=*rows.end(), depth);
                    next = rows.end() + 1;
                }
                if !cursor.goto_next_sibling() {
                    break;
                }
            }
            cursor.goto_parent();
        } else {
            self.paragraphs(within);
            return;
        }
        if next <= *within.end() {
            self.add(next..=*within.end());
        }
    }

    fn add_node(&mut self, cursor: &mut TreeCursor, rows: RangeInclusive<u32>, depth: usize) {
        if self.lines.size(rows.clone()) <= self.limit {
            return self.add(rows);
        }
        let defines = self.starts.binary_search(rows.start()).is_ok();
        if defines {
            self.close();
        }
        self.descend(cursor, rows, depth + 1);
        if defines {
            self.close();
        }
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
                self.begin_section(start);
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
    fn begin_section(&mut self, _line: u32) {
        let open = self.open.clone().map_or(0, |rows| self.lines.size(rows));
        if open * 4 > self.limit {
            self.close();
        }
    }

    /// Merges a piece into the open chunk if both fit, or opens the next one with it.
    fn add(&mut self, rows: RangeInclusive<u32>) {
        let ink = self.lines.size(rows.clone());
        if ink == 0 {
            return;
        }
        match (&self.open, self.done.last_mut()) {
            (None, Some(last)) if ink <= CLOSER => *last = *last.start()..=*rows.end(),
            (None, _) => self.open = Some(rows),
            (Some(open), _) => {
                let both = *open.start()..=*rows.end();
                if ink > CLOSER && self.lines.size(both.clone()) > self.limit {
                    self.close();
                    self.open = Some(rows);
                } else {
                    self.open = Some(both);
                }
            }
        }
    }

    fn close(&mut self) {
        self.done.extend(self.open.take());
    }

    fn finish(mut self) -> Vec<Chunk> {
        self.close();
        let (lines, symbols) = (self.lines, self.symbols);
        self.done.into_iter().map(|rows| chunk(trimmed(rows, lines), symbols)).collect()
    }
}

/// The lines of a node, counted from 1 and kept inside `within`.
fn rows(node: Node, within: &RangeInclusive<u32>) -> RangeInclusive<u32> {
    let start = node.start_position().row as u32 + 1;
    let end = node.end_position();
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

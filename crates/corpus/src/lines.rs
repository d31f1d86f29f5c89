//! A text seen as lines, with the size of any run of them at hand.

use std::ops::{Range, RangeInclusive};

use tree_sitter::Point;

/// Where each line of a text starts, and how much there is to read up to it.
pub struct Lines<'t> {
    text: &'t str,
    starts: Vec<u32>,
    /// Non-whitespace bytes before each line; one entry more than there are lines.
    ink: Vec<u32>,
}

impl<'t> Lines<'t> {
    /// Splits `text` at newlines. A trailing newline does not make another line.
    pub fn of(text: &'t str) -> Lines<'t> {
        let mut lines = Lines { text, starts: Vec::new(), ink: vec![0] };
        let bytes = text.as_bytes();
        let (mut start, mut total) = (0, 0);
        while start < bytes.len() {
            let end = memchr::memchr(b'\n', &bytes[start..]).map_or(bytes.len(), |n| start + n + 1);
            lines.starts.push(start as u32);
            total += bytes[start..end].iter().map(|&byte| u32::from(byte > b' ')).sum::<u32>();
            lines.ink.push(total);
            start = end;
        }
        lines
    }

    /// How many lines there are.
    pub fn count(&self) -> u32 {
        self.starts.len() as u32
    }

    /// The whole text.
    pub fn text(&self) -> &'t str {
        self.text
    }

    /// The text of one line (counted from 1) without its line end.
    pub fn line(&self, number: u32) -> &'t str {
        self.span(number..=number).trim_end_matches(['\n', '\r'])
    }

    /// The text of a run of lines, line ends included.
    pub fn span(&self, lines: RangeInclusive<u32>) -> &'t str {
        let start = self.starts[*lines.start() as usize - 1] as usize;
        let end = self.starts.get(*lines.end() as usize).map_or(self.text.len(), |&s| s as usize);
        &self.text[start..end]
    }

    /// Non-whitespace bytes in a run of lines: the size chunks are measured in.
    pub fn size(&self, lines: RangeInclusive<u32>) -> u32 {
        self.ink[*lines.end() as usize] - self.ink[*lines.start() as usize - 1]
    }

    /// The byte a line (counted from 1) starts at.
    pub fn start(&self, number: u32) -> usize {
        self.starts[number as usize - 1] as usize
    }

    /// Whether a line holds nothing but whitespace.
    pub fn is_blank(&self, number: u32) -> bool {
        self.size(number..=number) == 0
    }

    /// Row and column of a byte as tree-sitter counts them, from 0: a line begins after each newline,
    /// the last one too.
    pub fn point(&self, byte: usize) -> Point {
        let row = self.starts.partition_point(|&start| start as usize <= byte).saturating_sub(1);
        let start = self.starts.get(row).map_or(0, |&start| start as usize);
        match byte == self.text.len() && self.text.ends_with('\n') {
            true => Point::new(self.starts.len(), 0),
            false => Point::new(row, byte - start),
        }
    }

    /// Bytes with the points they begin and end at: what tree-sitter is told to read.
    pub fn range(&self, bytes: Range<usize>) -> tree_sitter::Range {
        let (start_point, end_point) = (self.point(bytes.start), self.point(bytes.end));
        tree_sitter::Range { start_byte: bytes.start, end_byte: bytes.end, start_point, end_point }
    }

    /// The line (counted from 1) that a byte offset falls on.
    pub fn line_at(&self, byte: usize) -> u32 {
        self.starts.partition_point(|&start| start as usize <= byte).max(1) as u32
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_counted_from_one_and_measured_without_whitespace() {
        let lines = Lines::of("ab c\n\n  d\r\nlast");
        assert_eq!(lines.count(), 4);
        assert_eq!(lines.line(3), "  d");
        assert_eq!(lines.size(1..=3), 4);
        assert!(lines.is_blank(2));
        assert_eq!((lines.line_at(0), lines.line_at(5), lines.line_at(14)), (1, 2, 4));
    }

    #[test]
    fn points_are_counted_as_the_grammars_do() {
        let lines = Lines::of("ab\n\nc\n");
        let point = |byte| (lines.point(byte).row, lines.point(byte).column);
        assert_eq!([0, 2, 3, 4, 5, 6].map(point), [(0, 0), (0, 2), (1, 0), (2, 0), (2, 1), (3, 0)]);
        assert_eq!(Lines::of("").point(0), Point::new(0, 0));
    }

    #[test]
    fn an_empty_text_has_no_lines() {
        assert_eq!(Lines::of("").count(), 0);
        assert_eq!(Lines::of("\n").count(), 1);
    }
}

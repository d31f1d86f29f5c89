//! Which lines lead up to a definition: nothing but a comment or an attribute stands on them.

use crate::lines::Lines;
use crate::syntax::Node;

/// What stands alone on a line.
#[derive(Clone, Copy, PartialEq)]
pub enum Leading {
    No,
    Comment,
    Attribute,
}

/// Which lines hold nothing but a comment or an attribute.
pub struct LeadingLines(Vec<Leading>);

impl LeadingLines {
    /// No line leads up to anything yet.
    pub fn none(count: u32) -> LeadingLines {
        LeadingLines(vec![Leading::No; count as usize])
    }

    /// Marks a node's lines, unless code stands before it, or after a comment.
    pub fn mark(&mut self, node: &Node, lines: &Lines, what: Leading) {
        let (start, end) = (lines.point(node.start_byte()), lines.point(node.end_byte()));
        let first = start.row as u32 + 1;
        let last = if end.column == 0 { end.row as u32 } else { end.row as u32 + 1 };
        let last = last.max(first).min(lines.count());
        let alone = first <= lines.count()
            && is_space(&lines.line(first).as_bytes()[..start.column.min(lines.line(first).len())])
            && (what == Leading::Attribute
                || end.column == 0
                || is_space(lines.line(last).as_bytes().get(end.column..).unwrap_or_default()));
        if !alone {
            return;
        }
        // What a query calls an attribute in one pattern may be any comment in another.
        for marked in &mut self.0[first as usize - 1..last as usize] {
            *marked = if *marked == Leading::Attribute { Leading::Attribute } else { what };
        }
        // A doc block may be set off by one blank line.
        let block = what == Leading::Comment && lines.line(first).trim_start().starts_with("/**");
        if block
            && last + 1 < lines.count()
            && lines.is_blank(last + 1)
            && !lines.is_blank(last + 2)
        {
            self.0[last as usize] = what;
        }
    }

    /// Whether a line is part of a comment that stands alone.
    pub fn is_comment(&self, line: u32) -> bool {
        self.0[line as usize - 1] == Leading::Comment
    }

    /// The first of the unbroken run of leading lines right above `line`.
    pub fn first_above(&self, line: u32) -> u32 {
        let above = self.0[..line as usize - 1].iter().rev();
        line - above.take_while(|&&leading| leading != Leading::No).count() as u32
    }

    /// For each line whether it leads up to the next.
    pub fn leading(&self) -> Vec<bool> {
        self.0.iter().map(|&leading| leading != Leading::No).collect()
    }
}

fn is_space(bytes: &[u8]) -> bool {
    bytes.iter().all(u8::is_ascii_whitespace)
}

//! From the end of a logical line to the next: blocks that end, comments on the way.
//!
//! A comment belongs to the block whose indentation it has or exceeds, where blocks end after it;
//! everywhere else to whatever is read when it comes.

use super::{Done, Kind, Reader};

/// What stands between two logical lines.
#[derive(Default)]
pub struct Ahead {
    comments: Vec<Comment>,
    /// Comments that are in the tree already.
    taken: usize,
    /// Where the next token is, and how far its line is indented.
    at: usize,
    indent: usize,
}

struct Comment {
    start: usize,
    end: usize,
    indent: usize,
}

impl Reader<'_> {
    /// Goes on from the end of a line to the first token of the next, or to the end of a block.
    pub fn next_line(&mut self) -> Done {
        self.look_ahead()?;
        self.settle()
    }

    /// Goes on after the end of a block.
    pub fn settle(&mut self) -> Done {
        let current = *self.indents.last()?;
        if self.ahead.indent > current {
            return None;
        }
        if self.ahead.indent == current {
            return self.first_of_line();
        }
        self.take_comments(current);
        self.indents.pop();
        self.token = Kind::Dedent;
        Some(())
    }

    /// Goes on from the end of a decorator. There the grammar takes a comment that is less indented
    /// for the end of the block.
    pub fn next_line_of_decorated(&mut self) -> Done {
        self.look_ahead()?;
        let current = *self.indents.last()?;
        let is_inside = |comment: &Comment| comment.indent >= current;
        self.ahead.comments.iter().all(is_inside).then_some(())?;
        self.settle()
    }

    /// Goes on from the end of a line to the first token of a block.
    pub fn indent(&mut self) -> Done {
        self.look_ahead()?;
        if self.ahead.indent <= *self.indents.last()? {
            return None;
        }
        self.indents.push(self.ahead.indent);
        self.first_of_line()
    }

    fn first_of_line(&mut self) -> Done {
        self.take_comments(0);
        self.end = self.ahead.at;
        if self.end == self.text.len() {
            self.token = Kind::End;
            return Some(());
        }
        self.advance()
    }

    /// Takes comments into the tree, up to the first that is indented less.
    fn take_comments(&mut self, indent: usize) {
        while let Some(&Comment { start, end, indent: own }) =
            self.ahead.comments.get(self.ahead.taken)
            && own >= indent
        {
            self.push_extra(Kind::Comment, start, end);
            self.ahead.taken += 1;
        }
    }

    /// Counts columns as the grammar does: a tab is eight, a carriage return or form feed goes back
    /// to the first.
    fn look_ahead(&mut self) -> Done {
        self.ahead.comments.clear();
        self.ahead.taken = 0;
        let (mut at, mut indent) = (self.end, 0);
        loop {
            match self.text.get(at) {
                Some(b' ') => indent += 1,
                Some(b'\t') => indent += 8,
                Some(b'\n' | b'\r' | b'\x0c') => indent = 0,
                Some(b'#') => {
                    let end = self.end_of_line(at);
                    self.ahead.comments.push(Comment { start: at, end, indent });
                    at = end;
                    continue;
                }
                Some(b'\\') => return None,
                Some(_) => break,
                None => {
                    indent = 0;
                    break;
                }
            }
            at += 1;
        }
        (self.ahead.at, self.ahead.indent) = (at, indent);
        Some(())
    }

    /// Where the line that a byte is on ends.
    pub fn end_of_line(&self, at: usize) -> usize {
        memchr::memchr(b'\n', &self.text[at..]).map_or(self.text.len(), |length| at + length)
    }
}

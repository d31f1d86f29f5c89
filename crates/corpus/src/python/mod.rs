//! Python, read by hand: the tree that its grammar would make, in a twentieth of the time.
//!
//! In: a text. Out: its [`Syntax`], node for node what tree-sitter builds, or nothing. Nothing is
//! the answer wherever there is doubt: an error, what only Python 2 has, a character outside ASCII
//! in a name, nesting nobody writes. Then the grammar reads the text, as it does for every other
//! language, and it stays the one truth: tests hold every tree made here against it.
//!
//! A function named after a part of the language reads that part, which begins at the token at
//! hand, and leaves one node for it at the mark where it began. Functions that take a mark go on
//! with what was read there.

mod brackets;
mod compound;
mod expressions;
mod indentation;
mod kinds;
mod patterns;
mod statements;
mod strings;
mod targets;
mod tokens;
mod types;

use crate::syntax::{Growing, Node, Syntax};
use indentation::Ahead;
use kinds::{Field, Ids, Kind};

/// The tree of a text, where it is plain Python.
pub fn read(text: &str) -> Option<Syntax> {
    let ids = Ids::of_grammar()?;
    // The grammar takes it for the end of the text.
    if memchr::memchr(0, text.as_bytes()).is_some() {
        return None;
    }
    let mut reader = Reader::at_start(text.as_bytes(), ids)?;
    reader.module()?;
    Some(reader.growing.finish(ids.grammar.clone()))
}

/// Whether a part was read; `None` gives up on the whole text.
type Done = Option<()>;

/// Code has more nodes than this, prose in strings fewer.
const BYTES_PER_NODE: usize = 6;

/// Deeper than people write, and shallow enough for any stack.
const MOST_NESTED: usize = 100;

struct Reader<'t> {
    text: &'t [u8],
    ids: &'static Ids,
    growing: Growing,
    /// The token at hand, and the bytes it takes up.
    token: Kind,
    start: usize,
    end: usize,
    /// Brackets that are open: inside them lines do not count.
    brackets: usize,
    /// Indentations of the blocks that are open.
    indents: Vec<usize>,
    ahead: Ahead,
    /// How deep the reader has gone.
    nested: usize,
    /// Whether the statement begins with a word that is a keyword at times: the grammar then tries
    /// several readings, and may choose another of what a star stands before.
    is_ambiguous: bool,
    /// Stars before expressions so far.
    stars: usize,
}

impl<'t> Reader<'t> {
    fn at_start(text: &'t [u8], ids: &'static Ids) -> Option<Reader<'t>> {
        let mut reader = Reader {
            text,
            ids,
            growing: Growing::with_room(text.len() / BYTES_PER_NODE),
            token: Kind::Newline,
            start: 0,
            end: 0,
            brackets: 0,
            indents: vec![0],
            ahead: Ahead::default(),
            nested: 0,
            is_ambiguous: false,
            stars: 0,
        };
        reader.next_line()?;
        Some(reader)
    }

    fn module(&mut self) -> Done {
        while self.token != Kind::End {
            self.statement()?;
        }
        let (start, end) = (self.growing.start().unwrap_or(self.text.len()), self.text.len());
        let module = Node::leaf(self.ids.of(Kind::Module), start..end, true);
        self.growing.close_as(0, module);
        Some(())
    }

    /// Runs `read`; if it gives up, goes back to where it began and says no.
    fn attempt(&mut self, read: impl FnOnce(&mut Self) -> Done) -> bool {
        let size = self.growing.size();
        let before = (self.token, self.start, self.end, self.brackets, self.nested);
        let done = read(self).is_some();
        if !done {
            self.growing.cut(size);
            (self.token, self.start, self.end, self.brackets, self.nested) = before;
        }
        done
    }

    /// Runs `read` one level deeper.
    fn nest(&mut self, read: impl FnOnce(&mut Self) -> Done) -> Done {
        self.nested += 1;
        if self.nested > MOST_NESTED {
            return None;
        }
        read(self)?;
        self.nested -= 1;
        Some(())
    }

    fn mark(&self) -> usize {
        self.growing.mark()
    }

    /// Takes the token at hand into the tree and goes on to the next.
    fn bump(&mut self) -> Done {
        self.push(self.token, self.start, self.end);
        match self.token {
            Kind::LeftParen | Kind::LeftBracket | Kind::LeftBrace => self.brackets += 1,
            Kind::RightParen | Kind::RightBracket | Kind::RightBrace => {
                self.brackets = self.brackets.saturating_sub(1);
            }
            _ => {}
        }
        self.advance()
    }

    fn push(&mut self, kind: Kind, start: usize, end: usize) {
        self.growing.push(Node::leaf(self.ids.of(kind), start..end, kind.is_named()));
    }

    fn push_extra(&mut self, kind: Kind, start: usize, end: usize) {
        self.growing.push(Node::leaf(self.ids.of(kind), start..end, true).extra());
    }

    fn expect(&mut self, token: Kind) -> Done {
        if self.token == token { self.bump() } else { None }
    }

    /// Takes a token where it is there.
    fn accept(&mut self, token: Kind) -> Option<bool> {
        if self.token != token {
            return Some(false);
        }
        self.bump()?;
        Some(true)
    }

    /// Makes a node of all since `mark`.
    fn close(&mut self, mark: usize, kind: Kind) -> Done {
        self.growing.close(mark, self.ids.of(kind), kind.is_named());
        Some(())
    }

    /// The same with the comments at the end: where a token without text follows them.
    fn close_all(&mut self, mark: usize, kind: Kind) {
        self.growing.close_all(mark, self.ids.of(kind), kind.is_named());
    }

    /// Says what the node at a mark is to the one that will be around it.
    fn field(&mut self, mark: usize, field: Field) {
        self.growing.set_field(mark, self.ids.of_field(field));
    }

    /// Reads a part that stands in a field.
    fn fielded(&mut self, field: Field, read: impl FnOnce(&mut Self) -> Done) -> Done {
        let mark = self.mark();
        read(self)?;
        self.field(mark, field);
        Some(())
    }

    fn is_at(&self, mark: usize, kind: Kind) -> bool {
        self.growing.at(mark).kind() == self.ids.of(kind)
    }

    /// The text of the token at hand.
    fn word(&self) -> &'t [u8] {
        &self.text[self.start..self.end]
    }
}

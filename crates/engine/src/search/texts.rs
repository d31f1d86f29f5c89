//! The text of the files that a question leads to, each read once.

use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;

use wherein_corpus::{Lines, decode};

use crate::index::snapshot::Snapshot;

/// Files by their position in the manifest, as they are on disk now.
pub struct Texts<'i> {
    /// The index they are in.
    pub index: &'i Snapshot,
    read: RefCell<HashMap<usize, Rc<str>>>,
}

impl<'i> Texts<'i> {
    /// Nothing is read yet.
    pub fn of(index: &'i Snapshot) -> Texts<'i> {
        Texts { index, read: RefCell::default() }
    }

    /// Some lines without the last line end; empty if the file has gone since it was indexed.
    pub fn lines(&self, file: usize, start: u32, end: u32) -> String {
        let text = self.text(file);
        let lines = Lines::of(&text);
        let end = end.min(lines.count());
        if start > end {
            return String::new();
        }
        lines.span(start..=end).trim_end_matches(['\n', '\r']).to_owned()
    }

    fn text(&self, file: usize) -> Rc<str> {
        let read = || {
            let path = &self.index.manifest.files[file].path;
            decode(self.index.bytes(path)).unwrap_or_default().into()
        };
        self.read.borrow_mut().entry(file).or_insert_with(read).clone()
    }
}

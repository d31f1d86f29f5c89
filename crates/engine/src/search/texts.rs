//! The text of the files that a question leads to, each read once.

use std::cell::RefCell;
use std::collections::HashMap;
use std::sync::Arc;

use wherein_corpus::Lines;

use crate::search::recall::Recall;
use crate::search::secrets::redact;

/// Files by their position in the manifest, as they are on disk now.
pub struct Texts<'i> {
    /// The index they are in.
    pub index: &'i dyn Recall,
    read: RefCell<HashMap<usize, Arc<str>>>,
    /// The same without secrets.
    shown: RefCell<HashMap<usize, Arc<str>>>,
}

impl<'i> Texts<'i> {
    /// Nothing is read yet.
    pub fn of(index: &'i dyn Recall) -> Texts<'i> {
        Texts { index, read: RefCell::default(), shown: RefCell::default() }
    }

    /// Some lines without the last line end; empty if the file has gone since it was indexed.
    pub fn lines(&self, file: usize, start: u32, end: u32) -> String {
        cut(&self.text(file), start, end)
    }

    /// The same without secrets. The whole file is looked at: a key may begin above the lines.
    pub fn shown_lines(&self, file: usize, start: u32, end: u32) -> String {
        let redacted = || Arc::from(redact(&self.text(file)));
        let text = self.shown.borrow_mut().entry(file).or_insert_with(redacted).clone();
        cut(&text, start, end)
    }

    fn text(&self, file: usize) -> Arc<str> {
        let read = || {
            let entry = &self.index.manifest().files[file];
            self.index.text(entry).unwrap_or_default()
        };
        self.read.borrow_mut().entry(file).or_insert_with(read).clone()
    }
}

fn cut(text: &str, start: u32, end: u32) -> String {
    let lines = Lines::of(text);
    let end = end.min(lines.count());
    if start > end {
        return String::new();
    }
    lines.span(start..=end).trim_end_matches(['\n', '\r']).to_owned()
}

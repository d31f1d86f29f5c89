//! The text of the files that a question leads to, each read once and its lines found once.

use std::borrow::Cow;
use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;
use std::sync::Arc;

use crate::search::recall::Recall;
use crate::search::secrets::redact;

/// Files by their position in the manifest, as they are on disk now.
pub struct Texts<'i> {
    /// The index they are in.
    pub index: &'i dyn Recall,
    read: RefCell<HashMap<usize, Rc<Lined>>>,
    /// The same without secrets.
    shown: RefCell<HashMap<usize, Rc<Lined>>>,
}

impl<'i> Texts<'i> {
    /// Nothing is read yet.
    pub fn of(index: &'i dyn Recall) -> Texts<'i> {
        Texts { index, read: RefCell::default(), shown: RefCell::default() }
    }

    /// Some lines without the last line end; empty if the file has gone since it was indexed.
    pub fn lines(&self, file: usize, start: u32, end: u32) -> String {
        self.read(file).cut(start, end).to_owned()
    }

    /// The same without secrets. The whole file is looked at: a key may begin above the lines.
    pub fn shown_lines(&self, file: usize, start: u32, end: u32) -> String {
        let redacted = || {
            let read = self.read(file);
            match redact(&read.text) {
                // Most files hold none.
                Cow::Borrowed(_) => read,
                Cow::Owned(text) => Rc::new(Lined::of(Arc::new(text))),
            }
        };
        let text = self.shown.borrow_mut().entry(file).or_insert_with(redacted).clone();
        text.cut(start, end).to_owned()
    }

    fn read(&self, file: usize) -> Rc<Lined> {
        let read = || {
            let entry = &self.index.manifest().files[file];
            Rc::new(Lined::of(self.index.text(entry).unwrap_or_default()))
        };
        self.read.borrow_mut().entry(file).or_insert_with(read).clone()
    }
}

/// A text and where its lines begin. Not [`wherein_corpus::Lines`]: that also weighs each line, which
/// was a fifth of a search's time.
struct Lined {
    text: Arc<String>,
    starts: Vec<u32>,
}

impl Lined {
    fn of(text: Arc<String>) -> Lined {
        let ends = memchr::memchr_iter(b'\n', text.as_bytes()).map(|end| end as u32 + 1);
        // A line end at the end of the text begins no other line.
        let starts = std::iter::once(0).chain(ends).filter(|&it| (it as usize) < text.len());
        Lined { starts: starts.collect(), text }
    }

    /// Lines as counted from 1, as far as there are any.
    fn cut(&self, start: u32, end: u32) -> &str {
        let line = |number: u32| self.starts.get(number as usize).map(|&start| start as usize);
        let Some(from) = start.checked_sub(1).and_then(line) else { return "" };
        let to = line(end).unwrap_or(self.text.len());
        self.text.get(from..to).unwrap_or_default().trim_end_matches(['\n', '\r'])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, lines: (u32, u32), expected: &str) {
        assert_eq!(
            Lined::of(Arc::new(text.to_owned())).cut(lines.0, lines.1),
            expected,
            "{text:?} {lines:?}"
        );
    }

    #[test]
    fn lines_are_cut_as_they_are_counted() {
        let text = "one\ntwo\r\n\nfour";
        check(text, (1, 1), "one");
        check(text, (1, 2), "one\ntwo");
        check(text, (2, 4), "two\r\n\nfour");
        check(text, (4, 9), "four");
        check("one\n", (1, 2), "one");
    }

    #[test]
    fn lines_that_are_not_there_are_empty() {
        for lines in [(5, 6), (0, 1), (3, 2)] {
            check("one\ntwo\nthree\n", lines, "");
        }
        check("", (1, 1), "");
    }
}

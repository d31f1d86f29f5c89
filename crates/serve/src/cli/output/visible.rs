//! From a text to the same text with nothing in it that a terminal obeys.
//!
//! Names and lines come from whoever wrote the tree. An escape sequence in them could rename the
//! window, hide a line or answer a prompt; a line end in a name could forge a line of ours; marks of
//! direction could show code in another order than it stands. All of these are shown by their codes.

use std::borrow::Cow;
use std::fmt::Write as _;
use std::io::{self, Write};

/// For a name: nothing that is not seen, no line ends, no tabs.
pub fn name(text: &str) -> Cow<'_, str> {
    shown(text, |c| c.is_control() || is_hidden(c))
}

/// For a line of text, which may have tabs.
pub fn line(text: &str) -> Cow<'_, str> {
    shown(text, |c| (c.is_control() && c != '\t') || is_hidden(c))
}

/// For several lines.
pub fn lines(text: &str) -> Cow<'_, str> {
    shown(text, |c| (c.is_control() && c != '\t' && c != '\n') || is_hidden(c))
}

/// A place to write to where nothing but tabs and line ends is obeyed.
pub struct Visible<W>(pub W);

impl<W: Write> Write for Visible<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        // What is formatted comes in whole strings; bytes that are none are no text of ours.
        match std::str::from_utf8(bytes) {
            Ok(text) => self.0.write_all(lines(text).as_bytes())?,
            Err(_) => self.0.write_all(lines(&String::from_utf8_lossy(bytes)).as_bytes())?,
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}

fn shown(text: &str, is_odd: impl Fn(char) -> bool + Copy) -> Cow<'_, str> {
    if !text.contains(is_odd) {
        return Cow::Borrowed(text);
    }
    let mut shown = String::with_capacity(text.len() + 8);
    for c in text.chars() {
        match c {
            _ if !is_odd(c) => shown.push(c),
            '\n' => shown.push_str("\\n"),
            '\r' => shown.push_str("\\r"),
            '\t' => shown.push_str("\\t"),
            c if (c as u32) < 0x100 => drop(write!(shown, "\\x{:02x}", c as u32)),
            c => drop(write!(shown, "\\u{{{:x}}}", c as u32)),
        }
    }
    Cow::Owned(shown)
}

/// Marks of direction, line and paragraph separators.
fn is_hidden(c: char) -> bool {
    matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{2028}' | '\u{2029}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_a_terminal_obeys_comes_through() {
        for (text, as_name, as_line) in [
            ("src/größe.rs", "src/größe.rs", "src/größe.rs"),
            ("a\x1b[31mb", "a\\x1b[31mb", "a\\x1b[31mb"),
            ("a\nb:1:x", "a\\nb:1:x", "a\\nb:1:x"),
            ("\tif x:\r", "\\tif x:\\r", "\tif x:\\r"),
            ("bell\x07 c1\u{9b}2J", "bell\\x07 c1\\x9b2J", "bell\\x07 c1\\x9b2J"),
            ("x\u{202e}y", "x\\u{202e}y", "x\\u{202e}y"),
        ] {
            assert_eq!((name(text), line(text)), (as_name.into(), as_line.into()));
        }
        let mut out = Visible(Vec::new());
        out.write_all(b"a\n\x1bb").unwrap();
        assert_eq!(out.0, b"a\n\\x1bb");
    }
}

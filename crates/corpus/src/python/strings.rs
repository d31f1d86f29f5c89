//! Strings of every kind: prefixes, escapes, and the expressions in those that have some.

use super::{Done, Field, Kind, Reader};
use crate::syntax::Node;

/// How a string is written.
#[derive(Clone, Copy)]
struct Quoting {
    quote: u8,
    /// One quote or three.
    quotes: usize,
    is_raw: bool,
    is_bytes: bool,
    has_expressions: bool,
}

impl Quoting {
    fn of(start: &[u8]) -> Option<Quoting> {
        let letters = start.iter().take_while(|byte| byte.is_ascii_alphabetic()).count();
        let says =
            |letter: u8| start[..letters].iter().any(|byte| byte.eq_ignore_ascii_case(&letter));
        Some(Quoting {
            quote: *start.last()?,
            quotes: start.len() - letters,
            is_raw: says(b'r'),
            is_bytes: says(b'b'),
            has_expressions: says(b'f') || says(b't'),
        })
    }

    fn ends(self, rest: &[u8]) -> bool {
        rest.len() >= self.quotes && rest[..self.quotes].iter().all(|&byte| byte == self.quote)
    }

    /// How far text goes without anything to look at. `None` if it goes on to the end.
    fn length_of_plain(self, rest: &[u8]) -> Option<usize> {
        match (self.has_expressions, self.quotes) {
            (true, _) => rest.iter().position(|&byte| {
                byte == self.quote
                    || matches!(byte, b'\\' | b'{' | b'}')
                    || (byte == b'\n' && self.quotes == 1)
            }),
            (false, 1) => memchr::memchr3(self.quote, b'\\', b'\n', rest),
            (false, _) => memchr::memchr2(self.quote, b'\\', rest),
        }
    }
}

impl Reader<'_> {
    /// One string, or several that stand side by side.
    pub fn strings(&mut self) -> Done {
        let mark = self.mark();
        self.string()?;
        if self.token != Kind::StringStart {
            return Some(());
        }
        while self.token == Kind::StringStart {
            self.string()?;
        }
        self.close(mark, Kind::ConcatenatedString)
    }

    fn string(&mut self) -> Done {
        let mark = self.mark();
        let quoting = Quoting::of(self.word())?;
        self.push(Kind::StringStart, self.start, self.end);
        let mut at = self.end;
        loop {
            let (content, end) = self.string_content(at, quoting)?;
            if self.text[end] != b'{' {
                self.end = end + quoting.quotes;
                self.push(Kind::StringEnd, content, self.end);
                break;
            }
            at = self.interpolation(end, Kind::Interpolation)?;
        }
        self.advance()?;
        self.close(mark, Kind::String)
    }

    /// Text up to the next expression in the string or the quotes that end it. Says where the text
    /// ends and where these begin, which is the same but for raw strings: escapes that nothing else
    /// stands before are part of what ends the string.
    fn string_content(&mut self, start: usize, quoting: Quoting) -> Option<(usize, usize)> {
        let mark = self.mark();
        let (mut at, mut piece, mut only_escapes) = (start, start, quoting.is_raw);
        loop {
            let plain = quoting.length_of_plain(&self.text[at..])?;
            only_escapes &= plain == 0;
            at += plain;
            let rest = &self.text[at..];
            match rest[0] {
                b'\\' if quoting.is_raw => at += length_of_raw_escape(rest, quoting.quote),
                b'\\' => at += self.escape(at, quoting),
                b'\n' => return None,
                b'{' | b'}' if only_escapes && at > piece => return None,
                brace @ (b'{' | b'}') if rest.get(1) == Some(&brace) => {
                    self.push(Kind::EscapeInterpolation, at, at + 2);
                    at += 2;
                    (piece, only_escapes) = (at, quoting.is_raw);
                }
                b'}' => return None,
                b'{' => break,
                _ if quoting.ends(rest) => break,
                quote => {
                    at += rest.iter().take_while(|&&byte| byte == quote).count();
                    (piece, only_escapes) = (at, quoting.is_raw);
                }
            }
        }
        let end = if only_escapes { piece } else { at };
        if end > start {
            let node = Node::leaf(self.ids.of(Kind::StringContent), start..end, true);
            self.growing.close_as(mark, node);
        }
        Some((end, at))
    }

    /// Takes an escape into the tree, or the backslash alone if it is none. Says how far to go on.
    fn escape(&mut self, at: usize, quoting: Quoting) -> usize {
        let rest = &self.text[at + 1..];
        if quoting.is_bytes && rest.first().is_some_and(|byte| b"NuU".contains(byte)) {
            return 2;
        }
        let length = length_of_escape(rest).map_or(1, |length| 1 + length);
        let kind = if length > 1 { Kind::EscapeSequence } else { Kind::Backslash };
        self.push(kind, at, at + length);
        length
    }

    /// An expression in braces, with how it is to be written: says where the string goes on.
    fn interpolation(&mut self, at: usize, kind: Kind) -> Option<usize> {
        self.nested += 1;
        let mark = self.mark();
        (self.token, self.start, self.end) = (Kind::LeftBrace, at, at + 1);
        let outside = std::mem::replace(&mut self.brackets, 0);
        self.bump()?;
        let expression = self.mark();
        if self.token == Kind::YieldWord {
            self.yield_expression()?
        } else {
            self.expressions()?
        }
        self.field(expression, Field::Expression);
        self.accept(Kind::Equal)?;
        if self.token == Kind::TypeConversion {
            self.fielded(Field::TypeConversion, Self::bump)?;
        }
        if self.token == Kind::Colon {
            self.format_specifier()?;
        }
        if self.token != Kind::RightBrace {
            return None;
        }
        self.push(Kind::RightBrace, self.start, self.end);
        self.close(mark, kind)?;
        self.brackets = outside;
        self.nested -= 1;
        Some(self.end)
    }

    /// What follows the colon: text, and perhaps more expressions.
    fn format_specifier(&mut self) -> Done {
        let (mark, start) = (self.mark(), self.start);
        self.push(Kind::Colon, self.start, self.end);
        let mut at = self.end;
        loop {
            let rest = &self.text[at..];
            at += rest.iter().position(|byte| b"{}\n".contains(byte))?;
            match self.text[at] {
                b'{' if self.nested < super::MOST_NESTED => {
                    at = self.interpolation(at, Kind::FormatExpression)?;
                }
                b'}' => break,
                _ => return None,
            }
        }
        self.growing
            .close_as(mark, Node::leaf(self.ids.of(Kind::FormatSpecifier), start..at, true));
        self.field(mark, Field::FormatSpecifier);
        (self.token, self.start, self.end) = (Kind::RightBrace, at, at + 1);
        Some(())
    }
}

/// In a raw string a backslash only keeps a quote, a backslash or the end of a line from counting.
fn length_of_raw_escape(rest: &[u8], quote: u8) -> usize {
    let mut length = 1;
    if rest.get(1).is_some_and(|&byte| byte == quote || byte == b'\\') {
        length += 1;
    }
    match &rest[length.min(rest.len())..] {
        [b'\r', b'\n', ..] => length + 2,
        [b'\r' | b'\n', ..] => length + 1,
        _ => length,
    }
}

/// How many bytes after a backslash are part of the escape; `None` if it stands for itself.
fn length_of_escape(rest: &[u8]) -> Option<usize> {
    let hex = |count: usize| {
        let digits = rest.get(1..=count)?;
        digits.iter().all(u8::is_ascii_hexdigit).then_some(count + 1)
    };
    match rest.first()? {
        b'u' => hex(4),
        b'U' => hex(8),
        b'x' => hex(2),
        b'0'..=b'9' => Some(rest.iter().take(3).take_while(|byte| byte.is_ascii_digit()).count()),
        b'\'' | b'"' | b'a' | b'b' | b'f' | b'r' | b'n' | b't' | b'v' | b'\\' | b'\n' => Some(1),
        b'\r' if rest.get(1) == Some(&b'\n') => Some(2),
        b'N' if rest.get(1) == Some(&b'{') => {
            let name =
                rest[2..].iter().position(|&byte| byte == b'}').filter(|&length| length > 0)?;
            Some(name + 3)
        }
        _ => None,
    }
}

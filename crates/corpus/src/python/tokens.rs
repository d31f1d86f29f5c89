//! From bytes to tokens, one at a time; comments on the way go straight into the tree.

use super::{Done, Kind, Reader};

impl Reader<'_> {
    /// Goes on to the next token.
    pub fn advance(&mut self) -> Done {
        if self.token == Kind::End {
            return None;
        }
        let mut at = self.end;
        loop {
            match self.text.get(at) {
                Some(b' ' | b'\t' | b'\r' | b'\x0c') => at += 1,
                Some(b'\n') if self.brackets > 0 => at = self.line_in_brackets(at + 1)?,
                Some(b'#') => {
                    let end = self.end_of_line(at);
                    self.push_extra(Kind::Comment, at, end);
                    at = end;
                }
                Some(b'\\') => at = self.line_continuation(at)?,
                None if self.brackets > 0 => return None,
                Some(b'\n') | None => {
                    (self.token, self.start, self.end) = (Kind::Newline, at, at);
                    return Some(());
                }
                Some(_) => return self.token(at),
            }
        }
    }

    /// A backslash at the end of a line. What goes on after it must begin on the next.
    fn line_continuation(&mut self, at: usize) -> Option<usize> {
        let rest = &self.text[at + 1..];
        let end = at + if rest.starts_with(b"\r\n") { 3 } else { 2 };
        if !rest.starts_with(b"\n") && end != at + 3 {
            return None;
        }
        let spaces =
            self.text[end..].iter().take_while(|byte| matches!(byte, b' ' | b'\t')).count();
        let next = *self.text.get(end + spaces)?;
        if matches!(next, b'\n' | b'\r' | b'#' | b'\\' | b'\x0c') {
            return None;
        }
        self.token(end + spaces)?;
        // The grammar's scanner looks for a string itself, and skips what stands before it.
        if self.token != Kind::StringStart {
            self.push_extra(Kind::LineContinuation, at, end);
        }
        Some(end + spaces)
    }

    /// Where the next line inside brackets begins. The grammar's scanner may take one that is less
    /// indented than the block around it for the end of the block.
    fn line_in_brackets(&self, start: usize) -> Option<usize> {
        let (mut at, mut column) = (start, 0);
        loop {
            match self.text.get(at)? {
                b' ' => column += 1,
                b'\t' => column += 8,
                b'\n' | b'\r' | b'\x0c' => column = 0,
                _ => return (column >= *self.indents.last()?).then_some(at),
            }
            at += 1;
        }
    }

    /// Whether an expression that ends here could go on with what comes after the line.
    pub fn may_continue_on_next_line(&self) -> bool {
        let mut at = self.end;
        while let Some(byte) = self.text.get(at) {
            match byte {
                b'#' => at = self.end_of_line(at),
                b' ' | b'\t' | b'\r' | b'\n' | b'\x0c' => at += 1,
                b'[' | b'(' | b'.' | b'"' | b'\'' => return true,
                b'a'..=b'z' | b'A'..=b'Z' => {
                    return word(&self.text[at..])
                        .is_none_or(|(kind, _)| kind == Kind::StringStart);
                }
                _ => return false,
            }
        }
        false
    }

    fn token(&mut self, at: usize) -> Done {
        let rest = &self.text[at..];
        let (token, length) = match rest[0] {
            b'a'..=b'z' | b'A'..=b'Z' | b'_' => word(rest)?,
            b'0'..=b'9' => number(rest)?,
            b'.' if rest.get(1).is_some_and(u8::is_ascii_digit) => number(rest)?,
            b'"' | b'\'' => (Kind::StringStart, 0),
            b'!' if rest.get(1).is_some_and(u8::is_ascii_lowercase) => (Kind::TypeConversion, 2),
            _ => mark(rest)?,
        };
        let length =
            if token == Kind::StringStart { length + quotes(&rest[length..]) } else { length };
        (self.token, self.start, self.end) = (token, at, at + length);
        Some(())
    }
}

/// A name or a keyword, or the letters before a string.
fn word(rest: &[u8]) -> Option<(Kind, usize)> {
    let is_part = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_';
    let length = rest.iter().position(|byte| !is_part(byte)).unwrap_or(rest.len());
    let word = &rest[..length];
    match rest.get(length) {
        Some(b'"' | b'\'') if word.iter().all(|byte| b"rRbBuUfFtT".contains(byte)) => {
            Some((Kind::StringStart, length))
        }
        Some(byte) if !byte.is_ascii() => None,
        _ => Some((Kind::of_word(word).unwrap_or(Kind::Identifier), length)),
    }
}

/// How many quotes a string begins with.
fn quotes(rest: &[u8]) -> usize {
    if rest.starts_with(b"\"\"\"") || rest.starts_with(b"'''") { 3 } else { 1 }
}

/// A number, if its underscores are where they may be.
fn number(rest: &[u8]) -> Option<(Kind, usize)> {
    let is = |at: usize, bytes: &[u8]| rest.get(at).is_some_and(|byte| bytes.contains(byte));
    if rest[0] == b'0' && is(1, b"xXoObB") {
        let end = end_of_digits(rest, 2, u8::is_ascii_hexdigit);
        let digits: &[u8] = match rest[1] {
            b'x' | b'X' => b"0123456789abcdefABCDEF_",
            b'o' | b'O' => b"01234567_",
            _ => b"01_",
        };
        let fits = rest[2..end].iter().all(|byte| digits.contains(byte));
        return (fits && end > 2 && are_apart(&rest[..end])).then_some((Kind::Integer, end));
    }
    let digits = |from| end_of_digits(rest, from, u8::is_ascii_digit);
    let (mut kind, mut end) = (Kind::Integer, digits(0));
    if is(end, b".") {
        (kind, end) = (Kind::Float, digits(end + 1));
    }
    let sign = usize::from(is(end + 1, b"+-"));
    if is(end, b"eE") && is(end + 1 + sign, b"0123456789") {
        (kind, end) = (Kind::Float, digits(end + 1 + sign));
    }
    are_apart(&rest[..end]).then_some((kind, end + usize::from(is(end, b"jJ"))))
}

/// Whether every underscore stands after a digit.
fn are_apart(number: &[u8]) -> bool {
    !number.windows(2).any(|pair| matches!(pair, b"__" | b"._")) && !number.ends_with(b"_")
}

fn end_of_digits(rest: &[u8], from: usize, is_digit: fn(&u8) -> bool) -> usize {
    let ends = |byte: &u8| !is_digit(byte) && *byte != b'_';
    rest[from..].iter().position(ends).map_or(rest.len(), |length| from + length)
}

/// An operator or a bracket: the longest that fits.
fn mark(rest: &[u8]) -> Option<(Kind, usize)> {
    let at = |place: usize| rest.get(place).copied().unwrap_or_default();
    let with_equal = |plain: Kind, equal: Kind| match at(1) {
        b'=' => (equal, 2),
        _ => (plain, 1),
    };
    let doubled = |twice: Kind, twice_equal: Kind, plain: Kind, equal: Kind| match (at(1), at(2)) {
        (next, b'=') if next == rest[0] => (twice_equal, 3),
        (next, _) if next == rest[0] => (twice, 2),
        (b'=', _) => (equal, 2),
        _ => (plain, 1),
    };
    Some(match rest[0] {
        b'(' => (Kind::LeftParen, 1),
        b')' => (Kind::RightParen, 1),
        b'[' => (Kind::LeftBracket, 1),
        b']' => (Kind::RightBracket, 1),
        b'{' => (Kind::LeftBrace, 1),
        b'}' => (Kind::RightBrace, 1),
        b',' => (Kind::Comma, 1),
        b';' => (Kind::Semicolon, 1),
        b'~' => (Kind::Tilde, 1),
        b'.' if rest.starts_with(b"...") => (Kind::Ellipsis, 3),
        b'.' => (Kind::Dot, 1),
        b'-' if at(1) == b'>' => (Kind::Arrow, 2),
        b'-' => with_equal(Kind::Minus, Kind::MinusEqual),
        b'+' => with_equal(Kind::Plus, Kind::PlusEqual),
        b'%' => with_equal(Kind::Percent, Kind::PercentEqual),
        b'@' => with_equal(Kind::At, Kind::AtEqual),
        b'&' => with_equal(Kind::Ampersand, Kind::AmpersandEqual),
        b'|' => with_equal(Kind::Pipe, Kind::PipeEqual),
        b'^' => with_equal(Kind::Caret, Kind::CaretEqual),
        b':' => with_equal(Kind::Colon, Kind::ColonEqual),
        b'=' => with_equal(Kind::Equal, Kind::EqualEqual),
        b'!' if at(1) == b'=' => (Kind::NotEqual, 2),
        b'*' => doubled(Kind::StarStar, Kind::StarStarEqual, Kind::Star, Kind::StarEqual),
        b'/' => doubled(Kind::SlashSlash, Kind::SlashSlashEqual, Kind::Slash, Kind::SlashEqual),
        b'<' if at(1) == b'>' => return None,
        b'<' => doubled(Kind::LessLess, Kind::LessLessEqual, Kind::Less, Kind::LessEqual),
        b'>' => doubled(
            Kind::GreaterGreater,
            Kind::GreaterGreaterEqual,
            Kind::Greater,
            Kind::GreaterEqual,
        ),
        _ => return None,
    })
}

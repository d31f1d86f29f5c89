//! Text as it is, and regular expressions: one match a line.

use std::ops::Range;

use regex::{Captures, Regex, RegexBuilder};

use crate::error::{Error, Result};
use crate::grep::{Grep, Kind, Span};

/// A literal or a regular expression, ready to be looked for.
pub struct Text {
    regex: Regex,
    names: Vec<String>,
    /// What every match holds, byte for byte.
    literal: Option<String>,
}

/// A program larger than this would take longer to make than most trees to search.
const MOST_MEMORY: usize = 32 << 20;

impl Text {
    /// Reads a pattern.
    pub fn of(request: &Grep) -> Result<Text> {
        let is_fixed = request.kind == Kind::Fixed;
        if request.pattern.is_empty() {
            return Err(Error::Regex { reason: "it is empty; say what to look for".to_owned() });
        }
        let written = match is_fixed {
            true => regex::escape(&request.pattern),
            false => request.pattern.clone(),
        };
        let regex = RegexBuilder::new(&written)
            .multi_line(true)
            .case_insensitive(request.ignore_case)
            .size_limit(MOST_MEMORY)
            .build()
            .map_err(|error| Error::Regex { reason: reason(&error) })?;
        let names = regex.capture_names().flatten().map(str::to_owned).collect();
        let literal = (is_fixed && !request.ignore_case).then(|| request.pattern.clone());
        Ok(Text { regex, names, literal })
    }

    /// Words that every match holds whole: those with something on either side of them.
    pub fn words(&self) -> Vec<String> {
        let literal = self.literal.as_deref().unwrap_or_default();
        let is_inside = |word: &Range<usize>| word.start > 0 && word.end < literal.len();
        words(literal).filter(is_inside).map(|word| literal[word].to_owned()).collect()
    }

    /// Whether bytes may hold a match.
    pub fn may_match(&self, bytes: &[u8]) -> bool {
        let literal = self.literal.as_deref();
        // UTF-16 is told by its mark; nothing in it stands as it is written.
        bytes.starts_with(b"\xff\xfe")
            || bytes.starts_with(b"\xfe\xff")
            || literal.is_none_or(|it| memchr::memmem::find(bytes, it.as_bytes()).is_some())
    }

    /// The first match of each line.
    pub fn find(&self, text: &str) -> Vec<Span> {
        let mut spans: Vec<Span> = Vec::new();
        let mut taken = 0;
        for found in self.regex.find_iter(text).filter(|found| !found.is_empty()) {
            if found.start() < taken {
                continue;
            }
            let line_end = memchr::memchr(b'\n', &text.as_bytes()[found.end() - 1..]);
            taken = line_end.map_or(text.len(), |n| found.end() + n);
            spans.push(Span { bytes: found.range(), bindings: self.groups(text, found.start()) });
        }
        spans
    }

    fn groups(&self, text: &str, at: usize) -> Vec<(String, Range<usize>)> {
        if self.names.is_empty() {
            return Vec::new();
        }
        let captures = self.regex.captures_at(text, at);
        let group = |captures: &Captures, name: &String| {
            captures.name(name).map(|group| (name.clone(), group.range()))
        };
        captures
            .map(|it| self.names.iter().filter_map(|name| group(&it, name)).collect())
            .unwrap_or_default()
    }
}

/// The last line of what the library says: the ones before it draw the pattern.
fn reason(error: &regex::Error) -> String {
    let text = error.to_string();
    let last = text.lines().last().unwrap_or_default().trim_start_matches("error: ");
    format!("{last}; --fixed looks for the pattern as it is")
}

/// Runs of letters, digits and underscores.
pub fn words(text: &str) -> impl Iterator<Item = Range<usize>> {
    let mut at = 0;
    std::iter::from_fn(move || {
        let inside = |c: char| c.is_alphanumeric() || c == '_';
        let start = at + text[at..].find(inside)?;
        let end = text[start..].find(|c| !inside(c)).map_or(text.len(), |n| start + n);
        at = end;
        Some(start..end)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(pattern: &str, kind: Kind) -> Text {
        let request = Grep {
            show_secrets: false,
            pattern: pattern.to_owned(),
            kind,
            ignore_case: false,
            languages: Vec::new(),
            paths: Vec::new(),
            limit: None,
        };
        Text::of(&request).unwrap()
    }

    #[track_caller]
    fn check(pattern: &str, kind: Kind, haystack: &str, expected: &[&str]) {
        let found = text(pattern, kind).find(haystack);
        let found: Vec<&str> = found.iter().map(|span| &haystack[span.bytes.clone()]).collect();
        assert_eq!(found, expected, "{pattern}");
    }

    #[test]
    fn the_first_match_of_each_line_is_found() {
        check("a.c", Kind::Fixed, "abc a.c a.c\na.c\n", &["a.c", "a.c"]);
        check("a.c", Kind::Regex, "abc a.c\nxyz\naxc", &["abc", "axc"]);
        check("^b", Kind::Regex, "ab\nb\nbb", &["b", "b"]);
        check("b\nc", Kind::Fixed, "ab\ncd b\nc", &["b\nc"]);
        check("x*", Kind::Regex, "aaa", &[]);
    }

    #[test]
    fn only_words_with_both_ends_are_asked_of_the_index() {
        assert_eq!(text("def get_it(self", Kind::Fixed).words(), ["get_it"]);
        assert_eq!(text("get_it", Kind::Fixed).words(), Vec::<String>::new());
        assert_eq!(text("a get_it b", Kind::Regex).words(), Vec::<String>::new());
    }
}

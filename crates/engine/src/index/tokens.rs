//! From text to search terms: the one tokenizer for code, prose, paths and questions.
//!
//! A word of several parts gives its parts and itself, written together: `retryCount`,
//! `retry_count` and `retry-count` all give `retry`, `count` and `retrycount`, so a question in
//! one convention finds code in another. Parts are lower-cased and lightly stemmed. Chinese,
//! Japanese and Korean runs give overlapping pairs of characters.

use crate::index::stem::stem;

/// What a term is to the word it came from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TermKind {
    /// A word of one part, or one part of a word.
    Part,
    /// A word of several parts, written together.
    Whole,
}

/// Reads the terms of a text one after the other.
pub struct Tokens<'t> {
    text: &'t str,
    at: usize,
    /// Parts of the current word still to be given, last one first.
    pending: Vec<(u32, u32)>,
    /// A hyphenated run so far, and where it ended.
    chain: String,
    chain_links: u32,
    chain_end: usize,
}

impl<'t> Tokens<'t> {
    /// The terms of `text`.
    pub fn of(text: &'t str) -> Tokens<'t> {
        Tokens {
            text,
            at: 0,
            pending: Vec::new(),
            chain: String::new(),
            chain_links: 0,
            chain_end: usize::MAX,
        }
    }

    /// Writes the next term into `term`, or says that there is none.
    pub fn next(&mut self, term: &mut String) -> Option<TermKind> {
        term.clear();
        if let Some((start, end)) = self.pending.pop() {
            push_lower(term, &self.text[start as usize..end as usize]);
            stem(term);
            return Some(TermKind::Part);
        }
        if let Some(kind) = self.finish_chain(term) {
            return Some(kind);
        }
        let word = self.next_word()?;
        self.take_word(word, term)
    }

    /// The next run of letters, digits and underscores.
    fn next_word(&mut self) -> Option<(usize, usize)> {
        let bytes = self.text.as_bytes();
        let mut at = self.at;
        while at < bytes.len() {
            let (inside, width) = self.classify(at);
            if inside {
                break;
            }
            at += width;
        }
        let start = at;
        while at < bytes.len() {
            let (inside, width) = self.classify(at);
            if !inside {
                break;
            }
            at += width;
        }
        self.at = at;
        (start < at).then_some((start, at))
    }

    fn classify(&self, at: usize) -> (bool, usize) {
        let byte = self.text.as_bytes()[at];
        if byte < 0x80 {
            return (byte.is_ascii_alphanumeric() || byte == b'_', 1);
        }
        let c = self.text[at..].chars().next().unwrap_or(' ');
        (c.is_alphanumeric(), c.len_utf8())
    }

    fn take_word(&mut self, (start, end): (usize, usize), term: &mut String) -> Option<TermKind> {
        let word = &self.text[start..end];
        if word.chars().next().is_some_and(is_ideographic) {
            self.pair_up(start, end);
        } else {
            self.split(start, end);
        }
        self.link(start, end);
        match self.pending.len() {
            0 => self.next(term),
            1 => self.next(term),
            _ => {
                word.chars().filter(|&c| c != '_').for_each(|c| push_lower_char(term, c));
                Some(TermKind::Whole)
            }
        }
    }

    /// Splits at underscores, between lower and upper case, before the last capital of a run
    /// (`HTTPServer`), and between letters and digits.
    fn split(&mut self, start: usize, end: usize) {
        let bytes = self.text.as_bytes();
        let mut from = start;
        for at in start + 1..end {
            if is_boundary(bytes, at, end) {
                self.part(from, at);
                from = at;
            }
        }
        self.part(from, end);
        self.pending.reverse();
    }

    fn part(&mut self, mut from: usize, end: usize) {
        let bytes = self.text.as_bytes();
        while from < end && bytes[from] == b'_' {
            from += 1;
        }
        if from < end {
            self.pending.push((from as u32, end as u32));
        }
    }

    fn pair_up(&mut self, start: usize, end: usize) {
        let bounds: Vec<usize> = self.text[start..end]
            .char_indices()
            .map(|(i, _)| start + i)
            .chain([end])
            .collect();
        match bounds.len() {
            0..=2 => self.pending.push((start as u32, end as u32)),
            _ => self.pending.extend(bounds.windows(3).rev().map(|w| (w[0] as u32, w[2] as u32))),
        }
    }

    /// Keeps `retry-count` together as one more term, once the run of hyphens is over.
    fn link(&mut self, start: usize, end: usize) {
        let bytes = self.text.as_bytes();
        let word = &self.text[start..end];
        let plain = word.len() > 1 && word.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit());
        let follows = self.chain_end.checked_add(1) == Some(start) && bytes[start - 1] == b'-';
        if !follows || !plain {
            self.chain.clear();
            self.chain_links = 0;
        }
        if plain {
            self.chain.push_str(word);
            self.chain_links += 1;
            self.chain_end = end;
        } else {
            self.chain_end = usize::MAX;
        }
    }

    fn finish_chain(&mut self, term: &mut String) -> Option<TermKind> {
        if self.chain_links < 2 {
            return None;
        }
        let bytes = self.text.as_bytes();
        let goes_on = bytes.get(self.at) == Some(&b'-')
            && bytes.get(self.at + 1).is_some_and(|b| b.is_ascii_lowercase() || b.is_ascii_digit());
        if goes_on {
            return None;
        }
        std::mem::swap(term, &mut self.chain);
        self.chain.clear();
        self.chain_links = 0;
        Some(TermKind::Whole)
    }
}

fn is_boundary(bytes: &[u8], at: usize, end: usize) -> bool {
    let (before, here) = (bytes[at - 1], bytes[at]);
    if before == b'_' || here == b'_' {
        return before != here;
    }
    if before >= 0x80 || here >= 0x80 {
        return false;
    }
    let humps = before.is_ascii_lowercase() && here.is_ascii_uppercase();
    let acronym = before.is_ascii_uppercase()
        && here.is_ascii_uppercase()
        && at + 1 < end
        && bytes[at + 1].is_ascii_lowercase();
    humps || acronym || before.is_ascii_digit() != here.is_ascii_digit()
}

fn push_lower(term: &mut String, text: &str) {
    if text.is_ascii() {
        let from = term.len();
        term.push_str(text);
        term[from..].make_ascii_lowercase();
    } else {
        text.chars().for_each(|c| push_lower_char(term, c));
    }
}

fn push_lower_char(term: &mut String, c: char) {
    if c.is_ascii() { term.push(c.to_ascii_lowercase()) } else { term.extend(c.to_lowercase()) }
}

fn is_ideographic(c: char) -> bool {
    matches!(c, '\u{3040}'..='\u{30ff}' | '\u{3400}'..='\u{9fff}' | '\u{ac00}'..='\u{d7af}' | '\u{f900}'..='\u{faff}')
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn terms(text: &str) -> Vec<String> {
        let (mut tokens, mut term, mut all) = (Tokens::of(text), String::new(), Vec::new());
        while tokens.next(&mut term).is_some() {
            all.push(term.clone());
        }
        all
    }

    #[track_caller]
    fn check(text: &str, expected: &[&str]) {
        assert_eq!(terms(text), expected, "{text}");
    }

    #[test]
    fn one_name_in_any_convention_gives_the_same_terms() {
        for name in ["retryCount", "RetryCount", "retry_count", "RETRY_COUNT", "__retry_count__"] {
            check(name, &["retrycount", "retry", "count"]);
        }
        check("retry-count", &["retry", "count", "retrycount"]);
    }

    #[test]
    fn acronyms_and_digits_are_parts() {
        check("HTTPServer", &["httpserver", "http", "server"]);
        check("sha256sum", &["sha256sum", "sha", "256", "sum"]);
        check("utf8", &["utf8", "utf", "8"]);
    }

    #[test]
    fn hyphens_link_only_plain_words() {
        check("a - b", &["a", "b"]);
        check("x-y", &["x", "y"]);
        check("built-in type-safe", &["built", "in", "builtin", "type", "safe", "typesafe"]);
        check("one-two-three", &["one", "two", "thre", "onetwothree"]);
    }

    #[test]
    fn other_scripts_are_words_too() {
        check("größe Überlauf", &["größe", "überlauf"]);
        check("検索する", &["検索", "索す", "する"]);
    }

    #[test]
    fn nothing_but_punctuation_gives_nothing() {
        check("-> { } ___ ::", &[]);
    }

    proptest! {
        #[test]
        fn any_text_is_read_to_its_end(text in "\\PC{0,200}") {
            for term in terms(&text) {
                prop_assert!(!term.is_empty());
            }
        }

        #[test]
        fn case_of_plain_words_does_not_matter(word in "[a-z]{2,12}") {
            prop_assert_eq!(terms(&word), terms(&word.to_uppercase()));
        }
    }
}

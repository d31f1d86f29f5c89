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
    /// The part last given.
    given: (u32, u32),
    /// A hyphenated run so far, how many words it has, and where it ended.
    chain: String,
    links: u32,
    chain_end: usize,
}

/// What a text is made of: each piece gives its terms whatever stands around it.
#[derive(Debug, PartialEq, Eq)]
pub enum Piece<'p> {
    /// A run of letters, digits and underscores, as it is written.
    Word(&'p str),
    /// The words of a hyphenated run, written together: a term.
    Chain(&'p str),
}

impl<'t> Tokens<'t> {
    /// The terms of `text`.
    pub fn of(text: &'t str) -> Tokens<'t> {
        Tokens {
            text,
            at: 0,
            pending: Vec::new(),
            given: (0, 0),
            chain: String::new(),
            links: 0,
            chain_end: usize::MAX,
        }
    }

    /// Writes the next term into `term`, or says that there is none.
    pub fn next(&mut self, term: &mut String) -> Option<TermKind> {
        self.next_among(term, |_| true)
    }

    /// The same, for who looks for a few terms: a part that begins with none of the bytes they begin
    /// with is left empty, for to fold and stem it takes longer than to find it.
    pub fn next_among(
        &mut self,
        term: &mut String,
        begins: impl Fn(u8) -> bool,
    ) -> Option<TermKind> {
        term.clear();
        loop {
            if let Some((start, end)) = self.pending.pop() {
                self.given = (start, end);
                // A stem begins as its word does; what is beyond ASCII may begin otherwise when folded.
                let first = self.text.as_bytes()[start as usize].to_ascii_lowercase();
                if !first.is_ascii() || begins(first) {
                    push_lower(term, self.written());
                    stem(term);
                }
                return Some(TermKind::Part);
            }
            if self.links > 1 && !self.chain_goes_on() {
                std::mem::swap(term, &mut self.chain);
                self.break_chain();
                return Some(TermKind::Whole);
            }
            let word = self.next_word()?;
            if self.take_word(&word, term) {
                return Some(TermKind::Whole);
            }
        }
    }

    /// The next piece of the text, for who remembers which terms a word gives. Not to be mixed with
    /// [`Tokens::next`].
    pub fn next_piece(&mut self) -> Option<Piece<'_>> {
        if self.links > 1 && !self.chain_goes_on() {
            self.links = 0;
            self.chain_end = usize::MAX;
            return Some(Piece::Chain(&self.chain));
        }
        let word = self.next_word()?;
        if word.may_link() {
            self.link(word.start, word.end);
        }
        Some(Piece::Word(&self.text[word.start..word.end]))
    }

    /// The part last given, as it stands in the text.
    pub fn written(&self) -> &'t str {
        &self.text[self.given.0 as usize..self.given.1 as usize]
    }

    /// The next run of letters, digits and underscores.
    fn next_word(&mut self) -> Option<Word> {
        let bytes = self.text.as_bytes();
        let mut at = self.at;
        while at < bytes.len() {
            let class = CLASS[bytes[at] as usize];
            if class == HIGH {
                let (letter, width) = self.high(at);
                if letter {
                    break;
                }
                at += width;
            } else if class == NONE {
                at += 1;
            } else {
                break;
            }
        }
        let (start, mut seen) = (at, NONE);
        while at < bytes.len() {
            let class = CLASS[bytes[at] as usize];
            if class == HIGH {
                let (letter, width) = self.high(at);
                if !letter {
                    break;
                }
                at += width;
            } else if class == NONE {
                break;
            } else {
                at += 1;
            }
            seen |= class;
        }
        self.at = at;
        (start < at).then_some(Word { start, end: at, seen })
    }

    /// Whether the character beyond ASCII at `at` belongs to a word, and its width in bytes.
    fn high(&self, at: usize) -> (bool, usize) {
        let c = self.text[at..].chars().next().unwrap_or(' ');
        (is_letter(c), c.len_utf8())
    }

    /// Lines up a word's parts; writes the whole word and says so if there are several.
    fn take_word(&mut self, word: &Word, term: &mut String) -> bool {
        let &Word { start, end, seen } = word;
        if seen == LOWER || seen == DIGIT {
            self.pending.push((start as u32, end as u32));
            self.link(start, end);
            return false;
        }
        if seen & HIGH != 0 && self.text[start..].chars().next().is_some_and(is_ideographic) {
            self.pair_up(start, end);
            return false;
        }
        self.split(start, end);
        if word.may_link() {
            self.link(start, end);
        }
        if self.pending.len() < 2 {
            return false;
        }
        self.text[start..end].split('_').for_each(|piece| push_lower(term, piece));
        true
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
        let bounds: Vec<usize> =
            self.text[start..end].char_indices().map(|(i, _)| start + i).chain([end]).collect();
        match bounds.len() {
            0..=2 => self.pending.push((start as u32, end as u32)),
            _ => self.pending.extend(bounds.windows(3).rev().map(|w| (w[0] as u32, w[2] as u32))),
        }
    }

    /// Keeps `retry-count` together as one more term, once the run of hyphens is over.
    fn link(&mut self, start: usize, end: usize) {
        let bytes = self.text.as_bytes();
        let follows = start > 0 && bytes[start - 1] == b'-' && self.chain_end == start - 1;
        if !follows {
            self.break_chain();
        }
        let leads = bytes.get(end) == Some(&b'-');
        if end - start > 1 && (follows || leads) {
            self.chain.push_str(&self.text[start..end]);
            self.links += 1;
            self.chain_end = end;
        }
    }

    fn chain_goes_on(&self) -> bool {
        let bytes = self.text.as_bytes();
        bytes.get(self.at) == Some(&b'-')
            && bytes
                .get(self.at + 1)
                .is_some_and(|&byte| CLASS[byte as usize] & (LOWER | DIGIT) != 0)
    }

    fn break_chain(&mut self) {
        self.chain.clear();
        self.links = 0;
        self.chain_end = usize::MAX;
    }
}

/// A word's place in the text, and which classes of characters are in it.
struct Word {
    start: usize,
    end: usize,
    seen: u8,
}

impl Word {
    /// Whether it may be part of a hyphenated run.
    fn may_link(&self) -> bool {
        self.seen & (UPPER | UNDERSCORE | HIGH) == 0
    }
}

const NONE: u8 = 0;
const LOWER: u8 = 1;
const UPPER: u8 = 2;
const DIGIT: u8 = 4;
const UNDERSCORE: u8 = 8;
const HIGH: u8 = 16;

/// What each byte is to a word.
const CLASS: [u8; 256] = {
    let mut class = [NONE; 256];
    let mut byte = 0;
    while byte < 256 {
        class[byte] = match byte as u8 {
            b'a'..=b'z' => LOWER,
            b'A'..=b'Z' => UPPER,
            b'0'..=b'9' => DIGIT,
            b'_' => UNDERSCORE,
            0x80.. => HIGH,
            _ => NONE,
        };
        byte += 1;
    }
    class
};

/// Letters and digits beyond ASCII, by block: the exact tables cost a tenth of all indexing.
fn is_letter(c: char) -> bool {
    !matches!(c,
        '\u{80}'..='\u{a9}' | '\u{ab}'..='\u{b4}' | '\u{b6}'..='\u{b9}' | '\u{bb}'..='\u{bf}'
        | '\u{d7}' | '\u{f7}' | '\u{2000}'..='\u{2bff}' | '\u{2e00}'..='\u{2e7f}'
        | '\u{3000}'..='\u{3004}' | '\u{3008}'..='\u{3020}' | '\u{e000}'..='\u{f8ff}'
        | '\u{fe00}'..='\u{fe6f}' | '\u{feff}' | '\u{ff00}'..='\u{ff0f}' | '\u{ff1a}'..='\u{ff20}'
        | '\u{fff0}'..='\u{ffff}' | '\u{1f000}'..='\u{1faff}' | '\u{e0000}'..)
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
        term.extend(text.chars().flat_map(char::to_lowercase));
    }
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
        check("built-in type-safe", &["built", "in", "builtin", "typ", "saf", "typesafe"]);
        check("one-two-three", &["one", "two", "thre", "onetwothree"]);
    }

    #[test]
    fn parts_are_known_as_they_were_written() {
        let (mut tokens, mut term, mut written) =
            (Tokens::of("retried HTTPServers 検索"), String::new(), Vec::new());
        while let Some(kind) = tokens.next(&mut term) {
            if kind == TermKind::Part {
                written.push(tokens.written());
            }
        }
        assert_eq!(written, ["retried", "HTTP", "Servers", "検索"]);
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
        fn looking_for_few_terms_finds_those_and_no_others(text in "[ a-dA-D_éÉ検1-]{0,60}") {
            let (mut all, mut few) = (Tokens::of(&text), Tokens::of(&text));
            let (mut one, mut other) = (String::new(), String::new());
            while let Some(kind) = all.next(&mut one) {
                prop_assert_eq!(few.next_among(&mut other, |byte| byte == b'b'), Some(kind));
                let is_left_out = other.is_empty() && !one.starts_with('b');
                prop_assert!(one == other || is_left_out, "{} {}", one, other);
            }
            prop_assert!(few.next(&mut other).is_none());
        }

        #[test]
        fn pieces_give_the_terms_of_the_whole(text in "[ a-cA-C_éÉ検索1-]{0,60}") {
            let (mut tokens, mut pieces) = (Tokens::of(&text), Vec::new());
            while let Some(piece) = tokens.next_piece() {
                match piece {
                    Piece::Word(word) => pieces.extend(terms(word)),
                    Piece::Chain(term) => pieces.push(term.to_owned()),
                }
            }
            prop_assert_eq!(pieces, terms(&text));
        }

        #[test]
        fn case_of_plain_words_does_not_matter(word in "[a-z]{2,12}") {
            prop_assert_eq!(terms(&word), terms(&word.to_uppercase()));
        }
    }
}

//! What of a chunk is encoded: for code a short header that says where it stands, then its text.
//!
//! Chosen on 2026-11-15 by the development halves, dense alone. Without a header, with the path as
//! it is, with its words: semble NDCG@10 .706, .790, .803; CodeSearchNet Python (valid) MRR .756,
//! .748, .756. Prose says what it is about itself: octocode docs MRR .604 without, .570 with its
//! headings in front.
//!
//! Of a long chunk an encoder reads how it begins and what words come later, so its second half (of what is encoded at
//! all) is a passage of its own.
//! Chosen on 2026-11-18 over the first 60 candidates of a question, fused, without the ranker. One passage, the second
//! half of chunks of 40, 30, 25 and 0 lines or more: MRR on octocode code .717, .774, .794, .794, .793; on 116 questions
//! about spans of twelve other repositories .696, .709, .720, .711, .710; NDCG@10 over files of ten of semble's
//! repositories .878, .877, .876, .875, .873. Of all candidates .4, .6, .7 and .9 have a half then.

use wherein_corpus::{Chunk, Digest, Language, Lines, Parsed, Role};

/// Bytes of a passage that are encoded; an encoder reads a few hundred tokens at most.
pub const MOST_BYTES: usize = 3000;

/// Lines from which on a chunk is long.
const LONG: u32 = 30;

/// A text that stands for a chunk, and its key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Passage {
    /// What is encoded.
    pub text: String,
    /// Names the text.
    pub key: Digest,
}

impl Passage {
    /// The passages of a chunk of the file at `path`: the whole first, then the second half of a long one.
    pub fn all_of(
        path: &str,
        language: &Language,
        parsed: &Parsed,
        chunk: &Chunk,
        lines: &Lines,
    ) -> Vec<Passage> {
        let header = match language.role() {
            Role::Code => header(path, language, parsed, chunk),
            Role::Docs => String::new(),
        };
        let whole = lines.span(chunk.start_line..=chunk.end_line);
        let whole = &whole[..whole.floor_char_boundary(MOST_BYTES.saturating_sub(header.len()))];
        let is_long = chunk.end_line - chunk.start_line + 1 >= LONG;
        let half = second_half(whole).filter(|_| is_long);
        let passage = |body: &str| Passage::of(format!("{header}{body}"));
        std::iter::once(whole).chain(half).map(passage).collect()
    }

    fn of(mut text: String) -> Passage {
        text.truncate(text.floor_char_boundary(MOST_BYTES));
        Passage { key: Digest::of(text.as_bytes()), text }
    }
}

/// Where a chunk stands, in words.
fn header(path: &str, language: &Language, parsed: &Parsed, chunk: &Chunk) -> String {
    let scope =
        chunk.scope.map(|scope| parsed.symbols[scope as usize].qualified(language.separator));
    let lines = std::iter::once(words_of(path)).chain(scope);
    lines.map(|line| format!("{line}\n")).collect()
}

/// The lines behind the first half of what is written, indents left aside; none if there is but one line.
fn second_half(text: &str) -> Option<&str> {
    let ink = |line: &str| line.trim().len() + 1;
    let all: usize = text.lines().map(ink).sum();
    let (mut read, mut at) = (0, 0);
    for line in text.split_inclusive('\n') {
        if 2 * read >= all {
            break;
        }
        read += ink(line);
        at += line.len();
    }
    Some(&text[at..]).filter(|half| !half.trim().is_empty())
}

/// A path as words, without its extension and without names that are mostly a number.
fn words_of(path: &str) -> String {
    let (folder, name) = path.rsplit_once('/').unwrap_or(("", path));
    let stem = name.split('.').find(|part| !part.is_empty()).unwrap_or(name);
    let says_something = |part: &&str| {
        let digits = part.bytes().filter(u8::is_ascii_digit).count();
        !part.is_empty() && digits * 2 < part.len()
    };
    let parts: Vec<&str> = folder.split('/').chain([stem]).filter(says_something).collect();
    parts.join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_second_half_begins_with_a_line() {
        for (text, expected) in [
            ("one\ntwo\nthree\nfour\n", Some("four\n")),
            ("one\n        two\nthree\nfour\nfive", Some("four\nfive")),
            ("a long first line\nb\n", Some("b\n")),
            ("one line", None),
            ("one\n\n\n", None),
            ("", None),
        ] {
            assert_eq!(second_half(text), expected, "{text:?}");
        }
    }

    #[test]
    fn a_path_becomes_words() {
        for (path, expected) in [
            ("django/core/base.py", "django core base"),
            ("Makefile", "Makefile"),
            (".github/workflows/ci.yml", ".github workflows ci"),
            ("db/migrations/0001_initial.py", "db migrations 0001_initial"),
            ("data/000123.py", "data"),
            ("src/.env", "src env"),
        ] {
            assert_eq!(words_of(path), expected, "{path}");
        }
    }
}

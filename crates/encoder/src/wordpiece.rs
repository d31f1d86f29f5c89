//! WordPiece: text to token ids, as BERT's uncased tokenizer does it.

use std::collections::HashMap;

use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

/// A vocabulary and the ids of the tokens that frame a text.
#[derive(Debug)]
pub struct WordPiece {
    starts: HashMap<Vec<u8>, u32>,
    continues: HashMap<Vec<u8>, u32>,
    unknown: u32,
    first: u32,
    last: u32,
}

/// A word longer than this is unknown.
const LONGEST_WORD: usize = 100;

impl WordPiece {
    /// From tokens in the order of their ids; `None` if a framing token is missing.
    pub fn new<'v>(tokens: impl Iterator<Item = &'v str>) -> Option<WordPiece> {
        let (mut starts, mut continues) = (HashMap::new(), HashMap::new());
        for (id, token) in tokens.enumerate() {
            match token.strip_prefix("##") {
                Some(rest) if !rest.is_empty() => {
                    continues.insert(rest.as_bytes().to_vec(), id as u32)
                }
                _ => starts.insert(token.as_bytes().to_vec(), id as u32),
            };
        }
        let find = |token: &str| starts.get(token.as_bytes()).copied();
        let (unknown, first, last) = (find("[UNK]")?, find("[CLS]")?, find("[SEP]")?);
        Some(WordPiece { starts, continues, unknown, first, last })
    }

    /// The ids of a text, framed, at most `limit` of them.
    pub fn ids(&self, text: &str, limit: usize) -> Vec<u32> {
        let mut ids = vec![self.first];
        let mut word = String::new();
        for c in normalised(text) {
            let alone = is_punctuation(c) || is_ideographic(c);
            if alone || c.is_whitespace() {
                self.flush(&mut word, &mut ids);
            } else {
                word.push(c);
            }
            if alone {
                word.push(c);
                self.flush(&mut word, &mut ids);
            }
            if ids.len() >= limit {
                break;
            }
        }
        self.flush(&mut word, &mut ids);
        ids.truncate(limit.max(2) - 1);
        ids.push(self.last);
        ids
    }

    /// Cuts a word into the longest known pieces, or calls it unknown as a whole.
    fn flush(&self, word: &mut String, ids: &mut Vec<u32>) {
        if word.is_empty() {
            return;
        }
        let before = ids.len();
        let bytes = word.as_bytes();
        let mut at = 0;
        while at < bytes.len() && word.chars().count() <= LONGEST_WORD {
            let pieces = if at == 0 { &self.starts } else { &self.continues };
            let ends = (at + 1..=bytes.len()).rev().filter(|&end| word.is_char_boundary(end));
            let Some((id, end)) =
                ends.filter_map(|end| Some((*pieces.get(&bytes[at..end])?, end))).next()
            else {
                break;
            };
            ids.push(id);
            at = end;
        }
        if at < bytes.len() {
            ids.truncate(before);
            ids.push(self.unknown);
        }
        word.clear();
    }
}

/// Lower case without accents or control characters.
fn normalised(text: &str) -> impl Iterator<Item = char> + '_ {
    text.chars()
        .filter(|&c| c != '\0' && c != '\u{fffd}' && (c.is_whitespace() || !c.is_control()))
        .nfd()
        .filter(|&c| !is_combining_mark(c))
        .flat_map(char::to_lowercase)
}

/// ASCII symbols count as punctuation, as in BERT's own code.
fn is_punctuation(c: char) -> bool {
    match c {
        '!'..='/' | ':'..='@' | '['..='`' | '{'..='~' => true,
        _ if c.is_ascii() => false,
        '\u{a1}' | '\u{a7}' | '\u{ab}' | '\u{b6}' | '\u{b7}' | '\u{bb}' | '\u{bf}' => true,
        '\u{2010}'..='\u{2027}' | '\u{2030}'..='\u{205e}' | '\u{3001}'..='\u{3003}' => true,
        '\u{3008}'..='\u{3011}' | '\u{3014}'..='\u{301f}' | '\u{ff01}'..='\u{ff0f}' => true,
        '\u{ff1a}'..='\u{ff20}' | '\u{ff3b}'..='\u{ff3d}' | '\u{ff5b}'..='\u{ff65}' => true,
        _ => false,
    }
}

fn is_ideographic(c: char) -> bool {
    matches!(c,
        '\u{4e00}'..='\u{9fff}' | '\u{3400}'..='\u{4dbf}' | '\u{20000}'..='\u{2a6df}'
        | '\u{2a700}'..='\u{2ceaf}' | '\u{f900}'..='\u{faff}' | '\u{2f800}'..='\u{2fa1f}')
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn vocabulary() -> WordPiece {
        let tokens = [
            "[UNK]", "[CLS]", "[SEP]", "un", "##aff", "##able", "cafe", "(", ")", "a", "##b", "中",
        ];
        WordPiece::new(tokens.into_iter()).unwrap()
    }

    #[track_caller]
    fn check(text: &str, limit: usize, expected: &[u32]) {
        assert_eq!(vocabulary().ids(text, limit), expected, "{text}");
    }

    #[test]
    fn words_become_their_longest_known_pieces() {
        check("unaffable", 10, &[1, 3, 4, 5, 2]);
        check("Café(ab)", 10, &[1, 6, 7, 9, 10, 8, 2]);
        check("a中a", 10, &[1, 9, 11, 9, 2]);
        check("xyz a", 10, &[1, 0, 9, 2]);
        check("", 10, &[1, 2]);
    }

    #[test]
    fn a_long_text_is_cut_and_still_framed() {
        check("a a a a a a", 4, &[1, 9, 9, 2]);
        check(&"a".repeat(200), 10, &[1, 0, 2]);
    }

    proptest! {
        #[test]
        fn any_text_gives_a_framed_list_within_the_limit(text in "\\PC{0,80}", limit in 2usize..20) {
            let ids = vocabulary().ids(&text, limit);
            prop_assert!(ids.len() <= limit && ids[0] == 1 && *ids.last().unwrap() == 2);
        }
    }
}

//! WordPiece: text to token ids, as BERT's uncased tokenizer does it.

use std::cmp::Ordering;
use std::collections::HashSet;

use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

/// A vocabulary where it lies in the model file, and the ids of the tokens that frame a text.
///
/// A map of its own would take longer to build than most queries take to encode.
#[derive(Debug)]
pub struct WordPiece<'m> {
    text: &'m [u8],
    ends: &'m [[u8; 4]],
    ids: &'m [[u8; 4]],
    unknown: u32,
    first: u32,
    last: u32,
}

/// What a token that continues a word begins with.
const CONTINUES: &[u8] = b"##";

/// A word longer than this is unknown.
const LONGEST_WORD: usize = 100;

impl<'m> WordPiece<'m> {
    /// From tokens in the order of their bytes, where each ends, and the id of each; `None` if a
    /// framing token is missing or an id is not one of theirs.
    pub fn new(text: &'m [u8], ends: &'m [[u8; 4]], ids: &'m [[u8; 4]]) -> Option<WordPiece<'m>> {
        let all_known = ids.iter().all(|&id| (u32::from_le_bytes(id) as usize) < ids.len());
        let bare = WordPiece { text, ends, ids, unknown: 0, first: 0, last: 0 };
        let find = |token: &str| bare.find(token.as_bytes()).filter(|_| all_known);
        let (unknown, first, last) = (find("[UNK]")?, find("[CLS]")?, find("[SEP]")?);
        Some(WordPiece { unknown, first, last, ..bare })
    }

    /// The id of a token.
    fn find(&self, token: &[u8]) -> Option<u32> {
        let (mut low, mut high) = (0, self.ends.len());
        while low < high {
            let middle = low.midpoint(high);
            match self.token(middle).cmp(token) {
                Ordering::Equal => return self.ids.get(middle).map(|&id| u32::from_le_bytes(id)),
                Ordering::Less => low = middle + 1,
                Ordering::Greater => high = middle,
            }
        }
        None
    }

    /// The token at a place in the order.
    fn token(&self, n: usize) -> &[u8] {
        let end = |n: usize| u32::from_le_bytes(self.ends[n]) as usize;
        let start = if n == 0 { 0 } else { end(n - 1) };
        self.text.get(start..end(n)).unwrap_or_default()
    }

    /// The ids of a text, framed, at most `limit` of them.
    pub fn ids(&self, text: &str, limit: usize) -> Vec<u32> {
        self.framed(text, limit, |word, ids| self.cut(word, ids))
    }

    /// The first `head` ids of a text, then those of its known words that come up only later, each
    /// once and without punctuation; framed, at most `limit` of them.
    pub fn told_ids(&self, text: &str, head: usize, limit: usize) -> Vec<u32> {
        let mut seen = HashSet::new();
        self.framed(text, limit, |word, ids| {
            let is_new = !seen.contains(word) && seen.insert(word.to_owned());
            let before = ids.len();
            if before < head {
                self.cut(word, ids);
                ids.truncate(head);
            } else if is_new && !word.starts_with(is_punctuation) {
                self.cut(word, ids);
                if ids[before] == self.unknown {
                    ids.truncate(before);
                }
            }
        })
    }

    /// What `add` makes of each word, between the framing tokens.
    fn framed(
        &self,
        text: &str,
        limit: usize,
        mut add: impl FnMut(&str, &mut Vec<u32>),
    ) -> Vec<u32> {
        let mut ids = vec![self.first];
        let mut word = String::new();
        for c in normalised(text).chain([' ']) {
            let alone = is_punctuation(c) || is_ideographic(c);
            if !alone && !c.is_whitespace() {
                word.push(c);
                continue;
            }
            if !word.is_empty() {
                add(&word, &mut ids);
            }
            if alone {
                add(c.encode_utf8(&mut [0; 4]), &mut ids);
            }
            word.clear();
            if ids.len() >= limit {
                break;
            }
        }
        ids.truncate(limit.max(2) - 1);
        ids.push(self.last);
        ids
    }

    /// Cuts a word into the longest known pieces, or calls it unknown as a whole.
    fn cut(&self, word: &str, ids: &mut Vec<u32>) {
        let before = ids.len();
        let mut at = 0;
        while at < word.len() && word.chars().count() <= LONGEST_WORD {
            let Some((id, length)) = self.longest(&word[at..], at > 0) else { break };
            ids.push(id);
            at += length;
        }
        if at < word.len() {
            ids.truncate(before);
            ids.push(self.unknown);
        }
    }

    /// The longest token that `rest` begins with, and the bytes of `rest` it covers.
    fn longest(&self, rest: &str, continues: bool) -> Option<(u32, usize)> {
        let prefix = if continues { CONTINUES } else { b"" };
        let key = [prefix, rest.as_bytes()].concat();
        let mut lengths = (1..=rest.len()).rev().filter(|&length| rest.is_char_boundary(length));
        lengths.find_map(|length| Some((self.find(&key[..prefix.len() + length])?, length)))
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

    /// Tokens in the order of their ids, and the same as a model file holds them.
    const TOKENS: [&str; 12] =
        ["[UNK]", "[CLS]", "[SEP]", "un", "##aff", "##able", "cafe", "(", ")", "a", "##b", "中"];

    struct Stored {
        text: String,
        ends: Vec<[u8; 4]>,
        ids: Vec<[u8; 4]>,
    }

    fn stored(tokens: &[&str]) -> Stored {
        let mut sorted: Vec<(&str, u32)> = tokens.iter().copied().zip(0..).collect();
        sorted.sort();
        let mut stored = Stored { text: String::new(), ends: Vec::new(), ids: Vec::new() };
        for (token, id) in sorted {
            stored.text.push_str(token);
            stored.ends.push((stored.text.len() as u32).to_le_bytes());
            stored.ids.push(id.to_le_bytes());
        }
        stored
    }

    fn ids(text: &str, limit: usize) -> Vec<u32> {
        let Stored { text: tokens, ends, ids } = stored(&TOKENS);
        WordPiece::new(tokens.as_bytes(), &ends, &ids).unwrap().ids(text, limit)
    }

    #[track_caller]
    fn check(text: &str, limit: usize, expected: &[u32]) {
        assert_eq!(ids(text, limit), expected, "{text}");
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
    fn behind_the_head_words_stand_once_and_without_punctuation() {
        for (text, head, limit, expected) in [
            ("a (ab) a, ab unaffable", 0, 10, &[1, 9, 9, 10, 3, 4, 5, 2][..]),
            ("a unaffable", 0, 4, &[1, 9, 3, 2]),
            ("() xyz", 0, 10, &[1, 2]),
            ("(a) a (a) (ab) xyz ab cafe", 5, 20, &[1, 7, 9, 8, 9, 9, 10, 6, 2]),
            ("(a) xyz (a) xyz cafe", 5, 20, &[1, 7, 9, 8, 0, 6, 2]),
            ("a unaffable un", 3, 20, &[1, 9, 3, 3, 2]),
        ] {
            let Stored { text: tokens, ends, ids } = stored(&TOKENS);
            let tokens = WordPiece::new(tokens.as_bytes(), &ends, &ids).unwrap();
            assert_eq!(tokens.told_ids(text, head, limit), expected, "{text}");
        }
    }

    #[test]
    fn a_long_text_is_cut_and_still_framed() {
        check("a a a a a a", 4, &[1, 9, 9, 2]);
        check(&"a".repeat(200), 10, &[1, 0, 2]);
    }

    #[test]
    fn a_vocabulary_that_cannot_be_right_is_refused() {
        let Stored { text, ends, ids } = stored(&TOKENS[..2]);
        assert!(WordPiece::new(text.as_bytes(), &ends, &ids).is_none(), "no [SEP]");
        let Stored { text, ends, mut ids } = stored(&TOKENS);
        ids[0] = 12u32.to_le_bytes();
        assert!(WordPiece::new(text.as_bytes(), &ends, &ids).is_none(), "an id too large");
        assert!(WordPiece::new(&[], &ends, &ids[..0]).is_none(), "no text");
    }

    proptest! {
        #[test]
        fn any_text_gives_a_framed_list_within_the_limit(text in "\\PC{0,80}", limit in 2usize..20) {
            let ids = ids(&text, limit);
            prop_assert!(ids.len() <= limit && ids[0] == 1 && *ids.last().unwrap() == 2);
        }
    }
}

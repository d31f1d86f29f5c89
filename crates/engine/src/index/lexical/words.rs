//! From text to the numbers of its terms.
//!
//! Words repeat themselves (2.8 million in Django, 92 thousand different), so what terms a word gives is
//! found out once and then looked up, whatever field it stands in.

use std::hash::BuildHasher;

use hashbrown::{DefaultHashBuilder, HashTable};
use tantivy::tokenizer::MAX_TOKEN_LEN;

use crate::index::tokens::{Piece, Tokens};

/// The words met so far, and their terms.
#[derive(Default)]
pub struct Words {
    written: Strings,
    /// The terms of each word, end to end, and where those of each end.
    meanings: Vec<u32>,
    ends: Vec<u32>,
    /// Every term, by its number.
    pub terms: Strings,
}

impl Words {
    /// Appends the terms of a text; those that are too long for the full-text engine are left out.
    pub fn read(&mut self, text: &str, terms: &mut Vec<u32>) {
        let mut tokens = Tokens::of(text);
        while let Some(piece) = tokens.next_piece() {
            match piece {
                Piece::Word(word) => terms.extend_from_slice(self.meaning(word)),
                Piece::Chain(term) => terms.extend(self.terms.of_a_term(term)),
            }
        }
    }

    /// Bytes of memory this takes.
    pub fn memory(&self) -> usize {
        let numbers = self.meanings.capacity() + self.ends.capacity();
        self.written.memory() + self.terms.memory() + 4 * numbers
    }

    /// Nothing more will be read: gives back the memory that only reading needs.
    pub fn close(&mut self) {
        (self.written, self.meanings, self.ends) = Default::default();
        self.terms.numbers = HashTable::new();
    }

    fn meaning(&mut self, word: &str) -> &[u32] {
        let number = self.written.number(word.as_bytes()) as usize;
        if number == self.ends.len() {
            self.learn(word);
        }
        let start = number.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.meanings[start as usize..self.ends[number] as usize]
    }

    fn learn(&mut self, word: &str) {
        let (mut tokens, mut term) = (Tokens::of(word), String::new());
        while tokens.next(&mut term).is_some() {
            self.meanings.extend(self.terms.of_a_term(&term));
        }
        self.ends.push(self.meanings.len() as u32);
    }
}

/// Strings, numbered as they come.
#[derive(Default)]
pub struct Strings {
    hasher: DefaultHashBuilder,
    numbers: HashTable<u32>,
    texts: Texts,
}

/// Texts end to end, and where each ends.
#[derive(Default)]
struct Texts {
    bytes: Vec<u8>,
    ends: Vec<u32>,
}

impl Texts {
    #[inline]
    fn get(&self, number: u32) -> &[u8] {
        let number = number as usize;
        let start = number.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.bytes[start as usize..self.ends[number] as usize]
    }
}

impl Strings {
    /// The string with a number.
    pub fn get(&self, number: u32) -> &[u8] {
        self.texts.get(number)
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.texts.ends.len()
    }

    /// The numbers of all in the order of their bytes.
    pub fn in_order(&self) -> Vec<u32> {
        let mut numbers: Vec<u32> = (0..self.len() as u32).collect();
        numbers.sort_unstable_by_key(|&number| self.get(number));
        numbers
    }

    fn of_a_term(&mut self, term: &str) -> Option<u32> {
        (term.len() <= MAX_TOKEN_LEN).then(|| self.number(term.as_bytes()))
    }

    fn number(&mut self, text: &[u8]) -> u32 {
        let Strings { hasher, numbers, texts } = self;
        let hash = hasher.hash_one(text);
        if let Some(&number) = numbers.find(hash, |&number| texts.get(number) == text) {
            return number;
        }
        let number = texts.ends.len() as u32;
        texts.bytes.extend_from_slice(text);
        texts.ends.push(texts.bytes.len() as u32);
        numbers.insert_unique(hash, number, |&number| hasher.hash_one(texts.get(number)));
        number
    }

    fn memory(&self) -> usize {
        self.numbers.allocation_size()
            + self.texts.bytes.capacity()
            + 4 * self.texts.ends.capacity()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn terms_are_those_of_the_tokenizer_however_often_a_word_comes() {
        let mut words = Words::default();
        for text in ["retryCount of retry-count", "HTTPServer2 retryCount", "検索する x-y-z", ""]
        {
            let (mut tokens, mut term, mut expected) = (Tokens::of(text), String::new(), vec![]);
            while tokens.next(&mut term).is_some() {
                expected.push(term.clone());
            }
            for _ in 0..2 {
                let mut terms = Vec::new();
                words.read(text, &mut terms);
                let terms = terms.iter().map(|&term| words.terms.get(term));
                assert!(terms.eq(expected.iter().map(|term| term.as_bytes())));
            }
        }
    }

    #[test]
    fn order_is_that_of_bytes() {
        let mut strings = Strings::default();
        let mut texts = ["longest words", "a", "ab", "longest word", "", "é", "longest words too"];
        texts.iter().for_each(|text| _ = strings.number(text.as_bytes()));
        let order = strings.in_order();
        texts.sort_unstable();
        assert!(order.iter().map(|&n| strings.get(n)).eq(texts.map(str::as_bytes)));
    }
}

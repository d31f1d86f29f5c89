//! The words of a file that is at hand: counted once, by chunk and field.

use std::collections::HashMap;
use std::sync::{LazyLock, OnceLock};

use tantivy::fieldnorm::FieldNormReader;
use wherein_corpus::{Language, Lines, Parsed};

use crate::index::lexical::{Field, fields_of};
use crate::index::tokens::Tokens;

/// The words of each chunk of a file.
#[derive(Default)]
pub struct Tally {
    chunks: OnceLock<Vec<ChunkWords>>,
}

/// The words of a chunk.
#[derive(Default)]
pub struct ChunkWords {
    /// How many there are in each field.
    pub lengths: [u32; Field::ALL.len()],
    counts: HashMap<String, [u32; Field::ALL.len()]>,
}

impl Tally {
    /// Counts them, if that has not been done yet.
    pub fn made(&self, path: &str, language: &str, text: &str, parsed: &Parsed) {
        self.chunks.get_or_init(|| {
            let lines = Lines::of(text);
            let language = Language::named(language).unwrap_or_else(Language::other);
            let words = |chunk| {
                let mut words = ChunkWords::default();
                fields_of(path, &lines, parsed, chunk, language, |field, text| {
                    words.add(field, text);
                });
                words
            };
            parsed.chunks.iter().map(words).collect()
        });
    }

    /// Those of one chunk; none before they are counted.
    pub fn chunk(&self, number: u32) -> &ChunkWords {
        static NONE: LazyLock<ChunkWords> = LazyLock::new(ChunkWords::default);
        self.chunks.get().and_then(|chunks| chunks.get(number as usize)).unwrap_or(&NONE)
    }

    /// How many chunks have a term in a field.
    pub fn chunks_with(&self, field: Field, term: &str) -> u32 {
        let chunks = self.chunks.get().map_or(&[][..], Vec::as_slice);
        chunks.iter().filter(|words| words.count(field, term) > 0).count() as u32
    }
}

impl ChunkWords {
    fn add(&mut self, field: Field, text: &str) {
        let (mut tokens, mut term) = (Tokens::of(text), String::new());
        while tokens.next(&mut term).is_some() {
            self.lengths[field as usize] += 1;
            match self.counts.get_mut(&term) {
                Some(counts) => counts[field as usize] += 1,
                None => {
                    let mut counts = [0; Field::ALL.len()];
                    counts[field as usize] = 1;
                    self.counts.insert(term.clone(), counts);
                }
            }
        }
    }

    /// How often a term stands in a field.
    pub fn count(&self, field: Field, term: &str) -> u32 {
        self.counts.get(term).map_or(0, |counts| counts[field as usize])
    }

    /// Whether a name holds every part of a word, begins with it, or is a letter away from it.
    pub fn has_alike(&self, whole: &str, parts: &[String]) -> bool {
        if parts.iter().all(|part| self.count(Field::Name, part) > 0) {
            return true;
        }
        let names = self.counts.iter().filter(|(_, counts)| counts[Field::Name as usize] > 0);
        names.into_iter().any(|(name, _)| {
            name.starts_with(whole) || crate::search::channels::is_one_edit_away(whole, name)
        })
    }
}

/// The number under which the full-text engine keeps a length, which it rounds.
pub fn norm_id(length: u32) -> u8 {
    static NORMS: LazyLock<Vec<u32>> =
        LazyLock::new(|| (0..=u8::MAX).map(FieldNormReader::id_to_fieldnorm).collect());
    NORMS.binary_search(&length).unwrap_or_else(|after| after - 1) as u8
}

//! How often each word of an index stands where: the statistics that ranking by words needs, apart
//! from the index they were counted in.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::error::Result;
use crate::index::lexical::Field;
use crate::index::snapshot::Snapshot;

/// Sums over a whole index.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Totals {
    /// Files.
    pub files: u64,
    /// Chunks.
    pub chunks: u64,
    /// Chunks, with those that are deleted and still in their segments.
    pub documents: u64,
    /// Words of each field.
    pub words: [u64; Field::ALL.len()],
}

impl Totals {
    /// Adds those of another index.
    pub fn add(&mut self, other: &Totals) {
        self.files += other.files;
        self.chunks += other.chunks;
        self.documents += other.documents;
        self.words.iter_mut().zip(other.words).for_each(|(own, other)| *own += other);
    }

    /// Words in a field of a chunk on average.
    pub fn length(&self, field: Field) -> f32 {
        self.words[field as usize] as f32 / self.documents.max(1) as f32
    }
}

/// In how many chunks a word stands, by field.
pub type Frequencies = [u32; Field::ALL.len()];

/// Statistics that can be asked for.
pub trait Statistics: Sync {
    /// Sums over everything that is searched.
    fn totals(&self) -> &Totals;

    /// In how many chunks a term stands in a field.
    fn frequency(&self, field: Field, term: &str) -> Result<u64>;
}

/// The words of one index.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Sums over all of it.
    pub totals: Totals,
    /// By term.
    pub terms: BTreeMap<String, Frequencies>,
}

impl Counts {
    /// Reads them from an index.
    pub fn of(index: &Snapshot) -> Result<Counts> {
        let searcher = index.searcher();
        let mut counts = Counts::default();
        counts.totals.files = index.manifest.files.len() as u64;
        counts.totals.chunks = searcher.num_docs();
        for segment in searcher.segment_readers() {
            counts.totals.documents += u64::from(segment.max_doc());
            for field in Field::ALL {
                let inverted = segment.inverted_index(field.handle())?;
                counts.totals.words[field as usize] += inverted.total_num_tokens();
                let mut terms = inverted.terms().stream().map_err(tantivy::TantivyError::from)?;
                while let Some((term, info)) = terms.next() {
                    let term = String::from_utf8_lossy(term).into_owned();
                    counts.terms.entry(term).or_default()[field as usize] += info.doc_freq;
                }
            }
        }
        Ok(counts)
    }
}

impl Statistics for Counts {
    fn totals(&self) -> &Totals {
        &self.totals
    }

    fn frequency(&self, field: Field, term: &str) -> Result<u64> {
        Ok(self.terms.get(term).map_or(0, |counts| u64::from(counts[field as usize])))
    }
}

//! What whole files hold of a question, wherever in them it stands.

use tantivy::schema::IndexRecordOption;
use tantivy::{DocSet, TERMINATED, Term};

use crate::error::Result;
use crate::index::lexical::{FILE, Field};
use crate::index::snapshot::Snapshot;
use crate::search::channels::Terms;

/// For each file of the manifest.
#[derive(Clone, Debug, Default)]
pub struct Files {
    /// How much of the question its words stand for, between 0 and 1.
    pub covered: Vec<f32>,
    /// The same, counting how many of its chunks hold each word, between 0 and 1.
    pub scores: Vec<f32>,
    /// The best of the scores.
    pub best: f32,
}

impl Files {
    /// Adds up the words of the question over each file's chunks.
    pub fn of(index: &Snapshot, terms: &Terms) -> Result<Files> {
        let files = &index.manifest.files;
        let chunks: u64 = files.iter().map(|file| u64::from(file.chunks)).sum();
        let usual = chunks as f32 / files.len().max(1) as f32;
        let mut all =
            Files { covered: vec![0.0; files.len()], scores: vec![0.0; files.len()], best: 0.0 };
        let mut counts = Counts::of(index);
        for (term, mass) in terms.all() {
            counts.count(index, term)?;
            for &position in &counts.touched {
                let count = counts.chunks[position] as f32;
                let length = files[position].chunks as f32 / usual;
                all.covered[position] += terms.share(mass);
                all.scores[position] += terms.share(mass) * saturated(count, length);
            }
        }
        all.best = all.scores.iter().copied().fold(0.0, f32::max);
        Ok(all)
    }
}

/// Many chunks with a word count more than one, but not so many times more; a long file has more
/// of them by chance.
fn saturated(count: f32, length: f32) -> f32 {
    count / (count + 0.6 * (0.4 + 0.6 * length))
}

/// How many chunks of each file hold one word.
struct Counts {
    /// For each file id its position in the manifest.
    positions: Vec<u32>,
    chunks: Vec<u32>,
    touched: Vec<usize>,
}

impl Counts {
    fn of(index: &Snapshot) -> Counts {
        let mut positions = vec![u32::MAX; index.manifest.next_id as usize];
        for (position, file) in index.manifest.files.iter().enumerate() {
            positions[file.id as usize] = position as u32;
        }
        let chunks = vec![0; index.manifest.files.len()];
        Counts { positions, chunks, touched: Vec::new() }
    }

    fn count(&mut self, index: &Snapshot, term: &str) -> Result<()> {
        self.touched.drain(..).for_each(|position| self.chunks[position] = 0);
        let term = Term::from_field_text(Field::Body.handle(), term);
        for segment in index.searcher().segment_readers() {
            let inverted = segment.inverted_index(Field::Body.handle())?;
            let postings = inverted
                .read_postings(&term, IndexRecordOption::Basic)
                .map_err(tantivy::TantivyError::from)?;
            let Some(mut postings) = postings else { continue };
            let ids = segment.fast_fields().u64(FILE)?;
            let alive = segment.alive_bitset();
            let mut document = postings.doc();
            while document != TERMINATED {
                if alive.is_none_or(|alive| alive.is_alive(document)) {
                    self.enter(ids.first(document));
                }
                document = postings.advance();
            }
        }
        Ok(())
    }

    fn enter(&mut self, id: Option<u64>) {
        let position = id.and_then(|id| self.positions.get(id as usize)).copied();
        let Some(position) = position.filter(|position| *position != u32::MAX) else { return };
        let position = position as usize;
        if self.chunks[position] == 0 {
            self.touched.push(position);
        }
        self.chunks[position] += 1;
    }
}

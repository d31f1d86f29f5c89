//! The seam between search and recall: what a question needs of an index, wherever that is.
//!
//! In: words, names and vectors to look for, and which files may answer. Out: chunks with scores,
//! statistics of words, and what is known of the files they are in. [`Snapshot`] is the embedded
//! index, [`Gathered`] what a distributed engine brought for one question. Everything above
//! (channels, fusion, ranker, page, explanation) is the same code over both.
//!
//! [`Snapshot`]: crate::index::snapshot::Snapshot
//! [`Gathered`]: gathered::Gathered

mod embedded;
pub mod gathered;
mod tally;
pub mod wanted;
mod words;

use std::collections::{BTreeSet, HashSet};
use std::sync::Arc;

use tantivy::DocAddress;
use wherein_corpus::{Parsed, Role};
use wherein_encoder::Model;

use crate::error::Result;
use crate::graph::links::Links;
use crate::index::lexical::Field;
use crate::index::manifest::{FileEntry, Manifest};
use crate::index::vectors::encode::GoOn;
use crate::search::channels::{Channel, Lists, Spot};
use crate::search::filter::Allowed;

/// An index that can be asked.
pub trait Recall: Sync {
    /// What is in it; files in the order of their paths.
    fn manifest(&self) -> &Manifest;

    /// For each file of the manifest whether it is code or prose.
    fn roles(&self) -> &[Role];

    /// The repositories that hold a file, where there are several.
    fn repositories(&self, _position: usize) -> &[String] {
        &[]
    }

    /// A file's path as it is shown: from its repository on, where there are several.
    fn shown_path(&self, position: usize) -> String {
        let path = &self.manifest().files[position].path;
        self.repositories(position)
            .first()
            .map_or_else(|| path.clone(), |it| format!("{it}/{path}"))
    }

    /// Which file imports which, if that is known.
    fn ready_links(&self) -> Option<&Links> {
        None
    }

    /// The share of files that imports lead to less than to this one; one half if it cannot be told.
    fn rank_of_file(&self, _position: usize) -> f32 {
        0.5
    }

    /// A file's chunks, symbols, imports and references.
    fn parsed(&self, file: &FileEntry) -> Result<Arc<Parsed>>;

    /// The text of a file as it is now.
    fn text(&self, file: &FileEntry) -> Option<Arc<String>>;

    /// The text of a file if it is still what was indexed.
    fn indexed_text(&self, file: &FileEntry) -> Option<Arc<String>>;

    /// Fails if anything that answered is not as it was written.
    fn whole(&self) -> Result<()>;

    /// How many chunks the statistics of words are about.
    fn chunks(&self) -> u64;

    /// How many chunks a file usually has.
    fn usual_chunks(&self) -> f32;

    /// In how many chunks a term stands in a field.
    fn frequency(&self, field: Field, term: &str) -> Result<u64>;

    /// The best `most` chunks by weighted words over all fields, in no order, and the wanted ones
    /// that hold any of them.
    fn by_words(
        &self,
        words: &[(&str, f32)],
        allowed: &Allowed,
        most: usize,
        wanted: &HashSet<Spot>,
    ) -> Result<(Vec<Match>, Vec<Match>)>;

    /// The chunks that hold something, of files that may answer.
    fn holding(&self, what: &Holding, allowed: &Allowed) -> Result<BTreeSet<Spot>>;

    /// For each term the files with it in a body, and in how many of their chunks it is.
    fn files_with(&self, terms: &[&str]) -> Result<Vec<Vec<(usize, u32)>>>;

    /// What weighted words score in one field of a chunk.
    fn field_score(&self, words: &[(&str, f32)], document: DocAddress, field: Field)
    -> Result<f32>;

    /// Prepares to compare meanings with a question's.
    fn near<'q>(
        &'q self,
        model: &'q Model,
        go_on: GoOn<'q>,
        text: &str,
        allowed: &Allowed,
    ) -> Result<Box<dyn Nearness + 'q>>;
}

/// A question about meaning, ready to be compared.
pub trait Nearness {
    /// The nearest code and the nearest prose, best first.
    fn nearest(&self, most: usize) -> [Vec<NearSpot>; 2];

    /// How near a chunk is that has a vector.
    fn score(&self, spot: Spot) -> Option<f32>;

    /// The same of the first `chunks` chunks of a file.
    fn scores(&self, file: usize, chunks: u32) -> Vec<Option<f32>> {
        (0..chunks).map(|chunk| self.score((file, chunk))).collect()
    }

    /// Gives vectors to the best candidates that have none yet, while there is time.
    fn make(&self, lists: &Lists) -> Result<Vec<(Spot, f32)>>;

    /// Whether a chunk is code or prose.
    fn channel(&self, spot: Spot) -> Channel;
}

/// A chunk near a question.
pub struct NearSpot {
    /// Which.
    pub spot: Spot,
    /// How near.
    pub score: f32,
}

/// A chunk that holds words of the question.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Match {
    /// Which.
    pub spot: Spot,
    /// Where its words are.
    pub document: DocAddress,
    /// What they score together.
    pub score: f32,
}

impl Match {
    /// Best first; ties go by path, then line.
    pub fn order(a: &Match, b: &Match) -> std::cmp::Ordering {
        b.score.total_cmp(&a.score).then(a.spot.cmp(&b.spot))
    }
}

/// What a chunk may hold.
pub enum Holding<'w> {
    /// A term, in any of these fields.
    Term(&'w [Field], &'w str),
    /// A name that holds every part of a word, begins with it, or is a letter away from it.
    Alike {
        /// The word's own term.
        whole: &'w str,
        /// The terms of its parts; itself if it has but one.
        parts: &'w [String],
    },
}

/// Segments add up the same numbers in different orders; rounding keeps equal scores equal.
fn rounded(score: f32) -> f32 {
    (score * 1e4).round() / 1e4
}

/// The channel of meaning that a role's chunks are in.
pub(crate) fn channel_of(role: Role) -> Channel {
    match role {
        Role::Code => Channel::DenseCode,
        Role::Docs => Channel::DenseDocs,
    }
}

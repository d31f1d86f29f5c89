//! Commits by what they say and what they changed.
//!
//! `refresh` reads the commits that are not known yet and publishes them batch by batch; `Log` is one
//! immutable view of what is published; `search` ranks commits by words and, as far as messages are
//! encoded, by meaning. All of it lies beside the index of the tree, with a lock of its own, so that
//! neither ever waits for the other.

pub mod encode;
pub mod refresh;
pub mod search;
pub mod words;

mod batch;
mod filter;
mod manifest;
mod record;

use std::collections::HashSet;

use tantivy::{IndexReader, ReloadPolicy};

use crate::error::{Error, Result};
use crate::index::store::TreePlace;
use crate::index::vectors::Vectors;

use batch::Batch;
pub use manifest::LogManifest;
use manifest::place;

/// One published view of a repository's commits.
pub struct Log {
    /// What is in it.
    pub manifest: LogManifest,
    place: TreePlace,
    reader: IndexReader,
    batches: Vec<Batch>,
    dead: HashSet<u32>,
}

impl Log {
    /// Opens what is published beside the index of a tree. A writer may publish and tidy up between
    /// our reading the manifest and opening what it names; then the next manifest is read.
    pub fn open(tree: &TreePlace) -> Result<Log> {
        const TRIES: usize = 5;
        let place = place(tree);
        let mut manifest = LogManifest::load(&place)?;
        for _ in 1..TRIES {
            match Log::of(&place, manifest.clone()) {
                Err(error @ (Error::Damaged { .. } | Error::Lexical(_))) => {
                    let newer = LogManifest::load(&place)?;
                    if newer == manifest {
                        return Err(error);
                    }
                    manifest = newer;
                }
                opened => return opened,
            }
        }
        Log::of(&place, manifest)
    }

    fn of(place: &TreePlace, manifest: LogManifest) -> Result<Log> {
        let index = words::open_sealed(&place.segments(), &manifest.meta, &manifest.seals)?;
        let reader = index.reader_builder().reload_policy(ReloadPolicy::Manual).try_into()?;
        let batches = manifest.batches.iter().map(|seal| {
            Batch::open(&place.folder.join("commits"), seal, manifest.hash_bytes as usize)
        });
        let batches = batches.collect::<Result<Vec<_>>>()?;
        let dead = manifest.dead.iter().copied().collect();
        Ok(Log { place: place.clone(), reader, batches, dead, manifest })
    }

    /// How many commits can be found.
    pub fn commits(&self) -> usize {
        self.all() as usize - self.dead.len()
    }

    /// Numbers given to commits so far.
    fn all(&self) -> u32 {
        self.batches.iter().map(Batch::count).sum()
    }

    /// The commits still in the history, by number.
    fn live(&self) -> impl Iterator<Item = u32> {
        (0..self.all()).filter(|number| !self.dead.contains(number))
    }

    /// Every commit ever numbered, with its time.
    fn timed(&self) -> impl Iterator<Item = (u32, i64)> {
        let rows = self
            .batches
            .iter()
            .flat_map(|batch| (0..batch.count() as usize).map(move |at| batch.time(at)));
        (0..).zip(rows)
    }

    /// The batch that holds a commit, and its place there.
    fn row(&self, number: u32) -> Option<(&Batch, usize)> {
        let mut at = number;
        for batch in &self.batches {
            if at < batch.count() {
                return Some((batch, at as usize));
            }
            at -= batch.count();
        }
        None
    }

    /// The vectors of messages, of the model of this name; none if there are only another's.
    fn vectors(&self, model: &str) -> Result<Vectors> {
        match Vectors::open(&self.place) {
            Ok(vectors)
                if vectors.list.model == model
                    && vectors.list.generation == self.manifest.generation =>
            {
                Ok(vectors)
            }
            Ok(_) | Err(Error::Damaged { .. }) => Ok(Vectors::none()),
            Err(error) => Err(error),
        }
    }
}

//! The list of a tree's segments of vectors, in one small file that is replaced whole.
//!
//! It is published apart from the manifest, by a writer of its own: to encode a large tree takes
//! long, and nobody who brings the index up to date should wait for that. The two always fit: a
//! row belongs to a file id, an id is never used again within a generation of the manifest, and
//! rows of ids the manifest does not name are dead.

use std::fs;
use std::path::PathBuf;

use serde::{Deserialize, Serialize};
use wherein_corpus::Digest;

use crate::error::{Error, Result};
use crate::index::format::{sealed, unsealed};
use crate::index::pack::PackRef;
use crate::index::private;
use crate::index::store::{TreePlace, publish};

/// What vectors a tree has.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct List {
    /// The model's id.
    pub model: String,
    /// The manifest's generation that the file ids are of.
    pub generation: u64,
    /// Numbers in a vector.
    pub width: u32,
    /// Segments, oldest first.
    pub segments: Vec<PackRef>,
    /// Rows in each.
    pub rows: Vec<u32>,
    /// The clusters of the first segment, if they have been made.
    pub clusters: Option<PackRef>,
}

impl List {
    /// Reads the published list; an empty one if there is none that can be read.
    pub fn load(place: &TreePlace) -> List {
        fs::read(place.vector_list()).ok().and_then(|bytes| unsealed(&bytes)).unwrap_or_default()
    }

    /// Makes this the list every new reader sees.
    pub fn publish(&self, place: &TreePlace) -> Result<()> {
        publish(&place.vector_list(), &sealed(self))
    }

    /// All rows, dead ones too.
    pub fn total(&self) -> u64 {
        self.rows.iter().map(|&rows| u64::from(rows)).sum()
    }

    /// The files it names.
    pub fn files(&self) -> impl Iterator<Item = &PackRef> {
        self.segments.iter().chain(&self.clusters)
    }

    /// What its segments call the model.
    pub fn model_digest(&self) -> Digest {
        Digest::of(self.model.as_bytes())
    }
}

impl TreePlace {
    /// The folder of the vectors.
    pub fn vectors(&self) -> PathBuf {
        self.folder.join("vectors")
    }

    /// The file whose replacement publishes vectors.
    pub fn vector_list(&self) -> PathBuf {
        self.vectors().join("list")
    }

    /// Becomes the one process that writes this tree's vectors, or learns that another is.
    pub fn lock_vectors(&self) -> Result<crate::index::store::WriterLock> {
        private::create_folders(&self.vectors()).map_err(Error::write(self.vectors()))?;
        self.lock_file(&self.vectors().join("lock"))
    }
}

#[cfg(test)]
mod tests {
    use proptest::collection::vec;
    use proptest::prelude::*;
    use proptest::sample::Index;
    use proptest::test_runner::Config;
    use wherein_corpus::Stamp;

    use super::*;
    use crate::index::store::Store;

    /// What is read of a list file of these bytes.
    fn read(bytes: &[u8]) -> List {
        let folder = tempfile::tempdir().unwrap();
        let place = Store::at(folder.path()).tree(folder.path());
        fs::create_dir_all(place.vectors()).unwrap();
        fs::write(place.vector_list(), bytes).unwrap();
        List::load(&place)
    }

    fn whole() -> List {
        let named = PackRef { name: "1-2-3.vec".to_owned(), stamp: Stamp::default() };
        List {
            model: "words".to_owned(),
            generation: 7,
            width: 64,
            segments: vec![named.clone(), named.clone()],
            rows: vec![3, 4],
            clusters: Some(named),
        }
    }

    #[test]
    fn a_list_is_read_as_it_was_written() {
        assert_eq!(read(&sealed(&whole())), whole());
        assert_eq!((whole().total(), whole().files().count()), (7, 3));
    }

    proptest! {
        #![proptest_config(Config { cases: 64, failure_persistence: None, ..Config::default() })]

        #[test]
        fn other_bytes_are_no_list(bytes in vec(any::<u8>(), 0..200)) {
            prop_assert_eq!(read(&bytes), List::default());
        }

        #[test]
        fn a_damaged_list_is_none(place in any::<Index>(), byte in 1..=255u8, end in any::<Index>()) {
            let mut bytes = sealed(&whole());
            let at = place.index(bytes.len());
            bytes[at] ^= byte;
            prop_assert_eq!(read(&bytes), List::default());
            bytes[at] ^= byte;
            bytes.truncate(end.index(bytes.len()));
            prop_assert_eq!(read(&bytes), List::default());
        }

        /// Even behind a seal that holds, whatever stands there is read without a panic.
        #[test]
        fn any_body_behind_a_seal_is_read_or_refused(body in vec(any::<u8>(), 0..60)) {
            let seal = sealed(&());
            let mut bytes = seal[..seal.len() - 16].to_vec();
            bytes.extend_from_slice(&Digest::of(&body).0);
            bytes.extend_from_slice(&body);
            read(&bytes);
        }
    }
}

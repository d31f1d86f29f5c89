//! One immutable view of an indexed tree. Any number of processes may hold one; none waits.

use std::collections::HashMap;
use std::fs;
use std::path::PathBuf;
use std::sync::{Arc, Mutex};

use tantivy::{Index, IndexReader, ReloadPolicy, Searcher};
use wherein_corpus::{Parsed, Stamp};

use crate::error::{Error, Result};
use crate::index::directory::SegmentDirectory;
use crate::index::lexical;
use crate::index::manifest::{FileEntry, Manifest};
use crate::index::pack::Pack;
use crate::index::store::TreePlace;

/// Parses kept at hand for a process that asks many questions.
const MOST_PARSES: usize = 2000;

/// A published index, open for search.
pub struct Snapshot {
    /// What is in it.
    pub manifest: Manifest,
    place: TreePlace,
    reader: IndexReader,
    packs: Vec<Pack>,
    by_id: HashMap<u32, usize>,
    parses: Mutex<HashMap<u32, Arc<Parsed>>>,
}

impl Snapshot {
    /// Opens what is published for a tree, if every file of it is as it was written.
    ///
    /// A writer may publish and tidy up between our reading the manifest and opening what it
    /// names; then the next manifest is read.
    pub fn open(place: &TreePlace) -> Result<Snapshot> {
        const TRIES: usize = 5;
        let mut manifest = Manifest::load(place)?;
        for _ in 1..TRIES {
            match Snapshot::of(place, manifest.clone()) {
                Err(error @ (Error::Damaged { .. } | Error::Lexical(_))) => {
                    let newer = Manifest::load(place)?;
                    if newer == manifest {
                        return Err(error);
                    }
                    manifest = newer;
                }
                opened => return opened,
            }
        }
        Snapshot::of(place, manifest)
    }

    fn of(place: &TreePlace, manifest: Manifest) -> Result<Snapshot> {
        for seal in &manifest.seals {
            let path = place.segments().join(&seal.name);
            let stamp =
                fs::metadata(&path).map(|m| Stamp::of(&m)).map_err(|e| Error::damaged(&path, e))?;
            if (stamp.size, stamp.modified) != (seal.stamp.size, seal.stamp.modified) {
                return Err(Error::damaged(path, "changed since it was written"));
            }
        }
        let directory = SegmentDirectory::open(&place.segments(), Some(&manifest.meta))?;
        let index: Index = lexical::open(directory)?;
        let reader = index.reader_builder().reload_policy(ReloadPolicy::Manual).try_into()?;
        let by_id = manifest.files.iter().enumerate().map(|(i, file)| (file.id, i)).collect();
        // All at once: a pack opened only when it is needed may have been tidied away by then.
        let parsed = place.store.parsed();
        let packs = manifest.packs.iter().map(|pack| Pack::open(&parsed, pack));
        let packs = packs.collect::<Result<Vec<_>>>()?;
        Ok(Snapshot {
            place: place.clone(),
            reader,
            packs,
            by_id,
            manifest,
            parses: Mutex::default(),
        })
    }

    /// The folder that is indexed.
    pub fn root(&self) -> &PathBuf {
        &self.place.root
    }

    /// The full-text index.
    pub fn searcher(&self) -> Searcher {
        self.reader.searcher()
    }

    /// The file an id of the full-text index stands for.
    pub fn file(&self, id: u32) -> Option<&FileEntry> {
        self.by_id.get(&id).map(|&i| &self.manifest.files[i])
    }

    /// The position in the manifest of the file an id stands for.
    pub fn position(&self, id: u32) -> Option<usize> {
        self.by_id.get(&id).copied()
    }

    /// The file at a path relative to the root.
    pub fn file_at(&self, path: &str) -> Option<&FileEntry> {
        let files = &self.manifest.files;
        files.binary_search_by(|file| file.path.as_str().cmp(path)).ok().map(|i| &files[i])
    }

    /// A file's chunks, symbols, imports and references.
    pub fn parsed(&self, file: &FileEntry) -> Result<Arc<Parsed>> {
        let mut parses = self.parses.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        if let Some(parsed) = parses.get(&file.id) {
            return Ok(parsed.clone());
        }
        let pack = self
            .packs
            .get(file.place.pack as usize)
            .ok_or_else(|| Error::damaged(self.place.manifest(), "no such pack"))?;
        let parsed = Arc::new(pack.parsed(file.place.offset, file.place.length)?);
        if parses.len() >= MOST_PARSES {
            parses.clear();
        }
        parses.insert(file.id, parsed.clone());
        Ok(parsed)
    }
}

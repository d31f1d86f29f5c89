//! Is everything at rest as it was written? Reads all of it and changes nothing.

use std::fs;
use std::path::{Path, PathBuf};

use crate::error::Result;
use crate::index::checked::Checked;
use crate::index::manifest::Manifest;
use crate::index::pack::map;
use crate::index::store::TreePlace;
use crate::index::vectors::clusters::Clusters;
use crate::index::vectors::list::List;

/// A file of an index that is not as it was written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Damage {
    /// Which file.
    pub path: PathBuf,
    /// What is wrong with it.
    pub what: String,
}

/// What was looked at.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Health {
    /// Files that were read.
    pub files: usize,
    /// Their bytes.
    pub bytes: u64,
    /// What is wrong.
    pub damages: Vec<Damage>,
}

/// Reads every file that a published tree names. Fails if there is no manifest to go by.
pub fn check(place: &TreePlace) -> Result<Health> {
    let manifest = Manifest::load(place)?;
    let mut health = Health::default();
    for seal in &manifest.seals {
        let path = place.segments().join(&seal.name);
        let checked = map(&path).ok().and_then(|it| Checked::of(&path, it, seal.sums.clone()));
        health.note(&path, checked.is_some_and(|it| it.is_whole()));
    }
    let packs = manifest.packs.iter().map(|pack| place.store.parsed().join(&pack.name));
    let graph = manifest.links.iter().chain(&manifest.symbols);
    let graph = graph.map(|seal| place.graph().join(&seal.name));
    let list = List::load(place);
    let vectors = list.segments.iter().map(|it| place.vectors().join(&it.name));
    for path in packs.chain(graph).chain(vectors) {
        health.note(&path, Checked::open(&path).is_ok_and(|it| it.is_whole()));
    }
    if let Some(clusters) = &list.clusters {
        let path = place.vectors().join(&clusters.name);
        health.note(&path, Clusters::open(&place.vectors(), clusters).is_ok());
    }
    let list_path = place.vector_list();
    health.note(&list_path, !list_path.exists() || list != List::default());
    Ok(health)
}

impl Health {
    fn note(&mut self, path: &Path, is_whole: bool) {
        let metadata = fs::metadata(path);
        self.files += usize::from(metadata.is_ok());
        self.bytes += metadata.as_ref().map_or(0, fs::Metadata::len);
        if !is_whole {
            let what = metadata
                .err()
                .map_or("it is not what was written".to_owned(), |error| error.to_string());
            self.damages.push(Damage { path: path.to_owned(), what });
        }
    }
}

/// Files of parses, of all trees, that cannot be read: an index made of them would be made anew.
pub fn damaged_packs(place: &TreePlace) -> Vec<PathBuf> {
    let entries = fs::read_dir(place.store.parsed()).into_iter().flatten().flatten();
    let packs =
        entries.map(|it| it.path()).filter(|it| it.extension().is_some_and(|e| e == "pack"));
    packs.filter(|path| !Checked::open(path).is_ok_and(|it| it.is_whole())).collect()
}

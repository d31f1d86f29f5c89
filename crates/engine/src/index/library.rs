//! The parses that are already known, of this tree and of others.

use std::collections::HashSet;
use std::fs;

use wherein_corpus::{Digest, Parsed, Stamp};

use crate::error::Result;
use crate::index::manifest::Manifest;
use crate::index::pack::{Pack, PackRef, Place};
use crate::index::store::TreePlace;

/// Every parse that is already known: this tree's packs first, then those of other trees.
pub struct Library {
    /// How a manifest names the packs.
    pub refs: Vec<PackRef>,
    packs: Vec<Pack>,
}

impl Library {
    /// The packs of a tree keep their numbers, since its files point to them.
    ///
    /// For a handful of files it is not worth opening those of others: an edit is seldom known.
    pub fn open(place: &TreePlace, own: &[PackRef], files: usize) -> Result<Library> {
        const HANDFUL: usize = 20;
        let folder = place.store.parsed();
        let packs = own.iter().map(|pack| Pack::open(&folder, pack)).collect::<Result<_>>()?;
        let mut library = Library { refs: own.to_vec(), packs };
        if files <= HANDFUL && !own.is_empty() {
            return Ok(library);
        }
        let known: HashSet<&str> = own.iter().map(|pack| pack.name.as_str()).collect();
        for entry in fs::read_dir(&folder).into_iter().flatten().flatten() {
            let name = entry.file_name().to_string_lossy().into_owned();
            if !name.ends_with(".pack") || known.contains(name.as_str()) {
                continue;
            }
            if let (Ok(pack), Ok(metadata)) = (Pack::open_any(&entry.path()), entry.metadata()) {
                library.refs.push(PackRef { name, stamp: Stamp::of(&metadata) });
                library.packs.push(pack);
            }
        }
        Ok(library)
    }

    /// The parse of a key, and where it is.
    pub fn find(&self, key: Digest) -> Option<(Parsed, Place)> {
        self.packs.iter().enumerate().find_map(|(number, pack)| {
            let (offset, length) = pack.find(key)?;
            let parsed = pack.parsed(offset, length).ok()?;
            Some((parsed, Place { pack: number as u32, offset, length }))
        })
    }
}

/// Removes packs that no tree names. Young ones stay: their writer may be about to publish.
pub fn tidy(place: &TreePlace, own: &Manifest, now: i64) {
    const A_WHILE: i64 = 120_000_000_000;
    let mut needed: HashSet<String> = own.packs.iter().map(|pack| pack.name.clone()).collect();
    let is_needed = |needed: &HashSet<String>, entry: &fs::DirEntry| {
        needed.contains(entry.file_name().to_string_lossy().as_ref())
    };
    let is_old = |entry: &fs::DirEntry| {
        entry.metadata().is_ok_and(|metadata| Stamp::of(&metadata).modified < now - A_WHILE)
    };
    let entries = fs::read_dir(place.store.parsed()).into_iter().flatten().flatten();
    let old: Vec<_> = entries.filter(|it| is_old(it) && !is_needed(&needed, it)).collect();
    // To know what other trees need is to read their manifests, which may be many and large.
    if old.is_empty() {
        return;
    }
    for manifest in place.store.trees().iter().filter_map(|folder| Manifest::load_from(folder)) {
        needed.extend(manifest.packs.into_iter().map(|pack| pack.name));
    }
    for entry in old.into_iter().filter(|it| !is_needed(&needed, it)) {
        let _ = fs::remove_file(entry.path());
    }
}

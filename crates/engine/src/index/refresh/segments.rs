//! The files of the full-text index: which belong to what is published, sealed so that damage shows.

use std::collections::{HashMap, HashSet};
use std::fs;
use std::path::Path;

use wherein_corpus::Stamp;

use crate::error::{Error, Result};
use crate::index::checked;
use crate::index::manifest::{Manifest, Seal};
use crate::index::pack;

/// Seals the files of the segments that `meta` lists; those sealed before stay as they are.
pub fn seal(folder: &Path, meta: &str, known: &[Seal]) -> Result<Vec<Seal>> {
    let known: HashMap<&str, &Seal> = known.iter().map(|it| (it.name.as_str(), it)).collect();
    let entries = fs::read_dir(folder).map_err(Error::write(folder))?;
    let mut seals = Vec::new();
    for entry in entries.flatten() {
        let name = entry.file_name().to_string_lossy().into_owned();
        if let Some(seal) = known.get(name.as_str()).filter(|_| belongs(&name, meta)) {
            seals.push((*seal).clone());
        } else if belongs(&name, meta) {
            let path = entry.path();
            let bytes = pack::map(&path).map_err(|error| Error::damaged(&path, error))?;
            let metadata = entry.metadata().map_err(Error::write(path))?;
            let sums = checked::sums(&bytes);
            seals.push(Seal { name, stamp: Stamp::of(&metadata), sums });
        }
    }
    seals.sort_unstable_by(|a, b| a.name.cmp(&b.name));
    Ok(seals)
}

/// Whether a segment file belongs to a segment that `meta` lists. Names start with its id.
pub fn belongs(name: &str, meta: &str) -> bool {
    let id = name.split('.').next().unwrap_or_default();
    id.len() == 32 && (meta.contains(id) || meta.contains(&dashed(id)))
}

/// `meta.json` writes segment ids as UUIDs, file names without the dashes.
fn dashed(id: &str) -> String {
    format!("{}-{}-{}-{}-{}", &id[..8], &id[8..12], &id[12..16], &id[16..20], &id[20..])
}

/// Removes files of the full-text index that the manifest does not name.
pub fn tidy(folder: &Path, manifest: &Manifest) {
    let keep: HashSet<&str> = manifest.seals.iter().map(|seal| seal.name.as_str()).collect();
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        if !keep.contains(entry.file_name().to_string_lossy().as_ref()) {
            let _ = fs::remove_file(entry.path());
        }
    }
}

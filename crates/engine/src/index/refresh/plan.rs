//! What a refresh has to read: files sorted out by their stamps, before any is opened.

use std::collections::{HashMap, HashSet};

use wherein_corpus::{Found, Skipped};

use crate::index::manifest::{FileEntry, Manifest};

/// The files of a tree, sorted out.
pub struct Plan {
    /// The entries of files that have to be read, or are gone, as they were.
    pub before: HashMap<String, FileEntry>,
    /// What has to be read.
    pub changed: Vec<Found>,
}

/// Enters the files whose stamps are unchanged; returns the others as they were, and what to read.
pub fn sort_out(known: Option<&Manifest>, found: Vec<Found>, manifest: &mut Manifest) -> Plan {
    let Some(known) = known else {
        return Plan { before: HashMap::new(), changed: found };
    };
    let mut before: HashMap<String, FileEntry> =
        known.files.iter().map(|file| (file.path.clone(), file.clone())).collect();
    let left_out: HashMap<&str, &Skipped> =
        known.skipped.iter().map(|skip| (skip.path.as_str(), skip)).collect();
    let mut changed = Vec::new();
    for file in found {
        let same = |entry: &FileEntry| {
            entry.settled && entry.stamp == file.stamp && file.language.may_be(&entry.language)
        };
        if before.get(&file.path).is_some_and(same) {
            manifest.files.extend(before.remove(&file.path));
        } else if let Some(skip) =
            left_out.get(file.path.as_str()).filter(|s| s.stamp == Some(file.stamp))
        {
            manifest.skipped.push((*skip).clone());
        } else {
            changed.push(file);
        }
    }
    // Room for every file of the tree would otherwise be held until the end.
    before.shrink_to_fit();
    Plan { before, changed }
}

/// Enters files that were not read into the manifest as they were; what is new stays out.
pub fn fall_behind(manifest: &mut Manifest, left: &[Found], before: &HashMap<String, FileEntry>) {
    manifest.behind = left.len() as u32;
    let old = left.iter().filter_map(|found| before.get(&found.path));
    manifest.files.extend(old.map(|entry| FileEntry { settled: false, ..entry.clone() }));
}

/// The ids of files that were there and are not.
pub fn gone(plan: &Plan) -> Vec<u32> {
    let present: HashSet<&str> = plan.changed.iter().map(|found| found.path.as_str()).collect();
    let gone = plan.before.values().filter(|entry| !present.contains(entry.path.as_str()));
    gone.map(|entry| entry.id).collect()
}

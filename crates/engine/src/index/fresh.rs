//! Is what is indexed still what is on disk? Answered from metadata alone.

use std::fs;
use std::path::Path;

use rayon::prelude::*;
use wherein_corpus::{Stamp, worktree};

use crate::index::git;
use crate::index::manifest::Manifest;

/// Whether nothing that the manifest depends on has changed since it was written.
pub fn is_fresh(root: &Path, manifest: &Manifest) -> bool {
    let settled = |file: &crate::index::manifest::FileEntry| file.settled;
    manifest.files.iter().all(settled)
        && same_commit(root, manifest)
        && manifest.watched.par_iter().all(|it| stamp(root, &it.path) == it.stamp)
        && manifest.files.par_iter().all(|file| stamp(root, &file.path) == Some(file.stamp))
        && manifest.skipped.iter().all(|it| it.stamp.is_none() || stamp(root, &it.path) == it.stamp)
}

fn same_commit(root: &Path, manifest: &Manifest) -> bool {
    let commit = worktree::top_of(root).and_then(git::commit);
    commit == manifest.revision.as_ref().and_then(|revision| revision.commit.clone())
}

fn stamp(root: &Path, path: &str) -> Option<Stamp> {
    fs::symlink_metadata(root.join(path)).ok().map(|metadata| Stamp::of(&metadata))
}

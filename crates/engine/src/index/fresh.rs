//! Is what is indexed still what is on disk? Answered from metadata alone.

use std::path::Path;

use rayon::prelude::*;
use wherein_corpus::{Links, Stamps, worktree};

use crate::index::git;
use crate::index::manifest::Manifest;

/// Whether nothing that the manifest depends on has changed since it was written.
pub fn is_fresh(root: &Path, manifest: &Manifest) -> bool {
    let Some(stamps) = Stamps::below(root) else { return false };
    let same = |path: &str, stamp| stamps.take(path, Links::Keep) == Some(stamp);
    manifest.files.iter().all(|file| file.settled)
        && same_commit(root, manifest)
        && manifest.watched.par_iter().all(|it| stamps.take(&it.path, Links::Follow) == it.stamp)
        && manifest.files.par_iter().all(|file| same(&file.path, file.stamp))
        && manifest.skipped.iter().all(|it| it.stamp.is_none_or(|stamp| same(&it.path, stamp)))
}

fn same_commit(root: &Path, manifest: &Manifest) -> bool {
    let commit = worktree::top_of(root).and_then(git::commit);
    commit == manifest.revision.as_ref().and_then(|revision| revision.commit.clone())
}

//! Is what is indexed still what is on disk? Answered from metadata alone.

use std::path::Path;

use rayon::prelude::*;
use wherein_corpus::{Links, Stamp, Stamps, Watched, worktree};

use crate::index::git;
use crate::index::manifest::{FileEntry, Manifest};

/// Whether nothing that the manifest depends on has changed since it was written.
pub fn is_fresh(root: &Path, manifest: &Manifest) -> bool {
    let Some(stamps) = Stamps::below(root) else { return false };
    manifest.behind == 0
        && manifest.files.iter().all(|file| file.settled)
        && is_same_revision(root, manifest)
        && is_same_list(&stamps, manifest)
        && manifest.files.par_iter().all(|it| stamps.take(&it.path, Links::Keep) == Some(it.stamp))
}

/// The same of what lies outside the folders of the tree, for whoever is told of what changes in them: settings of
/// git's, the commit that is checked out.
pub fn is_fresh_around(root: &Path, manifest: &Manifest) -> bool {
    let Some(stamps) = Stamps::below(root) else { return false };
    let is_outside = |it: &&Watched| Path::new(&it.path).is_absolute();
    manifest.behind == 0
        && manifest.files.iter().all(|file| file.settled)
        && is_same_revision(root, manifest)
        && manifest
            .watched
            .iter()
            .filter(is_outside)
            .all(|it| stamps.take(&it.path, Links::Follow) == it.stamp)
}

/// What the files of the manifest look like now, in their order; `None` if files may have come or
/// gone, so that the tree has to be walked.
pub fn stamps(root: &Path, manifest: &Manifest) -> Option<Vec<Stamp>> {
    let stamps = Stamps::below(root).filter(|_| manifest.behind == 0)?;
    let stamps = Some(stamps).filter(|stamps| is_same_list(stamps, manifest))?;
    manifest.files.par_iter().map(|file| stamps.take(&file.path, Links::Keep)).collect()
}

/// Whether these stamps show that nothing has changed, as [`is_fresh`] would.
pub fn is_fresh_by(root: &Path, manifest: &Manifest, stamps: &[Stamp]) -> bool {
    let same = |(file, stamp): (&FileEntry, &Stamp)| file.settled && file.stamp == *stamp;
    manifest.files.iter().zip(stamps).all(same) && is_same_revision(root, manifest)
}

/// The watched paths that are not as they were.
pub fn changed(root: &Path, manifest: &Manifest) -> Option<Vec<String>> {
    let stamps = Stamps::below(root)?;
    let changed = |it: &&Watched| stamps.take(&it.path, Links::Follow) != it.stamp;
    Some(manifest.watched.par_iter().filter(changed).map(|it| it.path.clone()).collect())
}

/// Whether folders and ignore files are as they were, and what was left out for its content.
fn is_same_list(stamps: &Stamps, manifest: &Manifest) -> bool {
    let same = |path: &str, stamp| stamps.take(path, Links::Keep) == Some(stamp);
    manifest.watched.par_iter().all(|it| stamps.take(&it.path, Links::Follow) == it.stamp)
        && manifest.skipped.par_iter().all(|it| it.stamp.is_none_or(|stamp| same(&it.path, stamp)))
}

fn is_same_revision(root: &Path, manifest: &Manifest) -> bool {
    let commit = worktree::top_of(root).and_then(git::commit);
    commit == manifest.revision.as_ref().and_then(|revision| revision.commit.clone())
        && git::index_stamp(root) == manifest.git_index
}

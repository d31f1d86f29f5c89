//! A new worktree of a repository that is indexed elsewhere begins with a copy of that index.
//!
//! Segments are never changed, so that a second name for each of their files is a copy. Every file of
//! the worktree is still read once, for nothing says that it is what the other has; but what is the
//! same keeps its words, its parse and its vectors, and only the difference is indexed.

use std::fs;
use std::path::Path;

use wherein_corpus::{Digest, worktree};

use crate::index::checked::Checked;
use crate::index::linking;
use crate::index::manifest::Manifest;
use crate::index::pack::{Pack, map};
use crate::index::private;
use crate::index::store::TreePlace;
use crate::index::vectors::list::List;

/// The index of another worktree of the same repository as one of this, with every file to be read
/// again; `None` if there is none, or if it cannot be had.
pub fn adopt(place: &TreePlace, settings: Digest) -> Option<Manifest> {
    let home = worktree::repository_of(&place.root)?;
    let is_twin = |manifest: &Manifest| {
        let root = Path::new(&manifest.root);
        manifest.settings == settings
            && root != place.root
            && worktree::repository_of(root).as_ref() == Some(&home)
    };
    let folders = place.store.trees().into_iter();
    let (twin, mut manifest) = folders
        .filter_map(|folder| Some((folder.clone(), Manifest::load_from(&folder)?)))
        .filter(|(_, manifest)| is_twin(manifest))
        .max_by_key(|(_, manifest)| manifest.files.len())?;
    let twin = TreePlace { root: manifest.root.clone().into(), folder: twin, ..place.clone() };
    for seal in &manifest.seals {
        second_name(&twin.segments(), &place.segments(), &seal.name)?;
        let path = place.segments().join(&seal.name);
        let checked = Checked::of(&path, map(&path).ok()?, seal.sums.clone())?;
        checked.is_whole().then_some(())?;
    }
    for pack in &manifest.packs {
        Pack::open(&place.store.parsed(), pack).ok()?;
    }
    if let Some(seal) = &manifest.links {
        private::create_folders(&place.graph()).ok()?;
        second_name(&twin.graph(), &place.graph(), &seal.name)?;
    }
    adopt_vectors(place, &twin);
    manifest.root = place.root.to_string_lossy().into_owned();
    manifest.files.iter_mut().for_each(|file| file.settled = false);
    // Behind with all of them: the tree has yet to be walked.
    manifest.behind = manifest.files.len().max(1) as u32;
    (manifest.symbols, manifest.watched) = (None, Vec::new());
    linking::tidy(place, &manifest);
    Some(manifest)
}

/// Vectors belong to file ids, which the copy shares. Without them they are taken over text by text.
fn adopt_vectors(place: &TreePlace, twin: &TreePlace) -> Option<()> {
    let _lock = place.lock_vectors().ok()?;
    let list = List::load(twin);
    if list == List::default() || List::load(place) != List::default() {
        return None;
    }
    for file in list.files() {
        second_name(&twin.vectors(), &place.vectors(), &file.name)?;
    }
    list.publish(place).ok()
}

fn second_name(from: &Path, to: &Path, name: &str) -> Option<()> {
    let new = to.join(name);
    let _ = fs::remove_file(&new);
    fs::hard_link(from.join(name), new).ok()
}

//! Where the files of a tree are: on disk, or in a commit.

use std::collections::{BTreeSet, HashSet};
use std::fmt;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use wherein_corpus::{
    Digest, Found, Language, Links, Skip, Skipped, Stamp, Stamps, Text, Walk, WalkSettings,
    Watched, is_listed, list, text_of, walk,
};

use crate::index::fresh;
use crate::index::git::{self, Revision};
use crate::index::manifest::Manifest;
use crate::index::store::TreePlace;
use crate::index::twin;

/// A tree's files, wherever they are.
pub trait Source: fmt::Debug + Send + Sync {
    /// Lists the files worth reading, with the help of what is known of them.
    fn walk(&self, settings: &WalkSettings, known: Option<&Manifest>) -> io::Result<Walk>;

    /// What a file holds, by its path relative to the root.
    fn bytes(&self, path: &str) -> io::Result<Vec<u8>>;

    /// What git says of the files.
    fn revision(&self) -> Option<Revision>;

    /// What git's list of files looks like: as long as it stays, so does what git says.
    fn git_index(&self) -> Option<Stamp> {
        None
    }

    /// What to begin with where nothing is indexed yet: a manifest whose files it has put in place.
    fn seed(&self, _place: &TreePlace, _settings: Digest) -> Option<Manifest> {
        None
    }

    /// Whether the files may be others tomorrow.
    fn may_change(&self) -> bool;

    /// Whether a manifest still tells of the files as they are.
    fn is_fresh(&self, manifest: &Manifest) -> bool;

    /// The same of what lies around the files' folders, for whoever is told of what changes in them; `None` if only
    /// a look at all can say.
    fn is_fresh_around(&self, _manifest: &Manifest) -> Option<bool> {
        None
    }

    /// What can be said of the files before they are listed.
    fn look(&self, manifest: &Manifest) -> Look {
        if self.is_fresh(manifest) { Look::Fresh } else { Look::Blind }
    }
}

/// What a look at the files of a manifest says.
#[derive(Debug)]
pub enum Look {
    /// Nothing has changed.
    Fresh,
    /// No file came or went; this is what they look like now, in the order of the manifest.
    Same(Vec<Stamp>),
    /// They have to be listed.
    Blind,
}

/// The files below a folder.
#[derive(Clone, Debug)]
pub struct OnDisk(PathBuf);

impl OnDisk {
    /// Those below `root`.
    pub fn at(root: &Path) -> OnDisk {
        OnDisk(root.to_owned())
    }
}

impl Source for OnDisk {
    fn walk(&self, settings: &WalkSettings, known: Option<&Manifest>) -> io::Result<Walk> {
        match known.and_then(|known| self.relist(known, settings)) {
            Some(walk) => Ok(walk),
            None => walk(&self.0, settings),
        }
    }

    fn bytes(&self, path: &str) -> io::Result<Vec<u8>> {
        fs::read(self.0.join(path))
    }

    fn revision(&self) -> Option<Revision> {
        Revision::of(&self.0)
    }

    fn git_index(&self) -> Option<Stamp> {
        git::index_stamp(&self.0)
    }

    fn seed(&self, place: &TreePlace, settings: Digest) -> Option<Manifest> {
        twin::adopt(place, settings)
    }

    fn may_change(&self) -> bool {
        true
    }

    fn is_fresh(&self, manifest: &Manifest) -> bool {
        fresh::is_fresh(&self.0, manifest)
    }

    fn is_fresh_around(&self, manifest: &Manifest) -> Option<bool> {
        Some(fresh::is_fresh_around(&self.0, manifest))
    }

    fn look(&self, manifest: &Manifest) -> Look {
        match fresh::stamps(&self.0, manifest) {
            Some(stamps) if fresh::is_fresh_by(&self.0, manifest, &stamps) => Look::Fresh,
            Some(stamps) => Look::Same(stamps),
            None => Look::Blind,
        }
    }
}

impl OnDisk {
    /// The tree as a walk would find it, if nothing but what stands right in a few of its folders may
    /// have changed: a file saved by renaming another over it changes its folder, and no more.
    fn relist(&self, known: &Manifest, settings: &WalkSettings) -> Option<Walk> {
        const FEW: usize = 20;
        let root = &self.0;
        let folders = fresh::changed(root, known).filter(|it| it.len() <= FEW)?;
        let mut walk = Walk {
            files: Vec::new(),
            skipped: known.skipped.clone(),
            watched: known.watched.clone(),
        };
        let mut relisted = HashSet::new();
        for folder in folders.iter().filter(|_| known.behind == 0) {
            let now = list(root, folder, settings).ok()?;
            let names = |watched: &[Watched]| -> BTreeSet<String> {
                let listed = watched.iter().filter(|it| is_listed(folder, &it.path));
                listed.map(|it| it.path.clone()).collect()
            };
            if names(&now.watched) != names(&known.watched) {
                return None;
            }
            walk.skipped.retain(|it| parent(&it.path) != folder);
            walk.watched.retain(|it| !is_listed(folder, &it.path));
            walk.skipped.extend(now.skipped);
            walk.watched.extend(now.watched);
            walk.files.extend(now.files);
            relisted.insert(folder.as_str());
        }
        let stamps = Stamps::below(root)?;
        let same =
            |it: &Skipped| it.stamp.is_none() || stamps.take(&it.path, Links::Keep) == it.stamp;
        let elsewhere = |path: &str| !relisted.contains(parent(path));
        if !known.skipped.iter().filter(|it| elsewhere(&it.path)).all(same) {
            return None;
        }
        let others = known.files.iter().filter(|it| elsewhere(&it.path));
        for file in others {
            let stamp = stamps.take(&file.path, Links::Keep)?;
            let path = file.path.clone();
            let language = Language::of_path(Path::new(&path), &settings.overrides);
            walk.files.push(Found { path, stamp, language });
        }
        (!relisted.is_empty()).then_some(walk)
    }
}

/// The folder a path stands in; empty at the top.
fn parent(path: &str) -> &str {
    path.rsplit_once('/').map_or("", |(folder, _)| folder)
}

impl TreePlace {
    /// The text of a file, or why it is not worth indexing.
    pub fn read(&self, path: &str, max_size: u64) -> Result<Text, Skip> {
        let bytes = self.source.bytes(path);
        text_of(bytes.map_err(|error| Skip::Unreadable(error.to_string()))?, max_size)
    }
}

//! Where the files of a tree are: on disk, or in a commit.

use std::fmt;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use wherein_corpus::{Digest, Skip, Text, Walk, WalkSettings, text_of, walk};

use crate::index::fresh;
use crate::index::git::Revision;
use crate::index::manifest::Manifest;
use crate::index::store::TreePlace;

/// A tree's files, wherever they are.
pub trait Source: fmt::Debug + Send + Sync {
    /// Lists the files worth reading.
    fn walk(&self, settings: &WalkSettings) -> io::Result<Walk>;

    /// What a file holds, by its path relative to the root.
    fn bytes(&self, path: &str) -> io::Result<Vec<u8>>;

    /// What git says of the files.
    fn revision(&self) -> Option<Revision>;

    /// What to begin with where nothing is indexed yet: a manifest whose files it has put in place.
    fn seed(&self, _place: &TreePlace, _settings: Digest) -> Option<Manifest> {
        None
    }

    /// Whether a manifest still tells of the files as they are.
    fn is_fresh(&self, manifest: &Manifest) -> bool;
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
    fn walk(&self, settings: &WalkSettings) -> io::Result<Walk> {
        walk(&self.0, settings)
    }

    fn bytes(&self, path: &str) -> io::Result<Vec<u8>> {
        fs::read(self.0.join(path))
    }

    fn revision(&self) -> Option<Revision> {
        Revision::of(&self.0)
    }

    fn is_fresh(&self, manifest: &Manifest) -> bool {
        fresh::is_fresh(&self.0, manifest)
    }
}

impl TreePlace {
    /// The text of a file, or why it is not worth indexing.
    pub fn read(&self, path: &str, max_size: u64) -> Result<Text, Skip> {
        let bytes = self.source.bytes(path);
        text_of(bytes.map_err(|error| Skip::Unreadable(error.to_string()))?, max_size)
    }
}

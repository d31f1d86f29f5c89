//! What is indexed of a repository's commits, in one file that is replaced whole.

use std::fs;

use serde::{Deserialize, Serialize};
use wherein_corpus::Digest;

use crate::error::{Error, Result};
use crate::history::repository::Git;
use crate::index::format::{sealed, unsealed};
use crate::index::manifest::Seal;
use crate::index::store::{TreePlace, publish};

/// Commits as they are indexed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LogManifest {
    /// The folder of the repository's common data.
    pub repository: String,
    /// Bytes of a hash.
    pub hash_bytes: u32,
    /// Changes whenever commits are numbered anew.
    pub generation: u64,
    /// The commit everything leads to.
    pub tip: Option<String>,
    /// Changes when a shallow clone is deepened.
    pub boundary: Digest,
    /// Whether every commit that leads to the tip is in.
    pub complete: bool,
    /// How many commits lead to the tip.
    pub total: u32,
    /// Files of commits, numbered through.
    pub batches: Vec<Seal>,
    /// Numbers of commits that no longer lead to the tip.
    pub dead: Vec<u32>,
    /// The full-text engine's list of segments.
    pub meta: String,
    /// The files of those segments.
    pub seals: Vec<Seal>,
}

/// Where the commits of a tree's repository are kept: a place within the tree's.
pub fn place(tree: &TreePlace) -> TreePlace {
    TreePlace { folder: tree.folder.join("history"), ..tree.clone() }
}

impl LogManifest {
    /// Reads what is published.
    pub fn load(place: &TreePlace) -> Result<LogManifest> {
        let path = place.manifest();
        match fs::read(&path) {
            Ok(bytes) => {
                unsealed(&bytes).ok_or_else(|| Error::damaged(&path, "not a whole manifest"))
            }
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
                Err(Error::Missing(place.root.clone()))
            }
            Err(error) => Err(Error::damaged(&path, error)),
        }
    }

    /// Makes this what every new reader sees.
    pub fn publish(&self, place: &TreePlace) -> Result<()> {
        publish(&place.manifest(), &sealed(self))
    }

    /// An index of no commits.
    pub fn blank(git: &Git, generation: u64) -> LogManifest {
        LogManifest {
            repository: git.folder().to_string_lossy().into_owned(),
            hash_bytes: git.hash_bytes() as u32,
            generation,
            tip: None,
            boundary: git.boundary(),
            complete: false,
            total: 0,
            batches: Vec::new(),
            dead: Vec::new(),
            meta: String::new(),
            seals: Vec::new(),
        }
    }

    /// Whether it is of this repository at all.
    pub fn is_of(&self, git: &Git) -> bool {
        self.repository == git.folder().to_string_lossy()
            && self.hash_bytes == git.hash_bytes() as u32
    }

    /// Whether it holds all there is.
    pub fn is_fresh(&self, git: &Git) -> Result<bool> {
        let tip = git.head()?.map(|tip| tip.to_string());
        Ok(self.is_of(git) && self.complete && self.tip == tip && self.boundary == git.boundary())
    }
}

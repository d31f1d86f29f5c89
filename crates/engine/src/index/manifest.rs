//! The manifest: what a tree's index holds and where, in one file that is replaced whole.

use std::fs;
use std::path::Path;

use serde::{Deserialize, Serialize};
use wherein_corpus::{Digest, Parsed, Skipped, Stamp, Watched};

use crate::error::{Error, Result};
use crate::index::format::{sealed, unsealed};
use crate::index::git::Revision;
use crate::index::pack::{PackRef, Place};
use crate::index::store::{TreePlace, publish};

/// One indexed file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FileEntry {
    /// Names this content of this file in the full-text index; never used again.
    pub id: u32,
    /// Relative to the root, with forward slashes.
    pub path: String,
    /// What the file looked like when it was read.
    pub stamp: Stamp,
    /// Whether an equal stamp proves equal content.
    pub settled: bool,
    /// The digest of its bytes.
    pub content: Digest,
    /// Its language's name.
    pub language: String,
    /// How many chunks it has.
    pub chunks: u32,
    /// Where its parse is.
    pub place: Place,
}

impl FileEntry {
    /// A file whose parse is in no pack: of an editor, of another revision, of an engine.
    pub fn unpacked(
        id: u32,
        path: &str,
        language: &str,
        content: Digest,
        parsed: &Parsed,
    ) -> FileEntry {
        FileEntry {
            id,
            path: path.to_owned(),
            stamp: Stamp::default(),
            settled: true,
            content,
            language: language.to_owned(),
            chunks: parsed.chunks.len() as u32,
            place: Place { pack: u32::MAX, offset: 0, length: 0 },
        }
    }
}

/// A file of the index and what it must look like to be trusted.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Seal {
    /// File name in its folder.
    pub name: String,
    /// Size and time at publication.
    pub stamp: Stamp,
    /// The sum of each block of it; none for a file that carries its own.
    pub sums: Vec<u32>,
}

/// A tree as it is indexed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Manifest {
    /// The indexed folder.
    pub root: String,
    /// The digest of the settings the tree was read with.
    pub settings: Digest,
    /// Changes whenever file ids begin anew.
    pub generation: u64,
    /// The next file id to give out.
    pub next_id: u32,
    /// Indexed files by path.
    pub files: Vec<FileEntry>,
    /// Files left out, by path.
    pub skipped: Vec<Skipped>,
    /// What to look at to see that files came or went.
    pub watched: Vec<Watched>,
    /// Packs the files' parses are in.
    pub packs: Vec<PackRef>,
    /// The full-text engine's list of segments.
    pub meta: String,
    /// The files of those segments.
    pub seals: Vec<Seal>,
    /// Files that are other than on disk, or missing: there was no time to read them.
    pub behind: u32,
    /// What git says of the tree.
    pub revision: Option<Revision>,
    /// What git's list of files looked like when it said so.
    pub git_index: Option<Stamp>,
    /// The links between the files.
    pub links: Option<Seal>,
    /// The graph of the symbols, once somebody has asked for it.
    pub symbols: Option<Seal>,
}

impl Manifest {
    /// Reads the published manifest of a tree.
    pub fn load(place: &TreePlace) -> Result<Manifest> {
        let path = place.manifest();
        let bytes = match fs::read(&path) {
            Ok(bytes) => bytes,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
                return Err(Error::Missing(place.root.clone()));
            }
            Err(error) => return Err(Error::damaged(&path, error)),
        };
        let manifest: Manifest =
            unsealed(&bytes).ok_or_else(|| Error::damaged(&path, "not a whole manifest"))?;
        if manifest.root != place.root.to_string_lossy() {
            return Err(Error::damaged(&path, format!("it belongs to {}", manifest.root)));
        }
        Ok(manifest)
    }

    /// Reads the manifest in an index folder, whatever tree it belongs to.
    pub fn load_from(folder: &Path) -> Option<Manifest> {
        unsealed(&fs::read(folder.join("manifest")).ok()?)
    }

    /// Makes this the manifest every new reader sees.
    pub fn publish(&self, place: &TreePlace) -> Result<()> {
        publish(&place.manifest(), &sealed(self))
    }

    /// Whether nearly every file is one chunk, as in a corpus of functions. Nothing there is about files,
    /// and a word of a sentence that is the name of one function in ten thousand says nothing:
    /// CodeSearchNet Python MRR .715 with the ranker and the channels of names, .723 without.
    pub fn is_list_of_chunks(&self) -> bool {
        const MANY: usize = 1000;
        self.files.len() >= MANY && self.chunks() as f32 <= 1.25 * self.files.len() as f32
    }

    /// One that lists files which are kept elsewhere.
    pub fn listing(root: String, files: Vec<FileEntry>) -> Manifest {
        Manifest {
            root,
            settings: Digest::of(&[]),
            generation: 0,
            next_id: files.len() as u32,
            files,
            skipped: Vec::new(),
            watched: Vec::new(),
            packs: Vec::new(),
            meta: String::new(),
            seals: Vec::new(),
            behind: 0,
            revision: None,
            git_index: None,
            links: None,
            symbols: None,
        }
    }

    /// How many chunks are indexed.
    pub fn chunks(&self) -> u64 {
        self.files.iter().map(|file| u64::from(file.chunks)).sum()
    }
}

//! A tree as it was at a commit, indexed without being checked out.
//!
//! Its index lies beside that of the folder and begins as a copy of the nearest one there is, made of
//! links to the same files: what is the same in both commits is neither read, parsed nor indexed again.

use std::collections::{HashMap, HashSet};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use gix::ObjectId;
use gix::bstr::ByteSlice;
use wherein_corpus::{
    IgnoreFile, Listed, ListedKind, Skip, Skipped, Stamp, Walk, WalkSettings, is_ignore_file,
    listed, text_of,
};

use crate::error::{Error, Result};
use crate::history::repository::{File, Git, Repository};
use crate::index::git::Revision;
use crate::index::manifest::Manifest;
use crate::index::overlay::Overlay;
use crate::index::private;
use crate::index::settings::Settings;
use crate::index::source::Source;
use crate::index::store::TreePlace;

/// Revisions of one folder that are kept indexed.
const MOST_KEPT: usize = 8;

/// The place of a folder's tree as it was at a revision.
pub fn place(folder: &TreePlace, revision: &str) -> Result<TreePlace> {
    let repository = Repository::around(&folder.root)?;
    let commit = repository.git().resolve(revision)?;
    at(folder, repository, commit)
}

/// The same for a commit that is known already.
pub fn at(folder: &TreePlace, repository: Repository, commit: ObjectId) -> Result<TreePlace> {
    let source = AtCommit::read(folder.clone(), repository, commit)?;
    let mut name = folder.folder.clone().into_os_string();
    name.push(format!("@{}", &commit.to_string()[..16]));
    Ok(TreePlace { folder: PathBuf::from(name), source: Arc::new(source), ..folder.clone() })
}

/// Some files of a folder as they were at a revision.
#[derive(Debug)]
pub struct Then {
    /// The revision as answers name it.
    pub revision: String,
    /// By path the text; none where no file stood that is worth indexing.
    pub texts: Overlay,
    /// All its files.
    pub source: Arc<dyn Source>,
}

/// Reads files as they were at a commit, which answers name as `revision`.
pub fn then(
    folder: &TreePlace,
    settings: &Settings,
    (revision, commit): (&str, &str),
    paths: &[String],
) -> Result<Then> {
    let source = place(folder, commit)?.source;
    let unread = |error: io::Error| Error::Git(error.to_string());
    let walk = source.walk(&settings.walk, None).map_err(unread)?;
    let listed: HashSet<&str> = walk.files.iter().map(|file| file.path.as_str()).collect();
    let mut texts = Overlay::new();
    for path in paths {
        let text = match listed.contains(path.as_str()) {
            true => text_of(source.bytes(path).map_err(unread)?, settings.walk.max_file_size).ok(),
            false => None,
        };
        texts.insert(path.clone(), text.map(|it| it.text));
    }
    Ok(Then { revision: revision.to_owned(), texts, source })
}

/// The indexes of a folder's revisions, the one used last first.
pub fn kept(folder: &TreePlace) -> Vec<PathBuf> {
    let Some(name) = folder.folder.file_name().map(|name| name.to_string_lossy().into_owned())
    else {
        return Vec::new();
    };
    let is_ours = |path: &PathBuf| {
        let other = path.file_name().map(|name| name.to_string_lossy().into_owned());
        other.is_some_and(|other| other.starts_with(&format!("{name}@")))
    };
    let mut all: Vec<PathBuf> = folder.store.trees().into_iter().filter(is_ours).collect();
    let used =
        |path: &PathBuf| fs::metadata(path.join("manifest")).and_then(|it| it.modified()).ok();
    all.sort_by_cached_key(|path| std::cmp::Reverse(used(path)));
    all
}

/// The files of a commit.
#[derive(Debug)]
struct AtCommit {
    folder: TreePlace,
    repository: Repository,
    commit: ObjectId,
    /// By path below the root.
    files: HashMap<String, File>,
    /// Paths that are not UTF-8, as near as text comes to them.
    unnamed: Vec<String>,
    /// Handles nobody uses just now: each keeps what it has decoded.
    idle: Mutex<Vec<Git>>,
}

impl AtCommit {
    fn read(folder: TreePlace, repository: Repository, commit: ObjectId) -> Result<AtCommit> {
        let git = repository.git();
        let all = git.files(git.commit(commit)?.tree)?;
        let (mut files, mut unnamed) = (HashMap::new(), Vec::new());
        for file in all {
            match below(&file, &repository.prefix) {
                Some(Ok(path)) => drop(files.insert(path, file)),
                Some(Err(path)) => unnamed.push(path),
                None => {}
            }
        }
        Ok(AtCommit { folder, repository, commit, files, unnamed, idle: Mutex::default() })
    }

    /// What the files of a manifest held, by path, if they are those of a commit.
    fn blobs(&self, git: &Git, manifest: &Manifest) -> Option<HashMap<String, ObjectId>> {
        let is_whole = manifest.behind == 0;
        let revision = manifest.revision.as_ref();
        let revision = revision.filter(|it| is_whole && it.dirty_files == Some(0))?;
        let commit = git.resolve(revision.commit.as_deref()?).ok()?;
        let files = git.files(git.commit(commit).ok()?.tree).ok()?;
        let named = |file: File| Some((below(&file, &self.repository.prefix)?.ok()?, file.blob));
        Some(files.into_iter().filter_map(named).collect())
    }

    /// A manifest of this folder as one of this commit: entries of the same blob have its stamp.
    fn adapted(
        &self,
        mut manifest: Manifest,
        blobs: &HashMap<String, ObjectId>,
    ) -> (usize, Manifest) {
        let mut same = 0;
        for file in &mut manifest.files {
            let blob = self.files.get(&file.path).map(|file| file.blob);
            let is_same = blob.is_some() && blobs.get(&file.path).copied() == blob;
            file.settled = is_same;
            file.stamp = blob.filter(|_| is_same).map_or(Stamp::default(), stamp);
            same += usize::from(is_same);
        }
        (manifest.revision, manifest.git_index) = (None, None);
        // Left out for what is in them: they are looked at again, which is cheap.
        manifest.skipped = Vec::new();
        (same, manifest)
    }

    /// The manifest with the most files in common, and where it is.
    fn nearest(&self, settings: wherein_corpus::Digest) -> Option<(PathBuf, Manifest)> {
        let git = self.repository.git();
        let folders = [self.folder.folder.clone()].into_iter().chain(kept(&self.folder));
        let candidate = |folder: PathBuf| {
            let manifest = Manifest::load_from(&folder).filter(|it| it.settings == settings)?;
            let blobs = self.blobs(&git, &manifest).unwrap_or_default();
            let (same, manifest) = self.adapted(manifest, &blobs);
            Some((same, folder, manifest))
        };
        let all = folders.filter_map(candidate).rev();
        all.max_by_key(|(same, ..)| *same).map(|(_, folder, manifest)| (folder, manifest))
    }
}

impl Source for AtCommit {
    fn walk(&self, settings: &WalkSettings, _known: Option<&Manifest>) -> io::Result<Walk> {
        let git = self.repository.git();
        let text = |blob| git.blob(blob).map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
        let ignores = self.files.iter().filter(|(path, _)| is_ignore_file(path));
        let ignores = ignores
            .map(|(path, file)| Ok(IgnoreFile { path: path.clone(), text: text(file.blob)? }))
            .collect::<Result<Vec<_>>>()
            .map_err(io::Error::other)?;
        let one = |(path, file): (&String, &File)| Listed {
            path: path.clone(),
            kind: if file.is_link { ListedKind::Link } else { ListedKind::File },
            stamp: stamp(file.blob),
        };
        let mut walk = listed(self.files.iter().map(one).collect(), &ignores, settings);
        let unnamed =
            |path: &String| Skipped { path: path.clone(), reason: Skip::BadName, stamp: None };
        walk.skipped.extend(self.unnamed.iter().map(unnamed));
        Ok(walk)
    }

    fn bytes(&self, path: &str) -> io::Result<Vec<u8>> {
        let file = self.files.get(path).ok_or(io::ErrorKind::NotFound)?;
        let idle = || self.idle.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        let git = idle().pop();
        let git = git.unwrap_or_else(|| self.repository.git());
        let bytes = git.blob(file.blob).map_err(io::Error::other);
        idle().push(git);
        bytes
    }

    fn revision(&self) -> Option<Revision> {
        Some(Revision { commit: Some(self.commit.to_string()), dirty_files: Some(0) })
    }

    fn may_change(&self) -> bool {
        false
    }

    fn is_fresh(&self, manifest: &Manifest) -> bool {
        manifest.behind == 0 && manifest.revision == self.revision()
    }

    fn seed(&self, place: &TreePlace, settings: wherein_corpus::Digest) -> Option<Manifest> {
        for old in kept(&self.folder).into_iter().skip(MOST_KEPT - 1) {
            let _ = TreePlace { folder: old, ..self.folder.clone() }.clear();
        }
        let (from, manifest) = self.nearest(settings)?;
        for part in ["segments", "graph", "vectors"] {
            link_files(&from.join(part), &place.folder.join(part)).ok()?;
        }
        let is_there = |name: &str| place.segments().join(name).exists();
        manifest.seals.iter().all(|seal| is_there(&seal.name)).then_some(manifest)
    }
}

/// A file's path below the root; as an error if it is not UTF-8.
fn below(file: &File, prefix: &str) -> Option<std::result::Result<String, String>> {
    let path = file.path.strip_prefix(prefix.as_bytes())?;
    Some(match path.to_str() {
        Ok(path) => Ok(path.to_owned()),
        Err(_) => Err(path.to_str_lossy().into_owned()),
    })
}

/// What stands for the stamp of a file that has none: its content's id. Never young, since it is
/// older than any clock.
fn stamp(blob: ObjectId) -> Stamp {
    let word = |at: usize| {
        let mut word = [0; 8];
        word.copy_from_slice(&blob.as_slice()[at..at + 8]);
        u64::from_le_bytes(word)
    };
    Stamp { size: word(0), modified: (word(8) | 1 << 63) as i64, changed: 0 }
}

/// Gives every file of a folder a second name in another. A copy would have another time, and files
/// of the index are known by it.
fn link_files(from: &Path, to: &Path) -> io::Result<()> {
    private::create_folders(to)?;
    for entry in fs::read_dir(from).into_iter().flatten().flatten() {
        let name = entry.file_name();
        let is_new = Path::new(&name).extension().is_some_and(|it| it == "new");
        let is_part =
            name != "lock" && !is_new && entry.file_type().is_ok_and(|kind| kind.is_file());
        if is_part && !to.join(&name).exists() {
            fs::hard_link(entry.path(), to.join(&name))?;
        }
    }
    Ok(())
}

//! A repository, opened for reading: commits, trees, blobs.

use std::path::{Path, PathBuf};

use gix::ObjectId;
use gix::bstr::{BStr, ByteSlice};
use gix::diff::tree::recorder::Change as Recorded;
use gix::objs::TreeRefIter;
use gix::objs::tree::EntryKind;
use serde::Serialize;
use wherein_corpus::Digest;

use crate::error::{Error, Result};
use crate::search::secrets::redact;

/// A repository that any thread may get a handle on.
pub struct Repository {
    shared: gix::ThreadSafeRepository,
    /// Where the tree's root is in it: empty, or a path that ends in a slash.
    pub prefix: String,
}

/// One thread's handle on a repository.
pub struct Git {
    repo: gix::Repository,
    shallow: Vec<ObjectId>,
}

/// A commit without what it changed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct Commit {
    /// Its hash.
    pub commit: String,
    /// Who wrote it.
    pub author: String,
    /// Their address.
    pub email: String,
    /// When it was committed, in seconds since 1970.
    pub time: i64,
    /// The same as a date in UTC.
    pub date: String,
    /// The first line of its message.
    pub subject: String,
}

/// A commit as it is stored.
pub struct Stored {
    /// Its id.
    pub id: ObjectId,
    /// Its tree.
    pub tree: ObjectId,
    /// Its parents, as far as the repository has them.
    pub parents: Vec<ObjectId>,
    /// Name and address of its author, and when it was committed.
    pub author: (String, String),
    /// In seconds since 1970.
    pub time: i64,
    /// The whole message. What is not UTF-8 is read as the commit says, or replaced.
    pub message: String,
}

/// A file of a tree.
#[derive(Clone, Debug)]
pub struct File {
    /// From the top of the repository.
    pub path: gix::bstr::BString,
    /// Its content.
    pub blob: ObjectId,
    /// Whether it is a symbolic link.
    pub is_link: bool,
}

/// A file that differs between two trees.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// From the top of the repository.
    pub path: String,
    /// What it was; `None` if it came.
    pub before: Option<ObjectId>,
    /// What it is; `None` if it went.
    pub after: Option<ObjectId>,
}

/// Decoded trees are asked for again and again by neighbouring commits.
const CACHE: usize = 16 << 20;

impl Repository {
    /// The repository at or around a folder.
    pub fn around(root: &Path) -> Result<Repository> {
        let isolated = || gix::open::Options::isolated();
        let trust = gix::sec::trust::Mapping { full: isolated(), reduced: isolated() };
        let shared = gix::ThreadSafeRepository::discover_opts(root, Default::default(), trust)
            .map_err(|error| Error::NoRepository { root: root.to_owned(), reason: said(error) })?;
        let prefix = prefix(shared.to_thread_local().workdir(), root);
        Ok(Repository { shared, prefix })
    }

    /// A handle for this thread.
    pub fn git(&self) -> Git {
        let mut repo = self.shared.to_thread_local();
        repo.object_cache_size_if_unset(CACHE);
        let shallow = repo.shallow_commits().ok().flatten();
        let mut shallow: Vec<ObjectId> =
            shallow.map(|commits| commits.iter().copied().collect()).unwrap_or_default();
        shallow.sort_unstable();
        Git { repo, shallow }
    }
}

impl std::fmt::Debug for Git {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Git({})", self.repo.git_dir().display())
    }
}

impl std::fmt::Debug for Repository {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Repository({})", self.prefix)
    }
}

fn prefix(top: Option<&Path>, root: &Path) -> String {
    let top = top.and_then(|top| std::fs::canonicalize(top).ok());
    let inside = top.as_deref().and_then(|top| root.strip_prefix(top).ok());
    match inside.map(|inside| inside.to_string_lossy().replace('\\', "/")) {
        Some(inside) if !inside.is_empty() => format!("{inside}/"),
        _ => String::new(),
    }
}

/// What the library says in the end; what it was about when it failed is said around it.
fn said(error: impl std::error::Error) -> String {
    let mut deepest: &dyn std::error::Error = &error;
    while let Some(source) = deepest.source() {
        deepest = source;
    }
    let (first, last) = (error.to_string(), deepest.to_string());
    let text =
        if first.contains(&last) || last.is_empty() { first } else { format!("{first}: {last}") };
    text.lines().next().unwrap_or_default().to_owned()
}

fn failed(error: impl std::error::Error) -> Error {
    Error::Git(said(error))
}

impl Git {
    /// The folder its common data is in.
    pub fn folder(&self) -> PathBuf {
        let folder = self.repo.common_dir();
        std::fs::canonicalize(folder).unwrap_or_else(|_| folder.to_owned())
    }

    /// The commit `HEAD` stands on; `None` before the first.
    pub fn head(&self) -> Result<Option<ObjectId>> {
        let head = self.repo.head().map_err(failed)?;
        let id = head.try_into_peeled_id().map_err(failed)?;
        Ok(id.map(gix::Id::detach))
    }

    /// The commit a revision names.
    pub fn resolve(&self, revision: &str) -> Result<ObjectId> {
        let unknown = |reason: String| Error::Revision { revision: revision.to_owned(), reason };
        if self.head()?.is_none() && revision.eq_ignore_ascii_case("HEAD") {
            return Err(unknown("the repository has no commits yet".to_owned()));
        }
        let id = self.repo.rev_parse_single(revision).map_err(|error| {
            let known =
                self.is_shallow().then_some("; this is a shallow clone, which lacks older ones");
            unknown(format!("{}{}", said(error), known.unwrap_or_default()))
        })?;
        let object = id.object().map_err(failed)?;
        let commit = object.peel_to_commit().map_err(|error| unknown(said(error)))?;
        Ok(commit.id)
    }

    /// The best common ancestor of two commits.
    pub fn merge_base(&self, a: ObjectId, b: ObjectId) -> Result<ObjectId> {
        let base = self.repo.merge_base(a, b).map_err(failed)?.map(gix::Id::detach);
        base.ok_or_else(|| Error::Revision {
            revision: format!("{a}...{b}"),
            reason: "the two have no common ancestor".to_owned(),
        })
    }

    /// Whether older commits were left behind when it was cloned.
    pub fn is_shallow(&self) -> bool {
        !self.shallow.is_empty()
    }

    /// Whether a shallow clone was cut off behind a commit.
    pub fn is_boundary(&self, id: ObjectId) -> bool {
        self.shallow.binary_search(&id).is_ok()
    }

    /// Changes whenever a shallow clone is deepened.
    pub fn boundary(&self) -> Digest {
        let ids: Vec<&[u8]> = self.shallow.iter().map(|id| id.as_slice()).collect();
        Digest::of_parts(&ids)
    }

    /// Bytes of a hash.
    pub fn hash_bytes(&self) -> usize {
        self.repo.object_hash().len_in_bytes()
    }

    /// Every commit that leads to `tip`, newest first, as long as `goes_on` says so.
    pub fn ancestors(
        &self,
        tip: ObjectId,
        goes_on: impl Fn(&gix::oid) -> bool,
    ) -> Result<Vec<ObjectId>> {
        use gix::revision::walk::Sorting;
        use gix::traverse::commit::simple::CommitTimeOrder::NewestFirst;
        let walk = self.repo.rev_walk([tip]).sorting(Sorting::ByCommitTime(NewestFirst));
        let mut ids = Vec::new();
        for info in walk.selected(goes_on).map_err(failed)? {
            ids.push(info.map_err(failed)?.id);
        }
        Ok(ids)
    }

    /// A commit.
    pub fn commit(&self, id: ObjectId) -> Result<Stored> {
        let object = self.repo.find_commit(id).map_err(failed)?;
        let commit = object.decode().map_err(failed)?;
        let is_cut = self.is_boundary(id);
        let author = commit.author().map_or_else(
            |_| (text(commit.author, None), String::new()),
            |author| {
                let author = author.trim();
                (text(author.name, commit.encoding), text(author.email, commit.encoding))
            },
        );
        Ok(Stored {
            id,
            tree: commit.tree(),
            parents: if is_cut { Vec::new() } else { commit.parents().collect() },
            author,
            time: commit.time().map_or(0, |time| time.seconds),
            message: text(commit.message, commit.encoding),
        })
    }

    /// Every file of a tree.
    pub fn files(&self, tree: ObjectId) -> Result<Vec<File>> {
        let tree = self.repo.find_tree(tree).map_err(failed)?;
        let entries = tree.traverse().breadthfirst.files().map_err(failed)?;
        let file = |entry: gix::traverse::tree::recorder::Entry| {
            let is_link = match entry.mode.kind() {
                EntryKind::Blob | EntryKind::BlobExecutable => false,
                EntryKind::Link => true,
                // A submodule is another repository's.
                EntryKind::Tree | EntryKind::Commit => return None,
            };
            Some(File { path: entry.filepath, blob: entry.oid, is_link })
        };
        Ok(entries.into_iter().filter_map(file).collect())
    }

    /// The file at a path of a tree.
    pub fn file_at(&self, tree: ObjectId, path: &str) -> Result<Option<ObjectId>> {
        let tree = self.repo.find_tree(tree).map_err(failed)?;
        let found = tree.lookup_entry_by_path(path).map_err(failed)?;
        let found = found.filter(|entry| entry.mode().is_blob());
        Ok(found.map(|entry| entry.object_id()))
    }

    /// What a file holds.
    pub fn blob(&self, id: ObjectId) -> Result<Vec<u8>> {
        self.repo.find_object(id).map(|object| object.detach().data).map_err(failed)
    }

    /// The bytes of a file, without reading them.
    pub fn size(&self, id: ObjectId) -> Result<u64> {
        self.repo.find_header(id).map(|header| header.size()).map_err(failed)
    }

    /// The files that differ between two trees, by path; all of the second without a first.
    pub fn differences(
        &self,
        before: Option<ObjectId>,
        after: ObjectId,
    ) -> Result<Vec<Difference>> {
        let tree = |id: ObjectId| self.repo.find_tree(id).map_err(failed);
        let after = tree(after)?;
        let before = before.map(tree).transpose()?;
        let old = before.as_ref().map(|tree| tree.data.as_slice()).unwrap_or_default();
        let kind = self.repo.object_hash();
        let mut recorder = gix::diff::tree::Recorder::default();
        gix::diff::tree(
            TreeRefIter::from_bytes(old, kind),
            TreeRefIter::from_bytes(&after.data, kind),
            gix::diff::tree::State::default(),
            &self.repo.objects,
            &mut recorder,
        )
        .map_err(failed)?;
        let mut all: Vec<Difference> =
            recorder.records.into_iter().filter_map(difference).collect();
        all.sort_unstable_by(|a, b| a.path.cmp(&b.path));
        Ok(all)
    }
}

fn difference(change: Recorded) -> Option<Difference> {
    let named = |path: &BStr, before, after| Difference {
        path: path.to_str_lossy().into_owned(),
        before,
        after,
    };
    match change {
        Recorded::Addition { entry_mode, oid, path, .. } if entry_mode.is_blob() => {
            Some(named(path.as_ref(), None, Some(oid)))
        }
        Recorded::Deletion { entry_mode, oid, path, .. } if entry_mode.is_blob() => {
            Some(named(path.as_ref(), Some(oid), None))
        }
        Recorded::Modification { previous_entry_mode, previous_oid, entry_mode, oid, path } => {
            let before = previous_entry_mode.is_blob().then_some(previous_oid);
            let after = entry_mode.is_blob().then_some(oid);
            let is_content = before != after;
            is_content.then(|| named(path.as_ref(), before, after))
        }
        _ => None,
    }
}

impl Stored {
    /// What is shown of it.
    pub fn shown(&self) -> Commit {
        let bare = self.bare();
        Commit { subject: redact(&bare.subject).into_owned(), ..bare }
    }

    /// The same, secrets included.
    pub fn bare(&self) -> Commit {
        let (author, email) = self.author.clone();
        let subject = self.message.lines().find(|line| !line.trim().is_empty());
        Commit {
            commit: self.id.to_string(),
            author,
            email,
            time: self.time,
            date: date(self.time),
            subject: subject.unwrap_or_default().trim().to_owned(),
        }
    }
}

/// `2026-11-15`, in UTC.
pub fn date(seconds: i64) -> String {
    gix::date::Time::new(seconds, 0).format_or_unix(gix::date::time::format::SHORT)
}

/// Bytes as the commit says they are to be read.
fn text(bytes: &BStr, encoding: Option<&BStr>) -> String {
    let is_latin = || {
        let name = encoding.map(|name| name.to_str_lossy().to_ascii_lowercase());
        name.is_some_and(|name| matches!(name.as_str(), "iso-8859-1" | "latin1" | "iso8859-1"))
    };
    match bytes.to_str() {
        Ok(text) => text.to_owned(),
        Err(_) if is_latin() => bytes.iter().map(|&byte| char::from(byte)).collect(),
        Err(_) => bytes.to_str_lossy().into_owned(),
    }
}

//! Where indexes live: one folder a tree, and beside them the parsed files that trees share. N is the
//! version of their form.
//!
//! ```text
//! BASE/vN/.gitignore               keeps the store out of a tree it may lie in
//! BASE/vN/encoding                 held by the one process that encodes in the background
//! BASE/vN/parsed/ID.pack           parses of files, keyed by content, for any tree to reuse
//! BASE/vN/trees/NAME-HASH/manifest one tree: what is in it and where its parts are
//! BASE/vN/trees/NAME-HASH/segments the tree's full-text index
//! BASE/vN/trees/NAME-HASH/lock     held by the one process that writes
//! BASE/vN/trees/NAME-HASH/graph    links between its files, the graph of its symbols
//! BASE/vN/trees/NAME-HASH/vectors  the tree's vectors, with a list and a lock of their own
//! BASE/vN/trees/NAME-HASH/history  the commits of its repository, with a manifest and a lock of their own
//! BASE/vN/trees/NAME-HASH@COMMIT   the tree as it was at a commit, laid out like any other
//! ```

use std::fs::{self, File, TryLockError};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use wherein_corpus::Digest;

use crate::error::{Error, Result};
use crate::history::revision;
use crate::index::format::VERSION;
use crate::index::private;
use crate::index::source::{OnDisk, Source};

/// The folder all indexes of one user are kept in.
#[derive(Clone, Debug)]
pub struct Store {
    base: PathBuf,
}

impl Store {
    /// A store under `base`; nothing is created until something is written.
    pub fn at(base: impl Into<PathBuf>) -> Store {
        Store { base: base.into() }
    }

    /// The place for the index of `root`, which must be an absolute, canonical path.
    pub fn tree(&self, root: &Path) -> TreePlace {
        let name = root.file_name().map_or("root".into(), |name| name.to_string_lossy());
        // For people to recognise; the hash tells trees apart, so a long name may be cut.
        let name: String =
            name.chars().take(40).map(|c| if c.is_alphanumeric() { c } else { '-' }).collect();
        let hash = Digest::of(root.as_os_str().as_encoded_bytes()).hex();
        let folder = self.versioned().join("trees").join(format!("{name}-{}", &hash[..16]));
        let source = Arc::new(OnDisk::at(root));
        TreePlace { root: root.to_owned(), folder, store: self.clone(), source }
    }

    /// The folder of the parsed files that trees share.
    pub fn parsed(&self) -> PathBuf {
        self.versioned().join("parsed")
    }

    /// The folders of all indexed trees.
    pub fn trees(&self) -> Vec<PathBuf> {
        let Ok(entries) = fs::read_dir(self.versioned().join("trees")) else {
            return Vec::new();
        };
        entries.flatten().map(|entry| entry.path()).collect()
    }

    /// The folder that holds everything of this version.
    pub fn folder(&self) -> PathBuf {
        self.versioned()
    }

    /// A store inside a tree is no part of it, for git as little as for us.
    fn ignore_itself(&self) {
        let ignore = self.versioned().join(".gitignore");
        if !ignore.exists() {
            let _ = private::write(&ignore, b"*\n");
        }
    }

    fn versioned(&self) -> PathBuf {
        self.base.join(format!("v{VERSION}"))
    }
}

/// Where the index of one tree is kept.
#[derive(Clone, Debug)]
pub struct TreePlace {
    /// The indexed folder.
    pub root: PathBuf,
    /// The folder that holds its index.
    pub folder: PathBuf,
    /// The store it belongs to.
    pub store: Store,
    /// Where its files are.
    pub source: Arc<dyn Source>,
}

impl TreePlace {
    /// The one file whose replacement publishes a new snapshot.
    pub fn manifest(&self) -> PathBuf {
        self.folder.join("manifest")
    }

    /// The folder of the full-text index.
    pub fn segments(&self) -> PathBuf {
        self.folder.join("segments")
    }

    /// The folder of the links and the graph.
    pub fn graph(&self) -> PathBuf {
        self.folder.join("graph")
    }

    /// Becomes the one writer of this tree, or learns that another process is.
    pub fn lock(&self) -> Result<WriterLock> {
        private::create_folders(&self.segments()).map_err(Error::write(self.segments()))?;
        let parsed = self.store.parsed();
        private::create_folders(&parsed).map_err(Error::write(&parsed))?;
        self.store.ignore_itself();
        self.lock_file(&self.folder.join("lock"))
    }

    /// Becomes the one process of this machine that encodes in the background, or learns that
    /// another does: two would only be slower together.
    pub fn lock_background(&self) -> Result<WriterLock> {
        let folder = self.store.folder();
        private::create_folders(&folder).map_err(Error::write(&folder))?;
        self.lock_file(&folder.join("encoding"))
    }

    pub(crate) fn lock_file(&self, path: &Path) -> Result<WriterLock> {
        let file = private::create(path).map_err(Error::write(path))?;
        match file.try_lock() {
            Ok(()) => Ok(WriterLock { file, taken: clock_of(path)? }),
            Err(TryLockError::WouldBlock) => Err(Error::Busy(self.root.clone())),
            Err(TryLockError::Error(source)) => Err(Error::Write { path: path.to_owned(), source }),
        }
    }

    /// Forgets the tree and its revisions. Says whether there was anything to forget.
    pub fn clear(&self) -> Result<bool> {
        let revisions = revision::kept(self);
        for folder in &revisions {
            TreePlace { folder: folder.clone(), ..self.clone() }.clear()?;
        }
        if !self.folder.exists() {
            return Ok(!revisions.is_empty());
        }
        let _locks = (self.lock()?, self.lock_vectors()?);
        fs::remove_dir_all(&self.folder).map_err(Error::write(&self.folder))?;
        Ok(true)
    }
}

/// Held while writing. The system lets go of it when the process ends, however it ends.
#[derive(Debug)]
pub struct WriterLock {
    file: File,
    /// The file system's own clock at the moment of locking, in nanoseconds.
    pub taken: i64,
}

impl Drop for WriterLock {
    /// Closing the file would not do: a program that another thread is just starting has it open
    /// too, until it runs.
    fn drop(&mut self) {
        let _ = self.file.unlock();
    }
}

/// The file system's clock, read off a file just touched: other clocks may differ from it.
fn clock_of(path: &Path) -> Result<i64> {
    let touch = || -> io::Result<i64> {
        private::write(path, b"")?;
        Ok(wherein_corpus::Stamp::of(&fs::metadata(path)?).modified)
    };
    touch().map_err(Error::write(path))
}

/// Replaces a file in one step: readers see the old content or the new, never a part.
pub fn publish(path: &Path, bytes: &[u8]) -> Result<()> {
    let temporary = path.with_extension("new");
    private::write(&temporary, bytes).map_err(Error::write(&temporary))?;
    fs::rename(&temporary, path).map_err(Error::write(path))
}

//! The full-text engine's view of its folder, with its own bookkeeping kept in memory.
//!
//! tantivy would publish by replacing its `meta.json`; here the manifest is the one file that
//! publishes, and it carries that text. Readers therefore need no lock, and a writer that dies
//! leaves only segment files that no manifest names.

use std::collections::HashMap;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, RwLock};

use tantivy::directory::error::{DeleteError, LockError, OpenReadError, OpenWriteError};
use tantivy::directory::{
    Directory, DirectoryLock, FileHandle, Lock, MmapDirectory, WatchCallback, WatchHandle, WritePtr,
};

const META: &str = "meta.json";

/// Segment files on disk, everything else in memory.
#[derive(Clone, Debug)]
pub struct SegmentDirectory {
    segments: MmapDirectory,
    notes: Arc<RwLock<HashMap<PathBuf, Vec<u8>>>>,
}

impl SegmentDirectory {
    /// Opens the folder as it was when `meta` was written; `None` starts an empty index.
    pub fn open(folder: &Path, meta: Option<&str>) -> tantivy::Result<SegmentDirectory> {
        let segments = MmapDirectory::open(folder)?;
        let mut notes = HashMap::new();
        if let Some(meta) = meta {
            notes.insert(PathBuf::from(META), meta.as_bytes().to_vec());
        }
        Ok(SegmentDirectory { segments, notes: Arc::new(RwLock::new(notes)) })
    }

    /// The list of segments as it stands now.
    pub fn meta(&self) -> String {
        let notes = self.notes.read().unwrap_or_else(|poisoned| poisoned.into_inner());
        notes
            .get(Path::new(META))
            .map(|meta| String::from_utf8_lossy(meta).into_owned())
            .unwrap_or_default()
    }
}

impl Directory for SegmentDirectory {
    fn get_file_handle(&self, path: &Path) -> Result<Arc<dyn FileHandle>, OpenReadError> {
        self.segments.get_file_handle(path)
    }

    fn delete(&self, path: &Path) -> Result<(), DeleteError> {
        self.segments.delete(path)
    }

    fn exists(&self, path: &Path) -> Result<bool, OpenReadError> {
        let notes = self.notes.read().unwrap_or_else(|poisoned| poisoned.into_inner());
        if notes.contains_key(path) { Ok(true) } else { self.segments.exists(path) }
    }

    fn open_write(&self, path: &Path) -> Result<WritePtr, OpenWriteError> {
        self.segments.open_write(path)
    }

    fn atomic_read(&self, path: &Path) -> Result<Vec<u8>, OpenReadError> {
        let notes = self.notes.read().unwrap_or_else(|poisoned| poisoned.into_inner());
        notes.get(path).cloned().ok_or_else(|| OpenReadError::FileDoesNotExist(path.to_owned()))
    }

    fn atomic_write(&self, path: &Path, data: &[u8]) -> io::Result<()> {
        let mut notes = self.notes.write().unwrap_or_else(|poisoned| poisoned.into_inner());
        notes.insert(path.to_owned(), data.to_vec());
        Ok(())
    }

    fn sync_directory(&self) -> io::Result<()> {
        Ok(())
    }

    fn watch(&self, _: WatchCallback) -> tantivy::Result<WatchHandle> {
        Ok(WatchHandle::empty())
    }

    /// Writers hold the tree's own lock; readers need none.
    fn acquire_lock(&self, _: &Lock) -> Result<DirectoryLock, LockError> {
        Ok(DirectoryLock::from(Box::new(())))
    }
}

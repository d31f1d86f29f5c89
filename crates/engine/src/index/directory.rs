//! The full-text engine's view of its folder, with its own bookkeeping kept in memory.
//!
//! tantivy would publish by replacing its `meta.json`; here the manifest is the one file that
//! publishes, and it carries that text. Readers therefore need no lock, and a writer that dies
//! leaves only segment files that no manifest names. What is read of files that a manifest seals is
//! compared with their sums.

use std::collections::HashMap;
use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::{Arc, RwLock};

use tantivy::HasLen;
use tantivy::directory::error::{DeleteError, LockError, OpenReadError, OpenWriteError};
use tantivy::directory::{
    AntiCallToken, Directory, DirectoryLock, FileHandle, Lock, MmapDirectory, OwnedBytes,
    RamDirectory, TerminatingWrite, WatchCallback, WatchHandle, WritePtr,
};

use crate::index::checked::Checked;
use crate::index::manifest::Seal;
use crate::index::private;

const META: &str = "meta.json";

/// Segment files on disk, everything else in memory.
#[derive(Clone, Debug)]
pub struct SegmentDirectory {
    folder: PathBuf,
    segments: MmapDirectory,
    seals: Arc<HashMap<PathBuf, Vec<u32>>>,
    /// Takes what is written, if that is not to reach the disk.
    memory: Option<RamDirectory>,
    notes: Arc<RwLock<HashMap<PathBuf, Vec<u8>>>>,
}

/// A state of the full-text index, as a manifest names it.
#[derive(Clone, Copy)]
pub struct Published<'m> {
    /// The full-text engine's list of segments.
    pub meta: &'m str,
    /// The files of those segments.
    pub seals: &'m [Seal],
}

impl SegmentDirectory {
    /// Opens the folder as it was published; `None` starts an empty index.
    pub fn open(folder: &Path, known: Option<Published>) -> tantivy::Result<SegmentDirectory> {
        let segments = MmapDirectory::open(folder)?;
        let (mut notes, mut seals) = (HashMap::new(), HashMap::new());
        if let Some(known) = known {
            notes.insert(PathBuf::from(META), known.meta.as_bytes().to_vec());
            seals.extend(known.seals.iter().map(|it| (PathBuf::from(&it.name), it.sums.clone())));
        }
        let notes = Arc::new(RwLock::new(notes));
        let (folder, seals) = (folder.to_owned(), Arc::new(seals));
        Ok(SegmentDirectory { folder, segments, seals, memory: None, notes })
    }

    /// The same, keeping in memory what is written from now on.
    pub fn in_memory(self) -> SegmentDirectory {
        SegmentDirectory { memory: Some(RamDirectory::create()), ..self }
    }

    fn memory_with(&self, path: &Path) -> Option<&RamDirectory> {
        self.memory.as_ref().filter(|memory| memory.exists(path).unwrap_or(false))
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
        if let Some(memory) = self.memory_with(path) {
            return memory.get_file_handle(path);
        }
        let Some(sums) = self.seals.get(path) else {
            return self.segments.get_file_handle(path);
        };
        let failed = |error| OpenReadError::wrap_io_error(error, path.to_owned());
        let bytes = self.segments.open_read(path)?.read_bytes().map_err(failed)?;
        let checked = Checked::of(&self.folder.join(path), bytes, sums.clone());
        let other = || failed(io::Error::other("it is longer or shorter than it was"));
        Ok(Arc::new(CheckedFile(checked.ok_or_else(other)?)))
    }

    fn delete(&self, path: &Path) -> Result<(), DeleteError> {
        match (self.memory_with(path), &self.memory) {
            (Some(memory), _) => memory.delete(path),
            (None, Some(_)) => Ok(()),
            (None, None) => self.segments.delete(path),
        }
    }

    fn exists(&self, path: &Path) -> Result<bool, OpenReadError> {
        let notes = self.notes.read().unwrap_or_else(|poisoned| poisoned.into_inner());
        if notes.contains_key(path) || self.memory_with(path).is_some() {
            return Ok(true);
        }
        self.segments.exists(path)
    }

    fn open_write(&self, path: &Path) -> Result<WritePtr, OpenWriteError> {
        if let Some(memory) = &self.memory {
            return memory.open_write(path);
        }
        let failed = |error: io::Error| match error.kind() {
            io::ErrorKind::AlreadyExists => OpenWriteError::FileAlreadyExists(path.to_owned()),
            _ => OpenWriteError::wrap_io_error(error, path.to_owned()),
        };
        let file = private::create_new(&self.folder.join(path)).map_err(failed)?;
        Ok(BufWriter::new(Box::new(Written(file))))
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

/// A file of a segment while it is written. It is not forced onto the disk, as tantivy would: what a
/// machine loses that loses its power does not fit its sums, and is made anew like any other damage.
/// Seven files were forced for every edit, 10 to 70 ms each on a busy disk, while somebody waited.
struct Written(File);

impl Write for Written {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}

impl TerminatingWrite for Written {
    fn terminate_ref(&mut self, _: AntiCallToken) -> io::Result<()> {
        self.0.flush()
    }
}

/// A file that is compared with its sums as it is read.
#[derive(Debug)]
struct CheckedFile(Checked);

impl HasLen for CheckedFile {
    fn len(&self) -> usize {
        self.0.len()
    }
}

impl FileHandle for CheckedFile {
    fn read_bytes(&self, range: Range<usize>) -> io::Result<OwnedBytes> {
        let damaged = |error| io::Error::new(io::ErrorKind::InvalidData, format!("{error}"));
        self.0.get_owned(range).map_err(damaged)
    }
}

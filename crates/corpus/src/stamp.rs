//! What the file system says about a file without opening it: enough to know it has changed.

use std::fs::Metadata;

use serde::{Deserialize, Serialize};

/// Size and times of a file or folder. Equal stamps mean unchanged content, unless the stamp is
/// as young as the moment it was taken: see [`Stamp::is_settled`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Stamp {
    /// Bytes.
    pub size: u64,
    /// Last change of content, nanoseconds since the epoch.
    pub modified: i64,
    /// Last change of content or attributes; programs cannot set it back. 0 where unknown.
    pub changed: i64,
}

impl Stamp {
    /// The stamp of a file's metadata.
    pub fn of(metadata: &Metadata) -> Stamp {
        let modified = metadata
            .modified()
            .ok()
            .and_then(|time| time.duration_since(std::time::UNIX_EPOCH).ok())
            .map_or(0, |since| since.as_nanos() as i64);
        Stamp { size: metadata.len(), modified, changed: changed(metadata) }
    }

    /// Whether the file was left alone for a while before `taken`, the time of the same file
    /// system at which the stamp was taken. A younger file may change again within one tick of
    /// the file system's clock and keep its stamp.
    pub fn is_settled(&self, taken: i64) -> bool {
        const TICK: i64 = 20_000_000;
        self.modified.max(self.changed) < taken - TICK
    }
}

#[cfg(unix)]
fn changed(metadata: &Metadata) -> i64 {
    use std::os::unix::fs::MetadataExt;
    metadata.ctime() * 1_000_000_000 + metadata.ctime_nsec()
}

#[cfg(not(unix))]
fn changed(_: &Metadata) -> i64 {
    0
}

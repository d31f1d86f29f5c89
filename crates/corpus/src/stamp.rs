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
        // Unpacked archives may carry times of the future; the time of change is always real.
        let youngest = if self.changed != 0 { self.changed } else { self.modified };
        youngest < taken - TICK
    }
}

/// Takes stamps of many paths below one folder. This is most of what a search costs on a fresh
/// index, so the system is asked relative to the open folder instead of by full paths.
pub struct Stamps {
    #[cfg(unix)]
    root: std::os::fd::OwnedFd,
    #[cfg(not(unix))]
    root: std::path::PathBuf,
}

/// What to do about a path that is a symbolic link.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Links {
    /// Take the stamp of what it points to.
    Follow,
    /// Take the stamp of the link.
    Keep,
}

#[cfg(unix)]
impl Stamps {
    /// For paths below `root`; `None` if it cannot be opened.
    pub fn below(root: &std::path::Path) -> Option<Stamps> {
        use rustix::fs::{Mode, OFlags, open};
        let flags = OFlags::DIRECTORY | OFlags::CLOEXEC | OFlags::RDONLY;
        open(root, flags, Mode::empty()).ok().map(|root| Stamps { root })
    }

    /// The stamp of a path relative to the root, or absolute; `None` if there is nothing there.
    pub fn take(&self, path: &str, links: Links) -> Option<Stamp> {
        use rustix::fs::{AtFlags, statat};
        let flags = if links == Links::Keep { AtFlags::SYMLINK_NOFOLLOW } else { AtFlags::empty() };
        let path = if path.is_empty() { "." } else { path };
        let stat = statat(&self.root, path, flags).ok()?;
        let nanos = |seconds: i64, rest: i64| seconds * 1_000_000_000 + rest;
        Some(Stamp {
            size: stat.st_size as u64,
            modified: nanos(stat.st_mtime as i64, stat.st_mtime_nsec as i64),
            changed: nanos(stat.st_ctime as i64, stat.st_ctime_nsec as i64),
        })
    }
}

#[cfg(not(unix))]
impl Stamps {
    /// For paths below `root`; `None` if it cannot be opened.
    pub fn below(root: &std::path::Path) -> Option<Stamps> {
        root.is_dir().then(|| Stamps { root: root.to_owned() })
    }

    /// The stamp of a path relative to the root, or absolute; `None` if there is nothing there.
    pub fn take(&self, path: &str, links: Links) -> Option<Stamp> {
        let path = self.root.join(path);
        let metadata = match links {
            Links::Follow => std::fs::metadata(path),
            Links::Keep => std::fs::symlink_metadata(path),
        };
        metadata.ok().map(|metadata| Stamp::of(&metadata))
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_ways_to_take_a_stamp_agree() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("a"), "text").unwrap();
        let stamps = Stamps::below(folder.path()).unwrap();
        let expected = Stamp::of(&std::fs::metadata(folder.path().join("a")).unwrap());
        assert_eq!(stamps.take("a", Links::Keep), Some(expected));
        assert_eq!(stamps.take("b", Links::Keep), None);
        assert!(stamps.take("", Links::Follow).is_some());
    }

    #[test]
    fn a_stamp_settles_once_the_clock_has_moved_on() {
        let stamp = Stamp { size: 1, modified: 5_000_000_000, changed: 1_000_000_000 };
        assert!(!stamp.is_settled(1_010_000_000));
        assert!(stamp.is_settled(1_100_000_000), "a time of the future does not unsettle it");
    }
}

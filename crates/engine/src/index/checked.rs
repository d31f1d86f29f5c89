//! Files that are read in place and checked as they are read.
//!
//! A file that lies on a disk for months may lose a bit without anyone writing to it, and no stamp
//! tells. Every file that is never changed has a sum for each block of it; a block is compared with
//! its sum the first time a process reads it, so that a question pays for what it reads and not for
//! the size of the index. What does not fit its sum is taken away: whoever opens the index next
//! finds it damaged and makes that part anew.
//!
//! Files of our own carry their sums at their end. The full-text engine's are sealed by the
//! manifest.

use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use tantivy::directory::OwnedBytes;
use wherein_corpus::Digest;

use crate::error::{Error, Result};
use crate::index::format::MAGIC;
use crate::index::pack::map;
use crate::index::private;

/// Bytes that share a sum: few enough to be checked for one record, many enough to keep sums few.
pub const BLOCK: usize = 1 << 12;

const SUM: usize = 4;
const TAIL: usize = 8 + 16 + MAGIC.len();

/// The sum of each block of some bytes.
pub fn sums(bytes: &[u8]) -> Vec<u32> {
    bytes.chunks(BLOCK).map(sum).collect()
}

/// A sum is against accidents, not against those who can write here, and shows every flipped bit and every short run of
/// them. BLAKE3, cut to 64 bits, over 16 KiB took a sixth more CPU for a whole question in a new process (Django,
/// 2026-11-19).
fn sum(block: &[u8]) -> u32 {
    crc32fast::hash(block)
}

fn u32_of(bytes: &[u8]) -> u32 {
    bytes[..SUM].try_into().map_or(0, u32::from_le_bytes)
}

fn u64_of(bytes: &[u8]) -> u64 {
    bytes[..8].try_into().map_or(0, u64::from_le_bytes)
}

/// A file under construction that ends with its sums.
pub struct CheckedWriter {
    file: BufWriter<File>,
    block: Vec<u8>,
    sums: Vec<u32>,
    length: u64,
}

impl CheckedWriter {
    /// Starts a file, for its owner only.
    pub fn create(path: &Path) -> io::Result<CheckedWriter> {
        let file = BufWriter::with_capacity(1 << 18, private::create(path)?);
        let block = Vec::with_capacity(BLOCK);
        Ok(CheckedWriter { file, block, sums: Vec::new(), length: 0 })
    }

    /// Writes the sums after what was written. Nothing may be written after that.
    pub fn finish(&mut self) -> io::Result<()> {
        if !self.block.is_empty() {
            self.sums.push(sum(&self.block));
        }
        let mut tail: Vec<u8> = self.sums.iter().flat_map(|sum| sum.to_le_bytes()).collect();
        tail.extend_from_slice(&self.length.to_le_bytes());
        let digest = Digest::of(&tail);
        tail.extend_from_slice(&digest.0);
        tail.extend_from_slice(&MAGIC);
        self.file.write_all(&tail)?;
        self.file.flush()
    }
}

impl Write for CheckedWriter {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let taken = &bytes[..bytes.len().min(BLOCK - self.block.len())];
        self.file.write_all(taken)?;
        self.block.extend_from_slice(taken);
        self.length += taken.len() as u64;
        if self.block.len() == BLOCK {
            self.sums.push(sum(&self.block));
            self.block.clear();
        }
        Ok(taken.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

/// Mapped bytes with their sums.
#[derive(Debug)]
pub struct Checked {
    path: PathBuf,
    bytes: OwnedBytes,
    sums: Vec<u32>,
    /// A bit for each block that fits its sum.
    seen: Vec<AtomicU64>,
    /// Whether some block did not.
    damaged: AtomicBool,
}

impl Checked {
    /// Opens a file that ends with its sums.
    pub fn open(path: &Path) -> Result<Checked> {
        let bytes = map(path).map_err(|error| Error::damaged(path, error))?;
        let (length, sums) =
            tail(&bytes).ok_or_else(|| Error::damaged(path, "not a whole file of this version"))?;
        Ok(Checked::with(path, bytes.slice(0..length), sums))
    }

    /// Bytes whose sums are kept elsewhere; `None` if those are not as many as there are blocks.
    pub fn of(path: &Path, bytes: OwnedBytes, sums: Vec<u32>) -> Option<Checked> {
        (sums.len() == bytes.len().div_ceil(BLOCK)).then(|| Checked::with(path, bytes, sums))
    }

    fn with(path: &Path, bytes: OwnedBytes, sums: Vec<u32>) -> Checked {
        let seen = (0..sums.len().div_ceil(64)).map(|_| AtomicU64::new(0)).collect();
        Checked { path: path.to_owned(), bytes, sums, seen, damaged: AtomicBool::new(false) }
    }

    /// Where it lies.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// How many bytes there are, without the sums.
    pub fn len(&self) -> usize {
        self.bytes.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.bytes.is_empty()
    }

    /// Some bytes, if they are there and as they were written.
    pub fn get(&self, range: Range<usize>) -> Result<&[u8]> {
        let bytes = self.bytes.get(range.clone());
        let bytes =
            bytes.ok_or_else(|| Error::damaged(&self.path, "it ends before what is asked for"))?;
        if self.check(range) { Ok(bytes) } else { Err(self.damage()) }
    }

    /// The same, for as long as one likes.
    pub fn get_owned(&self, range: Range<usize>) -> Result<OwnedBytes> {
        self.get(range.clone()).map(|_| self.bytes.slice(range))
    }

    /// Some bytes that must be there. If they are not as they were written [`Checked::whole`] says
    /// so afterwards: for loops over many rows.
    pub fn get_for_now(&self, range: Range<usize>) -> &[u8] {
        self.check(range.clone());
        &self.bytes[range]
    }

    /// Fails if anything that was read is not as it was written.
    pub fn whole(&self) -> Result<()> {
        if self.damaged.load(Ordering::Relaxed) { Err(self.damage()) } else { Ok(()) }
    }

    /// Whether everything is as it was written; the file stays where it is.
    pub fn is_whole(&self) -> bool {
        self.check(0..self.len())
    }

    #[inline]
    fn check(&self, range: Range<usize>) -> bool {
        if range.is_empty() {
            return true;
        }
        let (first, last) = (range.start / BLOCK, (range.end - 1) / BLOCK);
        // Most of what is asked for lies in one block, which has been seen.
        if first == last {
            return self.check_block(first);
        }
        (first..=last).map(|block| self.check_block(block)).fold(true, |all, fits| all & fits)
    }

    #[inline]
    fn check_block(&self, block: usize) -> bool {
        let (word, bit) = (&self.seen[block / 64], 1 << (block % 64));
        word.load(Ordering::Relaxed) & bit != 0 || self.compare_block(block)
    }

    /// Compares a block with its sum.
    #[cold]
    fn compare_block(&self, block: usize) -> bool {
        let (word, bit) = (&self.seen[block / 64], 1 << (block % 64));
        let start = block * BLOCK;
        let fits = sum(&self.bytes[start..(start + BLOCK).min(self.len())]) == self.sums[block];
        match fits {
            true => drop(word.fetch_or(bit, Ordering::Relaxed)),
            false => self.damaged.store(true, Ordering::Relaxed),
        }
        fits
    }

    fn damage(&self) -> Error {
        let _ = fs::remove_file(&self.path);
        Error::damaged(&self.path, "it is not what was written")
    }
}

/// The length of what stands before the sums, and the sums.
fn tail(bytes: &[u8]) -> Option<(usize, Vec<u32>)> {
    let tail = bytes.len().checked_sub(TAIL)?;
    let length = u64_of(&bytes[tail..]) as usize;
    let size = length.div_ceil(BLOCK).checked_mul(SUM)?;
    let fits = length.checked_add(size) == Some(tail);
    let summed = bytes.get(length..tail + 8).filter(|_| fits)?;
    let whole = bytes.ends_with(&MAGIC) && bytes[tail + 8..tail + 24] == Digest::of(summed).0;
    whole.then(|| (length, summed[..size].chunks_exact(SUM).map(u32_of).collect()))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use proptest::sample::Index;
    use proptest::test_runner::Config;

    use super::*;

    fn written(bytes: &[u8]) -> (tempfile::TempDir, PathBuf) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file");
        let mut writer = CheckedWriter::create(&path).unwrap();
        bytes.chunks(1000).for_each(|piece| writer.write_all(piece).unwrap());
        writer.finish().unwrap();
        (folder, path)
    }

    fn body(length: usize) -> Vec<u8> {
        (0..length).map(|n| (n * 31 + n / 977) as u8).collect()
    }

    #[test]
    fn what_is_written_is_read() {
        for length in [0, 1, BLOCK - 1, BLOCK, BLOCK + 1, 5 * BLOCK + 7] {
            let (_folder, path) = written(&body(length));
            let checked = Checked::open(&path).unwrap();
            assert_eq!(checked.get(0..length).unwrap(), body(length), "{length}");
            assert!(checked.get(length..length + 1).is_err());
            assert_eq!(checked.sums, sums(&body(length)));
        }
    }

    #[test]
    fn damage_is_found_where_it_is_read_and_takes_the_file_away() {
        let (_folder, path) = written(&body(5 * BLOCK));
        let mut bytes = fs::read(&path).unwrap();
        bytes[2 * BLOCK + 9] ^= 1;
        fs::write(&path, bytes).unwrap();
        let checked = Checked::open(&path).unwrap();
        assert!(checked.get(0..2 * BLOCK).is_ok() && path.exists());
        checked.get_for_now(2 * BLOCK..2 * BLOCK + 1);
        assert!(checked.whole().is_err());
        assert!(checked.get(2 * BLOCK - 1..2 * BLOCK + 1).is_err() && !path.exists());
    }

    #[cfg(unix)]
    #[test]
    fn a_file_is_its_owners_alone() {
        use std::os::unix::fs::PermissionsExt;
        let (_folder, path) = written(b"secret");
        assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600);
    }

    proptest! {
        #![proptest_config(Config { cases: 64, failure_persistence: None, ..Config::default() })]

        #[test]
        fn no_damage_is_missed(at in any::<Index>(), bit in 0..8, end in any::<Index>()) {
            let (_folder, path) = written(&body(2 * BLOCK + 100));
            let mut bytes = fs::read(&path).unwrap();
            let at = at.index(bytes.len());
            bytes[at] ^= 1u8 << bit;
            fs::write(&path, &bytes).unwrap();
            prop_assert!(!Checked::open(&path).is_ok_and(|it| it.is_whole()));
            bytes[at] ^= 1u8 << bit;
            bytes.truncate(end.index(bytes.len()));
            fs::write(&path, &bytes).unwrap();
            prop_assert!(!Checked::open(&path).is_ok_and(|it| it.is_whole()));
        }

        #[test]
        fn no_bytes_make_the_reader_panic(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
            tail(&bytes);
            tail(&[&bytes[..], &MAGIC].concat());
        }
    }
}

//! Packs: parsed files at rest, found by the digest of what they were parsed from.
//!
//! A pack is written once, by one process, and never changed, so any tree may point into it.
//! Layout: the magic bytes and version, the records one after the other, a table of
//! `(key, offset, length)` sorted by key, and a footer with the table's place; then the sums of all
//! that.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use tantivy::directory::{Directory, MmapDirectory, OwnedBytes};
use wherein_corpus::{Digest, Parsed, Stamp};

use crate::error::{Error, Result};
use crate::index::checked::{Checked, CheckedWriter};
use crate::index::format::{MAGIC, VERSION};

/// Where a record is: which pack of the list at hand, and where in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Place {
    /// Index into the list of packs.
    pub pack: u32,
    /// First byte.
    pub offset: u64,
    /// Bytes.
    pub length: u32,
}

/// A pack as a manifest names it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PackRef {
    /// File name in the folder of parsed files.
    pub name: String,
    /// What the file must look like for its places to be trusted.
    pub stamp: Stamp,
}

impl PackRef {
    /// Its path in `folder`, if it is still the file it was when it was named.
    pub fn unchanged_in(&self, folder: &Path) -> Result<PathBuf> {
        let path = folder.join(&self.name);
        let metadata = fs::metadata(&path).map_err(|error| Error::damaged(&path, error))?;
        let stamp = Stamp::of(&metadata);
        if (stamp.size, stamp.modified) != (self.stamp.size, self.stamp.modified) {
            return Err(Error::damaged(&path, "changed since it was written"));
        }
        Ok(path)
    }
}

const HEADER: usize = MAGIC.len() + 4;
const ROW: usize = 16 + 8 + 4;
const FOOTER: usize = 8 + 8 + MAGIC.len();

/// A pack under construction.
pub struct PackWriter {
    folder: PathBuf,
    temporary: PathBuf,
    file: CheckedWriter,
    at: u64,
    rows: Vec<(Digest, u64, u32)>,
}

impl PackWriter {
    /// Starts a pack in `folder`.
    pub fn create(folder: &Path) -> Result<PackWriter> {
        let temporary = folder.join(format!("{}-{}.new", std::process::id(), next_serial()));
        let file = CheckedWriter::create(&temporary).map_err(Error::write(&temporary))?;
        let mut writer =
            PackWriter { folder: folder.to_owned(), temporary, file, at: 0, rows: Vec::new() };
        writer.write(&MAGIC)?;
        writer.write(&VERSION.to_le_bytes())?;
        Ok(writer)
    }

    /// Adds an encoded record and says where in this pack it is.
    pub fn add(&mut self, key: Digest, record: &[u8]) -> Result<(u64, u32)> {
        let place = (self.at, record.len() as u32);
        self.write(record)?;
        self.rows.push((key, place.0, place.1));
        Ok(place)
    }

    /// The keys of the records so far.
    pub fn keys(&self) -> impl Iterator<Item = Digest> {
        self.rows.iter().map(|(key, ..)| *key)
    }

    /// How many records there are so far.
    pub fn count(&self) -> usize {
        self.rows.len()
    }

    /// Writes the table and gives the pack its final name.
    pub fn finish(mut self) -> Result<PackRef> {
        self.rows.sort_unstable();
        let table = self.at;
        for (key, offset, length) in std::mem::take(&mut self.rows) {
            let mut row = [0; ROW];
            row[..16].copy_from_slice(&key.0);
            row[16..24].copy_from_slice(&offset.to_le_bytes());
            row[24..].copy_from_slice(&length.to_le_bytes());
            self.write(&row)?;
        }
        let rows = (self.at - table) / ROW as u64;
        self.write(&table.to_le_bytes())?;
        self.write(&rows.to_le_bytes())?;
        self.write(&MAGIC)?;
        self.file.finish().map_err(Error::write(&self.temporary))?;
        let stamp = |path: &Path| fs::metadata(path).map(|m| Stamp::of(&m));
        let identity = stamp(&self.temporary).map_err(Error::write(&self.temporary))?;
        let name = format!("{:x}-{}-{}.pack", identity.modified, std::process::id(), next_serial());
        let path = self.folder.join(&name);
        fs::rename(&self.temporary, &path).map_err(Error::write(&path))?;
        let stamp = stamp(&path).map_err(Error::write(&path))?;
        Ok(PackRef { name, stamp })
    }

    fn write(&mut self, bytes: &[u8]) -> Result<()> {
        self.at += bytes.len() as u64;
        self.file.write_all(bytes).map_err(Error::write(&self.temporary))
    }
}

impl Drop for PackWriter {
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.temporary);
    }
}

/// A number no other file of this process has.
pub fn next_serial() -> u64 {
    static SERIAL: std::sync::atomic::AtomicU64 = std::sync::atomic::AtomicU64::new(0);
    SERIAL.fetch_add(1, std::sync::atomic::Ordering::Relaxed)
}

/// A finished pack, mapped.
pub struct Pack {
    file: Checked,
    table: usize,
    rows: usize,
}

impl Pack {
    /// Opens the pack a manifest names, if it is still the file the manifest was written for.
    pub fn open(folder: &Path, pack: &PackRef) -> Result<Pack> {
        Pack::open_any(&pack.unchanged_in(folder)?)
    }

    /// Opens a pack found in the folder.
    pub fn open_any(path: &Path) -> Result<Pack> {
        let file = Checked::open(path)?;
        let (table, rows) =
            layout(&file).ok_or_else(|| Error::damaged(path, "not a pack of this version"))?;
        Ok(Pack { file, table, rows })
    }

    /// Where the record of `key` is.
    pub fn find(&self, key: Digest) -> Option<(u64, u32)> {
        let (mut low, mut high) = (0, self.rows);
        while low < high {
            let middle = low.midpoint(high);
            let (found, place) = self.row(middle)?;
            match found.cmp(&key) {
                std::cmp::Ordering::Equal => return Some(place),
                std::cmp::Ordering::Less => low = middle + 1,
                std::cmp::Ordering::Greater => high = middle,
            }
        }
        None
    }

    /// The encoded record at a place.
    pub fn bytes(&self, offset: u64, length: u32) -> Result<&[u8]> {
        let start = offset as usize;
        let end = start.saturating_add(length as usize);
        if end > self.table {
            return Err(Error::damaged(self.file.path(), "a record lies outside the pack"));
        }
        self.file.get(start..end)
    }

    /// The record at a place.
    pub fn parsed(&self, offset: u64, length: u32) -> Result<Parsed> {
        decode(self.bytes(offset, length)?).map_err(|error| Error::damaged(self.file.path(), error))
    }

    /// A row of the table; `None` if it is not as it was written.
    fn row(&self, number: usize) -> Option<(Digest, (u64, u32))> {
        let start = self.table + number * ROW;
        let row = self.file.get(start..start + ROW).ok()?;
        let mut key = [0; 16];
        key.copy_from_slice(&row[..16]);
        let length = u32::from_le_bytes([row[24], row[25], row[26], row[27]]);
        Some((Digest(key), (u64_at(row, 16), length)))
    }
}

/// Maps a file through the full-text engine, which does so soundly for its own immutable files.
pub fn map(path: &Path) -> std::result::Result<OwnedBytes, Box<dyn std::error::Error>> {
    let (Some(folder), Some(name)) = (path.parent(), path.file_name()) else {
        return Err("no such file".into());
    };
    Ok(MmapDirectory::open(folder)?.open_read(Path::new(name))?.read_bytes()?)
}

/// The table's place and its number of rows, if the file is a pack.
fn layout(file: &Checked) -> Option<(usize, usize)> {
    let at = file.len().checked_sub(FOOTER).filter(|&footer| footer >= HEADER)?;
    let (header, footer) = (file.get(0..HEADER).ok()?, file.get(at..file.len()).ok()?);
    let whole = header.starts_with(&MAGIC)
        && header[MAGIC.len()..] == VERSION.to_le_bytes()
        && footer.ends_with(&MAGIC);
    let (table, rows) = (u64_at(footer, 0) as usize, u64_at(footer, 8) as usize);
    let fits = rows.checked_mul(ROW).and_then(|size| size.checked_add(table)) == Some(at);
    (whole && fits && table >= HEADER).then_some((table, rows))
}

fn u64_at(bytes: &[u8], at: usize) -> u64 {
    let mut word = [0; 8];
    word.copy_from_slice(&bytes[at..at + 8]);
    u64::from_le_bytes(word)
}

/// A parse as bytes, compressed: names and signatures repeat themselves.
pub fn encode(parsed: &Parsed) -> Vec<u8> {
    let bytes = postcard::to_stdvec(parsed).expect("a parse holds nothing that cannot be encoded");
    lz4_flex::compress_prepend_size(&bytes)
}

/// Bytes as a parse; says what is wrong with them if they are none.
pub fn decode(bytes: &[u8]) -> std::result::Result<Parsed, Box<dyn std::error::Error>> {
    Ok(postcard::from_bytes(&decompress(bytes)?)?)
}

/// A record's plain bytes.
pub fn decompress(bytes: &[u8]) -> std::result::Result<Vec<u8>, Box<dyn std::error::Error>> {
    let (size, compressed) = lz4_flex::block::uncompressed_size(bytes)?;
    if size > MOST_PARSED {
        return Err("a record of impossible size".into());
    }
    Ok(lz4_flex::decompress(compressed, size)?)
}

/// A record of plain bytes, if they are a parse.
pub fn recompressed(plain: &[u8]) -> Option<Vec<u8>> {
    let _: Parsed = postcard::from_bytes(plain).ok()?;
    Some(lz4_flex::compress_prepend_size(plain))
}

/// More than any file that is read could be parsed into.
const MOST_PARSED: usize = 1 << 30;

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn key(n: u64) -> Digest {
        Digest::of(&n.to_le_bytes())
    }

    #[test]
    fn what_goes_in_is_found_again() {
        let folder = tempfile::tempdir().unwrap();
        let mut writer = PackWriter::create(folder.path()).unwrap();
        for n in 0..100u64 {
            writer.add(key(n), &n.to_le_bytes()).unwrap();
        }
        let pack = Pack::open(folder.path(), &writer.finish().unwrap()).unwrap();
        for n in 0..100u64 {
            let (offset, length) = pack.find(key(n)).unwrap();
            assert_eq!(pack.bytes(offset, length).unwrap(), n.to_le_bytes());
        }
        assert_eq!(pack.find(key(100)), None);
        assert!(pack.bytes(1 << 40, 8).is_err());
    }

    #[test]
    fn a_pack_that_changed_is_not_trusted() {
        let folder = tempfile::tempdir().unwrap();
        let mut writer = PackWriter::create(folder.path()).unwrap();
        writer.add(key(1), b"one").unwrap();
        let pack = writer.finish().unwrap();
        fs::write(folder.path().join(&pack.name), b"something else").unwrap();
        assert!(matches!(Pack::open(folder.path(), &pack), Err(Error::Damaged { .. })));
    }

    #[test]
    fn an_abandoned_pack_leaves_nothing_behind() {
        let folder = tempfile::tempdir().unwrap();
        drop(PackWriter::create(folder.path()).unwrap());
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
    }

    proptest! {
        #[test]
        fn no_bytes_make_the_reader_panic(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
            let folder = tempfile::tempdir().unwrap();
            let path = folder.path().join("any.pack");
            let mut writer = CheckedWriter::create(&path).unwrap();
            writer.write_all(&MAGIC).unwrap();
            writer.write_all(&bytes).unwrap();
            writer.finish().unwrap();
            let _ = Pack::open_any(&path).map(|pack| pack.find(key(1)));
            let _ = decode(&bytes);
        }
    }
}

//! Files of columns: a table of sections, each a run of bytes read in place.
//!
//! Layout: magic bytes, the versions of the format and of the rules it was made by, the number of
//! sections, for each its first byte and its length, then the sections, then the sums of all that. A
//! reader maps the file and checks its sums; an index out of range reads as nothing.

use std::fs;
use std::io::Write as _;
use std::path::Path;

use tantivy::directory::OwnedBytes;
use wherein_corpus::Stamp;

use crate::error::{Error, Result};
use crate::index::checked::{Checked, CheckedWriter};
use crate::index::format::{MAGIC, VERSION};
use crate::index::manifest::Seal;
use crate::index::pack::next_serial;
use crate::index::private;

/// Raised whenever the same parses are linked or resolved differently: a file that other rules made is
/// not read, and made again from the parses.
///
/// | rules | what changed |
/// |---|---|
/// | 0 | imports and uses by scope, import, receiver and name |
/// | 1 | Rust by its module paths, by the types that are written, and by its traits |
/// | 2 | TypeScript by what is taken out of objects, by literals, and by the members they are |
/// | 3 | a class by its name inside itself, where that is its constructor's too; Go past functions without a name |
const RULES: u32 = 3;

/// Both versions in one number.
const MADE_BY: u32 = RULES << 16 | VERSION;

const HEADER: usize = MAGIC.len() + 4 + 4;

/// Sections under construction.
#[derive(Default)]
pub struct Writer {
    sections: Vec<Vec<u8>>,
}

impl Writer {
    /// Adds bytes as they are.
    pub fn bytes(&mut self, bytes: Vec<u8>) {
        self.sections.push(bytes);
    }

    /// Adds numbers.
    pub fn numbers(&mut self, numbers: impl IntoIterator<Item = u32>) {
        self.bytes(numbers.into_iter().flat_map(u32::to_le_bytes).collect());
    }

    /// Adds fractions.
    pub fn fractions(&mut self, fractions: &[f32]) {
        self.numbers(fractions.iter().map(|fraction| fraction.to_bits()));
    }

    /// The whole file.
    pub fn finish(self) -> Vec<u8> {
        let mut bytes = Vec::new();
        bytes.extend_from_slice(&MAGIC);
        bytes.extend_from_slice(&MADE_BY.to_le_bytes());
        bytes.extend_from_slice(&(self.sections.len() as u32).to_le_bytes());
        let mut at = HEADER + self.sections.len() * 16;
        for section in &self.sections {
            bytes.extend_from_slice(&(at as u64).to_le_bytes());
            bytes.extend_from_slice(&(section.len() as u64).to_le_bytes());
            at += section.len();
        }
        self.sections.iter().for_each(|section| bytes.extend_from_slice(section));
        bytes
    }
}

/// Writes a file of columns under a name nothing else has, and says how to know it again.
pub fn write(folder: &Path, kind: &str, bytes: &[u8]) -> Result<Seal> {
    private::create_folders(folder).map_err(Error::write(folder))?;
    let temporary = folder.join(format!("{}-{}.new", std::process::id(), next_serial()));
    let save = || -> std::io::Result<()> {
        let mut file = CheckedWriter::create(&temporary)?;
        file.write_all(bytes)?;
        file.finish()
    };
    save().map_err(Error::write(&temporary))?;
    let stamp = |path: &Path| fs::metadata(path).map(|m| Stamp::of(&m)).map_err(Error::write(path));
    let name = format!("{kind}-{:x}-{}", stamp(&temporary)?.modified, std::process::id());
    let name = format!("{name}-{}", next_serial());
    let path = folder.join(&name);
    fs::rename(&temporary, &path).map_err(Error::write(&path))?;
    Ok(Seal { stamp: stamp(&path)?, name, sums: Vec::new() })
}

/// A mapped file of columns.
pub struct Columns {
    bytes: OwnedBytes,
    sections: Vec<std::ops::Range<usize>>,
}

impl Columns {
    /// Opens the file a manifest names, if it is still the file it was.
    pub fn open(folder: &Path, seal: &Seal, sections: usize) -> Result<Columns> {
        let path = folder.join(&seal.name);
        let stamp =
            fs::metadata(&path).map(|m| Stamp::of(&m)).map_err(|e| Error::damaged(&path, e))?;
        if (stamp.size, stamp.modified) != (seal.stamp.size, seal.stamp.modified) {
            return Err(Error::damaged(path, "changed since it was written"));
        }
        let file = Checked::open(&path)?;
        Columns::of(file.get_owned(0..file.len())?, sections)
            .ok_or_else(|| Error::damaged(path, "not a whole graph"))
    }

    /// Reads columns out of bytes in memory.
    pub fn of(bytes: OwnedBytes, sections: usize) -> Option<Columns> {
        let whole = bytes.starts_with(&MAGIC) && bytes.get(8..12)? == MADE_BY.to_le_bytes();
        let count = u32::from_le_bytes(bytes.get(12..16)?.try_into().ok()?) as usize;
        if !whole || count != sections {
            return None;
        }
        let range = |number: usize| {
            let row = bytes.get(HEADER + number * 16..HEADER + (number + 1) * 16)?;
            let start = u64::from_le_bytes(row[..8].try_into().ok()?) as usize;
            let end = start.checked_add(u64::from_le_bytes(row[8..].try_into().ok()?) as usize)?;
            (end <= bytes.len()).then_some(start..end)
        };
        let sections = (0..count).map(range).collect::<Option<Vec<_>>>()?;
        Some(Columns { bytes, sections })
    }

    /// The bytes of a section.
    pub fn section(&self, number: usize) -> &[u8] {
        &self.bytes[self.sections[number].clone()]
    }

    /// How many numbers a section holds.
    pub fn count(&self, section: usize) -> usize {
        self.section(section).len() / 4
    }

    /// One number of a section; 0 where there is none.
    pub fn number(&self, section: usize, at: usize) -> u32 {
        let bytes = self.section(section).get(at * 4..at * 4 + 4);
        bytes.map_or(0, |bytes| u32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]))
    }

    /// One fraction of a section.
    pub fn fraction(&self, section: usize, at: usize) -> f32 {
        f32::from_bits(self.number(section, at))
    }

    /// One byte of a section.
    pub fn byte(&self, section: usize, at: usize) -> u8 {
        self.section(section).get(at).copied().unwrap_or_default()
    }

    /// From `starts[at]` to `starts[at + 1]`, never beyond `most`.
    pub fn range(&self, starts: usize, at: usize, most: usize) -> std::ops::Range<usize> {
        let start = (self.number(starts, at) as usize).min(most);
        start..(self.number(starts, at + 1) as usize).clamp(start, most)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn what_goes_in_comes_out() {
        let mut writer = Writer::default();
        writer.numbers([1, 2, 3]);
        writer.fractions(&[0.5]);
        writer.bytes(b"text".to_vec());
        let columns = Columns::of(OwnedBytes::new(writer.finish()), 3).unwrap();
        assert_eq!((columns.count(0), columns.number(0, 2), columns.number(0, 3)), (3, 3, 0));
        assert_eq!((columns.fraction(1, 0), columns.section(2)), (0.5, &b"text"[..]));
        assert_eq!(columns.range(0, 0, 10), 1..2);
        assert_eq!(columns.range(0, 1, 2), 2..2);
    }

    #[test]
    fn a_file_that_other_rules_made_is_not_read() {
        let folder = tempfile::tempdir().unwrap();
        let mut writer = Writer::default();
        writer.numbers([1, 2]);
        let mut bytes = writer.finish();
        let seal = write(folder.path(), "links", &bytes).unwrap();
        assert!(Columns::open(folder.path(), &seal, 1).is_ok());
        bytes[8..12].copy_from_slice(&VERSION.to_le_bytes());
        let seal = write(folder.path(), "links", &bytes).unwrap();
        let refused = Columns::open(folder.path(), &seal, 1).err().map(|it| it.to_string());
        assert!(refused.is_some_and(|it| it.contains("not a whole graph")));
    }

    proptest! {
        #[test]
        fn no_bytes_make_the_reader_panic(noise in prop::collection::vec(any::<u8>(), 0..120)) {
            let mut writer = Writer::default();
            writer.numbers([1, 2]);
            let mut bytes = writer.finish();
            for (at, byte) in noise.iter().enumerate() {
                let length = bytes.len();
                bytes[(at * 7 + *byte as usize) % length] ^= byte;
            }
            if let Some(columns) = Columns::of(OwnedBytes::new(bytes), 1) {
                let _ = (columns.number(0, 1), columns.range(0, 0, 5), columns.byte(0, 3));
            }
        }
    }
}

//! A segment of vectors: rows that were coded together, in one file that is never changed.
//!
//! Layout: a header, then one array after the other, a row's entry in each: whose vector it is
//! (file id and chunk, which the rows are sorted by), the key of the text it was made from, the
//! rows in the order of their keys, signs, factors, bytes, scales.

use std::fs;
use std::io::Write;
use std::ops::Range;
use std::path::Path;

use wherein_corpus::{Digest, Stamp};
use wherein_encoder::{Code, Codec};

use crate::error::{Error, Result};
use crate::index::checked::{Checked, CheckedWriter};
use crate::index::format::{MAGIC, VERSION};
use crate::index::pack::{PackRef, next_serial};

const HEADER: usize = MAGIC.len() + 4 + 16 + 4 + 4;
const DOC: usize = 8;
const KEY: usize = 16;

/// Whose vector a row is: a chunk of a file, by the id it has in the full-text index.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Doc {
    /// The file's id.
    pub file: u32,
    /// The chunk's number in it.
    pub chunk: u32,
}

/// A row before it is written.
#[derive(Clone, Debug)]
pub struct Row {
    /// Whose vector it is.
    pub doc: Doc,
    /// Names the text it was made from.
    pub key: Digest,
    /// The vector, small.
    pub code: Code,
}

/// A segment on disk, mapped.
pub struct Segment {
    file: Checked,
    /// Names the model.
    pub model: Digest,
    /// Numbers in a vector.
    pub width: usize,
    /// How many there are.
    pub rows: usize,
    parts: Parts,
}

/// Where each array starts.
#[derive(Clone, Copy)]
struct Parts {
    docs: usize,
    keys: usize,
    by_key: usize,
    bits: usize,
    factors: usize,
    bytes: usize,
    scales: usize,
    end: usize,
}

impl Parts {
    fn of(width: usize, rows: usize) -> Option<Parts> {
        let mut at = HEADER;
        let mut next = |entry: usize| {
            let start = at;
            at = entry.checked_mul(rows).and_then(|size| size.checked_add(at))?;
            Some(start)
        };
        let parts = Parts {
            docs: next(DOC)?,
            keys: next(KEY)?,
            by_key: next(4)?,
            bits: next(width.div_ceil(64) * 8)?,
            factors: next(4)?,
            bytes: next(width)?,
            scales: next(4)?,
            end: 0,
        };
        Some(Parts { end: at, ..parts })
    }
}

impl Segment {
    /// Opens the segment a list names, if it is still the file the list was written for.
    pub fn open(folder: &Path, segment: &PackRef) -> Result<Segment> {
        let path = segment.unchanged_in(folder)?;
        let file = Checked::open(&path)?;
        let (model, width, rows) = header(file.get(0..HEADER.min(file.len()))?)
            .ok_or_else(|| Error::damaged(&path, "not vectors of this version"))?;
        let parts = Parts::of(width, rows)
            .filter(|parts| parts.end == file.len())
            .ok_or_else(|| Error::damaged(&path, "cut short"))?;
        Ok(Segment { file, model, width, rows, parts })
    }

    /// Fails if a row that was looked at is not as it was written.
    pub fn whole(&self) -> Result<()> {
        self.file.whole()
    }

    /// Whose vector a row is.
    pub fn doc(&self, row: usize) -> Doc {
        let at = self.parts.docs + row * DOC;
        let doc = self.file.get_for_now(at..at + DOC);
        Doc { file: u32_at(doc, 0), chunk: u32_at(doc, 4) }
    }

    /// The key of the text a row was made from.
    pub fn key(&self, row: usize) -> Digest {
        let at = self.parts.keys + row * KEY;
        Digest(self.file.get_for_now(at..at + KEY).try_into().unwrap_or_default())
    }

    /// The rows of a chunk; a long one has several, in the order of its passages.
    pub fn find(&self, doc: Doc) -> Option<Range<usize>> {
        let is_its = |row: &usize| self.doc(*row) == doc;
        let any = search(self.rows, |row| self.doc(row).cmp(&doc))?;
        let before = (0..any).rev().take_while(is_its).count();
        let after = (any..self.rows).take_while(is_its).count();
        Some(any - before..any + after)
    }

    /// The rows of a file's chunks, in their order.
    pub fn of_file(&self, file: u32) -> impl Iterator<Item = usize> {
        let (mut low, mut high) = (0, self.rows);
        while low < high {
            let middle = low.midpoint(high);
            match self.doc(middle).file < file {
                true => low = middle + 1,
                false => high = middle,
            }
        }
        (low..self.rows).take_while(move |&row| self.doc(row).file == file)
    }

    /// Whether a row is of a part of its chunk, not of the whole.
    pub fn is_part(&self, row: usize) -> bool {
        row > 0 && self.doc(row - 1) == self.doc(row)
    }

    /// A row made from the text of this key.
    pub fn find_key(&self, key: Digest) -> Option<usize> {
        // The number of a row may be damaged; the key it leads to must be the right one.
        let row = |n: usize| self.number(self.parts.by_key, n) as usize;
        let row = |n: usize| row(n).min(self.rows - 1);
        search(self.rows, |n| self.key(row(n)).cmp(&key)).map(row)
    }

    /// The signs of some rows.
    pub fn bits(&self, rows: Range<usize>) -> &[u8] {
        let row = self.width.div_ceil(64) * 8;
        let start = self.parts.bits;
        self.file.get_for_now(start + rows.start * row..start + rows.end * row)
    }

    /// The factors of some rows, four bytes each.
    pub fn factors(&self, rows: Range<usize>) -> &[u8] {
        let start = self.parts.factors;
        self.file.get_for_now(start + rows.start * 4..start + rows.end * 4)
    }

    /// The bytes of a row and their scale.
    pub fn bytes(&self, row: usize) -> (&[u8], f32) {
        let start = self.parts.bytes + row * self.width;
        let scale = f32::from_bits(self.number(self.parts.scales, row));
        (self.file.get_for_now(start..start + self.width), scale)
    }

    /// A row as it was before it was written.
    pub fn row(&self, row: usize) -> Row {
        let (bytes, scale) = self.bytes(row);
        let code = Code {
            bits: self.bits(row..row + 1).to_vec(),
            factor: f32::from_bits(self.number(self.parts.factors, row)),
            bytes: bytes.to_vec(),
            scale,
        };
        Row { doc: self.doc(row), key: self.key(row), code }
    }

    /// The name of its file.
    pub fn name(&self) -> String {
        let name = self.file.path().file_name();
        name.map(|name| name.to_string_lossy().into_owned()).unwrap_or_default()
    }

    /// A row's entry in an array of numbers.
    fn number(&self, part: usize, row: usize) -> u32 {
        u32_at(self.file.get_for_now(part + row * 4..part + row * 4 + 4), 0)
    }
}

/// A row to be written: a new one, or one of another segment, which is read when its turn comes. A
/// tree's rows are as large as its index of words; they need not be in memory to be merged.
#[derive(Clone, Copy)]
pub enum Source<'s> {
    /// Just made.
    New(&'s Row),
    /// At rest.
    Old(&'s Segment, usize),
}

impl Source<'_> {
    /// Whose vector it is.
    pub fn doc(&self) -> Doc {
        match self {
            Source::New(row) => row.doc,
            Source::Old(segment, row) => segment.doc(*row),
        }
    }

    fn key(&self) -> Digest {
        match self {
            Source::New(row) => row.key,
            Source::Old(segment, row) => segment.key(*row),
        }
    }

    fn bits(&self) -> &[u8] {
        match self {
            Source::New(row) => &row.code.bits,
            Source::Old(segment, row) => segment.bits(*row..row + 1),
        }
    }

    fn factor(&self) -> [u8; 4] {
        match self {
            Source::New(row) => row.code.factor.to_le_bytes(),
            Source::Old(segment, row) => segment.number(segment.parts.factors, *row).to_le_bytes(),
        }
    }

    /// The vector's bytes and their scale.
    pub fn bytes(&self) -> (&[u8], f32) {
        match self {
            Source::New(row) => (&row.code.bytes, row.code.scale),
            Source::Old(segment, row) => segment.bytes(*row),
        }
    }
}

/// Writes rows as a segment and says how a list should name it.
pub fn write(
    folder: &Path,
    model: Digest,
    codec: &Codec,
    mut rows: Vec<Source>,
) -> Result<PackRef> {
    rows.sort_by_key(Source::doc);
    let mut by_key: Vec<(Digest, u32)> = (0..).zip(&rows).map(|(n, it)| (it.key(), n)).collect();
    by_key.sort_unstable();
    let temporary = folder.join(format!("{}-{}.new", std::process::id(), next_serial()));
    let failed = Error::write(&temporary);
    let save = || -> std::io::Result<()> {
        let mut file = CheckedWriter::create(&temporary)?;
        file.write_all(&MAGIC)?;
        file.write_all(&VERSION.to_le_bytes())?;
        file.write_all(&model.0)?;
        file.write_all(&(codec.width() as u32).to_le_bytes())?;
        file.write_all(&(rows.len() as u32).to_le_bytes())?;
        for doc in rows.iter().map(Source::doc) {
            file.write_all(&doc.file.to_le_bytes())?;
            file.write_all(&doc.chunk.to_le_bytes())?;
        }
        rows.iter().try_for_each(|row| file.write_all(&row.key().0))?;
        by_key.iter().try_for_each(|(_, row)| file.write_all(&row.to_le_bytes()))?;
        rows.iter().try_for_each(|row| file.write_all(row.bits()))?;
        rows.iter().try_for_each(|row| file.write_all(&row.factor()))?;
        rows.iter().try_for_each(|row| file.write_all(row.bytes().0))?;
        rows.iter().try_for_each(|row| file.write_all(&row.bytes().1.to_le_bytes()))?;
        file.finish()
    };
    save().map_err(failed)?;
    let stamp = |path: &Path| fs::metadata(path).map(|metadata| Stamp::of(&metadata));
    let written = stamp(&temporary).map_err(Error::write(&temporary))?;
    let name = format!("{:x}-{}-{}.vec", written.modified, std::process::id(), next_serial());
    let path = folder.join(&name);
    fs::rename(&temporary, &path).map_err(Error::write(&path))?;
    Ok(PackRef { name, stamp: stamp(&path).map_err(Error::write(&path))? })
}

fn header(bytes: &[u8]) -> Option<(Digest, usize, usize)> {
    let header = bytes.get(..HEADER)?;
    let known =
        header.starts_with(&MAGIC) && header[MAGIC.len()..MAGIC.len() + 4] == VERSION.to_le_bytes();
    let model = Digest(header[MAGIC.len() + 4..MAGIC.len() + 20].try_into().ok()?);
    let (width, rows) = (u32_at(header, HEADER - 8), u32_at(header, HEADER - 4));
    known.then_some((model, width as usize, rows as usize))
}

fn u32_at(bytes: &[u8], at: usize) -> u32 {
    u32::from_le_bytes(bytes[at..at + 4].try_into().unwrap_or_default())
}

/// Where in `0..count`, sorted, `order` says equal.
fn search(count: usize, order: impl Fn(usize) -> std::cmp::Ordering) -> Option<usize> {
    let (mut low, mut high) = (0, count);
    while low < high {
        let middle = low.midpoint(high);
        match order(middle) {
            std::cmp::Ordering::Equal => return Some(middle),
            std::cmp::Ordering::Less => low = middle + 1,
            std::cmp::Ordering::Greater => high = middle,
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use proptest::collection::vec;
    use proptest::prelude::*;
    use proptest::sample::Index;
    use proptest::test_runner::Config;

    use super::*;

    fn row(file: u32, chunk: u32, text: &str) -> Row {
        let angle = (file * 31 + chunk) as f32;
        let code = Codec::new(3).code(&[angle.cos(), angle.sin(), 0.0]);
        Row { doc: Doc { file, chunk }, key: Digest::of(text.as_bytes()), code }
    }

    fn write(folder: &Path, model: Digest, codec: &Codec, rows: Vec<Row>) -> Result<PackRef> {
        super::write(folder, model, codec, rows.iter().map(Source::New).collect())
    }

    #[test]
    fn rows_are_merged_with_those_at_rest() {
        let folder = tempfile::tempdir().unwrap();
        let (model, codec) = (Digest::of(b"model"), Codec::new(3));
        let old = write(folder.path(), model, &codec, vec![row(9, 0, "z"), row(1, 0, "a")]);
        let old = Segment::open(folder.path(), &old.unwrap()).unwrap();
        let new = row(4, 2, "m");
        let all = vec![Source::New(&new), Source::Old(&old, 0), Source::Old(&old, 1)];
        let merged = super::write(folder.path(), model, &codec, all).unwrap();
        let merged = Segment::open(folder.path(), &merged).unwrap();
        for expected in [row(1, 0, "a"), new, row(9, 0, "z")] {
            let found = merged.row(merged.find_key(expected.key).unwrap());
            assert_eq!((found.doc, found.code), (expected.doc, expected.code));
        }
    }

    #[test]
    fn rows_are_found_by_chunk_and_by_key() {
        let folder = tempfile::tempdir().unwrap();
        let rows = vec![row(7, 1, "c"), row(2, 0, "a"), row(7, 0, "b")];
        let model = Digest::of(b"model");
        let named = write(folder.path(), model, &Codec::new(3), rows.clone()).unwrap();
        let segment = Segment::open(folder.path(), &named).unwrap();
        assert_eq!((segment.rows, segment.width, segment.model), (3, 3, model));
        for expected in &rows {
            let by_doc = segment.row(segment.find(expected.doc).unwrap().start);
            let by_key = segment.row(segment.find_key(expected.key).unwrap());
            assert_eq!((by_doc.doc, &by_doc.code), (expected.doc, &expected.code));
            assert_eq!((by_key.key, &by_key.code), (expected.key, &expected.code));
        }
        assert_eq!(segment.find(Doc { file: 7, chunk: 2 }), None);
        assert_eq!(segment.find_key(Digest::of(b"d")), None);
    }

    #[test]
    fn a_file_that_is_no_segment_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let named =
            write(folder.path(), Digest::of(b"m"), &Codec::new(3), vec![row(1, 1, "a")]).unwrap();
        let path = folder.path().join(&named.name);
        let whole = fs::read(&path).unwrap();
        for bytes in [&whole[..whole.len() - 1], &whole[..10], b"something else"] {
            fs::write(&path, bytes).unwrap();
            let stamp = Stamp::of(&fs::metadata(&path).unwrap());
            let named = PackRef { name: named.name.clone(), stamp };
            assert!(matches!(Segment::open(folder.path(), &named), Err(Error::Damaged { .. })));
        }
    }

    /// Reads everything a file holds that passes for a segment, behind sums that fit.
    fn read_all(bytes: &[u8]) -> Option<usize> {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("any.vec");
        let mut file = CheckedWriter::create(&path).unwrap();
        file.write_all(bytes).unwrap();
        file.finish().unwrap();
        let stamp = Stamp::of(&fs::metadata(&path).unwrap());
        let named = PackRef { name: "any.vec".to_owned(), stamp };
        let segment = Segment::open(folder.path(), &named).ok()?;
        for row in 0..segment.rows {
            let Row { doc, key, code } = segment.row(row);
            assert_eq!(code.bytes.len(), segment.width);
            let by_doc = segment.find(doc).map(|rows| rows.start);
            for found in [by_doc, segment.find_key(key)].into_iter().flatten() {
                segment.row(found);
            }
        }
        segment.find(Doc { file: 3, chunk: 3 });
        segment.find_key(Digest::of(b"nobody's"));
        Some(segment.rows)
    }

    fn whole() -> Vec<u8> {
        let folder = tempfile::tempdir().unwrap();
        let rows = (0..9).map(|n| row(n / 2, n % 2, &n.to_string())).collect();
        let named = write(folder.path(), Digest::of(b"m"), &Codec::new(3), rows).unwrap();
        let file = Checked::open(&folder.path().join(named.name)).unwrap();
        file.get(0..file.len()).unwrap().to_vec()
    }

    #[test]
    fn a_row_that_lost_a_bit_is_told() {
        let folder = tempfile::tempdir().unwrap();
        let rows = vec![row(1, 1, "a"), row(1, 2, "b")];
        let named = write(folder.path(), Digest::of(b"m"), &Codec::new(3), rows).unwrap();
        let path = folder.path().join(&named.name);
        let mut bytes = fs::read(&path).unwrap();
        bytes[HEADER + 2 * DOC] ^= 1;
        fs::write(&path, bytes).unwrap();
        let stamp = Stamp::of(&fs::metadata(&path).unwrap());
        let opened = Segment::open(folder.path(), &PackRef { stamp, ..named });
        assert!(matches!(opened, Err(Error::Damaged { .. })), "one block holds header and rows");
    }

    proptest! {
        #![proptest_config(Config { cases: 64, failure_persistence: None, ..Config::default() })]

        #[test]
        fn no_bytes_make_reading_panic(bytes in vec(any::<u8>(), 0..400)) {
            read_all(&bytes);
            read_all(&[&whole()[..HEADER - 8], &bytes].concat());
        }

        #[test]
        fn no_damage_makes_reading_panic(
            changes in vec((any::<Index>(), any::<u8>()), 1..20),
            end in any::<Index>(),
        ) {
            let mut bytes = whole();
            let full = bytes.len();
            for (place, byte) in changes {
                // Behind the header, so that the damage is met with.
                bytes[HEADER + place.index(full - HEADER)] = byte;
            }
            prop_assert_eq!(read_all(&bytes), Some(9));
            bytes.truncate(end.index(full));
            prop_assert_eq!(read_all(&bytes), None);
        }
    }
}

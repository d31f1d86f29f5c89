//! The work that went into an index, in one file that is the same whoever made it.
//!
//! What is exported is what costs time and depends on content alone: the parse of each file under
//! the key of its content, the vector of each chunk under the key of its text. No path, no time and
//! no name of a machine is in it. Whoever imports it finds his files in it by their content; what
//! differs is parsed and encoded as usual. The words are not in it: to put them together takes a
//! fraction of the time, and in which order differs from run to run.
//!
//! Layout: magic bytes, format version, then compressed: the model's id and the numbers in a
//! vector, parses by key, vectors by key, a digest of all that. The digest tells damage, not malice:
//! import what you would run.

use std::collections::{BTreeMap, HashSet};
use std::io::{self, Read, Write};

use wherein_corpus::{Digest, Language};
use wherein_encoder::Code;

use crate::error::{Error, Result};
use crate::index::checked::BLOCK;
use crate::index::format::{MAGIC, VERSION};
use crate::index::pack::{self, Pack, PackWriter};
use crate::index::settings::{Settings, parse_key};
use crate::index::snapshot::Snapshot;
use crate::index::store::TreePlace;
use crate::index::vectors::Vectors;

/// Beyond this, compressing takes long and saves little.
const LEVEL: i32 = 12;

/// More than any parse, and more than anyone's model has numbers.
const MOST_RECORD: usize = 1 << 28;
const MOST_WIDTH: u32 = 1 << 16;
const MOST_NAME: usize = 1 << 12;

/// What a file of exported work holds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Contents {
    /// Parsed files.
    pub parses: usize,
    /// Vectors.
    pub vectors: usize,
}

/// Vectors by the key of the text they were made from.
pub struct Rows {
    /// The id of the model that made them.
    pub model: String,
    /// Numbers in a vector.
    pub width: u32,
    /// The vectors.
    pub codes: Vec<(Digest, Code)>,
}

/// Writes what a published tree took to make.
pub fn export(index: &Snapshot, settings: &Settings, out: impl Write) -> Result<Contents> {
    let vectors = Vectors::open(index.place())?;
    let vectors = if vectors.list.generation == index.manifest.generation {
        vectors
    } else {
        Vectors::none()
    };
    let mut out = out;
    out.write_all(&MAGIC).map_err(unwritten)?;
    out.write_all(&VERSION.to_le_bytes()).map_err(unwritten)?;
    let mut to = Chain::over(zstd::Encoder::new(out, LEVEL).map_err(unwritten)?);
    let name = vectors.list.model.as_bytes();
    to.put(&(name.len() as u32).to_le_bytes())?;
    to.put(name)?;
    to.put(&vectors.list.width.to_le_bytes())?;
    let contents = Contents {
        parses: put_parses(index, settings, &mut to)?,
        vectors: put_vectors(index, &vectors, &mut to)?,
    };
    let digest = to.digest();
    to.put(&digest.0)?;
    let mut out = to.inner.finish().map_err(unwritten)?;
    out.flush().map_err(unwritten)?;
    Ok(contents)
}

fn put_parses(index: &Snapshot, settings: &Settings, to: &mut Chain<impl Write>) -> Result<usize> {
    let key = |language: &str, content| {
        let language = Language::named(language).unwrap_or_else(Language::other);
        parse_key(content, language, settings.chunk)
    };
    let files = &index.manifest.files;
    let by_key: BTreeMap<Digest, usize> =
        files.iter().enumerate().map(|(n, it)| (key(&it.language, it.content), n)).collect();
    to.put(&(by_key.len() as u64).to_le_bytes())?;
    for (key, &file) in &by_key {
        let plain = pack::decompress(index.record(&files[file])?);
        let plain = plain.map_err(|error| Error::Transfer(error.to_string()))?;
        let length = (plain.len() as u32).to_le_bytes();
        let all = [&key.0[..], &length, &plain].concat();
        to.put(&all)?;
    }
    Ok(by_key.len())
}

fn put_vectors(index: &Snapshot, vectors: &Vectors, to: &mut Chain<impl Write>) -> Result<usize> {
    let live: HashSet<u32> = index.manifest.files.iter().map(|file| file.id).collect();
    let mut by_key = BTreeMap::new();
    for (number, segment) in vectors.segments().iter().enumerate() {
        let rows = (0..segment.rows).filter(|&row| live.contains(&segment.doc(row).file));
        by_key.extend(rows.map(|row| (segment.key(row), (number, row))));
    }
    to.put(&(by_key.len() as u64).to_le_bytes())?;
    for (key, &(segment, row)) in &by_key {
        let code = vectors.segments()[segment].row(row).code;
        let (factor, scale) = (code.factor.to_le_bytes(), code.scale.to_le_bytes());
        let all = [&key.0[..], &code.bits, &factor, &code.bytes, &scale].concat();
        to.put(&all)?;
    }
    vectors.whole()?;
    Ok(by_key.len())
}

/// Reads exported work: parses into a pack that any tree of the store will find, vectors into
/// memory. Nothing is kept of a file that is not whole.
pub fn import(place: &TreePlace, input: impl Read) -> Result<(Contents, Rows)> {
    let mut input = input;
    let mut head = [0; MAGIC.len() + 4];
    input.read_exact(&mut head).map_err(unread)?;
    if !head.starts_with(&MAGIC) {
        return Err(bad("it was not written by 'wherein export'"));
    }
    if head[MAGIC.len()..] != VERSION.to_le_bytes() {
        return Err(bad("another version of wherein wrote it; export it again with this one"));
    }
    let decoder = zstd::Decoder::new(input).map_err(unread)?;
    let mut from = Chain::over(decoder);
    let length = from.number(MOST_NAME)?;
    let name = from.take(length)?;
    let width = from.number(MOST_WIDTH as usize)? as u32;
    let folder = place.store.parsed();
    drop(place.lock()?);
    let mut pack = PackWriter::create(&folder)?;
    for _ in 0..from.count()? {
        let key = Digest(from.array()?);
        let length = from.number(MOST_RECORD)?;
        let plain = from.take(length)?;
        pack.add(key, &pack::recompressed(&plain).ok_or_else(|| bad("a parse is none"))?)?;
    }
    let mut codes = Vec::new();
    for _ in 0..from.count()? {
        codes.push(from.code(width as usize)?);
    }
    let digest = from.digest();
    if from.array()? != digest.0 {
        return Err(bad("it is damaged: its digest is another"));
    }
    let contents = Contents { parses: pack.count(), vectors: codes.len() };
    if contents.parses > 0 && !is_known(place, &pack) {
        pack.finish()?;
    }
    let model = String::from_utf8(name).map_err(|_| bad("its model has no name"))?;
    Ok((contents, Rows { model, width, codes }))
}

/// Whether another pack holds all of this one, as after the same import twice.
fn is_known(place: &TreePlace, pack: &PackWriter) -> bool {
    let entries = std::fs::read_dir(place.store.parsed()).into_iter().flatten().flatten();
    let packs: Vec<Pack> = entries.filter_map(|it| Pack::open_any(&it.path()).ok()).collect();
    pack.keys().all(|key| packs.iter().any(|known| known.find(key).is_some()))
}

/// A stream with the digest of what went through it, block by block.
struct Chain<S> {
    inner: S,
    digest: Digest,
    block: Vec<u8>,
}

impl<S> Chain<S> {
    fn over(inner: S) -> Chain<S> {
        Chain { inner, digest: Digest([0; 16]), block: Vec::with_capacity(BLOCK) }
    }

    fn absorb(&mut self, mut bytes: &[u8]) {
        while !bytes.is_empty() {
            let (now, later) = bytes.split_at(bytes.len().min(BLOCK - self.block.len()));
            self.block.extend_from_slice(now);
            bytes = later;
            if self.block.len() == BLOCK {
                self.digest = self.digest();
                self.block.clear();
            }
        }
    }

    fn digest(&self) -> Digest {
        Digest::of_parts(&[&self.digest.0, &self.block])
    }
}

impl<W: Write> Chain<W> {
    fn put(&mut self, bytes: &[u8]) -> Result<()> {
        self.absorb(bytes);
        self.inner.write_all(bytes).map_err(unwritten)
    }
}

impl<R: Read> Chain<R> {
    fn take(&mut self, length: usize) -> Result<Vec<u8>> {
        let mut bytes = Vec::new();
        self.inner.by_ref().take(length as u64).read_to_end(&mut bytes).map_err(unread)?;
        if bytes.len() < length {
            return Err(unread(io::ErrorKind::UnexpectedEof.into()));
        }
        self.absorb(&bytes);
        Ok(bytes)
    }

    fn array<const N: usize>(&mut self) -> Result<[u8; N]> {
        let bytes = self.take(N)?;
        bytes.try_into().map_err(|_| unread(io::ErrorKind::UnexpectedEof.into()))
    }

    fn count(&mut self) -> Result<u64> {
        self.array().map(u64::from_le_bytes)
    }

    fn number(&mut self, most: usize) -> Result<usize> {
        let number = u32::from_le_bytes(self.array()?) as usize;
        if number > most { Err(bad("a number in it is impossible")) } else { Ok(number) }
    }

    fn code(&mut self, width: usize) -> Result<(Digest, Code)> {
        let key = Digest(self.array()?);
        let bits = self.take(width.div_ceil(64) * 8)?;
        let factor = f32::from_le_bytes(self.array()?);
        let bytes = self.take(width)?;
        Ok((key, Code { bits, factor, bytes, scale: f32::from_le_bytes(self.array()?) }))
    }
}

fn bad(what: &str) -> Error {
    Error::Transfer(what.to_owned())
}

fn unread(error: io::Error) -> Error {
    Error::Transfer(format!("it is cut short or damaged: {error}"))
}

fn unwritten(error: io::Error) -> Error {
    Error::Transfer(format!("it cannot be written: {error}"))
}

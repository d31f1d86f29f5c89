//! Vectors of messages: filled in newest first, batch by batch, each published when it is done.

use std::collections::HashSet;
use std::fs;

use wherein_corpus::Digest;
use wherein_encoder::{Codec, Model, Side};

use crate::error::{Error, Result};
use crate::history::log::Log;
use crate::history::log::manifest::place;
use crate::history::repository::{Git, Repository};
use crate::index::refresh::Progress;
use crate::index::store::TreePlace;
use crate::index::vectors::Vectors;
use crate::index::vectors::encode::GoOn;
use crate::index::vectors::list::List;
use crate::index::vectors::segment::{self, Doc, Row, Source};

/// Messages that are encoded and published together.
const BATCH: usize = 512;

/// Messages that go through the model at once, between two signs of progress.
const STEP: usize = 32;

/// Bytes of a message that are read: what it is about stands at its beginning.
const MOST_BYTES: usize = 1000;

/// What an encoding did.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LogEncoding {
    /// Messages that went through the model.
    pub encoded: usize,
    /// Commits with a vector now.
    pub with_vectors: usize,
    /// All commits.
    pub commits: usize,
}

/// Encodes messages without a vector until none is left or `go_on` says no.
///
/// Fails with [`Error::Busy`] if another process is at it.
pub fn encode(
    tree: &TreePlace,
    model: &Model,
    progress: Progress,
    go_on: GoOn,
) -> Result<LogEncoding> {
    let log = Log::open(tree)?;
    let repository = Repository::around(&tree.root)?;
    let git = repository.git();
    let mut writer = Writer::open(tree, &log, model)?;
    let mut missing: Vec<u32> =
        log.live().filter(|&number| !writer.vectors.has(document(number))).collect();
    missing.sort_by_key(|&number| std::cmp::Reverse(log.time(number)));
    let total = log.commits();
    let mut done = LogEncoding { encoded: 0, with_vectors: total - missing.len(), commits: total };
    for batch in missing.chunks(BATCH) {
        let mut rows = Vec::new();
        for step in batch.chunks(STEP) {
            if !go_on() {
                break;
            }
            rows.extend(rows_of(&log, &git, model, step, &writer.vectors, &mut done)?);
            progress(done.with_vectors + rows.len(), total);
        }
        let is_cut = rows.len() < batch.len();
        done.with_vectors += rows.len();
        writer.append(rows)?;
        if is_cut {
            break;
        }
    }
    Ok(done)
}

/// Keeps vectors that a search made, unless another process is writing just now.
pub fn keep(tree: &TreePlace, log: &Log, model: &Model, rows: Vec<Row>) -> Result<()> {
    if rows.is_empty() {
        return Ok(());
    }
    let mut writer = Writer::open(tree, log, model)?;
    let fresh: Vec<Row> = rows.into_iter().filter(|row| !writer.vectors.has(row.doc)).collect();
    writer.append(fresh)
}

/// Where a commit's vector is kept.
pub fn document(number: u32) -> Doc {
    Doc { file: number, chunk: 0 }
}

/// The vectors of some messages: known ones as they are, the others from the model.
pub fn rows_of(
    log: &Log,
    git: &Git,
    model: &Model,
    numbers: &[u32],
    known: &Vectors,
    done: &mut LogEncoding,
) -> Result<Vec<Row>> {
    let (mut rows, mut unknown) = (Vec::new(), Vec::new());
    for &number in numbers {
        let Some(id) = log.row(number).and_then(|(batch, at)| batch.id(at)) else { continue };
        let text = passage(&git.commit(id)?.message);
        let key = Digest::of_parts(&[b"commit", text.as_bytes()]);
        match known.row_of_key(key) {
            Some(row) => rows.push(Row { doc: document(number), ..row }),
            None => unknown.push((number, key, text)),
        }
    }
    if unknown.is_empty() {
        return Ok(rows);
    }
    let texts: Vec<&str> = unknown.iter().map(|(.., text)| text.as_str()).collect();
    let vectors = model.encode(&texts, Side::Passage)?;
    done.encoded += vectors.len();
    let codec = Codec::new(vectors.first().map_or(0, Vec::len));
    for ((number, key, _), vector) in unknown.iter().zip(vectors) {
        rows.push(Row { doc: document(*number), key: *key, code: codec.code(&vector) });
    }
    Ok(rows)
}

/// What of a message is encoded: not who signed it off.
fn passage(message: &str) -> String {
    let is_trailer = |line: &&str| {
        let name = line.split_once(':').map_or("", |(name, _)| name);
        name.ends_with("-by") || name == "Change-Id" || name == "git-svn-id"
    };
    let text: Vec<&str> = message.lines().filter(|line| !is_trailer(line)).collect();
    let text = text.join("\n");
    let text = text.trim();
    match &text[..text.floor_char_boundary(MOST_BYTES)] {
        "" => "(no message)".to_owned(),
        text => text.to_owned(),
    }
}

/// The vectors of messages, open for writing.
struct Writer {
    place: TreePlace,
    vectors: Vectors,
    _lock: crate::index::store::WriterLock,
}

impl Writer {
    fn open(tree: &TreePlace, log: &Log, model: &Model) -> Result<Writer> {
        let place = place(tree);
        let lock = place.lock_vectors()?;
        let generation = log.manifest.generation;
        let blank = List { model: model.id().to_owned(), generation, ..List::default() };
        let list = Some(List::load(&place))
            .filter(|list| list.model == model.id() && list.generation == generation)
            .unwrap_or(blank);
        blank_unless_whole(&place, list).map(|vectors| Writer { place, vectors, _lock: lock })
    }

    /// Publishes more rows. Segments of like size are merged, so that there are few of them.
    fn append(&mut self, rows: Vec<Row>) -> Result<()> {
        if rows.is_empty() {
            return Ok(());
        }
        let mut list = self.vectors.list.clone();
        let width = rows[0].code.bytes.len();
        if list.width != 0 && list.width as usize != width {
            return Err(Error::Width { before: list.width as usize, now: width });
        }
        list.width = width as u32;
        let mut all: Vec<Source> = rows.iter().map(Source::New).collect();
        while list.rows.last().is_some_and(|&last| last as usize <= 2 * all.len()) {
            let segment = &self.vectors.segments()[list.segments.len() - 1];
            all.extend((0..segment.rows).map(|row| Source::Old(segment, row)));
            list.segments.pop();
            list.rows.pop();
        }
        list.rows.push(all.len() as u32);
        let codec = Codec::new(width);
        let folder = self.place.vectors();
        list.segments.push(segment::write(&folder, list.model_digest(), &codec, all)?);
        self.vectors.whole()?;
        list.publish(&self.place)?;
        self.vectors = Vectors::open(&self.place)?;
        self.tidy();
        Ok(())
    }

    fn tidy(&self) {
        let named: HashSet<&str> = self.vectors.list.files().map(|it| it.name.as_str()).collect();
        for entry in fs::read_dir(self.place.vectors()).into_iter().flatten().flatten() {
            let name = entry.file_name().to_string_lossy().into_owned();
            if !named.contains(name.as_str()) && !matches!(name.as_str(), "list" | "lock") {
                let _ = fs::remove_file(entry.path());
            }
        }
    }
}

/// What cannot be read is made again.
fn blank_unless_whole(place: &TreePlace, list: List) -> Result<Vectors> {
    match Vectors::of(place, list.clone()) {
        Err(Error::Damaged { .. }) => {
            let blank = List { segments: Vec::new(), rows: Vec::new(), clusters: None, ..list };
            Vectors::of(place, List { width: 0, ..blank })
        }
        opened => opened,
    }
}

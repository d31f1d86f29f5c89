//! From chunks without vectors to vectors, in the order they are likely to be asked for.
//!
//! Each batch is published when it is done. A chunk whose text was encoded before, under another
//! file id or in another tree, takes its vector from there.

use std::collections::{BTreeMap, HashSet};
use std::fs;

use wherein_corpus::{Digest, Language, Lines, Role};
use wherein_encoder::{Code, Codec, Model, Side};

use crate::error::{Error, Result};
use crate::index::manifest::{FileEntry, Manifest};
use crate::index::pack::PackRef;
use crate::index::private;
use crate::index::refresh::Progress;
use crate::index::snapshot::Snapshot;
use crate::index::store::{TreePlace, WriterLock};
use crate::index::transfer::Rows;
use crate::index::vectors::Vectors;
use crate::index::vectors::clusters::Clusters;
use crate::index::vectors::list::List;
use crate::index::vectors::passage::Passage;
use crate::index::vectors::segment::{self, Doc, Row, Segment, Source};
use crate::search::recall::Recall;

/// Is asked between two batches whether to go on.
pub type GoOn<'g> = &'g (dyn Fn() -> bool + Sync);

/// Chunks that are encoded and published together: what a killed process may lose.
const BATCH: usize = 256;

/// Texts that go through the model at once, between two signs of progress.
const STEP: usize = 32;

/// Clusters are made anew when the tree has grown by a quarter.
const OUTGROWN: f64 = 1.25;

/// What an encoding did.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Encoding {
    /// Chunks of which a passage went through the model.
    pub encoded: usize,
    /// Chunks whose passages had vectors already.
    pub reused: usize,
    /// Chunks with a vector now.
    pub with_vectors: u64,
    /// All chunks.
    pub chunks: u64,
}

/// Encodes what has no vector yet until nothing is left or `go_on` says no.
///
/// Fails with [`Error::Busy`] if another process is at it.
pub fn encode(
    place: &TreePlace,
    model: &Model,
    progress: Progress,
    go_on: GoOn,
) -> Result<Encoding> {
    let lock = place.lock_vectors()?;
    let mut done = Encoding::default();
    let mut tried = HashSet::new();
    loop {
        let index = Snapshot::open(place)?;
        let mut writer = Writer::open(place, &lock, model, &index.manifest)?;
        let left = missing(&index, &writer.vectors, &mut tried);
        let total = index.manifest.chunks() as usize;
        let mut at = total - left.len();
        for batch in left.chunks(BATCH) {
            if !go_on() {
                return Ok(done.with(&index.manifest, &writer.vectors));
            }
            let mut rows = writer.known(&index, batch, &mut done)?;
            let passages = rows.ready.len() + rows.unknown.len();
            for step in rows.unknown.chunks(STEP) {
                let numbers = step.iter().map(|unknown| unknown.number);
                rows.ready.extend(numbers.zip(writer.encode(model, step)?));
                progress(at + batch.len() * rows.ready.len() / passages, total);
            }
            at += batch.len();
            progress(at, total);
            // All rows of a chunk together: one that has any has all.
            writer.append(rows.ready.into_values().collect())?;
        }
        // Somebody may have brought the index up to date meanwhile.
        if left.is_empty() || Manifest::load(place)? == index.manifest {
            writer.cluster()?;
            return Ok(done.with(&index.manifest, &writer.vectors));
        }
    }
}

/// Keeps vectors that a search made of files of one generation, unless another process is writing
/// just now or the tree has those of another model: one question does not throw them away. The search may have seen an older manifest than the published one, which alone tells
/// dead rows from live ones.
pub fn keep(place: &TreePlace, model: &Model, generation: u64, mut rows: Vec<Row>) -> Result<()> {
    let lock = place.lock_vectors()?;
    let manifest = Manifest::load(place)?;
    let published = List::load(place);
    let is_others = !published.segments.is_empty() && published.model != model.id();
    if is_others || manifest.generation != generation {
        return Ok(());
    }
    let mut writer = Writer::open(place, &lock, model, &manifest)?;
    rows.retain(|row| !writer.vectors.has(row.doc));
    writer.append(rows)
}

/// Forgets vectors whose files are lost, and keeps the others.
pub fn forget_lost(place: &TreePlace) -> Result<()> {
    let _lock = place.lock_vectors()?;
    forget_lost_segments(place)
}

fn forget_lost_segments(place: &TreePlace) -> Result<()> {
    let list = List::load(place);
    let is_there =
        |(segment, _): &(&PackRef, &u32)| Segment::open(&place.vectors(), segment).is_ok();
    let kept = list.segments.iter().zip(&list.rows).filter(is_there);
    let (segments, rows): (Vec<PackRef>, Vec<u32>) = kept.map(|(it, n)| (it.clone(), *n)).unzip();
    let are_of_them =
        |it: &PackRef| segments == list.segments && Clusters::open(&place.vectors(), it).is_ok();
    let clusters = list.clusters.clone().filter(are_of_them);
    let kept = List { segments, rows, clusters, ..list.clone() };
    if kept == list { Ok(()) } else { kept.publish(place) }
}

/// Takes vectors over that were made elsewhere, for the texts they were made from. Says how many
/// were new; none if they are of another model than `model`.
pub fn adopt(place: &TreePlace, model: &Model, rows: Rows) -> Result<usize> {
    let lock = place.lock_vectors()?;
    let manifest = Manifest::load(place)?;
    let mut writer = Writer::open(place, &lock, model, &manifest)?;
    let width = writer.vectors.list.width;
    if rows.model != model.id() || (width != 0 && width != rows.width) {
        return Ok(0);
    }
    let unknown = |(key, _): &(Digest, Code)| writer.vectors.row_of_key(*key).is_none();
    let codes: Vec<_> = rows.codes.into_iter().filter(unknown).collect();
    let row = |(n, (key, code)): (u32, (Digest, Code))| Row {
        doc: Doc { file: FORMER, chunk: n },
        key,
        code,
    };
    let rows: Vec<Row> = (0..).zip(codes).map(row).collect();
    let count = rows.len();
    writer.append(rows)?;
    Ok(count)
}

impl Encoding {
    fn with(mut self, manifest: &Manifest, vectors: &Vectors) -> Encoding {
        self.chunks = manifest.chunks();
        self.with_vectors = covered(manifest, vectors);
        self
    }
}

/// How many chunks of a manifest have a vector.
pub fn covered(manifest: &Manifest, vectors: &Vectors) -> u64 {
    if vectors.list.generation != manifest.generation {
        return 0;
    }
    let live: HashSet<u32> = manifest.files.iter().map(|file| file.id).collect();
    let docs: HashSet<Doc> = vectors
        .segments()
        .iter()
        .flat_map(|segment| (0..segment.rows).map(|row| segment.doc(row)))
        .filter(|doc| live.contains(&doc.file))
        .collect();
    docs.len() as u64
}

/// A chunk to be encoded: the file's position in the manifest, and the chunk's number.
type Gap = (usize, u32);

/// Chunks without a vector, files most likely asked for first. A file is tried once.
fn missing(index: &Snapshot, vectors: &Vectors, tried: &mut HashSet<u32>) -> Vec<Gap> {
    let files = &index.manifest.files;
    let mut order: Vec<usize> =
        (0..files.len()).filter(|&position| !tried.contains(&files[position].id)).collect();
    order.sort_by_cached_key(|&position| likely(&files[position]));
    let mut gaps = Vec::new();
    for position in order {
        let file = &files[position];
        tried.insert(file.id);
        let lacks = |chunk: &u32| !vectors.has(Doc { file: file.id, chunk: *chunk });
        gaps.extend((0..file.chunks).filter(lacks).map(|chunk| (position, chunk)));
    }
    gaps
}

/// Smaller for files that are asked for sooner: code before prose before what only supports it,
/// then by the day of the last change, then from the top of the tree down.
fn likely(file: &FileEntry) -> (u8, i64, usize, String) {
    const DAY: i64 = 86_400_000_000_000;
    let role = Language::named(&file.language).map_or(Role::Code, Language::role);
    let supports = file.path.split('/').any(|part| {
        let part = part.to_ascii_lowercase();
        ["test", "spec", "example", "fixture", "vendor", "third_party", "node_modules", "locale"]
            .iter()
            .any(|word| part.contains(word))
    });
    let rank = match role {
        _ if supports => 2,
        Role::Code => 0,
        Role::Docs => 1,
    };
    (rank, -(file.stamp.modified / DAY), file.path.matches('/').count(), file.path.clone())
}

/// The vectors of a tree, open for writing. Whoever has one holds the lock.
struct Writer<'w> {
    place: &'w TreePlace,
    model: Digest,
    live: HashSet<u32>,
    vectors: Vectors,
    others: Option<Vec<Segment>>,
}

/// A batch sorted out: rows that are ready, by their passages' numbers, and passages that have to be encoded.
#[derive(Default)]
struct Sorted {
    ready: BTreeMap<usize, Row>,
    unknown: Vec<Unknown>,
}

struct Unknown {
    number: usize,
    doc: Doc,
    passage: Passage,
}

/// The file id of rows from an earlier generation, kept for the texts they were made from.
const FORMER: u32 = u32::MAX;

impl<'w> Writer<'w> {
    fn open(
        place: &'w TreePlace,
        _held: &'w WriterLock,
        model: &Model,
        manifest: &Manifest,
    ) -> Result<Writer<'w>> {
        let fresh = List {
            model: model.id().to_owned(),
            generation: manifest.generation,
            ..List::default()
        };
        let mut writer = Writer {
            place,
            model: fresh.model_digest(),
            live: manifest.files.iter().map(|file| file.id).collect(),
            vectors: Vectors::of(place, fresh)?,
            others: None,
        };
        let opened = Vectors::open(place).or_else(|error| match error {
            Error::Damaged { .. } => {
                forget_lost_segments(place)?;
                Vectors::open(place)
            }
            error => Err(error),
        });
        match opened {
            Ok(known) if known.list.model != model.id() => {}
            Ok(known) if known.list.generation == manifest.generation => writer.vectors = known,
            Ok(former) => writer.take_over(&former)?,
            // The index is a cache: what cannot be read is made again.
            Err(Error::Damaged { .. }) => {}
            Err(error) => return Err(error),
        }
        Ok(writer)
    }

    /// Keeps the rows of an earlier generation, one a text, without their chunks.
    fn take_over(&mut self, former: &Vectors) -> Result<()> {
        let all = former.segments().iter().flat_map(|it| (0..it.rows).map(|row| it.row(row)));
        let mut texts = HashSet::new();
        let nobody =
            |(n, row): (usize, Row)| Row { doc: Doc { file: FORMER, chunk: n as u32 }, ..row };
        let rows: Vec<Row> =
            all.filter(|row| texts.insert(row.key)).enumerate().map(nobody).collect();
        former.whole()?;
        if rows.is_empty() {
            return Ok(());
        }
        let list = self.list_with(rows.iter().map(Source::New).collect(), 0)?;
        self.publish(list)
    }

    /// Takes from this tree and others what is known of a batch. Files that have changed since
    /// they were indexed are left out.
    fn known(&mut self, index: &Snapshot, batch: &[Gap], done: &mut Encoding) -> Result<Sorted> {
        let mut sorted = Sorted::default();
        for gaps in batch.chunk_by(|a, b| a.0 == b.0) {
            let file = &index.manifest.files[gaps[0].0];
            let chunks: Vec<u32> = gaps.iter().map(|&(_, chunk)| chunk).collect();
            for (chunk, passage) in passages(index, file, &chunks)? {
                let doc = Doc { file: file.id, chunk };
                let number = sorted.ready.len() + sorted.unknown.len();
                match self.find(passage.key) {
                    Some(row) => drop(sorted.ready.insert(number, Row { doc, ..row })),
                    None => sorted.unknown.push(Unknown { number, doc, passage }),
                }
            }
        }
        let unknown: HashSet<Doc> = sorted.unknown.iter().map(|it| it.doc).collect();
        let ready: HashSet<Doc> = sorted.ready.values().map(|row| row.doc).collect();
        done.encoded += unknown.len();
        done.reused += ready.difference(&unknown).count();
        Ok(sorted)
    }

    fn find(&mut self, key: Digest) -> Option<Row> {
        self.vectors.row_of_key(key).or_else(|| {
            let list = &self.vectors.list;
            let others = self.others.get_or_insert_with(|| other_trees(self.place, list));
            let whole = |other: &Segment, row| other.whole().ok().map(|()| row);
            others.iter().find_map(|other| whole(other, other.row(other.find_key(key)?)))
        })
    }

    fn encode(&self, model: &Model, unknown: &[Unknown]) -> Result<Vec<Row>> {
        let passages: Vec<&str> = unknown.iter().map(|it| it.passage.text.as_str()).collect();
        let vectors = model.encode(&passages, Side::Passage)?;
        let width = vectors.first().map_or(0, Vec::len);
        if self.vectors.list.width != 0 && self.vectors.list.width as usize != width {
            return Err(Error::Width { before: self.vectors.list.width as usize, now: width });
        }
        let codec = Codec::new(width);
        let row = |(it, vector): (&Unknown, Vec<f32>)| Row {
            doc: it.doc,
            key: it.passage.key,
            code: codec.code(&vector),
        };
        Ok(unknown.iter().zip(vectors).map(row).collect())
    }

    /// Publishes more rows. Segments of like size are merged, so that there are few of them and
    /// each row is rewritten a few times at most.
    fn append(&mut self, rows: Vec<Row>) -> Result<()> {
        if rows.is_empty() {
            return Ok(());
        }
        let mut all: Vec<Source> = rows.iter().map(Source::New).collect();
        let mut kept = self.vectors.list.segments.len();
        while kept > 0 && self.vectors.list.rows[kept - 1] as usize <= 2 * all.len() {
            kept -= 1;
            all.extend(rows_at_rest(&self.vectors.segments()[kept]));
        }
        // Rows of an earlier generation have yet to be asked for.
        let needed = |file: u32| file == FORMER || self.live.contains(&file);
        let list = self.list_with(without_too_many_dead(all, needed), kept)?;
        self.publish(list)
    }

    /// The list of the first `kept` segments and one of `rows`, which is written.
    fn list_with(&self, rows: Vec<Source>, kept: usize) -> Result<List> {
        self.vectors.whole()?;
        let mut list = self.vectors.list.clone();
        let widths = || rows.iter().map(|row| row.bytes().0.len());
        if list.width == 0 {
            list.width = widths().next().unwrap_or(0) as u32;
        }
        let before = list.width as usize;
        if let Some(now) = widths().find(|&width| width != before) {
            return Err(Error::Width { before, now });
        }
        list.segments.truncate(kept);
        list.rows.truncate(kept);
        if kept == 0 {
            list.clusters = None;
        }
        if !rows.is_empty() {
            let codec = Codec::new(list.width as usize);
            list.rows.push(rows.len() as u32);
            let folder = self.place.vectors();
            private::create_folders(&folder).map_err(Error::write(&folder))?;
            list.segments.push(segment::write(&folder, self.model, &codec, rows)?);
        }
        // What was read while it was written must have been what was once written.
        self.vectors.whole()?;
        Ok(list)
    }

    fn publish(&mut self, list: List) -> Result<()> {
        list.publish(self.place)?;
        self.vectors = Vectors::of(self.place, list)?;
        self.tidy();
        Ok(())
    }

    /// Groups what there is, if it has not been or has outgrown its groups.
    fn cluster(&mut self) -> Result<()> {
        let total = self.vectors.list.total();
        let grouped = self.vectors.clusters().map_or(0, |clusters| clusters.rows());
        if total == 0 || (total as f64) <= grouped as f64 * OUTGROWN {
            return Ok(());
        }
        if self.vectors.segments().len() > 1 || self.has_too_many_dead() {
            let rows = self.vectors.segments().iter().flat_map(rows_at_rest).collect();
            let is_live = |file: u32| self.live.contains(&file);
            let list = self.list_with(without_too_many_dead(rows, is_live), 0)?;
            self.publish(list)?;
        }
        let clusters = Clusters::of(&self.vectors.segments()[0]);
        let named = clusters.write(&self.place.vectors())?;
        self.publish(List { clusters: Some(named), ..self.vectors.list.clone() })
    }

    fn has_too_many_dead(&self) -> bool {
        let docs = |it: &Segment| {
            (0..it.rows).filter(|&row| self.live.contains(&it.doc(row).file)).count()
        };
        let live: usize = self.vectors.segments().iter().map(docs).sum();
        too_many(self.vectors.list.total() as usize - live, live)
    }

    /// Removes files that no list names.
    fn tidy(&self) {
        let keep: HashSet<&str> = self.vectors.list.files().map(|it| it.name.as_str()).collect();
        for entry in fs::read_dir(self.place.vectors()).into_iter().flatten().flatten() {
            let name = entry.file_name().to_string_lossy().into_owned();
            if !keep.contains(name.as_str()) && name != "list" && name != "lock" {
                let _ = fs::remove_file(entry.path());
            }
        }
    }
}

fn rows_at_rest(segment: &Segment) -> impl Iterator<Item = Source<'_>> {
    (0..segment.rows).map(move |row| Source::Old(segment, row))
}

/// Dead rows serve branches that come back, but no more than half as many as those needed.
fn without_too_many_dead(mut rows: Vec<Source>, is_needed: impl Fn(u32) -> bool) -> Vec<Source> {
    let needed = rows.iter().filter(|row| is_needed(row.doc().file)).count();
    if too_many(rows.len() - needed, needed) {
        rows.retain(|row| is_needed(row.doc().file));
    }
    rows
}

fn too_many(dead: usize, needed: usize) -> bool {
    dead > needed.max(BATCH) / 2
}

/// The passages of some chunks of a file, in their order; none if it has changed since it was indexed.
pub fn passages(
    index: &dyn Recall,
    file: &FileEntry,
    chunks: &[u32],
) -> Result<Vec<(u32, Passage)>> {
    let Some(text) = index.indexed_text(file) else { return Ok(Vec::new()) };
    let lines = Lines::of(&text);
    let parsed = index.parsed(file)?;
    let language = Language::named(&file.language).unwrap_or_else(Language::other);
    let cut = |&chunk: &u32| Some((chunk, parsed.chunks.get(chunk as usize)?));
    let of = |(chunk, cut)| {
        let all = Passage::all_of(&file.path, language, &parsed, cut, &lines);
        all.into_iter().map(move |passage| (chunk, passage))
    };
    Ok(chunks.iter().filter_map(cut).flat_map(of).collect())
}

/// Segments of other trees with vectors of the same model and width.
fn other_trees(place: &TreePlace, ours: &List) -> Vec<Segment> {
    let mut segments = Vec::new();
    for folder in place.store.trees().into_iter().filter(|folder| *folder != place.folder) {
        let other = TreePlace { folder, ..place.clone() };
        let list = List::load(&other);
        if list.model == ours.model && (ours.width == 0 || list.width == ours.width) {
            let open = |it| Segment::open(&other.vectors(), it).ok();
            let is_ours =
                |it: &Segment| (it.model, it.width) == (ours.model_digest(), list.width as usize);
            segments.extend(list.segments.iter().filter_map(open).filter(is_ours));
        }
    }
    segments
}

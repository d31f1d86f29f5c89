//! Vectors at rest: how chunks get them, and how the nearest are found.
//!
//! `encode` fills the gaps batch by batch and publishes each, so that a killed process loses one
//! batch at most. Readers map what is published; a search passes over the signs of all rows and
//! compares the bytes of the best.

pub mod clusters;
pub mod encode;
pub mod list;
pub mod passage;
pub mod segment;

use std::ops::Range;

use hashbrown::HashSet;
use rayon::prelude::*;
use wherein_corpus::Digest;
use wherein_encoder::{Codec, Probe};

use crate::error::{Error, Result};
use crate::index::store::TreePlace;

use clusters::{Clusters, Unread};
use list::List;
use segment::{Doc, Row, Segment};

/// Rows up to which every one of them is looked at; beyond, those of the nearest clusters.
pub const EXACT_ROWS: usize = 1_000_000;

/// How many rows the first pass keeps for each chunk asked for, and how many at least; half of them have two.
const KEPT_PER_CHUNK: usize = 8;
const KEPT_AT_LEAST: usize = 512;

/// How much nearer a part of a chunk has to be than the whole to count in its place: of several, one is near by chance.
///
/// Chosen on 2026-11-18 among 0, 0.02, 0.03 and 0.04 as in `passage.rs`: octocode code MRR .781, .793, .794, .787, spans
/// of other repositories .708, .715, .720, .722, semble NDCG@10 .877, .877, .876, .878.
pub const PART: f32 = 0.03;

/// Rows that are looked at by one core at a time.
const BLOCK: usize = 8192;

/// A tree's vectors, mapped.
pub struct Vectors {
    /// What was published.
    pub list: List,
    codec: Codec,
    segments: Vec<Segment>,
    clusters: Option<Unread>,
    exact_rows: usize,
}

/// A chunk and how near it is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Near {
    /// Which chunk.
    pub doc: Doc,
    /// The cosine of the angle between the two vectors.
    pub score: f32,
}

/// A row by the number of its segment.
type Place = (u32, u32);

impl Vectors {
    /// Opens what is published for a tree; nothing at all is no failure.
    ///
    /// A writer may publish and tidy up between our reading the list and opening what it names;
    /// then the next list is read.
    pub fn open(place: &TreePlace) -> Result<Vectors> {
        const TRIES: usize = 5;
        let mut list = List::load(place);
        for _ in 1..TRIES {
            match Vectors::of(place, list.clone()) {
                Err(error @ Error::Damaged { .. }) => {
                    let newer = List::load(place);
                    if newer == list {
                        return Err(error);
                    }
                    list = newer;
                }
                opened => return opened,
            }
        }
        Vectors::of(place, list)
    }

    pub(crate) fn of(place: &TreePlace, list: List) -> Result<Vectors> {
        let folder = place.vectors();
        let codec = Codec::new(list.width as usize);
        let segments: Vec<Segment> =
            list.segments.iter().map(|it| Segment::open(&folder, it)).collect::<Result<_>>()?;
        let model = list.model_digest();
        if let Some(odd) = segments.iter().find(|it| (it.model, it.width) != (model, codec.width()))
        {
            return Err(Error::damaged(folder.join(odd.name()), "vectors of another model"));
        }
        if !segments.iter().map(|it| it.rows).eq(list.rows.iter().map(|&rows| rows as usize)) {
            return Err(Error::damaged(place.vector_list(), "it counts other rows"));
        }
        // Without clusters all rows are looked at; the next encoding makes them again.
        let clusters = list.clusters.as_ref().and_then(|it| Unread::open(&folder, it).ok());
        Ok(Vectors { list, codec, segments, clusters, exact_rows: EXACT_ROWS })
    }

    /// No vectors.
    pub fn none() -> Vectors {
        Vectors {
            list: List::default(),
            codec: Codec::new(0),
            segments: Vec::new(),
            clusters: None,
            exact_rows: EXACT_ROWS,
        }
    }

    /// Looks at all rows up to this many, for tests and measurements.
    pub fn exact_up_to(self, rows: usize) -> Vectors {
        Vectors { exact_rows: rows, ..self }
    }

    /// Fails if a row that was looked at is not as it was written.
    pub fn whole(&self) -> Result<()> {
        self.segments.iter().try_for_each(Segment::whole)
    }

    /// How its vectors are coded.
    pub fn codec(&self) -> &Codec {
        &self.codec
    }

    /// Its segments, oldest first.
    pub fn segments(&self) -> &[Segment] {
        &self.segments
    }

    /// Its clusters, if they have been made.
    pub fn clusters(&self) -> Option<&Clusters> {
        self.clusters.as_ref()?.of(self.segments.first()?)
    }

    /// The rows of a chunk, that of the whole first.
    pub fn rows(&self, doc: Doc) -> impl Iterator<Item = Row> {
        let place = self.place(doc).into_iter();
        place.flat_map(move |(segment, rows)| rows.map(move |row| self.segments[segment].row(row)))
    }

    /// Whether a chunk has a vector.
    pub fn has(&self, doc: Doc) -> bool {
        self.place(doc).is_some()
    }

    /// The row of any chunk with the text of this key, dead ones too.
    pub fn row_of_key(&self, key: Digest) -> Option<Row> {
        self.segments.iter().rev().find_map(|segment| Some(segment.row(segment.find_key(key)?)))
    }

    /// How near a chunk is: its nearest row.
    pub fn score(&self, probe: &Probe, doc: Doc) -> Option<f32> {
        let (segment, rows) = self.place(doc)?;
        nearest_of(probe, rows.map(|row| self.segments[segment].bytes(row)))
    }

    /// The same of the first `chunks` chunks of a file, for less than to look for each.
    pub fn scores(&self, probe: &Probe, file: u32, chunks: u32) -> Vec<Option<f32>> {
        let mut scores = vec![None; chunks as usize];
        // What comes later stands in for what was before.
        for segment in &self.segments {
            let rows: Vec<usize> = segment.of_file(file).collect();
            for of_chunk in rows.chunk_by(|&a, &b| segment.doc(a) == segment.doc(b)) {
                let chunk = segment.doc(of_chunk[0]).chunk as usize;
                if let Some(score) = scores.get_mut(chunk) {
                    *score = nearest_of(probe, of_chunk.iter().map(|&row| segment.bytes(row)));
                }
            }
        }
        scores
    }

    fn place(&self, doc: Doc) -> Option<(usize, Range<usize>)> {
        let segments = self.segments.iter().enumerate().rev();
        segments.into_iter().find_map(|(n, segment)| Some((n, segment.find(doc)?)))
    }

    /// The nearest chunks of each list, best first, at most `most` in each. `list_of` says which
    /// list a file id belongs to, if any.
    pub fn nearest<const LISTS: usize>(
        &self,
        probe: &Probe,
        most: usize,
        list_of: impl Fn(u32) -> Option<usize> + Sync,
    ) -> [Vec<Near>; LISTS] {
        let total: usize = self.segments.iter().map(|segment| segment.rows).sum();
        let clusters = if total > self.exact_rows { self.clusters() } else { None };
        self.nearest_in(self.blocks(probe, clusters), probe, most, list_of)
    }

    /// The same, looking at every row of however large a tree: where few files may answer, they
    /// need not lie in the clusters nearest to the question.
    pub fn nearest_of_all<const LISTS: usize>(
        &self,
        probe: &Probe,
        most: usize,
        list_of: impl Fn(u32) -> Option<usize> + Sync,
    ) -> [Vec<Near>; LISTS] {
        self.nearest_in(self.blocks(probe, None), probe, most, list_of)
    }

    fn nearest_in<const LISTS: usize>(
        &self,
        blocks: Vec<Block>,
        probe: &Probe,
        most: usize,
        list_of: impl Fn(u32) -> Option<usize> + Sync,
    ) -> [Vec<Near>; LISTS] {
        let kept = most.saturating_mul(KEPT_PER_CHUNK).max(KEPT_AT_LEAST);
        let merge = |mut a: [Vec<(f32, Place)>; LISTS], b: [Vec<(f32, Place)>; LISTS]| {
            for (a, b) in a.iter_mut().zip(b) {
                a.extend(b);
                keep_best(a, kept);
            }
            a
        };
        let pick = |block: Block| {
            let mut lists = std::array::from_fn(|_| Vec::with_capacity(block.rows()));
            let (mut file, mut list) = (u32::MAX, None);
            self.estimate(probe, &block, |score, (segment, row)| {
                let doc = self.segments[segment as usize].doc(row as usize);
                if doc.file != file {
                    (file, list) = (doc.file, list_of(doc.file));
                }
                if let Some(list) = list {
                    let list: &mut Vec<_> = &mut lists[list];
                    list.push((score, (segment, row)));
                }
            });
            lists.iter_mut().for_each(|list| keep_best(list, kept));
            lists
        };
        let lists =
            blocks.into_par_iter().map(pick).reduce(|| std::array::from_fn(|_| Vec::new()), merge);
        lists.map(|list| self.compare(probe, list, most))
    }

    /// The rows to look at, in runs.
    fn blocks(&self, probe: &Probe, clusters: Option<&Clusters>) -> Vec<Block> {
        let mut blocks = Vec::new();
        for (n, segment) in self.segments.iter().enumerate() {
            match clusters {
                // Clusters are those of the first segment; what came later is looked at whole.
                Some(clusters) if n == 0 => {
                    let rows = clusters.nearest_rows(probe);
                    blocks.extend(rows.chunks(BLOCK).map(|rows| Block::Some(rows.to_vec())));
                }
                _ => {
                    let starts = (0..segment.rows).step_by(BLOCK);
                    let run = |start: usize| start..(start + BLOCK).min(segment.rows);
                    blocks.extend(starts.map(|start| Block::Run(n, run(start))));
                }
            }
        }
        blocks
    }

    /// Tells `each` how near every row of a block may be.
    fn estimate(&self, probe: &Probe, block: &Block, mut each: impl FnMut(f32, Place)) {
        let mut scores = Vec::new();
        match block {
            Block::Run(number, rows) => {
                let segment = &self.segments[*number];
                let factors = segment.factors(rows.clone());
                probe.estimate(segment.bits(rows.clone()), factors, &mut scores);
                let rows = rows.clone().zip(scores);
                rows.for_each(|(row, score)| each(score, (*number as u32, row as u32)));
            }
            Block::Some(rows) => {
                let segment = &self.segments[0];
                for &row in rows {
                    let one = row as usize..row as usize + 1;
                    probe.estimate(segment.bits(one.clone()), segment.factors(one), &mut scores);
                    scores.iter().for_each(|&score| each(score, (0, row)));
                }
            }
        }
    }

    /// The second pass: true scores, best first, ties by file id and chunk. A chunk of several rows counts once, by
    /// the nearest.
    fn compare(&self, probe: &Probe, rows: Vec<(f32, Place)>, most: usize) -> Vec<Near> {
        let near = |(_, (segment, row)): (f32, Place)| {
            let (segment, row) = (&self.segments[segment as usize], row as usize);
            let (bytes, scale) = segment.bytes(row);
            let less = if segment.is_part(row) { PART } else { 0.0 };
            Near { doc: segment.doc(row), score: cosine(probe, bytes, scale) - less }
        };
        let mut found: Vec<Near> = rows.into_iter().map(near).collect();
        found.sort_unstable_by(|a, b| b.score.total_cmp(&a.score).then(a.doc.cmp(&b.doc)));
        let mut seen = HashSet::new();
        found.retain(|near| seen.insert(near.doc));
        found.truncate(most);
        found
    }
}

/// How near a chunk is by its rows, that of the whole first.
pub fn nearest_of<'r>(probe: &Probe, rows: impl Iterator<Item = (&'r [u8], f32)>) -> Option<f32> {
    let less = std::iter::once(0.0).chain(std::iter::repeat(PART));
    let near = |((bytes, scale), less): ((&[u8], f32), f32)| cosine(probe, bytes, scale) - less;
    rows.zip(less).map(near).max_by(f32::total_cmp)
}

/// How near a row is. Machines add up in different orders; rounding keeps equal scores equal.
pub fn cosine(probe: &Probe, bytes: &[u8], scale: f32) -> f32 {
    (probe.exact(bytes, scale) * 1e4).round() / 1e4
}

enum Block {
    /// A run of rows of a segment.
    Run(usize, std::ops::Range<usize>),
    /// Rows here and there of the first segment.
    Some(Vec<u32>),
}

impl Block {
    fn rows(&self) -> usize {
        match self {
            Block::Run(_, rows) => rows.len(),
            Block::Some(rows) => rows.len(),
        }
    }
}

fn keep_best(rows: &mut Vec<(f32, Place)>, most: usize) {
    if rows.len() > most {
        rows.select_nth_unstable_by(most, |a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
        rows.truncate(most);
    }
}

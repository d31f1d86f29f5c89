//! Groups of chunks that mean alike: k-means over the rows of a segment.
//!
//! They name what a tree is about, and in a very large tree a search looks only at the groups
//! nearest to the question.

use std::fs::{self, File};
use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use wherein_corpus::{Digest, Stamp};
use wherein_encoder::{Probe, dot};

use crate::error::{Error, Result};
use crate::index::format::{sealed, unsealed};
use crate::index::pack::{PackRef, next_serial};
use crate::index::store::publish;
use crate::index::vectors::segment::Segment;

/// Rounds of k-means, and rows a cluster that it learns from.
const ROUNDS: usize = 8;
const LEARNT_FROM: usize = 64;

/// One cluster in this many is looked into by a search, but no fewer than [`LEAST_PROBED`].
const PROBED_SHARE: usize = 4;
const LEAST_PROBED: usize = 12;

/// The clusters of a segment.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Clusters {
    /// The middle of each, of length 1.
    pub centres: Vec<Vec<f32>>,
    /// The rows of each, in order.
    pub members: Vec<Vec<u32>>,
}

impl Clusters {
    /// Finds the clusters of a segment. The same rows give the same clusters.
    pub fn of(segment: &Segment) -> Clusters {
        let count = ((segment.rows as f64 / 2.0).sqrt().ceil() as usize).clamp(1, 4096);
        let sample = spread(segment.rows, count * LEARNT_FROM);
        let mut centres: Vec<Vec<f32>> =
            spread(segment.rows, count).into_iter().map(|row| vector(segment, row)).collect();
        for _ in 0..ROUNDS {
            let nearest: Vec<u32> =
                sample.par_iter().map(|&row| nearest(&centres, segment.bytes(row).0)).collect();
            centres = middles(segment, &sample, &nearest, centres);
        }
        let all: Vec<u32> = (0..segment.rows)
            .into_par_iter()
            .map(|row| nearest(&centres, segment.bytes(row).0))
            .collect();
        let mut members = vec![Vec::new(); centres.len()];
        for (row, &cluster) in all.iter().enumerate() {
            members[cluster as usize].push(row as u32);
        }
        Clusters { centres, members }
    }

    /// The rows of the clusters nearest to a question.
    pub fn nearest_rows(&self, probe: &Probe) -> Vec<u32> {
        let mut order: Vec<(f32, usize)> =
            self.centres.iter().map(|centre| probe.with(centre)).zip(0..).collect();
        order.sort_unstable_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
        let probed = (order.len() / PROBED_SHARE).max(LEAST_PROBED);
        let mut rows: Vec<u32> = order
            .into_iter()
            .take(probed)
            .flat_map(|(_, cluster)| self.members[cluster].iter().copied())
            .collect();
        rows.sort_unstable();
        rows
    }

    /// The number of the cluster nearest to a row, given by its bytes.
    pub fn nearest(&self, bytes: &[u8]) -> usize {
        nearest(&self.centres, bytes) as usize
    }

    /// Whether they may be those of a segment.
    pub fn fit(&self, segment: &Segment) -> bool {
        self.centres.len() == self.members.len()
            && self.centres.iter().all(|centre| centre.len() == segment.width)
            && self.members.iter().flatten().all(|&row| (row as usize) < segment.rows)
    }

    /// How many rows there are in all of them.
    pub fn rows(&self) -> usize {
        self.members.iter().map(Vec::len).sum()
    }

    /// Reads the clusters a list names.
    pub fn open(folder: &Path, named: &PackRef) -> Result<Clusters> {
        Unread::open(folder, named)?.read()
    }

    /// Writes them and says how a list should name them.
    pub fn write(&self, folder: &Path) -> Result<PackRef> {
        let bytes = sealed(self);
        let name = format!("{}-{}.clusters", Digest::of(&bytes).hex(), next_serial());
        let path = folder.join(&name);
        publish(&path, &bytes)?;
        let metadata = fs::metadata(&path).map_err(Error::write(&path))?;
        Ok(PackRef { name, stamp: Stamp::of(&metadata) })
    }
}

/// Clusters that are read when they are first asked for: a search of most trees looks at every row, and to read them
/// took a fiftieth of a question in a new process. The file is held, for a writer may tidy it away
/// meanwhile (which an open file does not hinder, on Windows neither).
pub struct Unread {
    path: PathBuf,
    file: File,
    clusters: OnceLock<Option<Clusters>>,
}

impl Unread {
    /// Opens the file a list names.
    pub fn open(folder: &Path, named: &PackRef) -> Result<Unread> {
        let path = folder.join(&named.name);
        let file = File::open(&path).map_err(|error| Error::damaged(&path, error))?;
        Ok(Unread { path, file, clusters: OnceLock::new() })
    }

    /// The clusters, if they are whole and fit a segment, which must be the same each time.
    pub fn of(&self, segment: &Segment) -> Option<&Clusters> {
        let read = || self.read().ok().filter(|it| it.fit(segment));
        self.clusters.get_or_init(read).as_ref()
    }

    fn read(&self) -> Result<Clusters> {
        let mut bytes = Vec::new();
        let read = (&self.file).read_to_end(&mut bytes);
        read.map_err(|error| Error::damaged(&self.path, error))?;
        let whole = unsealed(&bytes);
        whole.ok_or_else(|| Error::damaged(&self.path, "not whole clusters of this version"))
    }
}

/// At most `most` of `0..rows`, evenly spread.
fn spread(rows: usize, most: usize) -> Vec<usize> {
    let count = rows.min(most);
    (0..count).map(|n| n * rows / count.max(1)).collect()
}

fn vector(segment: &Segment, row: usize) -> Vec<f32> {
    let (bytes, scale) = segment.bytes(row);
    unit(bytes.iter().map(|&byte| f32::from(byte as i8) * scale).collect())
}

fn unit(mut vector: Vec<f32>) -> Vec<f32> {
    let length = vector.iter().map(|x| x * x).sum::<f32>().sqrt().max(f32::MIN_POSITIVE);
    vector.iter_mut().for_each(|x| *x /= length);
    vector
}

/// The centre nearest to a row; the first of several.
fn nearest(centres: &[Vec<f32>], bytes: &[u8]) -> u32 {
    let mut best = (f32::MIN, 0);
    for (number, centre) in centres.iter().enumerate() {
        let score = dot(centre, bytes);
        if score > best.0 {
            best = (score, number as u32);
        }
    }
    best.1
}

/// The middle of the rows nearest to each centre; a centre without rows stays.
fn middles(
    segment: &Segment,
    rows: &[usize],
    nearest: &[u32],
    before: Vec<Vec<f32>>,
) -> Vec<Vec<f32>> {
    let mut sums = vec![vec![0f32; segment.width]; before.len()];
    for (&row, &cluster) in rows.iter().zip(nearest) {
        let (bytes, scale) = segment.bytes(row);
        let sum = &mut sums[cluster as usize];
        sum.iter_mut().zip(bytes).for_each(|(sum, &byte)| *sum += f32::from(byte as i8) * scale);
    }
    let moved = |(sum, before): (Vec<f32>, Vec<f32>)| {
        if sum.iter().all(|x| *x == 0.0) { before } else { unit(sum) }
    };
    sums.into_iter().zip(before).map(moved).collect()
}

#[cfg(test)]
mod tests {
    use proptest::collection::vec;
    use proptest::prelude::*;
    use proptest::test_runner::Config;
    use wherein_encoder::Codec;

    use super::*;
    use crate::index::vectors::segment::{self, Doc, Row};

    /// A segment of vectors given by their angle.
    fn segment(folder: &Path, angles: &[f32]) -> Segment {
        let codec = Codec::new(2);
        let row = |(n, angle): (u32, &f32)| Row {
            doc: Doc { file: n, chunk: 0 },
            key: Digest::of(&n.to_le_bytes()),
            code: codec.code(&[angle.cos(), angle.sin()]),
        };
        let rows: Vec<Row> = (0..).zip(angles).map(row).collect();
        let rows = rows.iter().map(segment::Source::New).collect();
        let named = segment::write(folder, Digest::of(b"m"), &codec, rows).unwrap();
        Segment::open(folder, &named).unwrap()
    }

    /// Rows by their angle; those expected together.
    #[track_caller]
    fn check(angles: &[f32], expected: &[&[u32]]) {
        let folder = tempfile::tempdir().unwrap();
        let segment = segment(folder.path(), angles);
        let clusters = Clusters::of(&segment);
        assert_eq!(clusters.members, expected);
        assert!(clusters.fit(&segment));
        let named = clusters.write(folder.path()).unwrap();
        assert_eq!(Clusters::open(folder.path(), &named).unwrap(), clusters);
    }

    #[test]
    fn rows_that_point_the_same_way_are_together() {
        check(&[0.0, 0.1, 3.0, 3.1, 0.2, 3.2, 0.1, 3.0], &[&[0, 1, 4, 6], &[2, 3, 5, 7]]);
        check(&[1.0], &[&[0]]);
        check(&[1.0, 1.0], &[&[0, 1]]);
    }

    #[test]
    fn clusters_of_another_segment_do_not_fit() {
        let folder = tempfile::tempdir().unwrap();
        let small = segment(folder.path(), &[0.0, 3.0]);
        let of_large = Clusters::of(&segment(folder.path(), &[0.0, 3.0, 0.1, 3.1]));
        assert!(!of_large.fit(&small));
        let whole = Clusters::of(&small);
        assert!(!Clusters { centres: vec![vec![1.0]], ..whole.clone() }.fit(&small));
        assert!(!Clusters { members: Vec::new(), ..whole }.fit(&small));
    }

    proptest! {
        #![proptest_config(Config { cases: 64, failure_persistence: None, ..Config::default() })]

        /// Whether the seal holds or not.
        #[test]
        fn no_bytes_make_reading_panic(bytes in vec(any::<u8>(), 0..200)) {
            let folder = tempfile::tempdir().unwrap();
            let rows = segment(folder.path(), &[0.0, 1.0, 2.0, 3.0]);
            let probe = Probe::new(&Codec::new(2), &[1.0, 0.0]);
            let seal = sealed(&());
            let mut behind_seal = seal[..seal.len() - 16].to_vec();
            behind_seal.extend_from_slice(&Digest::of(&bytes).0);
            behind_seal.extend_from_slice(&bytes);
            for bytes in [&bytes, &behind_seal] {
                fs::write(folder.path().join("any"), bytes).unwrap();
                let named = PackRef { name: "any".to_owned(), stamp: Stamp::default() };
                if let Ok(clusters) = Clusters::open(folder.path(), &named)
                    && clusters.fit(&rows)
                {
                    clusters.nearest_rows(&probe);
                }
            }
        }
    }
}

//! What near vectors cost among many: `cargo run --release --example vector_speed -- FOLDER ROWS`.
//!
//! Makes up ROWS vectors of 384 numbers in a thousand heaps, writes them into FOLDER as an index keeps them, and
//! asks for the nearest 200 of two lists as a search does: looking at every row, and, with the word `clusters`
//! after ROWS, only at those of the nearest clusters. Says what a question takes by the clock and in CPU of
//! all threads, and how many of the nearest by all bytes it finds. FOLDER is left as it is, for a second run;
//! whoever made it removes it.

mod clock;

use std::collections::HashSet;
use std::error::Error;
use std::path::Path;
use std::time::Instant;

use rayon::prelude::*;
use wherein_corpus::Digest;
use wherein_encoder::{Codec, Probe};
use wherein_engine::Store;
use wherein_engine::index::store::TreePlace;
use wherein_engine::index::vectors::clusters::Clusters;
use wherein_engine::index::vectors::list::List;
use wherein_engine::index::vectors::segment::{self, Doc, Row, Source};
use wherein_engine::index::vectors::{Near, Vectors, cosine};

use clock::cpu_seconds;

const WIDTH: usize = 384;
const HEAPS: u64 = 1000;
const SEGMENT: usize = 1_000_000;
const MOST: usize = 200;
const ROUNDS: usize = 20;
const COMPARED: usize = 5;

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let (Some(folder), Some(rows)) = (arguments.next(), arguments.next()) else {
        return Err("name a folder and a number of rows".into());
    };
    let rows: usize = rows.parse()?;
    std::fs::create_dir_all(&folder)?;
    let folder = Path::new(&folder).canonicalize()?;
    let place = Store::at(&folder).tree(&folder);
    if List::load(&place).total() != rows as u64 {
        make(&place, rows)?;
    }
    if arguments.next().as_deref() == Some("clusters") && List::load(&place).clusters.is_none() {
        cluster(&place)?;
    }
    let vectors = Vectors::open(&place)?;
    let questions: Vec<Probe> = (0..ROUNDS as u64)
        .map(|n| Probe::new(vectors.codec(), &vector(n * 37 % HEAPS, u64::MAX - n)))
        .collect();
    let by = |probe: &Probe| vectors.nearest(probe, MOST, list_of);
    let all = |probe: &Probe| vectors.nearest_of_all(probe, MOST, list_of);
    ask("as a search of everything, for the first time", &questions, &by);
    let found_by = ask("the same again", &questions, &by);
    println!("{}", memory());
    ask("every row, for the first time", &questions, &all);
    let found_all = ask("the same again", &questions, &all);
    println!("{}", memory());
    let nearest: Vec<[Vec<Doc>; 2]> =
        questions[..COMPARED].iter().map(|probe| nearest_by_bytes(&vectors, probe)).collect();
    for (how, found) in [("as a search of everything", found_by), ("of every row", found_all)] {
        let [ten, most] = recall(&nearest, &found);
        println!("{how}: of the nearest 10 {ten:.3} found, of the nearest {MOST} {most:.3}");
    }
    Ok(())
}

/// Puts all rows into one segment and groups them, as the end of an encoding does.
fn cluster(place: &TreePlace) -> Result<(), Box<dyn Error>> {
    let (began, cpu) = (Instant::now(), cpu_seconds());
    let former = Vectors::open(place)?;
    let rows: Vec<Source> = former
        .segments()
        .iter()
        .flat_map(|segment| (0..segment.rows).map(move |row| Source::Old(segment, row)))
        .collect();
    let (folder, mut list) = (place.vectors(), former.list.clone());
    list.rows = vec![rows.len() as u32];
    list.segments = vec![segment::write(&folder, list.model_digest(), former.codec(), rows)?];
    list.publish(place)?;
    for segment in &former.list.segments {
        std::fs::remove_file(folder.join(&segment.name))?;
    }
    let merged = Vectors::open(place)?;
    let first = merged.segments().first().ok_or("there are no rows")?;
    list.clusters = Some(Clusters::of(first).write(&folder)?);
    list.publish(place)?;
    println!(
        "grouped in {:.0} s, {:.0} of CPU",
        began.elapsed().as_secs_f64(),
        cpu_seconds() - cpu
    );
    Ok(())
}

fn make(place: &TreePlace, rows: usize) -> Result<(), Box<dyn Error>> {
    let codec = Codec::new(WIDTH);
    let model = "made up".to_owned();
    let mut list = List { model, generation: 1, width: WIDTH as u32, ..List::default() };
    std::fs::create_dir_all(place.vectors())?;
    let (began, cpu) = (Instant::now(), cpu_seconds());
    for start in (0..rows).step_by(SEGMENT) {
        let row = |n: usize| Row {
            doc: Doc { file: (n / 8) as u32, chunk: (n % 8) as u32 },
            key: Digest::of(&n.to_le_bytes()),
            code: codec.code(&vector(n as u64 % HEAPS, n as u64)),
        };
        let some: Vec<Row> = (start..rows.min(start + SEGMENT)).into_par_iter().map(row).collect();
        let sources = some.iter().map(Source::New).collect();
        let folder = place.vectors();
        list.segments.push(segment::write(&folder, list.model_digest(), &codec, sources)?);
        list.rows.push(some.len() as u32);
    }
    list.publish(place)?;
    println!("made in {:.0} s, {:.0} of CPU", began.elapsed().as_secs_f64(), cpu_seconds() - cpu);
    Ok(())
}

/// A vector of a heap: its middle, and as much of its own.
fn vector(heap: u64, own: u64) -> Vec<f32> {
    let (mut a, mut b) = (Noise::of(heap), Noise::of(own.wrapping_add(1 << 40)));
    (0..WIDTH).map(|_| a.next() + b.next()).collect()
}

/// Numbers about zero, the same for the same seed.
struct Noise(u64);

impl Noise {
    fn of(seed: u64) -> Noise {
        Noise(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    /// Four even ones added up are nearly normal.
    fn next(&mut self) -> f32 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        let mixed = self.0.wrapping_mul(0x2545_f491_4f6c_dd1d);
        (0..4).map(|n| f32::from((mixed >> (16 * n)) as i16) / 32768.0).sum()
    }
}

/// The two lists of a search: three files in four are code.
fn list_of(file: u32) -> Option<usize> {
    Some(usize::from(file.is_multiple_of(4)))
}

type Found = [Vec<Near>; 2];

fn ask(how: &str, questions: &[Probe], with: &dyn Fn(&Probe) -> Found) -> Vec<Found> {
    let mut times = Vec::new();
    let mut found = Vec::new();
    let cpu = cpu_seconds();
    for probe in questions {
        let began = Instant::now();
        found.push(with(probe));
        times.push(began.elapsed().as_secs_f64() * 1e3);
    }
    let cpu = (cpu_seconds() - cpu) * 1e3 / questions.len() as f64;
    times.sort_by(f64::total_cmp);
    let at = |share: f64| times[(share * (times.len() - 1) as f64).round() as usize];
    println!("{how}: p50 {:.0} ms, p95 {:.0} ms, {cpu:.0} ms of CPU a question", at(0.5), at(0.95));
    found
}

/// How many of the nearest 10 and of all that were asked for were found.
fn recall(nearest: &[[Vec<Doc>; 2]], found: &[Found]) -> [f64; 2] {
    let share = |(nearest, found): (&[Vec<Doc>; 2], &Found), most: usize| {
        let found: HashSet<Doc> = found.iter().flatten().map(|near| near.doc).collect();
        let best: Vec<&Doc> = nearest.iter().flat_map(|it| it.iter().take(most)).collect();
        best.iter().filter(|doc| found.contains(doc)).count() as f64 / best.len() as f64
    };
    let mean = |most| nearest.iter().zip(found).map(|it| share(it, most)).sum::<f64>();
    [10, MOST].map(|most| mean(most) / nearest.len() as f64)
}

/// The nearest of each list by the bytes of every row.
fn nearest_by_bytes(vectors: &Vectors, probe: &Probe) -> [Vec<Doc>; 2] {
    let mut best = [Vec::new(), Vec::new()];
    for segment in vectors.segments() {
        let scored = |row: usize| {
            let (bytes, scale) = segment.bytes(row);
            (cosine(probe, bytes, scale), segment.doc(row))
        };
        let scored: Vec<(f32, Doc)> = (0..segment.rows).into_par_iter().map(scored).collect();
        for (score, doc) in scored {
            best[list_of(doc.file).unwrap_or(0)].push((score, doc));
        }
        for list in &mut best {
            list.sort_unstable_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
            list.truncate(MOST);
        }
    }
    best.map(|list| list.into_iter().map(|(_, doc)| doc).collect())
}

/// What of this process is in memory, and how much of that is files that are mapped.
fn memory() -> String {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let wanted = ["VmHWM", "RssAnon", "RssFile"];
    let lines = status.lines().filter(|line| wanted.iter().any(|name| line.starts_with(name)));
    lines
        .map(|line| line.split_whitespace().collect::<Vec<_>>().join(" "))
        .collect::<Vec<_>>()
        .join(", ")
}

//! The nearest rows against all rows compared one by one: real vectors, and many made-up ones in
//! clusters. What is written is the same every time.

use std::collections::HashSet;
use std::path::Path;

use wherein_corpus::Digest;
use wherein_encoder::{Codec, Model, Probe, Side};
use wherein_engine::index::vectors::clusters::Clusters;
use wherein_engine::index::vectors::encode::passages;
use wherein_engine::index::vectors::list::List;
use wherein_engine::index::vectors::segment::{self, Doc, Row};
use wherein_engine::index::vectors::{Near, Vectors};
use wherein_engine::search::weights::PART;
use wherein_engine::{Snapshot, encode, refresh};

use crate::encoders::{Fake, remembering};
use crate::project::{Project, files_under, word};

const PAGE: usize = 10;

/// The share of the true nearest ten that was found, over all questions.
fn recall(
    vectors: &Vectors,
    all: &[(Doc, Vec<f32>)],
    questions: &[Vec<f32>],
    allows: impl Fn(u32) -> bool + Sync,
) -> f64 {
    let mut found = 0;
    for question in questions {
        let probe = Probe::new(vectors.codec(), question);
        let list = |file| allows(file).then_some(0);
        let [near] = match all.iter().all(|(doc, _)| allows(doc.file)) {
            true => vectors.nearest::<1>(&probe, PAGE, list),
            false => vectors.nearest_of_all::<1>(&probe, PAGE, list),
        };
        assert!(near.len() <= PAGE && near.iter().all(|near| allows(near.doc.file)));
        assert!(near.windows(2).all(|pair| sorted(&pair[0], &pair[1])), "{near:?}");
        let truth = brute_force(all, question, &allows);
        found += truth.iter().filter(|doc| near.iter().any(|near| near.doc == **doc)).count();
    }
    found as f64 / (questions.len() * PAGE) as f64
}

/// Best first, ties by file id and chunk, no chunk twice.
fn sorted(a: &Near, b: &Near) -> bool {
    a.score > b.score || (a.score == b.score && a.doc < b.doc)
}

/// What comes behind another of the same chunk is a part of it.
fn brute_force(
    all: &[(Doc, Vec<f32>)],
    question: &[f32],
    allows: impl Fn(u32) -> bool,
) -> Vec<Doc> {
    let score = |vector: &[f32]| vector.iter().zip(question).map(|(x, y)| x * y).sum::<f32>();
    let mut whole = HashSet::new();
    let less = |doc: Doc| if whole.insert(doc) { 0.0 } else { PART };
    let less: Vec<f32> = all.iter().map(|(doc, _)| *doc).map(less).collect();
    let mut scored: Vec<(f32, Doc)> = all
        .iter()
        .zip(less)
        .filter(|((doc, _), _)| allows(doc.file))
        .map(|((doc, vector), less)| (score(vector) - less, *doc))
        .collect();
    scored.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
    let mut seen = HashSet::new();
    scored.retain(|(_, doc)| seen.insert(*doc));
    scored.truncate(PAGE);
    scored.into_iter().map(|(_, doc)| doc).collect()
}

/// Every chunk with its vector as the model gives it.
fn as_the_model_gives_them(index: &Snapshot, model: &Model) -> Vec<(Doc, Vec<f32>)> {
    let mut all = Vec::new();
    for file in &index.manifest.files {
        let chunks: Vec<u32> = (0..file.chunks).collect();
        let passages = passages(index, file, &chunks).unwrap();
        let texts: Vec<&str> = passages.iter().map(|(_, passage)| passage.text.as_str()).collect();
        let docs = passages.iter().map(|(chunk, _)| Doc { file: file.id, chunk: *chunk });
        all.extend(docs.zip(model.encode(&texts, Side::Passage).unwrap()));
    }
    all
}

#[test]
fn among_real_vectors_the_nearest_are_found() {
    let sources = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/index").canonicalize().unwrap();
    let elsewhere = Project::empty();
    let place = elsewhere.place.store.tree(&sources);
    refresh(&place, &elsewhere.settings, &|_, _| {}).unwrap();
    let model = remembering(Model::built_in());
    encode(&place, &model, &|_, _| {}, &|| true).unwrap();
    let index = Snapshot::open(&place).unwrap();
    let all = as_the_model_gives_them(&index, &model);
    assert!(all.len() >= 120, "{} passages", all.len());
    assert!(all.windows(2).any(|pair| pair[0].0 == pair[1].0), "some chunks have two");
    let questions = [
        "where is the lock taken",
        "a file that changed since it was written",
        "k-means over vectors",
        "how are words split into tokens",
        "reciprocal rank fusion",
        "remove files nobody names any more",
        "an answer without hits says why",
        "glob patterns for paths",
        "merge segments of similar size",
        "read the commit of the repository",
        "encode the question",
        "stem a word",
    ];
    let questions = model.encode(&questions, Side::Question).unwrap();
    let in_one_folder = |file: u32| index.file(file).is_some_and(|it| it.path.contains("vectors/"));
    for exact_rows in [usize::MAX, 0] {
        let vectors = Vectors::open(&place).unwrap().exact_up_to(exact_rows);
        assert_eq!(vectors.list.total() as usize, all.len());
        // Of chunks that are much alike, the last of a page may differ from its next by less than a
        // byte can say.
        let found = recall(&vectors, &all, &questions, |_| true);
        assert!(found >= 0.95, "{found} of the nearest of all, {exact_rows}");
        let found = recall(&vectors, &all, &questions, in_one_folder);
        assert!(found >= 0.95, "{found} in a folder, {exact_rows}");
    }
}

/// A sequence of numbers from -1 to 1 without pattern, always the same.
struct Numbers(u64);

impl Numbers {
    fn next(&mut self) -> f32 {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 40) as f32 / (1u64 << 23) as f32 - 1.0
    }

    /// A unit vector near another.
    fn near(&mut self, centre: &[f32], spread: f32) -> Vec<f32> {
        unit(centre.iter().map(|x| x + spread * self.next()).collect())
    }
}

fn unit(vector: Vec<f32>) -> Vec<f32> {
    let length = vector.iter().map(|x| x * x).sum::<f32>().sqrt();
    vector.into_iter().map(|x| x / length).collect()
}

const WIDTH: usize = 128;
const ROWS: usize = 6000;
const TOPICS: usize = 90;

/// Chunks with their vectors.
type Rows = Vec<(Doc, Vec<f32>)>;

/// Rows around some topics, a file of twenty chunks at a time, and questions about them.
fn topics() -> (Rows, Vec<Vec<f32>>) {
    let mut numbers = Numbers(7);
    let origin = vec![0.0; WIDTH];
    let topics: Vec<Vec<f32>> = (0..TOPICS).map(|_| numbers.near(&origin, 1.0)).collect();
    let row = |n: usize, numbers: &mut Numbers| {
        let doc = Doc { file: n as u32 / 20, chunk: n as u32 % 20 };
        (doc, numbers.near(&topics[n * 31 % TOPICS], 0.12))
    };
    let rows = (0..ROWS).map(|n| row(n, &mut numbers)).collect();
    let questions = (0..60).map(|n| numbers.near(&topics[n * 7 % TOPICS], 0.12)).collect();
    (rows, questions)
}

/// Publishes rows as segments of these sizes, the first one in clusters.
fn published(project: &Project, all: &[(Doc, Vec<f32>)], sizes: &[usize]) -> Vectors {
    let place = &project.place;
    std::fs::create_dir_all(place.vectors()).unwrap();
    let codec = Codec::new(WIDTH);
    let mut list = List { model: "made up".to_owned(), width: WIDTH as u32, ..List::default() };
    let mut rest = all;
    for &size in sizes {
        let (now, later) = rest.split_at(size);
        let row = |(doc, vector): &(Doc, Vec<f32>)| Row {
            doc: *doc,
            key: Digest::of(&[doc.file.to_le_bytes(), doc.chunk.to_le_bytes()].concat()),
            code: codec.code(vector),
        };
        let rows: Vec<Row> = now.iter().map(row).collect();
        let rows = rows.iter().map(segment::Source::New).collect();
        list.segments
            .push(segment::write(&place.vectors(), list.model_digest(), &codec, rows).unwrap());
        list.rows.push(size as u32);
        rest = later;
    }
    list.publish(place).unwrap();
    let opened = Vectors::open(place).unwrap();
    list.clusters = Some(Clusters::of(&opened.segments()[0]).write(&place.vectors()).unwrap());
    list.publish(place).unwrap();
    Vectors::open(place).unwrap()
}

#[test]
fn among_many_vectors_the_nearest_are_found() {
    let (all, questions) = topics();
    let project = Project::empty();
    for sizes in [&[ROWS][..], &[5000, 800, 200]] {
        let mut vectors = published(&project, &all, sizes);
        for exact_rows in [usize::MAX, 0] {
            vectors = vectors.exact_up_to(exact_rows);
            let found = recall(&vectors, &all, &questions, |_| true);
            assert!(found >= 0.98, "{found} of the nearest in {sizes:?}, {exact_rows}");
            let found = recall(&vectors, &all, &questions, |file| file % 3 == 1);
            assert!(found >= 0.98, "{found} of some files, {exact_rows}");
        }
    }
}

#[test]
fn each_row_is_in_one_cluster_and_few_rows_are_looked_at() {
    let (all, questions) = topics();
    let project = Project::empty();
    let vectors = published(&project, &all, &[ROWS]);
    let clusters = vectors.clusters().unwrap();
    let mut rows: Vec<u32> = clusters.members.concat();
    rows.sort_unstable();
    assert_eq!(rows, (0..ROWS as u32).collect::<Vec<_>>());
    let looked_at = clusters.nearest_rows(&Probe::new(vectors.codec(), &questions[0])).len();
    assert!(looked_at < ROWS / 2, "{looked_at} of {ROWS}");
    assert_eq!(Clusters::of(&vectors.segments()[0]), *clusters, "found again the same");
}

/// A list for each kind of file, filled from one pass.
#[test]
fn lists_are_kept_apart() {
    let (all, questions) = topics();
    let vectors = published(&Project::empty(), &all, &[ROWS]);
    let probe = Probe::new(vectors.codec(), &questions[0]);
    let apart: [Vec<Near>; 2] =
        vectors.nearest(&probe, 7, |file| (file < 250).then_some(file as usize % 2));
    for (number, list) in apart.iter().enumerate() {
        let alone: [Vec<Near>; 1] = vectors
            .nearest(&probe, 7, |file| (file < 250 && file as usize % 2 == number).then_some(0));
        assert_eq!(*list, alone[0]);
        assert_eq!(list.len(), 7);
    }
}

#[test]
fn a_chunk_with_two_rows_counts_once_and_equals_come_in_order() {
    let vector = unit(vec![1.0; WIDTH]);
    let doc = |n: u32| Doc { file: n / 3, chunk: n % 3 };
    let all: Vec<(Doc, Vec<f32>)> =
        (0..40).map(|n| (doc(n), vector.clone())).chain([(doc(3), vector.clone())]).collect();
    let vectors = published(&Project::empty(), &all, &[40, 1]);
    let probe = Probe::new(vectors.codec(), &vector);
    let [near] = vectors.nearest::<1>(&probe, 30, |_| Some(0));
    let docs: Vec<Doc> = near.iter().map(|near| near.doc).collect();
    assert_eq!(docs, (0..30).map(doc).collect::<Vec<_>>());
}

/// Also where a later segment holds some of a file's chunks anew, and where there are several rows of one.
#[test]
fn a_file_is_compared_as_its_chunks_are() {
    let (mut all, questions) = topics();
    let parts: Vec<(Doc, Vec<f32>)> = all.iter().step_by(7).cloned().collect();
    let anew = |(n, (doc, _)): (usize, &(Doc, Vec<f32>))| (*doc, all[n].1.clone());
    let anew: Vec<(Doc, Vec<f32>)> = all.iter().step_by(5).enumerate().map(anew).collect();
    let sizes = [all.len() + parts.len(), anew.len()];
    let files: HashSet<u32> = all.iter().map(|(doc, _)| doc.file).collect();
    all.extend(parts);
    all.extend(anew);
    let vectors = published(&Project::empty(), &all, &sizes);
    let probe = Probe::new(vectors.codec(), &questions[0]);
    for file in files.into_iter().chain([u32::MAX]) {
        for chunks in [0, 3, 99] {
            let one_by_one = (0..chunks).map(|chunk| vectors.score(&probe, Doc { file, chunk }));
            assert_eq!(vectors.scores(&probe, file, chunks), one_by_one.collect::<Vec<_>>());
        }
    }
}

/// Whoever opened vectors before others were published still finds the clusters they came with.
#[cfg(unix)]
#[test]
fn clusters_that_were_tidied_away_are_read_by_whoever_has_them_open() {
    let (all, _) = topics();
    let project = Project::empty();
    let before = published(&project, &all, &[ROWS]);
    for path in files_under(&project.place.vectors()) {
        std::fs::remove_file(path).unwrap();
    }
    assert_eq!(before.clusters().unwrap().rows(), ROWS);
    assert!(Vectors::open(&project.place).unwrap().clusters().is_none());
}

/// What the segments of a tree hold, oldest first.
fn segments(project: &Project) -> Vec<Vec<u8>> {
    let folder = project.place.vectors();
    let list = List::load(&project.place);
    list.files().map(|file| std::fs::read(folder.join(&file.name)).unwrap()).collect()
}

#[test]
fn two_encodings_of_a_tree_write_the_same_bytes() {
    let project = Project::empty();
    for n in 0..600 {
        project.write(&format!("{}.py", word(n)), format!("def {}(): pass\n", word(n)));
    }
    for project in [&project, &project.elsewhere()] {
        project.refresh();
        Fake::new("words", 64).encode(project);
    }
    assert_eq!(segments(&project).len(), 2, "a segment and its clusters");
    assert!(segments(&project) == segments(&project.elsewhere()));
    let sample = Project::indexed();
    for project in [&sample, &sample.elsewhere()] {
        project.refresh();
        encode(&project.place, &Model::built_in(), &|_, _| {}, &|| true).unwrap();
    }
    assert!(segments(&sample) == segments(&sample.elsewhere()));
    assert_eq!(files_under(&sample.place.vectors()).len(), 4, "list, lock, segment, clusters");
}

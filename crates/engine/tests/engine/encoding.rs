//! What is encoded, what is known already, and that the vectors of two models never mix.

use std::sync::{Mutex, OnceLock};

use wherein_engine::index::vectors::Vectors;
use wherein_engine::index::vectors::encode::covered;
use wherein_engine::search::query::{Mode, Query};
use wherein_engine::{Error, Meaning, encode, refresh};

use crate::encoders::Fake;
use crate::project::{Project, SAMPLE, word};

/// Chunks of the sample: one a file.
const ALL: usize = SAMPLE.len();

fn fake() -> Fake {
    Fake::new("words", 64)
}

/// A sample that is encoded, and the model that did it.
fn encoded() -> (Project, Fake) {
    let (project, fake) = (Project::indexed(), fake());
    assert_eq!(fake.catch_up(&project), (ALL, 0));
    (project, fake)
}

/// Many files of one chunk each.
fn crowd(count: usize) -> Project {
    let project = Project::empty();
    for n in 0..count {
        project.write(&format!("src/{}.py", word(n)), format!("def {}(): pass\n", word(n)));
    }
    project
}

/// Changes an encoded sample; what it costs to encode it anew.
#[track_caller]
fn check(change: impl Fn(&Project), encoded_and_known: (usize, usize)) {
    let (project, fake) = encoded();
    change(&project);
    assert_eq!(fake.catch_up(&project), encoded_and_known);
    assert_eq!(fake.catch_up(&project), (0, 0), "the second time there is nothing left");
}

#[test]
fn an_unchanged_tree_is_not_encoded_again() {
    check(|_| {}, (0, 0));
}

#[test]
fn a_touched_file_is_not_encoded_again() {
    check(|project| project.write(SAMPLE[0].0, SAMPLE[0].1), (0, 0));
}

#[test]
fn a_new_file_is_encoded_alone() {
    check(|project| project.write("src/more.py", "def more(): pass\n"), (1, 0));
}

#[test]
fn a_file_that_is_gone_costs_nothing() {
    check(|project| project.remove("src/cache.rs"), (0, 0));
}

/// Code is encoded with the words of its path, prose without.
#[test]
fn code_is_encoded_again_under_another_name_and_prose_is_not() {
    check(|project| project.rename("src/cache.rs", "src/store.rs"), (1, 0));
    check(|project| project.rename("docs/guide.md", "docs/book.md"), (0, 1));
}

/// Functions that fill a chunk each.
fn functions(bodies: [&str; 4]) -> String {
    let function = |(n, body): (usize, &&str)| {
        let line = format!("    weight = weighed(weight, {body}) + counted(weight)\n");
        format!("def {}(weight):\n{}\n\n", word(n), line.repeat(20))
    };
    bodies.iter().enumerate().map(function).collect()
}

#[test]
fn only_the_edited_chunk_of_a_file_is_encoded() {
    let (project, fake) = encoded();
    project.write("src/scale.py", functions(["once", "twice", "thrice", "often"]));
    assert_eq!(fake.catch_up(&project), (4, 0));
    project.write("src/scale.py", functions(["once", "never", "thrice", "often"]));
    project.refresh();
    let done = fake.encode(&project);
    assert_eq!((done.encoded, done.reused), (1, 3));
    let asked = fake.asked();
    assert!(asked[0].contains("never") && !asked[0].contains("once"), "{asked:?}");
    let moved = format!("# A line before\n{}", functions(["once", "never", "thrice", "often"]));
    project.write("src/scale.py", moved);
    assert_eq!(fake.catch_up(&project), (1, 3), "the chunk that took the line in");
}

#[test]
fn a_branch_that_comes_back_costs_nothing() {
    let (project, fake) = encoded();
    project.git(&["init", "-q"]);
    project.git(&["add", "."]);
    project.git(&["commit", "-q", "-m", "first"]);
    project.git(&["checkout", "-q", "-b", "other"]);
    project.write("src/cache.rs", "pub fn evict_newest() {}\n");
    project.write("src/more.py", "def more(): pass\n");
    project.git(&["add", "."]);
    project.git(&["commit", "-q", "-m", "second"]);
    assert_eq!(fake.catch_up(&project), (2, 0));
    for (branch, known) in [("main", 1), ("other", 2), ("main", 1), ("other", 2)] {
        project.git(&["checkout", "-q", branch]);
        assert_eq!(fake.catch_up(&project), (0, known), "{branch}");
    }
}

#[test]
fn a_second_tree_of_the_same_files_encodes_nothing() {
    let (project, fake) = encoded();
    let second = project.beside("clone").filled();
    assert_eq!(fake.catch_up(&second), (0, ALL));
    second.write("src/more.py", "def more(): pass\n");
    assert_eq!(fake.catch_up(&second), (1, 0));
    project.write("src/more.py", "def more(): pass\n");
    assert_eq!(fake.catch_up(&project), (0, 1), "the first learns from the second");
}

/// More than a batch, so that what is known must outlast the first batches of its use.
#[test]
fn other_settings_encode_nothing_again() {
    let (mut project, fake) = (crowd(700), fake());
    assert_eq!(fake.catch_up(&project), (700, 0));
    project.settings.walk.max_file_size += 1;
    assert_eq!(fake.catch_up(&project), (0, 700));
    project.settings.walk.max_file_size += 1;
    project.refresh();
    let batches = std::sync::atomic::AtomicUsize::new(0);
    let twice = || batches.fetch_add(1, std::sync::atomic::Ordering::Relaxed) < 2;
    let done = encode(&project.place, &fake.model, &|_, _| {}, &twice).unwrap();
    assert_eq!((done.encoded, done.with_vectors, done.chunks), (0, 512, 700));
    assert_eq!(fake.catch_up(&project), (0, 188), "interrupted, it goes on where it was");
    let list = Vectors::open(&project.place).unwrap().list;
    assert!(list.total() <= 1050, "{} rows for 700 chunks", list.total());
}

#[test]
fn an_interrupted_encoding_goes_on_where_it_was() {
    let (project, fake) = (crowd(600), fake());
    project.refresh();
    let once = OnceLock::new();
    let done = encode(&project.place, &fake.model, &|_, _| {}, &|| once.set(()).is_ok()).unwrap();
    assert_eq!((done.encoded, done.with_vectors), (256, 256));
    assert_eq!(fake.asked().len(), 256);
    assert_eq!(fake.catch_up(&project), (344, 0));
}

#[test]
fn a_failing_model_keeps_what_it_published() {
    let project = crowd(600);
    project.refresh();
    let broken = Fake::failing_after(300, "words", 64);
    let error = encode(&project.place, &broken.model, &|_, _| {}, &|| true).unwrap_err();
    assert!(error.to_string().contains("has had enough"), "{error}");
    assert_eq!(fake().catch_up(&project), (344, 0));
}

#[test]
fn another_model_encodes_everything_and_takes_nothing_over() {
    let (project, first) = encoded();
    let second = project.beside("clone").filled();
    for (id, width) in [("others", 64), ("wide", 100)] {
        let other = Fake::new(id, width);
        for tree in [&project, &second] {
            tree.refresh();
            let known = if tree.place.root == project.place.root { 0 } else { ALL };
            assert_eq!(other.catch_up(tree), (ALL - known, known), "{id}");
            let list = Vectors::open(&tree.place).unwrap().list;
            assert_eq!((list.model.as_str(), list.width as usize), (id, width));
        }
    }
    let snapshot = project.snapshot();
    let of_first = snapshot.vectors(&first.model).unwrap();
    assert_eq!(covered(&snapshot.manifest, of_first), 0);
}

/// One of two models that ask the same open index is refused.
#[test]
fn one_snapshot_never_mixes_two_models() {
    let (project, first) = encoded();
    let second = Fake::new("others", 64);
    let snapshot = project.snapshot();
    let query = Query { mode: Mode::Dense, ..Query::new("evict the oldest page") };
    let ask = |fake: &Fake| wherein_engine::search(&snapshot, &fake.meaning(), &query);
    assert_eq!(ask(&first).unwrap().hits.len(), ALL);
    let error = ask(&second).unwrap_err();
    assert!(matches!(&error, Error::NoModel(why) if why.contains("words")), "{error}");
}

/// Fails because the vectors have another width, and changes nothing.
#[track_caller]
fn check_refused(project: &Project, other: &Fake, before: usize, now: usize) {
    let published = Vectors::open(&project.place).unwrap().list;
    let error = encode(&project.place, &other.model, &|_, _| {}, &|| true).unwrap_err();
    let widths = matches!(error, Error::Width { before: b, now: n } if (b, n) == (before, now));
    assert!(widths, "{error}");
    assert!(error.to_string().contains("name it anew"), "{error}");
    assert_eq!(Vectors::open(&project.place).unwrap().list, published);
}

#[test]
fn the_same_name_for_vectors_of_another_width_is_an_error() {
    let (project, _) = encoded();
    project.write("src/more.py", "def more(): pass\n");
    project.refresh();
    let other = Fake::new("words", 32);
    check_refused(&project, &other, 64, 32);
    let snapshot = project.snapshot();
    let ask = |mode| {
        let query = Query { mode, ..Query::new("evict the oldest page") };
        wherein_engine::search(&snapshot, &other.meaning(), &query)
    };
    let answer = ask(Mode::Hybrid).unwrap();
    assert_eq!(answer.hits, ask(Mode::Lexical).unwrap().hits);
    let because = answer.dense_off_because.unwrap();
    assert!(because.contains("vectors of 32 numbers where it gave 64 before"), "{because}");
    assert!(matches!(ask(Mode::Dense), Err(Error::Width { before: 64, now: 32 })));
}

#[test]
fn a_width_that_another_tree_knows_better_is_an_error() {
    let (project, _) = encoded();
    let second = project.beside("clone").filled();
    second.write("src/more.py", "def more(): pass\n");
    second.refresh();
    check_refused(&second, &Fake::new("words", 32), 64, 32);
    assert_eq!(second.find("evict_oldest"), ["src/cache.rs"]);
    assert_eq!(fake().catch_up(&second), (1, ALL));
}

/// A search that meets vectors of an earlier generation makes some of another width.
#[test]
fn vectors_made_while_answering_do_not_spoil_those_of_another_width() {
    let (mut project, _) = encoded();
    project.settings.walk.max_file_size += 1;
    project.refresh();
    let query = Query::new("evict the oldest page");
    let other = Fake::new("words", 32);
    wherein_engine::search(&project.snapshot(), &other.meaning(), &query).unwrap();
    assert_eq!(fake().catch_up(&project), (0, ALL));
}

#[test]
fn files_that_come_while_encoding_are_encoded_too() {
    let (project, fake) = (Project::indexed(), fake());
    let once = OnceLock::new();
    let beside = |_, _| {
        if once.set(()).is_ok() {
            project.write("src/more.py", "def more(): pass\n");
            project.remove("src/cache.rs");
            assert_eq!(project.refresh().indexed, 1, "a refresh does not wait for the encoder");
            let query = Query::new("def more");
            let answer = wherein_engine::search(&project.snapshot(), &fake.meaning(), &query);
            assert_eq!(answer.unwrap().hits[0].path, "src/more.py", "nor does a search");
        }
    };
    let done = encode(&project.place, &fake.model, &beside, &|| true).unwrap();
    assert!(once.get().is_some());
    assert_eq!((done.with_vectors, done.chunks), (ALL as u64, ALL as u64));
    let query = Query { mode: Mode::Dense, limit: 1, ..Query::new("def more") };
    let answer = wherein_engine::search(&project.snapshot(), &fake.meaning(), &query).unwrap();
    assert_eq!(answer.hits[0].path, "src/more.py");
}

#[test]
fn an_encoder_does_not_wait_for_a_refresh() {
    let (project, fake) = (Project::indexed(), fake());
    project.write("src/more.py", "def more(): pass\n");
    let done = OnceLock::new();
    let beside = |_, _| {
        done.get_or_init(|| fake.encode(&project).encoded);
    };
    refresh(&project.place, &project.settings, &beside).unwrap();
    assert_eq!(done.get(), Some(&ALL), "what the last snapshot held");
    fake.asked();
    assert_eq!(fake.catch_up(&project), (1, 0));
}

#[test]
fn of_two_encoders_one_is_told_so() {
    let (project, fake) = (Project::indexed(), fake());
    let rival = |_, _| {
        let second = encode(&project.place, &fake.model, &|_, _| {}, &|| true);
        assert!(matches!(second, Err(Error::Busy(_))), "{second:?}");
    };
    encode(&project.place, &fake.model, &rival, &|| true).unwrap();
    assert_eq!(fake.encode(&project).with_vectors, ALL as u64);
}

#[test]
fn a_tree_that_is_not_indexed_cannot_be_encoded() {
    let fake = fake();
    let error = encode(&Project::sample().place, &fake.model, &|_, _| {}, &|| true).unwrap_err();
    assert!(matches!(error, Error::Missing(_)), "{error}");
}

/// A file that changed after it was indexed is left for the next refresh.
#[test]
fn a_file_changed_since_it_was_indexed_is_not_encoded() {
    let (project, fake) = (Project::indexed(), fake());
    project.write("src/cache.rs", "pub fn evict_newest() {}\n");
    project.remove("web/session.js");
    let done = fake.encode(&project);
    assert_eq!((done.encoded, done.with_vectors, done.chunks), (ALL - 2, 2, ALL as u64));
    assert!(!fake.asked().iter().any(|text| text.contains("evict")));
    assert_eq!(fake.catch_up(&project), (1, 0));
}

/// A process that has the index open since before it was built anew still answers from it.
#[test]
fn an_old_view_does_not_spoil_newer_vectors() {
    let (mut project, fake) = (crowd(300), fake());
    project.refresh();
    let held = project.snapshot();
    project.settings.walk.max_file_size += 1;
    assert_eq!(fake.catch_up(&project), (300, 0));
    let query = Query::new(format!("def {}", word(7)));
    wherein_engine::search(&held, &fake.meaning(), &query).unwrap();
    let snapshot = project.snapshot();
    assert_eq!(covered(&snapshot.manifest, snapshot.vectors(&fake.model).unwrap()), 300);
}

/// The same within one generation: to the old view most vectors belong to files it never saw.
#[test]
fn an_old_view_does_not_take_newer_files_for_dead() {
    let (project, fake) = (crowd(70), fake());
    project.refresh();
    let held = project.snapshot();
    let query = Query::new("pass");
    let ask = |go_on| {
        let meaning = Meaning::On { model: &fake.model, go_on };
        wherein_engine::search(&held, &meaning, &query).unwrap();
    };
    ask(&|| false);
    let grow = |files: std::ops::Range<usize>| {
        for n in files {
            project.write(&format!("src/{}.py", word(n)), format!("def {}(): pass\n", word(n)));
        }
        fake.asked();
        fake.catch_up(&project)
    };
    assert_eq!(grow(70..1570), (1570, 0));
    // Segments of 256 and of 124 rows, which 64 more are merged with.
    assert_eq!(grow(1570..1950), (380, 0));
    ask(&|| true);
    assert_eq!(fake.asked().len(), 1 + 64, "the question and what may answer it");
    assert_eq!(fake.catch_up(&project), (0, 0));
}

#[test]
fn an_index_is_not_cleared_under_an_encoder() {
    let (project, fake) = (Project::indexed(), fake());
    let clear = |_, _| assert!(matches!(project.place.clear(), Err(Error::Busy(_))));
    let done = encode(&project.place, &fake.model, &clear, &|| true).unwrap();
    assert_eq!(done.with_vectors, ALL as u64);
    assert!(project.place.clear().unwrap() && !project.place.folder.exists());
}

#[test]
fn progress_goes_from_what_is_there_to_all() {
    let (project, fake) = (crowd(600), fake());
    project.refresh();
    let seen = Mutex::new(Vec::new());
    let progress = |done, total| seen.lock().unwrap().push((done, total));
    encode(&project.place, &fake.model, &progress, &|| true).unwrap();
    let seen = seen.into_inner().unwrap();
    assert!(seen.is_sorted() && seen.iter().all(|(_, total)| *total == 600), "{seen:?}");
    assert_eq!((seen[0].0, seen.last().unwrap().0), (32, 600), "{seen:?}");
}

/// Some services refuse an empty text.
#[test]
fn nothing_blank_is_encoded() {
    let (project, fake) = (Project::indexed(), fake());
    for (path, text) in
        [("a.md", "\n\n  \n"), ("b.md", ""), ("c.rs", "\n\n"), ("d.txt", " \n"), ("e.md", "#\n")]
    {
        project.write(path, text);
    }
    project.refresh();
    fake.encode(&project);
    let asked = fake.asked();
    assert!(asked.iter().all(|text| !text.trim().is_empty()), "{asked:?}");
}

//! Vectors are a cache too: whatever happens to their files, words answer, and the next encoding
//! makes them again.

use std::fs;

use wherein_engine::index::vectors::Vectors;
use wherein_engine::search::query::{Mode, Query};
use wherein_engine::{Meaning, encode};

use crate::damage::DAMAGES;
use crate::encoders::Fake;
use crate::project::{Project, SAMPLE, files_under, spans};

/// Every file of the vectors but the lock.
fn files_of(project: &Project) -> Vec<std::path::PathBuf> {
    let mut files = files_under(&project.place.vectors());
    files.retain(|path| !path.ends_with("lock"));
    files.sort_by_key(|path| path.extension().map(ToOwned::to_owned));
    files
}

/// Where a question leads in each mode, without anything being encoded but the question.
fn views(project: &Project, fake: &Fake) -> [Vec<String>; 3] {
    [Mode::Lexical, Mode::Hybrid, Mode::Dense].map(|mode| {
        let query = Query { mode, ..Query::new("evict the oldest page") };
        let meaning = Meaning::On { model: &fake.model, go_on: &|| false };
        spans(&wherein_engine::search(&project.snapshot(), &meaning, &query).unwrap())
    })
}

#[test]
fn damage_to_any_file_of_the_vectors_is_noticed_and_repaired() {
    let (project, fake) = (Project::indexed(), Fake::new("words", 64));
    fake.catch_up(&project);
    let whole = views(&project, &fake);
    assert_eq!((whole[0][0].as_str(), whole[2].len()), ("src/cache.rs:1-6", SAMPLE.len()));
    assert_eq!(files_of(&project).len(), 3, "list, segment, clusters");
    for number in 0..3 {
        for (damage, apply) in DAMAGES {
            project.settle();
            let path = &files_of(&project)[number];
            let what = format!("{} {damage}", path.display());
            apply(path);
            let [by_words, both, _] = views(&project, &fake);
            assert_eq!((&by_words, &both[0]), (&whole[0], &whole[0][0]), "{what}");
            assert_eq!(project.refresh().indexed, 0, "{what}: the full text is as it was");
            let done = fake.encode(&project);
            assert_eq!(done.with_vectors, SAMPLE.len() as u64, "{what}");
            assert_eq!(views(&project, &fake), whole, "{what}");
            assert_eq!(files_of(&project).len(), 3, "{what}: nothing is left behind");
        }
    }
}

/// Clusters are found again from the vectors, which took much longer to make.
#[test]
fn damaged_clusters_cost_no_encoding() {
    let (project, fake) = (Project::indexed(), Fake::new("words", 64));
    fake.catch_up(&project);
    for (damage, apply) in DAMAGES {
        apply(&files_of(&project)[1]);
        assert_eq!(views(&project, &fake)[2].len(), SAMPLE.len(), "{damage}");
        fake.asked();
        assert_eq!(fake.catch_up(&project), (0, 0), "{damage}");
        assert!(Vectors::open(&project.place).unwrap().clusters().is_some(), "{damage}");
    }
}

#[test]
fn leftovers_of_a_killed_encoder_are_harmless_and_tidied() {
    let (project, fake) = (Project::indexed(), Fake::new("words", 64));
    fake.catch_up(&project);
    let whole = views(&project, &fake);
    let leftovers = ["9-9.new", "list.new", "9-9-9.vec", "0123.clusters", "ä"];
    for name in leftovers {
        fs::write(project.place.vectors().join(name), "half of something").unwrap();
    }
    assert_eq!(views(&project, &fake), whole);
    project.write("src/more.py", "def more(): pass\n");
    fake.asked();
    assert_eq!(fake.catch_up(&project), (1, 0));
    for name in leftovers {
        assert!(!project.place.vectors().join(name).exists(), "{name}");
    }
}

#[test]
fn a_folder_where_a_file_should_be_does_not_stop_a_search() {
    let (project, fake) = (Project::indexed(), Fake::new("words", 64));
    fake.catch_up(&project);
    let whole = views(&project, &fake);
    for number in 0..3 {
        let path = &files_of(&project)[number];
        fs::remove_file(path).unwrap();
        fs::create_dir(path).unwrap();
        assert_eq!(views(&project, &fake)[0], whole[0]);
        let answer = Query::new("evict the oldest page");
        let answer = wherein_engine::search(&project.snapshot(), &fake.meaning(), &answer).unwrap();
        assert_eq!(answer.hits[0].path, "src/cache.rs");
        let _ = encode(&project.place, &fake.model, &|_, _| {}, &|| true);
        if path.is_dir() {
            fs::remove_dir(path).unwrap();
        }
        fake.encode(&project);
        assert_eq!(views(&project, &fake), whole);
    }
}

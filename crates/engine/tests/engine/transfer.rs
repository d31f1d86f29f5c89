//! The work of one machine for another: the same bytes whoever makes them, and none of it done twice.

use std::fs;

use wherein_engine::Error;
use wherein_engine::index::transfer::{export, import};
use wherein_engine::index::vectors::encode::adopt;

use crate::encoders::Fake;
use crate::project::{Project, SAMPLE, files_under};

fn exported(project: &Project) -> Vec<u8> {
    let mut bytes = Vec::new();
    export(&project.snapshot(), &project.settings, &mut bytes).unwrap();
    bytes
}

fn encoded() -> (Project, Fake) {
    let (project, fake) = (Project::indexed(), Fake::new("words", 64));
    fake.catch_up(&project);
    (project, fake)
}

#[test]
fn the_same_tree_gives_the_same_bytes_wherever_and_however_it_came_about() {
    let (first, fake) = encoded();
    let elsewhere = Project::empty();
    let second = elsewhere.beside("another/name");
    second.write("gone.py", "def gone(): pass\n");
    second.refresh();
    fake.catch_up(&second);
    second.remove("gone.py");
    for (path, text) in SAMPLE.iter().rev() {
        second.write(path, text);
        second.refresh();
    }
    fake.catch_up(&second);
    let bytes = exported(&first);
    assert_eq!(bytes, exported(&second));
    assert_eq!(bytes, exported(&first));
    let plain = zstd::decode_all(&bytes[12..]).unwrap();
    let holds = |what: &[u8]| plain.windows(what.len()).any(|window| window == what);
    let root = first.place.root.to_string_lossy().into_owned();
    assert!(!holds(root.as_bytes()) && !holds(b"src/cache.rs"), "no path is in it");
    assert!(holds(b"evict_oldest"));
}

#[test]
fn what_is_imported_is_neither_parsed_nor_encoded() {
    let (first, fake) = encoded();
    let bytes = exported(&first);
    let other = Project::sample();
    other.write("src/more.py", "def more(): pass\n");
    other.remove("web/session.js");
    let (contents, rows) = import(&other.place, bytes.as_slice()).unwrap();
    assert_eq!((contents.parses, contents.vectors), (SAMPLE.len(), SAMPLE.len()));
    let work = other.refresh();
    assert_eq!((work.read, work.parsed), (SAMPLE.len(), 1), "only what differs is parsed");
    assert_eq!(adopt(&other.place, &fake.model, rows).unwrap(), SAMPLE.len());
    fake.asked();
    assert_eq!(fake.catch_up(&other), (1, SAMPLE.len() - 1));
    assert_eq!(other.find("evict_oldest"), ["src/cache.rs"]);
}

#[test]
fn an_import_twice_leaves_one_copy() {
    let (first, fake) = encoded();
    let bytes = exported(&first);
    let other = Project::sample();
    for added in [SAMPLE.len(), 0] {
        let (_, rows) = import(&other.place, bytes.as_slice()).unwrap();
        other.refresh();
        assert_eq!(adopt(&other.place, &fake.model, rows).unwrap(), added);
    }
    assert_eq!(files_under(&other.place.store.parsed()).len(), 1);
}

#[test]
fn vectors_of_another_model_are_left_alone() {
    let (first, _) = encoded();
    let bytes = exported(&first);
    let (other, stranger) = (Project::indexed(), Fake::new("strange", 64));
    let (_, rows) = import(&other.place, bytes.as_slice()).unwrap();
    assert_eq!(adopt(&other.place, &stranger.model, rows).unwrap(), 0);
    assert_eq!(stranger.catch_up(&other), (SAMPLE.len(), 0));
}

#[test]
fn a_file_that_is_not_whole_leaves_nothing_behind() {
    let (first, _) = encoded();
    let bytes = exported(&first);
    let other = Project::sample();
    let mut spoilt: Vec<Vec<u8>> =
        (0..40).map(|n| bytes[..n * bytes.len() / 40].to_vec()).collect();
    for n in 0..60 {
        let mut changed = bytes.clone();
        changed[n * bytes.len() / 60] ^= 1 << (n % 8);
        spoilt.push(changed);
    }
    for (n, bytes) in spoilt.iter().enumerate() {
        let imported = import(&other.place, bytes.as_slice());
        assert!(matches!(imported, Err(Error::Transfer(_))), "{n}");
    }
    assert_eq!(fs::read_dir(other.place.store.parsed()).into_iter().flatten().count(), 0);
}

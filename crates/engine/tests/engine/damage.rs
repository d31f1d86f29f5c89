//! The index is a cache: whatever happens to it costs a rebuild, never a panic or a wrong answer.

use std::fs::{self, File};
use std::path::{Path, PathBuf};

use wherein_engine::search::answer::Answer;
use wherein_engine::search::query::Query;
use wherein_engine::{Error, Result, Snapshot, Work};

use crate::project::{Project, SAMPLE, files_under, search, spans};

pub type Damage = (&'static str, fn(&Path));

pub const DAMAGES: &[Damage] = &[
    ("deleted", |path| fs::remove_file(path).unwrap()),
    ("emptied", |path| fs::write(path, "").unwrap()),
    ("truncated by a byte", |path| truncate(path, |size| size.saturating_sub(1))),
    ("truncated by half", |path| truncate(path, |size| size / 2)),
    ("made longer", |path| {
        let bytes = [fs::read(path).unwrap(), b"more".to_vec()].concat();
        fs::write(path, bytes).unwrap();
    }),
    ("overwritten", |path| {
        let size = fs::metadata(path).unwrap().len();
        fs::write(path, (0..size).map(|n| (n * 131 + 7) as u8).collect::<Vec<_>>()).unwrap();
    }),
    ("overwritten in the middle", |path| {
        let mut bytes = fs::read(path).unwrap();
        let middle = bytes.len() / 2;
        bytes[middle..].iter_mut().take(16).for_each(|byte| *byte ^= 0xFF);
        fs::write(path, bytes).unwrap();
    }),
];

fn truncate(path: &Path, size: fn(u64) -> u64) {
    let file = File::options().write(true).open(path).unwrap();
    file.set_len(size(file.metadata().unwrap().len())).unwrap();
}

/// Every file of the index but the lock, whose content means nothing, and the graph, which no search
/// reads: `graph_at_rest` is about that.
fn files_of(project: &Project) -> Vec<PathBuf> {
    let mut files = files_under(&project.place.folder);
    files.retain(|path| !path.ends_with("lock") && !path.starts_with(project.place.graph()));
    let packs = project.snapshot().manifest.packs;
    files.extend(packs.iter().map(|pack| project.place.store.parsed().join(&pack.name)));
    files
}

fn ask(project: &Project) -> Result<Answer> {
    search(&Snapshot::open(&project.place)?, &Query::new("evict the oldest page"))
}

#[test]
fn damage_to_any_file_is_noticed_and_repaired() {
    let project = Project::indexed();
    let expected = spans(&ask(&project).unwrap());
    assert_eq!(expected[0], "src/cache.rs:1-6");
    for number in 0..files_of(&project).len() {
        for (damage, apply) in DAMAGES {
            project.settle();
            let path = &files_of(&project)[number];
            let what = format!("{} {damage}", path.display());
            apply(path);
            let noticed = ask(&project).expect_err(&what);
            assert!(matches!(noticed, Error::Damaged { .. } | Error::Missing(_)), "{what}");
            let work = project.refresh();
            assert_eq!(work.indexed, SAMPLE.len(), "{what}");
            assert_eq!(work.rebuilt.is_some(), !matches!(noticed, Error::Missing(_)), "{what}");
            assert_eq!(spans(&ask(&project).unwrap()), expected, "{what}");
        }
    }
}

#[test]
fn the_reason_for_a_rebuild_names_the_file() {
    let project = Project::indexed();
    fs::write(project.place.manifest(), "not a manifest").unwrap();
    let reason = project.refresh().rebuilt.unwrap();
    assert!(reason.contains("manifest") && reason.contains("damaged"), "{reason}");
}

#[test]
fn a_lost_index_is_a_first_index() {
    let project = Project::indexed();
    fs::remove_dir_all(project.place.folder.ancestors().nth(2).unwrap()).unwrap();
    assert!(matches!(ask(&project), Err(Error::Missing(_))));
    let all = SAMPLE.len();
    let work = Work { read: all, parsed: all, indexed: all, ..Work::default() };
    assert_eq!(project.refresh(), work);
}

#[test]
fn a_manifest_of_another_tree_is_not_trusted() {
    let first = Project::indexed();
    let second = first.beside("other").filled();
    second.refresh();
    fs::copy(first.place.manifest(), second.place.manifest()).unwrap();
    assert!(matches!(Snapshot::open(&second.place), Err(Error::Damaged { .. })));
    assert!(second.refresh().rebuilt.is_some());
}

/// What stands in the folders after a writer was killed at various moments.
#[test]
fn leftovers_of_a_killed_writer_are_harmless_and_tidied() {
    let project = Project::indexed();
    let expected = spans(&ask(&project).unwrap());
    let segments = project.place.segments();
    let leftovers = [
        project.place.folder.join("manifest.new"),
        segments.join("0123456789abcdef0123456789abcdef.idx"),
        segments.join("0123456789abcdef0123456789abcdef.store"),
        segments.join(".tmpAbCdEf"),
        segments.join("meta.json"),
        segments.join("ä"),
    ];
    for path in &leftovers {
        fs::write(path, "half of something").unwrap();
    }
    fs::write(project.place.store.parsed().join("9-9.pack"), "half of a pack").unwrap();
    fs::write(project.place.store.parsed().join("9-9.new"), "half of a pack").unwrap();
    assert_eq!(spans(&ask(&project).unwrap()), expected);
    project.write("src/more.py", "def more(): pass\n");
    let work = project.refresh();
    assert_eq!((work.indexed, work.rebuilt), (1, None));
    assert_eq!(spans(&ask(&project).unwrap()), expected);
    for path in leftovers {
        assert!(!path.exists(), "{}", path.display());
    }
}

/// Killed between writing the full text and publishing it: the next writer starts from the same
/// state and would give its files the same names.
#[test]
fn a_writer_may_repeat_what_a_killed_one_did() {
    let project = Project::indexed();
    let published = fs::read(project.place.manifest()).unwrap();
    project.write("src/cache.rs", "pub fn evict_newest() {}\n");
    project.refresh();
    assert!(project.snapshot().manifest.seals.iter().any(|seal| seal.name.ends_with(".del")));
    fs::write(project.place.manifest(), published).unwrap();
    assert_eq!(project.refresh().rebuilt, None);
    assert_eq!(project.find("evict_newest"), ["src/cache.rs"]);
    assert_eq!(project.find("evict_oldest"), ["src/cache.rs"], "by its other word");
}

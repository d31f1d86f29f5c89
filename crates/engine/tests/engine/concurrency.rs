//! Readers never wait and never see half of anything; of several writers one works.

use std::fs::File;
use std::process::Command;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, SystemTime};

use wherein_engine::search::query::Query;
use wherein_engine::{Error, Snapshot, refresh};

use crate::project::{Project, SAMPLE, files_under, search, spans, word};

/// Where each of a few questions leads in one snapshot.
fn view(snapshot: &Snapshot) -> Vec<(Vec<String>, Vec<f32>)> {
    let ask = |words| search(snapshot, &Query::new(words)).unwrap();
    ["upload", "evict oldest page", "session token", "edited"]
        .map(ask)
        .iter()
        .map(|answer| (spans(answer), answer.hits.iter().map(|hit| hit.score).collect()))
        .collect()
}

#[test]
fn a_reader_keeps_its_view_while_a_writer_publishes() {
    let project = Project::indexed();
    let held = project.snapshot();
    let before = view(&held);
    for round in 0..12 {
        project.write("src/cache.rs", format!("pub fn {}() {{}}\n", word(round)));
        project.refresh();
        assert_eq!(view(&held), before, "after {round} publications");
        assert_eq!(project.find(&word(round)), ["src/cache.rs"]);
    }
}

/// Packs older than an hour go as soon as no manifest names them; a reader may still hold one.
#[test]
fn a_reader_keeps_its_packs_when_they_are_replaced_by_others() {
    let project = Project::indexed();
    for pack in files_under(&project.place.store.parsed()) {
        let file = File::options().write(true).open(pack).unwrap();
        file.set_modified(SystemTime::now() - Duration::from_secs(2 * 3600)).unwrap();
    }
    project.refresh();
    let held = project.snapshot();
    for (path, _) in SAMPLE {
        project.write(path, "nothing of what was here\n");
    }
    project.refresh();
    assert_eq!(spans(&search(&held, &Query::new("evict_oldest")).unwrap()), ["src/cache.rs:1-6"]);
}

#[test]
fn a_reader_keeps_answering_after_the_index_was_cleared() {
    let project = Project::indexed();
    let held = project.snapshot();
    let before = view(&held);
    project.place.clear().unwrap();
    assert_eq!(view(&held), before);
    assert!(matches!(Snapshot::open(&project.place), Err(Error::Missing(_))));
}

#[test]
fn while_one_writer_works_the_others_are_told_so() {
    let project = Project::sample();
    let rivals = |_, _| {
        thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| assert!(matches!(project.try_refresh(), Err(Error::Busy(_)))));
            }
            scope.spawn(|| assert!(matches!(project.place.clear(), Err(Error::Busy(_)))));
        });
    };
    let work = refresh(&project.place, &project.settings, &rivals).unwrap();
    assert_eq!(work.indexed, SAMPLE.len());
    assert_eq!(project.find("evict_oldest"), ["src/cache.rs"]);
}

#[test]
fn writers_of_different_trees_do_not_wait_for_each_other() {
    let first = Project::sample();
    let second = first.beside("clone").filled();
    let other = OnceLock::new();
    let beside = |_, _| {
        other.get_or_init(|| second.refresh().indexed);
    };
    refresh(&first.place, &first.settings, &beside).unwrap();
    assert_eq!(other.get(), Some(&SAMPLE.len()));
    for project in [&first, &second] {
        assert_eq!(project.find("evict_oldest"), ["src/cache.rs"]);
    }
}

/// A process about to start another shares its open files with it for a moment.
#[test]
fn a_lock_let_go_is_free_whatever_other_threads_start() {
    let project = Project::sample();
    let done = AtomicBool::new(false);
    thread::scope(|scope| {
        scope.spawn(|| {
            while !done.load(Ordering::Relaxed) {
                Command::new("git").arg("--version").output().unwrap();
            }
        });
        let busy = (0..3000).filter(|_| project.place.lock().is_err()).count();
        done.store(true, Ordering::Relaxed);
        assert_eq!(busy, 0);
    });
}

#[test]
fn writers_and_readers_at_once_corrupt_nothing() {
    let project = Project::indexed();
    let done = AtomicBool::new(false);
    thread::scope(|scope| {
        for _ in 0..3 {
            scope.spawn(|| write_until(&done, &project));
            scope.spawn(|| read_until(&done, &project));
        }
        for round in 0..25 {
            project.write("src/cache.rs", format!("pub fn {}() {{}}\n", word(round)));
            thread::sleep(Duration::from_millis(40));
        }
        done.store(true, Ordering::Relaxed);
    });
    assert_eq!(project.refresh().rebuilt, None);
    assert_eq!(project.find(&word(24)), ["src/cache.rs"]);
    assert_eq!(project.find(&word(23)), [""; 0]);
    assert_eq!(project.find("session token")[0], "web/session.js");
}

fn write_until(done: &AtomicBool, project: &Project) {
    while !done.load(Ordering::Relaxed) {
        match project.try_refresh() {
            Ok(work) => assert_eq!(work.rebuilt, None),
            Err(error) => assert!(matches!(error, Error::Busy(_)), "{error}"),
        }
    }
}

fn read_until(done: &AtomicBool, project: &Project) {
    while !done.load(Ordering::Relaxed) {
        let answer = search(&project.snapshot(), &Query::new("openSession")).unwrap();
        assert_eq!(answer.hits[0].path, "web/session.js");
        assert_eq!(answer.index.files, SAMPLE.len());
    }
}

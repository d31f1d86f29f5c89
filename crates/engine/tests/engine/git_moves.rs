//! What git does to a tree behind our back: after each move the answers are those of the tree as it
//! is, compared with an index made from nothing.

use std::fs::{self, File};
use std::time::{Duration, SystemTime};

use wherein_engine::Work;
use wherein_engine::search::query::Query;

use crate::encoders::Fake;
use crate::project::{Project, SAMPLE, files_under, search, spans, word};

/// A repository of the sample, committed and indexed.
fn repository() -> Project {
    let project = Project::sample();
    project.git(&["init", "-q"]);
    commit(&project, "first");
    project.settle();
    project.refresh();
    project
}

fn commit(project: &Project, message: &str) {
    project.git(&["add", "-A"]);
    project.git(&["commit", "-q", "--allow-empty", "-m", message]);
}

/// Where a few questions lead, and what the certificate says.
fn view(project: &Project) -> Vec<Vec<String>> {
    project.refresh();
    let snapshot = project.snapshot();
    let words = ["evict_oldest", "retry_upload", "openSession token", "zebra", "upload session"];
    let ask = |words: &&str| {
        let answer = search(&snapshot, &Query::new(*words)).unwrap();
        let mut found = spans(&answer);
        // Files that are gone still count in word statistics, so that ties may fall otherwise.
        found.sort();
        found.push(format!("{:?} {:?}", answer.index.commit, answer.index.dirty_files));
        found.push(format!("{} files, complete {}", answer.index.files, answer.index.complete));
        found
    };
    words.iter().map(ask).collect()
}

type Move = (&'static str, fn(&Project));

const MOVES: &[Move] = &[
    ("a branch is switched to and back", |project| {
        project.git(&["checkout", "-q", "-b", "side"]);
        project.write("src/zebra.go", "package zebra\n");
        project.remove("src/cache.rs");
        commit(project, "side");
        check(project, "on the side");
        project.git(&["checkout", "-q", "main"]);
        check(project, "back on main");
        project.git(&["checkout", "-q", "side"]);
    }),
    ("a change is stashed and brought back", |project| {
        project.write("src/cache.rs", "pub fn zebra() {}\n");
        check(project, "before the stash");
        project.git(&["stash", "-q"]);
        check(project, "stashed");
        project.git(&["stash", "pop", "-q"]);
    }),
    ("a commit is reset away", |project| {
        project.write("src/zebra.go", "package zebra\n");
        commit(project, "zebra");
        check(project, "committed");
        project.git(&["reset", "-q", "--hard", "HEAD~1"]);
    }),
    ("commits are rebased", |project| {
        project.git(&["checkout", "-q", "-b", "side"]);
        project.write("src/zebra.go", "package zebra\n");
        commit(project, "side");
        project.git(&["checkout", "-q", "main"]);
        project.write("src/cache.rs", "pub fn other() {}\n");
        commit(project, "main goes on");
        check(project, "before");
        project.git(&["rebase", "-q", "main", "side"]);
    }),
    ("a submodule is added, updated and taken away", |project| {
        let other = project.beside("other");
        other.write("stripes/zebra.py", "def zebra(): pass\n");
        other.git(&["init", "-q"]);
        commit(&other, "stripes");
        let from = other.place.root.to_string_lossy().into_owned();
        let allow = ["-c", "protocol.file.allow=always"];
        project.git(&[&allow[..], &["submodule", "--quiet", "add", &from, "inner"]].concat());
        check(project, "added");
        other.write("stripes/zebra.py", "def quagga(): pass\n");
        commit(&other, "no stripes");
        project.git(&[&allow[..], &["submodule", "--quiet", "update", "--remote"]].concat());
        check(project, "updated");
        project.git(&["rm", "-q", "-f", "inner"]);
    }),
    ("a worktree is added inside", |project| {
        project.git(&["worktree", "add", "-q", "inside", "-b", "other"]);
        project.write("inside/src/zebra.go", "package zebra\n");
        check(project, "added");
        project.git(&["worktree", "remove", "--force", "inside"]);
    }),
    ("objects are packed", |project| {
        project.write("src/zebra.go", "package zebra\n");
        commit(project, "zebra");
        check(project, "loose");
        project.git(&["gc", "-q", "--prune=now"]);
        project.git(&["pack-refs", "--all"]);
    }),
    ("a file becomes a folder and a file again", |project| {
        project.remove("src/cache.rs");
        project.write("src/cache.rs/zebra.py", "def zebra(): pass\n");
        check(project, "a folder");
        fs::remove_dir_all(project.path("src/cache.rs")).unwrap();
        project.write("src/cache.rs", "pub fn zebra() {}\n");
    }),
    ("a folder becomes a link to elsewhere", |project| {
        let other = project.beside("elsewhere");
        other.write("zebra.py", "def zebra(): pass\n");
        fs::remove_dir_all(project.path("web")).unwrap();
        #[cfg(unix)]
        std::os::unix::fs::symlink(&other.place.root, project.path("web")).unwrap();
    }),
    ("a name changes its case only", |project| {
        project.git(&["mv", "src/cache.rs", "src/Cache.rs"]);
        check(project, "staged");
        project.git(&["mv", "docs", "Docs"]);
    }),
    ("the clock goes back", |project| {
        project.write("src/cache.rs", "pub fn zebra() {}\n");
        age(project, "src/cache.rs", 86_400);
        check(project, "by a day");
        project.write("src/cache.rs", "pub fn quagga() {}\n");
        age(project, "src/cache.rs", 10 * 86_400);
    }),
    ("an edit keeps size and time", |project| {
        let was = fs::metadata(project.path("src/cache.rs")).unwrap().modified().unwrap();
        let text = fs::read_to_string(project.path("src/cache.rs")).unwrap();
        project.write("src/cache.rs", text.replace("evict_oldest", "evict_newest"));
        let file = File::options().write(true).open(project.path("src/cache.rs")).unwrap();
        file.set_modified(was).unwrap();
    }),
];

fn age(project: &Project, path: &str, seconds: u64) {
    let file = File::options().write(true).open(project.path(path)).unwrap();
    file.set_modified(SystemTime::now() - Duration::from_secs(seconds)).unwrap();
}

/// The tree is asked through its index, and through one made from nothing.
#[track_caller]
fn check(project: &Project, what: &str) {
    let fresh = project.elsewhere();
    let _ = fresh.place.clear();
    assert_eq!(view(project), view(&fresh), "{what}");
}

#[test]
fn answers_follow_whatever_git_does() {
    for (what, make) in MOVES {
        let project = repository();
        make(&project);
        check(&project, what);
        project.settle();
        check(&project, what);
    }
}

#[test]
fn a_new_worktree_costs_its_difference() {
    let main = repository();
    main.git(&["worktree", "add", "-q", "../second", "-b", "second"]);
    let second = main.beside("second");
    second.write("src/zebra.go", "package zebra\n");
    second.remove("web/session.js");
    let work = second.refresh();
    let (read, parsed, indexed, removed) = (SAMPLE.len(), 1, 1, 1);
    assert_eq!(work, Work { read, parsed, indexed, removed, ..Work::default() });
    check(&second, "a worktree that began with a copy");
    main.write("src/cache.rs", "pub fn quagga() {}\n");
    assert_eq!(main.find("quagga"), ["src/cache.rs"]);
    assert_eq!(second.find("quagga"), [""; 0]);
    assert_eq!(second.find("evict_oldest"), ["src/cache.rs"]);
    assert_eq!(second.find("zebra"), ["src/zebra.go"]);
    assert_eq!(main.find("zebra"), [""; 0]);
}

#[test]
fn an_edit_in_place_needs_no_walk_and_a_commit_no_reading() {
    let project = repository();
    project.write("src/cache.rs", "pub fn zebra() {}\n");
    project.settle();
    let work = project.refresh();
    assert_eq!((work.read, work.indexed, work.removed), (1, 1, 0));
    let segments = || files_under(&project.place.segments());
    let before = segments();
    commit(&project, "zebra");
    project.settle();
    assert_eq!(project.refresh().read, 0);
    assert_eq!(segments(), before, "nothing of the words was written again");
    let answer = project.ask(&Query::new("zebra"));
    assert_eq!(answer.index.dirty_files, Some(0));
}

#[test]
fn many_branches_in_turn_leave_no_more_than_one_behind() {
    let project = repository();
    for round in 0..6 {
        project.git(&["checkout", "-q", "-b", &format!("b{round}"), "main"]);
        for n in 0..20 {
            project
                .write(&format!("gen/f{n}.py"), format!("def {}(): pass\n", word(round * 100 + n)));
        }
        commit(&project, "branch");
        assert_eq!(project.find(&word(round * 100)), ["gen/f0.py"]);
    }
    project.git(&["checkout", "-q", "main"]);
    assert_eq!(project.find(&word(100)), [""; 0]);
    let manifest = project.snapshot().manifest;
    assert_eq!(manifest.files.len(), SAMPLE.len());
    assert_eq!(files_under(&project.place.segments()).len(), manifest.seals.len());
}

#[test]
fn a_new_worktree_keeps_its_vectors() {
    let (main, fake) = (repository(), Fake::new("words", 64));
    fake.catch_up(&main);
    main.git(&["worktree", "add", "-q", "../second", "-b", "second"]);
    let second = main.beside("second");
    second.write("src/zebra.go", "package zebra\n");
    assert_eq!(fake.catch_up(&second), (1, 0), "those of the other are there already");
    assert_eq!(fake.catch_up(&main), (0, 0));
}

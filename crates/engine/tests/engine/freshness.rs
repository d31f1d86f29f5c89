//! What a refresh does for each kind of change, and that no change is missed.

use std::fs::{self, File};
use std::time::{Duration, SystemTime};

use wherein_engine::index::fresh;
use wherein_engine::search::query::Query;
use wherein_engine::{Work, refresh};

use crate::project::{Project, SAMPLE, word};

/// Changes an indexed sample and compares what the next refresh does.
#[track_caller]
fn check(change: impl Fn(&Project), expected: Work) {
    let project = Project::indexed();
    change(&project);
    project.settle();
    assert_eq!(project.refresh(), expected);
    assert_eq!(project.refresh(), Work::default(), "the refresh after it has nothing to do");
}

#[test]
fn the_first_refresh_does_everything() {
    let all = SAMPLE.len();
    let work = Work { read: all, parsed: all, indexed: all, ..Work::default() };
    assert_eq!(Project::sample().refresh(), work);
}

#[test]
fn an_unchanged_tree_costs_nothing() {
    check(|_| {}, Work::default());
}

#[test]
fn an_unchanged_tree_keeps_its_manifest() {
    let project = Project::indexed();
    let written = || fs::metadata(project.place.manifest()).unwrap().modified().unwrap();
    let before = written();
    project.settle();
    assert_eq!(project.refresh(), Work::default());
    assert_eq!(written(), before);
}

#[test]
fn a_touched_file_is_read_and_no_more() {
    let touch = |project: &Project| {
        let file = File::options().write(true).open(project.path("src/cache.rs")).unwrap();
        file.set_modified(SystemTime::now() - Duration::from_secs(5)).unwrap();
    };
    check(touch, Work { read: 1, ..Work::default() });
}

#[test]
fn an_edited_file_is_the_only_one_parsed() {
    check(
        |project| project.write("src/cache.rs", "pub fn evict_newest() {}\n"),
        Work { read: 1, parsed: 1, indexed: 1, ..Work::default() },
    );
}

#[test]
fn a_deleted_file_is_taken_out() {
    check(|project| project.remove("src/cache.rs"), Work { removed: 1, ..Work::default() });
}

#[test]
fn a_renamed_file_is_indexed_without_being_parsed() {
    check(
        |project| project.rename("src/cache.rs", "src/pages.rs"),
        Work { read: 1, indexed: 1, removed: 1, ..Work::default() },
    );
}

/// The name of a header says C, its text says C++: that is no change of language.
#[test]
fn a_file_read_as_another_language_than_its_name_says_is_not_read_again() {
    let project = Project::sample();
    project.write("src/page.h", "namespace pages {\nclass Page {};\n}\n");
    project.settle();
    project.refresh();
    assert_eq!(project.snapshot().file_at("src/page.h").unwrap().language, "cpp");
    project.remove("src/cache.rs");
    project.settle();
    assert_eq!(project.refresh(), Work { removed: 1, ..Work::default() });
}

#[test]
fn a_copied_file_is_indexed_without_being_parsed() {
    check(
        |project| project.write("src/copy.py", SAMPLE[0].1),
        Work { read: 1, indexed: 1, ..Work::default() },
    );
}

#[test]
fn a_file_that_turns_binary_is_taken_out() {
    check(
        |project| project.write("src/cache.rs", "evict\0oldest"),
        Work { read: 1, removed: 1, ..Work::default() },
    );
}

#[test]
fn an_ignored_file_is_taken_out_without_reading() {
    for ignore in [".gitignore", ".ignore", ".whereinignore"] {
        check(
            |project| project.write(ignore, "cache.rs\n"),
            Work { removed: 1, ..Work::default() },
        );
    }
}

/// Changes an indexed sample and compares which files hold `words` afterwards.
#[track_caller]
fn check_found(change: impl Fn(&Project), words: &str, expected: &[&str]) {
    let project = Project::indexed();
    change(&project);
    assert_eq!(project.find(words), expected);
}

#[test]
fn answers_follow_the_tree() {
    check_found(|_| {}, "evict_oldest", &["src/cache.rs"]);
    check_found(|p| p.write("src/cache.rs", "fn other() {}\n"), "evict_oldest", &[]);
    check_found(|p| p.remove("src/cache.rs"), "evict_oldest", &[]);
    check_found(|p| p.rename("src/cache.rs", "src/pages.rs"), "evict_oldest", &["src/pages.rs"]);
    check_found(|p| p.rename("src", "lib"), "evict_oldest", &["lib/cache.rs"]);
    check_found(|p| p.write(".gitignore", "src/\n"), "evict_oldest", &[]);
    check_found(|p| p.write("src/.ignore", "*.rs\n"), "evict_oldest", &[]);
    check_found(|p| fs::remove_dir_all(p.path("src")).unwrap(), "evict_oldest", &[]);
    check_found(|p| p.write("new/zebra.go", "package zebra\n"), "zebra", &["new/zebra.go"]);
}

#[test]
fn an_ignore_rule_taken_back_brings_the_file_back() {
    let project = Project::indexed();
    project.write(".gitignore", "cache.rs\n");
    assert_eq!(project.find("evict_oldest"), [""; 0]);
    project.remove(".gitignore");
    assert_eq!(project.find("evict_oldest"), ["src/cache.rs"]);
}

#[test]
fn an_ignore_file_above_the_tree_counts() {
    let project = Project::indexed();
    fs::write(project.place.root.parent().unwrap().join(".ignore"), "cache.rs\n").unwrap();
    assert_eq!(project.find("evict_oldest"), [""; 0]);
}

#[test]
fn a_file_too_young_to_be_sure_of_is_read_again() {
    let project = Project::indexed();
    let is_settled = || project.snapshot().file_at("src/young.py").unwrap().settled;
    let index_young = |round| {
        project.write("src/young.py", format!("def {}(): pass\n", word(round)));
        project.refresh();
        !is_settled()
    };
    assert!((0..50).any(index_young), "a refresh right after an edit is soon enough for this");
    assert_eq!(project.refresh(), Work { read: 1, ..Work::default() });
    project.settle();
    project.refresh();
    assert!(is_settled());
    assert_eq!(project.refresh(), Work::default());
}

#[test]
fn edits_of_equal_size_in_quick_succession_are_not_missed() {
    let project = Project::indexed();
    for round in 100..160 {
        project.write("src/quick.py", format!("def {}(): pass\n", word(round)));
        assert_eq!(project.find(&word(round)), ["src/quick.py"]);
    }
}

#[test]
fn a_folder_too_young_to_be_sure_of_is_listed_again() {
    let is_fresh =
        |project: &Project| fresh::is_fresh(&project.place.root, &project.snapshot().manifest);
    let change_and_refresh = |project: &Project| {
        project.remove("src/cache.rs");
        project.refresh();
        !is_fresh(project)
    };
    let project = (0..20).map(|_| Project::indexed()).find(change_and_refresh);
    let project = project.expect("a refresh right after a removal is soon enough for this");
    project.settle();
    assert_eq!(project.refresh(), Work::default());
    assert!(is_fresh(&project));
}

/// A file that appears right after its folder was listed, within the same tick of the file
/// system's clock, leaves the folder's stamp as it was.
#[test]
fn a_file_added_while_the_tree_is_being_read_is_not_missed() {
    let project = Project::indexed();
    for round in 0..10 {
        project.write("gone.py", "def gone(): pass\n");
        project.refresh();
        project.write("src/upload.py", format!("def edited(): return {round}\n"));
        project.settle();
        project.remove("gone.py");
        let late = word(round);
        let add_late = |_, _| project.write(&late, &late);
        refresh(&project.place, &project.settings, &add_late).unwrap();
        assert_eq!(project.find(&late), std::slice::from_ref(&late), "round {round}");
    }
}

/// As above, for a file that was looked at and left out.
#[test]
fn a_skipped_file_that_turns_to_text_at_once_is_not_missed() {
    let project = Project::indexed();
    for round in 100..120 {
        project.write("src/odd.py", format!("def {}(): \0\n", word(round)));
        project.refresh();
        project.write("src/odd.py", format!("def {}(): 1\n", word(round)));
        assert_eq!(project.find(&word(round)), ["src/odd.py"], "round {round}");
        project.remove("src/odd.py");
    }
}

#[test]
fn a_commit_shows_in_the_certificate() {
    let project = Project::indexed();
    let certificate = || project.ask(&Query::new("upload")).index;
    assert_eq!((certificate().commit, certificate().dirty_files), (None, None));
    project.git(&["init", "-q"]);
    assert_eq!((certificate().commit, certificate().dirty_files), (None, Some(4)));
    project.git(&["add", "."]);
    project.git(&["commit", "-q", "-m", "first"]);
    let first = certificate();
    assert_eq!((first.commit.as_ref().map(String::len), first.dirty_files), (Some(40), Some(0)));
    project.write("src/cache.rs", "fn evict() {}\n");
    assert_eq!((certificate().commit, certificate().dirty_files), (first.commit, Some(1)));
}

#[test]
fn a_head_that_is_no_commit_is_not_shown_as_one() {
    let project = Project::sample();
    for head in ["", "ref: refs/heads/none", "aäääääääääääää", "\0\0\0"] {
        project.write(".git/HEAD", head);
        assert_eq!(project.ask(&Query::new("upload")).index.commit, None, "{head:?}");
    }
}

/// A sequence without pattern, always the same.
struct Dice(u64);

impl Dice {
    fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(99_991);
        ((self.0 >> 33) as usize) % limit
    }
}

const FOLDERS: [&str; 5] = ["", "src/", "src/deep/", "web/", "docs/"];

/// Something a program may do to a tree.
fn change_something(project: &Project, dice: &mut Dice, round: usize) -> String {
    let folder = FOLDERS[dice.below(FOLDERS.len())];
    let file = format!("{folder}f{}.py", dice.below(4));
    let text = format!("def {}(): pass\n", word(round));
    fs::create_dir_all(project.path(folder)).unwrap();
    let kind = dice.below(9);
    match kind {
        0 | 1 => project.write(&file, text),
        2 | 3 => {
            project.write("outside.tmp", text);
            project.rename("outside.tmp", &file);
        }
        4 => drop(fs::remove_file(project.path(&file))),
        5 => drop(fs::remove_dir_all(project.path("src/deep"))),
        6 => project.write(&format!("{folder}.gitignore"), format!("f{}.py\n", dice.below(4))),
        7 => drop(fs::remove_file(project.path(&format!("{folder}.ignore")))),
        _ => project.write(&file, "not\0text"),
    }
    format!("round {round}: {kind} at {file}")
}

/// Whatever changes, and by whatever shortcut it is noticed: the list of files is that of a walk.
#[test]
fn no_shortcut_sees_another_tree_than_a_walk() {
    let (project, mut dice) = (Project::indexed(), Dice(7));
    let listed = |project: &Project| {
        let manifest = project.snapshot().manifest;
        let files = manifest.files.iter().map(|it| format!("{} {:?}", it.path, it.content));
        let skipped = manifest.skipped.iter().map(|it| format!("{} {}", it.path, it.reason));
        files.chain(skipped).collect::<Vec<_>>()
    };
    for round in 0..120 {
        let mut what = change_something(&project, &mut dice, round);
        if dice.below(3) == 0 {
            what += &change_something(&project, &mut dice, 1000 + round);
        }
        if dice.below(2) == 0 {
            project.settle();
        }
        project.refresh();
        let other = project.elsewhere();
        let _ = other.place.clear();
        other.refresh();
        assert_eq!(listed(&project), listed(&other), "{what}");
    }
}

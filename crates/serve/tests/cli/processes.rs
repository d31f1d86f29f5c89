//! Processes that die, compete or find an index in ruins.

use std::fs::{self, File};
use std::process::Child;
use std::thread::sleep;
use std::time::Duration;

use crate::project::{Project, Ran, files_under, paths};

fn many_files(count: usize) -> Project {
    let project = Project::empty();
    for n in 0..count {
        let text = format!("def parcel_{n}(weight):\n    \"\"\"Weighs.\"\"\"\n    return {n}\n");
        project.write(&format!("part{}/f{n}.py", n % 20), text);
    }
    project
}

#[test]
fn a_killed_indexer_leaves_nothing_that_hurts() {
    let project = many_files(3000);
    for milliseconds in [0, 15, 40, 80, 150, 250, 400, 600, 900, 1300] {
        let mut child = project.spawn(&["index"]);
        sleep(Duration::from_millis(milliseconds));
        child.kill().unwrap();
        child.wait().unwrap();
    }
    let answer = project.ask(&["parcel_2999", "-k1"]);
    assert_eq!(paths(&answer), ["part19/f2999.py"]);
    assert_eq!(answer["index"]["files"], 3000);
}

#[test]
fn an_indexer_killed_while_updating_leaves_the_last_answer() {
    let project = many_files(1000);
    project.wherein(["index"]).with_code(0);
    for (round, milliseconds) in [10, 30, 60, 100, 150, 220, 300].into_iter().enumerate() {
        for n in 0..300 {
            let text = format!("def letter_{n}(stamp):\n    return {round}\n");
            project.write(&format!("part{}/f{n}.py", n % 20), text);
        }
        let mut child = project.spawn(&["index"]);
        sleep(Duration::from_millis(milliseconds));
        child.kill().unwrap();
        child.wait().unwrap();
        let status = project.wherein(["status", "--json"]).with_code(0).json();
        assert_eq!(status["index"]["files"], 1000, "the last snapshot is whole");
        let answer = project.ask(&["letter_299", "-k1"]);
        assert_eq!(paths(&answer), ["part19/f299.py"]);
    }
}

#[test]
fn eight_first_questions_at_once_are_all_answered() {
    let project = many_files(800);
    project.settle();
    let question = |n: usize| format!("parcel_{}", n * 99);
    let children: Vec<Child> =
        (0..8).map(|n| project.spawn(&["--json", "-k1", &question(n)])).collect();
    for (n, child) in children.into_iter().enumerate() {
        let ran = Ran::of(child.wait_with_output().unwrap()).with_code(0);
        let file = n * 99;
        assert_eq!(paths(&ran.json()), [format!("part{}/f{file}.py", file % 20)]);
        assert_eq!(ran.json()["index"]["files"], 800);
        assert_eq!((&ran.json()["index"]["complete"], ran.err.as_str()), (&true.into(), ""));
    }
}

/// An indexer at work, as others see it: it holds the tree's lock.
fn lock(project: &Project) -> File {
    let lock = files_under(&project.cache()).into_iter().find(|path| path.ends_with("lock"));
    let lock = File::options().write(true).open(lock.unwrap()).unwrap();
    lock.lock().unwrap();
    lock
}

#[test]
fn beside_an_indexer_the_last_index_answers() {
    let project = Project::sample();
    project.settle();
    project.wherein(["index"]).with_code(0);
    let lock = lock(&project);
    assert_eq!(project.ask(&["evict_oldest"])["index"]["complete"], true, "nothing changed yet");
    project.write("src/more.py", "def more(): pass\n");
    let ran = project.wherein(["evict_oldest", "--json", "-k1"]).with_code(0);
    assert_eq!(paths(&ran.json()), ["src/cache.rs"]);
    assert_eq!(ran.json()["index"]["complete"], false);
    assert!(ran.err.contains("another process is updating the index"), "{ran:?}");
    project.wherein(["clear"]).fails_naming(&["another process is indexing"]);
    drop(lock);
    assert_eq!(project.ask(&["evict_oldest"])["index"]["complete"], true);
}

#[test]
fn a_second_indexer_waits_for_the_first() {
    let project = Project::sample();
    project.wherein(["index"]).with_code(0);
    project.write("src/more.py", "def more(): pass\n");
    let lock = lock(&project);
    let mut second = project.spawn(&["index"]);
    sleep(Duration::from_millis(300));
    assert!(second.try_wait().unwrap().is_none(), "it ended though the first was not done");
    drop(lock);
    let ran = Ran::of(second.wait_with_output().unwrap()).with_code(0);
    assert!(ran.out.contains(": 4 files"), "{ran:?}");
}

type Spoil = fn(&[u8]) -> Vec<u8>;

/// Spoils every file of an index in turn; each command must do its work all the same.
#[test]
fn an_index_in_ruins_is_built_anew() {
    let project = Project::sample();
    project.wherein(["index"]).with_code(0);
    let spoils: [Spoil; 3] = [
        |_| Vec::new(),
        |bytes| bytes[..bytes.len() / 2].to_vec(),
        |bytes| vec![0xA5; bytes.len()],
    ];
    for spoil in spoils {
        for number in 0..files_under(&project.cache()).len() {
            let file = &files_under(&project.cache())[number];
            fs::write(file, spoil(&fs::read(file).unwrap())).unwrap();
            let arguments = [&["evict_oldest"][..], &["show", "src/cache.rs"], &["index"]];
            let ran = project.wherein(arguments[number % 3]);
            assert_eq!((ran.code, ran.err.as_str()), (Some(0), ""), "{}: {ran:?}", file.display());
            for arguments in [["--mode", "lexical"], ["--mode", "hybrid"]] {
                let answer = project.ask(&[&["evict_oldest", "-k1"], &arguments[..]].concat());
                assert_eq!(paths(&answer), ["src/cache.rs"], "{}", file.display());
            }
            let batch = "printf '{\"id\":1,\"query\":\"evict_oldest\"}' | \"$WHEREIN\" --batch -";
            assert!(project.shell(batch).with_code(0).out.contains("src/cache.rs"));
        }
    }
}

#[test]
fn the_status_of_an_index_in_ruins_says_what_happens_next() {
    let project = Project::sample();
    project.wherein(["index"]).with_code(0);
    let manifest =
        files_under(&project.cache()).into_iter().find(|path| path.ends_with("manifest"));
    fs::write(manifest.unwrap(), "half").unwrap();
    let ran = project.wherein(["status"]);
    ran.fails_naming(&["manifest is damaged", "the next question builds it anew"]);
    project.wherein(["evict_oldest"]).with_code(0);
    project.wherein(["status"]).with_code(0);
}

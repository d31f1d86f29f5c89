//! Processes beside each other: unsaved text, exported work, locks of the dead.

use std::fs;
use std::thread::sleep;
use std::time::{Duration, Instant};

use crate::project::{Project, Ran, files_under, paths};

#[test]
fn unsaved_text_is_searched_and_not_stored() {
    let project = Project::sample();
    let typed = r#"{"src/cache.rs": "pub fn zebra() {}\n", "docs/guide.md": null}"#;
    fs::write(project.home().join("typed.json"), typed).unwrap();
    let file = project.home().join("typed.json").to_string_lossy().into_owned();
    let ask = |words: &str, more: &[&str]| {
        let answer =
            project.ask(&[&[words, "--without", "symbols", "--mode", "lexical"], more].concat());
        paths(&answer).into_iter().map(str::to_owned).collect::<Vec<_>>()
    };
    assert_eq!(ask("zebra", &["--overlay", &file]), ["src/cache.rs"]);
    assert_eq!(ask("evict_oldest", &["--overlay", &file]), [""; 0]);
    assert_eq!(ask("guide", &["--overlay", &file]), [""; 0]);
    assert_eq!(ask("zebra", &[]), [""; 0]);
    assert_eq!(ask("guide", &[]), ["docs/guide.md"]);
    let standard = format!("\"$WHEREIN\" --json --mode lexical zebra --overlay - < {file}");
    assert_eq!(paths(&project.shell(&standard).with_code(0).json()), ["src/cache.rs"]);
    fs::write(&file, "[1]").unwrap();
    project
        .wherein(["zebra", "--overlay", &file])
        .fails_naming(&["JSON object of paths and texts"]);
    fs::write(&file, r#"{"../x": "y"}"#).unwrap();
    project.wherein(["zebra", "--overlay", &file]).fails_naming(&["../x"]);
}

#[test]
fn what_one_exports_another_imports() {
    let (first, second) = (Project::sample(), Project::sample());
    first.wherein(["index"]).with_code(0);
    let file = first.home().join("work.wherein").to_string_lossy().into_owned();
    let told = first.wherein(["export", &file]).with_code(0).out;
    assert!(told.contains("3 parses"), "{told}");
    let again = first.home().join("again.wherein").to_string_lossy().into_owned();
    first.wherein(["export", &again]).with_code(0);
    assert_eq!(fs::read(&file).unwrap(), fs::read(&again).unwrap());
    let done = second.wherein(["import", &file, "--json"]).with_code(0).json();
    assert_eq!((&done["parsed_here"], &done["encoded_here"]), (&0.into(), &0.into()), "{done}");
    assert_eq!(done["vectors_reused"], done["vectors_in_file"]);
    assert_eq!(paths(&second.ask(&["evict_oldest", "-k1"])), ["src/cache.rs"]);
    let status = second.wherein(["status", "--json"]).with_code(0).json();
    assert_eq!(status["with_vectors"], status["index"]["chunks"]);
    second.wherein(["export", &file]).with_code(0);
    assert_eq!(fs::read(&file).unwrap(), fs::read(&again).unwrap(), "whoever builds it");
    second.wherein(["import", "Cargo.toml"]).fails_naming(&["cannot open Cargo.toml"]);
    second.wherein(["import", "src/cache.rs"]).fails_naming(&["cannot be used"]);
}

/// The lock is the system's, not a number in a file: it goes with the process, however that ends.
#[test]
fn the_lock_of_a_writer_that_was_killed_is_free_at_once() {
    let project = Project::empty();
    for n in 0..2000 {
        project.write(&format!("f{n}.py"), format!("def parcel_{n}():\n    return {n}\n"));
    }
    let start = Instant::now();
    project.wherein(["index", "--no-vectors"]).with_code(0);
    let whole = start.elapsed();
    let mut killed = 0;
    for round in 0..12 {
        for n in 0..1500 {
            project.write(&format!("f{n}.py"), format!("def parcel_{n}():\n    return {round}\n"));
        }
        let mut child = project.spawn(&["index", "--no-vectors"]);
        sleep(whole * round / 20);
        killed += u32::from(child.try_wait().unwrap().is_none());
        child.kill().unwrap();
        child.wait().unwrap();
        let lock = files_under(&project.cache()).into_iter().find(|path| path.ends_with("lock"));
        if let Some(lock) = lock {
            let lock = fs::File::options().write(true).open(lock).unwrap();
            assert!(lock.try_lock().is_ok(), "round {round}: nobody holds it any more");
        }
    }
    assert!(killed > 4, "only {killed} were at work when they were killed");
    let start = Instant::now();
    let done = project.wherein(["index", "--no-vectors", "--json"]).with_code(0).json();
    assert_eq!(done["files"], 2000);
    assert!(start.elapsed() < Duration::from_secs(40));
    assert_eq!(paths(&project.ask(&["parcel_1999", "-k1", "--mode", "lexical"])), ["f1999.py"]);
    let left: Vec<_> = files_under(&project.cache());
    let unfinished = left.iter().filter(|it| it.extension().is_some_and(|e| e == "new")).count();
    assert!(unfinished <= 12, "{left:?}");
}

/// A question waits for a writer that is nearly done, so that its answer is fresh.
#[test]
fn a_question_beside_a_writer_gets_what_it_writes() {
    let project = Project::sample();
    project.settle();
    project.wherein(["index", "--no-vectors"]).with_code(0);
    for n in 0..400 {
        project.write(&format!("more/f{n}.py"), format!("def zebra_{n}(): pass\n"));
    }
    let mut writer = project.spawn(&["index", "--no-vectors"]);
    let children: Vec<_> = (0..4)
        .map(|_| project.spawn(&["--json", "-k1", "--mode", "lexical", "zebra_399"]))
        .collect();
    for child in children {
        let ran = Ran::of(child.wait_with_output().unwrap()).with_code(0);
        assert_eq!(paths(&ran.json()), ["more/f399.py"]);
        assert_eq!(ran.json()["index"]["complete"], true, "{ran:?}");
    }
    assert!(writer.wait().unwrap().success());
}

//! Processes that die while they encode: what was published stays, and is not made again.

use std::process::Child;
use std::thread::sleep;
use std::time::{Duration, Instant};

use serde_json::Value;
use wherein_engine::index::vectors::list::List;
use wherein_engine::{Store, TreePlace};

use crate::project::{Project, Ran, files_under, paths};

/// Chunks that are published together: what a process that dies may lose.
const BATCH: u64 = 256;
const KILLS: u64 = 20;
const CHUNKS: u64 = 3000;

/// Many files of one chunk each, no two of the same text.
fn project() -> Project {
    let project = Project::empty();
    for n in 0..CHUNKS {
        let text = format!("def parcel_{n}(weight):\n    \"\"\"Weighs.\"\"\"\n    return {n}\n");
        project.write(&format!("part{}/f{n}.py", n % 20), text);
    }
    project
}

fn index(project: &Project) -> Child {
    project.spawn(&["index", "--json"])
}

fn kill(mut child: Child) {
    child.kill().unwrap();
    child.wait().unwrap();
}

fn place(project: &Project) -> TreePlace {
    Store::at(project.cache()).tree(&project.root())
}

/// Starts an indexer and kills it as soon as a batch is published; how long that took.
fn killed_after_a_batch(project: &Project) -> Duration {
    let (start, place) = (Instant::now(), place(project));
    let child = index(project);
    while List::load(&place).total() == 0 {
        assert!(start.elapsed() < Duration::from_secs(50), "nothing is ever published");
        sleep(Duration::from_millis(2));
    }
    kill(child);
    start.elapsed()
}

/// How far the index is, by its own account.
fn with_vectors(project: &Project) -> u64 {
    let status = project.wherein(["status", "--json"]).with_code(0).json();
    assert_eq!(status["index"]["chunks"], CHUNKS);
    status["with_vectors"].as_u64().unwrap()
}

/// Asks in every mode for a file; all that have a vector can be found by meaning.
fn check_answers(project: &Project, with_vectors: u64) {
    for mode in ["lexical", "hybrid"] {
        let answer = project.ask(&["parcel_2999", "-k1", "--mode", mode]);
        assert_eq!(paths(&answer), ["part19/f2999.py"], "{mode}");
        assert_eq!(answer.get("dense_off_because"), None);
    }
    let by_meaning = ["weigh a parcel", "--json", "-k1", "--mode", "dense"];
    let ran = project.wherein(by_meaning).with_code(i32::from(with_vectors == 0));
    assert_eq!(paths(&ran.json()).len() as u64, with_vectors.min(1));
}

/// A sequence without pattern, always the same.
fn moments(longest: Duration) -> impl Iterator<Item = Duration> {
    (1..KILLS).map(move |n| longest.mul_f64((n as f64 * 0.618_034).fract()))
}

#[test]
fn an_encoder_killed_at_any_moment_loses_one_batch_at_most() {
    let project = project();
    let longest = killed_after_a_batch(&project).min(Duration::from_millis(900));
    let mut before = with_vectors(&project);
    let in_batches = before.is_multiple_of(BATCH) && before < CHUNKS;
    assert!(in_batches, "{before} were published at first");
    for moment in moments(longest) {
        let child = index(&project);
        sleep(moment);
        kill(child);
        let after = with_vectors(&project);
        let whole_batches = after >= before && (after - before).is_multiple_of(BATCH);
        assert!(whole_batches || after == CHUNKS, "{before} before, {after} after {moment:?}");
        check_answers(&project, after);
        // A question may have made the vectors of what it found.
        before = with_vectors(&project);
        assert!(before >= after, "{after} after the kill, {before} after questions");
    }
    let summary: Value = Ran::of(index(&project).wait_with_output().unwrap()).with_code(0).json();
    let meaning = &summary["meaning"];
    assert_eq!(meaning["with_vectors"], CHUNKS);
    assert_eq!(meaning["encoded"], CHUNKS - before, "nothing published is encoded again");
    assert_eq!(meaning["reused"], 0);
    assert_eq!(with_vectors(&project), CHUNKS);
    assert_eq!(List::load(&place(&project)).total(), CHUNKS, "no row twice");
    let left = files_under(&place(&project).vectors());
    assert_eq!(left.len(), 4, "list, lock, a segment and its clusters: {left:?}");
}

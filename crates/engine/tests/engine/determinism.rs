//! Same tree, same question, same answer, whichever way the index came about.

use proptest::prelude::*;
use proptest::test_runner::Config;
use wherein_engine::Snapshot;
use wherein_engine::search::query::Query;

use crate::project::{Project, search};

const WORDS: [&str; 12] = [
    "parcel", "letter", "stamp", "route", "depot", "scan", "weigh", "label", "queue", "retry",
    "address", "sender",
];

const QUESTIONS: [&str; 8] = [
    "parcel",
    "stamp route",
    "where is the letter weighed",
    "retryQueue",
    "depot_scan_label",
    "address of the sender",
    "file3",
    "def parcel_letter(stamp)",
];

/// A file whose text depends on its number and its edition only.
fn text(file: u8, edition: u8) -> String {
    let word = |n: usize| WORDS[(usize::from(file) * 7 + usize::from(edition) * 5 + n * n) % 12];
    (0..usize::from(file % 4) + 1)
        .map(|n| {
            format!(
                "def {}_{}({}):\n    return {}\n\n",
                word(n),
                word(n + 1),
                word(n + 2),
                word(n + 3)
            )
        })
        .collect()
}

fn path(file: u8) -> String {
    format!("part{}/file{file}.py", file % 3)
}

/// What happens to a tree over time.
#[derive(Clone, Debug)]
enum Step {
    Write(u8, u8),
    Remove(u8),
    Refresh,
}

fn apply(project: &Project, step: &Step) {
    match *step {
        Step::Write(file, edition) => project.write(&path(file), text(file, edition)),
        Step::Remove(file) => drop(std::fs::remove_file(project.path(&path(file)))),
        Step::Refresh => drop(project.refresh()),
    }
}

type Page = Vec<(String, u32, u32, f32)>;

fn pages(snapshot: &Snapshot) -> Vec<Page> {
    let page = |question: &&str| {
        let query = Query { limit: 30, max_per_file: 0, ..Query::new(*question) };
        let hits = search(snapshot, &query).unwrap().hits;
        hits.into_iter().map(|hit| (hit.path, hit.start_line, hit.end_line, hit.score)).collect()
    };
    QUESTIONS.iter().map(page).collect()
}

/// The same tree in a store of its own, indexed in one go.
fn built_at_once(project: &Project) -> Vec<Page> {
    let fresh = project.elsewhere();
    fresh.refresh();
    pages(&fresh.snapshot())
}

#[track_caller]
fn check(steps: &[Step], compare: fn(Vec<Page>) -> Vec<Page>) {
    let project = Project::empty();
    for step in steps {
        apply(&project, step);
    }
    project.refresh();
    assert_eq!(compare(pages(&project.snapshot())), compare(built_at_once(&project)));
}

fn exactly(pages: Vec<Page>) -> Vec<Page> {
    pages
}

/// The statistics that scores are drawn from count removed documents until their segment is
/// merged, so after an edit scores, and with them the order of near equals, may differ.
fn hits_in_any_order(mut pages: Vec<Page>) -> Vec<Page> {
    for page in &mut pages {
        page.iter_mut().for_each(|hit| hit.3 = 0.0);
        page.sort_by(|a, b| a.partial_cmp(b).unwrap());
    }
    pages
}

#[test]
fn two_stores_give_the_same_answers() {
    let writes: Vec<Step> = (0..40).map(|file| Step::Write(file, 0)).collect();
    check(&writes, exactly);
}

#[test]
fn files_that_came_one_by_one_give_the_same_answers() {
    let mut steps = Vec::new();
    for n in 0..24u8 {
        steps.extend([Step::Write(n * 7 % 24, 0), Step::Refresh]);
    }
    check(&steps, exactly);
}

#[test]
fn a_question_asked_again_gets_the_same_answer() {
    let project = Project::empty();
    (0..40).for_each(|file| apply(&project, &Step::Write(file, 1)));
    project.refresh();
    let first = pages(&project.snapshot());
    for _ in 0..5 {
        assert_eq!(pages(&project.snapshot()), first);
    }
}

fn step() -> impl Strategy<Value = Step> {
    prop_oneof![
        5 => (0..16u8, 0..4u8).prop_map(|(file, edition)| Step::Write(file, edition)),
        2 => (0..16u8).prop_map(Step::Remove),
        3 => Just(Step::Refresh),
    ]
}

proptest! {
    #![proptest_config(Config { cases: 16, failure_persistence: None, ..Config::default() })]

    #[test]
    fn any_history_finds_the_same_spans(steps in prop::collection::vec(step(), 1..40)) {
        check(&steps, hits_in_any_order);
    }

    #[test]
    fn any_order_of_arrival_gives_the_same_answers(
        files in Just((0..30u8).collect::<Vec<_>>()).prop_shuffle(),
        batch in 1..12usize,
    ) {
        let mut steps = Vec::new();
        for batch in files.chunks(batch) {
            steps.extend(batch.iter().map(|&file| Step::Write(file, 0)));
            steps.push(Step::Refresh);
        }
        check(&steps, exactly);
    }
}

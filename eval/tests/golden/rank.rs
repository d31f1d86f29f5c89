//! From questions to ranks, and from ranks to a table, a difference and means.

use std::collections::BTreeMap;
use std::path::Path;

use serde::{Deserialize, Serialize};
use wherein_engine::search::answer::Answer;
use wherein_engine::search::query::{Mode, Query};
use wherein_engine::{Meaning, search};

use crate::question::Question;
use crate::tree::{MODEL, TREES};

/// Where the first right hit of one question stands.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Rank {
    pub id: String,
    pub kind: String,
    /// From 1; empty if no hit of the page is right.
    pub rank: Option<usize>,
    /// The file of that hit.
    pub path: Option<String>,
}

/// Asks every question of its tree in each mode, otherwise with default options.
pub fn of_all<const MODES: usize>(
    questions: &[Question],
    modes: [Mode; MODES],
) -> [Vec<Rank>; MODES] {
    modes.map(|mode| questions.iter().map(|question| of(question, mode)).collect())
}

/// Asks one question of a tree.
pub fn ask(tree: &str, query: &Query) -> Answer {
    let meaning = Meaning::On { model: &MODEL, go_on: &|| false };
    search(&TREES[tree].snapshot, &meaning, query)
        .unwrap_or_else(|error| panic!("{tree}: {:?}: {error}", query.text))
}

fn of(question: &Question, mode: Mode) -> Rank {
    let answer = ask(&question.tree, &Query { mode, ..Query::new(&question.query) });
    let is_right = |hit: &search::answer::Hit| {
        question.truth.iter().any(|truth| truth.touches(&hit.path, hit.start_line, hit.end_line))
    };
    let place = answer.hits.iter().position(is_right);
    Rank {
        id: question.id.clone(),
        kind: question.kind.clone(),
        rank: place.map(|place| place + 1),
        path: place.map(|place| answer.hits[place].path.clone()),
    }
}

/// Reads a committed table.
pub fn read(file: &Path) -> Vec<Rank> {
    let mut reader =
        csv::Reader::from_path(file).unwrap_or_else(|e| panic!("{}: {e}", file.display()));
    let row = |row: csv::Result<Rank>| row.unwrap_or_else(|e| panic!("{}: {e}", file.display()));
    reader.deserialize().map(row).collect()
}

/// Writes the table to commit.
pub fn write(file: &Path, ranks: &[Rank]) {
    let mut writer = csv::Writer::from_path(file).expect("a file to write");
    ranks.iter().for_each(|rank| writer.serialize(rank).expect("a row"));
    writer.flush().expect("room on the disk");
}

/// One line for each question whose rank or file changed, came or went; worst news first.
pub fn difference(before: &[Rank], after: &[Rank]) -> Vec<String> {
    let by_id = |ranks: &[Rank]| -> BTreeMap<String, Rank> {
        ranks.iter().map(|rank| (rank.id.clone(), rank.clone())).collect()
    };
    let (before, after) = (by_id(before), by_id(after));
    let mut changed: Vec<(f64, String)> = before
        .keys()
        .chain(after.keys().filter(|id| !before.contains_key(*id)))
        .filter(|id| before.get(*id) != after.get(*id))
        .map(|id| change(id, before.get(id), after.get(id)))
        .collect();
    changed.sort_by(|a, b| a.0.total_cmp(&b.0).then_with(|| a.1.cmp(&b.1)));
    changed.into_iter().map(|(_, line)| line).collect()
}

fn change(id: &str, before: Option<&Rank>, after: Option<&Rank>) -> (f64, String) {
    let gain = after.map_or(0.0, reciprocal) - before.map_or(0.0, reciprocal);
    (gain, format!("  {id}: {} → {}", shown(before), shown(after)))
}

fn shown(rank: Option<&Rank>) -> String {
    match rank {
        None => "not asked".to_owned(),
        Some(Rank { rank: Some(rank), path: Some(path), .. }) => format!("{rank} ({path})"),
        Some(_) => "not found".to_owned(),
    }
}

fn reciprocal(rank: &Rank) -> f64 {
    rank.rank.map_or(0.0, |rank| 1.0 / rank as f64)
}

/// The mean over questions of one over the rank.
pub fn mean_reciprocal(ranks: &[Rank]) -> f64 {
    ranks.iter().map(reciprocal).sum::<f64>() / ranks.len() as f64
}

/// The share of questions answered by one of the first `k` hits.
pub fn hits_within(k: usize, ranks: &[Rank]) -> f64 {
    let hits = ranks.iter().filter(|rank| rank.rank.is_some_and(|rank| rank <= k)).count();
    hits as f64 / ranks.len() as f64
}

/// Both means for each kind of question.
pub fn table(ranks: &[Rank]) -> String {
    let mut kinds: BTreeMap<&str, Vec<Rank>> = BTreeMap::new();
    for rank in ranks {
        kinds.entry(&rank.kind).or_default().push(rank.clone());
    }
    let row = |(kind, ranks): (&&str, &Vec<Rank>)| {
        let (mrr, hit5) = (mean_reciprocal(ranks), hits_within(5, ranks));
        format!("{kind:12} {:3} questions  MRR {mrr:.3}  Hit@5 {hit5:.3}\n", ranks.len())
    };
    kinds.iter().map(row).collect()
}

#[test]
fn a_difference_names_what_moved_and_puts_losses_first() {
    let rank = |id: &str, rank: Option<usize>| Rank {
        id: id.to_owned(),
        kind: "question".to_owned(),
        rank,
        path: rank.map(|_| "a.rs".to_owned()),
    };
    let before = [rank("same", Some(1)), rank("up", Some(4)), rank("lost", Some(1))];
    let after = [rank("same", Some(1)), rank("up", Some(2)), rank("lost", None)];
    let expected = ["  lost: 1 (a.rs) → not found", "  up: 4 (a.rs) → 2 (a.rs)"];
    assert_eq!(difference(&before, &after), expected);
    assert_eq!(mean_reciprocal(&before), 0.75);
    assert_eq!(hits_within(3, &before), 2.0 / 3.0);
}

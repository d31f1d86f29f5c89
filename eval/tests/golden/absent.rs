//! Questions about what is not there, and how many of them are answered so.

use serde::Deserialize;
use wherein_engine::search::query::Query;

use crate::{question, rank};

#[derive(Deserialize)]
struct Absent {
    tree: String,
    query: String,
}

/// Questions of `golden/absent.csv` that are taken for answered, and how many there are.
pub fn answered() -> (Vec<String>, usize) {
    let file = question::folder().join("absent.csv");
    let mut reader = csv::Reader::from_path(file).expect("absent.csv");
    let all: Vec<Absent> = reader.deserialize().map(|row| row.expect("a row")).collect();
    let is_answered = |absent: &&Absent| is_answered(&absent.tree, &absent.query);
    let answered = all.iter().filter(is_answered).map(|absent| absent.query.clone()).collect();
    (answered, all.len())
}

/// Golden questions that are taken for unanswerable, and how many there are.
pub fn refused() -> (Vec<String>, usize) {
    let all = question::all();
    let is_refused = |it: &&question::Question| !is_answered(&it.tree, &it.query);
    let refused = all.iter().filter(is_refused).map(|it| it.query.clone()).collect();
    (refused, all.len())
}

fn is_answered(tree: &str, query: &str) -> bool {
    rank::ask(tree, &Query::new(query)).nothing_because.is_none()
}

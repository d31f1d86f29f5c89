//! The evaluation that ships with the project: small trees, questions about them, and the rank
//! every question gets, committed beside them, so that a change of ranking shows as a diff.
//!
//! In: `golden/trees`, `golden/questions.jsonl`, `golden/ranks.csv`. After a change of ranking
//! `UPDATE_EXPECTED=1` writes the ranks anew; the difference is part of the change. Nothing is
//! tuned on these questions: a hundred are enough to see a change, not to choose a number by.

mod question;
mod rank;
mod tree;

use std::sync::LazyLock;

use rank::Rank;

/// The mean reciprocal rank and the share of questions answered among the first five may not drop
/// below these. Measured on 2026-11-15, lexical mode: 0.768 and 0.922. The floor is 0.03 lower, so
/// that a change that moves a few questions either way is judged by its diff alone.
const LEAST_MRR: f64 = 0.74;
const LEAST_HIT5: f64 = 0.89;

/// Every question is asked once, however many tests look at the ranks.
static RANKS: LazyLock<Vec<Rank>> = LazyLock::new(|| rank::of_all(&question::all()));

#[test]
fn every_rank_is_as_committed() {
    let file = question::folder().join("ranks.csv");
    if std::env::var_os("UPDATE_EXPECTED").is_some() {
        rank::write(&file, &RANKS);
    }
    let difference = rank::difference(&rank::read(&file), &RANKS);
    assert!(
        difference.is_empty(),
        "{} of {} questions differ from {}:\n{}\nIf that is meant, run again with UPDATE_EXPECTED=1.",
        difference.len(),
        RANKS.len(),
        file.display(),
        difference.join("\n"),
    );
}

#[test]
fn the_means_stay_above_the_floor() {
    let (mrr, hit5) = (rank::mean_reciprocal(&RANKS), rank::hits_within(5, &RANKS));
    assert!(mrr >= LEAST_MRR, "MRR {mrr:.4} is below {LEAST_MRR}\n{}", rank::table(&RANKS));
    assert!(hit5 >= LEAST_HIT5, "Hit@5 {hit5:.4} is below {LEAST_HIT5}\n{}", rank::table(&RANKS));
}

//! The order of the first candidates, by a ranker that was trained to put the right one first.

pub mod features;
mod trees;

use std::sync::LazyLock;

use crate::error::Result;
use crate::index::snapshot::Snapshot;
use crate::search::channels::{self, Terms};
use crate::search::fusion::{self, Candidate};
use crate::search::intent::{self, Intent};
use crate::search::query::Query;
use crate::search::{Meaning, filter, weights};

use features::{Features, NAMES, Page};
use trees::Trees;

static TREES: LazyLock<Option<Trees>> = LazyLock::new(|| {
    Trees::read(include_str!("ranker.txt"), NAMES.len()).filter(|trees| !trees.is_empty())
});

/// What the fused score is multiplied with before the trees correct it; as in training.
const FUSED: f32 = 30.0;

/// Puts the first candidates into the ranker's order; the others keep theirs, below. Scores become
/// numbers between 0 and 1.
pub fn rerank(
    index: &Snapshot,
    intent: &Intent,
    terms: &Terms,
    mut candidates: Vec<Candidate>,
    query: &Query,
) -> Result<Vec<Candidate>> {
    // Without a single vector the scores are those of words alone, which it was not trained on.
    let is_dense = candidates.iter().any(|candidate| candidate.found.is_dense());
    let Some(trees) = TREES.as_ref().filter(|_| is_dense) else {
        return Ok(candidates);
    };
    let rest = candidates.split_off(candidates.len().min(weights::RERANKED));
    let page = Page::of(index, intent, terms, &candidates, query);
    let mut scored = Vec::with_capacity(candidates.len());
    for (place, candidate) in candidates.into_iter().enumerate() {
        let corrected = trees.score(&page.features(&candidate, place)?);
        let score = corrected + FUSED * candidate.score;
        scored.push((score, place, candidate));
    }
    scored.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
    let lowest = scored.last().map_or(1.0, |(score, ..)| shown(*score));
    let most = rest.first().map_or(1.0, |candidate| candidate.score.max(f32::MIN_POSITIVE));
    let below = |candidate: Candidate| {
        let score = lowest * (candidate.score / most).clamp(0.0, 1.0);
        Candidate { score, ..candidate }
    };
    let reranked = scored
        .into_iter()
        .map(|(score, _, candidate)| Candidate { score: shown(score), ..candidate });
    Ok(reranked.chain(rest.into_iter().map(below)).collect())
}

/// The ranker's score as a number between 0 and 1, a half where a cosine alone would be 0.6.
fn shown(score: f32) -> f32 {
    1.0 / (1.0 + (-(score - 0.6 * FUSED) / 4.0).exp())
}

/// A candidate as the training script sees it.
#[derive(Clone, Debug)]
pub struct Sample {
    /// Relative to the root.
    pub path: String,
    /// First and last line.
    pub lines: (u32, u32),
    /// What the ranker would look at.
    pub features: Features,
}

/// The candidates that the ranker would put into order, in the order it gets them: what it is
/// trained on.
pub fn samples(index: &Snapshot, meaning: &Meaning, query: &Query) -> Result<Vec<Sample>> {
    let intent = intent::read(query)?;
    let allowed = filter::allowed(index, query)?;
    let lists = channels::recall(index, meaning, &intent, &allowed, query)?;
    let terms = lists.terms.clone();
    let mut candidates = fusion::fuse(lists, &intent, query);
    candidates.truncate(weights::RERANKED);
    let page = Page::of(index, &intent, &terms, &candidates, query);
    let sample = |(place, candidate): (usize, &Candidate)| {
        let file = &index.manifest.files[candidate.file];
        let chunk = &index.parsed(file)?.chunks[candidate.chunk as usize];
        let lines = (chunk.start_line, chunk.end_line);
        let features = page.features(candidate, place)?;
        Ok(Sample { path: file.path.clone(), lines, features })
    };
    candidates.iter().enumerate().map(sample).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_ranker_that_ships_is_whole_and_made_for_these_features() {
        let text = include_str!("ranker.txt");
        assert!(TREES.is_some());
        let listed = text.lines().filter_map(|line| line.strip_prefix("# ")?.split_once(' '));
        let listed: Vec<&str> =
            listed.filter(|(n, _)| n.parse::<usize>().is_ok()).map(|(_, name)| name).collect();
        assert_eq!(listed, NAMES);
    }
}

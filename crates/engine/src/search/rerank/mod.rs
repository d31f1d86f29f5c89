//! The order of the first candidates, by a ranker that was trained to put the right one first.

pub mod features;
pub mod text;
mod trees;

use std::collections::HashMap;
use std::sync::LazyLock;

use crate::error::Result;
use crate::index::snapshot::Snapshot;
use crate::search::channels::files::Files;
use crate::search::channels::{self, Terms};
use crate::search::fusion::{self, Candidate};
use crate::search::intent::{self, Intent, Shape};
use crate::search::query::Query;
use crate::search::texts::Texts;
use crate::search::{Meaning, filter, weights};

use features::{Features, NAMES, Page};
use trees::Trees;

/// For questions that are asked.
static ASKED: LazyLock<Option<Trees>> =
    LazyLock::new(|| whole(include_str!("asked.txt"), NAMES.len()));

/// For what is pasted.
static PASTED: LazyLock<Option<Trees>> =
    LazyLock::new(|| whole(include_str!("pasted.txt"), NAMES.len()));

/// What confidence looks at beside the features: the ranker's score, and how far below the best.
const RANKER: [&str; 2] = ["ranker", "ranker.below_best"];

static CONFIDENCE: LazyLock<Option<Trees>> =
    LazyLock::new(|| whole(include_str!("confidence.txt"), NAMES.len() + RANKER.len()));

fn whole(text: &str, features: usize) -> Option<Trees> {
    Trees::read(text, features).filter(|trees| !trees.is_empty())
}

/// Who asks names what is sought; who pastes shows what stands near it, and words count otherwise. One ranker for both
/// was worse by 4 points of NDCG@10 on what is called in pasted code and by 2.5 on messages, on repositories not
/// trained on.
fn ranker(shape: Shape) -> Option<&'static Trees> {
    match shape {
        Shape::Words | Shape::Name | Shape::Path => ASKED.as_ref(),
        Shape::Code | Shape::Message | Shape::Trace => PASTED.as_ref(),
    }
}

/// What the fused score is multiplied with before the trees correct it; as in training.
const FUSED: f32 = 30.0;

/// What a candidate loses for each better one of its file, as other files tell more. For questions in words, at 0.3,
/// 0.6, 1.0 and 1.5: semble's recall at 2k tokens .952, .957, .958, .962, codescout 36, 37, 38, 39 points, octocode
/// docs MRR .881, .881, .883, .885, code .862, .860, .854, .854 (2026-11-18). Who pastes code is not done with the file
/// it stands in.
fn again(shape: Shape) -> f32 {
    match shape {
        Shape::Code | Shape::Trace => 0.0,
        Shape::Words | Shape::Message | Shape::Name | Shape::Path => 1.5,
    }
}

/// Puts the first candidates for a page of `limit` hits into the ranker's order; the others keep theirs,
/// below. Scores become numbers between 0 and 1.
pub fn rerank(
    texts: &Texts,
    intent: &Intent,
    terms: &Terms,
    files: &Files,
    limit: usize,
    mut candidates: Vec<Candidate>,
) -> Result<Vec<Candidate>> {
    // Without a single vector the scores are those of words alone, which it was not trained on.
    let is_dense = candidates.iter().any(|candidate| candidate.found.is_dense());
    let is_tree = !texts.index.manifest().is_list_of_chunks();
    let Some(trees) = ranker(intent.shape).filter(|_| is_dense && is_tree) else {
        return Ok(candidates);
    };
    let rest = candidates.split_off(candidates.len().min(weights::reranked(limit)));
    let page = Page::of(texts, intent, terms, files, &candidates);
    let mut scored = Vec::with_capacity(candidates.len());
    for (place, candidate) in candidates.into_iter().enumerate() {
        let features = page.features(&candidate, place)?;
        let score = trees.score(&features) + FUSED * candidate.score;
        scored.push((score, place, candidate, features));
    }
    scored.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
    let (again, mut better) = (again(intent.shape), HashMap::<usize, f32>::new());
    for (score, _, candidate, _) in &mut scored {
        let better = better.entry(candidate.file).or_default();
        *score -= again * *better;
        *better += 1.0;
    }
    scored.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
    let best = scored.first().map_or(0.0, |(score, ..)| *score);
    let lowest = scored.last().map_or(1.0, |(score, ..)| shown(*score));
    let most = rest.first().map_or(1.0, |candidate| candidate.score.max(f32::MIN_POSITIVE));
    let below = |candidate: Candidate| {
        let score = lowest * (candidate.score / most).clamp(0.0, 1.0);
        Candidate { score, ..candidate }
    };
    let reranked = scored.into_iter().map(|(score, _, candidate, features)| {
        let confidence = match candidate.found.is_dense() {
            true => confidence(intent.shape, &features, score, best),
            false => None,
        };
        Candidate { score: shown(score), confidence, ..candidate }
    });
    Ok(reranked.chain(rest.into_iter().map(below)).collect())
}

/// How likely a hit is to answer, between 0 and 1. Names and paths are there or are not; what is
/// pasted is looked for to find what is nearest to it.
fn confidence(shape: Shape, features: &Features, score: f32, best: f32) -> Option<f32> {
    match shape {
        Shape::Words | Shape::Message => {
            let features = [features.as_slice(), &[score, best - score]].concat();
            let odds = CONFIDENCE.as_ref()?.score(&features);
            Some(1.0 / (1.0 + (-odds).exp()))
        }
        Shape::Name | Shape::Path => {
            let feature = |name: &str| {
                NAMES.iter().position(|it| *it == name).map_or(0.0, |number| features[number])
            };
            let evidence = ["definitions", "symbols", "paths", "text.line"].map(feature);
            Some(evidence.into_iter().fold(0.0, f32::max))
        }
        Shape::Code | Shape::Trace => None,
    }
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
    let allowed = filter::allowed(index, query, &intent.filters)?;
    let mut lists = channels::recall(index, meaning, &intent, &allowed, query, &[])?;
    let (terms, files) = (lists.terms.clone(), std::mem::take(&mut lists.files));
    let mut candidates = fusion::fuse(lists, &intent, query);
    candidates.truncate(weights::RERANKED);
    let texts = Texts::of(index);
    let page = Page::of(&texts, &intent, &terms, &files, &candidates);
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

    #[track_caller]
    fn check(text: &str, trees: &Option<Trees>, expected: &[&str]) {
        assert!(trees.is_some());
        let listed = text.lines().filter_map(|line| line.strip_prefix("# ")?.split_once(' '));
        let listed: Vec<&str> =
            listed.filter(|(n, _)| n.parse::<usize>().is_ok()).map(|(_, name)| name).collect();
        assert_eq!(listed, expected);
    }

    #[test]
    fn what_ships_is_whole_and_made_for_these_features() {
        check(include_str!("asked.txt"), &ASKED, &NAMES);
        check(include_str!("pasted.txt"), &PASTED, &NAMES);
        check(include_str!("confidence.txt"), &CONFIDENCE, &[&NAMES[..], &RANKER].concat());
    }
}

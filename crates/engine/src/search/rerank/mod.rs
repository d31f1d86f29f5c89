//! The order of the first candidates, by a ranker that was trained to put the right one first.

pub mod features;
#[cfg_attr(not(test), expect(dead_code, reason = "it is packed when the engine is built"))]
mod node;
pub mod text;
mod trees;
#[cfg(test)]
mod written;

use std::collections::HashMap;
use std::sync::LazyLock;

use crate::error::Result;
use crate::index::snapshot::Snapshot;
use crate::search::channels::files::Files;
use crate::search::channels::{self, Channel, Terms};
use crate::search::fusion::{self, Candidate};
use crate::search::intent::names::Name;
use crate::search::intent::places::Place;
use crate::search::intent::{Intent, Shape};
use crate::search::query::Query;
use crate::search::texts::Texts;
use crate::search::{Meaning, heard, weights};

use features::{Features, NAMES, Page};
use trees::Trees;

/// Puts files into order, and the chunks of each.
struct Ranker {
    files: Trees,
    chunks: Trees,
}

/// Trees that the build packed.
macro_rules! trees {
    ($name:literal) => {
        include_bytes!(concat!(env!("OUT_DIR"), "/", $name, ".trees"))
    };
}

/// For questions that are asked.
static ASKED: LazyLock<Option<Ranker>> =
    LazyLock::new(|| Ranker::of(trees!("asked"), trees!("asked-chunks")));

/// For what is pasted.
static PASTED: LazyLock<Option<Ranker>> =
    LazyLock::new(|| Ranker::of(trees!("pasted"), trees!("pasted-chunks")));

impl Ranker {
    fn of(files: &'static [u8], chunks: &'static [u8]) -> Option<Ranker> {
        let [files, chunks] = [files, chunks].map(|trees| whole(trees, NAMES.len()));
        Some(Ranker { files: files?, chunks: chunks? })
    }

    /// What each candidate is worth. Which file comes first is a question of its own: a ranker trained on files and on
    /// lines at once was half a point of NDCG@10 worse on semble and six on codescout, and nowhere surely better, on
    /// repositories not trained on. So the worths of a file's chunks are dealt anew among them, the most to the one
    /// that is best within the file.
    fn worths(&self, candidates: &[Candidate], features: &[Features]) -> Vec<f32> {
        let worth =
            |(candidate, score): (&Candidate, f32)| score + weights::FUSED * candidate.score;
        let scores = self.files.scores(features);
        let worths: Vec<f32> = candidates.iter().zip(scores).map(worth).collect();
        let mut of_file: HashMap<usize, Vec<usize>> = HashMap::new();
        for (place, candidate) in candidates.iter().enumerate() {
            of_file.entry(candidate.file).or_default().push(place);
        }
        let mut dealt = worths.clone();
        for places in of_file.into_values().filter(|places| places.len() > 1) {
            let within = |&place: &usize| worths[place] + self.chunks.score(&features[place]);
            for (from, to) in
                in_order(&places, |&place| worths[place]).zip(in_order(&places, within))
            {
                dealt[to] = worths[from];
            }
        }
        dealt
    }
}

/// Places, that with the highest score first; ties as they come.
fn in_order(places: &[usize], score: impl Fn(&usize) -> f32) -> impl Iterator<Item = usize> {
    let mut scored: Vec<(f32, usize)> = places.iter().map(|place| (score(place), *place)).collect();
    scored.sort_by(|a, b| b.0.total_cmp(&a.0));
    scored.into_iter().map(|(_, place)| place)
}

/// What confidence looks at beside the features: the ranker's score, and how far below the best.
const RANKER: [&str; 2] = ["ranker", "ranker.below_best"];

static CONFIDENCE: LazyLock<Option<Trees>> =
    LazyLock::new(|| whole(trees!("confidence"), NAMES.len() + RANKER.len()));

fn whole(trees: &'static [u8], features: usize) -> Option<Trees> {
    Trees::of(trees, features).filter(|trees| !trees.is_empty())
}

/// Who asks names what is sought; who pastes shows what stands near it, and words count otherwise. One ranker for both
/// was worse by 4 points of NDCG@10 on what is called in pasted code and by 2.5 on messages, on repositories not
/// trained on.
fn ranker(shape: Shape) -> Option<&'static Ranker> {
    match shape {
        Shape::Words | Shape::Name | Shape::Path => ASKED.as_ref(),
        Shape::Code | Shape::Message | Shape::Trace => PASTED.as_ref(),
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
    candidates: Vec<Candidate>,
) -> Result<Vec<Candidate>> {
    // Without a single vector the scores are those of words alone, which it was not trained on.
    let is_dense = candidates.iter().any(|candidate| candidate.found.is_dense());
    let is_tree = !texts.index.manifest().is_list_of_chunks();
    let Some(ranker) = ranker(intent.shape).filter(|_| is_dense && is_tree) else {
        return Ok(candidates);
    };
    let (candidates, rest) = considered(candidates, weights::reranked(limit));
    let page = Page::of(texts, intent, terms, files, &candidates);
    let features = page.features(&candidates)?;
    let worths = ranker.worths(&candidates, &features);
    let each = candidates.into_iter().zip(features).zip(worths).enumerate();
    let mut scored: Vec<_> = each
        .map(|(place, ((candidate, features), worth))| (worth, place, candidate, features))
        .collect();
    scored.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
    let mut of_file: HashMap<usize, (f32, f32)> = HashMap::new();
    for (score, _, candidate, _) in &mut scored {
        let in_paths = candidate.found.standings[Channel::Paths as usize];
        let is_innermost = in_paths.is_some_and(|it| channels::is_innermost(it.score));
        if intent.shape == Shape::Trace && is_innermost {
            *score += weights::INNERMOST;
        }
        let (best, better) = of_file.entry(candidate.file).or_insert((*score, 0.0));
        *score = weights::after_better(intent.shape, *score, *best, *better);
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
            true => confidence(intent, &features, score, best),
            false => None,
        };
        Candidate { score: shown(score), confidence, ..candidate }
    });
    Ok(reranked.chain(rest.into_iter().map(below)).collect())
}

/// The candidates that the ranker puts into order, and the others: the first `most`, and the first by words and by
/// meaning alone, so that what one of them is sure of has its say.
fn considered(mut candidates: Vec<Candidate>, most: usize) -> (Vec<Candidate>, Vec<Candidate>) {
    let is_first = |candidate: &Candidate| {
        let lists = [Channel::Lexical, Channel::DenseCode, Channel::DenseDocs];
        let ranks = lists.iter().filter_map(|&it| candidate.found.standings[it as usize]?.rank);
        ranks.min().is_some_and(|rank| rank <= weights::FIRST_OF_LIST)
    };
    let mut places = 0..;
    let is_among = |it: &mut Candidate| places.next().is_some_and(|at| at < most) || is_first(it);
    // The rest, which is most of them, stays where it is.
    (candidates.extract_if(.., is_among).collect(), candidates)
}

/// How likely a hit is to answer, between 0 and 1. Names and paths are there or are not; what is
/// pasted is looked for to find what is nearest to it.
fn confidence(intent: &Intent, features: &Features, score: f32, best: f32) -> Option<f32> {
    let feature =
        |name: &str| NAMES.iter().position(|it| *it == name).map_or(0.0, |at| features[at]);
    let judged = || {
        let features = [features.as_slice(), &[score, best - score]].concat();
        let odds = CONFIDENCE.as_ref()?.score(&features);
        Some(1.0 / (1.0 + (-odds).exp()))
    };
    match intent.shape {
        Shape::Words | Shape::Message => judged(),
        Shape::Name | Shape::Path => {
            let named = ["definitions", "symbols", "paths"].map(feature);
            let in_text = match intent.shape {
                // What is like a file that is not there is no evidence of it.
                Shape::Path if intent.places.iter().all(Place::names_a_file) => 0.0,
                Shape::Name if feature("question.unknown") == 0.0 => feature("text.line"),
                // Nor are parts of an identifier that stands nowhere as a whole.
                Shape::Name if intent.names.iter().all(Name::has_parts) => 0.0,
                _ => judged()?,
            };
            Some(named.into_iter().fold(in_text, f32::max))
        }
        Shape::Code | Shape::Trace => None,
    }
}

/// The ranker's score as a number between 0 and 1, a half where a cosine alone would be 0.6.
fn shown(score: f32) -> f32 {
    1.0 / (1.0 + (-(score - 0.6 * weights::FUSED) / 4.0).exp())
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
    let (intent, allowed) = heard(index, query)?;
    let mut lists = channels::recall(index, meaning, &intent, &allowed, query, &[])?;
    let (terms, files) = (lists.terms.clone(), std::mem::take(&mut lists.files));
    let (candidates, _) = considered(fusion::fuse(lists, &intent, query), weights::RERANKED);
    let texts = Texts::of(index);
    let page = Page::of(&texts, &intent, &terms, &files, &candidates);
    let sample = |(candidate, features): (&Candidate, Features)| {
        let file = &index.manifest.files[candidate.file];
        let chunk = &index.parsed(file)?.chunks[candidate.chunk as usize];
        let lines = (chunk.start_line, chunk.end_line);
        Ok(Sample { path: file.path.clone(), lines, features })
    };
    let features = page.features(&candidates)?;
    candidates.iter().zip(features).map(sample).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::channels::Found;
    use crate::search::fusion::Parts;
    use written::packed;

    #[test]
    fn chunks_change_places_within_their_file_only() {
        let by = |feature: usize, worth: f32| -> &'static [u8] {
            packed(&format!("tree\n{feature} 0.5 1 2\n0\n{worth}\n")).unwrap().leak()
        };
        let ranker = Ranker::of(by(0, 4.0), by(1, 8.0)).unwrap();
        let candidate = |file, score| Candidate {
            file,
            chunk: 0,
            score,
            found: Found::default(),
            parts: Parts::default(),
            confidence: None,
            judged: None,
        };
        let candidates =
            [(0, 0.4), (1, 0.3), (0, 0.2), (1, 0.1)].map(|(file, score)| candidate(file, score));
        let features = [[1.0, 0.0], [0.0, 0.0], [0.0, 1.0], [0.0, 1.0]].map(|first| {
            let mut features = [0.0; NAMES.len()];
            features[..2].copy_from_slice(&first);
            features
        });
        // The first file's chunks have 16 and 6 as files go, the second's 9 and 3: 8 more within its file put the
        // last before the one above it, and not the third.
        let worths = ranker.worths(&candidates, &features);
        assert_eq!(worths.iter().map(|it| it.round()).collect::<Vec<_>>(), [16.0, 3.0, 6.0, 9.0]);
    }

    #[track_caller]
    fn check(text: &str, expected: &[&str]) {
        assert!(whole(packed(text).unwrap().leak(), expected.len()).is_some());
        let listed = text.lines().filter_map(|line| line.strip_prefix("# ")?.split_once(' '));
        let listed: Vec<&str> =
            listed.filter(|(n, _)| n.parse::<usize>().is_ok()).map(|(_, name)| name).collect();
        assert_eq!(listed, expected);
    }

    #[test]
    fn what_ships_is_whole_and_made_for_these_features() {
        check(include_str!("asked.txt"), &NAMES);
        check(include_str!("asked-chunks.txt"), &NAMES);
        check(include_str!("pasted.txt"), &NAMES);
        check(include_str!("pasted-chunks.txt"), &NAMES);
        check(include_str!("confidence.txt"), &[&NAMES[..], &RANKER].concat());
        assert!(ASKED.is_some() && PASTED.is_some() && CONFIDENCE.is_some());
    }
}

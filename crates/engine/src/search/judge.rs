//! A second look at the first candidates, where the ranker has no say: each is read together with the question.

use std::collections::BTreeMap;

use wherein_encoder::Model;

use crate::error::Result;
use crate::index::vectors::encode::passages;
use crate::search::channels::Spot;
use crate::search::fusion::Candidate;
use crate::search::intent::{Intent, Shape};
use crate::search::query::{Fusion, Mode, Query};
use crate::search::recall::Recall;
use crate::search::{Meaning, Ranked, weights};

/// What silences it.
const NAME: &str = "judge";

/// Puts what was ranked into the judge's order, where it is asked for one.
pub fn order(
    index: &dyn Recall,
    meaning: &Meaning,
    intent: &Intent,
    query: &Query,
    ranked: &mut Ranked,
) -> Result<()> {
    let Meaning::On { model, .. } = meaning else { return Ok(()) };
    if !is_asked(index, intent, query, &ranked.candidates) {
        return Ok(());
    }
    match look_again(index, model, intent, &mut ranked.candidates) {
        // Words and vectors have answered already.
        Err(error) if query.mode == Mode::Hybrid => {
            ranked.dense_off = Some(error.to_string());
            Ok(())
        }
        done => done,
    }
}

/// Whether the judge is asked. In a tree the ranker knows more than it does; by meaning alone, and in a list
/// of chunks, there is no ranker.
fn is_asked(index: &dyn Recall, intent: &Intent, query: &Query, candidates: &[Candidate]) -> bool {
    let is_without_ranker = match query.mode {
        Mode::Dense => true,
        // Scores of words alone are not those that it was weighed against.
        Mode::Hybrid => {
            index.manifest().is_list_of_chunks()
                && candidates.iter().any(|candidate| candidate.found.is_dense())
        }
        Mode::Lexical => false,
    };
    // It has learnt of questions in words; with messages, which are words too, it was not evaluated by themselves.
    let is_said = matches!(intent.shape, Shape::Words | Shape::Message);
    is_said && is_without_ranker && query.fusion == Fusion::Scores && query.asks(NAME)
}

/// Puts the first candidates into the order that fits their scores and what the judge says. The scores stay where they
/// were, so that none falls behind one that was not looked at.
fn look_again(
    index: &dyn Recall,
    model: &Model,
    intent: &Intent,
    candidates: &mut [Candidate],
) -> Result<()> {
    let looked = candidates.len().min(weights::JUDGED);
    let judged = judged(index, model, intent, &candidates[..looked])?;
    let scores: Vec<f32> = candidates[..looked].iter().map(|it| it.score).collect();
    for candidate in &mut candidates[..looked] {
        candidate.judged = judged.get(&(candidate.file, candidate.chunk)).copied();
    }
    // What could not be read is neither better nor worse for it.
    let mean = judged.values().sum::<f32>() / judged.len().max(1) as f32;
    let worth = |it: &Candidate| it.score + weights::JUDGE * it.judged.unwrap_or(mean);
    candidates[..looked].sort_by(|a, b| worth(b).total_cmp(&worth(a)));
    candidates.iter_mut().zip(scores).for_each(|(candidate, score)| candidate.score = score);
    Ok(())
}

/// What the judge says of some candidates; nothing of those whose files are not what was indexed. A chunk is as good as
/// the better of its halves.
fn judged(
    index: &dyn Recall,
    model: &Model,
    intent: &Intent,
    candidates: &[Candidate],
) -> Result<BTreeMap<Spot, f32>> {
    let mut of_file: BTreeMap<usize, Vec<u32>> = BTreeMap::new();
    for candidate in candidates {
        of_file.entry(candidate.file).or_default().push(candidate.chunk);
    }
    let (mut spots, mut texts) = (Vec::new(), Vec::new());
    for (file, chunks) in of_file {
        for (chunk, passage) in passages(index, &index.manifest().files[file], &chunks)? {
            spots.push((file, chunk));
            texts.push(passage.text);
        }
    }
    let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
    let mut best = BTreeMap::new();
    for (spot, worth) in
        spots.into_iter().zip(model.judge(&intent.text, &texts)?.unwrap_or_default())
    {
        let best = best.entry(spot).or_insert(worth);
        *best = worth.max(*best);
    }
    Ok(best)
}

//! Everything per query: from a question to a page of ranked spans.

pub mod answer;
pub mod clusters;
pub mod highlight;
pub mod query;
pub mod similar;
pub mod weights;

mod channels;
mod diversity;
mod expand;
mod explain;
mod filter;
mod fusion;
mod intent;
mod page;
pub mod rerank;

use wherein_encoder::Model;

use crate::error::Result;
use crate::index::snapshot::Snapshot;
use crate::index::vectors::encode::GoOn;

use answer::Answer;
use filter::Allowed;
use fusion::Candidate;
use intent::Intent;
use query::{Fusion, Mode, Query};

/// What search by meaning has to work with.
#[derive(Clone, Copy)]
pub enum Meaning<'m> {
    /// A model.
    On {
        /// It encodes the question.
        model: &'m Model,
        /// Whether there is time to encode another chunk that has no vector yet.
        go_on: GoOn<'m>,
    },
    /// Nothing, and why.
    Off(&'m str),
}

/// Answers a question from one snapshot.
pub fn search(index: &Snapshot, meaning: &Meaning, query: &Query) -> Result<Answer> {
    check(query)?;
    let intent = intent::read(query)?;
    let allowed = filter::allowed(index, query)?;
    let (candidates, dense_off) = ranked(index, meaning, &intent, &allowed, query)?;
    let candidates = match query.expand {
        true => {
            let expanded = expand::expand(index, intent::read(query)?, &candidates)?;
            ranked(index, meaning, &expanded, &allowed, query)?.0
        }
        false => candidates,
    };
    let spread = diversity::spread(candidates, query);
    let mut answer = page::compose(index, &intent, spread, query)?;
    answer.dense_off_because = dense_off;
    if answer.hits.is_empty() {
        answer.nothing_because = Some(why_nothing(index, &intent, &allowed, query));
    }
    Ok(answer)
}

/// Candidates best first, and why none of them was found by meaning, if that should have been.
fn ranked(
    index: &Snapshot,
    meaning: &Meaning,
    intent: &Intent,
    allowed: &Allowed,
    query: &Query,
) -> Result<(Vec<Candidate>, Option<String>)> {
    let mut lists = channels::recall(index, meaning, intent, allowed, query)?;
    let (terms, dense_off) = (lists.terms.clone(), lists.dense_off.take());
    let is_hybrid = query.mode == Mode::Hybrid && dense_off.is_none();
    let fused = fusion::fuse(lists, intent, query);
    let candidates = match is_hybrid && query.fusion == Fusion::Scores {
        true => rerank::rerank(index, intent, &terms, fused, query)?,
        false => fused,
    };
    Ok((candidates, dense_off))
}

/// Whether a question can be asked at all, before any tree is looked at.
pub fn check(query: &Query) -> Result<()> {
    filter::check(query)?;
    intent::read(query).map(drop)
}

/// An empty page says why it is empty.
fn why_nothing(index: &Snapshot, intent: &Intent, allowed: &Allowed, query: &Query) -> String {
    let (files, skipped) = (index.manifest.files.len(), index.manifest.skipped.len());
    if query.limit == 0 {
        return "no hits were asked for".to_owned();
    }
    if files == 0 {
        return format!("the tree holds no text to index ({skipped} files skipped)");
    }
    if allowed.as_ref().is_some_and(|allowed| !allowed.contains(&true)) {
        return format!(
            "none of the {files} indexed files is in the given scope, languages and paths"
        );
    }
    if query.mode == Mode::Dense {
        return "nothing that may answer has a vector yet; run 'wherein index' first".to_owned();
    }
    let terms: Vec<&str> = intent.terms.iter().take(8).map(|(term, _)| term.as_str()).collect();
    format!("none of the searched files holds any of: {}", terms.join(", "))
}

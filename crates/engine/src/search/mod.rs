//! Everything per query: from a question to a page of ranked spans.

pub mod answer;
pub mod clusters;
pub mod highlight;
pub mod query;
pub mod secrets;
pub mod similar;
pub mod weights;
pub mod why;

mod among;
mod channels;
mod diversity;
mod expand;
mod explain;
pub(crate) mod filter;
mod fusion;
pub(crate) mod intent;
mod judge;
mod page;
pub mod recall;
pub mod rerank;
mod texts;
mod upstream;

use wherein_encoder::Model;

use crate::error::Result;
use crate::index::vectors::encode::GoOn;

pub use among::Among;

use answer::{Answer, Hit};
use channels::{Beside, Terms};
use filter::Allowed;
use fusion::Candidate;
use intent::{Intent, Shape};
use page::Extent;
use query::{Fusion, Mode, Query};
use recall::Recall;
use texts::Texts;

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
pub fn search(index: &dyn Recall, meaning: &Meaning, query: &Query) -> Result<Answer> {
    search_among(index, meaning, query, None)
}

/// The same, kept to chunks that hold some of the given lines.
pub fn search_among(
    index: &dyn Recall,
    meaning: &Meaning,
    query: &Query,
    among: Option<&Among>,
) -> Result<Answer> {
    let (intent, mut allowed) = heard(index, query)?;
    if let Some(among) = among {
        allowed = among.narrow(index, allowed);
    }
    let texts = Texts::of(index);
    let mut found = ranked(&texts, meaning, &intent, &allowed, query, &[])?;
    if query.expand || query.expand_upstream {
        let besides = match query.expand_upstream {
            true => upstream::upstream(index, &allowed, &found.candidates),
            false => Vec::new(),
        };
        let expanded = match query.expand {
            true => expand::expand(index, intent.clone(), &found.candidates)?,
            false => intent.clone(),
        };
        found.candidates =
            ranked(&texts, meaning, &expanded, &allowed, query, &besides)?.candidates;
    }
    if let Some(among) = among {
        found.candidates = kept_to(index, among, found.candidates)?;
    }
    judge::order(index, meaning, &intent, query, &mut found)?;
    let Ranked { candidates, dense_off, is_unheld, .. } = found;
    // Of lines that changed none may be lost.
    let extent = if among.is_some() { Extent::Whole } else { Extent::Narrowing };
    let mut answer = page::compose(&texts, &intent, candidates, query, extent)?;
    answer.dense_off_because = dense_off;
    // Text in quotes is there or is not, whatever it means.
    answer.confidence = confidence(&answer.hits).filter(|_| intent.filters.phrases.is_empty());
    if is_unheld {
        let reason = none_may(index, &allowed, query).unwrap_or_else(|| unheld(&intent));
        answer.nothing_because = Some(reason);
    } else if answer.hits.is_empty() {
        let reason = || why_nothing(index, &intent, &allowed, query);
        answer.nothing_because = answer.nothing_because.or_else(|| Some(reason()));
    } else if answer.confidence.is_some_and(|sure| sure < query.min_confidence) {
        answer.nothing_because = Some(unlikely(&answer));
    }
    Ok(answer)
}

/// What a question asks of this tree, and which files may answer. A trace none of whose frames is in the tree is what
/// the program said: the rest is somebody else's code.
fn heard(index: &dyn Recall, query: &Query) -> Result<(Intent, Allowed)> {
    let intent = intent::read(query)?;
    filter::check(query, &intent.filters)?;
    let allowed = filter::allowed(index, query, &intent.filters)?;
    let is_lost =
        intent.shape == Shape::Trace && !channels::frames_are_here(index, &allowed, &intent);
    let said = if is_lost { intent::said(&intent) } else { None };
    Ok((said.unwrap_or(intent), allowed))
}

fn kept_to(
    index: &dyn Recall,
    among: &Among,
    candidates: Vec<Candidate>,
) -> Result<Vec<Candidate>> {
    let mut kept = Vec::new();
    for candidate in candidates {
        let file = &index.manifest().files[candidate.file];
        let chunk = &index.parsed(file)?.chunks[candidate.chunk as usize];
        if among.meets(&file.path, chunk.start_line, chunk.end_line) {
            kept.push(candidate);
        }
    }
    Ok(kept)
}

/// A page is as sure as the surest of its first hits; it does not say where one of them cannot.
fn confidence(hits: &[Hit]) -> Option<f32> {
    const FIRST: usize = 5;
    let hits = &hits[..hits.len().min(FIRST)];
    let sure: Option<Vec<f32>> = hits.iter().map(|hit| hit.confidence).collect();
    sure?.into_iter().max_by(f32::total_cmp)
}

/// A page that is not an answer says so, and what comes nearest.
fn unlikely(answer: &Answer) -> String {
    const MOST: usize = 5;
    let sure = 100.0 * answer.confidence.unwrap_or(0.0);
    let mut nearest: Vec<&str> =
        answer.hits.iter().filter_map(|hit| hit.symbol.as_deref()).take(MOST).collect();
    nearest.dedup();
    let nearest = match nearest.is_empty() {
        true => String::new(),
        false => format!("; the nearest names are {}", nearest.join(", ")),
    };
    format!("nothing here is likely to answer this ({sure:.0} % at best){nearest}")
}

fn unheld(intent: &Intent) -> String {
    let phrases: Vec<String> =
        intent.filters.phrases.iter().map(|phrase| format!("\"{phrase}\"")).collect();
    format!("none of the searched files holds {} as it is", phrases.join(" or "))
}

/// What the channels, fusion and the ranker made of a question.
struct Ranked {
    /// Best first.
    candidates: Vec<Candidate>,
    /// What the question's words are worth.
    terms: Terms,
    /// Why none of the candidates was found by meaning, if that should have been.
    dense_off: Option<String>,
    /// Whether the question quotes text that stands nowhere.
    is_unheld: bool,
}

/// Ranks what the channels find, and what is looked at besides.
fn ranked(
    texts: &Texts,
    meaning: &Meaning,
    intent: &Intent,
    allowed: &Allowed,
    query: &Query,
    besides: &[Beside],
) -> Result<Ranked> {
    let mut lists = channels::recall(texts.index, meaning, intent, allowed, query, besides)?;
    let (terms, files) = (lists.terms.clone(), std::mem::take(&mut lists.files));
    let (dense_off, is_unheld) = (lists.dense_off.take(), lists.is_unheld);
    let is_hybrid = query.mode == Mode::Hybrid && dense_off.is_none();
    let is_ranked = is_hybrid && query.fusion == Fusion::Scores && query.asks("ranker");
    let fused = fusion::fuse(lists, intent, query);
    let candidates = match is_ranked {
        true => rerank::rerank(texts, intent, &terms, &files, query.limit, fused)?,
        false => fused,
    };
    Ok(Ranked { candidates, terms, dense_off, is_unheld })
}

/// Whether a question can be asked at all, before any tree is looked at.
pub fn check(query: &Query) -> Result<()> {
    filter::check(query, &intent::read(query)?.filters)
}

/// An empty page says why it is empty.
fn why_nothing(index: &dyn Recall, intent: &Intent, allowed: &Allowed, query: &Query) -> String {
    if let Some(reason) = none_may(index, allowed, query) {
        return reason;
    }
    if !intent.filters.is_empty() {
        return "nothing that matches passes the filters in the question".to_owned();
    }
    if query.mode == Mode::Dense {
        return "nothing that may answer has a vector yet; run 'wherein index' first".to_owned();
    }
    let terms: Vec<&str> = intent.terms.iter().take(8).map(|(term, _)| term.as_str()).collect();
    format!("none of the searched files holds any of: {}", terms.join(", "))
}

/// Why no file may answer, if none may.
fn none_may(index: &dyn Recall, allowed: &Allowed, query: &Query) -> Option<String> {
    let (files, skipped) = (index.manifest().files.len(), index.manifest().skipped.len());
    if query.limit == 0 {
        return Some("no hits were asked for".to_owned());
    }
    if files == 0 {
        return Some(format!("the tree holds no text to index ({skipped} files skipped)"));
    }
    let is_none = allowed.as_ref().is_some_and(|allowed| !allowed.contains(&true));
    is_none.then(|| {
        format!("none of the {files} indexed files is in the given scope, languages and paths")
    })
}

//! Why a span is, or is not, on the page: where each channel ranked it, and what the first hit has
//! that it lacks.

use std::collections::BTreeMap;

use serde::Serialize;

use crate::error::{Error, Result};
use crate::index::snapshot::Snapshot;
use crate::search::answer::{ChannelScore, Hit};
use crate::search::channels::Spot;
use crate::search::fusion::Candidate;
use crate::search::page::{self, Extent};
use crate::search::query::Query;
use crate::search::rerank::text::terms_of;
use crate::search::texts::Texts;
use crate::search::{Meaning, Ranked, explain, heard, judge, ranked};

/// What is to be said about a span.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Why {
    /// What the question was taken for.
    pub shape: &'static str,
    /// The span.
    pub span: Standing,
    /// The first hit of the page, if another span is it.
    pub first: Option<Standing>,
    /// Words of the question that the span does not hold, the weightiest first.
    pub missing: Vec<String>,
    /// All of it in a sentence.
    pub because: String,
}

/// Where a span stands.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Standing {
    /// Relative to the root.
    pub path: String,
    /// First line.
    pub start_line: u32,
    /// Last line.
    pub end_line: u32,
    /// Its place among all candidates, from 1.
    pub place: Option<usize>,
    /// Its place on the page, from 1.
    pub on_page: Option<usize>,
    /// Higher is better.
    pub score: f32,
    /// Where each channel ranked it, and how much of the score before the ranker it gave.
    pub channels: BTreeMap<String, ChannelScore>,
    /// What the model says of question and span, read together, where it was asked.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub judged: Option<f32>,
}

/// Explains the chunk of `path` that holds `line`, or its best one.
pub fn why(
    index: &Snapshot,
    meaning: &Meaning,
    path: &str,
    line: Option<u32>,
    query: &Query,
) -> Result<Why> {
    let (intent, allowed) = heard(index, query)?;
    let (texts, spots) = (Texts::of(index), spots(index, path, line)?);
    let is_allowed = allowed.as_ref().is_none_or(|allowed| allowed[spots[0].0]);
    let besides = spots.iter().filter(|_| is_allowed).map(|&spot| (spot, 0.0)).collect::<Vec<_>>();
    let mut found = ranked(&texts, meaning, &intent, &allowed, query, &besides)?;
    // What is a candidate only because it is asked about here is none.
    let is_found = |candidate: &Candidate| {
        !spots.contains(&spot(candidate))
            || !intent.filters.phrases.is_empty() && !found.is_unheld
            || candidate.found.standings.iter().flatten().any(|it| it.rank.is_some())
    };
    found.candidates = found.candidates.iter().filter(|it| is_found(it)).cloned().collect();
    judge::order(index, meaning, &intent, query, &mut found)?;
    let Ranked { candidates, terms, .. } = found;
    let page = page::compose(&texts, &intent, candidates.clone(), query, Extent::Whole)?.hits;
    let stand = |place: usize| -> Result<Standing> {
        let candidate = &candidates[place];
        let mut standing = standing(index, spot(candidate))?;
        standing.place = Some(place + 1);
        standing.on_page = page.iter().position(|hit| standing.is_in(hit)).map(|at| at + 1);
        (standing.score, standing.judged) = (candidate.score, candidate.judged);
        standing.channels = explain::channels(index, &intent, candidate, true)?;
        Ok(standing)
    };
    let place = candidates.iter().position(|candidate| spots.contains(&spot(candidate)));
    let mine = match place {
        Some(place) => stand(place)?,
        None => standing(index, spots[0])?,
    };
    let first = match mine.on_page {
        Some(1) => None,
        _ if candidates.is_empty() => None,
        _ => Some(stand(0)?),
    };
    let held = terms_of([
        texts.lines(spots[0].0, mine.start_line, mine.end_line).as_str(),
        mine.path.as_str(),
    ]);
    let missing = terms.missing(|term| held.contains(term));
    let because = because(&mine, first.as_ref(), is_allowed, &missing, query);
    Ok(Why { shape: intent.shape.name(), span: mine, first, missing, because })
}

fn spot(candidate: &Candidate) -> Spot {
    (candidate.file, candidate.chunk)
}

/// The chunk with the line, or every chunk of the file.
fn spots(index: &Snapshot, path: &str, line: Option<u32>) -> Result<Vec<Spot>> {
    let file = index.indexed(path)?;
    let position = index.position(file.id).unwrap_or_default();
    let parsed = index.parsed(file)?;
    let is_wanted = |chunk: &wherein_corpus::Chunk| {
        line.is_none_or(|line| (chunk.start_line..=chunk.end_line).contains(&line))
    };
    let chunks = (0..).zip(&parsed.chunks).filter(|(_, chunk)| is_wanted(chunk));
    let spots: Vec<Spot> = chunks.map(|(number, _)| (position, number)).collect();
    match spots.is_empty() {
        true => Err(Error::NoText {
            path: path.to_owned(),
            line: line.unwrap_or(1),
            because: "name a line of the file that holds text".to_owned(),
        }),
        false => Ok(spots),
    }
}

fn standing(index: &Snapshot, (position, chunk): Spot) -> Result<Standing> {
    let file = &index.manifest.files[position];
    let chunk = &index.parsed(file)?.chunks[chunk as usize];
    Ok(Standing {
        path: file.path.clone(),
        start_line: chunk.start_line,
        end_line: chunk.end_line,
        place: None,
        on_page: None,
        score: 0.0,
        channels: BTreeMap::new(),
        judged: None,
    })
}

impl Standing {
    /// Whether a hit shows the span: it may be joined with its neighbours there.
    fn is_in(&self, hit: &Hit) -> bool {
        self.path == hit.path && (hit.start_line..=hit.end_line).contains(&self.start_line)
    }
}

fn because(
    mine: &Standing,
    first: Option<&Standing>,
    is_allowed: bool,
    missing: &[String],
    query: &Query,
) -> String {
    if !is_allowed {
        return "its file is not in the scope, languages and paths that were asked for".to_owned();
    }
    let lacks = match missing {
        [] => String::new(),
        some => format!("; it does not hold: {}", some.join(", ")),
    };
    match (mine.on_page, mine.place, first) {
        (Some(1), ..) => format!("it is the first hit{lacks}"),
        (Some(at), _, first) => format!("it is hit {at}{}{lacks}", behind(mine, first)),
        (None, Some(place), first) if place <= query.limit => format!(
            "it came in as {place}, and {} spans of its file stand above it{}{lacks}",
            query.max_per_file,
            behind(mine, first)
        ),
        (None, Some(place), first) => format!(
            "it came in as {place}, and the page ends at {}{}{lacks}",
            query.limit,
            behind(mine, first)
        ),
        (None, None, _) => {
            format!("no channel ranks it among its best, or a filter left it out{lacks}")
        }
    }
}

/// In what the first hit gained the most on it.
fn behind(mine: &Standing, first: Option<&Standing>) -> String {
    let Some(first) = first else { return String::new() };
    if let (Some(ahead), Some(judged)) = (first.judged, mine.judged)
        && ahead > judged
    {
        return format!(
            "; read together with the question the first hit is worth {ahead:.1}, this {judged:.1}"
        );
    }
    let gap = |what: &str| {
        (first.score_in(what) - mine.score_in(what)) / first.score_in(what).max(f32::MIN_POSITIVE)
    };
    let widest = ["lexical", "dense", "definitions", "symbols", "paths"]
        .into_iter()
        .map(|what| (gap(what), what))
        .filter(|(gap, _)| *gap > 0.0)
        .max_by(|a, b| a.0.total_cmp(&b.0));
    match widest {
        Some((_, what)) => format!(
            "; the first hit is ahead most in {what}, {:.3} against {:.3}: more there would put it first",
            first.score_in(what),
            mine.score_in(what)
        ),
        None => {
            "; the first hit is preferred for what the two are, not for what they hold".to_owned()
        }
    }
}

impl Standing {
    /// Its score in a channel, or the better one in channels of that name: code and prose each have
    /// a channel of meaning.
    fn score_in(&self, what: &str) -> f32 {
        let channels = self.channels.iter().filter(|(name, _)| {
            let name = name.split('.').next().unwrap_or(name);
            name == what || name.strip_suffix("-code").or(name.strip_suffix("-docs")) == Some(what)
        });
        channels.map(|(_, channel)| channel.score).fold(0.0, f32::max)
    }
}

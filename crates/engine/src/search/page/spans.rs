//! Which spans are on the page: candidates come best first, and so do the spans.
//!
//! The share of a file filters. A copy of what is on the page is folded into it, a neighbour of what
//! is on the page joined to it; what is left becomes a span of its own until the page is full.

use crate::error::Result;
use crate::search::answer::Place;
use crate::search::diversity::Shares;
use crate::search::fusion::Candidate;
use crate::search::query::Query;

use super::piece::Piece;
use crate::search::texts::Texts;

/// Lines between two spans that are still neighbours; all of them are blank.
const MOST_BETWEEN: u32 = 2;

/// Lines that joined spans may have together.
///
/// Chosen on 2026-11-15 on the development halves, hybrid; without joining → 50 lines → 80 lines:
/// octocode code MRR .713 → .728 → .756 with a mean of 34 → 35 → 40 lines, NDCG@10 once .720 → .731 →
/// .743, docs Hit@5 .938 → .953 → .953; semble's recall at 2k tokens .946 → .945 → .926, at 500 tokens
/// .793 → .762. Longer spans
/// score on octocode for being long and cost what else would have been on the page.
const MOST_LINES: u32 = 50;

/// Hits among which a neighbour is looked for, the last ones of the page so far. One that comes much later would make
/// a good hit longer at the cost of what stands between them.
///
/// Chosen on 2026-11-18 among 1, 3 and all: semble's recall at 500 tokens .783, .769, .749, at 2k tokens .972, .972, .967;
/// octocode's code and docs and codescout the same to the third digit.
const NEAR: usize = 3;

/// A run of lines that will be a hit.
pub struct Span {
    /// The best chunk in it.
    pub best: Candidate,
    /// First and last line.
    pub lines: (u32, u32),
    /// Where nearly the same text stands.
    pub also_at: Vec<Place>,
    pieces: Vec<Piece>,
}

/// Fills a page.
pub fn choose(texts: &Texts, candidates: Vec<Candidate>, query: &Query) -> Result<Vec<Span>> {
    let mut spans: Vec<Span> = Vec::new();
    let mut shares = Shares::of(query);
    for candidate in candidates {
        if !shares.has_room(candidate.file) {
            continue;
        }
        let piece = Piece::of(texts.index, &candidate, query.unit)?;
        if let Some(original) = spans.iter_mut().find(|span| span.is_copied_by(&piece, texts)) {
            fold(&mut original.also_at, piece.place);
            continue;
        }
        shares.take(candidate.file);
        match beside(&spans, candidate.file, piece.lines()) {
            Some(neighbour) => join(&mut spans, neighbour, piece),
            None if spans.len() < query.limit => spans.push(Span::of(candidate, piece)),
            None => break,
        }
    }
    Ok(spans)
}

impl Span {
    fn of(best: Candidate, piece: Piece) -> Span {
        Span { best, lines: piece.lines(), also_at: Vec::new(), pieces: vec![piece] }
    }

    fn with(mut self, worse: Span) -> Span {
        self.lines = union(self.lines, worse.lines);
        self.pieces.extend(worse.pieces);
        worse.also_at.into_iter().for_each(|place| fold(&mut self.also_at, place));
        self
    }

    fn is_copied_by(&self, piece: &Piece, texts: &Texts) -> bool {
        self.pieces.iter().any(|own| own.is_like(piece, texts))
    }
}

/// The copy of a neighbour of what was copied is no place of its own.
fn fold(also_at: &mut Vec<Place>, copy: Place) {
    let lines = (copy.start_line, copy.end_line);
    let is_beside = |place: &&mut Place| {
        place.path == copy.path && are_beside((place.start_line, place.end_line), lines)
    };
    match also_at.iter_mut().find(is_beside) {
        Some(place) => {
            let both = union((place.start_line, place.end_line), lines);
            (place.start_line, place.end_line) = both;
        }
        None => also_at.push(copy),
    }
}

/// The best of the last spans that lines of a file are next to, if they are short enough together.
fn beside(spans: &[Span], file: usize, lines: (u32, u32)) -> Option<usize> {
    let is_beside = |span: &Span| {
        let (first, last) = union(span.lines, lines);
        span.best.file == file && are_beside(span.lines, lines) && last - first < MOST_LINES
    };
    (spans.len().saturating_sub(NEAR)..spans.len()).find(|&place| is_beside(&spans[place]))
}

/// Adds a piece to a span.
fn join(spans: &mut Vec<Span>, at: usize, piece: Piece) {
    spans[at].lines = union(spans[at].lines, piece.lines());
    spans[at].pieces.push(piece);
    settle(spans, at);
}

/// A span that has grown may reach another: they become one, in the better's place.
fn settle(spans: &mut Vec<Span>, mut at: usize) {
    loop {
        let grown = spans.remove(at);
        let Some(other) = beside(spans, grown.best.file, grown.lines) else {
            spans.insert(at, grown);
            return;
        };
        let reached = spans.remove(other);
        // Places are counted without the grown one: what is at its place now came after it.
        let (better, worse) = if other < at { (reached, grown) } else { (grown, reached) };
        at = at.min(other);
        spans.insert(at, better.with(worse));
    }
}

fn are_beside(one: (u32, u32), other: (u32, u32)) -> bool {
    one.0 <= other.1 + 1 + MOST_BETWEEN && other.0 <= one.1 + 1 + MOST_BETWEEN
}

fn union(one: (u32, u32), other: (u32, u32)) -> (u32, u32) {
    (one.0.min(other.0), one.1.max(other.1))
}

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
        let lines = piece.lines();
        if let Some(last) = spans.last_mut().filter(|last| last.may_take(candidate.file, lines)) {
            last.take(piece);
            settle(&mut spans);
        } else if spans.len() < query.limit {
            spans.push(Span::of(candidate, piece));
        } else {
            break;
        }
    }
    Ok(spans)
}

impl Span {
    fn of(best: Candidate, piece: Piece) -> Span {
        Span { best, lines: piece.lines(), also_at: Vec::new(), pieces: vec![piece] }
    }

    /// Whether these lines of a file are next to it, and few enough together.
    ///
    /// Only the last hit of the page so far is asked. To look among three before, or among all, made good hits longer at
    /// the cost of what stands between them: semble's recall at 500 tokens .792, .783 with three, at 2k tokens .970 both;
    /// octocode's code and docs and codescout the same to the third digit (2026-11-19).
    fn may_take(&self, file: usize, lines: (u32, u32)) -> bool {
        let (first, last) = union(self.lines, lines);
        self.best.file == file && are_beside(self.lines, lines) && last - first < MOST_LINES
    }

    fn take(&mut self, piece: Piece) {
        self.lines = union(self.lines, piece.lines());
        self.pieces.push(piece);
    }

    fn absorb(&mut self, worse: Span) {
        self.lines = union(self.lines, worse.lines);
        self.pieces.extend(worse.pieces);
        worse.also_at.into_iter().for_each(|place| fold(&mut self.also_at, place));
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

/// The last span has grown and may reach the one before: they become one.
fn settle(spans: &mut Vec<Span>) {
    while let Some(grown) = spans.pop() {
        match spans.last_mut().filter(|before| before.may_take(grown.best.file, grown.lines)) {
            Some(before) => before.absorb(grown),
            None => return spans.push(grown),
        }
    }
}

fn are_beside(one: (u32, u32), other: (u32, u32)) -> bool {
    one.0 <= other.1 + 1 + MOST_BETWEEN && other.0 <= one.1 + 1 + MOST_BETWEEN
}

fn union(one: (u32, u32), other: (u32, u32)) -> (u32, u32) {
    (one.0.min(other.0), one.1.max(other.1))
}

//! From ranked candidates to the page a reader sees.
//!
//! `spans` decides what is on it, `narrow` which lines of a span further down, a `Draft` is a hit with all its lines,
//! trimmed if asked for, and `budget` fits the page into a number of tokens.

mod budget;
mod draft;
mod narrow;
mod piece;
mod runs;
mod spans;

use std::collections::BTreeMap;

use wherein_corpus::{Chunk, Language, Symbol};

use crate::error::Result;
use crate::search::answer::{Answer, Certificate, Hit};
use crate::search::channels;
use crate::search::explain;
use crate::search::fusion::Candidate;
use crate::search::highlight::Highlighter;
use crate::search::intent::{Intent, Shape};
use crate::search::query::Query;
use crate::search::secrets;
use crate::search::texts::Texts;

use draft::Draft;
use spans::Span;

/// How much of their spans hits show if nothing is asked for.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Extent {
    /// All lines at the top of the page, further down those that hold most of the question.
    Narrowing,
    /// All lines.
    Whole,
}

/// Fills a page with the best of the candidates, and looks up their lines, symbols and reasons.
pub fn compose(
    texts: &Texts,
    intent: &Intent,
    candidates: Vec<Candidate>,
    query: &Query,
    extent: Extent,
) -> Result<Answer> {
    let composer = Composer { texts, intent, highlighter: Highlighter::of(intent), query, extent };
    let spans = spans::choose(texts, candidates, query)?;
    let numbered = spans.into_iter().enumerate();
    let mut drafts: Vec<Draft> =
        numbered.map(|(place, span)| composer.draft(place, span)).collect::<Result<_>>()?;
    if let Some(around) = query.context {
        drafts.iter_mut().for_each(|draft| draft.trim(around));
    }
    let found = drafts.len();
    let (hits, tokens) = match query.budget {
        Some(budget) => {
            let (hits, spent) = budget::pack(drafts, budget);
            (hits, Some(spent))
        }
        None => (drafts.into_iter().map(|draft| draft.hit).collect(), None),
    };
    texts.index.whole()?;
    let nothing_because = (hits.is_empty() && found > 0).then(|| too_small(query));
    Ok(Answer {
        query: query.text.clone(),
        hits,
        index: Certificate::of(texts.index.manifest()),
        tokens,
        dense_off_because: None,
        confidence: None,
        nothing_because,
    })
}

fn too_small(query: &Query) -> String {
    let budget = query.budget.unwrap_or_default();
    format!("not even the place of the first hit fits into a budget of {budget} tokens")
}

struct Composer<'c> {
    texts: &'c Texts<'c>,
    intent: &'c Intent,
    highlighter: Highlighter,
    query: &'c Query,
    extent: Extent,
}

impl Composer<'_> {
    fn draft(&self, place: usize, span: Span) -> Result<Draft> {
        let index = self.texts.index;
        let number = span.best.file;
        let file = &index.manifest().files[number];
        let parsed = index.parsed(file)?;
        let chunk = &parsed.chunks[span.best.chunk as usize];
        let whole = self.lines(number, span.lines.0, span.lines.1);
        let asked_line = self.asked_line(&file.path, span.lines);
        let mut best_lines = best_lines(&whole, span.lines.0, &self.highlighter);
        if let Some(line) = asked_line {
            best_lines.retain(|it| *it != line);
            best_lines.insert(0, line);
        }
        let subject = self.subject(chunk, &parsed.symbols, best_lines.first().copied());
        let wanted = || self.wanted(span.lines, &whole, asked_line, subject);
        let (start_line, end_line) = match self.may_narrow() {
            true => narrow::narrow(place, span.lines, &whole, wanted),
            false => span.lines,
        };
        best_lines.retain(|line| (start_line..=end_line).contains(line));
        let snippet = self.lines(number, start_line, end_line);
        let separator = Language::named(&file.language).map_or(".", |language| language.separator);
        let symbol = subject.map(|symbol| symbol.qualified(separator));
        let hit = Hit {
            path: index.shown_path(number),
            repositories: index.repositories(number).to_vec(),
            start_line,
            end_line,
            score: span.best.score,
            confidence: span.best.confidence,
            language: file.language.clone(),
            kind: subject.map_or("text", |symbol| symbol.kind.name()).to_owned(),
            breadcrumb: breadcrumb(&index.shown_path(number), symbol.as_deref()),
            symbol,
            best_lines,
            snippet,
            shown: Vec::new(),
            signature_only: false,
            also_at: span.also_at,
            blame: None,
            channels: explain::channels(index, self.intent, &span.best, self.query.explain)?,
            judged: span.best.judged,
        };
        Ok(match self.is_told_how_much() {
            true => self.with_lines(hit, number, subject),
            false => Draft::whole(hit),
        })
    }

    /// Whether a hit may show less than its span though nobody asked for less. All that is pasted is asked for, so its
    /// words say little about which lines matter.
    fn may_narrow(&self) -> bool {
        let is_pasted = matches!(self.intent.shape, Shape::Code | Shape::Trace);
        self.extent == Extent::Narrowing && !self.is_told_how_much() && !is_pasted
    }

    /// Whether the question says how much of each hit, or of all together, is to be shown.
    fn is_told_how_much(&self) -> bool {
        self.query.context.is_some() || self.query.budget.is_some()
    }

    /// The lines that a reader must see to know what the question has to do with these, the most important first; none
    /// where they hold nothing of it and were found by what they mean.
    fn wanted(
        &self,
        (first, last): (u32, u32),
        text: &str,
        asked_line: Option<u32>,
        subject: Option<&Symbol>,
    ) -> Vec<u32> {
        let telling = self.highlighter.telling((first..).zip(text.lines()));
        let mut wanted: Vec<u32> = asked_line.into_iter().chain(telling).collect();
        let name_line = subject.map(|symbol| symbol.name_line);
        if !wanted.is_empty() {
            wanted.extend(name_line.filter(|line| (first..=last).contains(line)));
        }
        wanted
    }

    /// The line of these that the question names.
    fn asked_line(&self, path: &str, (start, end): (u32, u32)) -> Option<u32> {
        let places = self.intent.places.iter().filter(|place| channels::may_be(place, path));
        places.filter_map(|place| place.line).find(|line| (start..=end).contains(line))
    }

    /// What a hit is called by: the symbol that the question names, or else the one that a reader would call its chunk
    /// by, unless the best line is in another.
    fn subject<'s>(
        &self,
        chunk: &Chunk,
        symbols: &'s [Symbol],
        best_line: Option<u32>,
    ) -> Option<&'s Symbol> {
        let largest = || chunk.subject(symbols);
        let holds = |symbol: &&Symbol| {
            best_line.is_none_or(|line| (symbol.start_line..=symbol.end_line).contains(&line))
        };
        let of_best_line = || {
            let holding = symbols.iter().filter(holds);
            holding.min_by_key(|symbol| symbol.end_line - symbol.start_line)
        };
        self.asked_for(chunk, symbols)
            .or_else(|| largest().filter(holds))
            .or_else(of_best_line)
            .or_else(largest)
    }

    /// The symbol of a chunk that fits a name of the question best; the first of several.
    fn asked_for<'s>(&self, chunk: &Chunk, symbols: &'s [Symbol]) -> Option<&'s Symbol> {
        let fit = |symbol: &Symbol| {
            let names = self.intent.names.iter();
            let fits = names.map(|name| channels::closeness(name, &symbol.name, &symbol.scope));
            fits.fold(0f32, f32::max)
        };
        let of_chunk = chunk.symbols.iter().rev().map(|&symbol| &symbols[symbol as usize]);
        let best = of_chunk.max_by(|a, b| fit(a).total_cmp(&fit(b)))?;
        (fit(best) > 0.0).then_some(best)
    }

    /// Some lines as they may be shown.
    fn lines(&self, file: usize, start: u32, end: u32) -> String {
        match self.query.show_secrets {
            true => self.texts.lines(file, start, end),
            false => self.texts.shown_lines(file, start, end),
        }
    }

    /// What is needed to show less than the whole.
    fn with_lines(&self, hit: Hit, file: usize, subject: Option<&Symbol>) -> Draft {
        let numbered = || (hit.start_line..).zip(hit.snippet.lines());
        let telling = self.highlighter.telling(numbered());
        let mut lines: BTreeMap<u32, String> =
            numbered().map(|(number, line)| (number, line.to_owned())).collect();
        let signature_line = subject.map(|symbol| symbol.name_line);
        let signature_line = signature_line.filter(|&line| line <= hit.end_line);
        if let Some(line) = signature_line.filter(|line| !lines.contains_key(line)) {
            lines.insert(line, self.lines(file, line, line));
        }
        let first = hit.snippet.lines().map(str::trim).find(|line| !line.is_empty());
        let signature = subject.map(|symbol| symbol.signature.as_str());
        let signature = signature.filter(|it| !it.is_empty()).or(first).unwrap_or_default();
        let signature = match self.query.show_secrets {
            true => signature.into(),
            false => secrets::redact(signature),
        };
        let signature = signature[..signature.floor_char_boundary(MOST_SIGNATURE)].to_owned();
        Draft { hit, signature, lines, signature_line, telling }
    }
}

/// Bytes of a signature that stand for a hit.
const MOST_SIGNATURE: usize = 200;

fn breadcrumb(path: &str, symbol: Option<&str>) -> String {
    symbol.map_or_else(|| path.to_owned(), |symbol| format!("{path} > {symbol}"))
}

/// Lines in the order of how much of the question they hold; those that hold none are left out.
fn best_lines(snippet: &str, first: u32, highlighter: &Highlighter) -> Vec<u32> {
    let mut scored: Vec<(f32, u32)> = snippet
        .lines()
        .zip(first..)
        .map(|(line, number)| (highlighter.score(line), number))
        .filter(|(score, _)| *score > 0.0)
        .collect();
    scored.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
    scored.into_iter().map(|(_, line)| line).collect()
}

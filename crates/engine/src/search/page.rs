//! From candidates to the page a reader sees.

use std::path::Path;

use wherein_corpus::{Language, Lines, decode};

use crate::error::Result;
use crate::index::manifest::FileEntry;
use crate::index::snapshot::Snapshot;
use crate::search::answer::{Answer, Certificate, Hit};
use crate::search::explain;
use crate::search::fusion::Candidate;
use crate::search::highlight::Highlighter;
use crate::search::intent::Intent;
use crate::search::query::Query;

/// Looks up every candidate's lines, symbol and reasons.
pub fn compose(
    index: &Snapshot,
    intent: &Intent,
    chosen: Vec<Candidate>,
    query: &Query,
) -> Result<Answer> {
    let highlighter = Highlighter::of(intent);
    let hits = chosen
        .iter()
        .map(|candidate| hit(index, intent, &highlighter, candidate, query))
        .collect::<Result<Vec<_>>>()?;
    let index = Certificate::of(&index.manifest);
    Ok(Answer {
        query: query.text.clone(),
        hits,
        index,
        dense_off_because: None,
        nothing_because: None,
    })
}

fn hit(
    index: &Snapshot,
    intent: &Intent,
    highlighter: &Highlighter,
    candidate: &Candidate,
    query: &Query,
) -> Result<Hit> {
    let file = &index.manifest.files[candidate.file];
    let parsed = index.parsed(file)?;
    let chunk = &parsed.chunks[candidate.chunk as usize];
    let separator = Language::named(&file.language).map_or(".", |language| language.separator);
    let subject = chunk.subject(&parsed.symbols);
    let symbol = subject.map(|symbol| symbol.qualified(separator));
    let (start_line, end_line) = (chunk.start_line, chunk.end_line);
    let snippet = text_of(index.root(), file, start_line, end_line);
    Ok(Hit {
        path: file.path.clone(),
        start_line,
        end_line,
        score: candidate.score,
        language: file.language.clone(),
        kind: subject.map_or("text", |symbol| symbol.kind.name()).to_owned(),
        breadcrumb: breadcrumb(&file.path, symbol.as_deref()),
        symbol,
        best_lines: best_lines(&snippet, start_line, highlighter),
        snippet,
        channels: explain::channels(&index.searcher(), intent, candidate, query.explain)?,
    })
}

fn breadcrumb(path: &str, symbol: Option<&str>) -> String {
    symbol.map_or_else(|| path.to_owned(), |symbol| format!("{path} > {symbol}"))
}

/// The lines as they are on disk now; empty if the file has gone since it was indexed.
fn text_of(root: &Path, file: &FileEntry, start: u32, end: u32) -> String {
    let Ok(bytes) = std::fs::read(root.join(&file.path)) else {
        return String::new();
    };
    let Ok(text) = decode(bytes) else {
        return String::new();
    };
    let lines = Lines::of(&text);
    let end = end.min(lines.count());
    if start > end {
        return String::new();
    }
    lines.span(start..=end).trim_end_matches(['\n', '\r']).to_owned()
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

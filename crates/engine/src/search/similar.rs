//! From a span to spans like it: code that does the same, prose that says the same.
//!
//! In: a line of an indexed file or a text, and a query whose filters and limits hold. Out: the one
//! answer type. Only meaning is compared: words would find the span's own names again, and those
//! stand in the span itself.

use wherein_corpus::{Chunk, Lines};
use wherein_encoder::{Codec, Model, Side};

use crate::error::{Error, Result};
use crate::index::manifest::FileEntry;
use crate::index::snapshot::Snapshot;
use crate::index::vectors::Vectors;
use crate::index::vectors::encode::{covered, passages};
use crate::index::vectors::passage::{MOST_BYTES, Passage};
use crate::index::vectors::segment::{Doc, Row};
use crate::search::channels::dense::{self, Dense};
use crate::search::channels::{self, Lists, Spot};
use crate::search::filter::{self, Allowed};
use crate::search::intent::Intent;
use crate::search::page::{self, Extent};
use crate::search::query::{Fusion, Mode, Query, Unit};
use crate::search::recall::Nearness as _;
use crate::search::texts::Texts;
use crate::search::{Answer, Meaning, fusion, why_nothing};

/// Bytes of a text that an answer repeats to say what it is about.
const MOST_QUOTED: usize = 100;

/// What hits should be like.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Target {
    /// The chunk that holds a line, or the nearest to it.
    Line {
        /// An indexed file, relative to the root.
        path: String,
        /// Counted from 1.
        line: u32,
    },
    /// A text; its beginning if it is longer than a chunk.
    Text(String),
}

/// Finds what is like `target`, but for the target itself: its chunk, or its file if files are
/// asked for. The text and mode of `query` are not looked at.
///
/// The answer is complete if every chunk of the tree has a vector.
pub fn similar(
    index: &Snapshot,
    meaning: &Meaning,
    target: &Target,
    query: &Query,
) -> Result<Answer> {
    let source = Source::of(index, target)?;
    let text = source.in_words(index)?;
    let query = Query { text, mode: Mode::Dense, fusion: Fusion::Scores, ..query.clone() };
    let intent = Intent::wordless();
    let allowed =
        source.kept_out(filter::allowed(index, &query, &intent.filters)?, index, query.unit);
    let (lists, with_vectors) = recall(index, meaning, &source, &allowed, &intent, &query)?;
    let candidates = fusion::fuse(lists, &intent, &query);
    let mut answer = page::compose(&Texts::of(index), &intent, candidates, &query, Extent::Whole)?;
    answer.index.complete &= with_vectors == index.manifest.chunks();
    answer.nothing_because = match answer.hits.is_empty() {
        true if answer.nothing_because.is_some() => answer.nothing_because,
        true if with_vectors == 0 => {
            Some("no chunk of the tree has a vector yet; run 'wherein index' first".to_owned())
        }
        true => Some(why_nothing(index, &intent, &allowed, &query)),
        false => None,
    };
    Ok(answer)
}

/// The nearest chunks, and how many could have been.
fn recall(
    index: &Snapshot,
    meaning: &Meaning,
    source: &Source,
    allowed: &Allowed,
    intent: &Intent,
    query: &Query,
) -> Result<(Lists, u64)> {
    let (model, go_on) = match *meaning {
        Meaning::On { model, go_on } => (model, go_on),
        Meaning::Off(reason) => return Err(Error::NoModel(reason.to_owned())),
    };
    let mut lists = Lists::default();
    let vectors = index.vectors(model)?;
    let with_vectors = covered(&index.manifest, vectors);
    if with_vectors > 0 {
        let vector = source.vector(index, model, vectors)?;
        let dense = Dense::near(index, model, go_on, vectors, &vector, allowed)?;
        let mut near = dense.nearest(channels::candidates(query, intent));
        near.iter_mut().for_each(|list| list.retain(|near| !source.is(near.spot)));
        dense::enter(&dense, near, &mut lists)?;
    }
    Ok((lists, with_vectors))
}

/// The target, found.
enum Source<'t> {
    Chunk(Spot),
    Text(&'t str),
}

impl<'t> Source<'t> {
    fn of(index: &Snapshot, target: &'t Target) -> Result<Source<'t>> {
        match target {
            Target::Text(text) if !text.contains(char::is_alphanumeric) => Err(Error::EmptyQuery),
            Target::Text(text) => Ok(Source::Text(&text[..text.floor_char_boundary(MOST_BYTES)])),
            Target::Line { path, line } => {
                let file = index.indexed(path)?;
                let position = index.position(file.id).unwrap_or_default();
                Ok(Source::Chunk((position, chunk_at(index, file, *line)?)))
            }
        }
    }

    fn is(&self, spot: Spot) -> bool {
        matches!(self, Source::Chunk(source) if *source == spot)
    }

    /// What was asked, for the reader of the answer.
    fn in_words(&self, index: &Snapshot) -> Result<String> {
        Ok(match self {
            Source::Text(text) => {
                let first = text.lines().map(str::trim).find(|line| !line.is_empty());
                let first = first.unwrap_or_default();
                format!("similar to: {}", &first[..first.floor_char_boundary(MOST_QUOTED)])
            }
            Source::Chunk((position, chunk)) => {
                let file = &index.manifest.files[*position];
                let chunk = &index.parsed(file)?.chunks[*chunk as usize];
                format!("similar to {}:{}-{}", file.path, chunk.start_line, chunk.end_line)
            }
        })
    }

    /// Who may answer where files do: not the file that asks.
    fn kept_out(&self, allowed: Allowed, index: &Snapshot, unit: Unit) -> Allowed {
        let Source::Chunk((position, _)) = *self else { return allowed };
        if unit == Unit::Span {
            return allowed;
        }
        let mut allowed = allowed.unwrap_or_else(|| vec![true; index.manifest.files.len()]);
        allowed[position] = false;
        Some(allowed)
    }

    /// Its vector: from the index, or made now and kept.
    fn vector(&self, index: &Snapshot, model: &Model, vectors: &Vectors) -> Result<Vec<f32>> {
        let (position, chunk) = match *self {
            Source::Text(text) => {
                return Ok(model.encode(&[text], Side::Passage)?.pop().unwrap_or_default());
            }
            Source::Chunk(spot) => spot,
        };
        let file = &index.manifest.files[position];
        let doc = Doc { file: file.id, chunk };
        let made = || index.made(doc).into_iter().next();
        if let Some(row) = vectors.rows(doc).next().or_else(made) {
            return Ok(vectors.codec().vector(&row.code.bytes, row.code.scale));
        }
        let passages = passages(index, file, &[chunk])?;
        if passages.is_empty() {
            let line = index.parsed(file)?.chunks[chunk as usize].start_line;
            return Err(no_text(file, line, "it has changed since it was indexed; ask again"));
        }
        let texts: Vec<&str> = passages.iter().map(|(_, passage)| passage.text.as_str()).collect();
        let mut vectors = model.encode(&texts, Side::Passage)?;
        let row = |((_, passage), vector): (&(u32, Passage), &Vec<f32>)| {
            let code = Codec::new(vector.len()).code(vector);
            Row { doc, key: passage.key, code }
        };
        index.keep(model, passages.iter().zip(&vectors).map(row).collect());
        Ok(vectors.swap_remove(0))
    }
}

/// The chunk that holds a line; for a blank line between two, the nearest.
fn chunk_at(index: &Snapshot, file: &FileEntry, line: u32) -> Result<u32> {
    if line == 0 {
        return Err(no_text(file, line, "lines are counted from 1"));
    }
    let parsed = index.parsed(file)?;
    let gap = |chunk: &Chunk| {
        chunk.start_line.saturating_sub(line).max(line.saturating_sub(chunk.end_line))
    };
    let Some((chunk, nearest)) = (0..).zip(&parsed.chunks).min_by_key(|(_, chunk)| gap(chunk))
    else {
        return Err(no_text(file, line, "the file is blank"));
    };
    if line <= nearest.end_line {
        return Ok(chunk);
    }
    match lines_of(index, file) {
        Some(last) if line > last => Err(no_text(file, line, &format!("the last line is {last}"))),
        _ => Ok(chunk),
    }
}

fn lines_of(index: &Snapshot, file: &FileEntry) -> Option<u32> {
    Some(Lines::of(&index.text(file)?).count())
}

fn no_text(file: &FileEntry, line: u32, because: &str) -> Error {
    Error::NoText { path: file.path.clone(), line, because: because.to_owned() }
}

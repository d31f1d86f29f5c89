//! What a tree is about: its clusters, each with the words that name it, where it lies, and the
//! chunks in its middle.
//!
//! Which chunks mean alike was decided when they were encoded. Here the groups get their names,
//! from the parses alone, so that a list of them needs no file of the tree.

mod naming;
mod whereabouts;

use std::cmp::Reverse;
use std::collections::HashSet;

use rayon::prelude::*;
use serde::Serialize;
use wherein_corpus::{Language, Parsed};
use wherein_encoder::{Model, dot};

use crate::error::Result;
use crate::index::snapshot::Snapshot;
use crate::index::vectors::Vectors;
use crate::index::vectors::segment::{Doc, Segment};
use crate::search::answer::Certificate;
use crate::search::channels::Spot;

use naming::Words;

/// Central chunks shown of a cluster.
const CENTRAL: usize = 3;

/// The clusters of a tree.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct Overview {
    /// Largest first.
    pub clusters: Vec<Cluster>,
    /// How many there are beside those listed.
    pub more: usize,
    /// What they were drawn from; complete if every chunk is in a cluster.
    pub index: Certificate,
    /// Why there are no clusters, if there are none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub nothing_because: Option<String>,
}

/// Chunks that mean alike.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct Cluster {
    /// How many chunks.
    pub chunks: usize,
    /// Words that tell it from the others, best first.
    pub words: Vec<String>,
    /// The folders or files most of it lies in, largest share first; none if it lies all over.
    pub within: Vec<Share>,
    /// The chunks nearest to its middle, nearest first.
    pub central: Vec<Central>,
}

/// A folder or file and how many chunks of a cluster it holds.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct Share {
    /// Relative to the root; a folder ends in a slash.
    pub path: String,
    /// How many.
    pub chunks: usize,
}

/// A chunk near the middle of its cluster.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct Central {
    /// Relative to the root.
    pub path: String,
    /// First line, counted from 1.
    pub start_line: u32,
    /// Last line, included.
    pub end_line: u32,
    /// The qualified name of the symbol it defines or is part of.
    pub symbol: Option<String>,
    /// The cosine of the angle between it and the middle.
    pub score: f32,
}

/// The `limit` largest clusters.
pub fn clusters(index: &Snapshot, model: &Model, limit: usize) -> Result<Overview> {
    let mut groups = groups(index, index.vectors(model)?);
    groups.sort_by_key(|group| (Reverse(group.len()), group[0].spot));
    let words = words(index, &groups)?;
    let listed = groups.iter().enumerate().take(limit);
    let clusters = listed
        .map(|(number, group)| cluster(index, group, words.names(number)))
        .collect::<Result<Vec<_>>>()?;
    let grouped: usize = groups.iter().map(Vec::len).sum();
    let mut certificate = Certificate::of(&index.manifest);
    certificate.complete &= grouped as u64 == certificate.chunks;
    index.whole()?;
    Ok(Overview {
        more: groups.len() - clusters.len(),
        nothing_because: groups.is_empty().then(|| why_nothing(&certificate)),
        clusters,
        index: certificate,
    })
}

fn why_nothing(index: &Certificate) -> String {
    match index.files {
        0 => format!("the tree holds no text to index ({} files skipped)", index.skipped),
        _ => "the tree has not been encoded yet; run 'wherein index' first".to_owned(),
    }
}

/// A chunk of a cluster.
#[derive(Clone, Copy, Debug)]
struct Member {
    spot: Spot,
    /// How near it is to the middle.
    score: f32,
}

/// The chunks of each cluster in the order of paths and lines, without those of files that are
/// gone, each where the vector of the whole is. Chunks that were encoded after the clusters were made join the nearest.
fn groups(index: &Snapshot, vectors: &Vectors) -> Vec<Vec<Member>> {
    let Some(clusters) = vectors.clusters() else { return Vec::new() };
    let mut groups = vec![Vec::new(); clusters.centres.len()];
    let mut seen: HashSet<Doc> = HashSet::new();
    let mut enter = |segment: &Segment, row: usize, cluster: usize| {
        let doc = segment.doc(row);
        let is_there = |position: &usize| doc.chunk < index.manifest.files[*position].chunks;
        let position = index.position(doc.file).filter(is_there);
        if let Some(position) = position.filter(|_| !segment.is_part(row) && seen.insert(doc)) {
            let (bytes, scale) = segment.bytes(row);
            let score = dot(&clusters.centres[cluster], bytes) * scale;
            groups[cluster].push(Member { spot: (position, doc.chunk), score });
        }
    };
    let Some((first, later)) = vectors.segments().split_first() else { return Vec::new() };
    for (cluster, rows) in clusters.members.iter().enumerate() {
        rows.iter().for_each(|&row| enter(first, row as usize, cluster));
    }
    for segment in later {
        let nearest: Vec<usize> = (0..segment.rows)
            .into_par_iter()
            .map(|row| clusters.nearest(segment.bytes(row).0))
            .collect();
        nearest.into_iter().enumerate().for_each(|(row, cluster)| enter(segment, row, cluster));
    }
    groups.retain(|group| !group.is_empty());
    groups.iter_mut().for_each(|group| group.sort_by_key(|member| member.spot));
    groups
}

/// The words of every chunk, counted for its group.
fn words(index: &Snapshot, groups: &[Vec<Member>]) -> Result<Words> {
    let numbered = groups.iter().enumerate();
    let mut all: Vec<(Spot, usize)> = numbered
        .flat_map(|(number, group)| group.iter().map(move |member| (member.spot, number)))
        .collect();
    all.sort_unstable();
    let mut words = Words::of_groups(groups.len());
    for of_file in all.chunk_by(|a, b| a.0.0 == b.0.0) {
        let file = &index.manifest.files[of_file[0].0.0];
        let parsed = index.parsed(file)?;
        let used = used_by_chunk(&parsed);
        for &((_, chunk), group) in of_file {
            let used = used[chunk as usize].iter().copied();
            words.count(group, &file.path, names_in(&parsed, chunk), used);
        }
    }
    Ok(words)
}

/// The names a chunk defines, and the name of what it is part of.
fn names_in(parsed: &Parsed, chunk: u32) -> impl Iterator<Item = &str> {
    let chunk = &parsed.chunks[chunk as usize];
    let symbols = chunk.symbols.iter().chain(&chunk.scope);
    symbols.map(|&symbol| parsed.symbols[symbol as usize].name.as_str())
}

/// The names each chunk uses, each once.
fn used_by_chunk(parsed: &Parsed) -> Vec<Vec<&str>> {
    let mut used = vec![Vec::new(); parsed.chunks.len()];
    for reference in &parsed.references {
        let mut last = None;
        for &line in &reference.lines {
            let chunk = parsed.chunks.partition_point(|chunk| chunk.end_line < line);
            if last.replace(chunk) != Some(chunk)
                && let Some(used) = used.get_mut(chunk)
            {
                used.push(reference.name.as_str());
            }
        }
    }
    used
}

fn cluster(index: &Snapshot, group: &[Member], words: Vec<String>) -> Result<Cluster> {
    let paths = group.iter().map(|member| index.manifest.files[member.spot.0].path.as_str());
    Ok(Cluster {
        chunks: group.len(),
        words,
        within: whereabouts::of(paths),
        central: central(index, group)?,
    })
}

/// Those nearest to the middle, one of each symbol: a long function is many chunks.
fn central(index: &Snapshot, group: &[Member]) -> Result<Vec<Central>> {
    let mut nearest: Vec<Member> = group.to_vec();
    nearest.sort_by(|a, b| b.score.total_cmp(&a.score).then(a.spot.cmp(&b.spot)));
    let mut central: Vec<Central> = Vec::new();
    for member in nearest {
        let next = shown(index, member)?;
        let is_told = central.iter().any(|it| (&it.path, &it.symbol) == (&next.path, &next.symbol));
        if !is_told {
            central.push(next);
        }
        if central.len() == CENTRAL {
            break;
        }
    }
    Ok(central)
}

fn shown(index: &Snapshot, member: Member) -> Result<Central> {
    let (position, chunk) = member.spot;
    let file = &index.manifest.files[position];
    let parsed = index.parsed(file)?;
    let chunk = &parsed.chunks[chunk as usize];
    let separator = Language::named(&file.language).map_or(".", |language| language.separator);
    Ok(Central {
        path: file.path.clone(),
        start_line: chunk.start_line,
        end_line: chunk.end_line,
        symbol: chunk.subject(&parsed.symbols).map(|symbol| symbol.qualified(separator)),
        score: (member.score * 1e3).round() / 1e3,
    })
}

//! The graph of files for other programs: the most central files and the imports between them.

use std::collections::HashMap;

use serde::Serialize;
use wherein_corpus::Role;

use super::{Horizon, horizon};
use crate::error::Result;
use crate::graph::walk;
use crate::index::snapshot::Snapshot;
use crate::search::answer::Certificate;
use crate::search::filter;
use crate::search::intent::filters::Filters;
use crate::search::query::Query;

/// Files and the imports between them.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct FileGraph {
    /// Files, most central first; around a file, nearest first.
    pub nodes: Vec<Node>,
    /// Imports: positions in `nodes`, from the importing file to the imported one.
    pub edges: Vec<(usize, usize)>,
    /// Files that were left out.
    pub left_out: usize,
    /// Where the graph stops seeing.
    pub horizon: Horizon,
    /// What was looked at.
    pub index: Certificate,
}

/// One file.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "schema", schema(as = FileNode))]
pub struct Node {
    /// Relative to the root.
    pub path: String,
    /// Its language.
    pub language: String,
    /// Its share of all attention that follows imports.
    pub rank: f32,
}

/// The `limit` most central files of code among `paths`; all of them for a limit of 0.
pub fn file_graph(snapshot: &Snapshot, paths: &[String], limit: usize) -> Result<FileGraph> {
    let links = snapshot.links()?;
    let query = Query { paths: paths.to_vec(), ..Query::new(String::new()) };
    let allowed = filter::allowed(snapshot, &query, &Filters::default())?;
    let roles = snapshot.roles();
    let connected = |file: usize| {
        links.imports(file).next().is_some() || links.importers(file).next().is_some()
    };
    let wanted = |&file: &usize| {
        allowed.as_ref().is_none_or(|allowed| allowed[file])
            && roles[file] == Role::Code
            && connected(file)
    };
    let mut files: Vec<usize> = (0..snapshot.manifest.files.len()).filter(wanted).collect();
    files.sort_by(|&a, &b| links.rank(b).total_cmp(&links.rank(a)).then(a.cmp(&b)));
    let all = files.len();
    files.truncate(if limit == 0 { all } else { limit });
    drawn(snapshot, files, all)
}

/// The files that so many imports connect to one, either way, nearest first, then most central.
pub fn neighbourhood(
    snapshot: &Snapshot,
    path: &str,
    steps: u32,
    limit: usize,
) -> Result<FileGraph> {
    let links = snapshot.links()?;
    let id = snapshot.indexed(path)?.id;
    let start = snapshot.position(id).unwrap_or_default();
    let around = walk::outward(&[start as u32], steps, |file| {
        links.imports(file as usize).chain(links.importers(file as usize))
    });
    let mut reached: Vec<(u32, usize)> =
        around.into_iter().map(|(file, steps)| (steps, file as usize)).collect();
    reached.sort_by(|a, b| {
        let by_rank = links.rank(b.1).total_cmp(&links.rank(a.1));
        a.0.cmp(&b.0).then(by_rank).then(a.1.cmp(&b.1))
    });
    let all = reached.len();
    drawn(snapshot, reached.into_iter().map(|(_, file)| file).take(limit).collect(), all)
}

/// Files in their order and the imports between them, out of `all` that were to be drawn.
fn drawn(snapshot: &Snapshot, files: Vec<usize>, all: usize) -> Result<FileGraph> {
    let links = snapshot.links()?;
    let place: HashMap<usize, usize> =
        files.iter().enumerate().map(|(i, &file)| (file, i)).collect();
    let edges = files.iter().enumerate().flat_map(|(from, &file)| {
        let place = &place;
        links.imports(file).filter_map(move |to| Some((from, *place.get(&(to as usize))?)))
    });
    let edges = edges.collect();
    let node = |&file: &usize| {
        let entry = &snapshot.manifest.files[file];
        Node { path: entry.path.clone(), language: entry.language.clone(), rank: links.rank(file) }
    };
    Ok(FileGraph {
        nodes: files.iter().map(node).collect(),
        edges,
        left_out: all - files.len(),
        horizon: horizon(snapshot, 0)?,
        index: Certificate::of(&snapshot.manifest),
    })
}

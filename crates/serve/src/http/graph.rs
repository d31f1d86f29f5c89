//! `/api/symbols`, `/api/refs`, `/api/impact`, `/api/graph`: what is connected to what.
//!
//! The answers are the commands' own, a page of them at a time.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use wherein_corpus::SymbolKind;
use wherein_engine::graph::ask::export::{self, FileGraph};
use wherein_engine::graph::ask::impact::{self, Change, Impact};
use wherein_engine::graph::ask::listing::{self, Listing, SymbolList};
use wherein_engine::graph::ask::references::{self, References};
use wherein_engine::graph::ask::{Subject, Target, find, namesakes};
use wherein_engine::{Error, Snapshot};

use super::Server;
use super::extract::Params;
use super::keeper::View;
use super::pool::Wanted;
use super::problem::{Answer, Problem};
use super::search::{ask_in_turn, milliseconds, within, within_filters};

const MOST: usize = 500;
const MOST_OFFSET: usize = 10_000;
const MOST_DEPTH: usize = 20;

/// An answer, which page of it this is, and how long it took.
#[derive(Serialize, ToSchema)]
pub struct GraphPage<T> {
    #[serde(flatten)]
    answer: T,
    /// Where in the whole list this page begins.
    offset: usize,
    /// Whether there are more after this page.
    more: bool,
    /// How long the answer took, waiting included.
    took_ms: f64,
}

/// Which symbols to list.
#[derive(Clone, Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct SymbolsRequest {
    /// A name or a part of one; the most used symbols of all without.
    query: Option<String>,
    /// Only these kinds (`function`, `method`, `class`, …); may be repeated.
    #[serde(default)]
    #[param(max_items = 64)]
    kinds: Vec<String>,
    /// Only these languages; may be repeated.
    #[serde(default)]
    #[param(max_items = 64)]
    languages: Vec<String>,
    /// Only paths that match one of these patterns and none that starts with `!`; may be repeated.
    #[serde(default)]
    #[param(max_items = 64)]
    paths: Vec<String>,
    /// How many to return.
    #[serde(default = "fifty")]
    #[param(minimum = 1, maximum = 500, default = 50)]
    limit: usize,
    /// How many to pass over.
    #[serde(default)]
    #[param(maximum = 10000, default = 0)]
    offset: usize,
}

/// What to ask about: a name, a file, or a line of one.
#[derive(Clone, Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct RefsRequest {
    /// A name, perhaps with those around it: `Queue.retry`.
    name: Option<String>,
    /// An indexed file instead, relative to the root.
    path: Option<String>,
    /// A line of it, for the symbol that stands there.
    #[param(minimum = 1)]
    line: Option<u32>,
    /// How many uses of each sort to return.
    #[serde(default = "fifty")]
    #[param(minimum = 1, maximum = 500, default = 50)]
    limit: usize,
    /// How many of each sort to pass over.
    #[serde(default)]
    #[param(maximum = 10000, default = 0)]
    offset: usize,
}

/// What changes, and how far to follow it.
#[derive(Clone, Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct ImpactRequest {
    /// A name, perhaps with those around it: `Queue.retry`.
    name: Option<String>,
    /// An indexed file instead, relative to the root.
    path: Option<String>,
    /// A line of it, for the symbol that stands there.
    #[param(minimum = 1)]
    line: Option<u32>,
    /// How many steps to follow.
    #[serde(default = "three")]
    #[param(maximum = 20, default = 3)]
    depth: usize,
    /// How many files and tests to return.
    #[serde(default = "fifty")]
    #[param(minimum = 1, maximum = 500, default = 50)]
    limit: usize,
    /// How many of each to pass over.
    #[serde(default)]
    #[param(maximum = 10000, default = 0)]
    offset: usize,
}

/// Which files to draw.
#[derive(Clone, Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct GraphRequest {
    /// A file to draw the neighbourhood of, relative to the root; the most central files without.
    path: Option<String>,
    /// How many imports away a neighbour may be.
    #[serde(default = "one")]
    #[param(maximum = 20, default = 1)]
    depth: usize,
    /// Without a file: only paths that match one of these patterns and none that starts with `!`.
    #[serde(default)]
    #[param(max_items = 64)]
    paths: Vec<String>,
    /// How many files to draw; `left_out` says how many more there are.
    #[serde(default = "fifty")]
    #[param(minimum = 1, maximum = 500, default = 50)]
    limit: usize,
}

fn fifty() -> usize {
    50
}

fn three() -> usize {
    3
}

fn one() -> usize {
    1
}

/// Lists symbols by a part of their name, or the most used ones.
#[utoipa::path(
    get,
    path = "/symbols",
    operation_id = "symbols",
    tag = "graph",
    params(SymbolsRequest),
    responses(
        (status = 200, description = "Symbols, best first", body = GraphPage<SymbolList>),
        Problem,
    )
)]
pub async fn symbols(
    State(server): State<Arc<Server>>,
    Params(request): Params<SymbolsRequest>,
) -> Answer<GraphPage<SymbolList>> {
    let SymbolsRequest { query, kinds, languages, paths, limit, offset } = request;
    within_page(limit, offset)?;
    within_filters(&[&kinds, &languages, &paths])?;
    let known = |name: &String| {
        SymbolKind::named(name).ok_or_else(|| {
            Problem::invalid("unknown_kind", format!("'{name}' is no kind of symbol"))
                .advise("say function, method, class, struct, …")
        })
    };
    let kinds = kinds.iter().map(known).collect::<Result<_, _>>()?;
    let listing = Listing { query, kinds, languages, paths, limit: offset + limit };
    let ask = move |_: &Server, view: &View, _: &Wanted| {
        let mut list = listing::list(&view.snapshot, &listing)?;
        view.own_up(&mut list.index);
        list.symbols.drain(..offset.min(list.symbols.len()));
        Ok(list)
    };
    let (answer, took) = ask_in_turn(&server, ask).await?;
    let more = answer.total > offset + limit;
    Ok(Json(GraphPage { answer, offset, more, took_ms: milliseconds(took) }))
}

/// Lists everything that uses a symbol, or imports a file.
#[utoipa::path(
    get,
    path = "/refs",
    operation_id = "references",
    tag = "graph",
    params(RefsRequest),
    responses(
        (status = 200, description = "Uses, surest first", body = GraphPage<References>),
        Problem,
    )
)]
pub async fn refs(
    State(server): State<Arc<Server>>,
    Params(request): Params<RefsRequest>,
) -> Answer<GraphPage<References>> {
    let RefsRequest { name, path, line, limit, offset } = request;
    within_page(limit, offset)?;
    let target = target(name, path, line)?;
    let ask = move |_: &Server, view: &View, _: &Wanted| {
        let subject = match known(&view.snapshot, &target)? {
            Ok(subject) => subject,
            Err(problem) => return Ok(Err(problem)),
        };
        let mut found = references::references(&view.snapshot, &subject, offset + limit)?;
        view.own_up(&mut found.index);
        found.definitions.truncate(limit);
        found.uses.drain(..offset.min(found.uses.len()));
        found.possible.drain(..offset.min(found.possible.len()));
        Ok(Ok(found))
    };
    let (answer, took) = ask_in_turn(&server, ask).await?;
    let answer = answer?;
    let more = answer.total.max(answer.possible_total) > offset + limit;
    Ok(Json(GraphPage { answer, offset, more, took_ms: milliseconds(took) }))
}

/// Follows a change: what it may reach, and which tests cover it.
#[utoipa::path(
    get,
    path = "/impact",
    operation_id = "impact",
    tag = "graph",
    params(ImpactRequest),
    responses(
        (status = 200, description = "Files, riskiest first, and tests", body = GraphPage<Impact>),
        Problem,
    )
)]
pub async fn impact(
    State(server): State<Arc<Server>>,
    Params(request): Params<ImpactRequest>,
) -> Answer<GraphPage<Impact>> {
    let ImpactRequest { name, path, line, depth, limit, offset } = request;
    within_page(limit, offset)?;
    within("depth", depth, 0, MOST_DEPTH)?;
    let target = target(name, path, line)?;
    let ask = move |_: &Server, view: &View, _: &Wanted| {
        let change = match known(&view.snapshot, &target)? {
            Ok(subject) => Change::of(&subject),
            Err(problem) => return Ok(Err(problem)),
        };
        let mut found = impact::impact(&view.snapshot, &change, depth as u32, offset + limit)?;
        view.own_up(&mut found.index);
        found.changed.truncate(limit);
        found.files.drain(..offset.min(found.files.len()));
        found.tests.drain(..offset.min(found.tests.len()));
        Ok(Ok(found))
    };
    let (answer, took) = ask_in_turn(&server, ask).await?;
    let answer = answer?;
    let more = answer.total_files.max(answer.total_tests) > offset + limit;
    Ok(Json(GraphPage { answer, offset, more, took_ms: milliseconds(took) }))
}

/// Draws which file imports which: around a file, or among the most central ones.
#[utoipa::path(
    get,
    path = "/graph",
    operation_id = "graph",
    tag = "graph",
    params(GraphRequest),
    responses(
        (status = 200, description = "Files and the imports between them", body = FileGraph),
        Problem,
    )
)]
pub async fn graph(
    State(server): State<Arc<Server>>,
    Params(request): Params<GraphRequest>,
) -> Answer<FileGraph> {
    let GraphRequest { path, depth, paths, limit } = request;
    within("limit", limit, 1, MOST)?;
    within("depth", depth, 0, MOST_DEPTH)?;
    within_filters(&[&paths])?;
    let ask = move |_: &Server, view: &View, _: &Wanted| {
        let mut graph = match &path {
            Some(path) => export::neighbourhood(&view.snapshot, path, depth as u32, limit)?,
            None => export::file_graph(&view.snapshot, &paths, limit)?,
        };
        view.own_up(&mut graph.index);
        Ok(graph)
    };
    Ok(Json(ask_in_turn(&server, ask).await?.0))
}

/// What a target names, or that nothing bears its name: no uses of nothing would read as no uses.
fn known(snapshot: &Snapshot, target: &Target) -> Result<Result<Subject, Problem>, Error> {
    const MOST_NEAR: usize = 5;
    let subject = find(snapshot, target)?;
    let name = match (&subject, target) {
        (Subject::Symbols(found), Target::Name(name)) if found.is_empty() => name,
        _ => return Ok(Ok(subject)),
    };
    let problem = Problem::absent("name_unknown", format!("nothing here defines {name}"));
    Ok(Err(match namesakes(snapshot, name, MOST_NEAR)?.as_slice() {
        [] => problem.advise("look for it at /api/symbols or /api/search"),
        near => problem.advise(format!("name one that is there: {}", near.join(", "))),
    }))
}

fn within_page(limit: usize, offset: usize) -> Result<(), Problem> {
    within("limit", limit, 1, MOST)?;
    within("offset", offset, 0, MOST_OFFSET)
}

fn target(
    name: Option<String>,
    path: Option<String>,
    line: Option<u32>,
) -> Result<Target, Problem> {
    match (name, path, line) {
        (Some(name), None, None) => Ok(Target::Name(name)),
        (None, Some(path), None) => Ok(Target::Path(path)),
        (None, Some(path), Some(line)) if line > 0 => Ok(Target::Line(path, line)),
        (None, Some(_), Some(_)) => {
            Err(Problem::invalid("out_of_bounds", "line is 0; lines are counted from 1"))
        }
        _ => Err(Problem::invalid("no_target", "neither a name nor a file is named")
            .advise("send name, or path, or path and line")),
    }
}

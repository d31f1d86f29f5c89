//! `search`: questions to one list of spans.

use std::time::Instant;

use rayon::prelude::*;
use serde_json::json;
use wherein_engine::search;
use wherein_engine::search::answer::{Answer, Hit};
use wherein_engine::search::query::Query;

use super::{Failure, Tree};
use crate::cli::search::ENCODING_TIME;
use crate::http::pool::Wanted;
use crate::mcp::answer::{Found, Item, Manner, numbered};
use crate::mcp::merge::{Placed, merge};
use crate::mcp::nearest;
use crate::mcp::request::Search;
use crate::mcp::roots::Roots;

/// Spans of each list; nobody turns more pages.
pub const MOST: usize = 50;

pub fn ask(
    roots: &Roots,
    trees: &[Tree],
    request: &Search,
    wanted: &Wanted,
) -> Result<Found, Failure> {
    let patterns = roots.patterns(&request.paths);
    let questions: Vec<&String> = std::iter::once(&request.query).chain(&request.also).collect();
    let asked: Vec<(&Tree, Query)> = trees
        .iter()
        .flat_map(|tree| questions.iter().map(move |question| (tree, question)))
        .map(|(tree, question)| {
            let paths = patterns[tree.root].clone().unwrap_or_default();
            let (scope, languages) = (request.scope, request.languages.clone());
            let query = Query { limit: MOST, scope, paths, languages, ..Query::new(*question) };
            (tree, query)
        })
        .collect();
    let ask = |(tree, query): &(&Tree, Query)| answer(tree, query, wanted);
    let answers: Vec<Answer> = match asked.as_slice() {
        // The threads that share work may be busy with an index; one question needs none of them.
        [one] => vec![ask(one)?],
        several => several.par_iter().map(ask).collect::<Result<_, Failure>>()?,
    };
    let words_only = answers.iter().find_map(|answer| answer.dense_off_because.clone());
    let reasons: Vec<&String> =
        answers.iter().filter_map(|it| it.nothing_because.as_ref()).collect();
    let is_nothing = reasons.len() == answers.len();
    let mut notes = Vec::new();
    if is_nothing {
        notes.push(format!("nothing found: {}", reasons.first().map_or("", |it| it.as_str())));
    }
    // Lists of which nothing answers would only push down those that do.
    let lists =
        asked.iter().zip(answers).filter(|(_, it)| is_nothing || it.nothing_because.is_none());
    let lists = lists.map(|((tree, _), answer)| {
        answer.hits.into_iter().map(|hit| Placed { root: tree.root, hit }).collect()
    });
    let hits = merge(lists.collect());
    if is_nothing {
        notes.extend(names_near(trees, &questions, &hits)?);
    }
    let item = |Placed { root, hit }| item(&|path| roots.named(root, path), hit);
    let items: Vec<Item> = match is_nothing {
        // What only comes nearest is named, not shown.
        true => hits.into_iter().take(5).map(item).map(bare).collect(),
        false => hits.into_iter().map(item).collect(),
    };
    let last = words_only.map(|why| format!("# searched by words only: {why}"));
    Ok(Found { notes, items, last: last.into_iter().collect() })
}

fn answer(tree: &Tree, query: &Query, wanted: &Wanted) -> Result<Answer, Failure> {
    let deadline = Instant::now() + ENCODING_TIME;
    let go_on = || Instant::now() < deadline && wanted.still();
    let meaning = tree.keeper().tree.meaning(&go_on);
    search(tree.snapshot(), &meaning, query).map_err(tree.failure())
}

/// The nearest identifiers, where not even a span comes near.
fn names_near(
    trees: &[Tree],
    questions: &[&String],
    hits: &[Placed],
) -> Result<Option<String>, Failure> {
    if !hits.is_empty() {
        return Ok(Some("nearest, though unlikely to answer:".to_owned()));
    }
    let mut near = Vec::new();
    for tree in trees {
        for word in questions.iter().flat_map(|question| question.split_whitespace()) {
            near.extend(nearest::identifiers(tree.snapshot(), word).map_err(tree.failure())?);
        }
    }
    near.sort_unstable();
    near.dedup();
    near.truncate(8);
    Ok((!near.is_empty()).then(|| format!("nearest names: {}", near.join(", "))))
}

/// A hit as an item; `named` gives a path as answers name it.
pub fn item(named: &dyn Fn(&str) -> String, hit: Hit) -> Item {
    let path = named(&hit.path);
    let facts = json!({
        "path": path,
        "start_line": hit.start_line,
        "end_line": hit.end_line,
        "kind": hit.kind,
        "symbol": hit.symbol,
        "confidence": hit.confidence,
    });
    Item {
        head: head(named, &path, &hit),
        lines: numbered(&hit.snippet, hit.start_line),
        best: hit.best_lines,
        manner: Manner::Short,
        path: Some(path),
        ..Item::line("")
    }
    .with_facts(facts)
}

fn head(named: &dyn Fn(&str) -> String, path: &str, hit: &Hit) -> String {
    let mut head = format!("{path}:{}-{}", hit.start_line, hit.end_line);
    if let Some(symbol) = &hit.symbol {
        head = format!("{head} {} {symbol}", hit.kind);
    }
    if let Some(sure) = hit.confidence {
        head = format!("{head} {:.0}%", sure * 100.0);
    }
    for place in hit.also_at.iter().take(3) {
        let path = named(&place.path);
        head = format!("{head} also {path}:{}-{}", place.start_line, place.end_line);
    }
    head
}

/// The same without its lines.
pub fn bare(item: Item) -> Item {
    Item { lines: Vec::new(), ..item }
}

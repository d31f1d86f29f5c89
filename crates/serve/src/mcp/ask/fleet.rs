//! `search` with `repositories`: questions to a fleet instead of the served folders.
//!
//! What the asker may see is decided by the token it shows, for every page anew: the rest of an
//! answer under a handle is asked again, so a handle that somebody else was given shows nothing more.

pub mod read;

use std::collections::BTreeMap;
use std::time::Instant;

use serde_json::{Value, json};
use wherein_engine::search::answer::Answer;
use wherein_engine::search::query::Query;
use wherein_fleet::Error;
use wherein_fleet::search::Found as Searched;

use super::search::{MOST, bare, item};
use crate::cli::fleet::open::{Open, Question, TIME, open};
use crate::mcp::answer::{Found, Item};
use crate::mcp::merge::{Placed, merge};
use crate::mcp::request::Search;
use crate::mcp::trouble::Trouble;

/// Repositories that are named beside the hits; more are counted.
const MOST_NAMED: usize = 8;

/// What was found, and the line that says where, with the same for programs.
pub type Answered = (Found, (String, Value));

/// Answers all questions of a request.
pub fn ask(request: &Search, token: Option<&str>) -> Result<Answered, Trouble> {
    let (searched, missing) = searched(open().map_err(|error| trouble(&error))?, request, token)?;
    let certificate = certificate(&searched, missing);
    let mut last = vec![repositories(&searched)];
    let answers: Vec<Answer> = searched.into_iter().map(|it| it.answer).collect();
    let words_only = answers.iter().find_map(|it| it.dense_off_because.as_ref());
    last.extend(words_only.map(|why| format!("# searched by words only: {why}")));
    last.retain(|line| !line.is_empty());
    let (notes, items) = shown(answers);
    Ok((Found { notes, items, last }, certificate))
}

/// One question after the other in the time there is for all; what had none left is named.
fn searched(
    open: &Open,
    request: &Search,
    token: Option<&str>,
) -> Result<(Vec<Searched>, Vec<String>), Trouble> {
    let deadline = Instant::now() + TIME;
    let (mut searched, mut missing) = (Vec::new(), Vec::new());
    for text in std::iter::once(&request.query).chain(&request.also) {
        let time = deadline.saturating_duration_since(Instant::now());
        let (languages, paths) = (request.languages.clone(), request.paths.clone());
        let query =
            Query { limit: MOST, scope: request.scope, languages, paths, ..Query::new(text) };
        let repositories = &request.repositories;
        let question = Question { query: &query, repositories, organisations: &[], token, time };
        match open.ask(&question) {
            Ok(found) => searched.push(found),
            Err(error) if searched.is_empty() => return Err(trouble(&error)),
            Err(error) => missing.push(format!("{text:?}: {error:#}")),
        }
    }
    Ok((searched, missing))
}

/// Notes and hits of all answers; those that only come nearest are named, not shown.
fn shown(answers: Vec<Answer>) -> (Vec<String>, Vec<Item>) {
    let reasons: Vec<&String> =
        answers.iter().filter_map(|it| it.nothing_because.as_ref()).collect();
    let is_nothing = reasons.len() == answers.len();
    let notes: Vec<String> = match reasons.first() {
        Some(reason) if is_nothing => vec![format!("nothing found: {reason}")],
        _ => Vec::new(),
    };
    let lists = answers.into_iter().filter(|it| is_nothing || it.nothing_because.is_none());
    let place = |hit| Placed { root: 0, hit };
    let hits = merge(lists.map(|it| it.hits.into_iter().map(place).collect()).collect());
    let items = hits.into_iter().map(labelled);
    match is_nothing {
        true => (notes, items.take(5).map(bare).collect()),
        false => (notes, items.collect()),
    }
}

/// A hit's path begins with a repository's name; the others that hold the file are named too.
fn labelled(placed: Placed) -> Item {
    let holders = placed.hit.repositories.clone();
    let mut item = item(&str::to_owned, placed.hit);
    let others = holders.iter().skip(1).take(3).map(String::as_str).collect::<Vec<_>>().join(", ");
    if !others.is_empty() {
        let more = holders.len().saturating_sub(4);
        let more = if more > 0 { format!(" and {more} more") } else { String::new() };
        item.head = format!("{} also in {others}{more}", item.head);
    }
    item.facts.insert("repositories".to_owned(), json!(holders));
    item
}

/// Which repositories have files that may answer, as one line.
fn repositories(searched: &[Searched]) -> String {
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for (name, files) in searched.iter().flat_map(|it| &it.facets) {
        *counts.entry(name).or_default() += files;
    }
    let mut counts: Vec<(&str, usize)> = counts.into_iter().collect();
    counts.sort_by(|a, b| b.1.cmp(&a.1).then(a.0.cmp(b.0)));
    let named: Vec<String> =
        counts.iter().take(MOST_NAMED).map(|(name, files)| format!("{name} {files}")).collect();
    match counts.len() {
        0 | 1 => String::new(),
        all if all > MOST_NAMED => {
            format!("# files that may answer: {} and {} more", named.join(", "), all - MOST_NAMED)
        }
        _ => format!("# files that may answer: {}", named.join(", ")),
    }
}

fn certificate(searched: &[Searched], mut missing: Vec<String>) -> (String, Value) {
    let index = searched.first().map(|it| &it.answer.index);
    for reason in searched.iter().flat_map(|it| &it.answer.index.partial) {
        if !missing.contains(reason) {
            missing.push(reason.clone());
        }
    }
    let (repositories, files) = index.map_or((0, 0), |it| (it.repositories.unwrap_or(0), it.files));
    let whole = match missing.is_empty() {
        true => "complete".to_owned(),
        false => format!("INCOMPLETE: {}", missing.join("; ")),
    };
    let line =
        format!("# searched {repositories} repositories of the fleet, {files} files, {whole}");
    (line, json!({"trees": [], "fleet": index, "not_searched": missing}))
}

fn trouble(error: &anyhow::Error) -> Trouble {
    let advice = match error.downcast_ref::<Error>() {
        Some(Error::Refused(_)) => {
            "Tell the user to give this server WHEREIN_FLEET_TOKEN, or over HTTP the header \
             wherein-fleet-token."
        }
        Some(Error::Unreachable { .. } | Error::Catalogue(_)) => {
            "Ask again in a while, or search the served folders."
        }
        Some(Error::Repository(_) | Error::Local(_)) => "Mend the arguments and call again.",
        _ => "Tell the user to run 'wherein doctor'.",
    };
    Trouble::new(format!("{error:#}"), advice)
}

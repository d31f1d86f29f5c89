//! `impact`: what a change reaches, and which tests cover it.

use serde_json::json;
use wherein_engine::graph::ask::difference::{self, Bounds, Lost};
use wherein_engine::graph::ask::impact::{Change, Impact as Reached, impact};

use super::{Failure, Tree, horizon, refs, subjects, symbols};
use crate::cli::graph::changes;
use crate::mcp::answer::{Found, Item};
use crate::mcp::request::Impact;
use crate::mcp::roots::Roots;
use crate::mcp::trouble::Trouble;

const DEPTH: u32 = 3;
/// Steps are followed no further.
const DEEPEST: u32 = 20;
/// Files and tests of each tree.
const MOST: usize = 300;

pub fn ask(roots: &Roots, trees: &[Tree], request: &Impact) -> Result<Found, Failure> {
    let depth = request.depth.unwrap_or(DEPTH).clamp(1, DEEPEST);
    let changed = match (&request.target, &request.since) {
        (Some(target), None) => {
            let subjects = subjects(roots, trees, target)?.into_iter();
            subjects.map(|(tree, subject)| (tree, Change::of(&subject))).collect()
        }
        (None, since) => differing(trees, since.as_deref().unwrap_or("HEAD"), depth)?,
        (Some(_), Some(_)) => {
            let advice = "Give one of the two.";
            return Err(Trouble::new("target and since exclude each other", advice).into());
        }
    };
    let mut found = Found::default();
    for (tree, change) in &changed {
        let reached = impact(tree.snapshot(), change, depth, MOST).map_err(tree.failure())?;
        told(tree, &reached, &mut found);
    }
    if changed.is_empty() {
        let since = request.since.as_deref().unwrap_or("HEAD");
        found.notes.push(format!("nothing found: no indexed file differs from {since}"));
    }
    found.last.dedup();
    Ok(found)
}

/// What differs from a revision in each tree that knows it.
fn differing<'t>(
    trees: &'t [Tree],
    since: &str,
    depth: u32,
) -> Result<Vec<(&'t Tree, Change)>, Failure> {
    let (mut changed, mut troubles) = (Vec::new(), Vec::new());
    for tree in trees {
        let keeper = tree.keeper();
        match changes::since(&keeper.tree, since) {
            Ok(Some(then)) => {
                let (settings, bounds) = (&keeper.tree.settings, Bounds { depth, limit: MOST });
                let change = difference::since(tree.snapshot(), settings, &then, bounds);
                let change = change.map_err(tree.failure())?;
                if !change.is_empty() {
                    changed.push((tree, change));
                }
            }
            Ok(None) => {}
            Err(error) => troubles.push(Trouble::from(error)),
        }
    }
    match troubles.pop() {
        Some(trouble) if troubles.len() + 1 == trees.len() => {
            Err(Trouble::new(trouble.what, "Name a file or a symbol as target instead.").into())
        }
        _ => Ok(changed),
    }
}

fn told(tree: &Tree, reached: &Reached, found: &mut Found) {
    let items = &mut found.items;
    let changed = reached.changed.iter().take(5).map(|spot| symbols::item(tree, spot));
    items.extend(changed);
    if reached.changed.len() > 5 {
        let more = reached.changed.len() - 5;
        items.push(Item::line(format!("and {more} symbols more change")));
    }
    if let Some(lost) = &reached.lost {
        gone(tree, lost, items);
    }
    let (symbols, files) = (reached.total_symbols, reached.total_files);
    let tests = reached.total_tests;
    items.push(Item::line(format!(
        "reaches {symbols} symbols in {files} files, covered by {tests} tests"
    )));
    if let Some(lost) = &reached.lost {
        broken(tree, lost, items);
    }
    for file in &reached.files {
        let path = tree.named(&file.path);
        let facts = json!({
            "path": path, "risk": file.risk, "steps": file.steps, "symbols": file.symbols,
        });
        let line = format!(
            "{path} risk {:.2}, {} symbols, {} steps away",
            file.risk, file.symbols, file.steps
        );
        items.push(Item::line(line).with_facts(facts));
    }
    for test in &reached.tests {
        let path = tree.named(&test.path);
        let facts =
            json!({"path": path, "line": test.line, "test": test.name, "steps": test.steps});
        items
            .push(Item::line(format!("{path}:{} test {}", test.line, test.name)).with_facts(facts));
    }
    if !reached.untested.is_empty() {
        let names: Vec<&str> = reached.untested.iter().take(20).map(String::as_str).collect();
        items.push(Item::line(format!("reached by no test that is seen: {}", names.join(", "))));
    }
    found.last.extend(horizon(&reached.horizon.notes));
}

fn gone(tree: &Tree, lost: &Lost, items: &mut Vec<Item>) {
    const SHOWN: usize = 20;
    let revision = &lost.revision;
    let gone = lost.symbols.iter().take(SHOWN).map(|spot| {
        let item = symbols::item(tree, spot);
        let head = format!("gone since {revision}, where it stood at {}", item.head);
        let facts = json!({"path": tree.named(&spot.path), "gone": spot.name, "since": revision});
        Item { head, ..Item::line("") }.with_facts(facts)
    });
    items.extend(gone);
    if lost.total_symbols > SHOWN {
        let more = lost.total_symbols - SHOWN;
        items.push(Item::line(format!("and {more} symbols more are gone")));
    }
}

fn broken(tree: &Tree, lost: &Lost, items: &mut Vec<Item>) {
    if lost.total_uses > 0 {
        let uses = lost.total_uses;
        let heading = format!("{uses} uses are still written and mean nothing that is known now:");
        items.push(Item::line(heading));
        items.extend(lost.uses.iter().map(|it| refs::use_item(tree, it)));
    }
}

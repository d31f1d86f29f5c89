//! `refs`: what uses something, who calls it, what it calls.

use serde_json::json;
use wherein_engine::graph::ask::Subject;
use wherein_engine::graph::ask::calls::{Direction, calls};
use wherein_engine::graph::ask::references::{References, UseSpot, references};

use super::{Failure, Tree, horizon, subjects, symbols};
use crate::mcp::answer::{Found, Item};
use crate::mcp::request::{Refs, Relation};
use crate::mcp::roots::Roots;

/// Uses of each sort.
const MOST: usize = 500;
/// Less sure than this is said.
const SURE: f32 = 0.9;
/// Calls are followed no further.
const DEEPEST: u32 = 20;

pub fn ask(roots: &Roots, trees: &[Tree], request: &Refs) -> Result<Found, Failure> {
    let mut found = Found::default();
    for (tree, subject) in subjects(roots, trees, &request.target)? {
        match request.relation {
            Relation::Uses => uses(tree, &subject, &mut found)?,
            Relation::Callers => around(tree, subject, request, Direction::Callers, &mut found)?,
            Relation::Callees => around(tree, subject, request, Direction::Callees, &mut found)?,
        }
    }
    found.last.dedup();
    Ok(found)
}

fn uses(tree: &Tree, subject: &Subject, found: &mut Found) -> Result<(), Failure> {
    let used = references(tree.snapshot(), subject, MOST).map_err(tree.failure())?;
    let References { definitions, uses, total, possible, possible_total, importers, .. } = used;
    if matches!(subject, Subject::Symbols(_)) {
        found.items.extend(definitions.iter().map(|spot| symbols::item(tree, spot)));
    }
    let imported = importers.iter().map(|path| {
        let path = tree.named(path);
        let facts = json!({"path": path, "relation": "imports"});
        Item::line(format!("{path}: imports it")).with_facts(facts)
    });
    found.items.extend(imported);
    if total + possible_total + importers.len() == 0 {
        let nothing = "no use is seen; that is not to say that there is none";
        found.items.push(Item::line(nothing));
    }
    found.items.extend(uses.iter().map(|it| use_item(tree, it)));
    if total > uses.len() {
        found.items.push(Item::line(format!("and {} uses more", total - uses.len())));
    }
    if possible_total > 0 {
        let heading = format!("{possible_total} uses of the same name may mean it:");
        found.items.push(Item::line(heading));
        found.items.extend(possible.iter().map(|it| use_item(tree, it)));
    }
    found.last.extend(horizon(&used.horizon.notes));
    Ok(())
}

pub fn use_item(tree: &Tree, it: &UseSpot) -> Item {
    let path = tree.named(&it.path);
    let within = it.within.as_ref().map(|name| format!(" [in {name}]")).unwrap_or_default();
    let unsure = match it.confidence {
        sure if sure > 0.0 && sure < SURE => format!(" [by name, {:.0}%]", sure * 100.0),
        _ => String::new(),
    };
    let facts = json!({
        "path": path, "line": it.line, "kind": it.kind, "within": it.within,
        "confidence": it.confidence, "text": it.text,
    });
    Item::line(format!("{path}:{}: {}{within}{unsure}", it.line, it.text)).with_facts(facts)
}

fn around(
    tree: &Tree,
    subject: Subject,
    request: &Refs,
    direction: Direction,
    found: &mut Found,
) -> Result<(), Failure> {
    let of = match subject {
        Subject::Symbols(symbols) => symbols,
        Subject::File(file) => {
            let symbols = tree.snapshot().symbols().map_err(tree.failure())?;
            symbols.of_file(file).collect()
        }
    };
    let depth = request.depth.unwrap_or(1).clamp(1, DEEPEST);
    let around = calls(tree.snapshot(), &of, direction, depth, MOST).map_err(tree.failure())?;
    found.items.extend(around.of.iter().take(5).map(|spot| symbols::item(tree, spot)));
    let (none, way) = match direction {
        Direction::Callers => ("no caller is seen", "calls it"),
        Direction::Callees => ("no call that leads to a definition here is seen", "is called"),
    };
    if around.reached.is_empty() {
        found.items.push(Item::line(none));
    }
    for call in &around.reached {
        let mut item = symbols::item(tree, &call.symbol);
        let unsure = if call.confidence < SURE { ", by name alone" } else { "" };
        let steps =
            if call.steps > 1 { format!(" in {} steps", call.steps) } else { String::new() };
        item.head = format!("{} [{way}{steps}{unsure}]", item.head);
        item.facts.insert("steps".to_owned(), json!(call.steps));
        item.facts.insert("confidence".to_owned(), json!(call.confidence));
        found.items.push(item);
    }
    found.last.extend(horizon(&around.horizon.notes));
    Ok(())
}

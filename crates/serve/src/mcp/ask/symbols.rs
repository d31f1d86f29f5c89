//! `symbols`: definitions by a part of their name.

use serde_json::json;
use wherein_corpus::SymbolKind;
use wherein_engine::graph::ask::Spot;
use wherein_engine::graph::ask::listing::{Listing, list};

use super::{Failure, Tree, unknown};
use crate::mcp::answer::{Found, Item};
use crate::mcp::request::Symbols;
use crate::mcp::roots::Roots;
use crate::mcp::trouble::Trouble;

/// Definitions of each tree.
const MOST: usize = 500;
/// Bytes of a signature.
const LONGEST: usize = 120;

pub fn ask(roots: &Roots, trees: &[Tree], request: &Symbols) -> Result<Found, Failure> {
    let kinds = request.kinds.iter().map(|name| {
        let advice = "Say function, method, class, struct, enum, trait, interface, constant, …";
        SymbolKind::named(name)
            .ok_or_else(|| Trouble::new(format!("{name:?} is no kind of symbol"), advice))
    });
    let kinds: Vec<SymbolKind> = kinds.collect::<Result<_, _>>()?;
    let patterns = roots.patterns(&request.paths);
    // The parts before the last are looked at by `refs`; here a name is a part of one.
    let name = request.name.as_ref().map(|name| {
        name.rsplit(['.', ':']).find(|part| !part.is_empty()).unwrap_or(name).to_owned()
    });
    let mut lists = Vec::new();
    let mut total = 0;
    for tree in trees {
        let listing = Listing {
            query: name.clone(),
            kinds: kinds.clone(),
            languages: request.languages.clone(),
            paths: patterns[tree.root].clone().unwrap_or_default(),
            limit: MOST,
        };
        let found = list(tree.snapshot(), &listing).map_err(tree.failure())?;
        total += found.total;
        let items = found.symbols.into_iter().map(|spot| item(tree, &spot));
        lists.push(items.collect::<Vec<Item>>().into_iter());
    }
    let items = in_turn(lists);
    let mut notes = Vec::new();
    if items.is_empty() {
        notes.push(match &request.name {
            Some(name) => format!("nothing found: {}", unknown(trees, name)?),
            None => {
                "nothing found: no symbol is in the given paths, languages and kinds".to_owned()
            }
        });
    } else if total > items.len() {
        notes.push(format!("{total} in all; the first {} can be listed", items.len()));
    }
    Ok(Found { notes, items, last: Vec::new() })
}

/// How well a name fits is said by its place, which lists of several trees share.
fn in_turn(mut lists: Vec<std::vec::IntoIter<Item>>) -> Vec<Item> {
    let mut items = Vec::new();
    loop {
        let before = items.len();
        items.extend(lists.iter_mut().filter_map(Iterator::next));
        if items.len() == before {
            return items;
        }
    }
}

/// A definition in one line.
pub fn item(tree: &Tree, spot: &Spot) -> Item {
    let path = tree.named(&spot.path);
    let signature = &spot.signature[..spot.signature.floor_char_boundary(LONGEST)];
    let signature = if signature.is_empty() { String::new() } else { format!(" | {signature}") };
    let facts = json!({
        "path": path,
        "start_line": spot.start_line,
        "end_line": spot.end_line,
        "kind": spot.kind,
        "symbol": spot.name,
        "signature": spot.signature,
    });
    let (first, last) = (spot.start_line, spot.end_line);
    Item::line(format!("{path}:{first}-{last} {} {}{signature}", spot.kind, spot.name))
        .with_facts(facts)
}

//! Symbols by a part of their name, and the definitions of a name.

use serde::Serialize;
use wherein_corpus::SymbolKind;

use super::{Spot, named, spot};
use crate::error::Result;
use crate::graph::symbols::Symbols;
use crate::index::snapshot::Snapshot;
use crate::search::answer::Certificate;
use crate::search::filter::{self, Allowed};
use crate::search::intent::filters::Filters;
use crate::search::query::Query;

/// Which symbols to list.
#[derive(Clone, Debug, Default)]
pub struct Listing {
    /// A name or a part of one; all of them without.
    pub query: Option<String>,
    /// Only these kinds; any without.
    pub kinds: Vec<SymbolKind>,
    /// Only these languages; any without.
    pub languages: Vec<String>,
    /// Only these paths, as in a search.
    pub paths: Vec<String>,
    /// How many at most.
    pub limit: usize,
}

/// Symbols, best first.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct SymbolList {
    /// Those shown.
    pub symbols: Vec<Spot>,
    /// How many fit in all.
    pub total: usize,
    /// What was looked at.
    pub index: Certificate,
}

/// Lists symbols by how well their name fits, then by how much they are used.
pub fn list(snapshot: &Snapshot, listing: &Listing) -> Result<SymbolList> {
    let symbols = snapshot.symbols()?;
    let allowed = allowed(snapshot, listing)?;
    let wanted = listing.query.as_deref().map(str::to_lowercase);
    let mut found: Vec<(u32, u32)> = Vec::new();
    for (id, name) in symbols.names() {
        let Some(fit) = fit(name, wanted.as_deref()) else { continue };
        let fitting = symbols.named_by(id).into_iter().filter(|&symbol| {
            allowed.as_ref().is_none_or(|allowed| allowed[symbols.file(symbol)])
                && (listing.kinds.is_empty() || listing.kinds.contains(&symbols.kind(symbol)))
        });
        found.extend(fitting.map(|symbol| (fit, symbol)));
    }
    found.sort_by(|a, b| {
        let by_rank = symbols.rank(b.1).total_cmp(&symbols.rank(a.1));
        a.0.cmp(&b.0).then(by_rank).then(a.1.cmp(&b.1))
    });
    answer(snapshot, symbols, found.into_iter().map(|(_, symbol)| symbol).collect(), listing.limit)
}

/// Everything that defines a name, most used first.
pub fn definitions(snapshot: &Snapshot, name: &str, limit: usize) -> Result<SymbolList> {
    let symbols = snapshot.symbols()?;
    answer(snapshot, symbols, named(symbols, name), limit)
}

fn answer(
    snapshot: &Snapshot,
    symbols: &Symbols,
    found: Vec<u32>,
    limit: usize,
) -> Result<SymbolList> {
    let total = found.len();
    let shown = found.into_iter().take(limit).map(|symbol| spot(snapshot, symbols, symbol));
    let index = Certificate::of(&snapshot.manifest);
    Ok(SymbolList { symbols: shown.collect::<Result<_>>()?, total, index })
}

fn allowed(snapshot: &Snapshot, listing: &Listing) -> Result<Allowed> {
    let (languages, paths) = (listing.languages.clone(), listing.paths.clone());
    let query = Query { languages, paths, ..Query::new(String::new()) };
    filter::allowed(snapshot, &query, &Filters::default())
}

/// 0 for the very name, 1 for its beginning, 2 for a part, 3 for all words in their order.
fn fit(name: &str, wanted: Option<&str>) -> Option<u32> {
    let Some(wanted) = wanted else { return Some(0) };
    let name = name.to_lowercase();
    match name.find(wanted) {
        Some(0) if name.len() == wanted.len() => Some(0),
        Some(0) => Some(1),
        Some(_) => Some(2),
        None => {
            let mut rest = name.as_str();
            let words: Vec<&str> =
                wanted.split([' ', '_', '-']).filter(|w| !w.is_empty()).collect();
            let in_order = words.iter().all(|word| match rest.find(word) {
                Some(at) => {
                    rest = &rest[at + word.len()..];
                    true
                }
                None => false,
            });
            (words.len() > 1 && in_order).then_some(3)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_fit_whole_then_in_part_then_by_words() {
        for (name, wanted, expected) in [
            ("Retry", Some("retry"), Some(0)),
            ("retryCount", Some("retry"), Some(1)),
            ("maxRetry", Some("retry"), Some(2)),
            ("parse_http_header", Some("parse header"), Some(3)),
            ("header_parse", Some("parse header"), None),
            ("x", None, Some(0)),
        ] {
            assert_eq!(fit(name, wanted), expected, "{name} {wanted:?}");
        }
    }
}

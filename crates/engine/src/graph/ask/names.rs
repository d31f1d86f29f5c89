//! What a name as people write it means: `Foo.bar`, `foo::Bar::baz`, or a bare one.

use wherein_corpus::ReferenceKind;

use super::separator;
use crate::error::Result;
use crate::graph::symbols::Symbols;
use crate::index::snapshot::Snapshot;

/// The symbols a name may mean, most used first. A member that a type does not define itself is the one
/// it has from the nearest of its bases.
pub fn named(symbols: &Symbols, name: &str) -> Vec<u32> {
    let parts = parts(name.trim().trim_end_matches("()"));
    let Some((last, around)) = parts.split_last() else { return Vec::new() };
    let mut found = within(symbols, around, last);
    if found.is_empty() {
        found = inherited(symbols, around, last);
    }
    by_use(symbols, found)
}

/// What else bears the last part of a name, with the names around it, most used first.
pub fn namesakes(snapshot: &Snapshot, name: &str, limit: usize) -> Result<Vec<String>> {
    let symbols = snapshot.symbols()?;
    let found = parts(name).last().map_or(Vec::new(), |last| symbols.named(last));
    let mut names: Vec<String> = Vec::new();
    for symbol in by_use(symbols, found) {
        let name = symbols.qualified(symbol, separator(snapshot, symbols.file(symbol)));
        if !names.contains(&name) {
            names.push(name);
        }
        if names.len() == limit {
            break;
        }
    }
    Ok(names)
}

fn parts(name: &str) -> Vec<&str> {
    name.split(['.', ':', '#', '\\']).filter(|part| !part.is_empty()).collect()
}

/// What bears a name and stands within these others.
fn within(symbols: &Symbols, around: &[&str], name: &str) -> Vec<u32> {
    let fits = |&symbol: &u32| parts(symbols.scope(symbol)).ends_with(around);
    symbols.named(name).into_iter().filter(fits).collect()
}

/// Members of that name of the nearest bases that have one.
fn inherited(symbols: &Symbols, around: &[&str], name: &str) -> Vec<u32> {
    let Some((of, outside)) = around.split_last() else { return Vec::new() };
    let members = symbols.named(name);
    let mut types = within(symbols, outside, of);
    types.retain(|&it| symbols.kind(it).is_type());
    let mut seen = types.clone();
    while !types.is_empty() {
        let mut bases: Vec<u32> = types.iter().flat_map(|&it| bases(symbols, it)).collect();
        bases.retain(|base| !seen.contains(base));
        let is_theirs = |it: &u32| symbols.parent(*it).is_some_and(|it| bases.contains(&it));
        let found: Vec<u32> = members.iter().copied().filter(is_theirs).collect();
        if !found.is_empty() {
            return found;
        }
        seen.extend(&bases);
        types = bases;
    }
    Vec::new()
}

/// The types that a type says it is made from, as far as it is known what they are.
fn bases(symbols: &Symbols, of: u32) -> Vec<u32> {
    let (start, end) = symbols.lines(of);
    let uses = symbols.uses_in(symbols.file(of), start, end).into_iter();
    let made_from = uses.filter(|it| {
        let is_base = matches!(it.kind, ReferenceKind::Extends | ReferenceKind::Implements);
        is_base && it.owner == Some(of)
    });
    made_from.filter_map(|it| it.target).collect()
}

fn by_use(symbols: &Symbols, mut found: Vec<u32>) -> Vec<u32> {
    found.sort_by(|&a, &b| symbols.rank(b).total_cmp(&symbols.rank(a)).then(a.cmp(&b)));
    found
}

//! What a question's own filters leave of the candidates.

use std::collections::BTreeSet;

use crate::error::Result;
use crate::index::lexical::Field;
use crate::index::tokens::Tokens;
use crate::search::channels::names::is_inside;
use crate::search::channels::{Lists, Spot};
use crate::search::filter::Allowed;
use crate::search::intent::Intent;
use crate::search::intent::names::{Name, folded};
use crate::search::recall::{Holding, Recall};

/// Drops what does not hold a phrase, holds an unwanted word, or is of another name or kind.
pub fn narrow(
    index: &dyn Recall,
    intent: &Intent,
    allowed: &Allowed,
    lists: &mut Lists,
) -> Result<()> {
    if intent.filters.is_empty() {
        return Ok(());
    }
    if let Some(held) = &lists.held {
        lists.found.retain(|spot, _| held.contains(spot));
    }
    for word in &intent.filters.without {
        let unwanted = holding(index, word, allowed)?;
        lists.found.retain(|spot, _| !unwanted.contains(spot));
    }
    let filters = &intent.filters;
    if filters.symbols.is_empty() && filters.kinds.is_empty() {
        return Ok(());
    }
    let names: Vec<Name> = filters.symbols.iter().map(|name| Name::qualified(name)).collect();
    let spots: Vec<Spot> = lists.found.keys().copied().collect();
    for spot in spots {
        if !is_named(index, spot, &names)? || !is_kind(index, spot, intent)? {
            lists.found.remove(&spot);
        }
    }
    Ok(())
}

/// The chunks with a word in their text or their path.
fn holding(index: &dyn Recall, word: &str, allowed: &Allowed) -> Result<BTreeSet<Spot>> {
    let (mut tokens, mut term) = (Tokens::of(word), String::new());
    if tokens.next(&mut term).is_none() {
        return Ok(BTreeSet::new());
    }
    index.holding(&Holding::Term(&[Field::Body, Field::Path], &term), allowed)
}

/// Whether a chunk defines one of these names, or one that begins so; of a qualified name, inside its owner.
fn is_named(index: &dyn Recall, spot: Spot, names: &[Name]) -> Result<bool> {
    if names.is_empty() {
        return Ok(true);
    }
    let parsed = index.parsed(&index.manifest().files[spot.0])?;
    let symbols = parsed.chunks[spot.1 as usize].symbols.iter();
    let mut symbols = symbols.map(|&symbol| &parsed.symbols[symbol as usize]);
    Ok(symbols.any(|symbol| {
        let begins = |name: &&Name| folded(&symbol.name).starts_with(&name.folded());
        names.iter().filter(begins).any(|name| is_inside(name, &symbol.scope))
    }))
}

/// Whether a chunk is of a kind that is asked for.
fn is_kind(index: &dyn Recall, spot: Spot, intent: &Intent) -> Result<bool> {
    let kinds = &intent.filters.kinds;
    if kinds.is_empty() {
        return Ok(true);
    }
    let parsed = index.parsed(&index.manifest().files[spot.0])?;
    let chunk = &parsed.chunks[spot.1 as usize];
    let subject = chunk.subject(&parsed.symbols).map(|symbol| symbol.kind);
    let inside = chunk.symbols.iter().map(|&symbol| parsed.symbols[symbol as usize].kind);
    Ok(subject.into_iter().chain(inside).any(|kind| kinds.contains(&kind)))
}

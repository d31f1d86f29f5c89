//! The channels of names: chunks that define what a question names, and chunks whose names are
//! like it.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use wherein_corpus::{Lines, SymbolKind};

use crate::error::Result;
use crate::index::lexical::Field;
use crate::index::tokens::Tokens;
use crate::search::channels::{Channel, Lists, Spot};
use crate::search::filter::Allowed;
use crate::search::intent::names::{Name, folded};
use crate::search::intent::{Intent, Shape};
use crate::search::recall::{Holding, Recall};
use crate::search::weights;

/// A name with more definitions says nothing about where to look.
const MOST_DEFINITIONS: usize = 300;

/// Chunks that are looked at for one question, however many names it has.
const MOST_LOOKED_AT: usize = 3000;

/// Enters the definitions of the names in a question.
pub fn definitions(
    index: &dyn Recall,
    intent: &Intent,
    allowed: &Allowed,
    lists: &mut Lists,
) -> Result<()> {
    let mut defined: Vec<(f32, BTreeMap<Spot, f32>)> = Vec::new();
    let mut looked_at = 0;
    for name in &intent.names {
        let Some(term) = first_term(&name.text) else { continue };
        let found = index.frequency(Field::Name, &term)? as usize;
        if found > MOST_DEFINITIONS {
            continue;
        }
        looked_at += found;
        if looked_at > MOST_LOOKED_AT {
            break;
        }
        let spots = definitions_of(index, name, &term, allowed)?;
        if !spots.is_empty() {
            let rarity = (1.0 + index.chunks() as f32 / spots.len() as f32).ln();
            defined.push((rarity, spots));
        }
    }
    let worth: f32 = defined.iter().map(|(rarity, _)| rarity).sum();
    let mut scores: BTreeMap<Spot, f32> = BTreeMap::new();
    for (rarity, spots) in defined {
        for (spot, closeness) in spots {
            *scores.entry(spot).or_default() += rarity / worth * closeness;
        }
    }
    lists.enter_all(Channel::Definitions, scores);
    Ok(())
}

fn definitions_of(
    index: &dyn Recall,
    name: &Name,
    term: &str,
    allowed: &Allowed,
) -> Result<BTreeMap<Spot, f32>> {
    let wanted = name.folded();
    let holding = index.holding(&Holding::Term(&[Field::Name], term), allowed)?;
    let mut spots = scored(index, holding, |symbol, scope| closeness(name, symbol, scope))?;
    if spots.keys().any(|&spot| is_c(index, spot) && !is_header(index, spot)) {
        for (&spot, score) in spots.iter_mut().filter(|(spot, _)| is_header(index, **spot)) {
            if is_prototype(index, spot, &wanted)? {
                *score *= weights::PROTOTYPE;
            }
        }
    }
    Ok(spots)
}

fn is_c(index: &dyn Recall, spot: Spot) -> bool {
    ["c", "cpp"].contains(&index.manifest().files[spot.0].language.as_str())
}

fn is_header(index: &dyn Recall, spot: Spot) -> bool {
    let path = &index.manifest().files[spot.0].path;
    [".h", ".hh", ".hpp", ".hxx"].iter().any(|ending| path.ends_with(ending))
}

/// Whether all that a chunk says of a name is that there is such a function.
fn is_prototype(index: &dyn Recall, spot: Spot, wanted: &str) -> Result<bool> {
    let file = &index.manifest().files[spot.0];
    let (parsed, Some(text)) = (index.parsed(file)?, index.indexed_text(file)) else {
        return Ok(false);
    };
    let lines = Lines::of(&text);
    let symbols = parsed.chunks[spot.1 as usize].symbols.iter();
    let mut named = symbols
        .map(|&symbol| &parsed.symbols[symbol as usize])
        .filter(|symbol| folded(&symbol.name) == wanted);
    Ok(named.all(|symbol| {
        let is_function = matches!(symbol.kind, SymbolKind::Function | SymbolKind::Method);
        is_function && !lines.span(symbol.name_line..=symbol.end_line).contains('{')
    }))
}

/// How well a symbol fits a name that is asked for, between 0 and 1.
pub fn closeness(name: &Name, symbol: &str, scope: &str) -> f32 {
    match folded(symbol) == name.folded() {
        true => exactness(name, symbol) * belonging(name, scope),
        false => 0.0,
    }
}

fn exactness(name: &Name, symbol: &str) -> f32 {
    if symbol == name.text { 1.0 } else { 0.9 }
}

/// What stands before a name may be its type, its module, or a variable that says nothing.
fn belonging(name: &Name, scope: &str) -> f32 {
    if is_inside(name, scope) { 1.0 } else { 0.7 }
}

/// Whether a scope is in what a name is said to belong to, if that is said.
pub fn is_inside(name: &Name, scope: &str) -> bool {
    let mut parts = scope.split(|c: char| !c.is_alphanumeric() && c != '_');
    name.owner.as_ref().is_none_or(|owner| parts.any(|part| part.eq_ignore_ascii_case(owner)))
}

/// The spots that hold a symbol with a closeness above nothing, by the closest one.
fn scored(
    index: &dyn Recall,
    spots: BTreeSet<Spot>,
    closeness: impl Fn(&str, &str) -> f32,
) -> Result<BTreeMap<Spot, f32>> {
    let mut scores = BTreeMap::new();
    for spot in spots {
        let parsed = index.parsed(&index.manifest().files[spot.0])?;
        let symbols = &parsed.chunks[spot.1 as usize].symbols;
        let best = symbols
            .iter()
            .map(|&symbol| &parsed.symbols[symbol as usize])
            .map(|symbol| closeness(&symbol.name, &symbol.scope))
            .fold(0f32, f32::max);
        if best > 0.0 {
            scores.insert(spot, best);
        }
    }
    Ok(scores)
}

/// Enters chunks whose names begin with, hold, or are a letter away from a name that is asked for
/// alone, or from a word that stands nowhere in the tree.
pub fn symbols(
    index: &dyn Recall,
    intent: &Intent,
    allowed: &Allowed,
    lists: &mut Lists,
) -> Result<()> {
    let mut scores: HashMap<Spot, f32> = HashMap::new();
    for word in asked(index, intent)? {
        let Some((whole, parts)) = parts_of(&word) else { continue };
        let spots = index.holding(&Holding::Alike { whole: &whole, parts: &parts }, allowed)?;
        if spots.len() > MOST_DEFINITIONS {
            continue;
        }
        let wanted = folded(&word);
        for (spot, score) in scored(index, spots, |symbol, _| likeness(&wanted, &folded(symbol)))? {
            let best = scores.entry(spot).or_default();
            *best = best.max(score);
        }
    }
    lists.enter_all(Channel::Symbols, scores);
    Ok(())
}

/// The words to look for: the name that is asked for, or those that no chunk holds.
fn asked(index: &dyn Recall, intent: &Intent) -> Result<Vec<String>> {
    if intent.shape == Shape::Name {
        return Ok(intent.names.iter().map(|name| name.text.clone()).collect());
    }
    if !matches!(intent.shape, Shape::Words | Shape::Path) {
        return Ok(Vec::new());
    }
    let mut unknown = Vec::new();
    for word in intent.text.split(|c: char| !c.is_alphanumeric() && c != '_') {
        const LEAST: usize = 4;
        let Some(term) = first_term(word).filter(|_| word.len() >= LEAST) else { continue };
        if index.frequency(Field::Body, &term)? == 0 {
            unknown.push(word.to_owned());
        }
    }
    Ok(unknown)
}

/// The term of a word and those of its parts; the whole word need not be there if they are.
fn parts_of(word: &str) -> Option<(String, Vec<String>)> {
    let (mut tokens, mut token, mut parts) = (Tokens::of(word), String::new(), Vec::new());
    while tokens.next(&mut token).is_some() {
        parts.push(token.clone());
    }
    let whole = parts.first()?.clone();
    if parts.len() > 1 {
        parts.remove(0);
    }
    Some((whole, parts))
}

/// How like a name is to the one that is wanted, both folded; 1 if they are the same.
fn likeness(wanted: &str, name: &str) -> f32 {
    if wanted == name {
        return 1.0;
    }
    let share = wanted.len() as f32 / name.len().max(1) as f32;
    if name.starts_with(wanted) {
        0.6 + 0.3 * share
    } else if name.contains(wanted) {
        0.4 + 0.3 * share
    } else if is_one_edit_away(wanted, name) {
        0.6
    } else {
        0.0
    }
}

/// One letter more, fewer, other, or two neighbours swapped.
pub fn is_one_edit_away(a: &str, b: &str) -> bool {
    let (a, b): (Vec<char>, Vec<char>) = (a.chars().collect(), b.chars().collect());
    let (short, long) = if a.len() <= b.len() { (&a, &b) } else { (&b, &a) };
    let same = short.iter().zip(long).take_while(|(x, y)| x == y).count();
    let (short, long) = (&short[same..], &long[same..]);
    match long.len() - short.len() {
        0 => {
            let swapped = short.len() >= 2
                && short[0] == long[1]
                && short[1] == long[0]
                && short[2..] == long[2..];
            short.len() <= 1 || short[1..] == long[1..] || swapped
        }
        1 => *short == long[1..],
        _ => false,
    }
}

/// The term that stands for a whole word.
fn first_term(word: &str) -> Option<String> {
    let mut term = String::new();
    Tokens::of(word).next(&mut term).map(|_| term)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_edit_is_one_letter() {
        for (a, b, expected) in [
            ("retry", "retyr", true),
            ("retry", "retr", true),
            ("retry", "retray", true),
            ("retry", "reply", false),
            ("retry", "rexry", true),
            ("retry", "ret", false),
            ("retry", "ertyr", false),
        ] {
            assert_eq!(is_one_edit_away(a, b), expected, "{a} {b}");
            assert_eq!(is_one_edit_away(b, a), expected, "{b} {a}");
        }
    }

    #[test]
    fn likeness_falls_from_the_same_name_to_a_piece_of_one() {
        let names = ["claimttl", "claimttls", "claimttlseconds", "withclaimttl", "other"];
        let scores = names.map(|name| likeness("claimttl", name));
        assert!(scores.is_sorted_by(|a, b| a > b), "{scores:?}");
        assert_eq!((scores[0], scores[4]), (1.0, 0.0));
    }
}

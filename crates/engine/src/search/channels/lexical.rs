//! The channel of words: weighted terms, looked up in every field.

use std::collections::{HashMap, HashSet};

use crate::error::Result;
use crate::index::lexical::Field;
use crate::search::channels::{Channel, Lists, Spot, Terms};
use crate::search::filter::Allowed;
use crate::search::intent::Intent;
use crate::search::recall::{Match, Recall};
use crate::search::weights;

/// Enters the best `most` chunks, and the scores of the wanted ones beside them. Ties go by path,
/// then line.
pub fn recall(
    index: &dyn Recall,
    intent: &Intent,
    allowed: &Allowed,
    most: usize,
    wanted: &HashSet<Spot>,
    lists: &mut Lists,
) -> Result<()> {
    let words = rarest(index, intent)?;
    let (mut best, asked) = index.by_words(&words, allowed, most, wanted)?;
    best.sort_unstable_by(Match::order);
    best.truncate(most);
    lists.terms = terms(index, &words)?;
    for found in asked {
        lists.enter(Channel::Lexical, found.spot, None, found.score);
        lists.found.entry(found.spot).or_default().document = Some(found.document);
    }
    for (place, found) in best.into_iter().enumerate() {
        lists.enter(Channel::Lexical, found.spot, Some(place + 1), found.score);
        lists.found.entry(found.spot).or_default().document = Some(found.document);
    }
    Ok(())
}

/// The question's words, each with its weight and how rare it is in the bodies of chunks.
fn terms(index: &dyn Recall, words: &[(&str, f32)]) -> Result<Terms> {
    let chunks = index.chunks() as f32;
    let (mut masses, mut nowhere) = (HashMap::new(), 0.0);
    for &(term, weight) in words {
        let holding = index.frequency(Field::Body, term)? as f32;
        let rarity = (1.0 + (chunks - holding + 0.5).max(0.0) / (holding + 0.5)).ln();
        masses.insert(term.to_owned(), weight * rarity);
        if holding == 0.0 {
            nowhere += weight * rarity;
        }
    }
    Ok(Terms::of(masses, nowhere))
}

/// The terms to look up: all of a normal question, the rarest known ones of a pasted file.
pub fn rarest<'i>(index: &dyn Recall, intent: &'i Intent) -> Result<Vec<(&'i str, f32)>> {
    let terms = intent.terms.iter().map(|(term, weight)| (term.as_str(), *weight));
    if intent.terms.len() <= weights::MOST_TERMS {
        return Ok(terms.collect());
    }
    let mut counted = Vec::new();
    for (term, weight) in terms {
        let documents = index.frequency(Field::Body, term)?;
        if documents > 0 {
            counted.push((documents, term, weight));
        }
    }
    counted.sort_by(|a, b| (a.0, a.1).cmp(&(b.0, b.1)));
    counted.truncate(weights::MOST_TERMS);
    Ok(counted.into_iter().map(|(_, term, weight)| (term, weight)).collect())
}

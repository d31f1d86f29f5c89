//! More words for a question, taken from what answers it best (pseudo-relevance feedback).

use std::collections::BTreeMap;

use wherein_corpus::Lines;

use crate::error::Result;
use crate::index::lexical::Field;
use crate::index::tokens::Tokens;
use crate::search::fusion::Candidate;
use crate::search::intent::Intent;
use crate::search::recall::Recall;
use crate::search::weights;

/// The question with the words that set its best candidates apart from other chunks.
pub fn expand(index: &dyn Recall, mut intent: Intent, best: &[Candidate]) -> Result<Intent> {
    let mut counts: BTreeMap<String, f32> = BTreeMap::new();
    for candidate in best.iter().take(weights::EXPANDED_FROM) {
        count(index, candidate, &mut counts)?;
    }
    for (term, _) in &intent.terms {
        counts.remove(term);
    }
    let chunks = index.chunks() as f32;
    let mut scored = Vec::new();
    for (term, count) in counts {
        let holding = index.frequency(Field::Body, &term)?;
        let rarity = (chunks / (holding as f32).max(1.0)).ln();
        scored.push(((1.0 + count).ln() * rarity, term));
    }
    scored.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
    scored.truncate(weights::EXPANDED_BY);
    intent.terms.extend(scored.into_iter().map(|(_, term)| (term, weights::EXPANSION)));
    intent.terms.sort_by(|a, b| a.0.cmp(&b.0));
    Ok(intent)
}

/// Counts the words of a chunk; a file that has gone since it was indexed has none.
fn count(
    index: &dyn Recall,
    candidate: &Candidate,
    counts: &mut BTreeMap<String, f32>,
) -> Result<()> {
    let file = &index.manifest().files[candidate.file];
    let parsed = index.parsed(file)?;
    let Some(text) = index.indexed_text(file) else { return Ok(()) };
    let lines = Lines::of(&text);
    let chunk = &parsed.chunks[candidate.chunk as usize];
    if chunk.end_line > lines.count() {
        return Ok(());
    }
    let mut tokens = Tokens::of(lines.span(chunk.start_line..=chunk.end_line));
    let mut term = String::new();
    while tokens.next(&mut term).is_some() {
        *counts.entry(term.clone()).or_default() += 1.0;
    }
    Ok(())
}

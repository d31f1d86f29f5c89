//! Text in quotes: the chunks that hold it as it is, found by reading every file that may answer.

use std::collections::BTreeSet;

use rayon::prelude::*;
use wherein_corpus::Lines;

use crate::error::Result;
use crate::search::channels::Spot;
use crate::search::filter::Allowed;
use crate::search::recall::Recall;

/// The chunks that hold the most of the phrases; with one phrase, those that hold it. Nothing is
/// left to the index here: a phrase may begin or end in the middle of a word.
pub fn holding(
    index: &dyn Recall,
    allowed: &Allowed,
    phrases: &[String],
) -> Result<BTreeSet<Spot>> {
    let may = |position: &usize| allowed.as_ref().is_none_or(|allowed| allowed[*position]);
    let counted = (0..index.manifest().files.len())
        .into_par_iter()
        .filter(may)
        .map(|position| in_file(index, position, phrases))
        .collect::<Result<Vec<_>>>()?;
    let counted: Vec<(usize, Spot)> = counted.into_iter().flatten().collect();
    let most = counted.iter().map(|(count, _)| *count).max().unwrap_or(0);
    Ok(counted.into_iter().filter(|(count, _)| *count == most).map(|(_, spot)| spot).collect())
}

/// How many of the phrases each chunk of a file holds, for those that hold one. A file that has
/// changed since it was indexed is read as it is now.
fn in_file(index: &dyn Recall, position: usize, phrases: &[String]) -> Result<Vec<(usize, Spot)>> {
    let file = &index.manifest().files[position];
    let Some(text) = index.text(file) else { return Ok(Vec::new()) };
    if !phrases.iter().any(|phrase| text.contains(phrase.as_str())) {
        return Ok(Vec::new());
    }
    let lines = Lines::of(&text);
    let parsed = index.parsed(file)?;
    let count = |(number, chunk): (u32, &wherein_corpus::Chunk)| {
        let end = chunk.end_line.min(lines.count());
        if chunk.start_line > end {
            return None;
        }
        let text = lines.span(chunk.start_line..=end);
        let held = phrases.iter().filter(|phrase| text.contains(phrase.as_str())).count();
        (held > 0).then_some((held, (position, number)))
    };
    Ok((0..).zip(&parsed.chunks).filter_map(count).collect())
}

//! How much each channel, and each field of the lexical one, gave to a hit's score.

use std::collections::BTreeMap;

use crate::error::Result;
use crate::index::lexical::Field;
use crate::search::answer::ChannelScore;
use crate::search::channels::lexical::rarest;
use crate::search::channels::{Channel, Standing};
use crate::search::fusion::Candidate;
use crate::search::intent::Intent;
use crate::search::recall::Recall;

/// Every channel that knows the hit, and the fields of the lexical one if asked for.
pub fn channels(
    index: &dyn Recall,
    intent: &Intent,
    candidate: &Candidate,
    per_field: bool,
) -> Result<BTreeMap<String, ChannelScore>> {
    let whole: f32 = candidate.parts.iter().map(|part| part.abs()).sum();
    let share = |part: f32| if whole > 0.0 { part / whole } else { 0.0 };
    let mut channels = BTreeMap::new();
    for (channel, part) in Channel::ALL.into_iter().zip(candidate.parts) {
        if let Some(Standing { rank, score }) = candidate.found.standings[channel as usize] {
            let contribution = share(part);
            channels.insert(channel.name().to_owned(), ChannelScore { rank, score, contribution });
        }
    }
    let lexical = candidate.found.standings[Channel::Lexical as usize];
    if let (true, Some(lexical), Some(document)) = (per_field, lexical, candidate.found.document) {
        let words = rarest(index, intent)?;
        for field in Field::ALL {
            let score = index.field_score(&words, document, field)?;
            let part = if lexical.score > 0.0 { score / lexical.score } else { 0.0 };
            let contribution = share(candidate.parts[Channel::Lexical as usize]) * part;
            let name = format!("lexical.{}", field.name());
            channels.insert(name, ChannelScore { rank: lexical.rank, score, contribution });
        }
    }
    Ok(channels)
}

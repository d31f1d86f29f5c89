//! How much each channel, and each field of the lexical one, gave to a hit's score.

use std::collections::BTreeMap;

use tantivy::query::{EnableScoring, Query as _};
use tantivy::{DocAddress, DocSet, Searcher};

use crate::error::Result;
use crate::index::lexical::Field;
use crate::search::answer::ChannelScore;
use crate::search::channels::lexical::lexical_query;
use crate::search::channels::{Channel, Standing};
use crate::search::fusion::Candidate;
use crate::search::intent::Intent;

/// Every channel that knows the hit, and the fields of the lexical one if asked for.
pub fn channels(
    searcher: &Searcher,
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
        for field in Field::ALL {
            let score = field_score(searcher, intent, document, field)?;
            let part = if lexical.score > 0.0 { score / lexical.score } else { 0.0 };
            let contribution = share(candidate.parts[Channel::Lexical as usize]) * part;
            let name = format!("lexical.{}", field.name());
            channels.insert(name, ChannelScore { rank: lexical.rank, score, contribution });
        }
    }
    Ok(channels)
}

fn field_score(
    searcher: &Searcher,
    intent: &Intent,
    document: DocAddress,
    field: Field,
) -> Result<f32> {
    let query = lexical_query(searcher, intent, &[field])?;
    let weight = query.weight(EnableScoring::enabled_from_searcher(searcher))?;
    let segment = searcher.segment_reader(document.segment_ord);
    let mut scorer = weight.scorer(segment, 1.0)?;
    let document = document.doc_id;
    let found = scorer.doc() <= document && scorer.seek(document) == document;
    Ok(if found { scorer.score() } else { 0.0 })
}

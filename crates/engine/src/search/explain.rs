//! How much each field gave to a hit's score.

use std::collections::BTreeMap;

use tantivy::query::{EnableScoring, Query as _};
use tantivy::{DocSet, Searcher};

use crate::error::Result;
use crate::index::lexical::Field;
use crate::search::answer::ChannelScore;
use crate::search::channels::{Candidate, lexical_query};
use crate::search::intent::Intent;

/// The lexical channel as a whole, and its fields one by one if asked for.
pub fn channels(
    searcher: &Searcher,
    intent: &Intent,
    candidate: &Candidate,
    per_field: bool,
) -> Result<BTreeMap<String, ChannelScore>> {
    let (rank, score) = (candidate.rank, candidate.score);
    let mut channels =
        BTreeMap::from([("lexical".to_owned(), ChannelScore { rank, score, contribution: 1.0 })]);
    if per_field {
        for field in Field::ALL {
            let part = field_score(searcher, intent, candidate, field)?;
            let contribution = if score > 0.0 { part / score } else { 0.0 };
            channels.insert(
                format!("lexical.{}", field.name()),
                ChannelScore { rank, score: part, contribution },
            );
        }
    }
    Ok(channels)
}

fn field_score(
    searcher: &Searcher,
    intent: &Intent,
    candidate: &Candidate,
    field: Field,
) -> Result<f32> {
    let query = lexical_query(searcher, intent, &[field])?;
    let weight = query.weight(EnableScoring::enabled_from_searcher(searcher))?;
    let segment = searcher.segment_reader(candidate.document.segment_ord);
    let mut scorer = weight.scorer(segment, 1.0)?;
    let document = candidate.document.doc_id;
    let found = scorer.doc() <= document && scorer.seek(document) == document;
    Ok(if found { scorer.score() } else { 0.0 })
}

//! Everything per query: from a question to a page of ranked spans.

pub mod answer;
pub mod highlight;
pub mod query;
pub mod weights;

mod channels;
mod diversity;
mod explain;
mod filter;
mod intent;
mod page;

use crate::error::{Error, Result};
use crate::index::snapshot::Snapshot;

use answer::Answer;
use filter::Allowed;
use intent::Intent;
use query::{Mode, Query};

/// Answers a question from one snapshot.
pub fn search(index: &Snapshot, query: &Query) -> Result<Answer> {
    check(query)?;
    let intent = intent::read(query)?;
    let allowed = filter::allowed(index, query)?;
    let candidates = channels::recall(index, &intent, &allowed, query)?;
    let spread = diversity::spread(candidates, query);
    let mut answer = page::compose(index, &intent, spread, query)?;
    if answer.hits.is_empty() {
        answer.nothing_because = Some(why_nothing(index, &intent, &allowed, query));
    }
    Ok(answer)
}

/// Whether a question can be asked at all, before any tree is looked at.
pub fn check(query: &Query) -> Result<()> {
    if query.mode != Mode::Lexical {
        return Err(Error::NoModel);
    }
    filter::check(query)?;
    intent::read(query).map(drop)
}

/// An empty page says why it is empty.
fn why_nothing(index: &Snapshot, intent: &Intent, allowed: &Allowed, query: &Query) -> String {
    let (files, skipped) = (index.manifest.files.len(), index.manifest.skipped.len());
    if query.limit == 0 {
        return "no hits were asked for".to_owned();
    }
    if files == 0 {
        return format!("the tree holds no text to index ({skipped} files skipped)");
    }
    if allowed.as_ref().is_some_and(|allowed| !allowed.contains(&true)) {
        return format!(
            "none of the {files} indexed files is in the given scope, languages and paths"
        );
    }
    let terms: Vec<&str> = intent.terms.iter().take(8).map(|(term, _)| term.as_str()).collect();
    format!("none of the searched files holds any of: {}", terms.join(", "))
}

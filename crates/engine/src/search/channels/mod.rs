//! From a question to candidates: what each channel makes of the chunks it finds.
//!
//! Each channel has a list of its own. A candidate that one channel found is scored by the others
//! too, so that a score that is absent means that there is none.

pub mod dense;
pub mod lexical;

use std::collections::{BTreeMap, HashMap, HashSet};

use tantivy::DocAddress;

use crate::error::{Error, Result};
use crate::index::snapshot::Snapshot;
use crate::search::Meaning;
use crate::search::filter::Allowed;
use crate::search::intent::Intent;
use crate::search::query::{Mode, Query};
use crate::search::weights;

/// A ranked list of chunks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Channel {
    /// By the words they hold.
    Lexical,
    /// Code by its meaning.
    DenseCode,
    /// Prose by its meaning.
    DenseDocs,
}

impl Channel {
    /// Every channel.
    pub const ALL: [Channel; 3] = [Channel::Lexical, Channel::DenseCode, Channel::DenseDocs];

    /// Its name in explanations.
    pub fn name(self) -> &'static str {
        match self {
            Channel::Lexical => "lexical",
            Channel::DenseCode => "dense-code",
            Channel::DenseDocs => "dense-docs",
        }
    }
}

/// Where a channel ranked a chunk.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Standing {
    /// Position in the channel's list, from 1; `None` for one that is scored but not on it.
    pub rank: Option<usize>,
    /// The channel's own score.
    pub score: f32,
}

/// A chunk that may answer: the file's position in the manifest, which is the order of paths, and
/// the chunk's number in it.
pub type Spot = (usize, u32);

/// What the channels say of a chunk.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Found {
    /// Each channel's word on it.
    pub standings: [Option<Standing>; 3],
    /// The document it is in the full-text index, if it holds a word of the question.
    pub document: Option<DocAddress>,
}

impl Found {
    /// Whether its meaning was compared.
    pub fn is_dense(&self) -> bool {
        [Channel::DenseCode, Channel::DenseDocs]
            .iter()
            .any(|&it| self.standings[it as usize].is_some())
    }
}

/// Everything the channels found.
#[derive(Debug, Default)]
pub struct Lists {
    /// By chunk, in the order of paths and lines.
    pub found: BTreeMap<Spot, Found>,
    /// What the question's words are worth.
    pub terms: Terms,
    /// Why nothing was searched by meaning, if it should have been.
    pub dense_off: Option<String>,
}

/// A question's words and how much of it each stands for: its weight times its rarity.
#[derive(Clone, Debug, Default)]
pub struct Terms {
    masses: HashMap<String, f32>,
    /// All of them together: what a chunk would score that held each once.
    pub worth: f32,
}

impl Terms {
    /// Words with what each stands for.
    pub fn of(masses: HashMap<String, f32>) -> Terms {
        let mut all: Vec<f32> = masses.values().copied().collect();
        // In one order, for sums of floats depend on it.
        all.sort_unstable_by(f32::total_cmp);
        Terms { masses, worth: all.iter().sum() }
    }

    /// A score by words as a share of what all of them are worth.
    pub fn share(&self, score: f32) -> f32 {
        if self.worth > 0.0 { score / self.worth } else { 0.0 }
    }

    /// How much of the question the words stand for that are `there`.
    pub fn covered(&self, there: impl Fn(&str) -> bool) -> f32 {
        let mut found: Vec<f32> = self
            .masses
            .iter()
            .filter(|(term, _)| there(term.as_str()))
            .map(|(_, mass)| *mass)
            .collect();
        found.sort_unstable_by(f32::total_cmp);
        self.share(found.iter().sum())
    }

    /// Whether a word is one of them.
    pub fn holds(&self, term: &str) -> bool {
        self.masses.contains_key(term)
    }
}

impl Lists {
    fn enter(&mut self, channel: Channel, spot: Spot, rank: Option<usize>, score: f32) {
        let found = self.found.entry(spot).or_default();
        found.standings[channel as usize] = Some(Standing { rank, score });
    }
}

/// Asks the channels that the mode names.
pub fn recall(
    index: &Snapshot,
    meaning: &Meaning,
    intent: &Intent,
    allowed: &Allowed,
    query: &Query,
) -> Result<Lists> {
    let mut lists = Lists::default();
    let most = candidates(query);
    let dense = match (query.mode, meaning) {
        (Mode::Lexical, _) => None,
        (Mode::Dense, Meaning::Off(reason)) => return Err(Error::NoModel((*reason).to_owned())),
        (Mode::Hybrid, Meaning::Off(reason)) => {
            lists.dense_off = Some((*reason).to_owned());
            None
        }
        (_, Meaning::On { model, go_on }) => {
            match dense::Dense::ask(index, model, *go_on, &query.text, allowed) {
                Ok(dense) => Some(dense),
                // Words still answer when the model cannot.
                Err(error) if query.mode == Mode::Hybrid => {
                    lists.dense_off = Some(error.to_string());
                    None
                }
                Err(error) => return Err(error),
            }
        }
    };
    let near = dense.as_ref().map(|dense| dense.nearest(most)).unwrap_or_default();
    if query.mode != Mode::Dense {
        let wanted: HashSet<Spot> = near.iter().flatten().map(|near| near.spot).collect();
        lexical::recall(index, intent, allowed, most, &wanted, &mut lists)?;
    }
    if let Some(dense) = dense {
        match dense.enter(near, &mut lists) {
            Err(error) if query.mode == Mode::Hybrid => lists.dense_off = Some(error.to_string()),
            entered => entered?,
        }
    }
    Ok(lists)
}

/// How many chunks a channel should find for a page.
pub fn candidates(query: &Query) -> usize {
    query.limit.saturating_mul(weights::CANDIDATES_PER_HIT).max(weights::LEAST_CANDIDATES)
}

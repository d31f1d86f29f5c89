//! From a question to candidates: what each channel makes of the chunks it finds.
//!
//! Each channel has a list of its own. A candidate that one channel found is scored by the others
//! too, so that a score that is absent means that there is none.

pub mod dense;
pub mod files;
pub mod lexical;

mod literal;
mod names;
mod narrow;
mod paths;

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use tantivy::DocAddress;

use crate::error::{Error, Result};
use crate::search::Meaning;
use crate::search::filter::Allowed;
use crate::search::intent::{Intent, Shape};
use crate::search::query::{Mode, Query};
use crate::search::recall::{Nearness, Recall};
use crate::search::weights;

use files::Files;

pub use names::{closeness, is_one_edit_away};
pub use paths::{frames_are_here, is_innermost, may_be};

/// A ranked list of chunks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Channel {
    /// By the words they hold.
    Lexical,
    /// Code by its meaning.
    DenseCode,
    /// Prose by its meaning.
    DenseDocs,
    /// Chunks that define what the question names.
    Definitions,
    /// Chunks whose names are like a word of the question.
    Symbols,
    /// Chunks of files that the question names.
    Paths,
    /// Chunks of files that lead to what was found, if it was asked for.
    Graph,
}

impl Channel {
    /// Every channel.
    pub const ALL: [Channel; 7] = [
        Channel::Lexical,
        Channel::DenseCode,
        Channel::DenseDocs,
        Channel::Definitions,
        Channel::Symbols,
        Channel::Paths,
        Channel::Graph,
    ];

    /// Its name in explanations.
    pub fn name(self) -> &'static str {
        match self {
            Channel::Lexical => "lexical",
            Channel::DenseCode => "dense-code",
            Channel::DenseDocs => "dense-docs",
            Channel::Definitions => "definitions",
            Channel::Symbols => "symbols",
            Channel::Paths => "paths",
            Channel::Graph => "graph",
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

/// A chunk that is looked at whether or not a channel finds it, and what the graph says for it.
pub type Beside = (Spot, f32);

/// Each channel's word on a chunk.
pub type Standings = [Option<Standing>; Channel::ALL.len()];

/// What the channels say of a chunk.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Found {
    /// Each channel's word on it.
    pub standings: Standings,
    /// The document it is in the full-text index, if it holds a word of the question.
    pub document: Option<DocAddress>,
}

impl Found {
    /// Whether it defines what the question names.
    pub fn is_definition(&self) -> bool {
        self.standings[Channel::Definitions as usize].is_some()
    }

    /// How near it is by meaning, if that was compared.
    pub fn dense(&self) -> Option<Standing> {
        let [code, docs] = [Channel::DenseCode, Channel::DenseDocs];
        self.standings[code as usize].or(self.standings[docs as usize])
    }

    /// Whether its meaning was compared.
    pub fn is_dense(&self) -> bool {
        self.dense().is_some()
    }
}

/// Everything the channels found.
#[derive(Debug, Default)]
pub struct Lists {
    /// By chunk, in the order of paths and lines.
    pub found: BTreeMap<Spot, Found>,
    /// What the question's words are worth.
    pub terms: Terms,
    /// What whole files hold of them.
    pub files: Files,
    /// The chunks that hold the text in quotes, if there is any.
    pub held: Option<BTreeSet<Spot>>,
    /// Whether the question quotes text that stands nowhere.
    pub is_unheld: bool,
    /// Why nothing was searched by meaning, if it should have been.
    pub dense_off: Option<String>,
    /// Whether the tree is a list of chunks, a file each.
    pub is_of_chunks: bool,
}

impl Lists {
    /// How near a chunk is taken to be that has no vector yet: as near as the usual one of those that have. To take it
    /// for far put whatever earlier questions had had encoded before what only words had found: ten of semble's
    /// repositories, 15 questions each, 30 ms for encoding, NDCG@10 .910 with a fresh index for each question and .913
    /// with one that keeps, .919 and .920 so; with 150 ms .932 and .939, .934 and .939 (2026-11-19).
    pub fn unread(&self) -> f32 {
        usual(self.found.values().filter_map(|found| Some(found.dense()?.score)).collect())
    }
}

/// The middle one of some scores; 0 if there are none.
pub fn usual(mut scores: Vec<f32>) -> f32 {
    let middle = scores.len() / 2;
    match scores.is_empty() {
        true => 0.0,
        false => *scores.select_nth_unstable_by(middle, f32::total_cmp).1,
    }
}

/// A question's words and how much of it each stands for: its weight times its rarity.
#[derive(Clone, Debug, Default)]
pub struct Terms {
    masses: HashMap<String, f32>,
    firsts: Firsts,
    /// How much the words stand for that are nowhere in the tree.
    nowhere: f32,
    /// All of them together: what a chunk would score that held each once.
    pub worth: f32,
}

impl Terms {
    /// Words with what each stands for, and how much those do that are nowhere in the tree.
    pub fn of(masses: HashMap<String, f32>, nowhere: f32) -> Terms {
        let mut all: Vec<f32> = masses.values().copied().collect();
        // In one order, for sums of floats depend on it.
        all.sort_unstable_by(f32::total_cmp);
        let firsts = Firsts::of(masses.keys().map(String::as_str));
        Terms { masses, firsts, worth: all.iter().sum(), nowhere }
    }

    /// How much of the question stands nowhere in the tree, between 0 and 1.
    pub fn unknown(&self) -> f32 {
        self.share(self.nowhere)
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

    /// All words and what each stands for, in the order of the alphabet.
    pub fn all(&self) -> Vec<(&str, f32)> {
        let mut all: Vec<(&str, f32)> =
            self.masses.iter().map(|(term, mass)| (term.as_str(), *mass)).collect();
        all.sort_unstable_by(|a, b| a.0.cmp(b.0));
        all
    }

    /// What a word stands for; nothing if it is none of them.
    pub fn mass(&self, term: &str) -> f32 {
        self.masses.get(term).copied().unwrap_or(0.0)
    }

    /// The same for one of them, beside it.
    pub fn known(&self, term: &str) -> Option<(&str, f32)> {
        if !self.firsts.allow(term) {
            return None;
        }
        self.masses.get_key_value(term).map(|(term, mass)| (term.as_str(), *mass))
    }

    /// The words that are not `there`, the weightiest first; question words are left out.
    pub fn missing(&self, there: impl Fn(&str) -> bool) -> Vec<String> {
        let mut missing = self.all();
        let most = missing.iter().map(|(_, mass)| *mass).fold(0.0, f32::max);
        missing.retain(|(term, mass)| *mass > 0.2 * most && !there(term));
        missing.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(b.0)));
        missing.into_iter().map(|(term, _)| term.to_owned()).collect()
    }

    /// What they begin with.
    pub fn firsts(&self) -> &Firsts {
        &self.firsts
    }

    /// Whether a word is one of them.
    pub fn holds(&self, term: &str) -> bool {
        self.known(term).is_some()
    }
}

/// The bytes that some words begin with: most words of a text are ruled out by their first, and need
/// not be looked up.
#[derive(Clone, Debug)]
pub struct Firsts([bool; 256]);

impl Default for Firsts {
    fn default() -> Firsts {
        Firsts([false; 256])
    }
}

impl Firsts {
    /// Those of some words.
    pub fn of<'w>(words: impl IntoIterator<Item = &'w str>) -> Firsts {
        let mut firsts = Firsts::default();
        words.into_iter().filter_map(first).for_each(|byte| firsts.0[usize::from(byte)] = true);
        firsts
    }

    /// Whether a word may be one of them.
    pub fn allow(&self, word: &str) -> bool {
        first(word).is_some_and(|byte| self.has(byte))
    }

    /// Whether one of them begins with a byte.
    pub fn has(&self, byte: u8) -> bool {
        self.0[usize::from(byte)]
    }
}

fn first(word: &str) -> Option<u8> {
    word.as_bytes().first().copied()
}

impl Lists {
    fn enter(&mut self, channel: Channel, spot: Spot, rank: Option<usize>, score: f32) {
        let found = self.found.entry(spot).or_default();
        found.standings[channel as usize] = Some(Standing { rank, score });
    }

    /// Forgets what the channels of these names said, and the chunks that no other one found.
    fn silence(&mut self, query: &Query) {
        let silent: Vec<Channel> =
            Channel::ALL.into_iter().filter(|channel| !query.asks(channel.name())).collect();
        if silent.is_empty() {
            return;
        }
        for found in self.found.values_mut() {
            silent.iter().for_each(|&channel| found.standings[channel as usize] = None);
        }
        self.found.retain(|_, found| found.standings.iter().any(Option::is_some));
    }

    /// Enters a whole list, best first; ties by path, then line.
    fn enter_all(&mut self, channel: Channel, scores: impl IntoIterator<Item = (Spot, f32)>) {
        let mut scores: Vec<(Spot, f32)> = scores.into_iter().collect();
        scores.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
        for (place, (spot, score)) in scores.into_iter().enumerate() {
            self.enter(channel, spot, Some(place + 1), score);
        }
    }
}

/// Asks the channels that the mode names and that are not switched off; they score the chunks
/// `besides` too.
pub fn recall(
    index: &dyn Recall,
    meaning: &Meaning,
    intent: &Intent,
    allowed: &Allowed,
    query: &Query,
    besides: &[Beside],
) -> Result<Lists> {
    let is_of_chunks = index.manifest().is_list_of_chunks();
    let mut lists = Lists { is_of_chunks, ..Lists::default() };
    lists.found.extend(besides.iter().map(|&(spot, _)| (spot, Found::default())));
    lists.enter_all(Channel::Graph, besides.iter().copied().filter(|(_, score)| *score > 0.0));
    let dense = dense(index, meaning, intent, allowed, query, &mut lists)?;
    let most = candidates(query, intent);
    let near = dense.as_ref().map(|dense| dense.nearest(most)).unwrap_or_default();
    let phrases = &intent.filters.phrases;
    if !phrases.is_empty() {
        let held = literal::holding(index, allowed, phrases)?;
        lists.found.extend(held.iter().map(|&spot| (spot, Found::default())));
        // What stands nowhere narrows nothing: what comes nearest is shown, and said to be that.
        lists.is_unheld = held.is_empty();
        lists.held = Some(held).filter(|held| !held.is_empty());
    }
    if query.mode != Mode::Dense {
        if intent.shape != Shape::Words || !is_of_chunks {
            names::definitions(index, intent, allowed, &mut lists)?;
            names::symbols(index, intent, allowed, &mut lists)?;
            paths::paths(index, intent, allowed, &mut lists)?;
        }
        let near = near.iter().flatten().map(|near| near.spot);
        let wanted: HashSet<Spot> = near.chain(lists.found.keys().copied()).collect();
        lexical::recall(index, intent, allowed, most, &wanted, &mut lists)?;
        lists.files = Files::of(index, &lists.terms)?;
    }
    if let Some(dense) = dense {
        match dense::enter(&*dense, near, &mut lists) {
            Err(error) if query.mode == Mode::Hybrid => lists.dense_off = Some(error.to_string()),
            entered => entered?,
        }
        lists.files.compare(index, &*dense, &lists.found);
    }
    narrow::narrow(index, intent, allowed, &mut lists)?;
    lists.silence(query);
    Ok(lists)
}

/// The channels of meaning, if the mode asks for them and there is a model; else why not.
fn dense<'q>(
    index: &'q dyn Recall,
    meaning: &Meaning<'q>,
    intent: &Intent,
    allowed: &Allowed,
    query: &Query,
    lists: &mut Lists,
) -> Result<Option<Box<dyn Nearness + 'q>>> {
    let asked = match (query.mode, meaning) {
        (Mode::Lexical, _) => return Ok(None),
        (_, Meaning::Off(reason)) => Err(Error::NoModel((*reason).to_owned())),
        (_, Meaning::On { model, go_on }) => index.near(model, *go_on, &intent.text, allowed),
    };
    match asked {
        Ok(dense) => Ok(Some(dense)),
        // Words still answer when the model cannot.
        Err(error) if query.mode == Mode::Hybrid => {
            lists.dense_off = Some(match error {
                Error::NoModel(reason) => reason,
                error => error.to_string(),
            });
            Ok(None)
        }
        Err(error) => Err(error),
    }
}

/// How many chunks a channel should find for a page; more if many of them may be filtered out.
pub fn candidates(query: &Query, intent: &Intent) -> usize {
    let is_narrow = !intent.filters.kinds.is_empty()
        || !intent.filters.symbols.is_empty()
        || !intent.filters.without.is_empty();
    let least = match is_narrow {
        true => 10 * weights::LEAST_CANDIDATES,
        false => weights::LEAST_CANDIDATES,
    };
    query.limit.saturating_mul(weights::CANDIDATES_PER_HIT).max(least)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::query::CHANNELS;

    #[test]
    fn every_channel_can_be_silenced() {
        let names: Vec<&str> = Channel::ALL.iter().map(|channel| channel.name()).collect();
        assert_eq!([names, vec!["ranker", "judge"]].concat(), CHANNELS);
    }
}

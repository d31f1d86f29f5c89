//! From a question to ranked commits.

use std::cmp::Reverse;
use std::collections::{BTreeMap, HashMap, HashSet};

use serde::Serialize;
use wherein_encoder::{Codec, Model, Probe, Side};

use crate::error::{Error, Result};
use crate::history::log::encode::{LogEncoding, document, keep, rows_of};
use crate::history::log::{Log, words};
use crate::history::repository::{Commit, Git};
use crate::index::store::TreePlace;
use crate::index::vectors::encode::GoOn;
use crate::index::vectors::segment::Row;
use crate::index::vectors::{Vectors, cosine};
use crate::search::Meaning;
use crate::search::filter::Paths;
use crate::search::intent;
use crate::search::query::{Mode, Query};
use crate::search::secrets::redact;
use crate::search::weights;

/// A question about commits.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct LogQuery {
    /// What to look for; the newest commits if it is empty.
    pub text: String,
    /// How many commits to return.
    pub limit: usize,
    /// By words, by meaning, or both.
    pub mode: Mode,
    /// Only authors whose name or address holds this, in any case.
    pub author: Option<String>,
    /// Only commits at or after this time.
    pub since: Option<i64>,
    /// Only commits at or before this time.
    pub until: Option<i64>,
    /// Only commits that changed a path which matches.
    pub paths: Vec<String>,
    /// Whether private keys and tokens in messages are shown as they are.
    pub show_secrets: bool,
}

/// Commits that answer.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct LogAnswer {
    /// The question as it was asked.
    pub query: String,
    /// Commits, best first.
    pub hits: Vec<LogHit>,
    /// What was searched.
    pub history: Covered,
    /// Why nothing was searched by meaning, if it was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub dense_off_because: Option<String>,
    /// Why nothing answers, if nothing does.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub nothing_because: Option<String>,
}

/// A commit that answers.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct LogHit {
    /// The commit.
    #[serde(flatten)]
    pub commit: Commit,
    /// The whole message.
    pub message: String,
    /// Paths it changed, those that match the question's first, no more than a screen of them.
    pub paths: Vec<String>,
    /// How many it changed in all; 0 of a merge.
    pub paths_total: usize,
    /// Higher is better; comparable within one answer only.
    pub score: f32,
    /// Where each channel ranked it, from 1: `lexical`, `dense`.
    pub channels: BTreeMap<&'static str, usize>,
}

/// What of a history was searched.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Covered {
    /// The repository.
    pub repository: String,
    /// The commit everything leads to.
    pub tip: Option<String>,
    /// Commits that were searched.
    pub commits: usize,
    /// Commits that lead to the tip.
    pub total: usize,
    /// Commits whose message was compared by meaning; absent if none was to be.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub with_vectors: Option<usize>,
    /// Whether older commits were left behind when the repository was cloned.
    pub shallow: bool,
    /// Whether every commit was searched.
    pub complete: bool,
}

/// Commits each channel names, and commits whose messages are encoded while somebody waits.
const MOST: usize = 200;
const WAITED_FOR: usize = 32;

/// Messages between two looks at the time.
const AT_ONCE: usize = 2;

/// Paths of a commit that are shown.
const SHOWN_PATHS: usize = 20;

impl Log {
    /// When a commit was made.
    pub(super) fn time(&self, number: u32) -> i64 {
        self.row(number).map_or(0, |(batch, at)| batch.time(at))
    }
}

/// Answers a question about commits.
pub fn search(
    tree: &TreePlace,
    log: &Log,
    git: &Git,
    meaning: &Meaning,
    query: &LogQuery,
) -> Result<LogAnswer> {
    let allowed = log.allowed(query)?;
    let asked = Asked { tree, log, git, allowed: allowed.as_deref() };
    let found = match query.text.trim().is_empty() {
        true => Found { ranked: asked.newest(query.limit), ..Found::default() },
        false => asked.find(meaning, query)?,
    };
    let hits = found.ranked.into_iter().take(query.limit);
    let hits: Vec<LogHit> =
        hits.map(|ranked| shown(log, git, query, ranked)).collect::<Result<_>>()?;
    let nothing_because = hits.is_empty().then(|| nothing(log, query, allowed.as_deref()));
    Ok(LogAnswer {
        query: query.text.clone(),
        hits,
        history: Covered { with_vectors: found.with_vectors, ..covered(log, git) },
        dense_off_because: found.dense_off,
        nothing_because,
    })
}

fn covered(log: &Log, git: &Git) -> Covered {
    Covered {
        repository: log.manifest.repository.clone(),
        tip: log.manifest.tip.clone(),
        commits: log.commits(),
        total: log.manifest.total as usize,
        with_vectors: None,
        shallow: git.is_shallow(),
        complete: log.manifest.complete,
    }
}

/// A commit, its score, and where the channels ranked it.
struct Ranked {
    number: u32,
    score: f32,
    channels: BTreeMap<&'static str, usize>,
}

/// What was found, and how.
#[derive(Default)]
struct Found {
    /// Best first.
    ranked: Vec<Ranked>,
    /// How many messages were compared by meaning, if any was to be.
    with_vectors: Option<usize>,
    /// Why none was, if they should have been.
    dense_off: Option<String>,
}

/// What is asked, and which commits may answer.
struct Asked<'a> {
    tree: &'a TreePlace,
    log: &'a Log,
    git: &'a Git,
    allowed: Option<&'a [bool]>,
}

impl Asked<'_> {
    fn newest(&self, most: usize) -> Vec<Ranked> {
        let live = self
            .log
            .timed()
            .filter(|&(number, _)| !self.log.dead.contains(&number) && may(self.allowed, number));
        let mut all: Vec<(Reverse<i64>, u32)> =
            live.map(|(number, time)| (Reverse(time), number)).collect();
        if all.len() > most {
            all.select_nth_unstable(most);
            all.truncate(most);
        }
        all.sort_unstable();
        let ranked = |(_, number)| Ranked { number, score: 0.0, channels: BTreeMap::new() };
        all.into_iter().take(most).map(ranked).collect()
    }

    /// Ranks by words and by meaning, as the mode says. Words still answer when a model cannot.
    fn find(&self, meaning: &Meaning, query: &LogQuery) -> Result<Found> {
        let lexical = match query.mode {
            Mode::Dense => Vec::new(),
            _ => self.by_words(&intent::read(&Query::new(&query.text))?.terms)?,
        };
        let dense = match (query.mode, meaning) {
            (Mode::Lexical, _) => return Ok(Found::of(self.log, &lexical, &[])),
            (_, Meaning::Off(why)) => Err(Error::NoModel((*why).to_owned())),
            (_, Meaning::On { model, go_on }) => {
                self.by_meaning(model, *go_on, &query.text, &lexical)
            }
        };
        match dense {
            Ok((near, count)) => {
                let found = Found::of(self.log, &lexical, &near);
                Ok(Found { with_vectors: Some(count), ..found })
            }
            Err(error) if query.mode == Mode::Hybrid => {
                let why = match error {
                    Error::NoModel(why) => why,
                    error => error.to_string(),
                };
                let found = Found::of(self.log, &lexical, &[]);
                Ok(Found { dense_off: Some(why), ..found })
            }
            Err(error) => Err(error),
        }
    }

    /// Commits that hold words of the question, best first, the newer of two that are equal first.
    fn by_words(&self, terms: &[(String, f32)]) -> Result<Vec<(u32, f32)>> {
        let mut found = words::find(&self.log.reader.searcher(), terms, self.allowed)?;
        let order = |a: &(u32, f32), b: &(u32, f32)| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0));
        if found.len() > 2 * MOST {
            found.select_nth_unstable_by(2 * MOST, order);
            found.truncate(2 * MOST);
        }
        let newer = |number: u32| Reverse(self.log.time(number));
        found.sort_by(|a, b| {
            b.1.total_cmp(&a.1).then_with(|| (newer(a.0), a.0).cmp(&(newer(b.0), b.0)))
        });
        found.truncate(MOST);
        Ok(found)
    }

    /// The commits whose messages mean most alike, and how many were compared.
    fn by_meaning(
        &self,
        model: &Model,
        go_on: GoOn,
        text: &str,
        lexical: &[(u32, f32)],
    ) -> Result<(Vec<(u32, f32)>, usize)> {
        let vectors = self.log.vectors(model.id())?;
        let question = model.encode(&[text], Side::Question)?.remove(0);
        let (before, now) = (vectors.list.width as usize, question.len());
        if before != 0 && before != now {
            return Err(Error::Width { before, now });
        }
        let made = self.made(model, go_on, &vectors, lexical)?;
        let probe = Probe::new(&Codec::new(now), &question);
        let (dead, allowed) = (&self.log.dead, self.allowed);
        let list_of = |number| (!dead.contains(&number) && may(allowed, number)).then_some(0);
        let [near] = vectors.nearest(&probe, MOST, list_of);
        let mut scores: HashMap<u32, f32> =
            near.into_iter().map(|near| (near.doc.file, near.score)).collect();
        for row in &made {
            scores.insert(row.doc.file, cosine(&probe, &row.code.bytes, row.code.scale));
        }
        let count = vectors.list.total() as usize + made.len();
        let mut found: Vec<(u32, f32)> = scores.into_iter().collect();
        found.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
        found.truncate(MOST);
        // Another process that is writing just now costs nothing but their being made again.
        let _ = keep(self.tree, self.log, model, made);
        Ok((found, count))
    }

    /// Vectors of the best by words, and of the newest, that have none, as long as there is time.
    fn made(
        &self,
        model: &Model,
        go_on: GoOn,
        vectors: &Vectors,
        lexical: &[(u32, f32)],
    ) -> Result<Vec<Row>> {
        let best = lexical.iter().take(WAITED_FOR).map(|(number, _)| *number);
        let newest = std::iter::once_with(|| self.newest(WAITED_FOR)).flatten();
        let newest = newest.map(|ranked| ranked.number);
        let mut seen = HashSet::new();
        let lacks = |number: &u32| seen.insert(*number) && !vectors.has(document(*number));
        let missing: Vec<u32> = best.chain(newest).filter(lacks).take(WAITED_FOR).collect();
        let (mut rows, mut done) = (Vec::new(), LogEncoding::default());
        for step in missing.chunks(AT_ONCE) {
            if !go_on() {
                break;
            }
            rows.extend(rows_of(self.log, self.git, model, step, vectors, &mut done)?);
        }
        Ok(rows)
    }
}

/// Whether a commit may answer, by the filters.
fn may(allowed: Option<&[bool]>, number: u32) -> bool {
    allowed.is_none_or(|allowed| allowed.get(number as usize).copied().unwrap_or(false))
}

impl Found {
    fn of(log: &Log, lexical: &[(u32, f32)], dense: &[(u32, f32)]) -> Found {
        Found { ranked: fused(log, lexical, dense), ..Found::default() }
    }
}

/// One list of two, by the sum of their reciprocal ranks; by score where there is only one.
fn fused(log: &Log, lexical: &[(u32, f32)], dense: &[(u32, f32)]) -> Vec<Ranked> {
    let mut found: HashMap<u32, Ranked> = HashMap::new();
    for (name, list) in [("lexical", lexical), ("dense", dense)] {
        for (place, &(number, _)) in list.iter().enumerate() {
            let blank = || Ranked { number, score: 0.0, channels: BTreeMap::new() };
            let ranked = found.entry(number).or_insert_with(blank);
            ranked.score += 1.0 / (weights::COMMIT_RANKS + place as f32 + 1.0);
            ranked.channels.insert(name, place + 1);
        }
    }
    let mut all: Vec<Ranked> = found.into_values().collect();
    all.sort_by(|a, b| {
        b.score
            .total_cmp(&a.score)
            .then_with(|| log.time(b.number).cmp(&log.time(a.number)))
            .then(a.number.cmp(&b.number))
    });
    all
}

fn shown(log: &Log, git: &Git, query: &LogQuery, found: Ranked) -> Result<LogHit> {
    let (batch, at) = log
        .row(found.number)
        .ok_or_else(|| Error::damaged(log.place.manifest(), "no such commit"))?;
    let id = batch.id(at).ok_or_else(|| Error::damaged(log.place.manifest(), "no such commit"))?;
    let stored = git.commit(id)?;
    let wanted = Paths::of(&query.paths)?;
    let mut paths: Vec<&str> = batch.paths(at).map(|path| batch.text(path)).collect();
    let paths_total = paths.len();
    paths.sort_by_key(|path| !query.paths.is_empty() && !wanted.allow(path));
    let message = stored.message.trim_end();
    Ok(LogHit {
        commit: if query.show_secrets { stored.bare() } else { stored.shown() },
        message: match query.show_secrets {
            true => message.to_owned(),
            false => redact(message).into_owned(),
        },
        paths: paths.into_iter().take(SHOWN_PATHS).map(str::to_owned).collect(),
        paths_total,
        score: found.score,
        channels: found.channels,
    })
}

fn nothing(log: &Log, query: &LogQuery, allowed: Option<&[bool]>) -> String {
    let commits = log.commits();
    if query.limit == 0 {
        return "no commits were asked for".to_owned();
    }
    if commits == 0 {
        return "the repository has no commits yet".to_owned();
    }
    if allowed.is_some_and(|allowed| !allowed.contains(&true)) {
        return format!("none of the {commits} commits has that author, time and path");
    }
    format!("none of the {commits} commits says or changes anything of the kind")
}

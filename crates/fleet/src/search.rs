//! A question to the fleet: what the engine finds, ranked as on one machine.
//!
//! The engine's channels say which files to look at, under a filter of what the asker may see. The
//! files come whole, the statistics of their words with them, and the same code ranks them, fills
//! the page and explains it. A channel that does not answer in time is named in the certificate.

pub mod reading;

use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use globset::{Glob, GlobSet, GlobSetBuilder};
use wherein_corpus::Role;
use wherein_encoder::{Model, Side};
use wherein_engine::Meaning;
use wherein_engine::search::answer::Answer;
use wherein_engine::search::query::Query;
use wherein_engine::search::recall::gathered::{Gathered, Kept, Linked, Located, Tree};
use wherein_engine::search::recall::wanted::Wanted;

use crate::access::View;
use crate::catalogue::{Catalogue, Repository};
use crate::counting::{Cache, Counted};
use crate::error::{Error, Result};
use crate::linking;
use crate::milvus::Store;
use crate::milvus::filter::Filter;
use crate::milvus::store::{Ask, List};
use crate::record::{Key, Record, whole};

/// A fleet that can be asked.
pub struct Fleet {
    catalogue: Box<dyn Catalogue>,
    store: Store,
    files: Mutex<HashMap<Key, Arc<Kept>>>,
    words: Cache,
    links: linking::Cache,
}

/// A question to a fleet.
pub struct Asked<'a> {
    /// What is asked.
    pub query: &'a Query,
    /// Only repositories whose names match one of these patterns; all if empty.
    pub repositories: &'a [String],
    /// Only these organisations; all if empty.
    pub organisations: &'a [String],
    /// What the asker may see.
    pub view: &'a View,
    /// How long the engine may take.
    pub time: Duration,
}

/// An answer, and where more of its kind is.
pub struct Found {
    /// The page.
    pub answer: Answer,
    /// Repositories with files that may answer, those with most first.
    pub facets: Vec<(String, usize)>,
}

/// Files that are fetched for one question.
const MOST_FILES: usize = 600;

/// Files that are kept at hand. They are named by their content, so they never grow old.
const MOST_KEPT: usize = 5000;

/// Repositories of a file in which its imports are looked at; forks say much the same.
const MOST_LINKED: usize = 3;

/// What a reader with a rank this far down adds; as in fusion by ranks.
const RANK_OFFSET: f32 = 60.0;

impl Fleet {
    /// A fleet's catalogue and engine.
    pub fn new(catalogue: Box<dyn Catalogue>, store: Store) -> Fleet {
        let (files, words, links) = Default::default();
        Fleet { catalogue, store, files, words, links }
    }

    /// The repositories somebody may see.
    pub fn repositories(&self, view: &View) -> Result<Vec<Repository>> {
        let mut all = self.catalogue.repositories()?;
        all.retain(|it| view.allows(it));
        Ok(all)
    }

    /// Answers a question.
    pub fn search(&self, asked: &Asked, model: Option<&Model>) -> Result<Found> {
        let wanted = Wanted::of(asked.query)?;
        let seen = self.repositories(asked.view)?;
        let chosen = chosen(&seen, asked)?;
        let question = match model.filter(|_| wanted.channels.1) {
            Some(model) => {
                model.encode(&[&wanted.text], Side::Question).ok().and_then(|mut it| it.pop())
            }
            None => None,
        };
        let is_all = asked.view.is_all() && chosen.len() == seen.len();
        let filter = Filter {
            repositories: (!is_all).then(|| chosen.iter().map(|it| it.id).collect()),
            languages: wanted.languages.iter().map(|it| (*it).to_owned()).collect(),
            role: wanted.role,
        };
        let mut partial = Vec::new();
        let lists = match chosen.is_empty() {
            true => Vec::new(),
            false => self.lists(&wanted, question.as_deref(), &filter, asked, &mut partial)?,
        };
        let located = self.located(&lists, &chosen, asked.time, &mut partial)?;
        let facets = facets(&located);
        let counted = Counted::of(&self.store, &self.words, &chosen, asked.time);
        if let Err(error) = counted.prefetch(wanted.terms.iter().chain(&wanted.names)) {
            partial.push(format!("statistics of words: {error}"));
        }
        let gathered = Gathered::of(self.store.address(), located, &counted, question);
        let meaning = match model {
            Some(model) => Meaning::On { model, go_on: &|| false },
            None => Meaning::Off("there is no model"),
        };
        let mut answer = wherein_engine::search(&gathered, &meaning, asked.query)?;
        certify(&mut answer, &chosen, &seen, partial);
        Ok(Found { answer, facets })
    }

    fn lists(
        &self,
        wanted: &Wanted,
        question: Option<&[f32]>,
        filter: &Filter,
        asked: &Asked,
        partial: &mut Vec<String>,
    ) -> Result<Vec<List>> {
        let mut asks = Vec::new();
        if wanted.channels.0 {
            let fields = [&wanted.terms, &wanted.names, &wanted.paths];
            let fields = (0..).zip(fields).filter(|(_, terms)| !terms.is_empty());
            asks.extend(fields.map(|(field, terms)| Ask::Words(field, terms)));
        }
        if let Some(question) = question {
            let roles = [Role::Code, Role::Docs].into_iter();
            let roles = roles.filter(|role| wanted.role.is_none_or(|only| only == *role));
            asks.extend(roles.map(|role| Ask::Meaning(role, question)));
        }
        let mut lists = Vec::new();
        let mut last = None;
        let answers = self.store.search(&asks, filter, wanted.most, asked.time);
        for (ask, answer) in asks.iter().zip(answers) {
            match answer {
                Ok(list) => lists.push(list),
                Err(error) => {
                    partial.push(format!("{}: {error}", ask.name()));
                    last = Some(error);
                }
            }
        }
        match last {
            Some(error) if lists.is_empty() => Err(error),
            _ => Ok(lists),
        }
    }

    /// The files of the lists, best first by their ranks, as far as they can be had. A holder that
    /// may not be seen is never named, and a file that has no other is not looked at.
    fn located(
        &self,
        lists: &[List],
        chosen: &[&Repository],
        time: Duration,
        partial: &mut Vec<String>,
    ) -> Result<Vec<Located>> {
        let chosen: HashMap<i64, &Repository> = chosen.iter().map(|it| (it.id, *it)).collect();
        let mut found: BTreeMap<Key, (f32, HashSet<i64>)> = BTreeMap::new();
        for list in lists {
            for (rank, (key, holders)) in list.iter().enumerate() {
                let seen = holders.iter().filter(|id| chosen.contains_key(id));
                let (score, who) = found.entry(*key).or_default();
                *score += 1.0 / (RANK_OFFSET + rank as f32);
                who.extend(seen);
            }
        }
        found.retain(|_, (_, who)| !who.is_empty());
        let mut best: Vec<(Key, f32)> =
            found.iter().map(|(key, (score, _))| (*key, *score)).collect();
        best.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
        best.truncate(MOST_FILES);
        let keys: Vec<Key> = best.into_iter().map(|(key, _)| key).collect();
        let files = self.fetched(&keys, time)?;
        if files.len() < keys.len() {
            let lost = keys.len() - files.len();
            partial.push(format!("{lost} files are being written just now"));
        }
        let holders = |key: &Key| {
            let mut who: Vec<&Repository> = found[key].1.iter().map(|id| chosen[id]).collect();
            who.sort_unstable_by(|a, b| a.name.cmp(&b.name));
            who
        };
        let mut linked = self.linked(&files, &holders, time, partial);
        let locate = |(key, file): (Key, Arc<Kept>)| Located {
            file,
            repositories: holders(&key).into_iter().map(|it| it.name.clone()).collect(),
            linked: linked.remove(&key).unwrap_or_default(),
        };
        Ok(files.into_iter().map(locate).collect())
    }

    /// What imports say of files, in the first repositories that hold each.
    fn linked<'r>(
        &self,
        files: &[(Key, Arc<Kept>)],
        holders: &dyn Fn(&Key) -> Vec<&'r Repository>,
        time: Duration,
        partial: &mut Vec<String>,
    ) -> HashMap<Key, Vec<(Tree, Linked)>> {
        let first = |key: &Key| holders(key).into_iter().take(MOST_LINKED).collect();
        let asked: Vec<linking::Asked> = files.iter().map(|(key, _)| (*key, first(key))).collect();
        linking::fetch(&self.store, &self.links, &asked, time).unwrap_or_else(|error| {
            partial.push(format!("what imports say of files: {error}"));
            HashMap::new()
        })
    }

    fn fetched(&self, keys: &[Key], time: Duration) -> Result<Vec<(Key, Arc<Kept>)>> {
        let lacking: Vec<String> = {
            let kept = self.kept();
            keys.iter().filter(|key| !kept.contains_key(key)).map(Key::hex).collect()
        };
        for (owner, parts) in self.store.get_within(&lacking, time)? {
            let parts: Vec<&str> = parts.iter().map(String::as_str).collect();
            let Some(key) = Key::read(&owner) else { continue };
            let record: Record = whole(&parts)?;
            let mut kept = self.kept();
            if kept.len() >= MOST_KEPT {
                kept.clear();
            }
            kept.insert(key, Arc::new(record.kept()));
        }
        let kept = self.kept();
        Ok(keys.iter().filter_map(|key| Some((*key, kept.get(key)?.clone()))).collect())
    }

    fn kept(&self) -> std::sync::MutexGuard<'_, HashMap<Key, Arc<Kept>>> {
        self.files.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
    }
}

/// The repositories that a question is about, of those that may be seen and are in the engine.
fn chosen<'r>(seen: &'r [Repository], asked: &Asked) -> Result<Vec<&'r Repository>> {
    let names = patterns(asked.repositories)?;
    let is_chosen = |it: &&Repository| {
        let organisations = asked.organisations;
        it.totals.chunks > 0
            && names.as_ref().is_none_or(|names| names.is_match(&it.name))
            && (organisations.is_empty() || organisations.iter().any(|o| o == it.organisation()))
    };
    Ok(seen.iter().filter(is_chosen).collect())
}

fn patterns(patterns: &[String]) -> Result<Option<GlobSet>> {
    if patterns.is_empty() {
        return Ok(None);
    }
    let bad = |error: globset::Error| Error::Repository(error.to_string());
    let mut set = GlobSetBuilder::new();
    for pattern in patterns {
        set.add(Glob::new(pattern).map_err(bad)?);
    }
    set.build().map(Some).map_err(bad)
}

fn facets(located: &[Located]) -> Vec<(String, usize)> {
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for name in located.iter().flat_map(|it| &it.repositories) {
        *counts.entry(name).or_default() += 1;
    }
    let mut facets: Vec<(String, usize)> =
        counts.into_iter().map(|(name, count)| (name.to_owned(), count)).collect();
    facets.sort_by(|a, b| b.1.cmp(&a.1).then(a.0.cmp(&b.0)));
    facets
}

/// What the whole fleet is, rather than what was gathered of it.
fn certify(answer: &mut Answer, chosen: &[&Repository], seen: &[Repository], partial: Vec<String>) {
    let index = &mut answer.index;
    index.files = chosen.iter().map(|it| it.totals.files as usize).sum();
    index.chunks = chosen.iter().map(|it| it.totals.chunks).sum();
    index.repositories = Some(chosen.len());
    index.complete = partial.is_empty();
    index.partial = partial;
    if answer.hits.is_empty() && chosen.is_empty() {
        answer.nothing_because = Some(match seen.is_empty() {
            true => "there is no repository here that you may see".to_owned(),
            false => {
                "none of the repositories you may see is asked for and in the engine".to_owned()
            }
        });
    }
}

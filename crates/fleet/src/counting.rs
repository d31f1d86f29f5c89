//! Statistics of words over many repositories: kept by repository, in buckets, and added up for
//! those that may be seen.
//!
//! A sync replaces a repository's own, so nothing is counted twice whoever dies when. Over more
//! repositories than a sample, that sample stands for all: rarity needs no exact number.

use std::collections::{BTreeMap, HashMap};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use wherein_corpus::Digest;
use wherein_engine::index::counts::{Counts, Frequencies, Statistics, Totals};
use wherein_engine::index::lexical::Field;

use crate::catalogue::Repository;
use crate::error::Result;
use crate::milvus::Store;
use crate::record::{pieces, whole};

/// Words of a repository are spread over so many buckets.
const BUCKETS: u64 = 64;

/// Repositories that stand for more of them.
const SAMPLE: usize = 64;

type Bucket = BTreeMap<String, Frequencies>;

/// Buckets that were fetched, by repository, its epoch and the bucket's number.
pub type Cache = Mutex<HashMap<(i64, i64, u64), Arc<Bucket>>>;

/// Buckets that are kept at hand.
const MOST_CACHED: usize = 20_000;

fn bucket_of(term: &str) -> u64 {
    u64::from(Digest::of(term.as_bytes()).0[0]) % BUCKETS
}

fn owner(repository: i64, bucket: u64) -> String {
    format!("w{repository}.{bucket}")
}

/// Every owner of a repository's statistics.
pub fn owners(repository: i64) -> Vec<String> {
    (0..BUCKETS).map(|bucket| owner(repository, bucket)).collect()
}

/// Writes a repository's statistics.
pub fn write(store: &Store, repository: i64, counts: &Counts) -> Result<()> {
    let mut buckets: Vec<Bucket> = vec![Bucket::new(); BUCKETS as usize];
    for (term, frequencies) in &counts.terms {
        buckets[bucket_of(term) as usize].insert(term.clone(), *frequencies);
    }
    let owned = (0..).zip(&buckets).map(|(n, bucket)| Ok((owner(repository, n), pieces(bucket)?)));
    store.put(&owned.collect::<Result<Vec<_>>>()?)
}

/// The statistics of some repositories.
pub struct Counted<'s> {
    store: &'s Store,
    cache: &'s Cache,
    time: Duration,
    sample: Vec<(i64, i64)>,
    totals: Totals,
    /// How many times more chunks there are than in the sample.
    scale: f64,
}

impl<'s> Counted<'s> {
    /// Those of repositories that may be seen, for somebody who waits no longer than a time.
    pub fn of(
        store: &'s Store,
        cache: &'s Cache,
        repositories: &[&Repository],
        time: Duration,
    ) -> Counted<'s> {
        let mut totals = Totals::default();
        repositories.iter().for_each(|it| totals.add(&it.totals));
        let mut sample: Vec<&&Repository> = repositories.iter().collect();
        // By a digest of the name: the same for the same fleet, and no organisation alone.
        sample.sort_by_cached_key(|it| Digest::of(it.name.as_bytes()).0);
        sample.truncate(SAMPLE);
        let chunks: u64 = sample.iter().map(|it| it.totals.chunks).sum();
        let scale = totals.chunks as f64 / chunks.max(1) as f64;
        let sample = sample.into_iter().map(|it| (it.id, it.epoch)).collect();
        Counted { store, cache, time, sample, totals, scale }
    }

    /// Fetches at once what several terms need.
    pub fn prefetch<'t>(&self, terms: impl Iterator<Item = &'t String>) -> Result<()> {
        let mut buckets: Vec<u64> = terms.map(|term| bucket_of(term)).collect();
        buckets.sort_unstable();
        buckets.dedup();
        self.fetch(&buckets)
    }

    fn fetch(&self, buckets: &[u64]) -> Result<()> {
        let mut lacking = HashMap::new();
        for &(id, epoch) in &self.sample {
            for &bucket in buckets {
                let place = (id, epoch, bucket);
                if !self.cached().contains_key(&place) {
                    lacking.insert(owner(id, bucket), place);
                }
            }
        }
        let owners: Vec<String> = lacking.keys().cloned().collect();
        let mut found = self.store.get_within(&owners, self.time)?;
        for (owner, place) in lacking {
            let parts = found.remove(&owner).unwrap_or_default();
            let parts: Vec<&str> = parts.iter().map(String::as_str).collect();
            let bucket = if parts.is_empty() { Bucket::new() } else { whole(&parts)? };
            let mut cached = self.cached();
            if cached.len() >= MOST_CACHED {
                cached.clear();
            }
            cached.insert(place, Arc::new(bucket));
        }
        Ok(())
    }

    fn cached(&self) -> std::sync::MutexGuard<'_, HashMap<(i64, i64, u64), Arc<Bucket>>> {
        self.cache.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
    }
}

impl Statistics for Counted<'_> {
    fn totals(&self) -> &Totals {
        &self.totals
    }

    fn frequency(&self, field: Field, term: &str) -> wherein_engine::Result<u64> {
        let bucket = bucket_of(term);
        // Without statistics a word counts as rare, which is a worse order and no wrong answer.
        let _ = self.fetch(&[bucket]);
        let of = |&(id, epoch): &(i64, i64)| {
            let bucket = self.cached().get(&(id, epoch, bucket)).cloned();
            bucket.and_then(|it| it.get(term).map(|counts| u64::from(counts[field as usize])))
        };
        let sum: u64 = self.sample.iter().filter_map(of).sum();
        Ok((sum as f64 * self.scale).round() as u64)
    }
}

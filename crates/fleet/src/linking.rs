//! What imports say of files: kept by repository, in buckets of files, and fetched for those that a
//! question found.
//!
//! The ranker wants to know of each candidate how much of its tree leads to it, and which other
//! candidates it imports. The same file means something else in every repository that holds it, so
//! this is no part of a file's record. A sync replaces a repository's own.

use std::collections::{BTreeMap, HashMap};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use serde::{Deserialize, Serialize};
use wherein_corpus::Digest;
use wherein_engine::graph::links::Links;
use wherein_engine::search::recall::gathered::{Linked, Tree};

use crate::catalogue::Repository;
use crate::error::Result;
use crate::milvus::Store;
use crate::record::{Key, pieces, whole};

/// Files of a bucket: few enough that one file of a large repository is cheap to ask about, and
/// most repositories have one bucket.
const FILES: u64 = 256;

/// Some files of a repository.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Bucket {
    /// Of which state of the repository; while another is being written, buckets of both are there.
    tree: Tree,
    files: BTreeMap<Key, Linked>,
}

/// Buckets that were fetched, by owner, the repository's epoch and how many words it has: a lease
/// changes the one, what was written under it the other.
pub type Cache = Mutex<HashMap<(String, i64, u64), Arc<Bucket>>>;

/// Buckets that are kept at hand.
const MOST_CACHED: usize = 5000;

fn buckets(files: u64) -> u64 {
    files / FILES + 1
}

fn owner(repository: i64, files: u64, key: &Key) -> String {
    let bucket = u64::from(u16::from_le_bytes([key.0[0], key.0[1]])) % buckets(files);
    named(repository, bucket)
}

fn named(repository: i64, bucket: u64) -> String {
    format!("l{repository}.{bucket}")
}

/// Every owner of what imports say in a repository of so many files.
pub fn owners(repository: i64, files: u64) -> Vec<String> {
    (0..buckets(files)).map(|bucket| named(repository, bucket)).collect()
}

/// Writes what imports say in a repository, each file's key with its position in the links.
/// `before` is how many files it had, of which some buckets may be left over.
pub fn write(
    store: &Store,
    repository: i64,
    before: u64,
    files: &BTreeMap<Key, usize>,
    links: &Links,
) -> Result<()> {
    let (tree, count) = (tree(repository, files), files.len() as u64);
    let empty = || Bucket { tree, files: BTreeMap::new() };
    let mut all: BTreeMap<String, Bucket> =
        owners(repository, count).into_iter().map(|owner| (owner, empty())).collect();
    for (key, position) in files {
        let bucket = all.entry(owner(repository, count, key)).or_insert_with(empty);
        bucket.files.insert(*key, Linked::of(links, *position));
    }
    let owned = all.iter().map(|(owner, bucket)| Ok((owner.clone(), pieces(bucket)?)));
    store.put(&owned.collect::<Result<Vec<_>>>()?)?;
    let mut left_over = owners(repository, before);
    left_over.retain(|owner| !all.contains_key(owner));
    store.delete_owners(&left_over)
}

fn tree(repository: i64, files: &BTreeMap<Key, usize>) -> Tree {
    let keys: Vec<u8> = files.keys().flat_map(|key| key.0).collect();
    let digest = Digest::of_parts(&[&repository.to_le_bytes(), &keys]).0;
    u64::from_le_bytes(digest[..8].try_into().unwrap_or_default())
}

/// What imports say of a file in some repositories that hold it, in their order.
pub type Asked<'a> = (Key, Vec<&'a Repository>);

/// Answers for several files at once; what nobody wrote is left out.
pub fn fetch(
    store: &Store,
    cache: &Cache,
    asked: &[Asked],
    time: Duration,
) -> Result<HashMap<Key, Vec<(Tree, Linked)>>> {
    let place = |it: &Repository, key: &Key| {
        (owner(it.id, it.totals.files, key), it.epoch, it.totals.words[0])
    };
    let places = asked.iter().flat_map(|(key, who)| who.iter().map(move |it| place(it, key)));
    let at_hand = gathered(store, cache, places.collect(), time)?;
    let of = |(key, who): &Asked| {
        let linked = |it: &&Repository| {
            let bucket = at_hand.get(&place(it, key))?;
            Some((bucket.tree, bucket.files.get(key)?.clone()))
        };
        (*key, who.iter().filter_map(linked).collect())
    };
    Ok(asked.iter().map(of).collect())
}

type Place = (String, i64, u64);

fn gathered(
    store: &Store,
    cache: &Cache,
    mut places: Vec<Place>,
    time: Duration,
) -> Result<HashMap<Place, Arc<Bucket>>> {
    places.sort_unstable();
    places.dedup();
    let locked = || cache.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
    let mut found: HashMap<Place, Arc<Bucket>> = {
        let kept = locked();
        places.iter().filter_map(|it| Some((it.clone(), kept.get(it)?.clone()))).collect()
    };
    places.retain(|it| !found.contains_key(it));
    let owners: Vec<String> = places.iter().map(|it| it.0.clone()).collect();
    let mut written = store.get_within(&owners, time)?;
    for place in places {
        let parts = written.remove(&place.0).unwrap_or_default();
        let parts: Vec<&str> = parts.iter().map(String::as_str).collect();
        let bucket = Arc::new(if parts.is_empty() { Bucket::default() } else { whole(&parts)? });
        let mut kept = locked();
        if kept.len() >= MOST_CACHED {
            kept.clear();
        }
        kept.insert(place.clone(), bucket.clone());
        found.insert(place, bucket);
    }
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_file_has_one_of_the_buckets_there_are() {
        for files in [0, 1, 255, 256, 100_000] {
            let all = owners(3, files);
            for byte in 0..=255 {
                let key = Key([byte; 16]);
                assert!(all.contains(&owner(3, files, &key)), "{files} {byte}");
            }
        }
        assert_eq!(owners(3, 255), ["l3.0"]);
        assert_eq!(owners(3, 600).len(), 3);
    }

    #[test]
    fn a_tree_is_that_of_its_repository_and_files() {
        let files = |bytes: &[u8]| bytes.iter().map(|byte| (Key([*byte; 16]), 0)).collect();
        let one: BTreeMap<Key, usize> = files(&[1, 2]);
        assert_eq!(tree(1, &one), tree(1, &one));
        assert_ne!(tree(1, &one), tree(2, &one));
        assert_ne!(tree(1, &one), tree(1, &files(&[1])));
    }
}

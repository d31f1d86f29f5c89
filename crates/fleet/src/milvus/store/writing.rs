//! Files into the engine: the rows of their chunks and the pieces of their records, for who holds
//! them, and out of it again when nobody does.

use std::collections::{HashMap, HashSet};
use std::ops::Range;

use super::pieces::OWNERS;
use super::{ROWS, Store};
use crate::catalogue::Holders;
use crate::error::{Error, Result};
use crate::milvus::columns::Found;
use crate::milvus::filter::quoted;
use crate::milvus::rows::{self, Row};
use crate::record::{Key, Record, pieces, whole};

/// Letters of a file's name, with which the ids of its rows begin.
const FILE: usize = 32;

impl Store {
    /// Brings the engine in line with who holds what. What can be written only by who has the file
    /// at hand, which `at_hand` gives, and is not in the engine, is handed back.
    pub fn apply(
        &self,
        holders: &Holders,
        at_hand: &mut dyn FnMut(Key) -> Result<Option<Record>>,
    ) -> Result<Vec<Key>> {
        let (gone, kept): (Vec<_>, Vec<_>) = holders.iter().partition(|(_, who)| who.is_empty());
        let gone: Vec<String> = gone.into_iter().map(|(key, _)| key.hex()).collect();
        if !gone.is_empty() {
            self.delete(&self.chunks(), &format!("file in [{}]", quoted(&gone)))?;
            self.delete_owners(&gone)?;
        }
        let mut lacking = Vec::new();
        for some in kept.chunks(OWNERS) {
            lacking.extend(self.place(some, at_hand)?);
        }
        Ok(lacking)
    }

    fn place(
        &self,
        files: &[(&Key, &Vec<i64>)],
        at_hand: &mut dyn FnMut(Key) -> Result<Option<Record>>,
    ) -> Result<Vec<Key>> {
        let names: Vec<String> = files.iter().map(|(key, _)| key.hex()).collect();
        let known = self.known(&names)?;
        let readable = self.whole_owners(&names)?;
        let (mut fresh, mut owned, mut lacking) = (Vec::new(), Vec::new(), Vec::new());
        for (key, holders) in files {
            let key = **key;
            let record = match at_hand(key)? {
                Some(record) => record,
                None => match self.record(&key.hex())? {
                    Some(record) => record,
                    None => {
                        lacking.push(key);
                        continue;
                    }
                },
            };
            let slots = rows::slots(holders);
            let rows = rows::of(key, &record, self.width);
            let placed: Vec<Row> =
                rows.iter().flat_map(|row| slots.iter().map(|slot| row.placed(slot))).collect();
            if !readable.contains(&key.hex()) {
                owned.push((key.hex(), pieces(&record)?));
            }
            fresh.extend(placed);
        }
        // Pieces first: a chunk that is found must be able to be shown.
        self.put(&owned)?;
        let wanted: HashSet<&String> = fresh.iter().map(|row| &row.id).collect();
        let lack: HashSet<String> = lacking.iter().map(Key::hex).collect();
        let is_stale = |id: &&String| !wanted.contains(id) && !lack.contains(file_of(id));
        let stale: Vec<String> = known.keys().filter(is_stale).cloned().collect();
        let is_new = |row: &&Row| known.get(&row.id) != Some(&row.holders);
        self.upsert_rows(&fresh.iter().filter(is_new).cloned().collect::<Vec<_>>())?;
        if !stale.is_empty() {
            self.delete(&self.chunks(), &format!("id in [{}]", quoted(&stale)))?;
        }
        Ok(lacking)
    }

    /// The rows of files that there are: who holds each, by its id.
    fn known(&self, files: &[String]) -> Result<HashMap<String, Vec<i64>>> {
        self.known_among(files, 0..u32::MAX)
    }

    /// The same for some of their chunks. Where thousands hold a file the answer may be more than the
    /// client takes at once; then it is asked for in halves.
    fn known_among(
        &self,
        files: &[String],
        chunks: Range<u32>,
    ) -> Result<HashMap<String, Vec<i64>>> {
        let mut filter = format!("file in [{}]", quoted(files));
        if chunks != (0..u32::MAX) {
            filter += &format!(" and chunk >= {} and chunk < {}", chunks.start, chunks.end);
        }
        let halves = match self.query(&self.chunks(), &filter, &["id", "holders"]) {
            Err(Error::Large) => halves(files, chunks).ok_or(Error::Large)?,
            found => {
                let found = found?;
                let holders = found.lists("holders").iter().cloned();
                return Ok(found.texts("id").iter().cloned().zip(holders).collect());
            }
        };
        let mut known = HashMap::new();
        for (files, chunks) in halves {
            known.extend(self.known_among(files, chunks)?);
        }
        Ok(known)
    }

    /// Of files that a repository holds, each with the number of its chunks: those of which the
    /// engine has not everything, though it once took it.
    pub fn lacking(&self, repository: i64, files: &[(Key, u32)]) -> Result<Vec<Key>> {
        let mut lacking = Vec::new();
        for some in files.chunks(OWNERS) {
            let names: Vec<String> = some.iter().map(|(key, _)| key.hex()).collect();
            let mut rows: HashMap<&str, u32> = HashMap::new();
            let known = self.known(&names)?;
            for (id, _) in known.iter().filter(|(_, holders)| holders.contains(&repository)) {
                *rows.entry(file_of(id)).or_default() += 1;
            }
            let readable = self.whole_owners(&names)?;
            let is_whole = |key: &Key, chunks: u32| {
                let name = key.hex();
                rows.get(&*name).copied().unwrap_or(0) == chunks && readable.contains(&name)
            };
            lacking.extend(some.iter().filter(|(key, n)| !is_whole(key, *n)).map(|(key, _)| *key));
        }
        Ok(lacking)
    }

    /// Those of some owners whose pieces are all there.
    fn whole_owners(&self, owners: &[String]) -> Result<HashSet<String>> {
        let filter = format!("owner in [{}]", quoted(owners));
        let found = self.query(&self.pieces(), &filter, &["owner", "parts"])?;
        let mut there: HashMap<&String, (i64, i64)> = HashMap::new();
        for (owner, parts) in found.texts("owner").iter().zip(found.numbers("parts")) {
            there.entry(owner).or_insert((*parts, 0)).1 += 1;
        }
        let is_whole = |(_, (parts, there)): &(_, (i64, i64))| parts == there;
        Ok(there.into_iter().filter(is_whole).map(|(owner, _)| owner.clone()).collect())
    }

    fn record(&self, file: &str) -> Result<Option<Record>> {
        let mut found = self.get(&[file.to_owned()])?;
        let Some(parts) = found.remove(file) else { return Ok(None) };
        let parts: Vec<&str> = parts.iter().map(String::as_str).collect();
        whole(&parts).map(Some)
    }

    fn upsert_rows(&self, rows: &[Row]) -> Result<()> {
        for some in rows.chunks(ROWS) {
            self.upsert(&self.chunks(), rows::columns(some))?;
        }
        Ok(())
    }
}

/// The file that a row is of, by the row's id.
fn file_of(id: &str) -> &str {
    id.get(..FILE).unwrap_or(id)
}

/// Some files and a range of their chunks in two halves: the files while there are several, then the
/// chunks of the last one, which have fewer numbers than any file has lines.
fn halves(files: &[String], chunks: Range<u32>) -> Option<[(&[String], Range<u32>); 2]> {
    const MOST_CHUNKS: u32 = 1 << 20;
    let end = chunks.end.min(MOST_CHUNKS);
    let middle = chunks.start + end.saturating_sub(chunks.start) / 2;
    match files.split_at(files.len() / 2) {
        ([], _) if middle == chunks.start => None,
        ([], one) => Some([(one, chunks.start..middle), (one, middle..chunks.end)]),
        (some, others) => Some([(some, chunks.clone()), (others, chunks)]),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Halves until nothing is left to halve; every chunk of every file is in one of them.
    #[test]
    fn what_is_too_much_is_halved_to_single_chunks() {
        let files = ["a", "b", "c"].map(str::to_owned);
        let mut open = vec![(&files[..], 0..u32::MAX)];
        let mut first = Vec::new();
        while let Some((files, chunks)) = open.pop() {
            match halves(files, chunks.clone()) {
                Some(halves) => open.extend(halves.into_iter().filter(|it| it.1.contains(&5))),
                None => first.push((files[0].clone(), chunks)),
            }
        }
        first.sort_by(|a, b| a.0.cmp(&b.0));
        let single = |name: &str| (name.to_owned(), 5..6);
        assert_eq!(first, ["a", "b", "c"].map(single));
    }
}

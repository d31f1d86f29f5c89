//! The catalogue as one file of the fleet's folder, for a fleet that one machine keeps.
//!
//! Every change reads the file, writes another beside it and renames it, while a lock is held that
//! the system frees when its process dies. Workers of one machine may share it; those of several
//! need the database.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use serde::{Deserialize, Serialize};

use super::{Apply, Catalogue, Claim, Done, Holders, MOST_FAILURES, Repository, State, another};
use crate::error::{Error, Result};
use crate::record::Key;

/// A catalogue in a folder.
pub struct Plain {
    folder: PathBuf,
}

#[derive(Clone, Debug, Default, Serialize, Deserialize)]
struct Book {
    next: i64,
    repositories: BTreeMap<i64, Entry>,
    held: BTreeMap<i64, BTreeSet<Key>>,
    /// By the repository that made it so.
    unsettled: BTreeMap<Key, i64>,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
struct Entry {
    repository: Repository,
    /// Seconds since 1970.
    lease_until: u64,
    leaving: bool,
}

impl Plain {
    /// The catalogue in a folder; nothing is made until something is entered.
    pub fn at(folder: &Path) -> Plain {
        Plain { folder: folder.to_owned() }
    }

    fn path(&self) -> PathBuf {
        self.folder.join("catalogue")
    }

    fn read(&self) -> Result<Book> {
        match fs::read(self.path()) {
            Ok(bytes) => postcard::from_bytes(&bytes).map_err(|error| {
                trouble(&self.path(), &format!("{error}; remove it and add the repositories anew"))
            }),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(Book::default()),
            Err(error) => Err(trouble(&self.path(), &error)),
        }
    }

    fn locked<T>(&self, name: &str, work: impl FnOnce() -> Result<T>) -> Result<T> {
        fs::create_dir_all(&self.folder).map_err(|error| trouble(&self.folder, &error))?;
        let path = self.folder.join(name);
        let file = File::create(&path).map_err(|error| trouble(&path, &error))?;
        file.lock().map_err(|error| trouble(&path, &error))?;
        work()
    }

    fn write<T>(&self, change: impl FnOnce(&mut Book) -> Result<T>) -> Result<T> {
        self.locked("catalogue.lock", || {
            let mut book = self.read()?;
            let done = change(&mut book)?;
            let bytes =
                postcard::to_stdvec(&book).map_err(|error| trouble(&self.path(), &error))?;
            let beside = self.path().with_extension("next");
            fs::write(&beside, bytes).map_err(|error| trouble(&beside, &error))?;
            fs::rename(&beside, self.path()).map_err(|error| trouble(&self.path(), &error))?;
            Ok(done)
        })
    }
}

impl Book {
    /// The entry of a claim that still holds.
    fn leased(&mut self, claim: &Claim) -> Result<&mut Entry> {
        let lost = || Error::LostLease(claim.repository.name.clone());
        let entry = self.repositories.get_mut(&claim.repository.id).ok_or_else(lost)?;
        let holds = entry.repository.epoch == claim.repository.epoch
            && entry.repository.state == State::Leased;
        if holds { Ok(entry) } else { Err(lost()) }
    }

    fn holders(&self, key: Key) -> Vec<i64> {
        let holds = |(_, held): &(&i64, &BTreeSet<Key>)| held.contains(&key);
        self.held.iter().filter(holds).map(|(id, _)| *id).collect()
    }

    /// Makes an unsettled file the matter of another repository.
    fn pass_on(&mut self, key: Key, to: i64) {
        self.unsettled.insert(key, to);
        if let Some(entry) = self.repositories.get_mut(&to)
            && entry.repository.state == State::Done
        {
            entry.repository.state = State::Due;
        }
    }

    /// Due ones in the order they came, then leases that ran out.
    fn waiting(&self, now: u64) -> Option<i64> {
        let state = |entry: &Entry| entry.repository.state;
        let waits = |it: &&Entry| matches!(state(it), State::Due | State::Leaving);
        let ran_out = |it: &&Entry| state(it) == State::Leased && it.lease_until < now;
        let entries = || self.repositories.values();
        let found = entries().find(waits).or_else(|| entries().find(ran_out));
        found.map(|entry| entry.repository.id)
    }
}

impl Catalogue for Plain {
    fn add(&self, name: &str, source: &str, branch: &str) -> Result<Repository> {
        self.write(|book| {
            let known = book.repositories.values_mut().find(|it| it.repository.name == name);
            if let Some(entry) = known {
                entry.repository.source = source.to_owned();
                entry.repository.branch = branch.to_owned();
                entry.leaving = false;
                if entry.repository.state != State::Leased {
                    entry.repository.state = State::Due;
                }
                return Ok(entry.repository.clone());
            }
            book.next += 1;
            let repository = Repository {
                id: book.next,
                name: name.to_owned(),
                source: source.to_owned(),
                branch: branch.to_owned(),
                ..Repository::default()
            };
            let entry = Entry { repository: repository.clone(), lease_until: 0, leaving: false };
            book.repositories.insert(repository.id, entry);
            Ok(repository)
        })
    }

    fn remove(&self, names: &[String]) -> Result<usize> {
        self.write(|book| {
            let named = |entry: &&mut Entry| names.contains(&entry.repository.name);
            let leave = |entry: &mut Entry| {
                entry.leaving = true;
                if entry.repository.state != State::Leased {
                    entry.repository.state = State::Leaving;
                }
            };
            Ok(book.repositories.values_mut().filter(named).map(leave).count())
        })
    }

    fn repositories(&self) -> Result<Vec<Repository>> {
        let mut all: Vec<Repository> =
            self.read()?.repositories.into_values().map(|entry| entry.repository).collect();
        all.sort_by(|a, b| a.name.cmp(&b.name));
        Ok(all)
    }

    fn queue(&self, names: &[String]) -> Result<usize> {
        self.write(|book| {
            let waits = |entry: &&mut Entry| {
                let is_named = names.is_empty() || names.contains(&entry.repository.name);
                is_named && matches!(entry.repository.state, State::Done | State::Failed)
            };
            let make_due = |entry: &mut Entry| {
                entry.repository.state = State::Due;
                entry.repository.failures = 0;
            };
            Ok(book.repositories.values_mut().filter(waits).map(make_due).count())
        })
    }

    fn claim(&self, worker: &str, lease: Duration) -> Result<Option<Claim>> {
        self.write(|book| {
            let now = now();
            let Some(id) = book.waiting(now) else { return Ok(None) };
            let entry = book.repositories.get_mut(&id).expect("it was just found");
            entry.lease_until = now + lease.as_secs().max(1);
            entry.repository.state = State::Leased;
            entry.repository.epoch += 1;
            entry.repository.worker = worker.to_owned();
            let (repository, leaving) = (entry.repository.clone(), entry.leaving);
            Ok(Some(Claim { repository, leaving }))
        })
    }

    fn renew(&self, claim: &Claim, lease: Duration) -> Result<()> {
        self.write(|book| {
            book.leased(claim)?.lease_until = now() + lease.as_secs().max(1);
            Ok(())
        })
    }

    fn held(&self, repository: i64) -> Result<Vec<Key>> {
        let held = self.read()?.held.remove(&repository);
        Ok(held.unwrap_or_default().into_iter().collect())
    }

    fn change(&self, claim: &Claim, held: &[Key], released: &[Key]) -> Result<()> {
        self.write(|book| {
            let id = book.leased(claim)?.repository.id;
            let own = book.held.entry(id).or_default();
            own.extend(held);
            own.retain(|key| !released.contains(key));
            book.unsettled.extend(held.iter().chain(released).map(|key| (*key, id)));
            Ok(())
        })
    }

    fn settle(&self, claim: &Claim, most: usize, apply: Apply) -> Result<usize> {
        self.locked("settling.lock", || {
            let book = self.read()?;
            let mine = book.unsettled.iter().filter(|(_, id)| **id == claim.repository.id);
            let keys: Vec<Key> = mine.map(|(key, _)| *key).take(most).collect();
            let holders: Holders = keys.iter().map(|&key| (key, book.holders(key))).collect();
            let lacking = if keys.is_empty() { Vec::new() } else { apply(&holders)? };
            self.write(|book| {
                let mut got = keys.len();
                for key in &keys {
                    // Somebody may have changed one meanwhile; then it stays unsettled.
                    if book.holders(*key) != holders[key] {
                        continue;
                    }
                    match another(&holders[key], claim.repository.id) {
                        _ if !lacking.contains(key) => drop(book.unsettled.remove(key)),
                        Some(other) => book.pass_on(*key, other),
                        None => got -= 1,
                    }
                }
                Ok(got)
            })
        })
    }

    fn finish(
        &self,
        claim: &Claim,
        done: &Done,
        last: &mut dyn FnMut() -> Result<()>,
    ) -> Result<()> {
        self.write(|book| {
            let is_settled = !book.unsettled.values().any(|id| *id == claim.repository.id);
            let entry = book.leased(claim)?;
            last()?;
            if claim.leaving && entry.leaving {
                book.repositories.remove(&claim.repository.id);
                book.held.remove(&claim.repository.id);
                return Ok(());
            }
            let repository = &mut entry.repository;
            repository.state = match (entry.leaving, is_settled) {
                (true, _) => State::Leaving,
                (false, true) => State::Done,
                (false, false) => State::Due,
            };
            repository.revision.clone_from(&done.revision);
            repository.totals = done.totals;
            repository.trouble.clear();
            repository.failures = 0;
            Ok(())
        })
    }

    fn fail(&self, claim: &Claim, trouble: &str) -> Result<()> {
        self.write(|book| {
            let entry = book.leased(claim)?;
            let repository = &mut entry.repository;
            repository.failures += 1;
            repository.trouble = trouble.to_owned();
            repository.state = match repository.failures >= MOST_FAILURES {
                true => State::Failed,
                false if entry.leaving => State::Leaving,
                false => State::Due,
            };
            Ok(())
        })
    }

    fn give_back(&self, claim: &Claim) -> Result<()> {
        self.write(|book| {
            let entry = book.leased(claim)?;
            entry.repository.state = if entry.leaving { State::Leaving } else { State::Due };
            Ok(())
        })
    }

    fn unsettled(&self) -> Result<u64> {
        Ok(self.read()?.unsettled.len() as u64)
    }
}

fn now() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs())
}

fn trouble(path: &Path, why: &dyn std::fmt::Display) -> Error {
    Error::Catalogue(format!("{}: {why}", path.display()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use wherein_corpus::Digest;

    const LEASE: Duration = Duration::from_secs(60);

    fn key(n: u8) -> Key {
        Key::of("a", Digest::of(&[n]), "m")
    }

    fn settle(book: &Plain, claim: &Claim) -> Vec<(Key, Vec<i64>)> {
        let mut seen = Vec::new();
        let mut apply = |holders: &Holders| {
            seen.extend(holders.clone());
            Ok(Vec::new())
        };
        while book.settle(claim, 10, &mut apply).unwrap() > 0 {}
        seen
    }

    #[test]
    fn a_repository_goes_from_due_to_done_and_its_files_are_settled_once() {
        let folder = tempfile::tempdir().unwrap();
        let book = Plain::at(folder.path());
        book.add("acme/a", "/a", "").unwrap();
        let claim = book.claim("w", LEASE).unwrap().unwrap();
        assert!(book.claim("other", LEASE).unwrap().is_none(), "it is leased");
        book.change(&claim, &[key(1), key(2)], &[]).unwrap();
        assert_eq!(settle(&book, &claim).len(), 2);
        assert_eq!(settle(&book, &claim).len(), 0);
        book.finish(&claim, &Done::default(), &mut || Ok(())).unwrap();
        assert_eq!(book.repositories().unwrap()[0].state, State::Done);
    }

    #[test]
    fn a_file_of_two_repositories_goes_with_the_second() {
        let folder = tempfile::tempdir().unwrap();
        let book = Plain::at(folder.path());
        book.add("a", "/a", "").unwrap();
        book.add("b", "/b", "").unwrap();
        let (a, b) = (book.claim("w", LEASE).unwrap().unwrap(), book.claim("w", LEASE).unwrap());
        let b = b.unwrap();
        book.change(&a, &[key(1)], &[]).unwrap();
        settle(&book, &a);
        book.change(&b, &[key(1)], &[]).unwrap();
        assert_eq!(settle(&book, &b), [(key(1), vec![1, 2])]);
        book.change(&a, &[], &[key(1)]).unwrap();
        assert_eq!(settle(&book, &a), [(key(1), vec![2])]);
        book.change(&b, &[], &[key(1)]).unwrap();
        assert_eq!(settle(&book, &b), [(key(1), vec![])]);
    }

    #[test]
    fn what_only_another_can_write_becomes_its_matter() {
        let folder = tempfile::tempdir().unwrap();
        let book = Plain::at(folder.path());
        book.add("a", "/a", "").unwrap();
        book.add("b", "/b", "").unwrap();
        let a = book.claim("w", LEASE).unwrap().unwrap();
        book.change(&a, &[key(1)], &[]).unwrap();
        let b = book.claim("w", LEASE).unwrap().unwrap();
        book.change(&b, &[key(1)], &[]).unwrap();
        book.change(&b, &[], &[key(1)]).unwrap();
        book.settle(&b, 10, &mut |holders| Ok(holders.keys().copied().collect())).unwrap();
        assert_eq!(settle(&book, &b), [], "it is no longer b's");
        book.finish(&a, &Done::default(), &mut || Ok(())).unwrap();
        let again = book.claim("w", LEASE).unwrap().unwrap();
        assert_eq!(again.repository.name, "a", "a is not done before its file is settled");
        assert_eq!(settle(&book, &again), [(key(1), vec![1])]);
    }

    #[test]
    fn what_nobody_can_write_waits_until_its_holder_lets_go_of_it() {
        let folder = tempfile::tempdir().unwrap();
        let book = Plain::at(folder.path());
        book.add("a", "/a", "").unwrap();
        let a = book.claim("w", LEASE).unwrap().unwrap();
        // The worker that entered the first died before the engine had it, and the file is gone since.
        book.change(&a, &[key(1)], &[]).unwrap();
        book.change(&a, &[key(2)], &[]).unwrap();
        let mut apply = |holders: &Holders| {
            Ok(holders.keys().filter(|it| **it == key(1)).copied().collect::<Vec<_>>())
        };
        assert_eq!(book.settle(&a, 10, &mut apply).unwrap(), 1);
        assert_eq!(book.settle(&a, 10, &mut apply).unwrap(), 0, "or it would go on for ever");
        assert_eq!(book.unsettled().unwrap(), 1);
        book.change(&a, &[], &[key(1)]).unwrap();
        assert_eq!(settle(&book, &a), [(key(1), vec![])]);
        assert_eq!(book.unsettled().unwrap(), 0);
    }

    #[test]
    fn a_worker_whose_lease_ran_out_can_change_nothing() {
        let folder = tempfile::tempdir().unwrap();
        let book = Plain::at(folder.path());
        book.add("a", "/a", "").unwrap();
        let old = book.claim("w", Duration::from_secs(1)).unwrap().unwrap();
        std::thread::sleep(Duration::from_millis(2100));
        let new = book.claim("other", LEASE).unwrap().unwrap();
        assert!(matches!(book.change(&old, &[key(1)], &[]), Err(Error::LostLease(_))));
        assert!(matches!(book.renew(&old, LEASE), Err(Error::LostLease(_))));
        book.change(&new, &[key(1)], &[]).unwrap();
    }

    #[test]
    fn what_fails_often_waits_for_somebody() {
        let folder = tempfile::tempdir().unwrap();
        let book = Plain::at(folder.path());
        book.add("a", "/a", "").unwrap();
        for _ in 0..MOST_FAILURES {
            let claim = book.claim("w", LEASE).unwrap().unwrap();
            book.fail(&claim, "no such host").unwrap();
        }
        assert!(book.claim("w", LEASE).unwrap().is_none());
        assert_eq!(book.repositories().unwrap()[0].trouble, "no such host");
        assert_eq!(book.queue(&[]).unwrap(), 1);
        assert!(book.claim("w", LEASE).unwrap().is_some());
    }
}

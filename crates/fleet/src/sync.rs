//! A worker: takes a lease, pulls a repository, parses and encodes what changed, and brings the
//! engine in line.
//!
//! A repository is first indexed on this machine as any folder is, so parses and vectors of files
//! that it has seen before are reused. Then the catalogue says which files are new and which are
//! gone, and the engine is written batch by batch, each of which is whole when it is settled.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::RangeInclusive;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use wherein_corpus::Language;
use wherein_encoder::Model;
use wherein_engine::index::counts::{Counts, Totals};
use wherein_engine::index::settings::parse_key;
use wherein_engine::index::vectors::segment::Doc;
use wherein_engine::{Settings, Snapshot, Store as Indexes, encode, refresh};

use crate::catalogue::{Catalogue, Claim, Done, Holders, Repository};
use crate::counting;
use crate::error::{Error, Result};
use crate::linking;
use crate::milvus::Store;
use crate::milvus::schema::Nearest;
use crate::pull;
use crate::record::{Key, Record};

/// Files that are settled at once: what is in memory and on the wire is no more than that, however
/// large a repository is.
const BATCH: usize = 64;

/// How long the engine may take for one call, whatever the patience: below it a call is not lost but slow,
/// above it nobody should be kept waiting without a word.
const CALL: RangeInclusive<Duration> = Duration::from_secs(5)..=Duration::from_secs(120);

/// Chunks of a repository that nobody has counted yet.
const USUAL_CHUNKS: u64 = 1000;

/// What a worker works with.
pub struct Worker<'w> {
    /// The repositories.
    pub catalogue: &'w dyn Catalogue,
    /// The engine.
    pub store: &'w Store,
    /// Makes vectors.
    pub model: &'w Model,
    /// Where clones and indexes of this machine are kept.
    pub folder: PathBuf,
    /// What it is called in the catalogue.
    pub name: String,
    /// How the engine is to find near vectors; by the size of the fleet unless given.
    pub nearest: Option<Nearest>,
    /// How long a lease lasts that nobody renews.
    pub lease: Duration,
    /// How long to wait for an engine that does not answer. Half of it is the time of one call, so that
    /// what was lost on the way is asked for a second time, by another connection.
    pub patience: Duration,
    /// Told about everything that happens.
    pub tell: &'w (dyn Fn(&Event) + Sync),
}

/// What happens while a worker works.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Event {
    /// A repository was claimed.
    Began(String),
    /// So many files of a repository are in the engine, of so many that changed.
    Wrote(String, usize, usize),
    /// A repository is in the engine as it is.
    Ended(String, Work),
    /// A repository could not be brought up to date, and why.
    Failed(String, String),
    /// Something that whoever keeps the fleet should know.
    Noted(String),
    /// The engine or the catalogue does not answer; it is tried again.
    Waiting(String),
}

/// What one sync did.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Work {
    /// Files of the repository.
    pub files: usize,
    /// Files that are new to it, or of which the engine had lost something.
    pub added: usize,
    /// Files that are gone from it.
    pub removed: usize,
    /// Texts that went through the model.
    pub encoded: usize,
}

impl Worker<'_> {
    /// Works until nothing waits. Says how many repositories were brought up to date.
    pub fn run(&self) -> Result<usize> {
        self.store.give_up_after((self.patience / 2).clamp(*CALL.start(), *CALL.end()));
        let nearest = match self.nearest {
            Some(nearest) => nearest,
            None => Nearest::of(self.patiently(&|| self.expected())?),
        };
        if let Some(told) = self.patiently(&|| self.store.prepare(nearest))? {
            (self.tell)(&Event::Noted(told));
        }
        let mut done = 0;
        while let Some(claim) = self.patiently(&|| self.catalogue.claim(&self.name, self.lease))? {
            let name = claim.repository.name.clone();
            (self.tell)(&Event::Began(name.clone()));
            match self.leased(&claim) {
                Ok(work) => {
                    done += 1;
                    (self.tell)(&Event::Ended(name, work));
                }
                // None of these is the repository's own fault.
                Err(
                    error @ (Error::Unreachable { .. }
                    | Error::Untrusted { .. }
                    | Error::Catalogue(_)),
                ) => {
                    let _ = self.catalogue.give_back(&claim);
                    return Err(error);
                }
                Err(error @ Error::LostLease(_)) => {
                    (self.tell)(&Event::Failed(name, error.to_string()));
                }
                Err(error) => {
                    self.patiently(&|| self.catalogue.fail(&claim, &error.to_string()))?;
                    (self.tell)(&Event::Failed(name, error.to_string()));
                }
            }
        }
        Ok(done)
    }

    /// How many chunks the fleet has, or will have once every repository is in the engine.
    fn expected(&self) -> Result<u64> {
        let chunks = |it: Repository| match it.totals.chunks {
            0 => USUAL_CHUNKS,
            known => known,
        };
        Ok(self.catalogue.repositories()?.into_iter().map(chunks).sum())
    }

    /// Does a claim's work while its lease is renewed.
    fn leased(&self, claim: &Claim) -> Result<Work> {
        // If it fails, the next change finds out.
        let renew = || drop(self.catalogue.renew(claim, self.lease));
        while_renewed(&renew, self.lease / 3, || match claim.leaving {
            true => self.leave(claim),
            false => self.sync(claim),
        })
    }

    fn sync(&self, claim: &Claim) -> Result<Work> {
        let pulled = pull::pull(&claim.repository, &self.folder.join("clones"))?;
        let place = Indexes::at(self.folder.join("index")).tree(&pulled.root);
        let settings = Settings::default();
        refresh(&place, &settings, &|_, _| {})?;
        let encoding = encode(&place, self.model, &|_, _| {}, &|| true)?;
        let files = Files { snapshot: Snapshot::open(&place)?, settings, model: self.model };
        let wanted = files.keys();
        let held: BTreeSet<Key> =
            self.patiently(&|| self.catalogue.held(claim.repository.id))?.into_iter().collect();
        let added = self.added(claim, &files, &wanted, &held)?;
        let removed: Vec<Key> = held.into_iter().filter(|key| !wanted.contains_key(key)).collect();
        let mut at_hand = |key: Key| match wanted.get(&key) {
            Some(&position) => files.record(position).map(Some),
            None => Ok(None),
        };
        let mut wrote = 0;
        for batch in added.chunks(BATCH) {
            self.patiently(&|| self.catalogue.change(claim, batch, &[]))?;
            self.settle(claim, &mut at_hand)?;
            wrote += batch.len();
            let name = claim.repository.name.clone();
            (self.tell)(&Event::Wrote(name, wrote, added.len()));
        }
        self.patiently(&|| self.catalogue.change(claim, &[], &removed))?;
        self.settle(claim, &mut at_hand)?;
        self.finish(claim, &files, &wanted)?;
        let (added, removed) = (added.len(), removed.len());
        Ok(Work { files: wanted.len(), added, removed, encoded: encoding.encoded })
    }

    /// The files that are to be written: those the repository did not hold, and those it does of
    /// which the engine lost something since, as one does that is set back to an older state.
    fn added(
        &self,
        claim: &Claim,
        files: &Files,
        wanted: &BTreeMap<Key, usize>,
        held: &BTreeSet<Key>,
    ) -> Result<Vec<Key>> {
        let (there, new): (Vec<_>, Vec<_>) = wanted.iter().partition(|(key, _)| held.contains(key));
        let chunks = |position: usize| files.snapshot.manifest.files[position].chunks;
        let there: Vec<(Key, u32)> = there.iter().map(|&(key, at)| (*key, chunks(*at))).collect();
        let mut added = self.patiently(&|| self.store.lacking(claim.repository.id, &there))?;
        added.extend(new.into_iter().map(|(key, _)| *key));
        Ok(added)
    }

    /// Writes what is known of the repository as a whole: how often each word stands where, and
    /// what imports say of its files.
    fn finish(&self, claim: &Claim, files: &Files, keys: &BTreeMap<Key, usize>) -> Result<()> {
        let (counts, links) = (Counts::of(&files.snapshot)?, files.snapshot.links()?);
        let revision = files.snapshot.manifest.revision.as_ref();
        let revision = revision.and_then(|it| it.commit.clone()).unwrap_or_default();
        let totals = Totals { files: keys.len() as u64, ..counts.totals };
        let done = Done { revision, totals };
        let (id, before) = (claim.repository.id, claim.repository.totals.files);
        let write = || {
            counting::write(self.store, id, &counts)?;
            linking::write(self.store, id, before, keys, links)
        };
        self.patiently(&|| self.catalogue.finish(claim, &done, &mut || write()))
    }

    /// Takes everything of a repository out of the engine that nobody else holds.
    fn leave(&self, claim: &Claim) -> Result<Work> {
        let id = claim.repository.id;
        let held = self.patiently(&|| self.catalogue.held(id))?;
        self.patiently(&|| self.catalogue.change(claim, &[], &held))?;
        self.settle(claim, &mut |_| Ok(None))?;
        let mut owners = counting::owners(id);
        owners.extend(linking::owners(id, claim.repository.totals.files));
        let forget = || self.store.delete_owners(&owners);
        self.patiently(&|| self.catalogue.finish(claim, &Done::default(), &mut || forget()))?;
        Ok(Work { removed: held.len(), ..Work::default() })
    }

    /// Settles everything that this repository made unsettled, now or before a worker died.
    fn settle(
        &self,
        claim: &Claim,
        at_hand: &mut dyn FnMut(Key) -> Result<Option<Record>>,
    ) -> Result<()> {
        let mut since = None;
        loop {
            let mut apply = |holders: &Holders| self.store.apply(holders, at_hand);
            match self.catalogue.settle(claim, BATCH, &mut apply) {
                Ok(0) => return Ok(()),
                Ok(_) => since = None,
                Err(error) => self.wait(error, &mut since)?,
            }
        }
    }

    /// Tries again, while the engine or the catalogue does not answer.
    fn patiently<T>(&self, work: &dyn Fn() -> Result<T>) -> Result<T> {
        let mut since = None;
        loop {
            match work() {
                Err(error) => self.wait(error, &mut since)?,
                done => return done,
            }
        }
    }

    /// Waits a little, if it is worth it. `since` is when the waiting began: when the engine fell silent,
    /// or when something failed first.
    fn wait(&self, error: Error, since: &mut Option<Instant>) -> Result<()> {
        const PAUSE: Duration = Duration::from_millis(500);
        let silent = || match error {
            Error::Unreachable { .. } => self.store.silent_since(),
            _ => None,
        };
        let began = *since.get_or_insert_with(|| silent().unwrap_or_else(Instant::now));
        let is_passing = matches!(error, Error::Unreachable { .. } | Error::Catalogue(_));
        if !is_passing || began.elapsed() >= self.patience {
            return Err(error);
        }
        (self.tell)(&Event::Waiting(error.to_string()));
        std::thread::sleep(PAUSE);
        Ok(())
    }
}

/// Does some work while another thread renews the lease on it.
fn while_renewed<T>(renew: &(dyn Fn() + Sync), every: Duration, work: impl FnOnce() -> T) -> T {
    const LOOK: Duration = Duration::from_millis(100);
    let has_ended = AtomicBool::new(false);
    std::thread::scope(|scope| {
        scope.spawn(|| {
            let mut next = Instant::now() + every;
            while !has_ended.load(Ordering::Relaxed) {
                std::thread::sleep(LOOK);
                if Instant::now() >= next {
                    renew();
                    next = Instant::now() + every;
                }
            }
        });
        let _ends = Ends(&has_ended);
        work()
    })
}

/// Says that work has ended, however it did: were it silent when work breaks off, the lease would be
/// renewed for ever, and the process would wait for that.
struct Ends<'e>(&'e AtomicBool);

impl Drop for Ends<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

/// The files of a repository that is indexed on this machine.
struct Files<'m> {
    snapshot: Snapshot,
    settings: Settings,
    model: &'m Model,
}

impl Files<'_> {
    fn keys(&self) -> BTreeMap<Key, usize> {
        let key = |(position, file): (usize, &wherein_engine::index::manifest::FileEntry)| {
            let language = Language::named(&file.language).unwrap_or_else(Language::other);
            let parse = parse_key(file.content, language, self.settings.chunk);
            (Key::of(&file.path, parse, self.model.id()), position)
        };
        self.snapshot.manifest.files.iter().enumerate().map(key).collect()
    }

    fn record(&self, position: usize) -> Result<Record> {
        let file = &self.snapshot.manifest.files[position];
        let changed = || Error::Pull {
            name: file.path.clone(),
            why: "the file changed while it was read; the next sync takes it".to_owned(),
        };
        let text = self.snapshot.indexed_text(file).ok_or_else(changed)?;
        let vectors = self.snapshot.vectors(self.model)?;
        let codes = |chunk: u32| {
            let rows = vectors.rows(Doc { file: file.id, chunk });
            rows.map(|row| (row.code.bytes, row.code.scale)).collect()
        };
        Ok(Record {
            path: file.path.clone(),
            content: file.content.0,
            language: file.language.clone(),
            text: text.to_string(),
            parsed: self.snapshot.parse_of(file)?,
            codes: (0..file.chunks).map(codes).collect(),
        })
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicUsize;
    use std::sync::mpsc::{self, RecvTimeoutError};

    use super::*;

    #[test]
    fn a_lease_is_renewed_while_there_is_work() {
        let renewed = AtomicUsize::new(0);
        let renew = || {
            renewed.fetch_add(1, Ordering::Relaxed);
        };
        let work = || {
            let begun = Instant::now();
            while renewed.load(Ordering::Relaxed) < 2 && begun.elapsed() < Duration::from_secs(20) {
                std::thread::sleep(Duration::from_millis(10));
            }
            7
        };
        assert_eq!(while_renewed(&renew, Duration::from_millis(1), work), 7);
        assert!(renewed.load(Ordering::Relaxed) >= 2);
    }

    #[test]
    fn work_that_breaks_off_is_not_waited_for() {
        let (ends, ended) = mpsc::channel::<()>();
        std::thread::spawn(move || {
            let _ends = ends;
            let broken = || assert!(std::env::args().count() == 0, "to be seen in the output");
            while_renewed(&|| {}, Duration::from_millis(1), broken);
        });
        let seen = ended.recv_timeout(Duration::from_secs(20));
        assert_eq!(seen, Err(RecvTimeoutError::Disconnected));
    }
}

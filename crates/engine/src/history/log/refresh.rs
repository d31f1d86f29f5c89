//! From commits that are not known yet to a published log.
//!
//! Commits are read newest first, in batches, and each batch is published when it is done: a killed
//! process loses one batch at most, and the next goes on from there.

use std::collections::HashSet;
use std::fs;

use gix::ObjectId;
use rayon::prelude::*;

use crate::error::{Error, Result};
use crate::history::log::batch::{self, Batch, Kept};
use crate::history::log::manifest::{LogManifest, place};
use crate::history::log::record::Record;
use crate::history::log::words::{self, Words};
use crate::history::repository::{Git, Repository};
use crate::index::directory::Published;
use crate::index::private;
use crate::index::refresh::{Progress, seal};
use crate::index::store::TreePlace;

/// Commits that are read and published together.
const BATCH: usize = 4096;

/// Files of commits beyond which they are made into one.
const MOST_BATCHES: usize = 24;

/// What a refresh did.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LogWork {
    /// Commits that were read.
    pub read: usize,
    /// Commits that no longer lead to the tip.
    pub dropped: usize,
}

/// Brings the log of a tree's repository up to date and publishes it.
///
/// Fails with [`Error::Busy`] if another process is at it; what is published stays readable.
pub fn refresh(tree: &TreePlace, progress: Progress) -> Result<LogWork> {
    let repository = Repository::around(&tree.root)?;
    let place = place(tree);
    private::create_folders(&place.segments()).map_err(Error::write(place.segments()))?;
    let lock = place.lock_file(&place.folder.join("lock"))?;
    let git = repository.git();
    let known = known(&place, &git)?;
    let manifest = known.unwrap_or_else(|| LogManifest::blank(&git, lock.taken as u64));
    if manifest.is_fresh(&git)? {
        return Ok(LogWork::default());
    }
    Refresh { place: &place, repository: &repository, git: &git, progress }.run(manifest)
}

/// What is published, if it is of this repository and whole.
fn known(place: &TreePlace, git: &Git) -> Result<Option<LogManifest>> {
    let checked = LogManifest::load(place).and_then(|manifest| {
        batches(place, &manifest)?;
        words::open_sealed(&place.segments(), &manifest.meta, &manifest.seals)?;
        Ok(manifest)
    });
    match checked {
        // Half of the commits lead nowhere any more: numbering anew is cheaper than carrying them.
        Ok(manifest) if manifest.dead.len() * 2 > manifest.total as usize + 1000 => Ok(None),
        Ok(manifest) => Ok(Some(manifest).filter(|manifest| manifest.is_of(git))),
        Err(Error::Missing(_) | Error::Damaged { .. } | Error::Lexical(_)) => Ok(None),
        Err(error) => Err(error),
    }
}

fn published(manifest: &LogManifest) -> Published<'_> {
    Published { meta: &manifest.meta, seals: &manifest.seals }
}

fn batches(place: &TreePlace, manifest: &LogManifest) -> Result<Vec<Batch>> {
    let folder = place.folder.join("commits");
    let open = |seal| Batch::open(&folder, seal, manifest.hash_bytes as usize);
    manifest.batches.iter().map(open).collect()
}

struct Refresh<'r> {
    place: &'r TreePlace,
    repository: &'r Repository,
    git: &'r Git,
    progress: Progress<'r>,
}

/// What there is to do.
struct Plan {
    /// Commits to read, newest first.
    unknown: Vec<ObjectId>,
    /// Numbers of known commits that are not needed.
    dead: Vec<u32>,
    /// How many commits lead to the tip.
    total: usize,
}

impl Refresh<'_> {
    fn run(&self, mut manifest: LogManifest) -> Result<LogWork> {
        let batches = batches(self.place, &manifest)?;
        let Some(tip) = self.git.head()? else {
            return self.empty(manifest);
        };
        let plan = self.plan(&manifest, &batches, tip)?;
        let work = LogWork {
            read: plan.unknown.len(),
            dropped: plan.dead.len().saturating_sub(manifest.dead.len()),
        };
        manifest.tip = Some(tip.to_string());
        (manifest.total, manifest.complete) = (plan.total as u32, false);
        (manifest.dead, manifest.boundary) = (plan.dead, self.git.boundary());
        let next = batches.iter().map(Batch::count).sum();
        manifest.meta = self.read(&mut manifest, &plan.unknown, next)?;
        self.finish(manifest)?;
        Ok(work)
    }

    /// Reads commits and publishes them batch by batch, numbered from `next` on; the list of segments
    /// after the last.
    fn read(
        &self,
        manifest: &mut LogManifest,
        unknown: &[ObjectId],
        mut next: u32,
    ) -> Result<String> {
        let (segments, commits) = (self.place.segments(), self.place.folder.join("commits"));
        let failed = || Error::write_text(&segments);
        let mut words = Words::open(&segments, published(manifest)).map_err(failed())?;
        let total = manifest.total as usize;
        let mut done = total - unknown.len();
        for ids in unknown.chunks(BATCH) {
            let records = self.records(ids)?;
            for (number, record) in (next..).zip(&records) {
                words.add(number, record).map_err(failed())?;
            }
            let kept: Vec<Kept> = records.iter().map(Kept::from).collect();
            manifest.batches.push(batch::write(&commits, &kept)?);
            manifest.meta = words.commit().map_err(failed())?;
            manifest.seals = seal(&segments, &manifest.meta, &manifest.seals)?;
            manifest.publish(self.place)?;
            next += ids.len() as u32;
            done += ids.len();
            (self.progress)(done, total);
        }
        drop(words);
        Words::merged(&segments, published(manifest)).map_err(failed())
    }

    fn finish(&self, mut manifest: LogManifest) -> Result<()> {
        manifest.seals = seal(&self.place.segments(), &manifest.meta, &manifest.seals)?;
        if manifest.batches.len() > MOST_BATCHES {
            manifest.batches = vec![self.as_one(&manifest)?];
        }
        manifest.complete = true;
        manifest.publish(self.place)?;
        self.tidy(&manifest);
        Ok(())
    }

    /// A repository without a commit has a log without one.
    fn empty(&self, manifest: LogManifest) -> Result<LogWork> {
        let segments = self.place.segments();
        let meta = Words::merged(&segments, Published { meta: "", seals: &[] })
            .map_err(Error::write_text(&segments))?;
        let blank = LogManifest::blank(self.git, manifest.generation + 1);
        self.finish(LogManifest { meta, ..blank })?;
        Ok(LogWork::default())
    }

    /// Where the last tip leads to the new one only what lies between them is walked; else everything.
    fn plan(&self, manifest: &LogManifest, batches: &[Batch], tip: ObjectId) -> Result<Plan> {
        let find = |id: &gix::oid| -> Option<u32> {
            let mut base = 0;
            for batch in batches {
                match batch.find(id) {
                    Some(at) => return Some(base + at),
                    None => base += batch.count(),
                }
            }
            None
        };
        let is_continued = manifest.complete && manifest.boundary == self.git.boundary();
        let last = manifest.tip.as_ref().and_then(|tip| ObjectId::from_hex(tip.as_bytes()).ok());
        if is_continued && let Some(last) = last {
            let passed = std::cell::Cell::new(false);
            let unknown = self.git.ancestors(tip, |id| {
                passed.set(passed.get() || *id == *last);
                find(id).is_none_or(|number| manifest.dead.contains(&number))
            })?;
            if passed.get() && unknown.iter().all(|id| find(id).is_none()) {
                let total = manifest.total as usize + unknown.len();
                return Ok(Plan { unknown, dead: manifest.dead.clone(), total });
            }
        }
        let all = self.git.ancestors(tip, |_| true)?;
        let needed: HashSet<u32> = all.iter().filter_map(|id| find(id)).collect();
        let count: u32 = batches.iter().map(Batch::count).sum();
        Ok(Plan {
            total: all.len(),
            dead: (0..count).filter(|number| !needed.contains(number)).collect(),
            unknown: all.into_iter().filter(|id| find(id).is_none()).collect(),
        })
    }

    fn records(&self, ids: &[ObjectId]) -> Result<Vec<Record>> {
        ids.par_iter()
            .with_min_len(64)
            .map_init(|| self.repository.git(), |git, &id| Record::of(git, id))
            .collect()
    }

    /// Writes many small files of commits as one. Numbers stay what they are.
    fn as_one(&self, manifest: &LogManifest) -> Result<crate::index::manifest::Seal> {
        let batches = batches(self.place, manifest)?;
        let all =
            batches.iter().flat_map(|it| (0..it.count() as usize).filter_map(|at| it.kept(at)));
        batch::write(&self.place.folder.join("commits"), &all.collect::<Vec<Kept>>())
    }

    /// Removes files that the manifest does not name.
    fn tidy(&self, manifest: &LogManifest) {
        let named: HashSet<&str> =
            manifest.seals.iter().chain(&manifest.batches).map(|it| it.name.as_str()).collect();
        for folder in [self.place.segments(), self.place.folder.join("commits")] {
            for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
                if !named.contains(entry.file_name().to_string_lossy().as_ref()) {
                    let _ = fs::remove_file(entry.path());
                }
            }
        }
    }
}

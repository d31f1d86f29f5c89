//! From a tree on disk to a published snapshot, doing only the work that changes ask for.
//!
//! A file whose stamp is unchanged is not opened. One whose content is known, in this tree or
//! any other, is not parsed. What is left is read, parsed and tokenized on every core, and the
//! result becomes visible in one step, when the manifest is replaced. A large tree is published
//! portion by portion, each counting the files it is behind with: a process that is killed or has
//! no more time loses one portion, and the next goes on from there.

mod packs;
mod plan;
mod portion;
mod segments;

use std::collections::HashMap;
use std::fs;
use std::path::Path;
use std::sync::atomic::AtomicUsize;
use std::sync::{Mutex, MutexGuard};

use wherein_corpus::{Found, Language, Stamp};

use crate::error::{Error, Result};
use crate::graph::facts::Facts;
use crate::index::library;
use crate::index::linking;
use crate::index::manifest::{FileEntry, Manifest};
use crate::index::settings::Settings;
use crate::index::source::Look;
use crate::index::store::{TreePlace, WriterLock};
use crate::index::vectors::encode::GoOn;

use plan::{Plan, fall_behind, gone, sort_out};
pub(crate) use segments::seal;

/// Is told how far the work is: files done, files to do.
pub type Progress<'p> = &'p (dyn Fn(usize, usize) + Sync);

/// How far a refresh may go.
#[derive(Clone, Copy)]
pub struct Bounds<'b> {
    /// Is asked between two portions whether there is time for another. A tree without an index
    /// is indexed whole, whatever it says: there is nothing else to answer from.
    pub go_on: Option<GoOn<'b>>,
    /// Bytes of memory that may be used, roughly; see docs/durability.md.
    pub memory: usize,
}

impl Default for Bounds<'_> {
    fn default() -> Self {
        Bounds { go_on: None, memory: MEMORY }
    }
}

/// Bytes of memory that may be used if nobody says: enough for every core of a laptop.
pub const MEMORY: usize = 1 << 30;

/// The least that makes sense: below, it would only be slower.
pub const LEAST_MEMORY: usize = 128 << 20;

/// What a refresh did.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Work {
    /// Files whose content was read.
    pub read: usize,
    /// Files parsed because no parse of their content was known.
    pub parsed: usize,
    /// Files added to the index or replaced in it.
    pub indexed: usize,
    /// Files taken out of it.
    pub removed: usize,
    /// Files that there was no time to read.
    pub behind: usize,
    /// Why everything was indexed anew, if it was.
    pub rebuilt: Option<String>,
}

/// Brings the index of a tree up to date and publishes it.
///
/// Fails with [`Error::Busy`] if another process is at it; the last snapshot stays readable.
pub fn refresh(place: &TreePlace, settings: &Settings, progress: Progress) -> Result<Work> {
    refresh_within(place, settings, progress, Bounds::default())
}

/// The same, within bounds.
pub fn refresh_within(
    place: &TreePlace,
    settings: &Settings,
    progress: Progress,
    bounds: Bounds,
) -> Result<Work> {
    check_root(&place.root)?;
    let lock = place.lock()?;
    let (known, rebuilt) = known(place, settings)?;
    let look = known.as_ref().map_or(Look::Blind, |known| place.source.look(known));
    let stamps = match look {
        Look::Fresh => return Ok(Work::default()),
        Look::Same(stamps) => Some(stamps),
        Look::Blind => None,
    };
    let (done, facts) = (AtomicUsize::new(0), Mutex::default());
    let refresh = Refresh { place, settings, progress, bounds, lock, known, stamps, done, facts };
    let mut work = refresh.run()?;
    work.rebuilt = rebuilt;
    Ok(work)
}

fn check_root(root: &Path) -> Result<()> {
    fs::read_dir(root).map(drop).map_err(|source| Error::Root { path: root.to_owned(), source })
}

/// The published manifest if it can be built upon, or why it cannot.
fn known(place: &TreePlace, settings: &Settings) -> Result<(Option<Manifest>, Option<String>)> {
    match crate::index::snapshot::Snapshot::open(place) {
        Ok(snapshot) if snapshot.manifest.settings == settings.digest() => {
            Ok((Some(snapshot.manifest), None))
        }
        Ok(_) => Ok((None, Some("the settings or the program changed".to_owned()))),
        Err(Error::Missing(_)) => Ok((place.source.seed(place, settings.digest()), None)),
        Err(error @ (Error::Damaged { .. } | Error::Lexical(_))) => {
            Ok((None, Some(error.to_string())))
        }
        Err(error) => Err(error),
    }
}

/// After the plan is made the files of before are asked for by who links, and only for the links they
/// had. What was killed on its way has none yet: of a large tree they are a fifth of all memory.
fn forget_unlinked(known: Option<&mut Manifest>) {
    if let Some(known) = known.filter(|it| it.links.is_none()) {
        (known.files, known.skipped) = (Vec::new(), Vec::new());
    }
}

struct Refresh<'r> {
    place: &'r TreePlace,
    settings: &'r Settings,
    progress: Progress<'r>,
    bounds: Bounds<'r>,
    lock: WriterLock,
    known: Option<Manifest>,
    /// What the files of that look like now, if none came or went.
    stamps: Option<Vec<Stamp>>,
    done: AtomicUsize,
    /// What the imports of the files just indexed say, by file id.
    facts: Mutex<HashMap<u32, Facts>>,
}

/// Files between two looks at the time.
const SMALL_PORTION: usize = 500;

/// Bytes of memory for each file of a portion: its entry, its facts, its share of the rest.
const PER_FILE: usize = 16 << 10;

impl Refresh<'_> {
    fn run(mut self) -> Result<Work> {
        let (mut known, stamps) = (self.known.take(), self.stamps.take());
        std::thread::scope(|scope| {
            // Asked while we read: git takes as long for its look at the tree as we do for ours.
            let revision = scope.spawn(|| {
                let index = self.place.source.git_index();
                (self.place.source.revision(), index)
            });
            let mut manifest = self.blank(known.as_ref());
            let plan = self.plan(&mut manifest, known.as_ref(), stamps)?;
            forget_unlinked(known.as_mut());
            let gone = gone(&plan);
            let mut work = Work { removed: gone.len(), ..Work::default() };
            let left = self.index(&mut manifest, known.as_ref(), plan, &gone, &mut work)?;
            work.behind = left;
            (manifest.revision, manifest.git_index) = revision.join().unwrap_or_default();
            self.finish(manifest, known.as_ref())?;
            Ok(work)
        })
    }

    fn facts(&self) -> MutexGuard<'_, HashMap<u32, Facts>> {
        self.facts.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
    }

    /// A manifest of no files over what is there of the full text and the packs.
    fn blank(&self, known: Option<&Manifest>) -> Manifest {
        Manifest {
            root: self.place.root.to_string_lossy().into_owned(),
            settings: self.settings.digest(),
            generation: known.map_or(self.lock.taken as u64, |known| known.generation),
            next_id: known.map_or(0, |known| known.next_id),
            files: Vec::new(),
            skipped: Vec::new(),
            watched: Vec::new(),
            packs: known.map(|known| known.packs.clone()).unwrap_or_default(),
            meta: known.map(|known| known.meta.clone()).unwrap_or_default(),
            seals: known.map(|known| known.seals.clone()).unwrap_or_default(),
            behind: 0,
            revision: None,
            git_index: None,
            links: None,
            symbols: None,
        }
    }

    /// Lists the tree and enters what needs no reading into the manifest. If no folder changed, no
    /// file came or went, and there is no need to walk.
    fn plan(
        &self,
        manifest: &mut Manifest,
        known: Option<&Manifest>,
        stamps: Option<Vec<Stamp>>,
    ) -> Result<Plan> {
        if let (Some(known), Some(stamps)) = (known, stamps) {
            return Ok(self.plan_of_same_list(manifest, known, stamps));
        }
        let walked = self.place.source.walk(&self.settings.walk, known);
        let walk =
            walked.map_err(|source| Error::Root { path: self.place.root.clone(), source })?;
        (manifest.skipped, manifest.watched) = (walk.skipped, walk.watched);
        Ok(sort_out(known, walk.files, manifest))
    }

    fn plan_of_same_list(
        &self,
        manifest: &mut Manifest,
        known: &Manifest,
        stamps: Vec<Stamp>,
    ) -> Plan {
        manifest.skipped = known.skipped.clone();
        manifest.watched = known.watched.clone();
        let mut plan = Plan { before: HashMap::new(), changed: Vec::new() };
        for (file, stamp) in known.files.iter().zip(stamps) {
            if file.settled && file.stamp == stamp {
                manifest.files.push(file.clone());
                continue;
            }
            let path = file.path.clone();
            let language = Language::of_path(Path::new(&path), &self.settings.walk.overrides);
            plan.before.insert(path.clone(), file.clone());
            plan.changed.push(Found { path, stamp, language });
        }
        plan
    }

    /// Reads, parses and indexes what changed, and takes out what is gone or replaced, portion by
    /// portion. Says how many files there was no time for.
    fn index(
        &self,
        manifest: &mut Manifest,
        known: Option<&Manifest>,
        mut plan: Plan,
        gone: &[u32],
        work: &mut Work,
    ) -> Result<usize> {
        if plan.changed.is_empty() && gone.is_empty() && !manifest.meta.is_empty() {
            return Ok(0);
        }
        if known.is_some() {
            // A writer that was killed may have left files of the very names this one will use. What
            // cannot be built upon stays until it is replaced: it may still answer.
            segments::tidy(&self.place.segments(), manifest);
        }
        let total = plan.changed.len();
        let mut left = plan.changed;
        let mut gone = gone;
        loop {
            let rest = left.split_off(self.portion(known).min(left.len()));
            let portion = std::mem::replace(&mut left, rest);
            self.index_portion(manifest, portion, &mut plan.before, gone, total, work)?;
            gone = &[];
            let is_late = || self.go_on(known).is_some_and(|go_on| !go_on());
            if left.is_empty() || is_late() {
                break;
            }
            if self.go_on(known).is_none() {
                self.publish_so_far(manifest, &left, &plan.before)?;
            }
        }
        fall_behind(manifest, &left, &plan.before);
        Ok(left.len())
    }

    /// Who is asked whether there is time, if anyone. What never changes has no older state to
    /// answer from: what it begins with is that of other files.
    fn go_on(&self, known: Option<&Manifest>) -> Option<GoOn<'_>> {
        self.bounds.go_on.filter(|_| known.is_some() && self.place.source.may_change())
    }

    /// Files that are indexed between two looks at the time, or two publications.
    fn portion(&self, known: Option<&Manifest>) -> usize {
        let most = self.bounds.memory.max(LEAST_MEMORY) / 4 / PER_FILE;
        if self.go_on(known).is_some() { SMALL_PORTION } else { most }
    }

    /// Publishes a tree that is indexed only in part, so that a process which is killed now has
    /// not worked for nothing.
    fn publish_so_far(
        &self,
        manifest: &Manifest,
        left: &[Found],
        before: &HashMap<String, FileEntry>,
    ) -> Result<()> {
        let mut so_far = manifest.clone();
        fall_behind(&mut so_far, left, before);
        // What the imports say is read again from the packs, when all are there.
        self.facts().clear();
        self.settle_down(&mut so_far);
        let used = so_far.files.iter().map(|file| file.place.pack).collect();
        packs::keep_used(&mut so_far, &used)?;
        so_far.publish(self.place)
    }

    fn finish(&self, mut manifest: Manifest, known: Option<&Manifest>) -> Result<()> {
        self.settle_down(&mut manifest);
        packs::compact(self.place, self.settings, &mut manifest)?;
        let facts = std::mem::take(&mut *self.facts());
        linking::link(self.place, &mut manifest, known, facts)?;
        manifest.publish(self.place)?;
        self.tidy(&manifest);
        Ok(())
    }

    /// Puts a manifest into order. A stamp too young to prove anything gives way to one that
    /// nothing has, so that the next refresh looks again.
    fn settle_down(&self, manifest: &mut Manifest) {
        manifest.files.sort_unstable_by(|a, b| a.path.cmp(&b.path));
        manifest.skipped.sort_unstable_by(|a, b| a.path.cmp(&b.path));
        let watched = manifest.watched.iter_mut().filter_map(|it| it.stamp.as_mut());
        let skipped = manifest.skipped.iter_mut().filter_map(|it| it.stamp.as_mut());
        let all = watched.chain(skipped).chain(manifest.git_index.as_mut());
        for stamp in all.filter(|it| !it.is_settled(self.lock.taken)) {
            *stamp = Stamp::default();
        }
    }

    /// Removes segment files that no manifest names any more, and packs that no tree needs.
    fn tidy(&self, manifest: &Manifest) {
        segments::tidy(&self.place.segments(), manifest);
        linking::tidy(self.place, manifest);
        library::tidy(self.place, manifest, self.lock.taken);
    }
}

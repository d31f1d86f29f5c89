//! From a tree on disk to a published snapshot, doing only the work that changes ask for.
//!
//! A file whose stamp is unchanged is not opened. One whose content is known, in this tree or
//! any other, is not parsed. What is left is read, parsed and tokenized on every core, and the
//! result becomes visible in one step, when the manifest is replaced. A large tree is published
//! portion by portion, each counting the files it is behind with: a process that is killed or has
//! no more time loses one portion, and the next goes on from there.

use std::collections::{HashMap, HashSet};
use std::fs;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard};

use rayon::prelude::*;
use wherein_corpus::{Found, Language, Lines, Skipped, Stamp, Text, on_deep_stacks, parse};

use crate::error::{Error, Result};
use crate::graph::facts::Facts;
use crate::index::checked;
use crate::index::directory::Published;
use crate::index::lexical::{Effort, LexicalWriter};
use crate::index::library::{self, Library};
use crate::index::linking;
use crate::index::manifest::{FileEntry, Manifest, Seal};
use crate::index::pack::{self, Pack, PackWriter, Place};
use crate::index::settings::{Settings, parse_key};
use crate::index::source::Look;
use crate::index::store::{TreePlace, WriterLock};
use crate::index::vectors::encode::GoOn;

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

/// Stands for the pack under construction until it has its number.
const OWN_PACK: u32 = u32::MAX;

/// Files between two looks at the time.
const SMALL_PORTION: usize = 500;

/// A pack may have this much beside what is used of it.
const SLACK: u64 = 1 << 20;

/// Bytes of memory for each file of a portion: its entry, its facts, its share of the rest.
const PER_FILE: usize = 16 << 10;

/// What became of a file that looked new or changed.
enum Outcome {
    /// Same bytes as before under a new stamp.
    Unchanged(FileEntry),
    /// Indexed under a new id; what was parsed now is placed in [`OWN_PACK`].
    Indexed(FileEntry),
    Skipped(Skipped),
}

/// The files of a tree, sorted out.
struct Plan {
    /// The entries of files that have to be read, or are gone, as they were.
    before: HashMap<String, FileEntry>,
    /// What has to be read.
    changed: Vec<Found>,
}

impl Refresh<'_> {
    fn run(mut self) -> Result<Work> {
        let (known, stamps) = (self.known.take(), self.stamps.take());
        std::thread::scope(|scope| {
            // Asked while we read: git takes as long for its look at the tree as we do for ours.
            let revision = scope.spawn(|| {
                let index = self.place.source.git_index();
                (self.place.source.revision(), index)
            });
            let mut manifest = self.blank(known.as_ref());
            let plan = self.plan(&mut manifest, known.as_ref(), stamps)?;
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
            tidy_segments(&self.place.segments(), manifest);
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
        keep_used(&mut so_far, &used)?;
        so_far.publish(self.place)
    }

    fn finish(&self, mut manifest: Manifest, known: Option<&Manifest>) -> Result<()> {
        self.settle_down(&mut manifest);
        self.compact(&mut manifest)?;
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

    fn index_portion(
        &self,
        manifest: &mut Manifest,
        portion: Vec<Found>,
        before: &mut HashMap<String, FileEntry>,
        gone: &[u32],
        total: usize,
        work: &mut Work,
    ) -> Result<()> {
        let segments = self.place.segments();
        let effort = match portion.len() {
            0..=200 => Effort::Few,
            _ => Effort::Many { memory: self.bounds.memory.max(LEAST_MEMORY) / 4 },
        };
        let published = Published { meta: &manifest.meta, seals: &manifest.seals };
        let published = Some(published).filter(|it| !it.meta.is_empty());
        let lexical = LexicalWriter::open(&segments, published, effort)
            .map_err(Error::write_text(&segments))?;
        let library = Library::open(self.place, &manifest.packs, portion.len())?;
        let pack = Mutex::new(PackWriter::create(&self.place.store.parsed())?);
        let first_id = manifest.next_id;
        manifest.next_id += portion.len() as u32;
        work.read += portion.len();
        let take = |(n, found)| {
            let outcome = self.take(found, first_id + n as u32, before, &library, &lexical, &pack);
            (self.progress)(self.done.fetch_add(1, Ordering::Relaxed) + 1, total);
            outcome
        };
        let outcomes: Vec<Outcome> = on_deep_stacks(|| {
            portion.into_par_iter().enumerate().map(take).collect::<Result<_>>()
        })?;
        let replaced = self.settle(manifest, outcomes, before, pack, &library, work)?;
        gone.iter().chain(&replaced).for_each(|&id| lexical.remove(id));
        manifest.meta = lexical.commit().map_err(Error::write_text(&segments))?;
        manifest.seals = seal(&segments, &manifest.meta, &manifest.seals)?;
        Ok(())
    }

    fn take(
        &self,
        found: Found,
        id: u32,
        before: &HashMap<String, FileEntry>,
        library: &Library,
        lexical: &LexicalWriter,
        pack: &Mutex<PackWriter>,
    ) -> Result<Outcome> {
        let Found { path, stamp, language } = found;
        let Text { text, digest } = match self.place.read(&path, self.settings.walk.max_file_size) {
            Ok(text) => text,
            Err(reason) => {
                return Ok(Outcome::Skipped(Skipped { path, reason, stamp: Some(stamp) }));
            }
        };
        let language = language.refined(&text);
        let settled = stamp.is_settled(self.lock.taken);
        if let Some(old) = before.get(&path)
            && old.content == digest
            && old.language == language.name
        {
            return Ok(Outcome::Unchanged(FileEntry { stamp, settled, ..old.clone() }));
        }
        let lines = Lines::of(&text);
        let key = parse_key(digest, language, self.settings.chunk);
        let (parsed, place) = match library.find(key) {
            Some(known) => known,
            None => {
                let parsed = parse(&lines, language, self.settings.chunk);
                let bytes = pack::encode(&parsed);
                let mut pack = pack.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
                let (offset, length) = pack.add(key, &bytes)?;
                (parsed, Place { pack: OWN_PACK, offset, length })
            }
        };
        lexical
            .add(id, &path, &lines, &parsed, language)
            .map_err(Error::write_text(self.place.segments()))?;
        self.facts().insert(id, Facts::of(language.name, &parsed));
        let chunks = parsed.chunks.len() as u32;
        let language = language.name.to_owned();
        let entry =
            FileEntry { id, path, stamp, settled, content: digest, language, chunks, place };
        Ok(Outcome::Indexed(entry))
    }

    /// Enters the outcomes into the manifest. Returns the ids of what was replaced or left out.
    fn settle(
        &self,
        manifest: &mut Manifest,
        outcomes: Vec<Outcome>,
        before: &mut HashMap<String, FileEntry>,
        pack: Mutex<PackWriter>,
        library: &Library,
        work: &mut Work,
    ) -> Result<Vec<u32>> {
        let pack = pack.into_inner().unwrap_or_else(|poisoned| poisoned.into_inner());
        work.parsed += pack.count();
        manifest.packs = library.refs.clone();
        let own = manifest.packs.len() as u32;
        if pack.count() > 0 {
            manifest.packs.push(pack.finish()?);
        }
        let mut replaced = Vec::new();
        for outcome in outcomes {
            match outcome {
                Outcome::Unchanged(entry) => {
                    before.remove(&entry.path);
                    manifest.files.push(entry);
                }
                Outcome::Indexed(mut entry) => {
                    work.indexed += 1;
                    replaced.extend(before.remove(&entry.path).map(|old| old.id));
                    if entry.place.pack == OWN_PACK {
                        entry.place.pack = own;
                    }
                    manifest.files.push(entry);
                }
                Outcome::Skipped(skipped) => {
                    let old = before.remove(&skipped.path);
                    work.removed += usize::from(old.is_some());
                    replaced.extend(old.map(|old| old.id));
                    manifest.skipped.push(skipped);
                }
            }
        }
        Ok(replaced)
    }

    /// Rewrites a tree's smaller packs into one when they have become many. The largest stay as they
    /// are unless they are mostly other trees' work, so that an edit costs a few edits' bytes.
    fn compact(&self, manifest: &mut Manifest) -> Result<()> {
        const MOST_PACKS: usize = 12;
        const LARGE_PACKS: usize = 4;
        let mut live: HashMap<u32, u64> = HashMap::new();
        for file in &manifest.files {
            *live.entry(file.place.pack).or_default() += u64::from(file.place.length);
        }
        let used: HashSet<u32> = live.keys().copied().collect();
        if used.len() <= MOST_PACKS {
            return keep_used(manifest, &used);
        }
        let mut by_size: Vec<(u64, u32)> = live.into_iter().map(|(pack, it)| (it, pack)).collect();
        by_size.sort_unstable_by(|a, b| b.cmp(a));
        let is_mostly_ours = |(live, pack): &(u64, u32)| {
            manifest.packs[*pack as usize].stamp.size < 2 * live + SLACK
        };
        let large = by_size.into_iter().take(LARGE_PACKS).filter(is_mostly_ours);
        let large: HashSet<u32> = large.map(|(_, pack)| pack).collect();
        let folder = self.place.store.parsed();
        let mut opened: HashMap<u32, Pack> = HashMap::new();
        for pack in used.difference(&large) {
            opened.insert(*pack, Pack::open(&folder, &manifest.packs[*pack as usize])?);
        }
        let mut writer = PackWriter::create(&folder)?;
        let merged = manifest.packs.len() as u32;
        for file in &mut manifest.files {
            let Some(pack) = opened.get(&file.place.pack) else { continue };
            let record = pack.bytes(file.place.offset, file.place.length)?;
            let language = Language::named(&file.language).unwrap_or_else(Language::other);
            let key = parse_key(file.content, language, self.settings.chunk);
            let (offset, length) = writer.add(key, record)?;
            file.place = Place { pack: merged, offset, length };
        }
        manifest.packs.push(writer.finish()?);
        let used = manifest.files.iter().map(|file| file.place.pack).collect();
        keep_used(manifest, &used)
    }

    /// Removes segment files that no manifest names any more, and packs that no tree needs.
    fn tidy(&self, manifest: &Manifest) {
        tidy_segments(&self.place.segments(), manifest);
        linking::tidy(self.place, manifest);
        library::tidy(self.place, manifest, self.lock.taken);
    }
}

/// Enters the files whose stamps are unchanged; returns the others as they were, and what to read.
fn sort_out(known: Option<&Manifest>, found: Vec<Found>, manifest: &mut Manifest) -> Plan {
    let Some(known) = known else {
        return Plan { before: HashMap::new(), changed: found };
    };
    let mut before: HashMap<String, FileEntry> =
        known.files.iter().map(|file| (file.path.clone(), file.clone())).collect();
    let left_out: HashMap<&str, &Skipped> =
        known.skipped.iter().map(|skip| (skip.path.as_str(), skip)).collect();
    let mut changed = Vec::new();
    for file in found {
        let same = |entry: &FileEntry| {
            entry.settled && entry.stamp == file.stamp && file.language.may_be(&entry.language)
        };
        if before.get(&file.path).is_some_and(same) {
            manifest.files.extend(before.remove(&file.path));
        } else if let Some(skip) =
            left_out.get(file.path.as_str()).filter(|s| s.stamp == Some(file.stamp))
        {
            manifest.skipped.push((*skip).clone());
        } else {
            changed.push(file);
        }
    }
    Plan { before, changed }
}

/// Enters files that were not read into the manifest as they were; what is new stays out.
fn fall_behind(manifest: &mut Manifest, left: &[Found], before: &HashMap<String, FileEntry>) {
    manifest.behind = left.len() as u32;
    let old = left.iter().filter_map(|found| before.get(&found.path));
    manifest.files.extend(old.map(|entry| FileEntry { settled: false, ..entry.clone() }));
}

/// The ids of files that were there and are not.
fn gone(plan: &Plan) -> Vec<u32> {
    let present: HashSet<&str> = plan.changed.iter().map(|found| found.path.as_str()).collect();
    let gone = plan.before.values().filter(|entry| !present.contains(entry.path.as_str()));
    gone.map(|entry| entry.id).collect()
}

/// Drops packs no file of this tree points into and renumbers the rest.
fn keep_used(manifest: &mut Manifest, used: &HashSet<u32>) -> Result<()> {
    let mut renumbered = HashMap::new();
    let mut kept = Vec::new();
    for (number, pack) in manifest.packs.drain(..).enumerate() {
        if used.contains(&(number as u32)) {
            renumbered.insert(number as u32, kept.len() as u32);
            kept.push(pack);
        }
    }
    manifest.packs = kept;
    for file in &mut manifest.files {
        file.place.pack = renumbered[&file.place.pack];
    }
    Ok(())
}

/// Seals the files of the segments that `meta` lists; those sealed before stay as they are.
pub(crate) fn seal(folder: &Path, meta: &str, known: &[Seal]) -> Result<Vec<Seal>> {
    let known: HashMap<&str, &Seal> = known.iter().map(|it| (it.name.as_str(), it)).collect();
    let entries = fs::read_dir(folder).map_err(Error::write(folder))?;
    let mut seals = Vec::new();
    for entry in entries.flatten() {
        let name = entry.file_name().to_string_lossy().into_owned();
        if let Some(seal) = known.get(name.as_str()).filter(|_| belongs(&name, meta)) {
            seals.push((*seal).clone());
        } else if belongs(&name, meta) {
            let path = entry.path();
            let bytes = pack::map(&path).map_err(|error| Error::damaged(&path, error))?;
            let metadata = entry.metadata().map_err(Error::write(path))?;
            let sums = checked::sums(&bytes);
            seals.push(Seal { name, stamp: Stamp::of(&metadata), sums });
        }
    }
    seals.sort_unstable_by(|a, b| a.name.cmp(&b.name));
    Ok(seals)
}

/// Whether a segment file belongs to a segment that `meta` lists. Names start with its id.
pub(crate) fn belongs(name: &str, meta: &str) -> bool {
    let id = name.split('.').next().unwrap_or_default();
    id.len() == 32 && (meta.contains(id) || meta.contains(&dashed(id)))
}

/// `meta.json` writes segment ids as UUIDs, file names without the dashes.
fn dashed(id: &str) -> String {
    format!("{}-{}-{}-{}-{}", &id[..8], &id[8..12], &id[12..16], &id[16..20], &id[20..])
}

/// Removes files of the full-text index that the manifest does not name.
fn tidy_segments(folder: &Path, manifest: &Manifest) {
    let keep: HashSet<&str> = manifest.seals.iter().map(|seal| seal.name.as_str()).collect();
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        if !keep.contains(entry.file_name().to_string_lossy().as_ref()) {
            let _ = fs::remove_file(entry.path());
        }
    }
}

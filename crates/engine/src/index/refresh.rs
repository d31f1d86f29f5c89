//! From a tree on disk to a published snapshot, doing only the work that changes ask for.
//!
//! A file whose stamp is unchanged is not opened. One whose content is known, in this tree or
//! any other, is not parsed. What is left is read, parsed and tokenized on every core, and the
//! result becomes visible in one step, when the manifest is replaced.

use std::collections::{HashMap, HashSet};
use std::fs;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard};

use rayon::prelude::*;
use wherein_corpus::{
    Digest, Found, Language, Lines, Parsed, Skipped, Stamp, Text, Watched, on_deep_stacks, parse,
    worktree,
};

use crate::error::{Error, Result};
use crate::graph::facts::Facts;
use crate::index::lexical::{Effort, LexicalWriter};
use crate::index::linking;
use crate::index::manifest::{FileEntry, Manifest, Seal};
use crate::index::pack::{self, Pack, PackRef, PackWriter, Place};
use crate::index::settings::{Settings, parse_key};
use crate::index::store::{TreePlace, WriterLock};

/// Is told how far the work is: files done, files to do.
pub type Progress<'p> = &'p (dyn Fn(usize, usize) + Sync);

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
    /// Why everything was indexed anew, if it was.
    pub rebuilt: Option<String>,
}

/// Brings the index of a tree up to date and publishes it.
///
/// Fails with [`Error::Busy`] if another process is at it; the last snapshot stays readable.
pub fn refresh(place: &TreePlace, settings: &Settings, progress: Progress) -> Result<Work> {
    check_root(&place.root)?;
    let lock = place.lock()?;
    let (known, rebuilt) = known(place, settings)?;
    if known.as_ref().is_some_and(|known| place.source.is_fresh(known)) {
        return Ok(Work::default());
    }
    let (done, facts) = (AtomicUsize::new(0), Mutex::default());
    let refresh = Refresh { place, settings, progress, lock, known, done, facts };
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
    lock: WriterLock,
    known: Option<Manifest>,
    done: AtomicUsize,
    /// What the imports of the files just indexed say, by file id.
    facts: Mutex<HashMap<u32, Facts>>,
}

/// Stands for the pack under construction until it has its number.
const OWN_PACK: u32 = u32::MAX;

/// What became of a file that looked new or changed.
enum Outcome {
    /// Same bytes as before under a new stamp.
    Unchanged(FileEntry),
    /// Indexed under a new id; what was parsed now is placed in [`OWN_PACK`].
    Indexed(FileEntry),
    Skipped(Skipped),
}

impl Refresh<'_> {
    fn run(mut self) -> Result<Work> {
        let walked = self.place.source.walk(&self.settings.walk);
        let found =
            walked.map_err(|source| Error::Root { path: self.place.root.clone(), source })?;
        let known = self.known.take();
        let mut manifest = self.blank();
        manifest.skipped = found.skipped;
        manifest.watched = self.with_git_files(found.watched);
        let (mut before, changed) =
            sort_out(known.as_ref(), found.files, &mut manifest.files, &mut manifest.skipped);
        if let Some(known) = &known {
            (manifest.generation, manifest.next_id) = (known.generation, known.next_id);
            manifest.packs = known.packs.clone();
        }
        let mut work = self.index(&mut manifest, known.as_ref(), &mut before, changed)?;
        let present: HashSet<&str> = manifest.files.iter().map(|file| file.path.as_str()).collect();
        work.removed = before.keys().filter(|path| !present.contains(path.as_str())).count();
        manifest.revision = self.place.source.revision();
        manifest.files.sort_unstable_by(|a, b| a.path.cmp(&b.path));
        manifest.skipped.sort_unstable_by(|a, b| a.path.cmp(&b.path));
        self.distrust_young(&mut manifest);
        self.compact(&mut manifest)?;
        let facts = std::mem::take(&mut *self.facts());
        linking::link(self.place, &mut manifest, known.as_ref(), facts)?;
        manifest.publish(self.place)?;
        self.tidy(&manifest);
        Ok(work)
    }

    fn facts(&self) -> MutexGuard<'_, HashMap<u32, Facts>> {
        self.facts.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
    }

    fn blank(&self) -> Manifest {
        Manifest {
            root: self.place.root.to_string_lossy().into_owned(),
            settings: self.settings.digest(),
            generation: self.lock.taken as u64,
            next_id: 0,
            files: Vec::new(),
            skipped: Vec::new(),
            watched: Vec::new(),
            packs: Vec::new(),
            meta: String::new(),
            seals: Vec::new(),
            revision: None,
            links: None,
            symbols: None,
        }
    }

    /// Commits and staging change what the answer says of the revision.
    fn with_git_files(&self, mut watched: Vec<Watched>) -> Vec<Watched> {
        let git = worktree::top_of(&self.place.root).and_then(worktree::git_folder);
        if let Some(index) = git.map(|git| git.join("index")) {
            let stamp = fs::metadata(&index).ok().map(|m| Stamp::of(&m));
            watched.push(Watched { path: index.to_string_lossy().into_owned(), stamp });
        }
        watched
    }

    /// A stamp too young to prove anything gives way to one that nothing has, so that the next
    /// refresh looks again.
    fn distrust_young(&self, manifest: &mut Manifest) {
        let watched = manifest.watched.iter_mut().filter_map(|it| it.stamp.as_mut());
        let skipped = manifest.skipped.iter_mut().filter_map(|it| it.stamp.as_mut());
        for stamp in watched.chain(skipped).filter(|it| !it.is_settled(self.lock.taken)) {
            *stamp = Stamp::default();
        }
    }

    /// Reads, parses and indexes what changed, and takes out what is gone or replaced.
    fn index(
        &self,
        manifest: &mut Manifest,
        known: Option<&Manifest>,
        before: &mut HashMap<String, FileEntry>,
        changed: Vec<Found>,
    ) -> Result<Work> {
        if changed.is_empty()
            && before.is_empty()
            && known.is_some_and(|known| !known.meta.is_empty())
        {
            let known = known.cloned().unwrap_or_else(|| self.blank());
            (manifest.meta, manifest.seals) = (known.meta, known.seals);
            return Ok(Work::default());
        }
        let effort = if changed.len() > 200 { Effort::Many } else { Effort::Few };
        let meta = known.map(|known| known.meta.as_str()).filter(|meta| !meta.is_empty());
        let segments = self.place.segments();
        if let Some(known) = known {
            // A writer that was killed may have left files of the very names this one will use.
            tidy_segments(&segments, known);
        }
        let lexical =
            LexicalWriter::open(&segments, meta, effort).map_err(Error::write_text(&segments))?;
        let library = Library::open(self.place, known)?;
        let pack = Mutex::new(PackWriter::create(&self.place.store.parsed())?);
        let total = changed.len();
        let first_id = manifest.next_id;
        manifest.next_id += total as u32;
        let take = |(n, found)| {
            let outcome = self.take(found, first_id + n as u32, before, &library, &lexical, &pack);
            (self.progress)(self.done.fetch_add(1, Ordering::Relaxed) + 1, total);
            outcome
        };
        let outcomes: Vec<Outcome> = on_deep_stacks(|| {
            changed.into_par_iter().enumerate().map(take).collect::<Result<_>>()
        })?;
        let mut work = Work { read: total, ..Work::default() };
        self.settle(manifest, outcomes, before, pack, &library, &mut work)?;
        for gone in before.values() {
            lexical.remove(gone.id);
        }
        manifest.meta = lexical.commit().map_err(Error::write_text(&segments))?;
        manifest.seals = self.seal(&manifest.meta)?;
        Ok(work)
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

    /// Enters the outcomes into the manifest. What stays in `before` afterwards is gone.
    fn settle(
        &self,
        manifest: &mut Manifest,
        outcomes: Vec<Outcome>,
        before: &mut HashMap<String, FileEntry>,
        pack: Mutex<PackWriter>,
        library: &Library,
        work: &mut Work,
    ) -> Result<()> {
        let pack = pack.into_inner().unwrap_or_else(|poisoned| poisoned.into_inner());
        work.parsed = pack.count();
        manifest.packs = library.refs.clone();
        let own = manifest.packs.len() as u32;
        if pack.count() > 0 {
            manifest.packs.push(pack.finish()?);
        }
        for outcome in outcomes {
            match outcome {
                Outcome::Unchanged(entry) => {
                    before.remove(&entry.path);
                    manifest.files.push(entry);
                }
                Outcome::Indexed(mut entry) => {
                    work.indexed += 1;
                    if entry.place.pack == OWN_PACK {
                        entry.place.pack = own;
                    }
                    manifest.files.push(entry);
                }
                Outcome::Skipped(skipped) => manifest.skipped.push(skipped),
            }
        }
        Ok(())
    }

    fn seal(&self, meta: &str) -> Result<Vec<Seal>> {
        let folder = self.place.segments();
        let entries = fs::read_dir(&folder).map_err(Error::write(&folder))?;
        let mut seals = Vec::new();
        for entry in entries.flatten() {
            let name = entry.file_name().to_string_lossy().into_owned();
            if belongs(&name, meta) {
                let metadata = entry.metadata().map_err(Error::write(entry.path()))?;
                seals.push(Seal { name, stamp: Stamp::of(&metadata) });
            }
        }
        seals.sort_unstable_by(|a, b| a.name.cmp(&b.name));
        Ok(seals)
    }

    /// Rewrites a tree's packs into one when they have become many or mostly other trees' work.
    fn compact(&self, manifest: &mut Manifest) -> Result<()> {
        const MOST_PACKS: usize = 12;
        let used: HashSet<u32> = manifest.files.iter().map(|file| file.place.pack).collect();
        if used.len() <= MOST_PACKS {
            return keep_used(manifest, &used);
        }
        let folder = self.place.store.parsed();
        let packs = manifest
            .packs
            .iter()
            .map(|pack| Pack::open(&folder, pack))
            .collect::<Result<Vec<_>>>()?;
        let mut writer = PackWriter::create(&folder)?;
        for file in &mut manifest.files {
            let record =
                packs[file.place.pack as usize].bytes(file.place.offset, file.place.length)?;
            let language = Language::named(&file.language).unwrap_or_else(Language::other);
            let key = parse_key(file.content, language, self.settings.chunk);
            let (offset, length) = writer.add(key, record)?;
            file.place = Place { pack: 0, offset, length };
        }
        manifest.packs = vec![writer.finish()?];
        Ok(())
    }

    /// Removes segment files that no manifest names any more, and packs that no tree needs.
    fn tidy(&self, manifest: &Manifest) {
        tidy_segments(&self.place.segments(), manifest);
        linking::tidy(self.place, manifest);
        tidy_packs(self.place, self.lock.taken);
    }
}

/// Keeps the entries whose stamps are unchanged; returns the others as they were, and what to read.
fn sort_out(
    known: Option<&Manifest>,
    found: Vec<Found>,
    kept: &mut Vec<FileEntry>,
    skipped: &mut Vec<Skipped>,
) -> (HashMap<String, FileEntry>, Vec<Found>) {
    let Some(known) = known else {
        return (HashMap::new(), found);
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
            kept.extend(before.remove(&file.path));
        } else if let Some(skip) =
            left_out.get(file.path.as_str()).filter(|s| s.stamp == Some(file.stamp))
        {
            skipped.push((*skip).clone());
        } else {
            changed.push(file);
        }
    }
    (before, changed)
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

/// Whether a segment file belongs to a segment that `meta` lists. Names start with its id.
pub(crate) fn belongs(name: &str, meta: &str) -> bool {
    let id = name.split('.').next().unwrap_or_default();
    id.len() == 32 && (meta.contains(id) || meta.contains(&dashed(id)))
}

/// `meta.json` writes segment ids as UUIDs, file names without the dashes.
fn dashed(id: &str) -> String {
    format!("{}-{}-{}-{}-{}", &id[..8], &id[8..12], &id[12..16], &id[16..20], &id[20..])
}

/// Every parse that is already known: this tree's packs first, then those of other trees.
struct Library {
    refs: Vec<PackRef>,
    packs: Vec<Pack>,
}

impl Library {
    /// This tree's own packs keep their numbers, since its files point to them.
    fn open(place: &TreePlace, known: Option<&Manifest>) -> Result<Library> {
        let folder = place.store.parsed();
        let refs: Vec<PackRef> = known.map(|known| known.packs.clone()).unwrap_or_default();
        let packs = refs.iter().map(|pack| Pack::open(&folder, pack)).collect::<Result<_>>()?;
        let mut library = Library { refs, packs };
        for entry in fs::read_dir(&folder).into_iter().flatten().flatten() {
            let name = entry.file_name().to_string_lossy().into_owned();
            if !name.ends_with(".pack") || library.refs.iter().any(|pack| pack.name == name) {
                continue;
            }
            if let (Ok(pack), Ok(metadata)) = (Pack::open_any(&entry.path()), entry.metadata()) {
                library.refs.push(PackRef { name, stamp: Stamp::of(&metadata) });
                library.packs.push(pack);
            }
        }
        Ok(library)
    }

    fn find(&self, key: Digest) -> Option<(Parsed, Place)> {
        self.packs.iter().enumerate().find_map(|(number, pack)| {
            let (offset, length) = pack.find(key)?;
            let parsed = pack.parsed(offset, length).ok()?;
            Some((parsed, Place { pack: number as u32, offset, length }))
        })
    }
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

/// Removes packs that no tree names. Young ones stay: their writer may be about to publish.
fn tidy_packs(place: &TreePlace, now: i64) {
    const HOUR: i64 = 3_600_000_000_000;
    let mut needed = HashSet::new();
    for folder in place.store.trees() {
        match Manifest::load_from(&folder) {
            Some(manifest) => needed.extend(manifest.packs.into_iter().map(|pack| pack.name)),
            None => continue,
        }
    }
    for entry in fs::read_dir(place.store.parsed()).into_iter().flatten().flatten() {
        let Ok(metadata) = entry.metadata() else {
            continue;
        };
        let old = Stamp::of(&metadata).modified < now - HOUR;
        if old && !needed.contains(entry.file_name().to_string_lossy().as_ref()) {
            let _ = fs::remove_file(entry.path());
        }
    }
}

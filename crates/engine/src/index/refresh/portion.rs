//! A portion of the files that have to be read: parsed on every core, tokenized, and entered.

use std::collections::HashMap;
use std::sync::Mutex;
use std::sync::atomic::Ordering;

use rayon::prelude::*;
use wherein_corpus::{Found, Lines, Skipped, Text, on_deep_stacks, parse};

use super::segments::seal;
use super::{LEAST_MEMORY, Refresh, Work};
use crate::error::{Error, Result};
use crate::graph::facts::Facts;
use crate::index::directory::Published;
use crate::index::lexical::{Effort, LexicalWriter};
use crate::index::library::Library;
use crate::index::manifest::{FileEntry, Manifest};
use crate::index::pack::{self, PackWriter, Place};
use crate::index::settings::parse_key;

/// Stands for the pack under construction until it has its number.
const OWN_PACK: u32 = u32::MAX;

/// Files with their numbers, the large ones first: their trees take the most memory, and now the words of
/// the others take none yet.
fn largest_first(files: Vec<Found>) -> Vec<(usize, Found)> {
    const LARGE: u64 = 64 << 10;
    let mut files: Vec<(usize, Found)> = files.into_iter().enumerate().collect();
    files.sort_by_key(|(_, found)| std::cmp::Reverse(found.stamp.size / LARGE));
    files
}

/// What became of a file that looked new or changed.
enum Outcome {
    /// Same bytes as before under a new stamp.
    Unchanged(FileEntry),
    /// Indexed under a new id; what was parsed now is placed in [`OWN_PACK`].
    Indexed(FileEntry),
    Skipped(Skipped),
}

impl Refresh<'_> {
    /// Reads and enters some files, and takes out those that are gone.
    pub(super) fn index_portion(
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
        let files = largest_first(portion);
        // One at a time, or large ones that lie together would all be left to one core.
        let outcomes: Vec<Outcome> = on_deep_stacks(|| {
            files.into_par_iter().with_max_len(1).map(take).collect::<Result<_>>()
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
}

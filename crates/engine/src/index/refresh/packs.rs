//! The packs of parses that a tree is spread over: few, and none that it does not need.

use std::collections::{HashMap, HashSet};

use wherein_corpus::Language;

use crate::error::Result;
use crate::index::manifest::Manifest;
use crate::index::pack::{Pack, PackWriter, Place};
use crate::index::settings::{Settings, parse_key};
use crate::index::store::TreePlace;

/// A pack may have this much beside what is used of it.
const SLACK: u64 = 1 << 20;

/// Rewrites a tree's smaller packs into one when they have become many. The largest stay as they
/// are unless they are mostly other trees' work, so that an edit costs a few edits' bytes.
pub fn compact(place: &TreePlace, settings: &Settings, manifest: &mut Manifest) -> Result<()> {
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
    let is_mostly_ours =
        |(live, pack): &(u64, u32)| manifest.packs[*pack as usize].stamp.size < 2 * live + SLACK;
    let large = by_size.into_iter().take(LARGE_PACKS).filter(is_mostly_ours);
    let large: HashSet<u32> = large.map(|(_, pack)| pack).collect();
    let folder = place.store.parsed();
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
        let key = parse_key(file.content, language, settings.chunk);
        let (offset, length) = writer.add(key, record)?;
        file.place = Place { pack: merged, offset, length };
    }
    manifest.packs.push(writer.finish()?);
    let used = manifest.files.iter().map(|file| file.place.pack).collect();
    keep_used(manifest, &used)
}

/// Drops packs no file of this tree points into and renumbers the rest.
pub fn keep_used(manifest: &mut Manifest, used: &HashSet<u32>) -> Result<()> {
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

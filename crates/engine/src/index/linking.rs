//! Links and the graph of symbols at rest: made, named in the manifest, mapped, made again if lost.

use std::collections::{HashMap, HashSet};
use std::fs;

use rayon::prelude::*;
use wherein_corpus::Language;

use crate::error::Result;
use crate::graph::columns;
use crate::graph::facts::{Facts, Packed};
use crate::graph::links::{self, Links};
use crate::graph::symbols::Symbols;
use crate::graph::uses;
use crate::index::manifest::{FileEntry, Manifest};
use crate::index::pack::Pack;
use crate::index::snapshot::Snapshot;
use crate::index::store::TreePlace;

/// Links the files of a manifest that is about to be published. `fresh` are the facts of the files
/// just indexed; those of the others were kept with the links of the manifest before.
pub fn link(
    place: &TreePlace,
    manifest: &mut Manifest,
    known: Option<&Manifest>,
    fresh: HashMap<u32, Facts>,
) -> Result<()> {
    let before = known.and_then(|known| {
        let links = Links::open(&place.graph(), known.links.as_ref()?, known.files.len()).ok()?;
        Some((known, links))
    });
    if let Some((known, _)) = before.as_ref().filter(|(known, _)| is_same(known, manifest)) {
        (manifest.links, manifest.symbols) = (known.links.clone(), known.symbols.clone());
        return Ok(());
    }
    if let Some((known, _)) = &before
        && link_alike(place, known, manifest, &fresh)
    {
        manifest.links.clone_from(&known.links);
        return Ok(());
    }
    let mut at_hand = before.and_then(|(_, links)| links.facts()).unwrap_or_default();
    at_hand.extend(fresh.into_iter().map(|(id, facts)| (id, Packed::of(&facts))));
    let facts = all(place, manifest, at_hand)?;
    let bytes = build(place, manifest, &facts);
    manifest.links = Some(columns::write(&place.graph(), "links", &bytes)?);
    manifest.symbols = None;
    Ok(())
}

/// Whether the files of two manifests link to each other in the same way: the same paths, and a few
/// files with another content whose imports say what they said. Most edits are like that, and to link
/// a tree anew takes longer than all else about them.
fn link_alike(
    place: &TreePlace,
    known: &Manifest,
    manifest: &Manifest,
    fresh: &HashMap<u32, Facts>,
) -> bool {
    const FEW: usize = 50;
    let skipped =
        |manifest: &Manifest| manifest.skipped.iter().map(|it| it.path.clone()).collect::<Vec<_>>();
    let pairs = || known.files.iter().zip(&manifest.files);
    let same_list = known.generation == manifest.generation
        && known.files.len() == manifest.files.len()
        && pairs().all(|(old, new)| old.path == new.path && old.language == new.language)
        && skipped(known) == skipped(manifest);
    let changed: Vec<_> = pairs().filter(|(old, new)| old.id != new.id).collect();
    if !same_list || changed.len() > FEW || changed.iter().any(|(old, _)| may_settle(old)) {
        return false;
    }
    let folder = place.store.parsed();
    let says_the_same = |(old, new): &(&FileEntry, &FileEntry)| {
        let pack = Pack::open(&folder, known.packs.get(old.place.pack as usize)?).ok()?;
        let parsed = pack.parsed(old.place.offset, old.place.length).ok()?;
        Some(Facts::of(&old.language, &parsed) == *fresh.get(&new.id)?)
    };
    changed.iter().all(|pair| says_the_same(pair) == Some(true))
}

/// Whether a file may be one that decides what the imports of others mean, as `package.json` does.
fn may_settle(file: &FileEntry) -> bool {
    const PROSE: [&str; 3] = ["markdown", "rst", "asciidoc"];
    const DATA: [&str; 3] = ["json", "toml", "yaml"];
    let language = Language::named(&file.language).unwrap_or_else(Language::other);
    let is_code = language.grammar().is_some() && !DATA.contains(&language.name);
    !is_code && !PROSE.contains(&language.name)
}

/// Whether two manifests name the same files with the same content, and the same are left out.
fn is_same(known: &Manifest, manifest: &Manifest) -> bool {
    let ids = |manifest: &Manifest| manifest.files.iter().map(|file| file.id).collect::<Vec<_>>();
    let skipped = |manifest: &Manifest| {
        manifest.skipped.iter().map(|skipped| skipped.path.clone()).collect::<Vec<_>>()
    };
    known.generation == manifest.generation
        && ids(known) == ids(manifest)
        && skipped(known) == skipped(manifest)
}

fn build(place: &TreePlace, manifest: &Manifest, facts: &[Packed]) -> Vec<u8> {
    let left_out: Vec<&str> = manifest.skipped.iter().map(|it| it.path.as_str()).collect();
    links::build(&*place.source, &manifest.files, &left_out, facts)
}

/// The facts of every file, in their order; those not at hand are read out of the parses.
fn all(
    place: &TreePlace,
    manifest: &Manifest,
    mut at_hand: HashMap<u32, Packed>,
) -> Result<Vec<Packed>> {
    let known: Vec<Option<Packed>> =
        manifest.files.iter().map(|file| at_hand.remove(&file.id)).collect();
    let packs = match known.iter().all(Option::is_some) {
        true => Vec::new(),
        false => opened(place, manifest)?,
    };
    let read = |(file, known): (&FileEntry, Option<Packed>)| match known {
        Some(facts) => Ok(facts),
        None => {
            let place = file.place;
            let parsed = packs[place.pack as usize].parsed(place.offset, place.length)?;
            Ok(Packed::of(&Facts::of(&file.language, &parsed)))
        }
    };
    manifest.files.par_iter().zip(known).map(read).collect()
}

fn opened(place: &TreePlace, manifest: &Manifest) -> Result<Vec<Pack>> {
    let folder = place.store.parsed();
    manifest.packs.iter().map(|pack| Pack::open(&folder, pack)).collect()
}

/// The links of a published tree, made again if they are lost or damaged.
pub fn links(place: &TreePlace, snapshot: &Snapshot) -> Result<Links> {
    let manifest = &snapshot.manifest;
    let named = manifest.links.as_ref();
    let opened =
        named.and_then(|seal| Links::open(&place.graph(), seal, manifest.files.len()).ok());
    if let Some(links) = opened {
        return Ok(links);
    }
    let bytes = build(place, manifest, &all(place, manifest, HashMap::new())?);
    let _ = keep(place, snapshot, Part::Links, &bytes);
    Ok(Links::of(bytes, manifest.files.len()).expect("links just built are whole"))
}

/// The graph of the symbols of a published tree: mapped, or made and kept for the next process.
pub fn symbols(place: &TreePlace, snapshot: &Snapshot) -> Result<Symbols> {
    let manifest = &snapshot.manifest;
    let named = manifest.symbols.as_ref();
    let opened =
        named.and_then(|seal| Symbols::open(&place.graph(), seal, manifest.files.len()).ok());
    if let Some(symbols) = opened {
        return Ok(symbols);
    }
    let bytes = uses::gather(snapshot, snapshot.links()?)?;
    let _ = keep(place, snapshot, Part::Symbols, &bytes);
    Ok(Symbols::of(bytes, manifest.files.len()).expect("a graph just made is whole"))
}

/// What can be made after a tree was published.
enum Part {
    Links,
    Symbols,
}

/// Publishes a part for the tree it was made of, if that is still what is published. Another
/// process that is writing just now, or a full disk, costs nothing but its being made again.
fn keep(place: &TreePlace, snapshot: &Snapshot, part: Part, bytes: &[u8]) -> Result<()> {
    let _lock = place.lock()?;
    let mut manifest = Manifest::load(place)?;
    if !is_same(&snapshot.manifest, &manifest) {
        return Ok(());
    }
    match part {
        Part::Links => manifest.links = Some(columns::write(&place.graph(), "links", bytes)?),
        Part::Symbols => manifest.symbols = Some(columns::write(&place.graph(), "symbols", bytes)?),
    }
    manifest.publish(place)?;
    tidy(place, &manifest);
    Ok(())
}

/// Removes files of links and graphs that the manifest does not name.
pub fn tidy(place: &TreePlace, manifest: &Manifest) {
    let named = manifest.links.iter().chain(&manifest.symbols);
    let keep: HashSet<&str> = named.map(|seal| seal.name.as_str()).collect();
    for entry in fs::read_dir(place.graph()).into_iter().flatten().flatten() {
        if !keep.contains(entry.file_name().to_string_lossy().as_ref()) {
            let _ = fs::remove_file(entry.path());
        }
    }
}

//! Unsaved text: an index as it would be if some files were saved, without touching the stored one.
//!
//! The words of the unsaved files go into a segment in memory beside those on disk, their parses
//! stay at hand, and the file ids they get are used by this one view and never stored.

use std::collections::{BTreeMap, HashMap};
use std::path::{Component, Path};
use std::sync::Arc;

use wherein_corpus::{Digest, Language, Lines, Parsed, on_deep_stacks, parse};

use crate::error::{Error, Result};
use crate::index::directory::{Published, SegmentDirectory};
use crate::index::lexical::LexicalWriter;
use crate::index::manifest::{FileEntry, Manifest};
use crate::index::settings::Settings;
use crate::index::store::TreePlace;

/// Files by their path relative to the root, each with its unsaved text, or none if it is to be
/// taken for deleted. A file that is named is searched, ignored or not.
pub type Overlay = BTreeMap<String, Option<String>>;

/// An unsaved file.
pub struct Buffer {
    /// Its text.
    pub text: Arc<String>,
    /// What it was parsed into.
    pub parsed: Arc<Parsed>,
}

/// What an overlay makes of a published index.
pub struct Overlaid {
    /// What is in it.
    pub manifest: Manifest,
    /// Where its words are.
    pub directory: SegmentDirectory,
    /// The unsaved files by the ids they have here.
    pub buffers: HashMap<u32, Buffer>,
}

/// A published index with an overlay over it.
pub fn overlay(
    place: &TreePlace,
    published: &Manifest,
    settings: &Settings,
    overlay: &Overlay,
) -> Result<Overlaid> {
    overlay.keys().try_for_each(|path| check(&place.root, path))?;
    let known = Published { meta: &published.meta, seals: &published.seals };
    let directory = SegmentDirectory::open(&place.segments(), Some(known))?.in_memory();
    let writer = LexicalWriter::in_memory(directory.clone())?;
    let mut manifest = published.clone();
    for hidden in manifest.files.extract_if(.., |file| overlay.contains_key(&file.path)) {
        writer.remove(hidden.id);
    }
    let mut buffers = HashMap::new();
    let texts = overlay.iter().filter_map(|(path, text)| Some((path, text.as_ref()?)));
    for (id, (path, text)) in (published.next_id..).zip(texts) {
        let (entry, buffer) = on_deep_stacks(|| read(settings, id, path, text));
        let language = Language::named(&entry.language).unwrap_or_else(Language::other);
        writer.add(id, path, &Lines::of(text), &buffer.parsed, language)?;
        manifest.files.push(entry);
        manifest.next_id = id + 1;
        buffers.insert(id, buffer);
    }
    manifest.files.sort_unstable_by(|a, b| a.path.cmp(&b.path));
    manifest.meta = writer.commit()?;
    Ok(Overlaid { manifest, directory, buffers })
}

fn read(settings: &Settings, id: u32, path: &str, text: &str) -> (FileEntry, Buffer) {
    let language = Language::of_path(Path::new(path), &settings.walk.overrides).refined(text);
    let parsed = parse(&Lines::of(text), language, settings.chunk);
    let content = Digest::of(text.as_bytes());
    let entry = FileEntry::unpacked(id, path, language.name, content, &parsed);
    (entry, Buffer { text: Arc::new(text.to_owned()), parsed: Arc::new(parsed) })
}

/// Whether a path is one that a file of the tree could have.
fn check(root: &Path, path: &str) -> Result<()> {
    let plain = |part: Component| matches!(part, Component::Normal(_));
    if !path.is_empty() && !path.ends_with('/') && Path::new(path).components().all(plain) {
        return Ok(());
    }
    Err(Error::Unknown { path: path.to_owned(), root: root.to_owned() })
}

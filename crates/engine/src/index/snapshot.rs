//! One immutable view of an indexed tree. Any number of processes may hold one; none waits.

use std::collections::HashMap;
use std::fs;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, OnceLock};

use tantivy::{Directory, Index, IndexReader, ReloadPolicy, Searcher, TantivyError};
use wherein_corpus::{Language, Parsed, Role, Stamp, decode};
use wherein_encoder::Model;

use crate::error::{Error, Result};
use crate::graph::links::Links;
use crate::graph::symbols::Symbols;
use crate::graph::walk;
use crate::index::directory::{Published, SegmentDirectory};
use crate::index::lexical;
use crate::index::linking;
use crate::index::manifest::{FileEntry, Manifest};
use crate::index::overlay::{self, Buffer, Overlay};
use crate::index::pack::Pack;
use crate::index::settings::Settings;
use crate::index::store::TreePlace;
use crate::index::vectors::segment::{Doc, Row};
use crate::index::vectors::{Vectors, encode};

/// Parses kept at hand for a process that asks many questions.
const MOST_PARSES: usize = 2000;

/// A published index, open for search.
pub struct Snapshot {
    /// What is in it.
    pub manifest: Manifest,
    place: TreePlace,
    reader: IndexReader,
    packs: Vec<Pack>,
    by_id: HashMap<u32, usize>,
    parses: Mutex<HashMap<u32, Arc<Parsed>>>,
    roles: OnceLock<Vec<Role>>,
    /// The vectors of the model that asked first, and its id.
    vectors: OnceLock<(String, Vectors)>,
    links: OnceLock<Links>,
    symbols: OnceLock<Symbols>,
    /// What is searched as if it were saved.
    unsaved: Option<Unsaved>,
    /// Vectors that were made while answering.
    made: Mutex<HashMap<Doc, Vec<Row>>>,
}

/// What a view over a published index has beside it.
struct Unsaved {
    /// Files by the ids they have in this view.
    buffers: HashMap<u32, Buffer>,
    /// The published index, whose links stand in for those of the view.
    published: Arc<Snapshot>,
}

impl Snapshot {
    /// Opens what is published for a tree, if every file of it is as it was written.
    ///
    /// A writer may publish and tidy up between our reading the manifest and opening what it
    /// names; then the next manifest is read.
    pub fn open(place: &TreePlace) -> Result<Snapshot> {
        const TRIES: usize = 5;
        let mut manifest = Manifest::load(place)?;
        for _ in 1..TRIES {
            match Snapshot::of(place, manifest.clone()) {
                Err(error @ (Error::Damaged { .. } | Error::Lexical(_))) => {
                    let newer = Manifest::load(place)?;
                    if newer == manifest {
                        return Err(error);
                    }
                    manifest = newer;
                }
                opened => return opened,
            }
        }
        Snapshot::of(place, manifest)
    }

    /// Opens what a manifest names, if every file of it is as it was written.
    pub fn of(place: &TreePlace, manifest: Manifest) -> Result<Snapshot> {
        for seal in &manifest.seals {
            let path = place.segments().join(&seal.name);
            let stamp =
                fs::metadata(&path).map(|m| Stamp::of(&m)).map_err(|e| Error::damaged(&path, e))?;
            if (stamp.size, stamp.modified) != (seal.stamp.size, seal.stamp.modified) {
                return Err(Error::damaged(path, "changed since it was written"));
            }
        }
        let published = Published { meta: &manifest.meta, seals: &manifest.seals };
        let directory = SegmentDirectory::open(&place.segments(), Some(published))?;
        Snapshot::over(place, manifest, directory, None)
    }

    /// This index as it would be if an overlay were saved. Nothing of that is stored.
    pub fn overlaid(
        self: &Arc<Snapshot>,
        settings: &Settings,
        overlay: &Overlay,
    ) -> Result<Snapshot> {
        let made = overlay::overlay(&self.place, &self.manifest, settings, overlay)?;
        let unsaved = Unsaved { buffers: made.buffers, published: self.clone() };
        Snapshot::over(&self.place, made.manifest, made.directory, Some(unsaved))
    }

    fn over(
        place: &TreePlace,
        manifest: Manifest,
        directory: SegmentDirectory,
        unsaved: Option<Unsaved>,
    ) -> Result<Snapshot> {
        // All at once, held until the index has them: tantivy takes a file of positions that was
        // tidied away in between for one that never was, and fails only when it is asked.
        let held = manifest.seals.iter().map(|seal| directory.get_file_handle(seal.name.as_ref()));
        let _held = held.collect::<std::result::Result<Vec<_>, _>>().map_err(TantivyError::from)?;
        let index: Index = lexical::open(directory)?;
        let reader = index.reader_builder().reload_policy(ReloadPolicy::Manual).try_into()?;
        let by_id = manifest.files.iter().enumerate().map(|(i, file)| (file.id, i)).collect();
        // All at once: a pack opened only when it is needed may have been tidied away by then.
        let parsed = place.store.parsed();
        let packs = manifest.packs.iter().map(|pack| Pack::open(&parsed, pack));
        let packs = packs.collect::<Result<Vec<_>>>()?;
        Ok(Snapshot {
            place: place.clone(),
            reader,
            packs,
            by_id,
            manifest,
            parses: Mutex::default(),
            roles: OnceLock::new(),
            vectors: OnceLock::new(),
            links: OnceLock::new(),
            symbols: OnceLock::new(),
            unsaved,
            made: Mutex::default(),
        })
    }

    /// Fails if anything that answered is not as it was written, so that no answer is drawn from
    /// it. What is read of words, parses and the graph is compared as it is read.
    pub fn whole(&self) -> Result<()> {
        self.vectors.get().map_or(Ok(()), |(_, vectors)| vectors.whole())
    }

    /// Where it is kept.
    pub fn place(&self) -> &TreePlace {
        &self.place
    }

    /// The folder that is indexed.
    pub fn root(&self) -> &PathBuf {
        &self.place.root
    }

    /// Which file imports which. Mapped on first use: a question that does not ask pays nothing.
    pub fn links(&self) -> Result<&Links> {
        if self.links.get().is_none() {
            let _ = self.links.set(linking::links(&self.place, self)?);
        }
        Ok(self.links.get().expect("it was just set"))
    }

    /// The same if they are there: an index that is still being made has none yet and makes them only
    /// for who asks, and unsaved text has none.
    pub fn ready_links(&self) -> Option<&Links> {
        let is_waiting = self.manifest.behind > 0 && self.manifest.links.is_none();
        if is_waiting || self.unsaved.is_some() { None } else { self.links().ok() }
    }

    /// The share of files that imports lead to less than to this one, from 0 to nearly 1; one half
    /// if it cannot be told.
    pub fn rank_of_file(&self, position: usize) -> f32 {
        if let Some(unsaved) = &self.unsaved {
            let path = &self.manifest.files[position].path;
            let saved = unsaved.published.position_at(path);
            return saved.map_or(0.5, |saved| unsaved.published.rank_of_file(saved));
        }
        self.ready_links().map_or(0.5, |links| links.standing(position))
    }

    /// The files that reach a file by so many imports, each with its steps, nearest first.
    pub fn importers(&self, position: usize, steps: u32) -> Result<Vec<(usize, u32)>> {
        let links = self.links()?;
        let reached =
            walk::outward(&[position as u32], steps, |file| links.importers(file as usize));
        Ok(reached.into_iter().skip(1).map(|(file, steps)| (file as usize, steps)).collect())
    }

    /// Which symbol uses which, made if nobody has asked before.
    pub fn symbols(&self) -> Result<&Symbols> {
        if self.symbols.get().is_none() {
            let _ = self.symbols.set(linking::symbols(&self.place, self)?);
        }
        Ok(self.symbols.get().expect("it was just set"))
    }

    /// The vectors of a model; none at all if there are only another's, or if they cannot be read:
    /// they are made again then. A snapshot serves one model, so that two never mix.
    pub fn vectors(&self, model: &Model) -> Result<&Vectors> {
        if let Some((id, vectors)) = self.vectors.get() {
            return match id == model.id() {
                true => Ok(vectors),
                false => Err(Error::NoModel(format!("the index is open for the model {id:?}"))),
            };
        }
        let fits = |vectors: &Vectors| {
            vectors.list.model == model.id() && vectors.list.generation == self.manifest.generation
        };
        let opened = match Vectors::open(&self.place) {
            Ok(vectors) if fits(&vectors) => vectors,
            Ok(_) | Err(Error::Damaged { .. }) => Vectors::none(),
            Err(error) => return Err(error),
        };
        let _ = self.vectors.set((model.id().to_owned(), opened));
        self.vectors(model)
    }

    /// The vectors of a chunk that were made while answering.
    pub fn made(&self, doc: Doc) -> Vec<Row> {
        let made = self.made.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        made.get(&doc).cloned().unwrap_or_default()
    }

    /// Keeps vectors that were made while answering, for this process and the next; all of a chunk one after the other.
    /// Another process that is writing just now, or a full disk, costs nothing but their being made again.
    pub fn keep(&self, model: &Model, rows: Vec<Row>) {
        if rows.is_empty() {
            return;
        }
        let fresh = rows
            .chunk_by(|a, b| a.doc == b.doc)
            .map(|of_chunk| (of_chunk[0].doc, of_chunk.to_vec()));
        self.made.lock().unwrap_or_else(|poisoned| poisoned.into_inner()).extend(fresh);
        let is_stored = |row: &Row| self.buffer(row.doc.file).is_none();
        let stored: Vec<Row> = rows.into_iter().filter(is_stored).collect();
        if !stored.is_empty() {
            let _ = encode::keep(&self.place, model, self.manifest.generation, stored);
        }
    }

    /// The full-text index.
    pub fn searcher(&self) -> Searcher {
        self.reader.searcher()
    }

    /// The file an id of the full-text index stands for.
    pub fn file(&self, id: u32) -> Option<&FileEntry> {
        self.by_id.get(&id).map(|&i| &self.manifest.files[i])
    }

    /// The position in the manifest of the file an id stands for.
    pub fn position(&self, id: u32) -> Option<usize> {
        self.by_id.get(&id).copied()
    }

    /// The file at a path relative to the root.
    pub fn file_at(&self, path: &str) -> Option<&FileEntry> {
        self.position_at(path).map(|position| &self.manifest.files[position])
    }

    fn position_at(&self, path: &str) -> Option<usize> {
        self.manifest.files.binary_search_by(|file| file.path.as_str().cmp(path)).ok()
    }

    /// The text of a file as it is now, unsaved changes included. No `Arc<str>`, which would copy it once more.
    pub fn text(&self, file: &FileEntry) -> Option<Arc<String>> {
        if let Some(buffer) = self.buffer(file.id) {
            return Some(buffer.text.clone());
        }
        decode(self.bytes(file)?).ok().map(Arc::new)
    }

    /// What a file holds now, unsaved changes included; `None` if it has gone.
    pub fn bytes(&self, file: &FileEntry) -> Option<Vec<u8>> {
        match self.buffer(file.id) {
            Some(buffer) => Some(buffer.text.as_bytes().to_vec()),
            None => self.place.source.bytes(&file.path).ok(),
        }
    }

    /// The text of a file if it is still what was indexed.
    pub fn indexed_text(&self, file: &FileEntry) -> Option<Arc<String>> {
        if let Some(buffer) = self.buffer(file.id) {
            return Some(buffer.text.clone());
        }
        let read = self.place.read(&file.path, u64::MAX).ok()?;
        (read.digest == file.content).then(|| Arc::new(read.text))
    }

    fn buffer(&self, id: u32) -> Option<&Buffer> {
        self.unsaved.as_ref()?.buffers.get(&id)
    }

    /// The same, or why there is none.
    pub fn indexed(&self, path: &str) -> Result<&FileEntry> {
        let skipped = || self.manifest.skipped.iter().find(|skipped| skipped.path == path);
        self.file_at(path).ok_or_else(|| match skipped() {
            Some(skipped) => {
                Error::Skipped { path: path.to_owned(), reason: skipped.reason.clone() }
            }
            None => Error::Unknown { path: path.to_owned(), root: self.place.root.clone() },
        })
    }

    /// For each file of the manifest whether it is code or prose.
    pub fn roles(&self) -> &[Role] {
        self.roles.get_or_init(|| {
            let role =
                |language: &str| Language::named(language).map_or(Role::Code, Language::role);
            let mut known: HashMap<&str, Role> = HashMap::new();
            let files = self.manifest.files.iter().map(|file| file.language.as_str());
            files.map(|name| *known.entry(name).or_insert_with(|| role(name))).collect()
        })
    }

    /// A file's chunks, symbols, imports and references.
    pub fn parsed(&self, file: &FileEntry) -> Result<Arc<Parsed>> {
        if let Some(buffer) = self.buffer(file.id) {
            return Ok(buffer.parsed.clone());
        }
        let mut parses = self.parses.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        if let Some(parsed) = parses.get(&file.id) {
            return Ok(parsed.clone());
        }
        let parsed = Arc::new(self.parse_of(file)?);
        if parses.len() >= MOST_PARSES {
            parses.clear();
        }
        parses.insert(file.id, parsed.clone());
        Ok(parsed)
    }

    /// The same, read anew and kept by nobody else.
    pub fn parse_of(&self, file: &FileEntry) -> Result<Parsed> {
        self.pack_of(file)?.parsed(file.place.offset, file.place.length)
    }

    /// A file's parse as it is stored.
    pub fn record(&self, file: &FileEntry) -> Result<&[u8]> {
        self.pack_of(file)?.bytes(file.place.offset, file.place.length)
    }

    fn pack_of(&self, file: &FileEntry) -> Result<&Pack> {
        let pack = self.packs.get(file.place.pack as usize);
        pack.ok_or_else(|| Error::damaged(self.place.manifest(), "no such pack"))
    }
}

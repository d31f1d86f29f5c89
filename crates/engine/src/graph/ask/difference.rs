//! What differs from a revision, as a change.
//!
//! Of the tree as it is: what came and what was edited. Of the revision: what is gone, what was reached
//! from it there, and which uses are still written but no longer mean what they meant. Those tell of deleted
//! imports and names too, whatever the language.

use std::collections::{HashMap, HashSet};

use serde::Serialize;
use wherein_corpus::{Language, Parsed, Reference};

use super::Spot;
use super::impact::{Change, ChangedFile};
use super::references::{UseSpot, shown};
use crate::error::Result;
use crate::graph::facts;
use crate::graph::family::Family;
use crate::graph::past::Past;
use crate::graph::symbols::{How, Symbols, Use};
use crate::graph::walk;
use crate::history::hunks::{Hunk, counted, hunks, line_after};
use crate::history::revision::Then;
use crate::index::settings::Settings;
use crate::index::snapshot::Snapshot;
use crate::search::secrets::redact;

/// What is gone since a revision, and what still counts on it.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct Lost {
    /// The revision.
    pub revision: String,
    /// Symbols that are gone, as they stood there; not those inside others that are gone.
    pub symbols: Vec<Spot>,
    /// How many there are in all.
    pub total_symbols: usize,
    /// Uses that are still written and no longer mean what they meant there, and how that was known.
    pub uses: Vec<UseSpot>,
    /// How many there are in all.
    pub total_uses: usize,
}

/// What is lost, and what was reached from it: numbers of the tree as it is, with their steps.
#[derive(Clone, Debug)]
pub struct Trail {
    /// What is shown of it.
    pub lost: Lost,
    /// Symbols by number, then files.
    pub reached: Vec<(u32, u32)>,
}

/// How far a change is followed and how much of it is shown.
#[derive(Clone, Copy, Debug)]
pub struct Bounds {
    /// Steps.
    pub depth: u32,
    /// Entries of each list.
    pub limit: usize,
}

/// The change that makes of a revision the tree as it is.
pub fn since(now: &Snapshot, settings: &Settings, then: &Then, bounds: Bounds) -> Result<Change> {
    let (files, edits) = present(now, then);
    let is_older = |(path, text): (&String, &Option<String>)| {
        let is_cut = |hunks: &Vec<Hunk>| hunks.iter().any(|hunk| !hunk.before.is_empty());
        text.is_some() && edits.get(path).is_none_or(is_cut)
    };
    if !then.texts.iter().any(is_older) {
        return Ok(Change { files, ..Change::default() });
    }
    let past = Past::of(now, settings, then)?;
    let bridge = Bridge::of(now, &past, &edits)?;
    let parts = bridge.edited(then);
    let trail = bridge.trail(then, bounds)?;
    Ok(Change { files, parts, lost: Some(trail), ..Change::default() })
}

/// Lines that changed, by path.
type Edits = HashMap<String, Vec<Hunk>>;

/// Files with the lines of them that came or replaced others, all of a new one; and all that changed
/// in those that were there.
fn present(now: &Snapshot, then: &Then) -> (Vec<ChangedFile>, Edits) {
    let (mut files, mut edits) = (Vec::new(), Edits::new());
    for (path, old) in &then.texts {
        let Some(file) = now.file_at(path) else { continue };
        let position = now.position(file.id).unwrap_or_default();
        let Some(old) = old else {
            files.push((position, Vec::new()));
            continue;
        };
        let new = now.text(file).unwrap_or_default();
        let hunks = hunks(unix(old).as_bytes(), unix(&new).as_bytes());
        let came = hunks.iter().map(|hunk| &hunk.after).filter(|lines| !lines.is_empty());
        let came: Vec<(u32, u32)> = came.map(counted).collect();
        if !came.is_empty() {
            files.push((position, came));
        }
        edits.insert(path.clone(), hunks);
    }
    (files, edits)
}

/// Git may keep line ends that are others on disk.
fn unix(text: &str) -> String {
    text.replace("\r\n", "\n")
}

/// The way from the numbers of a revision to those of the tree as it is.
struct Bridge<'b> {
    now: &'b Snapshot,
    symbols: &'b Symbols,
    past: &'b Past,
    edits: &'b Edits,
    /// Where each file of the revision is now.
    files: Vec<Option<usize>>,
    /// Symbols of edited files by file, scope and name.
    named: HashMap<(usize, &'b str, &'b str), u32>,
}

impl<'b> Bridge<'b> {
    fn of(now: &'b Snapshot, past: &'b Past, edits: &'b Edits) -> Result<Bridge<'b>> {
        let symbols = now.symbols()?;
        let here = |path: &str| now.position(now.file_at(path)?.id);
        let files = past.files.iter().map(|file| here(&file.path)).collect();
        let mut named = HashMap::new();
        for position in edits.keys().filter_map(|path| here(path)) {
            for symbol in symbols.of_file(position) {
                let key = (position, symbols.scope(symbol), symbols.name(symbol));
                named.entry(key).or_insert(symbol);
            }
        }
        Ok(Bridge { now, symbols, past, edits, files, named })
    }

    fn edits_of(&self, file: usize) -> Option<&'b Vec<Hunk>> {
        self.edits.get(&self.past.files[file].path)
    }

    /// What a symbol of the revision is now.
    fn symbol(&self, symbol: u32) -> Option<u32> {
        let past = &self.past.symbols;
        let file = past.file(symbol);
        let here = self.files[file]?;
        match self.edits_of(file) {
            Some(_) => self.named.get(&(here, past.scope(symbol), past.name(symbol))).copied(),
            None => Some(self.symbols.of_file(here).start + symbol - past.of_file(file).start),
        }
    }

    /// What a line of the revision is now, if nobody edited it.
    fn line(&self, file: usize, line: u32) -> Option<u32> {
        match self.edits_of(file) {
            Some(hunks) => line_after(hunks, line.checked_sub(1)?).map(|line| line + 1),
            None => Some(line),
        }
    }

    /// What a node of the revision is now: symbols by number, then files.
    fn node(&self, node: u32) -> Option<u32> {
        match (node as usize).checked_sub(self.past.symbols.count()) {
            Some(file) => Some((self.symbols.count() + self.files[file]?) as u32),
            None => self.symbol(node),
        }
    }

    /// Symbols that lost lines for which none came, innermost: the new lines say nothing of them.
    fn edited(&self, then: &Then) -> Vec<u32> {
        let mut edited = Vec::new();
        for file in 0..self.past.files.len() {
            let Some(hunks) = self.edits_of(file) else { continue };
            let text = then.texts.get(&self.past.files[file].path).and_then(Option::as_deref);
            let lines: Vec<&str> = text.unwrap_or_default().lines().collect();
            let cut = hunks.iter().filter(|hunk| hunk.after.is_empty());
            for line in cut.flat_map(|hunk| hunk.before.clone()) {
                let is_blank = lines.get(line as usize).is_none_or(|it| it.trim().is_empty());
                let at = if is_blank { None } else { self.past.symbols.at(file, line + 1) };
                edited.extend(at.and_then(|symbol| self.symbol(symbol)));
            }
        }
        edited.sort_unstable();
        edited.dedup();
        edited
    }

    /// Symbols of the revision that are no more.
    fn gone(&self, then: &Then) -> Vec<u32> {
        let files = self.past.files.iter().enumerate();
        let differing = files.filter(|(_, file)| then.texts.contains_key(&file.path));
        let symbols = differing.flat_map(|(file, _)| self.past.symbols.of_file(file));
        symbols.filter(|&symbol| self.symbol(symbol).is_none()).collect()
    }

    /// Uses of the revision that are still written, in numbers of the tree as it is, but mean nothing for
    /// sure any more; each with what it stood in.
    fn broken(&self) -> Result<Vec<(Use, u32)>> {
        let known = sure_names(self.symbols, self.now.manifest.files.len());
        let past = &self.past.symbols;
        let mut broken = Vec::new();
        for (file, here) in self.files.iter().enumerate() {
            let Some(here) = *here else { continue };
            for it in past.uses_in(file, 0, u32::MAX).into_iter().filter(is_sure) {
                let Some(line) = self.line(file, it.line) else { continue };
                let name = it.target.map_or("", |target| past.name(target));
                if known.contains(&(here as u32, line, name)) {
                    continue;
                }
                broken.push(self.still_written(Use { file: here as u32, line, ..it }, file));
            }
        }
        for (file, here) in self.files.iter().enumerate() {
            let here = here.filter(|_| self.edits_of(file).is_some());
            broken.extend(here.map_or(Ok(Vec::new()), |here| self.unbound(file, here))?);
        }
        broken.sort_by_key(|(it, _)| (it.file, it.line));
        broken.dedup_by_key(|(it, _)| (it.file, it.line));
        Ok(broken)
    }

    /// Uses of an edited file whose names no import binds any more, wherever they led to: what is outside
    /// the tree has no symbols.
    fn unbound(&self, file: usize, here: usize) -> Result<Vec<(Use, u32)>> {
        let (past, entry) = (&self.past.files[file], &self.now.manifest.files[here]);
        let Some(parsed) = self.past.parsed(file) else { return Ok(Vec::new()) };
        let (mut names, now) = (bound(&past.language, parsed), self.now.parsed(entry)?);
        let kept = bound(&entry.language, &now);
        names.retain(|name| !kept.contains(name) && now.symbols.iter().all(|it| it.name != *name));
        let is_named = |it: &&Reference| {
            let first = it.receiver.split(['.', '(']).next().filter(|first| !first.is_empty());
            names.contains(first.unwrap_or(&it.name))
        };
        let mut found = Vec::new();
        for reference in parsed.references.iter().filter(is_named) {
            for &before in &reference.lines {
                let Some(line) = self.line(file, before) else { continue };
                let owner = self.past.symbols.at(file, before);
                let (id, kind, how) = (u32::MAX, reference.kind, How::Import);
                let it = Use { id, file: here as u32, line, kind, how, target: None, owner };
                found.push(self.still_written(it, file));
            }
        }
        Ok(found)
    }

    /// A use with its owner as it is now, and the node of the revision that it stood in.
    fn still_written(&self, it: Use, file: usize) -> (Use, u32) {
        let node = it.owner.unwrap_or((self.past.symbols.count() + file) as u32);
        (Use { owner: it.owner.and_then(|owner| self.symbol(owner)), ..it }, node)
    }

    fn trail(&self, then: &Then, bounds: Bounds) -> Result<Trail> {
        let (gone, broken) = (self.gone(then), self.broken()?);
        let is_inner = |&symbol: &u32| {
            let around = self.past.symbols.parent(symbol);
            around.is_some_and(|around| gone.binary_search(&around).is_ok())
        };
        let outer: Vec<u32> = gone.iter().copied().filter(|symbol| !is_inner(symbol)).collect();
        let (uses, owners): (Vec<Use>, Vec<u32>) = broken.into_iter().unzip();
        let (total_symbols, total_uses) = (outer.len(), uses.len());
        let uses = uses.into_iter().take(bounds.limit).collect();
        let lost = Lost {
            revision: then.revision.clone(),
            symbols: outer.into_iter().take(bounds.limit).map(|it| self.spot(it)).collect(),
            total_symbols,
            uses: shown(self.now, self.symbols, uses),
            total_uses,
        };
        Ok(Trail { lost, reached: self.reached(&gone, &owners, bounds.depth) })
    }

    /// What was reached from what is gone, and from what a use is broken in, in numbers of the tree as it is.
    fn reached(&self, gone: &[u32], owners: &[u32], depth: u32) -> Vec<(u32, u32)> {
        let past = &self.past.symbols;
        let next = |node: u32| {
            let is_symbol = (node as usize) < past.count();
            is_symbol.then(|| past.users(node)).into_iter().flatten()
        };
        let mut reached = walk::outward(gone, depth, next);
        if let Some(rest) = depth.checked_sub(1) {
            let further = walk::outward(owners, rest, next).into_iter();
            reached.extend(further.map(|(node, steps)| (node, steps + 1)));
        }
        let lost = (0..).zip(&self.files).filter(|(_, here)| here.is_none());
        for (file, _) in lost {
            let importers = |file: u32| self.past.links.importers(file as usize);
            let importers = walk::outward(&[file], depth, importers).into_iter();
            reached.extend(importers.map(|(file, steps)| (past.count() as u32 + file, steps)));
        }
        let here = |(node, steps): (u32, u32)| Some((self.node(node)?, steps));
        reached.into_iter().filter(|(_, steps)| *steps > 0).filter_map(here).collect()
    }

    fn spot(&self, symbol: u32) -> Spot {
        let (symbols, file) =
            (&self.past.symbols, &self.past.files[self.past.symbols.file(symbol)]);
        let separator = Language::named(&file.language).map_or(".", |language| language.separator);
        let (start_line, end_line) = symbols.lines(symbol);
        Spot {
            path: file.path.clone(),
            line: symbols.name_line(symbol),
            start_line,
            end_line,
            kind: symbols.kind(symbol).name(),
            name: symbols.qualified(symbol, separator),
            signature: redact(self.past.signature(symbol)).into_owned(),
            rank: symbols.rank(symbol),
        }
    }
}

/// The names that the imports of a file bind, as far as they say.
fn bound(language: &str, parsed: &Parsed) -> HashSet<String> {
    let mut bound = HashSet::new();
    for import in facts::imports(language, parsed) {
        let whole = match Family::of(language) {
            _ if !import.names.is_empty() => None,
            Family::C | Family::DotNet | Family::Ruby | Family::Node => None,
            Family::Python => import.source.split('.').next(),
            _ => import.source.rsplit(['/', '.', ':', '\\']).next(),
        };
        bound.extend(whole.map(str::to_owned));
        bound.extend(import.names.into_iter().map(|it| it.local));
    }
    bound.remove("");
    bound
}

/// File, line and name of every use of which it is known what it means.
fn sure_names(symbols: &Symbols, files: usize) -> HashSet<(u32, u32, &str)> {
    let uses = (0..files).flat_map(|file| symbols.uses_in(file, 0, u32::MAX));
    let known = uses.filter(is_sure).filter_map(|it| Some((it.file, it.line, it.target?)));
    known.map(|(file, line, target)| (file, line, symbols.name(target))).collect()
}

/// Known by more than the name.
fn is_sure(it: &Use) -> bool {
    it.target.is_some() && it.how.confidence() >= How::Receiver.confidence()
}

//! The graph as it was at a revision.
//!
//! In: the parses of the tree as it is, and the old text of the files that differ. Out: files, links and
//! symbols as they were, in memory only. To index the revision and to ask that would cost a reading of the whole tree
//! after each commit.

use std::collections::HashMap;
use std::path::Path;

use rayon::prelude::*;
use wherein_corpus::{Digest, Language, Lines, Parsed, on_deep_stacks, parse};

use crate::error::Result;
use crate::graph::facts::{Facts, Packed};
use crate::graph::links::{self, Links};
use crate::graph::symbols::Symbols;
use crate::graph::uses;
use crate::history::revision::Then;
use crate::index::manifest::FileEntry;
use crate::index::settings::Settings;
use crate::index::snapshot::Snapshot;

/// Files and their graph at a revision.
pub struct Past {
    /// By path. Those that do not differ are the entries of the tree as it is.
    pub files: Vec<FileEntry>,
    /// Which of them import which.
    pub links: Links,
    /// What stands in them, and what uses it.
    pub symbols: Symbols,
    /// Those that differ, by path.
    differing: HashMap<String, Parsed>,
}

impl Past {
    /// Makes the graph of a revision out of that of `now`.
    pub fn of(now: &Snapshot, settings: &Settings, then: &Then) -> Result<Past> {
        let old = then.texts.iter().filter_map(|(path, text)| Some((path, text.as_ref()?)));
        let read = |(path, text): (&String, &String)| read(settings, path, text);
        let (old, differing): (Vec<FileEntry>, HashMap<String, Parsed>) =
            old.map(read).map(|(file, parsed)| (file.clone(), (file.path, parsed))).unzip();
        let same = now.manifest.files.iter().filter(|it| !then.texts.contains_key(&it.path));
        let mut files: Vec<FileEntry> = same.cloned().chain(old).collect();
        files.sort_unstable_by(|a, b| a.path.cmp(&b.path));
        let parsed = |file: &FileEntry| match differing.get(&file.path) {
            Some(parsed) => Ok(parsed.clone()),
            None => now.parse_of(file),
        };
        let links = linked(now, then, &files, &parsed)?;
        let bytes = uses::gather_of(&files, &links, &*then.source, &parsed)?;
        let symbols = Symbols::of(bytes, files.len()).expect("a graph just made is whole");
        Ok(Past { files, links, symbols, differing })
    }

    /// What was in a file that differs.
    pub fn parsed(&self, file: usize) -> Option<&Parsed> {
        self.differing.get(&self.files[file].path)
    }

    /// How a symbol of a file that differs was declared.
    pub fn signature(&self, symbol: u32) -> &str {
        let (name, line) = (self.symbols.name(symbol), self.symbols.name_line(symbol));
        let parsed = self.parsed(self.symbols.file(symbol));
        let mut stood = parsed.into_iter().flat_map(|parsed| &parsed.symbols);
        let found = stood.find(|it| it.name_line == line && it.name == name);
        found.map_or("", |it| it.signature.as_str())
    }
}

fn linked(
    now: &Snapshot,
    then: &Then,
    files: &[FileEntry],
    parsed: &(dyn Fn(&FileEntry) -> Result<Parsed> + Sync),
) -> Result<Links> {
    let kept = now.links()?.facts().unwrap_or_default();
    let facts = |file: &FileEntry| match kept.get(&file.id) {
        Some(facts) if !then.texts.contains_key(&file.path) => Ok(facts.clone()),
        _ => Ok(Packed::of(&Facts::of(&file.language, &parsed(file)?))),
    };
    let facts: Vec<Packed> = files.par_iter().map(facts).collect::<Result<_>>()?;
    let left_out: Vec<&str> = now.manifest.skipped.iter().map(|it| it.path.as_str()).collect();
    let bytes = links::build(&*then.source, files, &left_out, &facts);
    Ok(Links::of(bytes, files.len()).expect("links just built are whole"))
}

/// An old file. It is stored nowhere, so it has neither id nor place.
fn read(settings: &Settings, path: &str, text: &str) -> (FileEntry, Parsed) {
    let language = Language::of_path(Path::new(path), &settings.walk.overrides).refined(text);
    let parsed = on_deep_stacks(|| parse(&Lines::of(text), language, settings.chunk));
    let content = Digest::of(text.as_bytes());
    let file = FileEntry::unpacked(u32::MAX, path, language.name, content, &parsed);
    (file, parsed)
}

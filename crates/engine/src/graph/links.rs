//! Which file imports which: the files' part of the graph.
//!
//! In: the facts of every file. Out: for each import its targets or why there are none, edges in
//! both directions, and PageRank. Made at every refresh that changes anything, from the facts kept
//! of the files that did not change: for a tree of seven thousand files a matter of milliseconds.

use std::collections::{BTreeMap, HashMap};
use std::path::Path;
use std::sync::OnceLock;

use rayon::prelude::*;
use serde::Serialize;
use tantivy::directory::OwnedBytes;
use wherein_corpus::{Import, Language, Role};

use crate::error::{Error, Result};
use crate::graph::columns::{Columns, Writer};
use crate::graph::facts::Packed;
use crate::graph::rank::{Edges, page_rank};
use crate::graph::resolve::{Reason, Resolver, Target};
use crate::graph::tree::Tree;
use crate::index::manifest::{FileEntry, Seal};
use crate::index::source::Source;

/// The sections of a file of links, in their order.
const ROW_STARTS: usize = 0;
const ROWS: usize = 1;
const TARGET_STARTS: usize = 2;
const TARGETS: usize = 3;
const OUT_STARTS: usize = 4;
const OUT: usize = 5;
const IN_STARTS: usize = 6;
const IN: usize = 7;
const RANK: usize = 8;
const STANDING: usize = 9;
const FACTS: usize = 10;
const SECTIONS: usize = 11;

/// A row that has targets.
const FOUND: u8 = u8::MAX;

/// The links of a tree, files by their position in its manifest.
pub struct Links {
    columns: Columns,
    files: usize,
    coverage: OnceLock<Coverage>,
}

/// What resolution came to, over a whole tree.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Coverage {
    /// Imports that lead to files of the tree.
    pub resolved: usize,
    /// Imports that should and do not.
    pub unresolved: usize,
    /// How many imports lead nowhere, for each reason.
    pub reasons: BTreeMap<Reason, usize>,
}

/// An import that leads nowhere.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Unresolved {
    /// The importing file.
    pub path: String,
    /// Where the import stands.
    pub line: u32,
    /// What it says.
    pub source: String,
    /// Why it leads nowhere.
    pub reason: Reason,
}

/// Links a tree: `files` and `facts` in one order.
pub fn build(
    source: &dyn Source,
    files: &[FileEntry],
    left_out: &[&str],
    facts: &[Packed],
) -> Vec<u8> {
    let paths = files.iter().map(|file| file.path.as_str()).collect();
    let tree = Tree::new(source, paths, left_out.iter().copied());
    let resolver = Resolver::new(&tree, facts);
    let targets: Vec<Vec<Target>> =
        (0..files.len() as u32).into_par_iter().map(|file| resolver.resolve(file)).collect();
    encode(facts, files, &targets)
}

fn encode(facts: &[Packed], files: &[FileEntry], targets: &[Vec<Target>]) -> Vec<u8> {
    let (mut row_starts, mut rows) = (vec![0u32], Vec::new());
    let (mut target_starts, mut all) = (vec![0u32], Vec::new());
    let mut edges = Vec::new();
    for (file, targets) in targets.iter().enumerate() {
        for target in targets {
            match target {
                Target::Files(found) => {
                    rows.push(FOUND);
                    all.extend_from_slice(found);
                    let weight = 1.0 / found.len() as f32;
                    edges.extend(found.iter().map(|&to| (file as u32, to, weight)));
                }
                Target::None(reason) => rows.push(*reason as u8),
            }
            target_starts.push(all.len() as u32);
        }
        row_starts.push(rows.len() as u32);
    }
    let out = Edges::group(files.len(), edges.clone());
    let into = Edges::group(files.len(), edges.iter().map(|&(a, b, w)| (b, a, w)).collect());
    let ranks = ranks(files, edges);
    let mut writer = Writer::default();
    writer.numbers(row_starts);
    writer.bytes(rows);
    writer.numbers(target_starts);
    writer.numbers(all);
    writer.numbers(out.starts);
    writer.numbers(out.to);
    writer.numbers(into.starts);
    writer.numbers(into.to);
    // Both, for the one is for weighing files and the other for comparing them.
    writer.fractions(&ranks);
    writer.fractions(&standing(&ranks));
    writer.bytes(kept(files, facts));
    writer.finish()
}

/// PageRank over imports; a link in prose is no import.
fn ranks(files: &[FileEntry], edges: Vec<(u32, u32, f32)>) -> Vec<f32> {
    let role =
        |file: &FileEntry| Language::named(&file.language).map_or(Role::Code, Language::role);
    let code: Vec<bool> = files.iter().map(|file| role(file) == Role::Code).collect();
    let imports = edges.into_iter().filter(|(from, ..)| code[*from as usize]).collect();
    page_rank(&Edges::group(files.len(), imports))
}

/// For each rank the share of files that have a smaller one.
fn standing(ranks: &[f32]) -> Vec<f32> {
    let mut sorted = ranks.to_vec();
    sorted.sort_by(f32::total_cmp);
    let below = |rank: &f32| sorted.partition_point(|other| other < rank);
    ranks.iter().map(|rank| below(rank) as f32 / ranks.len().max(1) as f32).collect()
}

fn kept(files: &[FileEntry], facts: &[Packed]) -> Vec<u8> {
    let ids = files.iter().map(|file| file.id).collect();
    lz4_flex::compress_prepend_size(&Packed::pack_all(ids, facts))
}

impl Links {
    /// Opens the links a manifest names.
    pub fn open(folder: &Path, seal: &Seal, files: usize) -> Result<Links> {
        Links::checked(Columns::open(folder, seal, SECTIONS)?, files)
            .ok_or_else(|| Error::damaged(folder.join(&seal.name), "the links of another tree"))
    }

    /// Links just built.
    pub fn of(bytes: Vec<u8>, files: usize) -> Option<Links> {
        Links::checked(Columns::of(OwnedBytes::new(bytes), SECTIONS)?, files)
    }

    /// Links of which only the edges and standings are known, those of files that were gathered
    /// from elsewhere. What an import says and where it leads to otherwise is not among them.
    pub fn among(edges: &[(u32, u32)], standings: &[f32]) -> Option<Links> {
        let files = standings.len();
        let way = |from: u32, to: u32| (from, to, 1.0);
        let out = Edges::group(files, edges.iter().map(|&(from, to)| way(from, to)).collect());
        let into = Edges::group(files, edges.iter().map(|&(from, to)| way(to, from)).collect());
        let mut writer = Writer::default();
        writer.numbers(vec![0; files + 1]);
        writer.bytes(Vec::new());
        writer.numbers([0]);
        writer.numbers([]);
        writer.numbers(out.starts);
        writer.numbers(out.to);
        writer.numbers(into.starts);
        writer.numbers(into.to);
        writer.fractions(&vec![0.0; files]);
        writer.fractions(standings);
        writer.bytes(Vec::new());
        Links::of(writer.finish(), files)
    }

    fn checked(columns: Columns, files: usize) -> Option<Links> {
        let fits = columns.count(RANK) == files && columns.count(ROW_STARTS) == files + 1;
        fits.then_some(Links { columns, files, coverage: OnceLock::new() })
    }

    /// The facts it was made from, by file id; none if they cannot be read. A file that changed since
    /// then without another import is not among them under its new id.
    pub fn facts(&self) -> Option<HashMap<u32, Packed>> {
        let (ids, facts) = self.kept()?;
        Some(ids.into_iter().zip(facts).collect())
    }

    fn kept(&self) -> Option<(Vec<u32>, Vec<Packed>)> {
        const MOST: usize = 1 << 30;
        let bytes = self.columns.section(FACTS);
        let (size, compressed) = lz4_flex::block::uncompressed_size(bytes).ok()?;
        let plain =
            lz4_flex::decompress(compressed, Some(size).filter(|&size| size < MOST)?).ok()?;
        Packed::unpack_all(&plain)
    }

    /// How many files are linked.
    pub fn files(&self) -> usize {
        self.files
    }

    /// The share of files that fewer paths of imports lead to: 0 for the least, near 1 for the most.
    pub fn standing(&self, file: usize) -> f32 {
        self.columns.fraction(STANDING, file)
    }

    /// A file's share of all attention; the shares of a tree add up to one.
    pub fn rank(&self, file: usize) -> f32 {
        self.columns.fraction(RANK, file)
    }

    /// The files a file imports or links to.
    pub fn imports(&self, file: usize) -> impl Iterator<Item = u32> {
        self.edges(OUT_STARTS, OUT, file)
    }

    /// The files that import or link to a file.
    pub fn importers(&self, file: usize) -> impl Iterator<Item = u32> {
        self.edges(IN_STARTS, IN, file)
    }

    fn edges(&self, starts: usize, ends: usize, file: usize) -> impl Iterator<Item = u32> {
        let range = self.columns.range(starts, file, self.columns.count(ends));
        let files = self.files as u32;
        range.map(move |at| self.columns.number(ends, at)).filter(move |&file| file < files)
    }

    /// What the imports of a file mean, in their order.
    pub fn targets(&self, file: usize) -> Vec<Target> {
        let rows = self.columns.range(ROW_STARTS, file, self.columns.section(ROWS).len());
        rows.map(|row| self.target(row)).collect()
    }

    fn target(&self, row: usize) -> Target {
        match self.columns.byte(ROWS, row) {
            FOUND => {
                let range = self.columns.range(TARGET_STARTS, row, self.columns.count(TARGETS));
                let files = range.map(|at| self.columns.number(TARGETS, at));
                Target::Files(files.filter(|&file| (file as usize) < self.files).collect())
            }
            reason => Target::None(*Reason::ALL.get(reason as usize).unwrap_or(&Reason::NotFound)),
        }
    }

    /// How many imports lead somewhere. A link in prose is no import. `roles` are those of the files.
    pub fn coverage(&self, roles: &[Role]) -> &Coverage {
        self.coverage.get_or_init(|| self.counted(roles))
    }

    fn counted(&self, roles: &[Role]) -> Coverage {
        let mut counts = [0; Reason::ALL.len()];
        let mut coverage = Coverage::default();
        let rows = self.columns.section(ROWS);
        for (file, _) in roles.iter().enumerate().filter(|(_, role)| **role == Role::Code) {
            for row in &rows[self.columns.range(ROW_STARTS, file, rows.len())] {
                match counts.get_mut(*row as usize) {
                    Some(count) => *count += 1,
                    None => coverage.resolved += 1,
                }
            }
        }
        coverage.unresolved = counts[Reason::NotFound as usize];
        let reasons = Reason::ALL.into_iter().zip(counts).filter(|(_, count)| *count > 0);
        coverage.reasons = reasons.collect();
        coverage
    }

    /// The imports of code that lead nowhere, those that are outside the tree left out.
    pub fn unresolved(&self, files: &[FileEntry]) -> Vec<Unresolved> {
        let facts = self.kept().map(|(_, facts)| facts).unwrap_or_default();
        let mut found = Vec::new();
        for (position, file) in files.iter().enumerate().filter(|(_, file)| is_code(file)) {
            let facts = facts.get(position).map(Packed::facts).unwrap_or_default();
            for (target, import) in self.targets(position).iter().zip(&facts.imports) {
                if let Target::None(reason) = target
                    && !matches!(reason, Reason::External | Reason::Itself)
                {
                    found.push(unresolved(file, import, *reason));
                }
            }
        }
        found
    }
}

fn is_code(file: &FileEntry) -> bool {
    Language::named(&file.language).map_or(Role::Code, Language::role) == Role::Code
}

fn unresolved(file: &FileEntry, import: &Import, reason: Reason) -> Unresolved {
    let (path, source) = (file.path.clone(), import.source.clone());
    Unresolved { path, line: import.line, source, reason }
}

//! What a change reaches, in how many steps, which tests cover it, and how risky that is.
//!
//! Steps follow uses from symbol to symbol. From a symbol that is used where no symbol is, at the
//! top of a file, the way ends at that file. A whole file also reaches what imports it.

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;

use super::difference::{Lost, Trail};
use super::{Horizon, Spot, Subject, horizon, spot};
use crate::error::Result;
use crate::graph::symbols::Symbols;
use crate::graph::test_code::is_test;
use crate::graph::walk;
use crate::index::snapshot::Snapshot;
use crate::search::answer::Certificate;

/// A file, and the lines of it that change; all of it without lines.
pub type ChangedFile = (usize, Vec<(u32, u32)>);

/// What changes.
#[derive(Clone, Debug, Default)]
pub struct Change {
    /// Files, whole or in part.
    pub files: Vec<ChangedFile>,
    /// Symbols.
    pub symbols: Vec<u32>,
    /// Symbols of which a part changes: others inside them do not.
    pub parts: Vec<u32>,
    /// What is gone since a revision.
    pub lost: Option<Trail>,
}

impl Change {
    /// Whether nothing changes that is known.
    pub fn is_empty(&self) -> bool {
        let Change { files, symbols, parts, lost } = self;
        let is_lost = lost.as_ref().is_some_and(|trail| {
            !trail.reached.is_empty() || trail.lost.total_symbols + trail.lost.total_uses > 0
        });
        files.is_empty() && symbols.is_empty() && parts.is_empty() && !is_lost
    }

    /// The change of a whole subject.
    pub fn of(subject: &Subject) -> Change {
        match subject {
            Subject::File(file) => Change { files: vec![(*file, Vec::new())], ..Change::default() },
            Subject::Symbols(symbols) => Change { symbols: symbols.clone(), ..Change::default() },
        }
    }
}

/// What a change reaches.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct Impact {
    /// Symbols that change.
    pub changed: Vec<Spot>,
    /// What is gone since the revision that was asked about; what it reached there is among the rest.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub lost: Option<Lost>,
    /// Files reached, riskiest first.
    pub files: Vec<ReachedFile>,
    /// How many files are reached in all.
    pub total_files: usize,
    /// How many symbols are reached in all.
    pub total_symbols: usize,
    /// Tests that reach the change, nearest first.
    pub tests: Vec<Test>,
    /// How many tests do in all.
    pub total_tests: usize,
    /// Changed symbols that no test reaches.
    pub untested: Vec<String>,
    /// Where the answer stops seeing.
    pub horizon: Horizon,
    /// What was looked at.
    pub index: Certificate,
}

/// A file that is reached.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct ReachedFile {
    /// Relative to the root.
    pub path: String,
    /// How many steps away the nearest of it is.
    pub steps: u32,
    /// How many of its symbols are reached.
    pub symbols: usize,
    /// Near, much depended upon, much of it reached: from 0 to 1.
    pub risk: f32,
}

/// A test that reaches the change.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "schema", schema(as = CoveringTest))]
pub struct Test {
    /// Relative to the root.
    pub path: String,
    /// Where it stands.
    pub line: u32,
    /// Its name.
    pub name: String,
    /// How many steps away.
    pub steps: u32,
}

/// Follows a change for so many steps.
pub fn impact(snapshot: &Snapshot, change: &Change, depth: u32, limit: usize) -> Result<Impact> {
    let symbols = snapshot.symbols()?;
    let graph = Reach { snapshot, symbols };
    let starts = graph.starts(change);
    let nodes = graph.nodes(change, &starts);
    let reached = walk::outward(&nodes, depth, |node| graph.next(node));
    let mut reached: Vec<(u32, u32)> =
        reached.into_iter().filter(|(_, steps)| *steps > 0).collect();
    graph.add_importers(change, depth, &mut reached)?;
    if let Some(trail) = &change.lost {
        reached = joined(reached, &trail.reached, &starts);
    }
    let total_symbols = graph.symbols_among(&reached);
    let files = graph.files(&reached, limit)?;
    let tests = graph.tests(&reached, limit);
    let untested = graph.untested(&starts, depth);
    let open = starts.iter().map(|&it| symbols.name(it)).collect::<BTreeSet<_>>();
    let open = open.into_iter().map(|name| symbols.open_uses(name).len()).sum();
    let changed = starts.iter().take(limit).map(|&symbol| spot(snapshot, symbols, symbol));
    Ok(Impact {
        changed: changed.collect::<Result<_>>()?,
        lost: change.lost.as_ref().map(|trail| trail.lost.clone()),
        total_files: files.total,
        files: files.first,
        total_symbols,
        total_tests: tests.total,
        tests: tests.first,
        untested,
        horizon: horizon(snapshot, open)?,
        index: Certificate::of(&snapshot.manifest),
    })
}

/// What is reached in either way, by the shorter; what changes itself is not reached.
fn joined(mut reached: Vec<(u32, u32)>, others: &[(u32, u32)], starts: &[u32]) -> Vec<(u32, u32)> {
    reached.extend_from_slice(others);
    reached.sort_unstable();
    reached.dedup_by_key(|(node, _)| *node);
    reached.retain(|(node, _)| starts.binary_search(node).is_err());
    reached
}

/// As much of a list as is asked for.
struct Reached<T> {
    first: Vec<T>,
    total: usize,
}

/// Nodes are symbols by number, then files.
struct Reach<'s> {
    snapshot: &'s Snapshot,
    symbols: &'s Symbols,
}

impl Reach<'_> {
    /// Symbols that change: those named, and those of the changed lines, outermost of each file.
    fn starts(&self, change: &Change) -> Vec<u32> {
        let mut starts = [change.symbols.as_slice(), &change.parts].concat();
        for (file, lines) in &change.files {
            let touched = |&symbol: &u32| {
                let (start, end) = self.symbols.lines(symbol);
                lines.is_empty() || lines.iter().any(|&(from, to)| from <= end && to >= start)
            };
            starts.extend(self.symbols.of_file(*file).filter(touched));
        }
        starts.sort_unstable();
        starts.dedup();
        starts
    }

    /// The starts and everything inside them: who uses a method of a class uses the class.
    fn nodes(&self, change: &Change, starts: &[u32]) -> Vec<u32> {
        let mut nodes: Vec<u32> = starts.to_vec();
        for &start in &change.symbols {
            let (from, to) = self.symbols.lines(start);
            let inside = self.symbols.of_file(self.symbols.file(start)).filter(|&it| {
                let (start, end) = self.symbols.lines(it);
                from <= start && end <= to
            });
            nodes.extend(inside);
        }
        nodes
    }

    fn next(&self, node: u32) -> impl Iterator<Item = u32> {
        let is_symbol = (node as usize) < self.symbols.count();
        is_symbol.then(|| self.symbols.users(node)).into_iter().flatten()
    }

    /// A file that is changed whole reaches what imports it.
    fn add_importers(
        &self,
        change: &Change,
        depth: u32,
        reached: &mut Vec<(u32, u32)>,
    ) -> Result<()> {
        for (file, _) in change.files.iter().filter(|(_, lines)| lines.is_empty()) {
            for (importer, steps) in self.snapshot.importers(*file, depth)? {
                reached.push((self.symbols.count() as u32 + importer as u32, steps));
            }
        }
        Ok(())
    }

    fn file_of(&self, node: u32) -> usize {
        match (node as usize).checked_sub(self.symbols.count()) {
            Some(file) => file,
            None => self.symbols.file(node),
        }
    }

    fn symbols_among(&self, reached: &[(u32, u32)]) -> usize {
        reached.iter().filter(|(node, _)| (*node as usize) < self.symbols.count()).count()
    }

    /// The riskiest files. Numbers of files are in the order of their paths.
    fn files(&self, reached: &[(u32, u32)], limit: usize) -> Result<Reached<ReachedFile>> {
        let mut by_file: BTreeMap<usize, (u32, usize)> = BTreeMap::new();
        for &(node, steps) in reached {
            let entry = by_file.entry(self.file_of(node)).or_insert((steps, 0));
            entry.0 = entry.0.min(steps);
            entry.1 += usize::from((node as usize) < self.symbols.count());
        }
        let links = self.snapshot.links()?;
        let risk = |(file, (steps, symbols)): (usize, (u32, usize))| {
            let much = 1.0 - 1.0 / (1.0 + symbols as f32);
            // Tests that break say so themselves.
            let own = if self.is_test_file(file) { 0.25 } else { 1.0 };
            let risk = own * (0.5 + 0.3 * links.standing(file) + 0.2 * much) / steps as f32;
            (risk, file, steps, symbols)
        };
        let mut files: Vec<_> = by_file.into_iter().map(risk).collect();
        files.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
        let total = files.len();
        let shown = |(risk, file, steps, symbols)| {
            let path = self.path(file).to_owned();
            ReachedFile { path, steps, symbols, risk }
        };
        Ok(Reached { first: files.into_iter().take(limit).map(shown).collect(), total })
    }

    /// The nearest tests, by path and line, and how many there are.
    fn tests(&self, reached: &[(u32, u32)], limit: usize) -> Reached<Test> {
        let place = |&(node, steps): &(u32, u32)| {
            let is_symbol = (node as usize) < self.symbols.count();
            let line = if is_symbol { self.symbols.name_line(node) } else { 1 };
            (steps, self.file_of(node), line, node)
        };
        let nodes = reached.iter().filter(|(node, _)| self.is_test_node(*node));
        let mut tests: Vec<_> = nodes.map(place).collect();
        tests.sort_unstable();
        tests.dedup();
        let total = tests.len();
        let shown = |(steps, file, line, node)| {
            let path = self.path(file).to_owned();
            let is_symbol = (node as usize) < self.symbols.count();
            let name = if is_symbol { self.symbols.qualified(node, ".") } else { path.clone() };
            Test { path, line, name, steps }
        };
        Reached { first: tests.into_iter().take(limit).map(shown).collect(), total }
    }

    fn path(&self, file: usize) -> &str {
        &self.snapshot.manifest.files[file].path
    }

    fn is_test_file(&self, file: usize) -> bool {
        self.symbols.is_test_file(&self.snapshot.manifest.files, file)
    }

    fn is_test_node(&self, node: u32) -> bool {
        let in_tests = self.is_test_file(self.file_of(node));
        let is_symbol = (node as usize) < self.symbols.count();
        if !is_symbol {
            return in_tests;
        }
        let (kind, name) = (self.symbols.kind(node), self.symbols.name(node));
        is_test(kind, name)
            && (in_tests || kind == wherein_corpus::SymbolKind::Test || self.in_test_module(node))
    }

    fn in_test_module(&self, symbol: u32) -> bool {
        self.symbols.scope(symbol).split(['.', ':']).any(|part| part == "tests")
    }

    /// Changed functions and types that nothing in a test file reaches.
    fn untested(&self, starts: &[u32], depth: u32) -> Vec<String> {
        const MOST: usize = 50;
        let is_code = |&symbol: &u32| {
            use wherein_corpus::SymbolKind::{Class, Function, Method, Struct, Trait};
            let kind = self.symbols.kind(symbol);
            !self.is_test_file(self.symbols.file(symbol))
                && matches!(kind, Class | Function | Method | Struct | Trait)
        };
        let in_tests = |node: u32| self.is_test_file(self.file_of(node)) || self.is_test_node(node);
        let reached_by_test =
            |symbol: u32| walk::reaches(symbol, depth, |node| self.next(node), in_tests);
        let code = starts.iter().copied().filter(is_code).take(MOST);
        let alone = code.filter(|&symbol| !reached_by_test(symbol));
        alone.map(|symbol| self.symbols.qualified(symbol, ".")).collect()
    }
}

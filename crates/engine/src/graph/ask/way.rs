//! How two things are connected: the shortest chain of uses between them, in either direction.

use serde::Serialize;

use super::{Horizon, Subject, horizon, uses_of};
use crate::error::Result;
use crate::graph::symbols::Symbols;
use crate::graph::walk;
use crate::index::snapshot::Snapshot;
use crate::search::answer::Certificate;

/// A chain from one thing to another.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Way {
    /// Each link uses the next; empty if nothing connects the two.
    pub links: Vec<Link>,
    /// Whether the chain runs from the second thing to the first.
    pub reversed: bool,
    /// Where the answer stops seeing.
    pub horizon: Horizon,
    /// What was looked at.
    pub index: Certificate,
}

/// One thing of a chain.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Link {
    /// Relative to the root.
    pub path: String,
    /// Where it stands.
    pub line: u32,
    /// A symbol, or the file itself.
    pub name: String,
}

/// The shortest chain; between files by imports, else by uses.
pub fn way(snapshot: &Snapshot, from: &Subject, to: &Subject) -> Result<Way> {
    let found = match (from, to) {
        (Subject::File(a), Subject::File(b)) => by_imports(snapshot, *a as u32, *b as u32)?,
        _ => by_uses(snapshot, from, to)?,
    };
    let (links, reversed) = found.unwrap_or_default();
    let index = Certificate::of(&snapshot.manifest);
    Ok(Way { links, reversed, horizon: horizon(snapshot, 0)?, index })
}

type Chain = Option<(Vec<Link>, bool)>;

fn by_imports(snapshot: &Snapshot, from: u32, to: u32) -> Result<Chain> {
    let links = snapshot.links()?;
    let next = |file: u32| links.imports(file as usize).collect();
    let chain = |way: Vec<u32>| way.into_iter().map(|file| file_link(snapshot, file)).collect();
    let forward = walk::way(from, to, next).map(|way| (chain(way), false));
    Ok(forward.or_else(|| walk::way(to, from, next).map(|way| (chain(way), true))))
}

fn by_uses(snapshot: &Snapshot, from: &Subject, to: &Subject) -> Result<Chain> {
    let symbols = snapshot.symbols()?;
    let (from, to) = (members(symbols, from), members(symbols, to));
    let find = |starts: &[u32], ends: &[u32]| {
        // Backwards, from what is used to its users: these are known by name.
        let goal = u32::MAX;
        let next = |node: u32| {
            let mut users = users(symbols, node);
            if starts.contains(&node) {
                users.push(goal);
            }
            users
        };
        let ways = ends.iter().filter_map(|&end| walk::way(end, goal, next));
        ways.min_by_key(Vec::len).map(|way| {
            let way = way.into_iter().filter(|&node| node != goal).rev();
            way.map(|symbol| symbol_link(snapshot, symbols, symbol)).collect::<Vec<_>>()
        })
    };
    let forward = find(&from, &to).map(|links| (links, false));
    Ok(forward.or_else(|| find(&to, &from).map(|links| (links, true))))
}

/// Symbols that use a symbol; who uses a member uses what it is part of.
fn users(symbols: &Symbols, symbol: u32) -> Vec<u32> {
    let uses = uses_of(symbols, symbol);
    let mut users: Vec<u32> = uses.into_iter().filter_map(|it| it.owner).collect();
    users.extend(symbols.parent(symbol));
    users.sort_unstable();
    users.dedup();
    users
}

fn members(symbols: &Symbols, subject: &Subject) -> Vec<u32> {
    match subject {
        Subject::Symbols(found) => found.clone(),
        Subject::File(file) => symbols.of_file(*file).collect(),
    }
}

fn file_link(snapshot: &Snapshot, file: u32) -> Link {
    let path = snapshot.manifest.files[file as usize].path.clone();
    Link { name: path.clone(), path, line: 1 }
}

fn symbol_link(snapshot: &Snapshot, symbols: &Symbols, symbol: u32) -> Link {
    Link {
        path: snapshot.manifest.files[symbols.file(symbol)].path.clone(),
        line: symbols.name_line(symbol),
        name: symbols.qualified(symbol, "."),
    }
}

//! An outline of a tree that fits a budget, and the outline of some files.

use serde::Serialize;
use wherein_corpus::{Language, Role, SymbolKind};

use crate::error::Result;
use crate::graph::aside::is_beside;
use crate::graph::test_code::is_test_path;
use crate::graph::walk;
use crate::index::snapshot::Snapshot;
use crate::search::answer::Certificate;
use crate::search::filter;
use crate::search::intent::filters::Filters;
use crate::search::query::Query;
use crate::search::secrets::redact;

/// What to put on the map.
#[derive(Clone, Debug)]
pub struct MapRequest {
    /// How many tokens it may take.
    pub budget: usize,
    /// Files to draw near to: a position, or none for the whole tree.
    pub focus: Vec<usize>,
}

/// An outline of a tree.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Map {
    /// Files, most central first.
    pub files: Vec<OutlinedFile>,
    /// About how many tokens it takes.
    pub tokens: usize,
    /// Files of code that did not fit.
    pub left_out: usize,
    /// What was looked at.
    pub index: Certificate,
}

/// A file with its signatures.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct OutlinedFile {
    /// Relative to the root.
    pub path: String,
    /// How central it is among the files, from 0 to nearly 1.
    pub standing: f32,
    /// Signatures in the order they stand.
    pub symbols: Vec<Outlined>,
}

/// A signature.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Outlined {
    /// The line of its name.
    pub line: u32,
    /// How deep it is nested.
    pub depth: u32,
    /// What sort of thing it is.
    pub kind: &'static str,
    /// Its name.
    pub name: String,
    /// Everything before its body.
    pub signature: String,
}

/// How many bytes of code are about one token.
const BYTES_A_TOKEN: usize = 4;

/// Symbols of one file on a map: enough to know what it is for.
const MOST_SYMBOLS: usize = 6;

/// What a file counts for that is not of the program itself.
const BESIDE: f32 = 0.05;

/// Longest signature on a map.
const LONGEST: usize = 100;

/// Draws the most central files, or those around the focus, and the most used symbols of each.
pub fn map(snapshot: &Snapshot, request: &MapRequest) -> Result<Map> {
    let order = central(snapshot, &request.focus)?;
    let most = request.budget * BYTES_A_TOKEN;
    let (mut files, mut bytes, mut left_out) = (Vec::new(), 0, 0);
    for file in order {
        if bytes >= most {
            left_out += 1;
            continue;
        }
        let drawn = drawn(snapshot, file)?;
        let size = size(&drawn);
        if bytes + size <= most {
            bytes += size;
            files.push(drawn);
        } else {
            // What is left holds no more signatures, but perhaps a path.
            let bare = OutlinedFile { symbols: Vec::new(), ..drawn };
            match bytes + self::size(&bare) <= most {
                true => {
                    bytes += self::size(&bare);
                    files.push(bare);
                }
                false => {
                    left_out += 1;
                    bytes = most;
                }
            }
        }
    }
    let index = Certificate::of(&snapshot.manifest);
    Ok(Map { files, tokens: bytes.div_ceil(BYTES_A_TOKEN), left_out, index })
}

/// Files of code by how central they are; with a focus, by how near to it first.
fn central(snapshot: &Snapshot, focus: &[usize]) -> Result<Vec<usize>> {
    let links = snapshot.links()?;
    let roles = snapshot.roles();
    let entries = &snapshot.manifest.files;
    let has_code = |file: usize| {
        let grammar =
            Language::named(&entries[file].language).is_some_and(|l| l.grammar().is_some());
        let data = matches!(
            entries[file].language.as_str(),
            "json" | "yaml" | "toml" | "html" | "css" | "scss"
        );
        roles[file] == Role::Code && grammar && !data && entries[file].chunks > 0
    };
    let starts: Vec<u32> = focus.iter().map(|&file| file as u32).collect();
    let near: std::collections::HashMap<u32, u32> = walk::outward(&starts, 3, |file| {
        links.imports(file as usize).chain(links.importers(file as usize))
    })
    .into_iter()
    .collect();
    let symbols = snapshot.symbols()?;
    // Imports know the modules everything rests on, uses the types everything is made of.
    let used = |file: usize| symbols.of_file(file).map(|symbol| symbols.rank(symbol)).sum::<f32>();
    let score = |file: usize| {
        let path = &entries[file].path;
        // A newcomer needs the program: a library that is carried along is used by much, a helper of
        // tests imported by hundreds, and neither says what the program does.
        let own = if is_test_path(path) || is_beside(path) { BESIDE } else { 1.0 };
        let nearness = match near.get(&(file as u32)) {
            Some(steps) => 100.0 / (1.0 + *steps as f32),
            None => 1.0,
        };
        (links.rank(file) + used(file)) * own * nearness
    };
    let code = (0..entries.len()).filter(|&file| has_code(file));
    let mut scored: Vec<(f32, usize)> = code.map(|file| (score(file), file)).collect();
    scored.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
    Ok(scored.into_iter().map(|(_, file)| file).collect())
}

/// A file with its most used symbols, in the order they stand.
fn drawn(snapshot: &Snapshot, file: usize) -> Result<OutlinedFile> {
    let symbols = snapshot.symbols()?;
    let entry = &snapshot.manifest.files[file];
    let parsed = snapshot.parsed(entry)?;
    let worth = |&symbol: &u32| {
        use SymbolKind::{Class, Enum, Function, Interface, Method, Module, Struct, Trait, Type};
        let kind = symbols.kind(symbol);
        matches!(
            kind,
            Class | Enum | Function | Interface | Method | Module | Struct | Trait | Type
        )
    };
    let mut best: Vec<u32> = symbols.of_file(file).filter(worth).collect();
    best.sort_by(|&a, &b| symbols.rank(b).total_cmp(&symbols.rank(a)).then(a.cmp(&b)));
    best.truncate(MOST_SYMBOLS);
    best.sort_unstable();
    let outlined = best.into_iter().filter_map(|symbol| {
        let (line, name) = (symbols.name_line(symbol), symbols.name(symbol));
        let found = parsed.symbols.iter().find(|it| it.name_line == line && it.name == name)?;
        let depth = std::iter::successors(symbols.parent(symbol), |&it| symbols.parent(it)).count();
        let signature = redact(&found.signature);
        let signature = &signature[..signature.floor_char_boundary(LONGEST)];
        let (depth, kind) = (depth as u32, found.kind.name());
        Some(Outlined { line, depth, kind, name: name.to_owned(), signature: signature.to_owned() })
    });
    let standing = snapshot.links()?.standing(file);
    Ok(OutlinedFile { path: entry.path.clone(), standing, symbols: outlined.collect() })
}

/// Bytes a file takes as it is printed.
fn size(file: &OutlinedFile) -> usize {
    let lines = file.symbols.iter().map(|it| it.signature.len() + 2 * it.depth as usize + 10);
    file.path.len() + 2 + lines.sum::<usize>()
}

/// Every signature of the files a pattern chooses, without bodies.
pub fn outline(snapshot: &Snapshot, patterns: &[String]) -> Result<Vec<OutlinedFile>> {
    let query = Query { paths: patterns.to_vec(), ..Query::new(String::new()) };
    let allowed = filter::allowed(snapshot, &query, &Filters::default())?;
    let chosen = |file: &usize| allowed.as_ref().is_none_or(|allowed| allowed[*file]);
    (0..snapshot.manifest.files.len()).filter(chosen).map(|file| whole(snapshot, file)).collect()
}

fn whole(snapshot: &Snapshot, file: usize) -> Result<OutlinedFile> {
    let entry = &snapshot.manifest.files[file];
    let parsed = snapshot.parsed(entry)?;
    let depth = |mut parent: Option<u32>| {
        let mut depth = 0;
        while let Some(outer) = parent {
            depth += 1;
            parent = parsed.symbols[outer as usize].parent;
        }
        depth
    };
    let symbols = parsed.symbols.iter().map(|it| Outlined {
        line: it.name_line,
        depth: depth(it.parent),
        kind: it.kind.name(),
        name: it.name.clone(),
        signature: redact(&it.signature).into_owned(),
    });
    let standing = snapshot.links()?.standing(file);
    Ok(OutlinedFile { path: entry.path.clone(), standing, symbols: symbols.collect() })
}

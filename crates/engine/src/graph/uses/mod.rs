//! From the parses of a tree to its symbols and what uses them.
//!
//! In: every parse, and where its imports lead. Out: the bytes of a [`Symbols`] file. Two passes:
//! what types are made from must be known before members of a base can be found.
//!
//! [`Symbols`]: crate::graph::symbols::Symbols

mod literals;
mod meaning;
mod rust;
mod source;
mod typescript;
mod variables;
mod world;
mod written;

use std::collections::HashMap;

use rayon::prelude::*;
use wherein_corpus::{Parsed, Reference, ReferenceKind};

use crate::error::Result;
use crate::graph::columns::Writer;
use crate::graph::family::Family;
use crate::graph::links::Links;
use crate::graph::rank::{Edges, page_rank};
use crate::graph::symbols::{How, NONE, SYMBOL_KINDS, pack};
use crate::graph::tree::Tree;
use crate::index::manifest::FileEntry;
use crate::index::snapshot::Snapshot;
use crate::index::source::Source as TreeSource;

use meaning::{Meaning, Reader};
use rust::Base;
use source::Source;
use world::{Bases, World};

/// One line that names something of the tree.
struct Found<'s> {
    line: u32,
    /// The name it stands under.
    name: &'s str,
    kind: ReferenceKind,
    how: How,
    target: u32,
    /// The symbol it stands in.
    owner: u32,
}

/// The uses of one file, how many others name nothing of the tree, and which of its methods are
/// members of a type that is written down for them.
struct FileUses<'s> {
    found: Vec<Found<'s>>,
    unseen: u32,
    declared: Vec<(u32, u32)>,
}

/// Gathers the symbols and uses of a tree.
pub fn gather(snapshot: &Snapshot, links: &Links) -> Result<Vec<u8>> {
    let (files, source) = (&snapshot.manifest.files, &*snapshot.place().source);
    gather_of(files, links, source, &|file| snapshot.parse_of(file))
}

/// The same of files that are read in another way.
pub fn gather_of(
    files: &[FileEntry],
    links: &Links,
    source: &dyn TreeSource,
    read: &(dyn Fn(&FileEntry) -> Result<Parsed> + Sync),
) -> Result<Vec<u8>> {
    let sources: Vec<Source> = files
        .par_iter()
        .enumerate()
        .map(|(position, file)| {
            Ok(Source::of(&file.path, &file.language, read(file)?, links.targets(position)))
        })
        .collect::<Result<_>>()?;
    let paths = files.iter().map(|file| file.path.as_str()).collect();
    let tree = Tree::new(source, paths, []);
    let mut world = World::of(&sources, &tree);
    let bases = bases(&world);
    (world.bases, world.extensions) = with_traits(&world, bases);
    let uses: Vec<FileUses> =
        (0..sources.len() as u32).into_par_iter().map(|file| uses(&world, file)).collect();
    Ok(encode(&world, &uses))
}

/// What every type is made from.
fn bases(world: &World) -> HashMap<u32, Bases> {
    let of_file = |file: u32| -> Vec<(u32, Option<u32>)> {
        let reader = Reader::of(world, file);
        let made_from =
            |it: &&Reference| matches!(it.kind, ReferenceKind::Extends | ReferenceKind::Implements);
        let mut found = Vec::new();
        for reference in world.sources[file as usize].references.iter().filter(made_from) {
            for &line in &reference.lines {
                let owner = reader.owner(line).filter(|&it| world.symbol(it).kind.is_type());
                if let Some(owner) = owner {
                    found.push((
                        owner,
                        match reader.meaning(reference, line) {
                            Meaning::Symbol(base, _) if base != owner => Some(base),
                            _ => None,
                        },
                    ));
                }
            }
        }
        found
    };
    let files = 0..world.sources.len() as u32;
    let found: Vec<Vec<(u32, Option<u32>)>> = files.into_par_iter().map(of_file).collect();
    let mut bases: HashMap<u32, Bases> = HashMap::new();
    for (owner, base) in found.into_iter().flatten() {
        let entry = bases.entry(owner).or_default();
        match base {
            Some(base) => entry.known.push(base),
            None => entry.beyond = true,
        }
    }
    bases
}

/// Traits of Rust that say nothing of what a type is.
const COMMON: [&str; 8] = ["Clone", "Copy", "Debug", "Default", "Send", "Sized", "Sync", "Unpin"];

/// Adds what types of Rust have from traits, and which traits come with those outside the tree.
fn with_traits(
    world: &World,
    mut bases: HashMap<u32, Bases>,
) -> (HashMap<u32, Bases>, HashMap<String, Vec<u32>>) {
    let is_rust = |&file: &u32| world.sources[file as usize].family == Family::Rust;
    let files = (0..world.sources.len() as u32).into_par_iter().filter(is_rust);
    let found: Vec<Vec<(Base, Base)>> =
        files.map(|file| Reader::of(world, file).implemented()).collect();
    let mut extensions: HashMap<String, Vec<u32>> = HashMap::new();
    for (owner, base) in found.into_iter().flatten() {
        match (owner, base) {
            (Base::Known(owner), Base::Known(base)) => {
                bases.entry(owner).or_default().known.push(base)
            }
            (Base::Known(owner), Base::Outside(base)) => {
                bases.entry(owner).or_default().outside.push(base)
            }
            // That much nearly everything has.
            (Base::Outside(owner), Base::Known(_)) if COMMON.contains(&owner.as_str()) => {}
            (Base::Outside(owner), Base::Known(base)) => {
                extensions.entry(owner).or_default().push(base)
            }
            (Base::Outside(_), Base::Outside(_)) => {}
        }
    }
    (bases, extensions)
}

fn uses<'s>(world: &World<'s>, file: u32) -> FileUses<'s> {
    let source = &world.sources[file as usize];
    let reader = Reader::of(world, file);
    let (mut found, mut unseen) = (Vec::new(), 0);
    for reference in &source.references {
        for &line in &reference.lines {
            let (target, how, name) = match reader.meaning(reference, line) {
                Meaning::Symbol(symbol, how) => (symbol, how, world.symbol(symbol).name.as_str()),
                Meaning::Several => (NONE, How::Several, reference.name.as_str()),
                Meaning::Nothing => {
                    unseen += 1;
                    continue;
                }
            };
            let owner = reader.owner(line).unwrap_or(NONE);
            found.push(Found { line, name, kind: reference.kind, how, target, owner });
        }
    }
    let mut declared = reader.overrides();
    for filled in reader.filled() {
        match filled.method {
            Some(method) => declared.push((method, filled.member)),
            None => found.push(named_in_literal(&reader, filled.line, filled.member)),
        }
    }
    found.sort_by_key(|it| (it.line, it.name, it.kind, it.target));
    // A base is a type too: the stronger word is kept.
    found.dedup_by(|later, earlier| {
        (later.line, later.name, later.target) == (earlier.line, earlier.name, earlier.target)
    });
    FileUses { found, unseen, declared }
}

/// A literal that gives a member of its type names it.
fn named_in_literal<'s>(reader: &Reader<'_, 's>, line: u32, member: u32) -> Found<'s> {
    Found {
        line,
        name: reader.world.symbol(member).name.as_str(),
        kind: ReferenceKind::Name,
        how: How::Receiver,
        target: member,
        owner: reader.owner(line).unwrap_or(NONE),
    }
}

fn encode(world: &World, uses: &[FileUses]) -> Vec<u8> {
    let names = Names::of(world, uses);
    let symbols: Vec<_> = world.sources.iter().flat_map(|source| &source.symbols).collect();
    let ranks = ranks(symbols.len(), uses);
    let firsts = |file: usize| world.first[file];
    let mut writer = Writer::default();
    writer.numbers(names.starts());
    writer.bytes(names.sorted.concat().into_bytes());
    writer.numbers(world.first.iter().copied());
    writer.numbers(symbols.iter().map(|symbol| names.id(&symbol.name)));
    writer.numbers(symbols.iter().map(|symbol| names.id(&symbol.scope)));
    writer.numbers(symbols.iter().map(|symbol| symbol.start_line));
    writer.numbers(symbols.iter().map(|symbol| symbol.end_line));
    writer.numbers(symbols.iter().map(|symbol| symbol.name_line));
    writer.numbers(world.sources.iter().enumerate().flat_map(|(file, source)| {
        source.symbols.iter().map(move |it| it.parent.map_or(NONE, |parent| firsts(file) + parent))
    }));
    let kind = |kind| SYMBOL_KINDS.iter().position(|it| *it == kind).unwrap_or_default() as u8;
    writer.bytes(symbols.iter().map(|symbol| kind(symbol.kind)).collect());
    writer.fractions(&ranks);
    let by_name = symbols.iter().map(|symbol| Some(names.id(&symbol.name)));
    write_grouped(&mut writer, names.sorted.len(), by_name);
    let all = || uses.iter().flat_map(|file| &file.found);
    let mut count = 0;
    let starts = uses.iter().map(|file| {
        count += file.found.len() as u32;
        count
    });
    writer.numbers(std::iter::once(0).chain(starts.collect::<Vec<_>>()));
    writer.numbers(all().map(|it| it.owner));
    writer.numbers(all().map(|it| pack(it.line, it.kind, it.how)));
    writer.numbers(all().map(|it| it.target));
    let known = |it: &Found| Some(it.target).filter(|&target| target != NONE);
    write_grouped(&mut writer, symbols.len(), all().map(known));
    let open = |it: &Found| (it.target == NONE).then(|| names.id(it.name));
    write_grouped(&mut writer, names.sorted.len(), all().map(open));
    writer.numbers(uses.iter().map(|file| file.unseen));
    let mut declared: HashMap<u32, u32> = HashMap::new();
    for &(method, member) in uses.iter().flat_map(|file| &file.declared) {
        declared.entry(method).or_insert(member);
    }
    let members = (0..symbols.len() as u32).map(|it| declared.get(&it).copied().unwrap_or(NONE));
    writer.numbers(members);
    writer.finish()
}

/// Writes where the members of each group start, and the members; some are in no group.
fn write_grouped(
    writer: &mut Writer,
    groups: usize,
    group_of: impl Iterator<Item = Option<u32>> + Clone,
) {
    let mut starts = vec![0u32; groups + 1];
    for group in group_of.clone().flatten() {
        starts[group as usize + 1] += 1;
    }
    for group in 0..groups {
        starts[group + 1] += starts[group];
    }
    let mut next = starts.clone();
    let mut members = vec![0u32; starts[groups] as usize];
    for (member, group) in group_of.enumerate() {
        if let Some(group) = group {
            members[next[group as usize] as usize] = member as u32;
            next[group as usize] += 1;
        }
    }
    writer.numbers(starts);
    writer.numbers(members);
}

/// PageRank over uses; what is told by name alone counts half.
fn ranks(symbols: usize, uses: &[FileUses]) -> Vec<f32> {
    let weight = |how| if how == How::OnlyOne { 0.5 } else { 1.0 };
    let edges = uses.iter().flat_map(|file| &file.found);
    let edges = edges.filter(|it| it.target != NONE && it.owner != NONE && it.owner != it.target);
    let edges = edges.map(|it| (it.owner, it.target, weight(it.how))).collect();
    page_rank(&Edges::group(symbols, edges))
}

/// Every name once, in order.
struct Names<'n> {
    sorted: Vec<&'n str>,
    ids: HashMap<&'n str, u32>,
}

impl<'n> Names<'n> {
    fn of(world: &World<'n>, uses: &[FileUses<'n>]) -> Names<'n> {
        let symbols = world.sources.iter().flat_map(|source| &source.symbols);
        let defined = symbols.flat_map(|symbol| [symbol.name.as_str(), symbol.scope.as_str()]);
        let used = uses.iter().flat_map(|file| &file.found).map(|it| it.name);
        let mut ids: HashMap<&str, u32> = defined.chain(used).map(|name| (name, 0)).collect();
        let mut sorted: Vec<&str> = ids.keys().copied().collect();
        sorted.sort_unstable();
        for (id, name) in sorted.iter().enumerate() {
            ids.insert(name, id as u32);
        }
        Names { sorted, ids }
    }

    fn id(&self, name: &str) -> u32 {
        self.ids[name]
    }

    fn starts(&self) -> Vec<u32> {
        let mut starts = vec![0];
        let mut at = 0;
        for name in &self.sorted {
            at += name.len() as u32;
            starts.push(at);
        }
        starts
    }
}

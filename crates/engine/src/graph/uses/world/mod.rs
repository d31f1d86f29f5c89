//! Where names are found: by file, by what is around them, by package, by name alone.

mod imports;
mod rust;

use std::collections::HashMap;
use std::sync::OnceLock;

use wherein_corpus::{Symbol, SymbolKind};

use super::source::Source;
use crate::graph::family::Family;
use crate::graph::resolve::rust::Crates;
use crate::graph::resolve::{Reason, Target};
use crate::graph::tree::{Tree, folder_of, stem_of};

/// Every symbol of a tree by a number, and every way to find it.
pub struct World<'s> {
    pub sources: &'s [Source],
    /// The number of each file's first symbol, and one more.
    pub first: Vec<u32>,
    file_of: Vec<u32>,
    tops: Vec<HashMap<&'s str, u32>>,
    /// What imports bind, the last of each name.
    bound: Vec<HashMap<&'s str, Bound<'s>>>,
    /// All of a name that is bound more than once in a file.
    bound_again: HashMap<(u32, &'s str), Vec<Bound<'s>>>,
    everything: Vec<Vec<u32>>,
    children: HashMap<(u32, &'s str), u32>,
    members: HashMap<(&'s str, &'s str), Vec<u32>>,
    by_name: HashMap<&'s str, Vec<u32>>,
    packages: HashMap<(Family, &'s str), Vec<u32>>,
    by_path: HashMap<&'s str, u32>,
    tree: &'s Tree<'s>,
    crates: Crates,
    /// For each line of a file the innermost symbol, once somebody has asked.
    owners: Vec<OnceLock<Vec<Option<u32>>>>,
    /// What the `impl`s of Rust give to types, by the type.
    given: HashMap<(u32, &'s str), u32>,
    /// What types are made from, once that is known.
    pub bases: HashMap<u32, Bases>,
    /// Traits of Rust that everything has that has a trait outside the tree, by that one's name.
    pub extensions: HashMap<String, Vec<u32>>,
}

/// What a type is made from.
#[derive(Clone, Debug, Default)]
pub struct Bases {
    /// Types of the tree.
    pub known: Vec<u32>,
    /// Whether there are others.
    pub beyond: bool,
    /// Names of traits of Rust outside the tree.
    pub outside: Vec<String>,
}

/// What a local name stands for: a name taken out of an import.
#[derive(Clone, Copy)]
struct Bound<'s> {
    row: usize,
    name: &'s str,
}

/// What a path of names leads to.
#[derive(Clone, Debug, PartialEq)]
pub enum Entity {
    /// A symbol of the tree.
    Symbol(u32),
    /// A module: its files.
    Files(Vec<u32>),
    /// Something outside the tree.
    External,
    /// Nobody knows.
    Unknown,
}

/// Re-exports of re-exports are followed this far.
const MOST_STEPS: usize = 6;

impl<'s> World<'s> {
    /// Lists everything; of uses nothing is resolved yet. `tree` holds the same files.
    pub fn of(sources: &'s [Source], tree: &'s Tree<'s>) -> World<'s> {
        let mut world = World {
            sources,
            first: vec![0],
            file_of: Vec::new(),
            tops: Vec::new(),
            bound: Vec::new(),
            bound_again: HashMap::new(),
            everything: Vec::new(),
            children: HashMap::new(),
            members: HashMap::new(),
            by_name: HashMap::new(),
            packages: HashMap::new(),
            by_path: HashMap::new(),
            tree,
            crates: Crates::of(tree),
            owners: sources.iter().map(|_| OnceLock::new()).collect(),
            given: HashMap::new(),
            bases: HashMap::new(),
            extensions: HashMap::new(),
        };
        for (file, source) in sources.iter().enumerate() {
            world.list_symbols(file as u32, source);
            world.list_imports(file as u32, source);
            world.prefer_imports(source);
            world.by_path.insert(&source.path, file as u32);
            if source.family.shares_packages() {
                let package = (source.family, source.package.as_str());
                world.packages.entry(package).or_default().push(file as u32);
            }
        }
        world.given = world.list_given();
        world
    }

    fn list_symbols(&mut self, file: u32, source: &'s Source) {
        let first = self.file_of.len() as u32;
        let mut tops = HashMap::new();
        for (i, symbol) in source.symbols.iter().enumerate() {
            let number = first + i as u32;
            let name = symbol.name.as_str();
            self.file_of.push(file);
            // The title of a test is a text there: nobody can call it.
            if source.family == Family::Node && symbol.kind == SymbolKind::Test {
                continue;
            }
            self.by_name.entry(name).or_default().push(number);
            // A method of an `impl` inside a function is no name of the function's.
            let inside = |&parent: &u32| {
                source.family != Family::Rust || is_inside(symbol, &source.symbols[parent as usize])
            };
            if let Some(parent) = symbol.parent.filter(inside) {
                self.children.entry((first + parent, name)).or_insert(number);
            }
            let container = last_part(&symbol.scope);
            if !container.is_empty() {
                self.members.entry((container, name)).or_default().push(number);
            }
            if is_top(source, symbol) {
                tops.entry(name).or_insert(number);
            }
        }
        self.tops.push(tops);
        self.first.push(self.file_of.len() as u32);
    }

    /// The symbol of a number.
    pub fn symbol(&self, number: u32) -> &'s Symbol {
        let file = self.file_of[number as usize] as usize;
        &self.sources[file].symbols[(number - self.first[file]) as usize]
    }

    /// The file of a symbol.
    pub fn file(&self, number: u32) -> u32 {
        self.file_of[number as usize]
    }

    /// The symbols that bear a name.
    pub fn named(&self, name: &str) -> &[u32] {
        self.by_name.get(name).map_or(&[], Vec::as_slice)
    }

    /// What is defined right inside a symbol.
    pub fn child(&self, of: u32, name: &str) -> Option<u32> {
        self.children.get(&(of, name)).copied()
    }

    /// What a file defines at its top.
    pub fn top(&self, file: u32, name: &str) -> Option<u32> {
        self.tops[file as usize].get(name).copied()
    }

    /// What the files that share a package with this one define at their tops.
    pub fn in_package(&self, file: u32, name: &str) -> Option<u32> {
        let source = &self.sources[file as usize];
        let files = self.packages.get(&(source.family, source.package.as_str()))?;
        files.iter().find_map(|&other| self.top(other, name))
    }

    /// What the files whose every name is imported define at their tops.
    pub fn among_everything(&self, file: u32, name: &str) -> Option<u32> {
        let files = &self.everything[file as usize];
        files.iter().find_map(|&other| match self.exported(other, name, 1) {
            Some(Entity::Symbol(symbol)) => Some(symbol),
            _ => None,
        })
    }

    /// `import a.b.c` of Python: what the longest part of a path that is imported leads to, and how
    /// many names it takes up.
    pub fn module(&self, file: u32, path: &[&str]) -> Option<(Entity, usize)> {
        let source = &self.sources[file as usize];
        let plain =
            source.imports.iter().zip(&source.targets).filter(|(it, _)| it.names.is_empty());
        let fitting = plain.filter_map(|(import, target)| {
            let parts: Vec<&str> = import.source.split('.').collect();
            path.starts_with(&parts).then_some((parts.len(), target))
        });
        let (length, target) = fitting.max_by_key(|(length, _)| *length)?;
        Some((entity(target), length))
    }

    fn numbers(&self, file: u32) -> std::ops::Range<u32> {
        self.first[file as usize]..self.first[file as usize + 1]
    }

    /// What a name means inside something.
    pub fn member(&self, of: &Entity, name: &str) -> Entity {
        match of {
            Entity::Symbol(symbol) => {
                self.member_of(*symbol, name, 0).map_or(Entity::Unknown, Entity::Symbol)
            }
            Entity::Files(files) => match self.out_of(files, name, 0) {
                Entity::Unknown => self.submodule(files, name),
                known => known,
            },
            Entity::External => Entity::External,
            Entity::Unknown => Entity::Unknown,
        }
    }

    /// For each line of a file the innermost symbol it is part of.
    pub fn owners(&self, file: u32) -> &[Option<u32>] {
        self.owners[file as usize].get_or_init(|| self.sources[file as usize].owners())
    }

    fn submodule(&self, files: &[u32], name: &str) -> Entity {
        let below = |&file: &u32| {
            let path = self.sources[file as usize].path.as_str();
            let folder = folder_of(path);
            let candidates =
                [format!("{folder}/{name}.py"), format!("{folder}/{name}/__init__.py")];
            let package = stem_of(path) == "__init__";
            package
                .then(|| candidates.iter().find_map(|it| self.by_path.get(it.as_str())))
                .flatten()
        };
        let file = files.iter().find_map(below);
        file.map_or(Entity::Unknown, |&file| Entity::Files(vec![file]))
    }

    /// A member of a type: its own, one given to it elsewhere in its package, or one of its bases'.
    pub fn member_of(&self, of: u32, name: &str, steps: usize) -> Option<u32> {
        let own = self.child(of, name).or_else(|| self.given(of, name));
        if own.is_some() || steps > MOST_STEPS {
            return own;
        }
        let bases = self.bases.get(&of)?;
        bases.known.iter().find_map(|&base| self.member_of(base, name, steps + 1))
    }

    /// Methods that stand outside their type: Go's, those of an `impl`, C++'s.
    fn given(&self, of: u32, name: &str) -> Option<u32> {
        let container = self.symbol(of).name.as_str();
        let found = self.members.get(&(container, name))?;
        let family = self.family(of);
        let home = self.file(of);
        let folder = |symbol: u32| folder_of(&self.sources[self.file(symbol) as usize].path);
        // A class is never opened again there: what stands in one of the same name is that one's. What
        // goes with a class of Scala under its name stands beside it.
        let is_opened_again = |it: u32| match family {
            Family::Python => false,
            Family::Jvm => self.file(it) == home,
            _ => true,
        };
        let is_anothers = |it: u32| self.symbol(it).parent.is_some() && !is_opened_again(it);
        let same_family =
            found.iter().copied().filter(|&it| self.family(it) == family && !is_anothers(it));
        same_family.min_by_key(|&it| (self.file(it) != home, folder(it) != folder(of), it)).filter(
            |&it| {
                self.file(it) == home
                    || folder(it) == folder(of)
                    || !matches!(family, Family::Python | Family::Node | Family::Go)
            },
        )
    }

    /// Whether members of a symbol can be told: it is a type, or a literal.
    pub fn has_members(&self, symbol: u32) -> bool {
        self.symbol(symbol).kind.is_type() || self.is_literal(symbol)
    }

    /// Whether a variable of JavaScript is a literal with methods, or a function gives one.
    pub fn is_literal(&self, symbol: u32) -> bool {
        let file = self.file(symbol) as usize;
        let (source, number) = (&self.sources[file], symbol - self.first[file]);
        let rest = source.symbols.get(number as usize + 1..).unwrap_or_default();
        let end = self.symbol(symbol).end_line;
        let mut inside = rest.iter().take_while(|it| it.start_line <= end);
        source.family == Family::Node
            && inside.any(|it| it.parent == Some(number) && it.kind == SymbolKind::Method)
    }

    /// Whether a type has bases of which nothing is known.
    pub fn reaches_beyond(&self, of: u32, steps: usize) -> bool {
        steps <= MOST_STEPS
            && self.bases.get(&of).is_some_and(|bases| {
                bases.beyond || bases.known.iter().any(|&base| self.reaches_beyond(base, steps + 1))
            })
    }

    /// The family of a symbol's file.
    pub fn family(&self, symbol: u32) -> Family {
        self.sources[self.file(symbol) as usize].family
    }
}

fn entity(target: &Target) -> Entity {
    match target {
        Target::Files(files) => Entity::Files(files.clone()),
        Target::None(Reason::External) => Entity::External,
        Target::None(_) => Entity::Unknown,
    }
}

/// Whether other files can see a symbol by its bare name.
fn is_top(source: &Source, symbol: &Symbol) -> bool {
    match symbol.parent {
        None => symbol.scope.is_empty(),
        Some(parent) => {
            let parent = &source.symbols[parent as usize];
            let inside = source.family != Family::Rust || is_inside(symbol, parent);
            parent.kind == SymbolKind::Module && inside && is_top(source, parent)
        }
    }
}

/// Whether nothing stands around a symbol within the one it is part of: an `impl` is no symbol.
fn is_inside(symbol: &Symbol, parent: &Symbol) -> bool {
    last_part(&symbol.scope) == parent.name
}

/// The last name of a path.
pub fn last_part(path: &str) -> &str {
    path.rsplit(['.', ':', '\\', '/']).next().unwrap_or_default()
}

//! Where names are found: by file, by what is around them, by package, by name alone.

use std::collections::HashMap;

use wherein_corpus::{Symbol, SymbolKind};

use super::source::Source;
use crate::graph::family::Family;
use crate::graph::resolve::{Reason, Target};
use crate::graph::tree::{folder_of, name_of, stem_of};

/// Every symbol of a tree by a number, and every way to find it.
pub struct World<'s> {
    pub sources: &'s [Source],
    /// The number of each file's first symbol, and one more.
    pub first: Vec<u32>,
    file_of: Vec<u32>,
    tops: Vec<HashMap<&'s str, u32>>,
    bound: Vec<HashMap<&'s str, Bound<'s>>>,
    everything: Vec<Vec<u32>>,
    children: HashMap<(u32, &'s str), u32>,
    members: HashMap<(&'s str, &'s str), Vec<u32>>,
    by_name: HashMap<&'s str, Vec<u32>>,
    packages: HashMap<(Family, &'s str), Vec<u32>>,
    by_path: HashMap<&'s str, u32>,
    /// What types are made from, once that is known.
    pub bases: HashMap<u32, Bases>,
}

/// What a type is made from.
#[derive(Clone, Debug, Default)]
pub struct Bases {
    /// Types of the tree.
    pub known: Vec<u32>,
    /// Whether there are others.
    pub beyond: bool,
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
    /// Lists everything. Nothing is resolved yet.
    pub fn of(sources: &'s [Source]) -> World<'s> {
        let mut world = World {
            sources,
            first: vec![0],
            file_of: Vec::new(),
            tops: Vec::new(),
            bound: Vec::new(),
            everything: Vec::new(),
            children: HashMap::new(),
            members: HashMap::new(),
            by_name: HashMap::new(),
            packages: HashMap::new(),
            by_path: HashMap::new(),
            bases: HashMap::new(),
        };
        for (file, source) in sources.iter().enumerate() {
            world.list_symbols(file as u32, source);
            world.list_imports(source);
            world.prefer_imports(source);
            world.by_path.insert(&source.path, file as u32);
            if source.family.shares_packages() {
                let package = (source.family, source.package.as_str());
                world.packages.entry(package).or_default().push(file as u32);
            }
        }
        world
    }

    fn list_symbols(&mut self, file: u32, source: &'s Source) {
        let first = self.file_of.len() as u32;
        let mut tops = HashMap::new();
        for (i, symbol) in source.symbols.iter().enumerate() {
            let number = first + i as u32;
            let name = symbol.name.as_str();
            self.file_of.push(file);
            self.by_name.entry(name).or_default().push(number);
            if let Some(parent) = symbol.parent {
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

    fn list_imports(&mut self, source: &'s Source) {
        let (mut bound, mut everything) = (HashMap::new(), Vec::new());
        for (row, import) in source.imports.iter().enumerate() {
            let files = match source.targets.get(row) {
                Some(Target::Files(files)) => files.as_slice(),
                _ => &[],
            };
            for name in &import.names {
                match (name.name.as_str(), name.local.as_str()) {
                    ("*", "") => everything.extend_from_slice(files),
                    (name, local) => {
                        bound.insert(local, Bound { row, name });
                    }
                }
            }
            if import.names.is_empty() {
                match source.family {
                    Family::C | Family::DotNet | Family::Ruby => {
                        everything.extend_from_slice(files)
                    }
                    Family::Go => {
                        bound.insert(
                            go_name(self.sources, &import.source, files),
                            Bound { row, name: "" },
                        );
                    }
                    Family::Python | Family::Node => {}
                    _ => {
                        let name = last_part(&import.source);
                        bound.insert(name, Bound { row, name });
                    }
                }
            }
        }
        self.bound.push(bound);
        self.everything.push(everything);
    }

    /// `try: from a import B`, `except ImportError: B = None`: what is imported is what is meant.
    fn prefer_imports(&mut self, source: &Source) {
        let (Some(mut tops), Some(bound)) = (self.tops.pop(), self.bound.last()) else { return };
        let found = |bound: &Bound| matches!(source.targets.get(bound.row), Some(Target::Files(_)));
        tops.retain(|name, &mut symbol| {
            let is_value =
                matches!(self.symbol(symbol).kind, SymbolKind::Variable | SymbolKind::Constant);
            !(is_value && bound.get(name).is_some_and(found))
        });
        self.tops.push(tops);
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

    /// What an import of the file binds a name to.
    pub fn imported(&self, file: u32, name: &str) -> Option<Entity> {
        let bound = self.bound[file as usize].get(name)?;
        Some(self.taken(file, *bound, 0))
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

    fn taken(&self, file: u32, bound: Bound<'s>, steps: usize) -> Entity {
        let source = &self.sources[file as usize];
        let files = match source.targets.get(bound.row) {
            Some(Target::Files(files)) => files.clone(),
            Some(Target::None(Reason::Itself)) => vec![file],
            Some(Target::None(Reason::External)) => return Entity::External,
            _ => return Entity::Unknown,
        };
        match bound.name {
            "*" => Entity::Files(files),
            "" if source.family == Family::Node => match self.default_of(&files) {
                Some(symbol) => Entity::Symbol(symbol),
                None => Entity::Files(files),
            },
            "" => Entity::Files(files),
            "default" => self.default_of(&files).map_or(Entity::Unknown, Entity::Symbol),
            name => self.out_of(&files, name, steps),
        }
    }

    /// A name out of a module: what it defines or hands on, a module inside it, or itself.
    fn out_of(&self, files: &[u32], name: &str, steps: usize) -> Entity {
        // Beside the package stands the module that may be meant: what that one imports under its
        // own name is its own affair.
        let modules: Vec<u32> =
            files.iter().copied().filter(|&file| self.is_called(file, name)).collect();
        let is_module = |file: &u32| {
            modules.contains(file)
                && (files.len() > 1 || self.sources[*file as usize].family == Family::Rust)
        };
        let defined = files.iter().find_map(|&file| self.top(file, name)).map(Entity::Symbol);
        let handed_on = || {
            let mut others = files.iter().filter(|file| !is_module(file));
            others.find_map(|&file| self.exported(file, name, steps + 1))
        };
        let module = || modules.first().map(|&file| Entity::Files(vec![file]));
        let inside = || {
            let all = files.iter().flat_map(|&file| self.numbers(file));
            all.into_iter().find(|&symbol| self.symbol(symbol).name == name).map(Entity::Symbol)
        };
        defined.or_else(handed_on).or_else(module).or_else(inside).unwrap_or(Entity::Unknown)
    }

    fn numbers(&self, file: u32) -> std::ops::Range<u32> {
        self.first[file as usize]..self.first[file as usize + 1]
    }

    /// Whether a file is the module of that name.
    fn is_called(&self, file: u32, name: &str) -> bool {
        let path = self.sources[file as usize].path.as_str();
        match stem_of(path) {
            "__init__" | "mod" | "lib" => name_of(folder_of(path)) == name,
            stem => stem == name,
        }
    }

    /// What a module gives under a name.
    fn exported(&self, file: u32, name: &str, steps: usize) -> Option<Entity> {
        if let Some(symbol) = self.top(file, name) {
            return Some(Entity::Symbol(symbol));
        }
        if steps > MOST_STEPS {
            return None;
        }
        if let Some(bound) = self.bound[file as usize].get(name) {
            return Some(self.taken(file, *bound, steps + 1)).filter(|it| *it != Entity::Unknown);
        }
        let others = self.everything[file as usize].iter().filter(|&&other| other != file);
        others.into_iter().find_map(|&other| self.exported(other, name, steps + 1))
    }

    /// What a module of JavaScript gives if nothing is named.
    fn default_of(&self, files: &[u32]) -> Option<u32> {
        let file = *files.first()?;
        let is_default = |&symbol: &u32| {
            let it = self.symbol(symbol);
            it.parent.is_none()
                && (it.name == "default" || it.signature.starts_with("export default"))
        };
        let named_after = || self.top(file, stem_of(&self.sources[file as usize].path));
        self.numbers(file).find(is_default).or_else(named_after)
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
        // A class is never opened again there: what stands in one of the same name is that one's.
        let is_anothers = |it: u32| family == Family::Python && self.symbol(it).parent.is_some();
        let same_family =
            found.iter().copied().filter(|&it| self.family(it) == family && !is_anothers(it));
        same_family.min_by_key(|&it| (self.file(it) != home, folder(it) != folder(of), it)).filter(
            |&it| {
                self.file(it) == home
                    || folder(it) == folder(of)
                    || !matches!(family, Family::Python | Family::Node)
            },
        )
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
            parent.kind == SymbolKind::Module && is_top(source, parent)
        }
    }
}

/// The last name of a path.
pub fn last_part(path: &str) -> &str {
    path.rsplit(['.', ':', '\\', '/']).next().unwrap_or_default()
}

/// The name a package goes by: what its files say, or the last part of its path.
fn go_name<'s>(sources: &'s [Source], path: &'s str, files: &[u32]) -> &'s str {
    let said = files.first().map(|&file| sources[file as usize].package.as_str());
    said.map_or_else(
        || path.rsplit('/').next().unwrap_or_default(),
        |it| it.rsplit(':').next().unwrap_or_default(),
    )
}

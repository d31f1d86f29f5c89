//! Rust's modules, its paths from file to file, and what its `impl`s give to types.

use std::collections::HashMap;

use wherein_corpus::{Symbol, SymbolKind};

use super::{Entity, MOST_STEPS, World, is_inside, last_part};
use crate::graph::family::Family;
use crate::graph::resolve::Target;
use crate::graph::resolve::rust;

impl<'s> World<'s> {
    /// What the path of a `use` or `mod` leads to: modules that are files, then names inside of them.
    pub(super) fn taken_in_rust(&self, file: u32, path: &str, steps: usize) -> Entity {
        let parts: Vec<&str> = path.split("::").map(str::trim).collect();
        let Some((mut at, mut used)) = self.rust_start(file, &parts) else {
            return Entity::Unknown;
        };
        while used + 1 < parts.len()
            && let Some(child) = self.rust_child(at, parts[used])
        {
            (at, used) = (child, used + 1);
        }
        let rest = parts[used..].iter();
        rest.fold(Entity::Files(vec![at]), |from, name| self.step_in_rust(from, name, steps))
    }

    /// The file a path starts from, and how many of its names say so.
    pub(super) fn rust_start(&self, file: u32, parts: &[&str]) -> Option<(u32, usize)> {
        match *parts.first()? {
            "crate" => Some((self.rust_root(file)?, 1)),
            "self" => Some((file, 1)),
            "super" => {
                let ups = parts.iter().take_while(|part| **part == "super").count();
                Some((self.rust_above(file, ups)?, ups))
            }
            name if self.rust_child(file, name).is_some() => Some((file, 0)),
            name => match self.rust_crate(name) {
                Some(root) => Some((root, 1)),
                None => Some((file, 0)),
            },
        }
    }

    pub(super) fn step_in_rust(&self, from: Entity, name: &str, steps: usize) -> Entity {
        if steps > MOST_STEPS {
            return Entity::Unknown;
        }
        match from {
            Entity::Files(files) => match self.out_of(&files, name, steps) {
                Entity::Unknown => {
                    let child = files.first().and_then(|&file| self.rust_child(file, name));
                    child.map_or(Entity::Unknown, |child| Entity::Files(vec![child]))
                }
                known => known,
            },
            Entity::Symbol(symbol) => self.inside(symbol, name, steps),
            other => other,
        }
    }

    /// A name inside of a module of a file, or of a type: what it defines, or what it imports.
    pub fn inside(&self, symbol: u32, name: &str, steps: usize) -> Entity {
        if let Some(child) = self.child(symbol, name) {
            return Entity::Symbol(child);
        }
        let file = self.file(symbol);
        match self.binding(file, name, self.symbol(symbol).name_line) {
            Some(bound) if self.symbol(symbol).kind == SymbolKind::Module && steps < MOST_STEPS => {
                self.taken(file, bound, steps + 1)
            }
            _ => Entity::Unknown,
        }
    }

    /// The root of the crate a file of Rust is part of.
    pub fn rust_root(&self, file: u32) -> Option<u32> {
        rust::crate_root(self.tree, self.tree.path(file))
    }

    /// The file of a crate of the tree.
    pub fn rust_crate(&self, name: &str) -> Option<u32> {
        self.crates.root(name)
    }

    /// The file of a module inside the one of a file.
    pub fn rust_child(&self, file: u32, name: &str) -> Option<u32> {
        rust::child_of(self.tree, file, name)
    }

    /// The file of the module so many levels above the one of a file.
    pub fn rust_above(&self, file: u32, ups: usize) -> Option<u32> {
        if ups == 0 { Some(file) } else { rust::above_of(self.tree, file, ups) }
    }

    /// The module that a name is imported as, where it may be something else too.
    pub fn imported_module(&self, file: u32, name: &str, line: u32) -> Option<u32> {
        let bound = self.binding(file, name, line)?;
        match self.sources[file as usize].targets.get(bound.row)? {
            Target::Files(files) => {
                files.iter().copied().find(|&it| self.is_called(it, bound.name))
            }
            Target::None(_) => None,
        }
    }

    /// A member of a type of Rust: its own, that of an `impl`, or one of its traits'. What is called
    /// is no field.
    pub fn rust_member(&self, of: u32, name: &str, called: bool) -> Option<u32> {
        let mut seen = vec![of];
        let mut next = 0;
        while let Some(&class) = seen.get(next) {
            next += 1;
            let field = |it: &u32| self.symbol(*it).kind == SymbolKind::Field;
            let child = self.child(class, name);
            let given = || self.given.get(&(class, name)).copied();
            let own = match called {
                true => child.filter(|it| !field(it)).or_else(given),
                false => child.or_else(given),
            };
            if own.is_some() {
                return own;
            }
            for base in self.traits_of(class) {
                if !seen.contains(&base) {
                    seen.push(base);
                }
            }
        }
        None
    }

    pub(super) fn traits_of(&self, class: u32) -> impl Iterator<Item = u32> {
        let bases = self.bases.get(&class);
        let known = bases.into_iter().flat_map(|bases| bases.known.iter().copied());
        let outside = bases.into_iter().flat_map(|bases| &bases.outside);
        known.chain(outside.flat_map(|name| self.extensions_of(name).iter().copied()))
    }

    /// The traits that everything has that has a trait outside the tree.
    pub fn extensions_of(&self, name: &str) -> &[u32] {
        self.extensions.get(name).map_or(&[], Vec::as_slice)
    }

    /// What stands in an `impl`, by the type it is for: its name alone may be that of several.
    pub(super) fn list_given(&self) -> HashMap<(u32, &'s str), u32> {
        let mut given = HashMap::new();
        let files = (0..self.sources.len() as u32)
            .filter(|&file| self.sources[file as usize].family == Family::Rust);
        for number in files.flat_map(|file| self.numbers(file)) {
            let symbol = self.symbol(number);
            if !symbol.scope.is_empty()
                && !self.is_inside_parent(symbol, number)
                && let Some(class) = self.type_around(number, last_part(&symbol.scope))
            {
                given.entry((class, symbol.name.as_str())).or_insert(number);
            }
        }
        given
    }

    /// Whether the innermost name around a symbol is that of the symbol it stands in.
    pub(super) fn is_inside_parent(&self, symbol: &Symbol, number: u32) -> bool {
        let source = &self.sources[self.file(number) as usize];
        symbol.parent.is_some_and(|it| is_inside(symbol, &source.symbols[it as usize]))
    }

    /// The type of a name as a symbol sees it: of the functions around it, or of its file.
    pub fn type_around(&self, symbol: u32, name: &str) -> Option<u32> {
        let file = self.file(symbol);
        let first = self.first[file as usize];
        let above = |it: u32| self.symbol(it).parent.map(|parent| first + parent);
        let mut around = std::iter::successors(above(symbol), |&it| above(it));
        let local = around.find_map(|it| self.child(it, name));
        let local = local.filter(|&it| self.symbol(it).kind.is_type());
        local.or_else(|| self.type_named(file, name))
    }

    /// The type of a name that a file defines or imports.
    pub fn type_named(&self, file: u32, name: &str) -> Option<u32> {
        let imported = || match self.imported(file, name) {
            Some(Entity::Symbol(symbol)) => Some(symbol),
            _ => None,
        };
        let known = self.top(file, name).or_else(imported);
        let known = known.or_else(|| self.among_everything(file, name));
        known.filter(|&it| self.symbol(it).kind.is_type())
    }
}

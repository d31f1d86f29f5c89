//! Paths in Rust: `crate`, `self`, `super`, modules in files and of files, crates, types, and what they
//! hand on.

use wherein_corpus::SymbolKind;

use super::{Is, Missing, Spot, Wanted};
use crate::graph::uses::meaning::Reader;
use crate::graph::uses::world::Entity;

impl Reader<'_, '_> {
    /// What a path of names leads to.
    pub(super) fn path_of(&self, parts: &[&str], line: u32) -> Is {
        let Some((&first, rest)) = parts.split_first() else { return Is::Unknown };
        let ups = parts.iter().take_while(|part| **part == "super").count();
        let (start, rest) = match first {
            "crate" => (self.world.rust_root(self.file).map_or(Is::Unknown, Is::Module), rest),
            "super" => (self.above(line, ups), &parts[ups..]),
            "self" => (self.above(line, 0), rest),
            "Self" => (self.self_at(line).map_or(Is::Unknown, Is::Itself), rest),
            name if rest.is_empty() => (self.named_here(name, line), rest),
            name => (self.root(name, line), rest),
        };
        let last = rest.len().saturating_sub(1);
        let steps = rest.iter().enumerate();
        steps.fold(start, |is, (place, name)| {
            self.step(is, Wanted { name, called: true, last: place == last })
        })
    }

    /// The module so many levels above the one a line is part of.
    pub(super) fn above(&self, line: u32, ups: usize) -> Is {
        let is_module = |&it: &u32| self.world.symbol(it).kind == SymbolKind::Module;
        let inline: Vec<u32> = self.around(line).filter(is_module).collect();
        if let Some(&module) = inline.get(ups) {
            return Is::Itself(module);
        }
        let module = self.world.rust_above(self.file, ups - inline.len());
        module.map_or(Is::Unknown, Is::Module)
    }

    /// A name that stands alone.
    pub(super) fn named_here(&self, name: &str, line: u32) -> Is {
        if let Some(symbol) = self.in_scope(name, line) {
            return Is::Itself(symbol);
        }
        match self.world.imported_at(self.file, name, line) {
            Some(Entity::Symbol(symbol)) => return Is::Itself(symbol),
            Some(Entity::Files(files)) => {
                return files.first().map_or(Is::Unknown, |&it| Is::Module(it));
            }
            Some(Entity::External) => return Is::External,
            Some(Entity::Unknown) | None => {}
        }
        self.world.among_everything(self.file, name).map_or(Is::Unknown, Is::Itself)
    }

    /// The first of several names: a type or a module, and not a function of that name.
    pub(super) fn root(&self, name: &str, line: u32) -> Is {
        let holds = |&it: &u32| {
            let kind = self.world.symbol(it).kind;
            kind.is_type() || kind == SymbolKind::Module
        };
        if let Some(symbol) = self.in_scope(name, line).filter(holds) {
            return Is::Itself(symbol);
        }
        let module = self.world.rust_child(self.file, name);
        if let Some(file) = module.or_else(|| self.world.imported_module(self.file, name, line)) {
            return Is::Module(file);
        }
        match self.world.imported_at(self.file, name, line) {
            Some(Entity::Symbol(symbol)) if holds(&symbol) => return Is::Itself(symbol),
            Some(Entity::Files(files)) => {
                return files.first().map_or(Is::Unknown, |&it| Is::Module(it));
            }
            Some(Entity::External) => return Is::External,
            _ => {}
        }
        if let Some(symbol) = self.world.among_everything(self.file, name).filter(holds) {
            return Is::Itself(symbol);
        }
        match self.world.rust_crate(name) {
            Some(file) => Is::Module(file),
            None if name.starts_with(char::is_lowercase) => Is::External,
            // A type parameter has what its bounds have.
            None => match self.bounds_of(name, line) {
                Some(bounds) => Is::Written(bounds, Spot { file: self.file, line }),
                None => Is::Unknown,
            },
        }
    }

    /// One name further along a path.
    pub(super) fn step(&self, is: Is, wanted: Wanted) -> Is {
        let Wanted { name, last, .. } = wanted;
        match is {
            Is::Module(file) => {
                let child = || self.world.rust_child(file, name).map(Is::Module);
                if let Some(module) = child().filter(|_| !last) {
                    return module;
                }
                match self.world.out_of(&[file], name, 0) {
                    Entity::Symbol(symbol) => Is::Itself(symbol),
                    Entity::Files(files) => files.first().map_or(Is::Unknown, |&it| Is::Module(it)),
                    Entity::External => Is::External,
                    Entity::Unknown => child().unwrap_or(Is::Unknown),
                }
            }
            Is::Itself(symbol) if self.world.symbol(symbol).kind == SymbolKind::Module => {
                match self.world.inside(symbol, name, 0) {
                    Entity::Symbol(symbol) => Is::Itself(symbol),
                    Entity::Files(files) => files.first().map_or(Is::Unknown, |&it| Is::Module(it)),
                    Entity::External => Is::External,
                    Entity::Unknown => self.at(self.world.file(symbol)).named_here(name, 0),
                }
            }
            Is::Itself(symbol) if self.world.symbol(symbol).kind.is_type() => {
                match self.member_of_type(symbol, ("", None), wanted, 0) {
                    Ok(member) => Is::Itself(member),
                    Err(_) if matches!(name, "default" | "new" | "from" | "clone") => {
                        Is::Maker(symbol)
                    }
                    Err(Missing::NotThere) => Is::External,
                    Err(Missing::Unknown) => Is::Unknown,
                }
            }
            Is::Written(text, spot) => match self.member_of_written(&text, spot, wanted, 0) {
                Ok(member) => Is::Itself(member),
                Err(_) => Is::Unknown,
            },
            Is::External => Is::External,
            _ => Is::Unknown,
        }
    }

    /// The module or crate that a name stands for, if it stands for one.
    pub(super) fn module_named(&self, name: &str, line: u32) -> Is {
        let child = self.world.rust_child(self.file, name);
        let module = child.or_else(|| self.world.imported_module(self.file, name, line));
        module.or_else(|| self.world.rust_crate(name)).map_or(Is::Unknown, Is::Module)
    }
}

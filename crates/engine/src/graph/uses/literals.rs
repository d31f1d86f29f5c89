//! What the literals of TypeScript are of: `const it: Plugin = { load() {} }` gives `Plugin.load`.
//!
//! In: the names that stand in literals, each with what is written about its literal. Out: the member
//! of a type of the tree that each of them is. Also which methods of classes are members of a base: to
//! whoever calls them both are the base's.

use wherein_corpus::{FILLED, RETURNED, Symbol, SymbolKind, Typed};

use super::meaning::Reader;
use super::typescript;
use super::world::Entity;
use crate::graph::family::Family;

/// Literals in literals are followed this far.
const MOST_NESTED: usize = 8;

/// A name in a literal, the member it is, and the method it defines, if it does.
pub struct Filled {
    pub line: u32,
    pub member: u32,
    pub method: Option<u32>,
}

impl Reader<'_, '_> {
    /// What the names in the literals of this file are.
    pub fn filled(&self) -> Vec<Filled> {
        if self.family() != Family::Node {
            return Vec::new();
        }
        let types = &self.world.sources[self.file as usize].types;
        let literals = types.iter().filter(|it| it.name.starts_with(FILLED));
        let filled = literals.filter_map(|it| {
            let member = self.filled_member(it, 0)?;
            Some(Filled { line: it.line, member, method: self.method_at(it) })
        });
        filled.collect()
    }

    fn filled_member(&self, it: &Typed, nested: usize) -> Option<u32> {
        let name = it.name.strip_prefix(FILLED)?;
        let literal = self.literal(it, nested)?;
        match self.world.member(&literal, name) {
            Entity::Symbol(member) if Some(member) != self.method_at(it) => Some(member),
            _ => None,
        }
    }

    /// What the literal is of that a name stands in.
    fn literal(&self, it: &Typed, nested: usize) -> Option<Entity> {
        if nested > MOST_NESTED {
            return None;
        }
        let of = it.of.as_str();
        let entity = if of == RETURNED {
            self.returned_around(it)?
        } else if let Some(outer) = of.strip_prefix(FILLED) {
            let (name, line) = outer.rsplit_once(':')?;
            let outer = self.filled_at(name, line.parse().ok()?)?;
            self.value_of(Entity::Symbol(self.filled_member(outer, nested + 1)?), 0)
        } else if let Some((path, place)) = of.strip_suffix(')').and_then(|it| it.rsplit_once('('))
        {
            self.parameter(path, place.parse().ok()?, it.line)?
        } else {
            self.type_named(of, it.line, 0)
        };
        matches!(entity, Entity::Symbol(_)).then_some(entity)
    }

    fn filled_at(&self, name: &str, line: u32) -> Option<&Typed> {
        let types = &self.world.sources[self.file as usize].types;
        let from = types.partition_point(|typed| typed.line < line);
        let here = types[from..].iter().take_while(|typed| typed.line == line);
        here.into_iter().find(|typed| typed.name.strip_prefix(FILLED) == Some(name))
    }

    /// The method that a name in a literal defines.
    fn method_at(&self, it: &Typed) -> Option<u32> {
        let name = it.name.strip_prefix(FILLED)?;
        let is_it = |&symbol: &u32| {
            let found = self.world.symbol(symbol);
            found.name_line == it.line && found.name == name && found.kind == SymbolKind::Method
        };
        self.around(it.line).find(is_it)
    }

    /// What the function says it returns that a literal stands in.
    fn returned_around(&self, it: &Typed) -> Option<Entity> {
        let own = self.method_at(it);
        let function = self.functions_at(it.line).find(|&symbol| Some(symbol) != own)?;
        let function = self.world.symbol(function);
        let of = typescript::returned(&function.signature)?;
        Some(self.type_named(&of, function.name_line, 0))
    }

    /// What a function or the constructor of a class says it takes at a place.
    fn parameter(&self, path: &str, place: usize, line: u32) -> Option<Entity> {
        let parts: Vec<&str> = path.split('.').collect();
        let Entity::Symbol(called) = self.path(&parts, line, 0) else { return None };
        let is_type = self.world.symbol(called).kind.is_type();
        let called = match is_type {
            true => self.world.child(called, "constructor")?,
            false => called,
        };
        let of = typescript::parameter(&self.world.symbol(called).signature, place)?;
        let there = Reader::of_lines(self.world, self.world.file(called));
        Some(there.type_named(&of, self.world.symbol(called).name_line, 0))
    }

    /// Methods of this file's classes and the members of bases they are; a constructor is its class.
    pub fn overrides(&self) -> Vec<(u32, u32)> {
        if self.family() != Family::Node {
            return Vec::new();
        }
        let first = self.world.first[self.file as usize];
        let symbols = &self.world.sources[self.file as usize].symbols;
        let base_member = |(i, it): (usize, &Symbol)| {
            let class = first + it.parent.filter(|_| it.kind == SymbolKind::Method)?;
            if it.name == "constructor" {
                return Some((first + i as u32, class));
            }
            let bases = &self.world.bases.get(&class)?.known;
            let member = bases.iter().find_map(|&base| self.world.member_of(base, &it.name, 1))?;
            Some((first + i as u32, member))
        };
        symbols.iter().enumerate().filter_map(base_member).collect()
    }
}

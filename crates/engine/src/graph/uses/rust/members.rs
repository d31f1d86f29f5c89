//! Members in Rust: of types as they are written, through pointers, `Deref`, aliases and traits.

use wherein_corpus::SymbolKind;

use super::{Base, Is, MOST_STEPS, Missing, Spot, Wanted};
use crate::graph::uses::meaning::Reader;
use crate::graph::uses::written::{self, Type};

impl Reader<'_, '_> {
    /// A name inside of something.
    pub(super) fn member(&self, of: &Is, wanted: Wanted, steps: usize) -> Result<u32, Missing> {
        match of {
            Is::Of(class) => self.member_of_type(*class, ("", None), wanted, steps),
            Is::Written(text, spot) => self.member_of_written(text, *spot, wanted, steps),
            Is::External | Is::Maker(_) => Err(Missing::NotThere),
            Is::Unknown => Err(Missing::Unknown),
            Is::Itself(_) | Is::Module(_) => match self.step(of.clone(), wanted) {
                Is::Itself(symbol) => Ok(symbol),
                Is::Unknown => Err(Missing::Unknown),
                _ => Err(Missing::NotThere),
            },
        }
    }

    pub(super) fn member_of_written(
        &self,
        text: &str,
        spot: Spot,
        wanted: Wanted,
        steps: usize,
    ) -> Result<u32, Missing> {
        if steps > MOST_STEPS {
            return Err(Missing::Unknown);
        }
        let mut missing = Missing::NotThere;
        for Type { head, arguments } in written::types(text) {
            let found = match self.at(spot.file).type_at(head, spot, steps + 1) {
                Is::Itself(class) => {
                    self.member_of_type(class, (arguments, Some(spot)), wanted, steps + 1)
                }
                Is::Written(text, spot) => self.member_of_written(&text, spot, wanted, steps + 1),
                Is::External => match written::pointee(head, arguments) {
                    Some(text) => self.member_of_written(text, spot, wanted, steps + 1),
                    None => self.member_of_extension(head, wanted),
                },
                _ => Err(Missing::Unknown),
            };
            match found {
                Ok(symbol) => return Ok(symbol),
                Err(Missing::Unknown) => missing = Missing::Unknown,
                Err(Missing::NotThere) => {}
            }
        }
        Err(missing)
    }

    /// A member of what everything has that has a trait outside the tree.
    fn member_of_extension(&self, head: &str, wanted: Wanted) -> Result<u32, Missing> {
        let mut traits = self.world.extensions_of(written::last(head)).iter();
        let found = traits.find_map(|&it| self.world.rust_member(it, wanted.name, wanted.called));
        found.ok_or(Missing::NotThere)
    }

    /// A member of a type, or of what it stands for by `Deref`. With it come the type's arguments
    /// and where they are written.
    pub(super) fn member_of_type(
        &self,
        class: u32,
        (arguments, spot): (&str, Option<Spot>),
        wanted: Wanted,
        steps: usize,
    ) -> Result<u32, Missing> {
        if let Some(symbol) = self.world.rust_member(class, wanted.name, wanted.called) {
            return Ok(symbol);
        }
        if steps > MOST_STEPS {
            return Err(Missing::Unknown);
        }
        let it = self.world.symbol(class);
        if it.kind == SymbolKind::Type
            && let Some((_, of)) = it.signature.split_once('=')
        {
            let of = of.trim_end_matches(';');
            return self.member_of_written(of, self.spot(class), wanted, steps + 1);
        }
        let Some(target) = self.world.rust_member(class, "Target", false) else {
            return Err(Missing::NotThere);
        };
        let of = self.world.symbol(target).signature.split_once('=').map_or("", |(_, of)| of);
        let of = of.trim_matches([' ', ';']);
        match (written::parameter(&it.signature, of), spot) {
            (Some(place), Some(spot)) => {
                let argument = written::argument(arguments, place).ok_or(Missing::Unknown)?;
                self.member_of_written(argument, spot, wanted, steps + 1)
            }
            _ => self.member_of_written(of, self.spot(target), wanted, steps + 1),
        }
    }

    /// The type that a path names where it is written.
    pub(super) fn type_at(&self, head: &str, spot: Spot, steps: usize) -> Is {
        let parts: Vec<&str> = head.split("::").map(str::trim).collect();
        let is = match parts.as_slice() {
            ["Self"] => self.self_at(spot.line).map_or(Is::Unknown, Is::Itself),
            parts => self.path_of(parts, spot.line),
        };
        match is {
            Is::Itself(symbol) if self.world.symbol(symbol).kind.is_type() => Is::Itself(symbol),
            Is::Itself(_) | Is::Maker(_) | Is::Module(_) => Is::Unknown,
            Is::Unknown if parts.len() == 1 && steps <= MOST_STEPS => {
                match self.bounds_of(head, spot.line) {
                    Some(bounds) => Is::Written(bounds, spot),
                    // What is neither defined nor imported comes with the language, or is a
                    // parameter of which nothing is known.
                    None if written::is_parameter(head) => Is::Unknown,
                    None => Is::External,
                }
            }
            is => is,
        }
    }

    /// What a type parameter must be, by the nearest bounds of that name: those beside it and those
    /// after `where`.
    pub(super) fn bounds_of(&self, name: &str, line: u32) -> Option<String> {
        const FURTHEST: u32 = 12;
        let types = &self.world.sources[self.file as usize].types;
        let bounds: Vec<_> =
            types.iter().filter(|it| it.name == name && it.of.starts_with(':')).collect();
        let above = bounds.iter().rev().find(|it| it.line <= line);
        let below = || bounds.iter().find(|it| (line..line + FURTHEST).contains(&it.line));
        let first = above.or_else(below)?.line;
        let near = first.saturating_sub(FURTHEST)..first + FURTHEST;
        let near = bounds.iter().filter(|it| near.contains(&it.line));
        let all: Vec<&str> = near.map(|it| it.of.trim_start_matches(':').trim()).collect();
        Some(all.join(" + "))
    }

    /// What traits a type has, by its `impl`s, and traits by those above them. What is given to
    /// everything that has a trait is given to the trait.
    pub fn implemented(&self) -> Vec<(Base, Base)> {
        let mut found = Vec::new();
        for typed in &self.world.sources[self.file as usize].types {
            let Some(name) = typed.name.strip_prefix("impl ") else { continue };
            let spot = Spot { file: self.file, line: typed.line };
            let owners = match self.type_at(name, spot, 0) {
                Is::Itself(class) => vec![Base::Known(class)],
                Is::Written(bounds, spot) => self.traits(&bounds, spot),
                _ => continue,
            };
            for base in self.traits(&typed.of, spot) {
                let others = owners.iter().filter(|&owner| *owner != base);
                found.extend(others.map(|owner| (owner.clone(), base.clone())));
            }
        }
        found
    }

    /// What bounds name.
    fn traits(&self, bounds: &str, spot: Spot) -> Vec<Base> {
        let each = written::types(bounds).into_iter();
        let base = |it: Type| match self.type_at(it.head, spot, MOST_STEPS) {
            Is::Itself(symbol) => Base::Known(symbol),
            _ => Base::Outside(written::last(it.head).to_owned()),
        };
        each.map(base).collect()
    }
}

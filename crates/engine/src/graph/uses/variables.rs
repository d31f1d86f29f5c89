//! Of what type variables and fields are, as far as it is written beside them.
//!
//! In: a name and the line it is used on. Out: the type, or the members of types that may be meant. Of a
//! variable only the line is known on which it is made, not where it ends.

use std::ops::RangeInclusive;

use wherein_corpus::{Reference, ReferenceKind, Typed};

use super::meaning::{Reader, is_self};
use super::world::{Entity, last_part};
use crate::graph::family::Family;

impl<'s> Reader<'_, 's> {
    /// A local variable or parameter whose type is written down.
    pub(super) fn variable(&self, name: &str, line: u32, steps: usize) -> Option<Entity> {
        let typed = self.variables(name, 0..=line).next()?;
        let typed = Some(typed).filter(|it| it.line != line || !it.of.ends_with("()"))?;
        match self.type_named(&typed.of, typed.line, steps + 1) {
            Entity::Unknown => None,
            entity => Some(entity),
        }
    }

    /// The variables of a name that are made on some lines and may be meant on the last, from there
    /// upwards.
    fn variables(&self, name: &str, lines: RangeInclusive<u32>) -> impl Iterator<Item = &'s Typed> {
        let types = &self.world.sources[self.file as usize].types;
        let owners: Vec<u32> = self.functions_at(*lines.end()).collect();
        let within = move |at: u32| {
            let owner = self.functions_at(at).next();
            owner.is_none_or(|owner| owners.contains(&owner))
        };
        let from = types.partition_point(|typed| typed.line < *lines.start());
        let upto = types.partition_point(|typed| typed.line <= *lines.end());
        types[from..upto].iter().rev().filter(move |it| it.name == name && within(it.line))
    }

    /// A field whose type is written down, or what the class holds under that name.
    pub(super) fn field(&self, class: u32, name: &str, steps: usize) -> Entity {
        let symbol = self.world.symbol(class);
        let file = self.world.file(class);
        let types = &self.world.sources[file as usize].types;
        let typed = types.iter().filter(|_| file == self.file).find(|typed| {
            (symbol.start_line..=symbol.end_line).contains(&typed.line)
                && last_part(&typed.name) == name
                && (typed.name == name || is_self(typed.name.split('.').next().unwrap_or("")))
        });
        match typed {
            Some(typed) => self.type_named(&typed.of, typed.line, steps + 1),
            None => {
                let member = self.world.member_of(class, name, 0);
                member.map_or(Entity::Unknown, |it| self.value_of(Entity::Symbol(it), steps + 1))
            }
        }
    }

    /// What is called on a variable of Go that shares its name with the parameter of a function without
    /// one: `r.Get("/", func(w http.ResponseWriter, r *http.Request) {})`. Where such a function ends is
    /// not known here, so the nearest variable of the name that has the method is taken; one of the same
    /// line stands behind the call, unless a whole function does on that line.
    pub(super) fn shadowed(&self, receiver: &str, reference: &Reference, line: u32) -> Option<u32> {
        if self.family() != Family::Go || reference.kind != ReferenceKind::Call {
            return None;
        }
        let start = |it: u32| self.world.symbol(it).start_line;
        let is_whole = self.functions_at(line).next().is_some_and(|it| start(it) == line);
        let from = self.functions_at(line).last().map_or(line, start);
        let (behind, before): (Vec<&Typed>, Vec<&Typed>) =
            self.variables(receiver, from..=line).partition(|it| it.line == line && !is_whole);
        let mut tried: Vec<&str> = Vec::new();
        let has = |it: &Typed| {
            let entity = self.type_named(&it.of, it.line, 1);
            match self.world.member(&entity, &reference.name) {
                Entity::Symbol(symbol) => Some(symbol),
                _ => None,
            }
        };
        // A long test has a hundred functions that all take the same.
        let mut nearest = before.into_iter().chain(behind).filter(|it| {
            let is_new = !tried.contains(&it.of.as_str());
            if is_new {
                tried.push(&it.of);
            }
            is_new
        });
        nearest.find_map(has)
    }
}

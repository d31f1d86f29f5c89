//! What names are bound to by imports, and what modules hand on.

use std::collections::HashMap;

use wherein_corpus::SymbolKind;

use super::super::source::Source;
use super::{Bound, Entity, MOST_STEPS, World, last_part};
use crate::graph::family::Family;
use crate::graph::resolve::{Reason, Target};
use crate::graph::tree::{folder_of, name_of, stem_of};

impl<'s> World<'s> {
    pub(super) fn list_imports(&mut self, file: u32, source: &'s Source) {
        let (mut bound, mut everything) = (Vec::new(), Vec::new());
        for (row, import) in source.imports.iter().enumerate() {
            let files = match source.targets.get(row) {
                Some(Target::Files(files)) => files.as_slice(),
                _ => &[],
            };
            for name in &import.names {
                match (name.name.as_str(), name.local.as_str()) {
                    ("*", "") => everything.extend_from_slice(files),
                    (name, local) => bound.push((local, Bound { row, name })),
                }
            }
            if import.names.is_empty() {
                match source.family {
                    Family::C | Family::DotNet | Family::Ruby => {
                        everything.extend_from_slice(files)
                    }
                    Family::Go => {
                        let name = go_name(self.sources, &import.source, files);
                        bound.push((name, Bound { row, name: "" }));
                    }
                    Family::Python | Family::Node => {}
                    _ => {
                        let name = last_part(&import.source);
                        bound.push((name, Bound { row, name }));
                    }
                }
            }
        }
        self.bind(file, bound);
        self.everything.push(everything);
    }

    /// Keeps what a file binds, in its order.
    pub(super) fn bind(&mut self, file: u32, bound: Vec<(&'s str, Bound<'s>)>) {
        let mut last: HashMap<&str, Bound> = HashMap::with_capacity(bound.len());
        for (name, it) in bound {
            if let Some(before) = last.insert(name, it) {
                self.bound_again.entry((file, name)).or_insert_with(|| vec![before]).push(it);
            }
        }
        self.bound.push(last);
    }

    /// `try: from a import B`, `except ImportError: B = None`: what is imported is what is meant.
    pub(super) fn prefer_imports(&mut self, source: &Source) {
        let (Some(mut tops), Some(bound)) = (self.tops.pop(), self.bound.last()) else { return };
        let found = |bound: &Bound| matches!(source.targets.get(bound.row), Some(Target::Files(_)));
        tops.retain(|name, &mut symbol| {
            let it = self.symbol(symbol);
            let is_value = matches!(it.kind, SymbolKind::Variable | SymbolKind::Constant);
            // What Rust imports and defines is imported in one build and defined in another.
            let is_second = |bound: &Bound| {
                source.family == Family::Rust && source.imports[bound.row].line < it.start_line
            };
            let instead = |bound: &&Bound| found(bound) && (is_value || is_second(bound));
            bound.get(name).filter(instead).is_none()
        });
        self.tops.push(tops);
    }

    /// What an import at the top of the file binds a name to.
    pub fn imported(&self, file: u32, name: &str) -> Option<Entity> {
        Some(self.taken(file, self.binding(file, name, 0)?, 0))
    }

    /// What an import of the file binds a name to on a line.
    pub fn imported_at(&self, file: u32, name: &str, line: u32) -> Option<Entity> {
        Some(self.taken(file, self.binding(file, name, line)?, 0))
    }

    /// The binding of a name that is seen on a line: what a function imports is its own.
    pub(super) fn binding(&self, file: u32, name: &str, line: u32) -> Option<Bound<'s>> {
        let last = self.bound[file as usize].get(name)?;
        let all = self.bound_again.get(&(file, name)).map(Vec::as_slice);
        let all = all.unwrap_or(std::slice::from_ref(last));
        let stands_in =
            |it: &Bound| self.owner_of(file, self.sources[file as usize].imports[it.row].line);
        let first = self.first[file as usize];
        let above = |&it: &u32| self.symbol(first + it).parent;
        let around = std::iter::successors(self.owner_of(file, line), above).map(Some);
        let mut places = around.chain([None]);
        let source = &self.sources[file as usize];
        // Of two in one place in Rust only one is compiled, and that is seldom the second; in `mod a;
        // pub use a::a;` the name means what is used.
        let is_used = |it: &&Bound| source.imports[it.row].source.contains("::");
        let fitting = |place: Option<u32>| {
            let mut here = all.iter().filter(|it| stands_in(it) == place);
            match source.family {
                Family::Rust => here.clone().find(is_used).or_else(|| here.next()),
                _ => here.next_back(),
            }
        };
        places.find_map(fitting).copied()
    }

    pub(super) fn owner_of(&self, file: u32, line: u32) -> Option<u32> {
        self.owners(file).get(line as usize).copied().flatten()
    }

    pub(super) fn taken(&self, file: u32, bound: Bound<'s>, steps: usize) -> Entity {
        let source = &self.sources[file as usize];
        let files = match source.targets.get(bound.row) {
            Some(Target::Files(files)) => files.clone(),
            Some(Target::None(Reason::Itself)) => vec![file],
            Some(Target::None(Reason::External)) => return Entity::External,
            _ => return Entity::Unknown,
        };
        if source.family == Family::Rust {
            return self.taken_in_rust(file, &source.imports[bound.row].source, steps);
        }
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
    pub fn out_of(&self, files: &[u32], name: &str, steps: usize) -> Entity {
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
        // What a module of Rust does not give it does not have.
        let inside = || {
            let open = files.iter().filter(|&&it| self.sources[it as usize].family != Family::Rust);
            let all = open.flat_map(|&file| self.numbers(file));
            all.into_iter().find(|&symbol| self.symbol(symbol).name == name).map(Entity::Symbol)
        };
        defined.or_else(handed_on).or_else(module).or_else(inside).unwrap_or(Entity::Unknown)
    }

    /// Whether a file is the module of that name.
    pub(super) fn is_called(&self, file: u32, name: &str) -> bool {
        let path = self.sources[file as usize].path.as_str();
        match stem_of(path) {
            "__init__" | "mod" | "lib" => name_of(folder_of(path)) == name,
            stem => stem == name,
        }
    }

    /// What a module gives under a name.
    pub(super) fn exported(&self, file: u32, name: &str, steps: usize) -> Option<Entity> {
        if let Some(symbol) = self.top(file, name) {
            return Some(Entity::Symbol(symbol));
        }
        if steps > MOST_STEPS {
            return None;
        }
        if let Some(bound) = self.binding(file, name, 0) {
            return Some(self.taken(file, bound, steps + 1)).filter(|it| *it != Entity::Unknown);
        }
        let others = self.everything[file as usize].iter().filter(|&&other| other != file);
        others.into_iter().find_map(|&other| self.exported(other, name, steps + 1))
    }

    /// What a module of JavaScript gives if nothing is named.
    pub(super) fn default_of(&self, files: &[u32]) -> Option<u32> {
        let file = *files.first()?;
        let is_default = |&symbol: &u32| {
            let it = self.symbol(symbol);
            it.parent.is_none()
                && (it.name == "default" || it.signature.starts_with("export default"))
        };
        let named_after = || self.top(file, stem_of(&self.sources[file as usize].path));
        self.numbers(file).find(is_default).or_else(named_after)
    }
}

/// The name a package goes by: what its files say, or the last part of its path.
fn go_name<'s>(sources: &'s [Source], path: &'s str, files: &[u32]) -> &'s str {
    let said = files.first().map(|&file| sources[file as usize].package.as_str());
    said.map_or_else(
        || path.rsplit('/').next().unwrap_or_default(),
        |it| it.rsplit(':').next().unwrap_or_default(),
    )
}

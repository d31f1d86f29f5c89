//! What a used name means: by scope, by import, by the type of what stands before it, by name alone.

use wherein_corpus::{FILLED, Reference, ReferenceKind, Symbol, SymbolKind};

use super::typescript;
use super::world::{Entity, World, last_part};
use crate::graph::family::Family;
use crate::graph::symbols::How;

/// What a use means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Meaning {
    /// This symbol, and how that is known.
    Symbol(u32, How),
    /// One of several of that name.
    Several,
    /// Nothing of the tree.
    Nothing,
}

/// Answers for the uses of one file.
pub struct Reader<'w, 's> {
    pub(super) world: &'w World<'s>,
    pub(super) file: u32,
    owners: &'w [Option<u32>],
}

impl<'w, 's> Reader<'w, 's> {
    /// A reader of a file.
    pub fn of(world: &'w World<'s>, file: u32) -> Reader<'w, 's> {
        Reader { world, file, owners: world.owners(file) }
    }

    /// The innermost symbol at a line.
    pub fn owner(&self, line: u32) -> Option<u32> {
        let first = self.world.first[self.file as usize];
        self.owners.get(line as usize).copied().flatten().map(|owner| first + owner)
    }

    /// What a reference means on one of its lines.
    pub fn meaning(&self, reference: &Reference, line: u32) -> Meaning {
        let family = self.family();
        let meaning = match (family, reference.receiver.as_str()) {
            (Family::Prose, receiver) => return self.mentioned(&reference.name, receiver),
            (Family::Rust, _) => self.in_rust(reference, line),
            (_, "") => self.bare(&reference.name, line),
            (_, receiver) => self.behind(receiver, reference, line),
        };
        let is_name = reference.kind == ReferenceKind::Name;
        match meaning {
            // Values behind any variable are read there.
            Meaning::Symbol(_, How::OnlyOne) if is_name && family == Family::Node => {
                Meaning::Nothing
            }
            Meaning::Symbol(..) => meaning,
            // A value is kept only if its name is known; by name alone too much would be.
            _ if is_name => Meaning::Nothing,
            other => other,
        }
    }

    pub(super) fn family(&self) -> Family {
        self.world.sources[self.file as usize].family
    }

    /// The symbols around a line, innermost first.
    pub(super) fn around(&self, line: u32) -> impl Iterator<Item = u32> {
        let first = self.world.first[self.file as usize];
        std::iter::successors(self.owner(line), move |&symbol| {
            self.world.symbol(symbol).parent.map(|parent| first + parent)
        })
    }

    pub(super) fn bare(&self, name: &str, line: u32) -> Meaning {
        if let Some(symbol) = self.in_scope(name, line) {
            return Meaning::Symbol(symbol, How::Scope);
        }
        match self.world.imported_at(self.file, name, line) {
            Some(Entity::Symbol(symbol)) => return Meaning::Symbol(symbol, How::Import),
            Some(Entity::External | Entity::Files(_)) => return Meaning::Nothing,
            Some(Entity::Unknown) | None => {}
        }
        if let Some(symbol) = self.world.among_everything(self.file, name) {
            return Meaning::Symbol(symbol, How::Import);
        }
        if let Some(symbol) = self.world.in_package(self.file, name) {
            return Meaning::Symbol(symbol, How::Scope);
        }
        if self.family().is_closed() {
            return Meaning::Nothing;
        }
        self.by_name(name, |it| !self.is_local(it))
    }

    /// What the symbols around a line define, and the file.
    pub(super) fn in_scope(&self, name: &str, line: u32) -> Option<u32> {
        let implicit = self.family().has_implicit_self();
        let inner = self.around(line).find_map(|symbol| {
            let is_type = self.world.symbol(symbol).kind.is_type();
            match (is_type, implicit) {
                (true, true) => {
                    self.world.member_of(symbol, name, 0).filter(|&it| !self.is_constructor(it))
                }
                // Inside its class a nested one is known in Java, a method is not in Python.
                (true, false) => None,
                (false, _) => self.world.child(symbol, name).filter(|&it| self.is_bare(it)),
            }
        });
        inner.or_else(|| self.world.top(self.file, name))
    }

    /// Whether a symbol inside a function goes by its bare name: a method of a literal does not.
    fn is_bare(&self, symbol: u32) -> bool {
        self.family() != Family::Node || self.world.symbol(symbol).kind != SymbolKind::Method
    }

    /// Whether a symbol is what makes its class, and goes by its name: it is the class that is meant.
    fn is_constructor(&self, symbol: u32) -> bool {
        let it = self.world.symbol(symbol);
        it.kind.is_function() && last_part(&it.scope) == it.name
    }

    /// A name behind a receiver.
    fn behind(&self, receiver: &str, reference: &Reference, line: u32) -> Meaning {
        let name = reference.name.as_str();
        if let Some(symbol) = self.shadowed(receiver, reference, line) {
            return Meaning::Symbol(symbol, How::Receiver);
        }
        match self.receiver(receiver, line) {
            Entity::External => Meaning::Nothing,
            Entity::Unknown => self.by_member_name(name, receiver),
            known => match self.world.member(&known, name) {
                Entity::Symbol(symbol) => {
                    let how = match known {
                        Entity::Files(_) => How::Import,
                        _ => How::Receiver,
                    };
                    Meaning::Symbol(symbol, how)
                }
                Entity::External | Entity::Files(_) => Meaning::Nothing,
                Entity::Unknown => self.without_member(&known, name),
            },
        }
    }

    /// The type is known and has no such member: it is a base's outside the tree, or made at run
    /// time.
    fn without_member(&self, known: &Entity, name: &str) -> Meaning {
        match known {
            Entity::Symbol(symbol) if self.world.reaches_beyond(*symbol, 0) => Meaning::Nothing,
            Entity::Symbol(symbol) if self.world.symbol(*symbol).kind.is_type() => Meaning::Nothing,
            Entity::Symbol(_) => self.by_member_name(name, "?"),
            _ => Meaning::Nothing,
        }
    }

    /// What stands before a name, as far as it is written down.
    fn receiver(&self, receiver: &str, line: u32) -> Entity {
        if receiver == "?" {
            return Entity::Unknown;
        }
        let (path, called) = match receiver.strip_suffix("()") {
            Some(path) => (path, true),
            None => (receiver, false),
        };
        let parts: Vec<&str> = path.split('.').collect();
        let entity = self.path(&parts, line, 0);
        if called { self.result_of(&parts, entity, line, 0) } else { self.value_of(entity, 0) }
    }

    pub(super) fn path(&self, parts: &[&str], line: u32, steps: usize) -> Entity {
        let Some((&root, rest)) = parts.split_first() else { return Entity::Unknown };
        if steps > MOST_STEPS {
            return Entity::Unknown;
        }
        if let Some(at) = parts.iter().position(|part| part.ends_with("()")) {
            let mut called = parts[..=at].to_vec();
            called[at] = called[at].trim_end_matches("()");
            let entity = self.path(&called, line, steps + 1);
            let made = self.result_of(&called, entity, line, steps + 1);
            return self.follow(made, &parts[at + 1..], steps);
        }
        if is_self(root) {
            let Some(class) = self.class_around(line) else { return Entity::Unknown };
            return match rest.split_first() {
                None => Entity::Symbol(class),
                Some((field, rest)) => {
                    let start = self.field(class, field, steps);
                    self.follow(start, rest, steps)
                }
            };
        }
        if self.is_super(root) && rest.is_empty() {
            let class = self.class_around(line);
            let bases = class.and_then(|class| self.world.bases.get(&class));
            return match bases.map(|bases| (bases.known.first(), bases.beyond)) {
                Some((Some(&base), _)) => Entity::Symbol(base),
                Some((None, true)) => Entity::External,
                _ => Entity::Unknown,
            };
        }
        if let Some(entity) = self.variable(root, line, steps) {
            return self.follow(entity, rest, steps);
        }
        if let Some(symbol) = self.in_scope(root, line) {
            return self.follow(Entity::Symbol(symbol), rest, steps);
        }
        if let Some(entity) = self.world.imported_at(self.file, root, line) {
            return self.follow(entity, rest, steps);
        }
        if self.family() == Family::Python
            && let Some((entity, length)) = self.world.module(self.file, parts)
        {
            return self.follow(entity, &parts[length..], steps);
        }
        let elsewhere = self.world.among_everything(self.file, root);
        match elsewhere.or_else(|| self.world.in_package(self.file, root)) {
            Some(symbol) => self.follow(Entity::Symbol(symbol), rest, steps),
            None => Entity::Unknown,
        }
    }

    /// Whether a name stands for the class above; most languages have variables of such names.
    fn is_super(&self, name: &str) -> bool {
        match name {
            "super" => true,
            "parent" => self.family() == Family::Php,
            "base" => self.family() == Family::DotNet,
            _ => false,
        }
    }

    fn follow(&self, from: Entity, rest: &[&str], steps: usize) -> Entity {
        let member = |entity, name: &&str| self.world.member(&self.value_of(entity, steps), name);
        rest.iter().fold(from, member)
    }

    /// A variable that is a symbol stands for the type it is of, where that is written down, or for the
    /// literal it is.
    pub(super) fn value_of(&self, entity: Entity, steps: usize) -> Entity {
        let Entity::Symbol(symbol) = entity else { return entity };
        let it = self.world.symbol(symbol);
        if !is_value(it) || steps > MOST_STEPS {
            return entity;
        }
        let file = self.world.file(symbol);
        let there = Reader::of_lines(self.world, file);
        let types = &self.world.sources[file as usize].types;
        let from = types.partition_point(|typed| typed.line < it.start_line);
        let upto = types.partition_point(|typed| typed.line <= it.end_line);
        let typed = types[from..upto.max(from)]
            .iter()
            .find(|typed| last_part(&typed.name) == it.name && !typed.name.starts_with(FILLED));
        match (typed, typescript::returned(&it.signature)) {
            (Some(typed), _) => there.type_named(&typed.of, typed.line, steps + 1),
            (None, Some(of)) if it.kind == SymbolKind::Method => {
                there.type_named(&of, it.name_line, steps + 1)
            }
            _ if self.world.is_literal(symbol) => entity,
            _ => Entity::Unknown,
        }
    }

    /// A reader that looks at types only, so that it need not know who owns which line.
    pub(super) fn of_lines(world: &'w World<'s>, file: u32) -> Reader<'w, 's> {
        Reader { world, file, owners: &[] }
    }

    /// The type a text names: `Foo`, `a.Foo`, or what a call gives: `Foo()`, `Foo.new()`.
    pub(super) fn type_named(&self, of: &str, line: u32, steps: usize) -> Entity {
        let (path, called) = match of.strip_suffix("()") {
            Some(path) => (path, true),
            None => (of, false),
        };
        let is_node = self.family() == Family::Node;
        let written = (is_node && !called).then(|| typescript::named(path)).flatten();
        let path = written.as_deref().unwrap_or(path);
        let parts: Vec<&str> = path.split('.').collect();
        let entity = self.path(&parts, line, steps);
        let entity = match called {
            true => self.result_of(&parts, entity, line, steps),
            false if is_node => self.value_of(entity, steps),
            false => entity,
        };
        match entity {
            Entity::Symbol(symbol) if !self.world.has_members(symbol) => Entity::Unknown,
            entity => entity,
        }
    }

    /// What a call gives: an object of a type that is called, or that a maker of it belongs to.
    fn result_of(&self, parts: &[&str], called: Entity, line: u32, steps: usize) -> Entity {
        let Entity::Symbol(symbol) = called else {
            return if called == Entity::External { Entity::External } else { Entity::Unknown };
        };
        let it = self.world.symbol(symbol);
        if it.kind.is_type() {
            return called;
        }
        let name = parts.last().copied().unwrap_or_default();
        let makes = matches!(name, "new" | "default" | "from" | "open" | "create" | "build" | "of")
            || name.starts_with("new_")
            || name.starts_with("with_")
            || name.starts_with("from_");
        if makes && parts.len() > 1 {
            return match self.path(&parts[..parts.len() - 1], line, steps + 1) {
                Entity::Symbol(class) if self.world.symbol(class).kind.is_type() => {
                    Entity::Symbol(class)
                }
                _ => Entity::Unknown,
            };
        }
        if let Some(of) = returned(&it.signature, self.family()) {
            let there = Reader::of_lines(self.world, self.world.file(symbol));
            return there.type_named(&of, it.name_line, steps + 1);
        }
        if self.world.is_literal(symbol) {
            return called;
        }
        // Go's way to name what makes a `Foo`.
        let made = name.strip_prefix("New").filter(|_| self.family() == Family::Go);
        let made = made.and_then(|made| {
            let file = self.world.file(symbol);
            self.world.top(file, made).or_else(|| self.world.in_package(file, made))
        });
        made.map_or(Entity::Unknown, Entity::Symbol)
    }

    /// The type whose code a line is part of.
    fn class_around(&self, line: u32) -> Option<u32> {
        let nested = self.around(line).find(|&it| self.world.symbol(it).kind.is_type());
        let by_scope = || {
            let scoped = self.around(line).find(|&it| !self.world.symbol(it).scope.is_empty())?;
            let name = last_part(&self.world.symbol(scoped).scope);
            let known = self.world.top(self.file, name);
            let known = known.or_else(|| self.world.in_package(self.file, name));
            let imported = || match self.world.imported(self.file, name) {
                Some(Entity::Symbol(symbol)) => Some(symbol),
                _ => None,
            };
            known.or_else(imported).filter(|&it| self.world.symbol(it).kind.is_type())
        };
        nested.or_else(by_scope)
    }

    /// A reader of another file.
    pub(super) fn at(&self, file: u32) -> Reader<'w, 's> {
        Reader::of(self.world, file)
    }

    /// The type that `Self` is on a line of Rust.
    pub(super) fn self_at(&self, line: u32) -> Option<u32> {
        let is_type = |&it: &u32| self.world.symbol(it).kind.is_type();
        self.around(line).find(is_type).or_else(|| {
            let scoped = self.around(line).find(|&it| !self.world.symbol(it).scope.is_empty())?;
            let mut names = self.world.symbol(scoped).scope.rsplit("::");
            names.find_map(|name| self.world.type_around(scoped, name))
        })
    }

    /// The functions around a line, innermost first.
    pub(super) fn functions_at(&self, line: u32) -> impl Iterator<Item = u32> {
        self.around(line).filter(|&it| is_function(self.world.symbol(it).kind))
    }

    /// By name alone, among members: only where nothing of the language itself bears the name.
    pub(super) fn by_member_name(&self, name: &str, receiver: &str) -> Meaning {
        let family = self.family();
        if family.is_common(name) {
            return Meaning::Nothing;
        }
        let hint = last_part(receiver.trim_end_matches("()"));
        let hinted = self.by_name(name, |symbol| self.is_inside(symbol, hint));
        if let Meaning::Symbol(symbol, _) = hinted
            && hint.len() > 1
        {
            // A variable that is called like a module need not be it; a type or a path is.
            let written = hint.starts_with(char::is_uppercase)
                || matches!(family, Family::Rust | Family::C | Family::Ruby);
            let how = if written { How::Receiver } else { How::OnlyOne };
            return Meaning::Symbol(symbol, how);
        }
        self.by_name(name, |it| self.is_member(it) || !family.is_closed())
    }

    /// Whether a symbol is part of a type: what a function defines for itself is not.
    fn is_member(&self, symbol: u32) -> bool {
        let it = self.world.symbol(symbol);
        let source = &self.world.sources[self.world.file(symbol) as usize];
        match it.parent {
            None => !it.scope.is_empty(),
            Some(parent) => !is_function(source.symbols[parent as usize].kind),
        }
    }

    /// Whether a symbol is one that a function defines for itself: nobody else can name it.
    fn is_local(&self, symbol: u32) -> bool {
        let source = &self.world.sources[self.world.file(symbol) as usize];
        let parent = self.world.symbol(symbol).parent;
        parent.is_some_and(|parent| is_function(source.symbols[parent as usize].kind))
    }

    /// Whether a symbol stands in a type or a module of that name.
    fn is_inside(&self, symbol: u32, name: &str) -> bool {
        let it = self.world.symbol(symbol);
        let path = &self.world.sources[self.world.file(symbol) as usize].path;
        let stem = crate::graph::tree::stem_of(path);
        last_part(&it.scope) == name || (it.scope.is_empty() && stem == name)
    }

    /// What prose mentions: anything of that name, if the names before it fit.
    fn mentioned(&self, name: &str, receiver: &str) -> Meaning {
        let hint = last_part(receiver);
        let named: Vec<u32> = self.world.named(name).to_vec();
        let is_defined = |&it: &u32| self.world.symbol(it).kind != SymbolKind::Test;
        let mut fitting: Vec<u32> = named.into_iter().filter(is_defined).collect();
        if !hint.is_empty() {
            let hinted: Vec<u32> =
                fitting.iter().copied().filter(|&it| self.is_inside(it, hint)).collect();
            if !hinted.is_empty() {
                fitting = hinted;
            }
        }
        match fitting.as_slice() {
            [] => Meaning::Nothing,
            [one] => Meaning::Symbol(*one, How::OnlyOne),
            _ => Meaning::Several,
        }
    }

    pub(super) fn by_name(&self, name: &str, may: impl Fn(u32) -> bool) -> Meaning {
        let family = self.family();
        let fits = |&&it: &&u32| self.world.family(it) == family && may(it);
        let mut found = self.world.named(name).iter().filter(fits);
        match (found.next(), found.next()) {
            (None, _) => Meaning::Nothing,
            (Some(&one), None) => Meaning::Symbol(one, How::OnlyOne),
            _ => Meaning::Several,
        }
    }
}

/// How far a type is followed from one thing that is written down to the next.
const MOST_STEPS: usize = 4;

/// The type a function says it gives, where one name says it; of several that of the first.
fn returned(signature: &str, family: Family) -> Option<String> {
    let after = match family {
        Family::Python | Family::Rust => signature.rsplit_once("->")?.1,
        Family::Node => return typescript::returned(signature),
        Family::Go => signature.rsplit_once(") ")?.1.trim_start_matches('(').split(',').next()?,
        _ => return None,
    };
    let name =
        after.trim().trim_start_matches(['*', '&', '"', '\'']).trim_end_matches(['"', '\'', ')']);
    let plain = |c: char| c.is_alphanumeric() || matches!(c, '_' | '.');
    (!name.is_empty() && name.chars().all(plain)).then(|| name.to_owned())
}

/// Whether a symbol is of a type instead of one: a variable, a constant, a field, what `get` gives.
fn is_value(symbol: &Symbol) -> bool {
    match symbol.kind {
        SymbolKind::Variable | SymbolKind::Constant | SymbolKind::Field => true,
        SymbolKind::Method => {
            let mut words = symbol.signature.split(' ').skip_while(|it| is_modifier(it));
            words.next() == Some("get") && words.next().is_some_and(|it| it.ends_with(':'))
        }
        _ => false,
    }
}

fn is_modifier(word: &str) -> bool {
    matches!(word, "public" | "protected" | "private" | "static" | "override" | "readonly")
}

fn is_function(kind: SymbolKind) -> bool {
    matches!(kind, SymbolKind::Function | SymbolKind::Method | SymbolKind::Test)
}

pub(super) fn is_self(name: &str) -> bool {
    matches!(name, "self" | "this" | "cls" | "Self" | "static")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_function_gives_is_read_off_its_signature() {
        for (signature, family, expected) in [
            ("def f(a) -> Foo", Family::Python, Some("Foo")),
            ("def f(a) -> \"Foo\"", Family::Python, Some("Foo")),
            ("def f(a) -> List[Foo]", Family::Python, None),
            ("def f(a)", Family::Python, None),
            ("pub fn f(a: u8) -> Foo", Family::Rust, Some("Foo")),
            ("func New(a int) *Foo", Family::Go, Some("Foo")),
            ("func New(a int) (*Foo, error)", Family::Go, Some("Foo")),
            ("func New(a int)", Family::Go, None),
            ("function f(a: A): Foo", Family::Node, Some("Foo")),
        ] {
            assert_eq!(returned(signature, family).as_deref(), expected, "{signature}");
        }
    }
}

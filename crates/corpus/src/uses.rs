//! What a file takes from elsewhere: imports with the names they bind, uses of names with the
//! receiver before them, and types written beside a variable.
//!
//! In: the nodes a query file captured. Out: lists in a fixed order. A name used as a value is kept
//! only if the file imports or defines it: every other one is a local variable, and of those there
//! are more than of all else together.

use std::borrow::Cow;
use std::collections::{BTreeMap, HashSet};

use crate::chain::chain;
use crate::lines::Lines;
use crate::symbol::{Binding, Import, Reference, ReferenceKind, Typed};
use crate::syntax::{Node, Syntax};
use crate::tags::squeeze;

/// Captures of one match that say what is taken from elsewhere.
#[derive(Default)]
pub struct Taken<'n> {
    /// What an import names.
    pub import: Option<&'n Node>,
    /// What is imported by an expression.
    pub dynamic: Option<&'n Node>,
    /// One name taken out of it.
    pub name: Option<&'n Node>,
    /// What that is called here.
    pub alias: Option<&'n Node>,
    /// What stands before a used name.
    pub receiver: Option<(&'n Node, Writing)>,
    /// Names that are used.
    pub references: Vec<(&'n Node, ReferenceKind)>,
    /// A variable whose type is written down, and that type.
    pub variable: Option<(&'n Node, Place)>,
    /// See `variable`.
    pub of: Option<(&'n Node, Writing)>,
}

impl Taken<'_> {
    /// Forgets everything but the room for it: there is a match for every other name of a file.
    pub fn clear(&mut self) {
        let mut references = std::mem::take(&mut self.references);
        references.clear();
        *self = Taken { references, ..Taken::default() };
    }
}

/// How much of an expression or a type is kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Writing {
    /// A path of names, perhaps called.
    Path,
    /// The same; what stands behind it is kept where the type of its root is written down.
    Typed,
    /// Every name of it and what is done to each.
    Chain,
    /// The same, and what is inside is meant: `Some(it)`.
    Inner,
    /// The same, and what it is made of is meant: `for it in`.
    Element,
    /// All of it.
    Whole,
    /// A name in a literal, whose value is meant.
    Outer,
}

/// What a type is written beside.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// A variable.
    Whole,
    /// One of the variables of a tuple.
    Part,
    /// A variable that is taken out of it under the member's name.
    Member,
    /// A member that a literal gives it.
    Filled,
    /// A member of a literal that is an argument of it.
    Argument,
    /// A type that implements it.
    Implementer,
}

/// Everything taken from elsewhere, while a tree is walked.
pub struct Uses<'l, 't> {
    lines: &'l Lines<'t>,
    /// By the byte what is imported starts at.
    imports: BTreeMap<usize, Import>,
    /// In the order they were met: a list to sort once is half the work of a tree.
    references: Vec<Used<'t>>,
    types: Vec<Typed>,
    /// Bytes of names that only look like uses: a keyword argument, the names of an import.
    no_uses: Vec<usize>,
}

/// A name that is used, with what stands before it as it is written.
struct Used<'t> {
    start: usize,
    kind: ReferenceKind,
    name: &'t str,
    receiver: Option<(&'t str, Writing)>,
}

/// What [`Uses`] comes to.
#[derive(Default)]
pub struct Found {
    pub imports: Vec<Import>,
    pub references: Vec<Reference>,
    pub types: Vec<Typed>,
}

impl<'l, 't> Uses<'l, 't> {
    /// Nothing yet.
    pub fn none(lines: &'l Lines<'t>) -> Self {
        Uses {
            lines,
            imports: BTreeMap::new(),
            references: Vec::new(),
            types: Vec::new(),
            no_uses: Vec::new(),
        }
    }

    /// Notes what one match holds.
    pub fn take(&mut self, taken: &Taken, syntax: &Syntax) {
        if let Some(node) = taken.import {
            self.import(node, taken);
        }
        if let Some(node) = taken.dynamic {
            match is_plain_string(self.text(node)) {
                true => self.import(node, taken),
                false => self.dynamic_import(node),
            }
        }
        let receiver = taken.receiver.map(|(node, writing)| (self.text(node), writing));
        for &(node, kind) in &taken.references {
            let (start, name) = (node.start_byte(), self.text(node));
            self.references.push(Used { start, kind, name, receiver });
        }
        match (taken.variable, taken.of) {
            (Some(variable), Some(of)) => self.types.extend(self.typed(variable, of, syntax)),
            (Some((node, Place::Filled)), None) => {
                self.types.extend(self.filled(node, RETURNED.to_owned()))
            }
            _ => {}
        }
    }

    fn typed(
        &self,
        variable: (&Node, Place),
        of: (&Node, Writing),
        syntax: &Syntax,
    ) -> Option<Typed> {
        let (node, place) = variable;
        let line = self.lines.line_at(node.start_byte());
        let name = Some(path_of(self.text(node))).filter(|name| name != UNKNOWN)?.into_owned();
        let of = match of.1 {
            Writing::Path | Writing::Typed => {
                Some(path_of(self.text(of.0))).filter(|of| of != UNKNOWN)?.into_owned()
            }
            Writing::Chain => format!("={}", chain(self.text(of.0))?),
            Writing::Inner => format!("={}?", chain(self.text(of.0))?),
            Writing::Element => format!("={}[]", chain(self.text(of.0))?),
            Writing::Whole => squeeze(self.text(of.0), MAX_TYPE),
            Writing::Outer => {
                let line = self.lines.line_at(of.0.start_byte());
                format!("{FILLED}{}:{line}", self.text(of.0))
            }
        };
        Some(match place {
            Place::Whole => Typed { line, name, of },
            Place::Part => {
                Typed { line, name, of: format!("{of}.{}", part_of_tuple(node, syntax)?) }
            }
            Place::Member => {
                Typed { line, name, of: format!("{of}.{}", self.member(node, syntax)) }
            }
            Place::Filled => return self.filled(node, of),
            Place::Argument => {
                return self.filled(node, format!("{of}({})", place_of_literal(node, syntax)?));
            }
            Place::Implementer => Typed { line, name: format!("impl {name}"), of },
        })
    }

    fn filled(&self, node: &Node, of: String) -> Option<Typed> {
        let name = format!("{FILLED}{}", self.text(node));
        let line = self.lines.line_at(node.start_byte());
        (name.len() <= MAX_RECEIVER).then_some(Typed { line, name, of })
    }

    /// The member a variable of a pattern is: `a` of `{ a }`, `{ a = 1 }` and `{ a: b }`.
    fn member(&self, node: &Node, syntax: &Syntax) -> &'t str {
        let key = syntax.parent(node).and_then(|parent| syntax.child(parent, "key"));
        self.text(key.unwrap_or(node))
    }

    /// A name that is no use, whatever another pattern says.
    pub fn rule_out(&mut self, node: &Node) {
        self.no_uses.push(node.start_byte());
    }

    /// Drops the names met at some bytes: they are about to be met again.
    pub fn forget(&mut self, at: impl Fn(usize) -> bool) {
        self.references.retain(|it| !at(it.start));
    }

    /// Puts everything in order. `defined` are the bytes of definitions, in ascending order, with
    /// their names, `own` the names the file defines, `package` what it says it is part of.
    pub fn finish(mut self, defined: &[(usize, &str)], own: HashSet<&str>, package: &str) -> Found {
        let references = self.references(defined, own, !package.is_empty());
        let mut imports: Vec<Import> = std::mem::take(&mut self.imports).into_values().collect();
        imports.sort_by(|a, b| (a.line, &a.source).cmp(&(b.line, &b.source)));
        imports.dedup();
        self.types.sort();
        self.types.dedup();
        self.drop_loose_literals();
        Found { imports, references, types: self.types }
    }

    /// A literal inside another is of a known type only if that one is.
    fn drop_loose_literals(&mut self) {
        let mut kept: HashSet<String> = HashSet::new();
        self.types.retain(|it| {
            let Some(name) = it.name.strip_prefix(FILLED) else { return true };
            let is_held = !it.of.starts_with(FILLED) || kept.contains(&it.of);
            if is_held {
                kept.insert(format!("{FILLED}{name}:{}", it.line));
            }
            is_held
        });
    }

    fn dynamic_import(&mut self, node: &Node) {
        let source = squeeze(self.text(node), MAX_IMPORT);
        let line = self.lines.line_at(node.start_byte());
        let import = Import { source, line, dynamic: true, names: Vec::new() };
        self.imports.entry(node.start_byte()).or_insert(import);
    }

    fn import(&mut self, node: &Node, taken: &Taken) {
        let quotes = ['"', '\'', '`', '<', '>'];
        let source = squeeze(self.text(node).trim().trim_matches(quotes), MAX_IMPORT);
        if source.is_empty() {
            return;
        }
        let line = self.lines.line_at(node.start_byte());
        let text = |node: Option<&Node>| node.map(|node| self.text(node).to_owned());
        let (name, alias) = (text(taken.name), text(taken.alias));
        for node in [taken.name, taken.alias].into_iter().flatten() {
            self.no_uses.push(node.start_byte());
        }
        let import = self.imports.entry(node.start_byte());
        let import = import.or_insert(Import { source, line, dynamic: false, names: Vec::new() });
        let binding = match (name, alias) {
            (None, None) => return,
            (Some(name), None) if name == "*" || name == "." => {
                Binding { name: "*".to_owned(), local: String::new() }
            }
            (Some(name), None) => Binding { local: name.clone(), name },
            (name, Some(local)) => Binding { name: name.unwrap_or_default(), local },
        };
        if !import.names.contains(&binding) {
            import.names.push(binding);
        }
    }

    /// References, less calls of a name on the very spot that defines it: `a <+> b = …`.
    fn references(
        &mut self,
        defined: &[(usize, &str)],
        own: HashSet<&str>,
        shared: bool,
    ) -> Vec<Reference> {
        let mut met = std::mem::take(&mut self.references);
        self.no_uses.sort_unstable();
        met.sort_unstable_by_key(|it| (it.start, it.kind, it.receiver.is_none()));
        met.dedup_by_key(|it| (it.start, it.kind));
        let mut known: HashSet<&str> = own;
        known.extend(self.bound());
        let known = |name: &str| known.contains(name);
        let is_definition = |at: usize, name: &str| defined.binary_search(&(at, name)).is_ok();
        let typed: HashSet<&str> = self.types.iter().map(|it| it.name.as_str()).collect();
        let mut uses: Vec<Use> = Vec::new();
        let mut last = usize::MAX;
        for Used { start, kind, name, receiver } in met {
            let again = std::mem::replace(&mut last, start) == start;
            let is_use = match kind {
                ReferenceKind::Name => {
                    let visible = match receiver.map(|(text, writing)| (root(text), writing)) {
                        // Another file of the package may define it; its locals seldom have capitals.
                        None => known(name) || (shared && name.contains(char::is_uppercase)),
                        // No variable stands before `::`, and a module needs no import.
                        Some((root, Writing::Chain)) if root.starts_with(char::is_lowercase) => {
                            true
                        }
                        Some((root, writing)) => {
                            let is_typed = || writing == Writing::Typed && typed.contains(root);
                            known(root) || is_self(root) || is_typed()
                        }
                    };
                    visible
                        && !again
                        && self.no_uses.binary_search(&start).is_err()
                        && !is_definition(start, name)
                }
                ReferenceKind::Call => !is_definition(start, name),
                _ => true,
            };
            if is_use {
                let receiver = receiver.map(before).unwrap_or_default();
                uses.push((first(name), name, kind, receiver, self.lines.line_at(start)));
            }
        }
        uses.sort_unstable();
        uses.dedup();
        uses.chunk_by(|a, b| (a.1, a.2, &a.3) == (b.1, b.2, &b.3)).map(reference).collect()
    }

    /// The names imports bind here: of `import a.b` that is `a`, of `use a::{b, c}` it is all of them.
    fn bound(&self) -> impl Iterator<Item = &str> {
        self.imports.values().flat_map(|import| {
            let source = import.source.as_str();
            let first = source.split(['.', ':']).next().unwrap_or_default();
            let last = source.rsplit(['.', ':', '/', '\\']).next().unwrap_or_default();
            let whole = import.names.is_empty();
            let is_list = whole && source.contains('{');
            let listed = source.split(|c: char| !c.is_alphanumeric() && c != '_');
            let ends = whole.then_some([first, last]).into_iter().flatten();
            let names = import.names.iter().map(|name| name.local.as_str());
            ends.chain(listed.filter(move |_| is_list)).chain(names)
        })
    }

    fn text(&self, node: &Node) -> &'t str {
        self.lines.text().get(node.byte_range()).unwrap_or_default()
    }
}

/// A use in the order of the list: what its name begins with, the name, its kind, what stands before
/// it, and the line.
type Use<'t> = (u64, &'t str, ReferenceKind, Cow<'t, str>, u32);

/// The beginning of a name as a number of the same order: most names are told apart by it.
fn first(name: &str) -> u64 {
    let mut bytes = [0; 8];
    let length = name.len().min(8);
    bytes[..length].copy_from_slice(&name.as_bytes()[..length]);
    u64::from_be_bytes(bytes)
}

/// The lines of one name that is used in one way.
fn reference(uses: &[Use]) -> Reference {
    let (_, name, kind, receiver, _) = &uses[0];
    let lines = uses.iter().map(|it| it.4).collect();
    Reference { name: (*name).to_owned(), kind: *kind, receiver: receiver.to_string(), lines }
}

/// Whether an expression is nothing but a string that names a module.
fn is_plain_string(text: &str) -> bool {
    let inside = text.strip_prefix(['"', '\'']).and_then(|text| text.strip_suffix(['"', '\'']));
    let plain = |c: char| c.is_alphanumeric() || matches!(c, '_' | '.' | '/' | '-' | '@');
    inside.is_some_and(|inside| !inside.is_empty() && inside.chars().all(plain))
}

/// Begins the name of a member that a literal gives to what it is of.
pub const FILLED: &str = "{}.";

/// Stands for what the function around returns.
pub const RETURNED: &str = "return";

/// Stands for a receiver that is more than a path of names.
pub const UNKNOWN: &str = "?";

/// A list of names may be long; what is longer than this is no list of names.
const MAX_IMPORT: usize = 4000;
const MAX_RECEIVER: usize = 80;
const MAX_TYPE: usize = 160;

/// In a chain of a thousand calls each stands before the next: none of them is gone through whole.
const MAX_WRITTEN: usize = 400;

/// The names that stand for the object a method is called on.
fn is_self(name: &str) -> bool {
    matches!(name, "self" | "this" | "cls" | "Self" | "super" | "parent" | "static" | "base")
}

/// The first name of a path: `a` of `a.b`, `$a->b` and `a::b`.
fn root(path: &str) -> &str {
    let path = path.trim_start_matches(['&', '*', '$', '@', '(', ' ']);
    let end = path.find(|c: char| !(c.is_alphanumeric() || c == '_')).unwrap_or(path.len());
    &path[..end]
}

/// What stands before a name, as it is kept.
fn before((text, writing): (&str, Writing)) -> Cow<'_, str> {
    match writing {
        Writing::Chain if text.len() > MAX_WRITTEN => UNKNOWN.into(),
        Writing::Chain => chain(text).map_or(UNKNOWN.into(), Cow::Owned),
        // A macro is what is meant, and no function.
        _ if text == "!" => text.into(),
        _ => path_of(text),
    }
}

/// Where in its tuple a variable stands: `(a, mut b)`.
fn part_of_tuple(node: &Node, syntax: &Syntax) -> Option<usize> {
    let parent = syntax.parent(node)?;
    let (element, tuple) = match syntax.kind_of(parent) {
        "mut_pattern" => (parent, syntax.parent(parent)?),
        _ => (node, parent),
    };
    place_among_named(element, tuple, syntax)
}

/// Which of the arguments of a call the literal is that a name stands in.
fn place_of_literal(node: &Node, syntax: &Syntax) -> Option<usize> {
    let mut literal = node;
    while syntax.kind_of(literal) != "object" {
        literal = syntax.parent(literal)?;
    }
    place_among_named(literal, syntax.parent(literal)?, syntax)
}

fn place_among_named(node: &Node, parent: &Node, syntax: &Syntax) -> Option<usize> {
    let named = syntax.children(parent).iter().filter(|child| child.is_named());
    named.into_iter().position(|child| std::ptr::eq(child, node))
}

/// `a->b`, `a?.b`, `a::b` → `a.b`; `Foo(x)` → `Foo()`; anything else → `?`.
fn path_of(text: &str) -> Cow<'_, str> {
    if text.len() > MAX_WRITTEN {
        return UNKNOWN.into();
    }
    let simple = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'.';
    if !text.is_empty()
        && text.len() <= MAX_RECEIVER
        && text.bytes().all(simple)
        && !text.ends_with('.')
    {
        return text.into();
    }
    let text = text.trim().trim_start_matches("new ").trim_start_matches("await ");
    let (path, called) = match text.split_once('(') {
        Some((path, rest)) if closes_at_end(rest) => (path, "()"),
        Some(_) => return UNKNOWN.into(),
        None => (text, ""),
    };
    let path = dotted(path);
    let plain = |c: char| c.is_alphanumeric() || matches!(c, '_' | '.' | '$' | '#');
    let long = path.len() > MAX_RECEIVER;
    if path.is_empty() || long || !path.chars().all(plain) {
        return UNKNOWN.into();
    }
    match (path.as_str(), called) {
        ("super", _) => path.into(),
        _ => (path + called).into(),
    }
}

/// A path of names with one separator, without type arguments and sigils.
fn dotted(path: &str) -> String {
    let path = path.trim().trim_start_matches(['&', '*', '$', '@', '\\']);
    let path = path.split(['<', '[']).next().unwrap_or_default();
    let path = path.replace("->", ".").replace("?.", ".").replace("::", ".").replace("!.", ".");
    path.replace('\\', ".").trim_end_matches(['.', '!', '?']).to_owned()
}

/// Whether the parenthesis that was opened before `rest` closes with its last character.
fn closes_at_end(rest: &str) -> bool {
    let mut depth = 1usize;
    for (at, c) in rest.char_indices() {
        match c {
            '(' => depth += 1,
            ')' => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return at + 1 == rest.len();
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn receivers_are_paths_calls_or_unknown() {
        for (text, expected) in [
            ("self", "self"),
            ("a.b", "a.b"),
            ("a->b", "a.b"),
            ("a?.b", "a.b"),
            ("std::fs", "std.fs"),
            ("$this", "this"),
            ("super()", "super"),
            ("Foo(1, (2))", "Foo()"),
            ("new Foo()", "Foo()"),
            ("Vec::<u8>", "Vec"),
            ("Foo(1).bar(2)", "?"),
            ("a[0]", "a"),
            ("a + b", "?"),
            ("'text'", "?"),
            ("", "?"),
        ] {
            assert_eq!(path_of(text), expected, "{text}");
        }
    }
}

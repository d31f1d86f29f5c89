//! What stands before a name in Rust: paths of modules and types, and values as far as types are written.
//!
//! In: a chain of names as the parse keeps it (`self.io.lock()?`). Out: the symbol a name behind it
//! means. Types are followed through variables, fields, what functions say they give, pointers and
//! `Deref`; type parameters through their bounds. Nothing is inferred from how a value is used.

mod members;
mod paths;

use wherein_corpus::{Reference, ReferenceKind, SymbolKind};

use super::meaning::{Meaning, Reader};
use super::written;
use crate::graph::symbols::How;

/// What a chain of names leads to.
#[derive(Clone, Debug, PartialEq)]
enum Is {
    /// A value of a type as it is written in a place.
    Written(String, Spot),
    /// A value of this type.
    Of(u32),
    /// A symbol itself: a function, a type, a module inside a file.
    Itself(u32),
    /// A function that nobody wrote and that gives this type, as `default` does.
    Maker(u32),
    /// A module: its file.
    Module(u32),
    /// Something outside the tree.
    External,
    /// Nobody knows.
    Unknown,
}

/// Where something is written: names mean there what they mean on that line.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Spot {
    file: u32,
    line: u32,
}

/// A name that is looked for inside of something.
#[derive(Clone, Copy, Debug)]
struct Wanted<'n> {
    name: &'n str,
    /// What is called is no field.
    called: bool,
    /// The last name of a path may be a function where a module of that name stands too.
    last: bool,
}

/// Why there is no member.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Missing {
    /// What it would be a member of is known.
    NotThere,
    /// It is not.
    Unknown,
}

/// A trait or a type.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Base {
    /// One of the tree.
    Known(u32),
    /// A trait outside of it, by name.
    Outside(String),
}

/// From variable to variable, type to type: further than this people do not follow either.
const MOST_STEPS: usize = 8;

impl Reader<'_, '_> {
    /// What a use means in Rust.
    pub fn in_rust(&self, reference: &Reference, line: u32) -> Meaning {
        let name = reference.name.as_str();
        match reference.receiver.as_str() {
            "" if name == "Self" => match self.self_at(line) {
                Some(class) => Meaning::Symbol(class, How::Scope),
                None => Meaning::Nothing,
            },
            "" => self.bare(name, line),
            "!" => self.expanded(name),
            "?" => self.by_member_name(name, "?"),
            receiver => self.behind_chain(receiver, reference, line),
        }
    }

    /// A macro: they are seen by name wherever they stand in the tree.
    fn expanded(&self, name: &str) -> Meaning {
        let is_macro = |symbol: u32| self.world.symbol(symbol).kind == SymbolKind::Macro;
        match self.by_name(name, is_macro) {
            Meaning::Symbol(symbol, _) if self.world.file(symbol) == self.file => {
                Meaning::Symbol(symbol, How::Scope)
            }
            Meaning::Symbol(symbol, _) => Meaning::Symbol(symbol, How::Import),
            other => other,
        }
    }

    fn behind_chain(&self, receiver: &str, reference: &Reference, line: u32) -> Meaning {
        let before = self.evaluate(receiver, line, 0);
        let name = reference.name.as_str();
        let wanted = Wanted { name, called: reference.kind == ReferenceKind::Call, last: true };
        let how = match before {
            Is::Module(_) => How::Import,
            _ => How::Receiver,
        };
        match self.member(&before, wanted, 0) {
            Ok(symbol) => Meaning::Symbol(symbol, how),
            Err(Missing::NotThere) => Meaning::Nothing,
            Err(Missing::Unknown) => {
                let is_path = !receiver.contains(['.', '(', '[', '{', '?']);
                self.by_member_name(name, if is_path { receiver } else { "?" })
            }
        }
    }

    /// What a chain of names is on a line.
    fn evaluate(&self, chain: &str, line: u32, steps: usize) -> Is {
        if steps > MOST_STEPS {
            return Is::Unknown;
        }
        let (path, mut rest) = split_path(chain);
        let mut is = self.start(&path, rest, line, steps);
        while let Some((link, after)) = next_link(rest) {
            is = self.linked(is, link, after, steps);
            rest = after;
        }
        is
    }

    /// The first names of a chain: a variable, or a path.
    fn start(&self, path: &[&str], rest: &str, line: u32, steps: usize) -> Is {
        let [name] = path else { return self.path_of(path, line) };
        if *name == "self" {
            // Outside of any type it is the module.
            return self.self_at(line).map_or_else(|| self.above(line, 0), Is::Of);
        }
        if let Some((of, line)) = self.binding(name, line) {
            return match of.strip_prefix('=') {
                Some(chain) => self.evaluate(chain, line, steps + 1),
                None => Is::Written(of.to_owned(), Spot { file: self.file, line }),
            };
        }
        match self.path_of(path, line) {
            Is::Itself(symbol) => match self.world.symbol(symbol).kind {
                SymbolKind::Constant | SymbolKind::Variable => self.declared(symbol),
                // A module, or a variable whose type nobody wrote, hides a function of its name.
                SymbolKind::Function | SymbolKind::Method if !rest.starts_with("()") => {
                    self.module_named(name, line)
                }
                _ => Is::Itself(symbol),
            },
            Is::Unknown => self.module_named(name, line),
            is => is,
        }
    }

    /// The nearest variable of a name above a line, in the function around it.
    fn binding(&self, name: &str, line: u32) -> Option<(&str, u32)> {
        let types = &self.world.sources[self.file as usize].types;
        let upto = types.partition_point(|typed| typed.line <= line);
        let own: Vec<u32> = self.functions_at(line).collect();
        let near = types[..upto].iter().rev().filter(|typed| typed.name == name);
        let mut known = near.filter(|typed| {
            // `let a = a.b();`: the one before is meant.
            let chain = typed.of.strip_prefix('=').unwrap_or_default();
            let made_of_itself = typed.line == line && split_path(chain).0 == [name];
            !made_of_itself && !typed.of.starts_with(':')
        });
        let is_local = |at: u32| self.functions_at(at).next().is_some_and(|it| own.contains(&it));
        let found = known.find(|typed| is_local(typed.line))?;
        Some((found.of.as_str(), found.line))
    }

    /// What is done to a value, or taken out of it.
    fn linked(&self, is: Is, link: &str, after: &str, steps: usize) -> Is {
        match link {
            "()" => self.called(is),
            "{}" => match is {
                Is::Itself(symbol) => Is::Of(self.type_made_by(symbol)),
                other => other,
            },
            "?" => mapped(is, |written| written::inner(written).to_owned()),
            "[]" => match is {
                Is::Written(text, spot) => match written::element(&text) {
                    Some(element) => Is::Written(element.to_owned(), spot),
                    None => Is::Unknown,
                },
                _ => Is::Unknown,
            },
            field => {
                let name = &field[1..];
                let called = after.starts_with("()");
                match self.member(&is, Wanted { name, called, last: true }, steps) {
                    Ok(symbol) if called => Is::Itself(symbol),
                    Ok(symbol) => self.declared(symbol),
                    Err(missing) => self.of_the_language(is, name, missing),
                }
            }
        }
    }

    /// What a call gives.
    fn called(&self, is: Is) -> Is {
        let symbol = match is {
            Is::Itself(symbol) => symbol,
            Is::Maker(class) => return Is::Of(class),
            // A method of the language itself was seen through.
            Is::Written(..) | Is::Of(_) | Is::External => return is,
            _ => return Is::Unknown,
        };
        let it = self.world.symbol(symbol);
        match it.kind {
            SymbolKind::Function | SymbolKind::Method => match written::returned(&it.signature) {
                Some(text) => Is::Written(text.to_owned(), self.spot(symbol)),
                None => Is::External,
            },
            kind if kind.is_type() || kind == SymbolKind::Variant => {
                Is::Of(self.type_made_by(symbol))
            }
            _ => Is::Unknown,
        }
    }

    /// The type of a literal or a constructor: a variant makes its enumeration.
    fn type_made_by(&self, symbol: u32) -> u32 {
        let it = self.world.symbol(symbol);
        let parent = it.parent.filter(|_| it.kind == SymbolKind::Variant);
        parent.map_or(symbol, |parent| self.world.first[self.world.file(symbol) as usize] + parent)
    }

    /// The type written beside a field, a constant or a static.
    fn declared(&self, symbol: u32) -> Is {
        let signature = &self.world.symbol(symbol).signature;
        match written::declared(signature) {
            Some(text) => Is::Written(text.to_owned(), self.spot(symbol)),
            None => Is::Unknown,
        }
    }

    /// Methods of Rust's own types that give what they are called on, or what is in it.
    fn of_the_language(&self, is: Is, name: &str, missing: Missing) -> Is {
        if let Ok(place) = name.parse::<usize>() {
            return self.part(&is, place);
        }
        match name {
            "unwrap" | "expect" | "unwrap_or_default" | "unwrap_or_else" | "unwrap_or" | "ok" => {
                mapped(is, |text| written::inner(text).to_owned())
            }
            "lock" | "read" | "write" | "get" | "get_mut" | "load" | "take" | "into_inner"
            | "as_ref" | "as_mut" | "as_deref" | "as_deref_mut" | "borrow" | "borrow_mut"
            | "iter" | "iter_mut" | "into_iter" | "clone" | "to_owned" | "by_ref" | "map_err"
            | "drain" | "pin" | "first" | "last" | "pop" | "pop_front" | "next" | "cloned"
            | "as_pin_mut" => mapped(is, |text| written::behind_lock(text).to_owned()),
            _ if missing == Missing::NotThere => Is::External,
            _ => Is::Unknown,
        }
    }

    /// A part of a tuple, or of a struct like one.
    fn part(&self, of: &Is, place: usize) -> Is {
        let (text, spot) = match of {
            Is::Written(text, spot) => (text.as_str(), *spot),
            Is::Of(class) => {
                let signature = self.world.symbol(*class).signature.as_str();
                (signature.find('(').map_or("", |at| &signature[at..]), self.spot(*class))
            }
            _ => return Is::Unknown,
        };
        let part = written::part(text.trim_end_matches(';'), place);
        let written = |part: &str| {
            part.trim_start_matches("pub(crate) ").trim_start_matches("pub ").to_owned()
        };
        part.map_or(Is::Unknown, |part| Is::Written(written(part), spot))
    }

    fn spot(&self, symbol: u32) -> Spot {
        Spot { file: self.world.file(symbol), line: self.world.symbol(symbol).name_line }
    }
}

fn mapped(is: Is, change: impl Fn(&str) -> String) -> Is {
    match is {
        Is::Written(text, spot) => Is::Written(change(&text), spot),
        other => other,
    }
}

/// The path a chain begins with, and the rest.
fn split_path(chain: &str) -> (Vec<&str>, &str) {
    let end = chain.find(['.', '(', '[', '{', '?']).unwrap_or(chain.len());
    (chain[..end].split("::").collect(), &chain[end..])
}

/// The next thing done in a chain, and the rest: `.name`, `::name`, `()`, `[]`, `{}`, `?`.
fn next_link(chain: &str) -> Option<(&str, &str)> {
    let end = match chain.as_bytes().first()? {
        b'?' => 1,
        b'(' | b'[' | b'{' => 2,
        _ => chain[1..].find(['.', '(', '[', '{', '?', ':']).map_or(chain.len(), |at| at + 1),
    };
    chain.split_at_checked(end)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chains_are_taken_apart() {
        let (path, mut rest) = split_path("a::b()?.c[0");
        let mut links = Vec::new();
        while let Some((link, after)) = next_link(rest) {
            links.push(link);
            rest = after;
        }
        assert_eq!((path, links), (vec!["a", "b"], vec!["()", "?", ".c", "[0"]));
        assert_eq!(split_path("self.x").0, ["self"]);
    }
}

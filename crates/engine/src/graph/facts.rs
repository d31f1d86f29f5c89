//! What import resolution has to know of one file: its language, its package, its imports.
//!
//! In: a parse. Out: [`Facts`], with imports of several things taken apart, so that one row is one
//! thing. Kept beside the links, so that a tree is linked anew without a single parse being read.

use serde::{Deserialize, Serialize};
use wherein_corpus::{Binding, Import, Parsed, SymbolKind};

/// One file's part in the linking of a tree.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Facts {
    /// The language it was read as.
    pub language: String,
    /// The package it says it is part of.
    pub package: String,
    /// What it declares at the top, where imports name that and not files.
    pub tops: Vec<String>,
    /// Its imports, one thing each.
    pub imports: Vec<Import>,
}

impl Facts {
    /// The facts of a parse.
    pub fn of(language: &str, parsed: &Parsed) -> Facts {
        let by_name = matches!(language, "java" | "kotlin" | "scala" | "csharp" | "php");
        let top = parsed.symbols.iter().filter(|symbol| {
            symbol
                .parent
                .is_none_or(|parent| parsed.symbols[parent as usize].kind == SymbolKind::Module)
        });
        Facts {
            language: language.to_owned(),
            package: parsed.package.clone(),
            tops: if by_name {
                top.map(|symbol| symbol.name.clone()).collect()
            } else {
                Vec::new()
            },
            imports: imports(language, parsed),
        }
    }
}

/// Facts as they are kept. While a large tree is linked those of all its files are in memory, and as
/// values they take six times as much.
#[derive(Clone, Debug)]
pub struct Packed(Box<[u8]>);

impl Packed {
    /// Packs facts.
    pub fn of(facts: &Facts) -> Packed {
        let bytes = postcard::to_stdvec(facts).expect("facts hold nothing that cannot be encoded");
        Packed(bytes.into())
    }

    /// The facts; none of what cannot be read.
    pub fn facts(&self) -> Facts {
        postcard::from_bytes(&self.0).unwrap_or_default()
    }

    /// The package alone.
    pub fn package(&self) -> String {
        let read = postcard::take_from_bytes::<(String, String)>(&self.0);
        read.map(|((_, package), _)| package).unwrap_or_default()
    }

    /// Packs many under their ids.
    pub fn pack_all(ids: Vec<u32>, all: &[Packed]) -> Vec<u8> {
        let head = postcard::to_stdvec(&(ids, all.len() as u64));
        let mut bytes = head.expect("numbers can be encoded");
        all.iter().for_each(|facts| bytes.extend_from_slice(&facts.0));
        bytes
    }

    /// What [`Packed::pack_all`] made, or nothing if that is not it.
    pub fn unpack_all(bytes: &[u8]) -> Option<(Vec<u32>, Vec<Packed>)> {
        let ((ids, count), mut rest) = postcard::take_from_bytes::<(Vec<u32>, u64)>(bytes).ok()?;
        let mut all = Vec::new();
        for _ in 0..count {
            let (_, after) = postcard::take_from_bytes::<Facts>(rest).ok()?;
            all.push(Packed(rest[..rest.len() - after.len()].into()));
            rest = after;
        }
        Some((ids, all))
    }
}

/// Imports, one thing each.
pub fn imports(language: &str, parsed: &Parsed) -> Vec<Import> {
    match language {
        "rust" => parsed.imports.iter().flat_map(|import| rust(import, parsed)).collect(),
        "scala" => parsed.imports.iter().flat_map(scala).collect(),
        _ => parsed.imports.clone(),
    }
}

/// `a::{b, c as d}` → `a::b`, `a::c as d`. `super` inside a module of the file means the file.
fn rust(import: &Import, parsed: &Parsed) -> Vec<Import> {
    let inline = parsed.symbols.iter().filter(|symbol| {
        symbol.kind == SymbolKind::Module
            && (symbol.start_line..=symbol.end_line).contains(&import.line)
    });
    let depth = inline.count();
    let mut leaves = Vec::new();
    open(&import.source, "", &mut leaves, 0);
    let leaf = |(path, local): (String, String)| {
        let mut parts: Vec<&str> = path.split("::").map(str::trim).collect();
        for _ in 0..depth {
            if parts.first() == Some(&"super") {
                parts[0] = "self";
                if parts.get(1) == Some(&"super") {
                    parts.remove(0);
                }
            }
        }
        let (source, names) = match parts.last() {
            Some(&"*") => {
                let everything = Binding { name: "*".to_owned(), local: String::new() };
                (parts[..parts.len() - 1].join("::"), vec![everything])
            }
            Some(&name) => (parts.join("::"), vec![Binding { name: name.to_owned(), local }]),
            None => (String::new(), Vec::new()),
        };
        Import { source, names, ..import.clone() }
    };
    leaves.into_iter().map(leaf).filter(|import| !import.source.is_empty()).collect()
}

/// Nested lists deeper than this are not written by people.
const MOST_NESTED: usize = 16;

/// Takes a tree of paths apart into leaves, each with the name it is bound to.
fn open(text: &str, before: &str, leaves: &mut Vec<(String, String)>, depth: usize) {
    let text = text.trim().trim_start_matches("::");
    let whole = |rest: &str| match (before, rest) {
        ("", rest) => rest.to_owned(),
        (before, "self") => before.to_owned(),
        (before, rest) => format!("{before}::{rest}"),
    };
    match text.split_once('{') {
        Some((path, list)) if depth < MOST_NESTED => {
            let path = whole(path.trim().trim_end_matches("::"));
            let list = list.trim_end().strip_suffix('}').unwrap_or(list);
            for part in split_list(list) {
                open(part, path.trim_end_matches("::"), leaves, depth + 1);
            }
        }
        Some(_) => {}
        None if text.is_empty() => {}
        None => {
            let (path, alias) = text.split_once(" as ").unwrap_or((text, ""));
            let path = whole(path.trim());
            let last = path.rsplit("::").next().unwrap_or_default().trim().to_owned();
            let local = if alias.is_empty() { last } else { alias.trim().to_owned() };
            leaves.push((path, local));
        }
    }
}

/// The parts of a list, at the commas that are not inside another.
fn split_list(list: &str) -> Vec<&str> {
    let (mut parts, mut depth, mut start) = (Vec::new(), 0usize, 0);
    for (at, c) in list.char_indices() {
        match c {
            '{' => depth += 1,
            '}' => depth = depth.saturating_sub(1),
            ',' if depth == 0 => {
                parts.push(&list[start..at]);
                start = at + 1;
            }
            _ => {}
        }
    }
    parts.push(&list[start..]);
    parts
}

/// `import a.b.{C, D => E}, f.g._` → one import each.
fn scala(import: &Import) -> Vec<Import> {
    let text = import.source.trim_start_matches("import ").trim_start_matches("export ");
    let mut found = Vec::new();
    for part in split_list(text) {
        let (path, list) = part.trim().split_once(".{").unwrap_or((part.trim(), ""));
        let names: Vec<&str> = match list.strip_suffix('}') {
            Some(list) => list.split(',').map(str::trim).collect(),
            None => vec![""],
        };
        for name in names {
            let renamed = name.split_once("=>").or_else(|| name.split_once(" as "));
            let (name, alias) = renamed.map_or((name, ""), |(a, b)| (a.trim(), b.trim()));
            let full = if name.is_empty() { path.to_owned() } else { format!("{path}.{name}") };
            found.push(scala_leaf(import, &full, alias));
        }
    }
    found
}

fn scala_leaf(import: &Import, full: &str, alias: &str) -> Import {
    let everything = full.strip_suffix("._").or_else(|| full.strip_suffix(".*"));
    let (source, name, local) = match everything {
        Some(package) => (package, "*", ""),
        None => (full, "", alias),
    };
    let bound = !name.is_empty() || !local.is_empty();
    let names = bound.then(|| Binding { name: name.to_owned(), local: local.to_owned() });
    Import { source: source.to_owned(), names: names.into_iter().collect(), ..import.clone() }
}

#[cfg(test)]
mod tests {
    use wherein_corpus::{ChunkSize, Language, Lines, parse};

    use super::*;

    #[track_caller]
    fn check(language: &str, text: &str, expected: &[&str]) {
        let parsed =
            parse(&Lines::of(text), Language::named(language).unwrap(), ChunkSize::default());
        let found: Vec<String> = imports(language, &parsed)
            .iter()
            .map(|import| {
                let names: Vec<String> =
                    import.names.iter().map(|it| format!(" {}={}", it.local, it.name)).collect();
                format!("{}{}", import.source, names.concat())
            })
            .collect();
        assert_eq!(found, expected, "{text}");
    }

    #[test]
    fn lists_are_taken_apart() {
        check(
            "rust",
            "use a::{b, c::{d, self}, e as f, g::*};\nuse h;\n",
            &["a::b b=b", "a::c::d d=d", "a::c c=c", "a::e f=e", "a::g =*", "h h=h"],
        );
        check(
            "rust",
            "mod t {\n use super::*;\n use super::super::x;\n}\n",
            &["self =*", "super::x x=x"],
        );
        check("scala", "import a.b.{C, D => E}\nimport f.g._\n", &["a.b.C", "a.b.D E=", "f.g =*"]);
    }
}

//! Rust: `mod` names a file beside or below, `use` walks modules from the crate, from here, or from
//! another crate of the workspace. `#[path]` is not followed.

use std::collections::HashMap;

use wherein_corpus::Import;

use super::{Reason, Target, found};
use crate::graph::tree::{Tree, ancestors, folder_of, name_of, stem_of};

/// The library crates of a tree.
pub struct Crates {
    /// Names as code writes them, and the files their modules start in.
    roots: HashMap<String, u32>,
}

impl Crates {
    /// Reads every `Cargo.toml`.
    pub fn of(tree: &Tree) -> Crates {
        let mut roots = HashMap::new();
        for &file in tree.named("Cargo.toml") {
            let folder = folder_of(tree.path(file));
            let manifest = tree.settings(file).and_then(|text| text.parse::<toml::Table>().ok());
            if let Some((name, root)) =
                manifest.and_then(|manifest| library(tree, folder, &manifest))
            {
                roots.entry(name).or_insert(root);
            }
        }
        Crates { roots }
    }

    /// The file in which a library starts.
    pub fn root(&self, name: &str) -> Option<u32> {
        self.roots.get(name).copied()
    }

    /// The file of the innermost module on the path of a `mod` or `use`.
    pub fn resolve(&self, tree: &Tree, file: u32, import: &Import) -> Target {
        let path = tree.path(file);
        let parts: Vec<&str> =
            import.source.split("::").map(str::trim).filter(|p| !p.is_empty()).collect();
        let Some((&first, rest)) = parts.split_first() else {
            return Target::None(Reason::NotFound);
        };
        let here = module_folder(tree, path);
        match first {
            "std" | "core" | "alloc" | "proc_macro" | "test" => Target::None(Reason::External),
            "crate" => walk(tree, crate_root(tree, path).or(Some(file)), rest),
            "self" => walk(tree, Some(file), rest),
            "super" => {
                let ups = parts.iter().take_while(|part| **part == "super").count();
                walk(tree, above(tree, &here, ups), &parts[ups..])
            }
            _ if child(tree, &here, first).is_some() => walk(tree, Some(file), &parts),
            _ => match self.roots.get(first) {
                Some(&root) => walk(tree, Some(root), rest),
                None => Target::None(Reason::External),
            },
        }
    }
}

/// The file of a module inside the one of a file.
pub fn child_of(tree: &Tree, file: u32, name: &str) -> Option<u32> {
    child(tree, &module_folder(tree, tree.path(file)), name)
}

/// The file of the module so many levels above the one of a file.
pub fn above_of(tree: &Tree, file: u32, ups: usize) -> Option<u32> {
    above(tree, &module_folder(tree, tree.path(file)), ups)
}

/// A package's library: the name it is used by, and its root file.
fn library(tree: &Tree, folder: &str, manifest: &toml::Table) -> Option<(String, u32)> {
    let package = manifest.get("package")?.as_table()?;
    let lib = manifest.get("lib").and_then(toml::Value::as_table);
    let text = |table: Option<&toml::Table>, key: &str| {
        table.and_then(|table| table.get(key)).and_then(toml::Value::as_str).map(str::to_owned)
    };
    let name = text(lib, "name").or_else(|| text(Some(package), "name"))?;
    let path = text(lib, "path").unwrap_or_else(|| "src/lib.rs".to_owned());
    let root = tree.file(&crate::graph::tree::join(folder, &path)?)?;
    Some((name.replace('-', "_"), root))
}

/// Follows module names down from the module in `file`; ends at the last one that is a file.
fn walk(tree: &Tree, file: Option<u32>, parts: &[&str]) -> Target {
    let Some(mut at) = file else { return Target::None(Reason::NotFound) };
    for part in parts {
        match child(tree, &module_folder(tree, tree.path(at)), part) {
            Some(next) => at = next,
            None => break,
        }
    }
    found(Some(at), Reason::NotFound)
}

/// The folder in which the modules of the module in a file stand.
fn module_folder(tree: &Tree, path: &str) -> String {
    if is_root(tree, path) || name_of(path) == "mod.rs" {
        return folder_of(path).to_owned();
    }
    format!("{}/{}", folder_of(path), stem_of(path)).trim_start_matches('/').to_owned()
}

/// Whether a crate starts in a file: libraries, programs, and each test, example and bench.
fn is_root(tree: &Tree, path: &str) -> bool {
    let (folder, name) = (folder_of(path), name_of(path));
    let alone = matches!(name_of(folder), "tests" | "examples" | "benches" | "bin")
        && (name_of(folder) == "bin"
            || tree.file(&beside(folder_of(folder), "Cargo.toml")).is_some());
    matches!(name, "lib.rs" | "main.rs" | "build.rs") || alone
}

fn beside(folder: &str, name: &str) -> String {
    if folder.is_empty() { name.to_owned() } else { format!("{folder}/{name}") }
}

fn child(tree: &Tree, folder: &str, name: &str) -> Option<u32> {
    let name = name.strip_prefix("r#").unwrap_or(name);
    tree.file(&beside(folder, &format!("{name}.rs")))
        .or_else(|| tree.file(&beside(&beside(folder, name), "mod.rs")))
}

/// The file of the module so many levels above the one whose modules stand in `folder`.
fn above(tree: &Tree, folder: &str, ups: usize) -> Option<u32> {
    let folder = ancestors(folder).nth(ups)?;
    let own =
        ["lib.rs", "main.rs", "mod.rs"].iter().find_map(|name| tree.file(&beside(folder, name)));
    own.or_else(|| tree.file(&format!("{folder}.rs")))
}

/// The root of the crate a file is part of.
pub fn crate_root(tree: &Tree, path: &str) -> Option<u32> {
    if is_root(tree, path) {
        return tree.file(path);
    }
    let roots = ["lib.rs", "main.rs"];
    ancestors(folder_of(path))
        .find_map(|folder| roots.iter().find_map(|name| tree.file(&beside(folder, name))))
}

#[cfg(test)]
mod tests {
    use super::super::testing::check;

    const FILES: [(&str, &str); 10] = [
        ("crates/a/Cargo.toml", "[package]\nname = \"my-a\"\n"),
        ("crates/a/src/lib.rs", "mod one;\npub mod two;\nuse std::fmt;\nuse serde::Serialize;\n"),
        (
            "crates/a/src/one.rs",
            "use super::two::{deep, Two};\nuse crate::two::deep::Deep;\nmod sub;\n",
        ),
        (
            "crates/a/src/one/sub.rs",
            "use super::super::two;\nuse super::Thing;\n#[cfg(test)]\nmod tests {\n    use super::*;\n}\n",
        ),
        ("crates/a/src/two/mod.rs", "mod deep;\nuse self::deep::Deep;\n"),
        ("crates/a/src/two/deep.rs", "use super::Two;\n"),
        ("crates/a/tests/all.rs", "mod help;\nuse my_a::two::Two;\n"),
        ("crates/a/tests/help.rs", ""),
        (
            "crates/b/Cargo.toml",
            "[package]\nname = \"b\"\n[lib]\nname = \"bee\"\npath = \"bee.rs\"\n",
        ),
        ("crates/b/bee.rs", "use my_a::one as first;\n"),
    ];

    #[test]
    fn modules_are_files_and_uses_walk_them() {
        let lib = ["crates/a/src/one.rs", "crates/a/src/two/mod.rs", "External", "External"];
        check(&FILES, "crates/a/src/lib.rs", &lib);
        let deep = "crates/a/src/two/deep.rs";
        check(
            &FILES,
            "crates/a/src/one.rs",
            &[deep, "crates/a/src/two/mod.rs", deep, "crates/a/src/one/sub.rs"],
        );
        check(
            &FILES,
            "crates/a/src/one/sub.rs",
            &["crates/a/src/two/mod.rs", "crates/a/src/one.rs", "Itself"],
        );
        check(&FILES, "crates/a/src/two/mod.rs", &[deep, deep]);
        check(&FILES, "crates/a/src/two/deep.rs", &["crates/a/src/two/mod.rs"]);
    }

    #[test]
    fn crates_of_the_workspace_are_known_by_name() {
        check(
            &FILES,
            "crates/a/tests/all.rs",
            &["crates/a/tests/help.rs", "crates/a/src/two/mod.rs"],
        );
        check(&FILES, "crates/b/bee.rs", &["crates/a/src/one.rs"]);
    }
}

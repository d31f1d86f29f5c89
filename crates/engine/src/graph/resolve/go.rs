//! Go: an import names a package by its module's path; all files of its folder are the package.

use wherein_corpus::Import;

use super::{Reason, Target};
use crate::graph::tree::{Tree, ancestors, folder_of, join, name_of};

/// The modules of a tree.
pub struct Modules {
    /// Module paths and folders, longest path first; replaced modules among them.
    modules: Vec<(String, String)>,
}

impl Modules {
    /// Reads every `go.mod`.
    pub fn of(tree: &Tree) -> Modules {
        let mut modules = Vec::new();
        for &file in tree.named("go.mod") {
            let Some(text) = tree.settings(file) else { continue };
            read(&text, folder_of(tree.path(file)), &mut modules);
        }
        modules.sort_by(|a: &(String, String), b| {
            (std::cmp::Reverse(a.0.len()), a).cmp(&(std::cmp::Reverse(b.0.len()), b))
        });
        Modules { modules }
    }

    /// The files of the package an import names, tests left out.
    pub fn resolve(&self, tree: &Tree, file: u32, import: &Import) -> Target {
        let path = import.source.as_str();
        if path.starts_with("./") || path.starts_with("../") {
            let folder = join(folder_of(tree.path(file)), path);
            return package(tree, folder.as_deref());
        }
        let inside = self.modules.iter().filter_map(|(module, folder)| {
            let rest = path.strip_prefix(module.as_str())?;
            (rest.is_empty() || rest.starts_with('/')).then(|| join(folder, rest))
        });
        let mut first = None;
        for folder in inside {
            match package(tree, folder.as_deref()) {
                Target::Files(files) => return Target::Files(files),
                none => first = first.or(Some(none)),
            }
        }
        let vendored = ancestors(folder_of(tree.path(file)))
            .filter_map(|folder| join(folder, &format!("vendor/{path}")))
            .find(|folder| tree.has_folder(folder));
        match (vendored, first) {
            (Some(folder), _) => package(tree, Some(&folder)),
            (None, first) => first.unwrap_or(Target::None(Reason::External)),
        }
    }
}

fn package(tree: &Tree, folder: Option<&str>) -> Target {
    let files = folder.map(|folder| tree.in_folder(folder)).unwrap_or_default();
    let is_part = |&&file: &&u32| {
        let name = name_of(tree.path(file));
        name.ends_with(".go") && !name.ends_with("_test.go")
    };
    let files: Vec<u32> = files.iter().filter(is_part).copied().collect();
    if files.is_empty() { Target::None(Reason::NotFound) } else { Target::Files(files) }
}

/// `module PATH`, and `replace PATH [VERSION] => FOLDER` alone or in a block.
fn read(text: &str, folder: &str, modules: &mut Vec<(String, String)>) {
    for line in text.lines() {
        let line = line.split("//").next().unwrap_or_default().trim();
        if let Some(path) = line.strip_prefix("module ") {
            modules.push((path.trim().trim_matches('"').to_owned(), folder.to_owned()));
        } else if let Some((from, to)) = line.trim_start_matches("replace ").split_once("=>") {
            let from = from.split_whitespace().next().unwrap_or_default();
            let to = to.split_whitespace().next().unwrap_or_default();
            if let Some(to) = to.starts_with('.').then(|| join(folder, to)).flatten() {
                modules.push((from.to_owned(), to));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::check;

    #[test]
    fn packages_are_folders_of_their_modules() {
        let files = [
            ("go.mod", "module example.com/shop\n\nreplace other.org/x => ./third/x\n"),
            (
                "main.go",
                "package main\nimport (\n \"fmt\"\n \"example.com/shop/cart\"\n x \"other.org/x/y\"\n \"example.com/shop/gone\"\n)\n",
            ),
            ("cart/a.go", "package cart\n"),
            ("cart/b.go", "package cart\n"),
            ("cart/b_test.go", "package cart\n"),
            ("third/x/y/y.go", "package y\n"),
            ("tools/go.mod", "module example.com/shop/tools // nested\n"),
            (
                "tools/gen/gen.go",
                "package gen\nimport \"example.com/shop/tools/gen/sub\"\nimport \"github.com/v/w\"\n",
            ),
            ("tools/gen/sub/s.go", "package sub\n"),
            ("vendor/github.com/v/w/w.go", "package w\n"),
        ];
        check(
            &files,
            "main.go",
            &["External", "cart/a.go,cart/b.go", "third/x/y/y.go", "NotFound"],
        );
        check(&files, "tools/gen/gen.go", &["tools/gen/sub/s.go", "vendor/github.com/v/w/w.go"]);
    }
}

//! Python: absolute imports from every folder that can be on the module path, relative ones from
//! the package around.

use std::collections::{BTreeSet, HashMap};

use wherein_corpus::Import;

use super::{Reason, Target};
use crate::graph::tree::{Tree, ancestors, folder_of, name_of};

/// Folders from which absolute imports start: those that hold a top-level package or module.
pub struct Roots {
    /// For the first part of a module's name the folders it is found in, shallowest first.
    of_first: HashMap<String, Vec<String>>,
}

impl Roots {
    /// A folder with Python in it that is not itself a package is a root for what it holds.
    pub fn of(tree: &Tree) -> Roots {
        let mut of_first: HashMap<String, BTreeSet<(usize, String)>> = HashMap::new();
        let mut holds_python: BTreeSet<&str> = BTreeSet::new();
        for file in 0..tree.count() as u32 {
            let path = tree.path(file);
            let Some(stem) = module_stem(name_of(path)) else { continue };
            let folder = folder_of(path);
            if stem != "__init__" && !is_package(tree, folder) {
                of_first.entry(stem.to_owned()).or_default().insert(ranked(folder));
            }
            for folder in ancestors(folder) {
                if !holds_python.insert(folder) {
                    break;
                }
            }
        }
        for folder in holds_python.into_iter().filter(|folder| !folder.is_empty()) {
            let outer = folder_of(folder);
            if !is_package(tree, outer) {
                of_first.entry(name_of(folder).to_owned()).or_default().insert(ranked(outer));
            }
        }
        let shallowest_first = |(first, roots): (String, BTreeSet<(usize, String)>)| {
            (first, roots.into_iter().map(|(_, root)| root).collect())
        };
        Roots { of_first: of_first.into_iter().map(shallowest_first).collect() }
    }

    /// The module an import names, and the modules among the names it takes out of it.
    pub fn resolve(&self, tree: &Tree, file: u32, import: &Import) -> Target {
        let from = folder_of(tree.path(file));
        let dots = import.source.bytes().take_while(|&byte| byte == b'.').count();
        let parts: Vec<&str> = import.source[dots..]
            .split('.')
            .map(str::trim)
            .filter(|part| !part.is_empty())
            .collect();
        if dots > 0 {
            let Some(base) = ancestors(from).nth(dots - 1) else {
                return Target::None(Reason::NotFound);
            };
            return files(tree, base, &parts, import)
                .map_or(Target::None(Reason::NotFound), Target::Files);
        }
        let Some(first) = parts.first() else { return Target::None(Reason::NotFound) };
        let roots = self.of_first.get(*first).map(Vec::as_slice).unwrap_or_default();
        // What stands nearest is what runs: a script's own folder comes first on the path.
        let near = ancestors(from).filter(|folder| roots.iter().any(|root| root == folder));
        let mut candidates: Vec<&str> = near.collect();
        candidates.extend(roots.iter().map(String::as_str));
        let found = candidates.iter().find_map(|root| files(tree, root, &parts, import));
        match found {
            Some(files) => Target::Files(files),
            None if STANDARD.contains(first) => Target::None(Reason::External),
            // A folder of that name that holds no such module is most often a namesake.
            None if roots.iter().any(|root| has_module(tree, root, first)) => {
                Target::None(Reason::NotFound)
            }
            None => Target::None(Reason::External),
        }
    }
}

fn ranked(folder: &str) -> (usize, String) {
    (folder.matches('/').count() + usize::from(!folder.is_empty()), folder.to_owned())
}

fn module_stem(name: &str) -> Option<&str> {
    name.strip_suffix(".py").or_else(|| name.strip_suffix(".pyi"))
}

fn is_package(tree: &Tree, folder: &str) -> bool {
    module(tree, folder, "__init__").is_some()
}

fn has_module(tree: &Tree, root: &str, first: &str) -> bool {
    let path = under(root, first);
    module(tree, root, first).is_some() || is_package(tree, &path)
}

/// `folder/name.py` or its stub.
fn module(tree: &Tree, folder: &str, name: &str) -> Option<u32> {
    let path = under(folder, name);
    tree.file(&format!("{path}.py")).or_else(|| tree.file(&format!("{path}.pyi")))
}

fn under(folder: &str, name: &str) -> String {
    if folder.is_empty() { name.to_owned() } else { format!("{folder}/{name}") }
}

/// The files of a module below `base` and of the submodules that the import takes out of it.
fn files(tree: &Tree, base: &str, parts: &[&str], import: &Import) -> Option<Vec<u32>> {
    let mut folder = base.to_owned();
    for part in &parts[..parts.len().saturating_sub(1)] {
        folder = under(&folder, part);
    }
    let mut found = Vec::new();
    let package = match parts.last() {
        None => folder,
        Some(last) => {
            let package = under(&folder, last);
            if !is_package(tree, &package)
                && let Some(module) = module(tree, &folder, last)
            {
                return Some(vec![module]);
            }
            package
        }
    };
    found.extend(module(tree, &package, "__init__"));
    for name in import.names.iter().map(|name| name.name.as_str()) {
        found.extend(module(tree, &package, name));
        found.extend(module(tree, &under(&package, name), "__init__"));
    }
    (!found.is_empty()).then_some(found)
}

/// Modules of the standard library whose names projects like to use for folders of their own.
const STANDARD: [&str; 24] = [
    "abc",
    "ast",
    "asyncio",
    "code",
    "collections",
    "concurrent",
    "copy",
    "dataclasses",
    "email",
    "html",
    "http",
    "importlib",
    "inspect",
    "json",
    "logging",
    "operator",
    "platform",
    "secrets",
    "select",
    "signal",
    "site",
    "test",
    "types",
    "typing",
];

#[cfg(test)]
mod tests {
    use super::super::testing::check;

    #[test]
    fn relative_imports_start_at_the_package_around() {
        let files = [
            ("shop/__init__.py", ""),
            (
                "shop/cart.py",
                "from . import items, total\nfrom .. import shop\nfrom .items import Item\n",
            ),
            ("shop/items.py", ""),
            ("shop/deep/__init__.py", ""),
            (
                "shop/deep/a.py",
                "from ..items import Item\nfrom ...x import y\nfrom .gone import z\n",
            ),
        ];
        check(
            &files,
            "shop/cart.py",
            &["shop/__init__.py,shop/items.py", "shop/__init__.py", "shop/items.py"],
        );
        check(&files, "shop/deep/a.py", &["shop/items.py", "NotFound", "NotFound"]);
    }

    #[test]
    fn absolute_imports_are_found_below_any_root() {
        let files = [
            ("src/shop/__init__.py", ""),
            ("src/shop/cart.py", "import shop.items as i\nimport os.path\nimport json\n"),
            ("src/shop/items.py", ""),
            ("src/shop/json.py", ""),
            ("libs/b/pkg/__init__.py", ""),
            ("libs/b/pkg/mod.py", "from shop import items\n"),
            (
                "tests/test_cart.py",
                "from shop.cart import Cart\nimport helper\nfrom pkg import mod, x\nimport shop.gone\n",
            ),
            ("tests/helper.py", ""),
            ("scripts/helper.py", ""),
        ];
        check(&files, "src/shop/cart.py", &["src/shop/items.py", "External", "External"]);
        check(
            &files,
            "tests/test_cart.py",
            &[
                "src/shop/cart.py",
                "tests/helper.py",
                "libs/b/pkg/__init__.py,libs/b/pkg/mod.py",
                "NotFound",
            ],
        );
        check(&files, "libs/b/pkg/mod.py", &["src/shop/__init__.py,src/shop/items.py"]);
    }

    #[test]
    fn a_package_without_init_is_a_namespace() {
        let files = [
            ("docs_src/app/main.py", ""),
            (
                "tests/test_a.py",
                "from docs_src.app.main import app\nfrom docs_src.app import main\n",
            ),
        ];
        check(&files, "tests/test_a.py", &["docs_src/app/main.py", "docs_src/app/main.py"]);
    }

    #[test]
    fn an_import_by_expression_is_told() {
        let files = [
            (
                "a.py",
                "from importlib import import_module\nimport_module(name)\nimport_module('b')\n",
            ),
            ("b.py", ""),
        ];
        check(&files, "a.py", &["External", "Dynamic", "b.py"]);
    }
}

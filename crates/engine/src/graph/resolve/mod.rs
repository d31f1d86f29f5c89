//! From what an import says to the files it means, by the rules of its language.
//!
//! In: the tree's paths, and for each file its language, package and imports. Out: for each import
//! the files, or why there are none. One file a family of languages; nothing here reads a symbol.

mod dotnet;
mod go;
mod headers;
mod jvm;
mod names;
mod node;
mod php;
mod prose;
mod python;
mod ruby;
pub mod rust;

use serde::{Deserialize, Serialize};

use crate::graph::facts::{Facts, Packed};
use crate::graph::tree::Tree;

/// What an import means.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Target {
    /// Files of the tree.
    Files(Vec<u32>),
    /// None, and why.
    None(Reason),
}

/// Why an import leads to no file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Reason {
    /// A package, standard library or system header outside the tree.
    External,
    /// It should be in the tree and is not: generated, built, or gone.
    NotFound,
    /// An expression says what is imported.
    Dynamic,
    /// The file is there but was left out of the index: binary, too large, generated.
    NotIndexed,
    /// The file imports itself, or a module inside it.
    Itself,
}

impl Reason {
    /// All of them, in the order they are stored by.
    pub const ALL: [Reason; 5] =
        [Reason::External, Reason::NotFound, Reason::Dynamic, Reason::NotIndexed, Reason::Itself];

    /// For people.
    pub fn words(self) -> &'static str {
        match self {
            Reason::External => "outside the tree",
            Reason::NotFound => "not found in the tree",
            Reason::Dynamic => "decided when it runs",
            Reason::NotIndexed => "in the tree but not indexed",
            Reason::Itself => "the file itself",
        }
    }
}

/// Everything the rules of all languages need to know of a tree.
pub struct Resolver<'t> {
    tree: &'t Tree<'t>,
    facts: &'t [Packed],
    python: python::Roots,
    node: node::Packages,
    go: go::Modules,
    rust: rust::Crates,
    names: names::Packages,
    php: php::Prefixes,
    ruby: ruby::LoadPath,
}

impl<'t> Resolver<'t> {
    /// Reads manifests and settings. `facts` stand in the order of the tree's files.
    pub fn new(tree: &'t Tree<'t>, facts: &'t [Packed]) -> Resolver<'t> {
        Resolver {
            tree,
            facts,
            python: python::Roots::of(tree),
            node: node::Packages::of(tree),
            go: go::Modules::of(tree),
            rust: rust::Crates::of(tree),
            names: names::Packages::of(tree, facts),
            php: php::Prefixes::of(tree),
            ruby: ruby::LoadPath::of(tree),
        }
    }

    /// What each import of a file means, in their order.
    pub fn resolve(&self, file: u32) -> Vec<Target> {
        let facts = self.facts[file as usize].facts();
        facts.imports.iter().map(|import| self.one(file, &facts, import)).collect()
    }

    fn one(&self, file: u32, facts: &Facts, import: &wherein_corpus::Import) -> Target {
        if import.dynamic {
            return Target::None(Reason::Dynamic);
        }
        let tree = self.tree;
        let target = match facts.language.as_str() {
            "python" => self.python.resolve(tree, file, import),
            "javascript" | "typescript" | "tsx" | "vue" | "svelte" | "css" | "scss" | "html" => {
                self.node.resolve(tree, file, import, &facts.language)
            }
            "go" => self.go.resolve(tree, file, import),
            "rust" => self.rust.resolve(tree, file, import),
            "java" | "kotlin" | "scala" => jvm::resolve(&self.names, import),
            "csharp" => dotnet::resolve(&self.names, import),
            "c" | "cpp" => headers::resolve(tree, file, import),
            "php" => self.php.resolve(tree, &self.names, file, import),
            "ruby" => self.ruby.resolve(tree, file, import),
            "markdown" | "rst" | "asciidoc" => prose::resolve(tree, file, import),
            _ => names::by_path(tree, file, import),
        };
        without(file, target)
    }
}

/// A file that imports only itself imports nothing.
fn without(file: u32, target: Target) -> Target {
    match target {
        Target::Files(mut files) => {
            files.retain(|&target| target != file);
            files.sort_unstable();
            files.dedup();
            if files.is_empty() { Target::None(Reason::Itself) } else { Target::Files(files) }
        }
        none => none,
    }
}

/// One file, or the reason why not.
fn found(file: Option<u32>, otherwise: Reason) -> Target {
    file.map_or(Target::None(otherwise), |file| Target::Files(vec![file]))
}

#[cfg(test)]
pub mod testing {
    //! One tree, one import, one expectation.

    use std::fs;

    use wherein_corpus::{ChunkSize, Language, Lines, Overrides, parse};

    use super::*;
    use crate::index::source::OnDisk;

    /// Writes the files, parses `from`, and says what its imports mean: paths joined by commas, or
    /// the reason.
    #[track_caller]
    pub fn check(files: &[(&str, &str)], from: &str, expected: &[&str]) {
        let folder = tempfile::tempdir().unwrap();
        let mut files: Vec<(&str, &str)> = files.to_vec();
        files.sort_unstable();
        for (path, text) in &files {
            let path = folder.path().join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        let facts: Vec<Packed> =
            files.iter().map(|(path, text)| Packed::of(&facts(path, text))).collect();
        let paths: Vec<&str> = files.iter().map(|(path, _)| *path).collect();
        let source = OnDisk::at(folder.path());
        let tree = Tree::new(&source, paths, ["assets/logo.png"]);
        let file = tree.file(from).unwrap_or_else(|| panic!("no {from}"));
        let targets = Resolver::new(&tree, &facts).resolve(file);
        let found: Vec<String> = targets.iter().map(|target| words(&tree, target)).collect();
        assert_eq!(found, expected, "{from} imports {:?}", facts[file as usize].facts().imports);
    }

    fn facts(path: &str, text: &str) -> Facts {
        let language = Language::of_path(path.as_ref(), &Overrides::default());
        Facts::of(language.name, &parse(&Lines::of(text), language, ChunkSize::default()))
    }

    fn words(tree: &Tree, target: &Target) -> String {
        match target {
            Target::Files(files) => {
                files.iter().map(|&file| tree.path(file)).collect::<Vec<_>>().join(",")
            }
            Target::None(reason) => format!("{reason:?}"),
        }
    }
}

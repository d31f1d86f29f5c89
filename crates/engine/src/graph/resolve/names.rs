//! Languages whose imports name packages and types, not files: what is declared where.
//!
//! Also the rule for languages without one of their own: the parts of a name are the parts of a
//! path, and the nearest file that ends with them is meant.

use std::collections::HashMap;

use wherein_corpus::{Import, Language};

use super::{Reason, Target, found};
use crate::graph::facts::Packed;
use crate::graph::tree::{Tree, folder_of, join, stem_of};

/// Packages and the types they declare.
pub struct Packages(HashMap<String, Package>);

#[derive(Default)]
struct Package {
    /// The files that say they are part of it.
    files: Vec<u32>,
    /// Files by the types they declare.
    types: HashMap<String, u32>,
}

impl Packages {
    /// Gathers what files declare; a file declares at least what it is named after.
    pub fn of(tree: &Tree, facts: &[Packed]) -> Packages {
        let mut packages: HashMap<String, Package> = HashMap::new();
        for (file, facts) in (0..).zip(facts).filter(|(_, facts)| !facts.package().is_empty()) {
            let facts = facts.facts();
            let package = packages.entry(facts.package).or_default();
            package.files.push(file);
            let stem = stem_of(tree.path(file)).to_owned();
            for name in std::iter::once(stem).chain(facts.tops) {
                package.types.entry(name).or_insert(file);
            }
        }
        Packages(packages)
    }

    /// The files of a package.
    pub fn files(&self, package: &str) -> Option<&[u32]> {
        self.0.get(package).map(|package| package.files.as_slice())
    }

    /// The file that declares a type of a package.
    pub fn declares(&self, package: &str, name: &str) -> Option<u32> {
        self.0.get(package)?.types.get(name).copied()
    }
}

/// The nearest file whose path ends with the parts of what is imported.
pub fn by_path(tree: &Tree, file: u32, import: &Import) -> Target {
    let from = tree.path(file);
    let source = import.source.trim_start_matches("package:");
    let beside = join(folder_of(from), source).and_then(|path| tree.file(&path));
    if beside.is_some() {
        return found(beside, Reason::External);
    }
    let name = from.rsplit_once('.').map_or("", |(_, extension)| extension);
    let is_path = source.contains('/') || source.ends_with(&format!(".{name}"));
    let path = if is_path { source.to_owned() } else { source.replace(['.', ':'], "/") };
    let relative = path.starts_with('.');
    let path = path.trim_start_matches(['.', '/']);
    let with = |end: String| tree.ending_with(from, &end).first().copied();
    let target = with(path.to_owned()).or_else(|| with(format!("{path}.{name}")));
    // A bare word is far more often a library than the one file somewhere that bears its name.
    let sure = path.contains('/') || relative || Language::named(name).is_none();
    found(target.filter(|_| sure), if relative { Reason::NotFound } else { Reason::External })
}

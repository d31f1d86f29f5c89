//! Languages whose imports name packages and types, not files: what is declared where.
//!
//! Also the rule for languages without one of their own: the parts of a name are the parts of a
//! path, and the nearest file that ends with them is meant.

use std::collections::HashMap;

use wherein_corpus::{Import, Language};

use super::{Reason, Target, found};
use crate::graph::facts::Facts;
use crate::graph::tree::{Tree, folder_of, join, stem_of};

/// Packages and the types they declare.
pub struct Packages<'t> {
    /// Files by the package they say they are part of.
    files: HashMap<&'t str, Vec<u32>>,
    /// Files by package and type.
    types: HashMap<(&'t str, &'t str), u32>,
}

impl<'t> Packages<'t> {
    /// Gathers what files declare; a file declares at least what it is named after.
    pub fn of(tree: &Tree<'t>, facts: &'t [Facts]) -> Packages<'t> {
        let mut packages = Packages { files: HashMap::new(), types: HashMap::new() };
        for (file, facts) in facts.iter().enumerate().filter(|(_, facts)| !facts.package.is_empty())
        {
            let (file, package) = (file as u32, facts.package.as_str());
            packages.files.entry(package).or_default().push(file);
            let stem = stem_of(tree.path(file));
            packages.types.entry((package, stem)).or_insert(file);
            for name in &facts.tops {
                packages.types.entry((package, name)).or_insert(file);
            }
        }
        packages
    }

    /// The files of a package.
    pub fn files(&self, package: &str) -> Option<&[u32]> {
        self.files.get(package).map(Vec::as_slice)
    }

    /// The file that declares a type of a package.
    pub fn declares(&self, package: &str, name: &str) -> Option<u32> {
        self.types.get(&(package, name)).copied()
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

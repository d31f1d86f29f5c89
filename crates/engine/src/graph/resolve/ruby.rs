//! Ruby: beside the file (`require_relative`), then along the folders projects put on the load path.

use std::collections::BTreeSet;

use wherein_corpus::Import;

use super::{Reason, Target, found};
use crate::graph::tree::{Tree, folder_of, join, name_of};

/// Folders `require` starts from.
pub struct LoadPath {
    folders: Vec<String>,
}

impl LoadPath {
    /// Every `lib`, `app`, `spec` and `test` folder, shallowest first.
    pub fn of(tree: &Tree) -> LoadPath {
        let on_path =
            |folder: &&str| matches!(name_of(folder), "lib" | "app" | "spec" | "test" | "");
        let folders: BTreeSet<(usize, String)> = tree
            .folders()
            .filter(on_path)
            .map(|folder| (folder.matches('/').count(), folder.to_owned()))
            .collect();
        LoadPath { folders: folders.into_iter().map(|(_, folder)| folder).collect() }
    }

    /// The file that is required.
    pub fn resolve(&self, tree: &Tree, file: u32, import: &Import) -> Target {
        let source = import.source.as_str();
        let at = |folder: &str| {
            let path = join(folder, source)?;
            tree.file(&format!("{path}.rb")).or_else(|| tree.file(&path))
        };
        let from = folder_of(tree.path(file));
        let relative = source.starts_with('.');
        let target = at(from).or_else(|| self.folders.iter().find_map(|folder| at(folder)));
        found(target, if relative { Reason::NotFound } else { Reason::External })
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::check;

    #[test]
    fn files_are_required_beside_and_along_the_load_path() {
        let files = [
            (
                "lib/shop.rb",
                "require 'shop/cart'\nrequire_relative 'shop/item'\nrequire 'json'\nrequire_relative '../gone'\n",
            ),
            ("lib/shop/cart.rb", ""),
            ("lib/shop/item.rb", ""),
            ("spec/cart_spec.rb", "require 'spec_helper'\nrequire 'shop'\n"),
            ("spec/spec_helper.rb", ""),
        ];
        check(
            &files,
            "lib/shop.rb",
            &["lib/shop/cart.rb", "lib/shop/item.rb", "External", "NotFound"],
        );
        check(&files, "spec/cart_spec.rb", &["spec/spec_helper.rb", "lib/shop.rb"]);
    }
}

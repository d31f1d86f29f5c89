//! PHP: classes by the prefixes of `composer.json` (PSR-4), then by the namespaces files declare;
//! namespaces as all the files in them; included files beside the including one.

use wherein_corpus::Import;

use super::names::Packages;
use super::{Reason, Target, found};
use crate::graph::json::Value;
use crate::graph::tree::{Tree, ancestors, folder_of, join};

/// Namespace prefixes and the folders they stand for.
pub struct Prefixes {
    /// Longest prefix first.
    prefixes: Vec<(String, String)>,
    /// The packages that are required, by their own names in small letters.
    required: Vec<String>,
}

impl Prefixes {
    /// Reads every `composer.json`.
    pub fn of(tree: &Tree) -> Prefixes {
        let (mut prefixes, mut required) = (Vec::new(), Vec::new());
        for &file in tree.named("composer.json") {
            let Some(json) = tree.settings(file).and_then(|text| Value::read(&text)) else {
                continue;
            };
            for part in ["require", "require-dev"] {
                let packages = json.get(part).map(Value::members).unwrap_or_default();
                let names = packages.iter().filter_map(|(name, _)| name.split_once('/'));
                required.extend(names.map(|(_, name)| plain(name)));
            }
            for part in ["autoload", "autoload-dev"] {
                let standard = json.get(part).and_then(|part| part.get("psr-4"));
                for (prefix, folders) in standard.map(Value::members).unwrap_or_default() {
                    let one = folders.text().into_iter();
                    for folder in one.chain(folders.items().iter().filter_map(Value::text)) {
                        prefixes.extend(
                            join(folder_of(tree.path(file)), folder).map(|to| (prefix.clone(), to)),
                        );
                    }
                }
            }
        }
        prefixes.sort_by(|a: &(String, String), b| {
            (std::cmp::Reverse(a.0.len()), a).cmp(&(std::cmp::Reverse(b.0.len()), b))
        });
        Prefixes { prefixes, required }
    }

    /// The file of a class, or the file that is included.
    pub fn resolve(&self, tree: &Tree, names: &Packages, file: u32, import: &Import) -> Target {
        let source = import.source.trim_start_matches('\\');
        if source.ends_with(".php") || source.contains('/') {
            return included(tree, file, source);
        }
        let class = self.prefixes.iter().find_map(|(prefix, folder)| {
            let rest = source.strip_prefix(prefix.as_str())?;
            tree.file(&join(folder, &format!("{}.php", rest.replace('\\', "/")))?)
        });
        let declared = || {
            let (space, name) = source.rsplit_once('\\')?;
            names.declares(space, name)
        };
        if let Some(all) = names.files(source).filter(|_| class.is_none()) {
            return Target::Files(all.to_vec());
        }
        // Packages of one house share a prefix: a namespace without a folder here is another's.
        let ours = self.prefixes.iter().any(|(prefix, folder)| {
            let rest = source.strip_prefix(prefix.as_str());
            rest.is_some_and(|rest| match rest.split_once('\\') {
                Some((space, _)) => join(folder, space).is_some_and(|it| tree.has_folder(&it)),
                None => !self.is_required(rest),
            })
        });
        found(class.or_else(declared), if ours { Reason::NotFound } else { Reason::External })
    }
}

impl Prefixes {
    /// Whether a namespace is that of a required package, by its name: `Promise` of `promises`.
    fn is_required(&self, space: &str) -> bool {
        let space = plain(space);
        space.len() > 2 && self.required.iter().any(|package| package.starts_with(&space))
    }
}

/// Letters and digits, small.
fn plain(name: &str) -> String {
    name.chars().filter(char::is_ascii_alphanumeric).collect::<String>().to_ascii_lowercase()
}

/// `__DIR__ . '/x.php'` is written with a slash in front that means the file's own folder.
fn included(tree: &Tree, file: u32, source: &str) -> Target {
    let from = folder_of(tree.path(file));
    let candidates = ancestors(from).filter_map(|folder| join(folder, source));
    // Composer puts there what is required.
    let is_installed = source.split('/').any(|part| part == "vendor");
    let reason = if is_installed { Reason::External } else { Reason::NotFound };
    found(candidates.into_iter().find_map(|path| tree.file(&path)), reason)
}

#[cfg(test)]
mod tests {
    use super::super::testing::check;

    #[test]
    fn classes_are_found_by_prefix_and_by_namespace() {
        let files = [
            (
                "composer.json",
                r#"{"autoload": {"psr-4": {"Shop\\": "src/", "Shop\\Test\\": ["tests"]}}}"#,
            ),
            (
                "src/Cart.php",
                "<?php\nnamespace Shop;\nuse Shop\\Items\\Item;\nuse Shop\\Test\\Case_;\nuse Vendor\\X;\nuse Old\\Thing;\nuse Shop\\Gone;\nuse Shop\\Elsewhere\\X;\nrequire __DIR__ . '/help.php';\n",
            ),
            ("src/Items/Item.php", "<?php\nnamespace Shop\\Items;\nclass Item {}\n"),
            ("src/help.php", "<?php\n"),
            ("tests/Case_.php", "<?php\nnamespace Shop\\Test;\n"),
            ("old/Thing.php", "<?php\nnamespace Old;\nclass Thing {}\n"),
        ];
        check(
            &files,
            "src/Cart.php",
            &[
                "src/Items/Item.php",
                "tests/Case_.php",
                "External",
                "old/Thing.php",
                "NotFound",
                "External",
                "src/help.php",
            ],
        );
    }

    #[test]
    fn namespaces_are_all_their_files_or_a_required_package() {
        let files = [
            (
                "composer.json",
                r#"{"require": {"php": "8", "shop/promises": "^1"}, "autoload": {"psr-4": {"Shop\\": "src/"}}}"#,
            ),
            (
                "src/Cart.php",
                "<?php\nnamespace Shop;\nuse Shop\\Items;\nuse Shop\\Promise;\nuse Shop\\Gone;\nrequire __DIR__ . '/../vendor/autoload.php';\n",
            ),
            ("src/Items/One.php", "<?php\nnamespace Shop\\Items;\nclass One {}\n"),
            ("src/Items/Two.php", "<?php\nnamespace Shop\\Items;\nclass Two {}\n"),
        ];
        check(
            &files,
            "src/Cart.php",
            &["src/Items/One.php,src/Items/Two.php", "External", "NotFound", "External"],
        );
    }
}

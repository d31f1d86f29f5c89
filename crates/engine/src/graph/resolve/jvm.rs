//! Java, Kotlin, Scala: a package says its own name, a type is declared in one of its files.

use wherein_corpus::Import;

use super::names::Packages;
use super::{Reason, Target};

/// A type, all of a package, or a member of a type: the longest part that is known.
pub fn resolve(packages: &Packages, import: &Import) -> Target {
    let source = import.source.as_str();
    let everything = import.names.iter().any(|name| name.name == "*" && name.local.is_empty());
    if let Some(files) = packages.files(source).filter(|_| everything) {
        return Target::Files(files.to_vec());
    }
    let mut path = source;
    let mut known_package = false;
    while let Some((package, name)) = path.rsplit_once('.') {
        if let Some(file) = packages.declares(package, name) {
            return Target::Files(vec![file]);
        }
        known_package |= packages.files(package).is_some();
        path = package;
    }
    match packages.files(source) {
        Some(files) => Target::Files(files.to_vec()),
        None if known_package => Target::None(Reason::NotFound),
        None => Target::None(Reason::External),
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::check;

    #[test]
    fn types_are_found_in_the_files_that_declare_them() {
        let files = [
            (
                "app/src/shop/Cart.java",
                "package shop;\nimport shop.items.Item;\nimport shop.items.*;\nimport java.util.List;\nimport static shop.items.Item.of;\nimport shop.items.Gone;\nclass Cart {}\n",
            ),
            ("lib/java/shop/items/Item.java", "package shop.items;\npublic class Item {}\n"),
            ("lib/kotlin/Things.kt", "package shop.items\nimport shop.Cart as Basket\nclass Box\n"),
            (
                "lib/scala/Main.scala",
                "package shop.main\nimport shop.items.{Box, Item => Thing}\nimport shop.items._\nobject Main\n",
            ),
        ];
        let (item, things) = ("lib/java/shop/items/Item.java", "lib/kotlin/Things.kt");
        let both = format!("{item},{things}");
        check(&files, "app/src/shop/Cart.java", &[item, &both, "External", item, "NotFound"]);
        check(&files, "lib/kotlin/Things.kt", &["app/src/shop/Cart.java"]);
        check(&files, "lib/scala/Main.scala", &[things, item, &both]);
    }
}

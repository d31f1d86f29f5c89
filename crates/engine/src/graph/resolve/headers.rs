//! C and C++: beside the including file first, then along the folders a compiler would be given.

use wherein_corpus::Import;

use super::{Reason, Target, found};
use crate::graph::tree::{Tree, ancestors, folder_of, join};

/// Folders that projects hand to their compiler.
const INCLUDE: [&str; 5] = ["include", "inc", "src", "lib", "source"];

/// The header; a bare name that only stands far away is the system's, not that one.
pub fn resolve(tree: &Tree, file: u32, import: &Import) -> Target {
    let from = folder_of(tree.path(file));
    let header = import.source.as_str();
    let beside = join(from, header).and_then(|path| tree.file(&path));
    let along = || {
        ancestors(from).find_map(|folder| {
            let candidates = std::iter::once(folder.to_owned())
                .chain(INCLUDE.iter().filter_map(|name| join(folder, name)));
            candidates.filter_map(|folder| join(&folder, header)).find_map(|path| tree.file(&path))
        })
    };
    let anywhere = || {
        let mut ending = tree.ending_with(tree.path(file), header).into_iter();
        ending.next().filter(|_| header.contains('/') || !SYSTEM.contains(&header))
    };
    let relative = header.starts_with('.');
    let otherwise = if relative { Reason::NotFound } else { Reason::External };
    found(beside.or_else(along).or_else(anywhere), otherwise)
}

/// Headers of the language itself that projects like to name files after.
const SYSTEM: [&str; 12] = [
    "string.h", "time.h", "math.h", "memory", "string", "list", "map", "queue", "set", "stack",
    "vector", "thread",
];

#[cfg(test)]
mod tests {
    use super::super::testing::check;

    #[test]
    fn headers_are_found_beside_then_along_the_include_folders() {
        let files = [
            (
                "src/main.c",
                "#include \"util.h\"\n#include <shop/cart.h>\n#include <stdio.h>\n#include \"../gen/none.h\"\n#include \"far.h\"\n",
            ),
            ("src/util.h", ""),
            ("include/shop/cart.h", "#include \"item.h\"\n"),
            ("include/shop/item.h", ""),
            ("third/deep/far.h", ""),
        ];
        check(
            &files,
            "src/main.c",
            &["src/util.h", "include/shop/cart.h", "External", "NotFound", "third/deep/far.h"],
        );
        check(&files, "include/shop/cart.h", &["include/shop/item.h"]);
    }
}

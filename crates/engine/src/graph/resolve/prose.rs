//! Prose: a link leads to a file beside the document, or below the root of the docs or the tree.

use wherein_corpus::Import;

use super::{Reason, Target, found};
use crate::graph::tree::{Tree, ancestors, folder_of, join};

/// The file a link leads to; a folder stands for the page in it.
pub fn resolve(tree: &Tree, file: u32, import: &Import) -> Target {
    let from = folder_of(tree.path(file));
    let link = import.source.as_str();
    let own = tree.path(file).rsplit_once('.').map_or("", |(_, extension)| extension);
    let at = |path: String| {
        let page = |end: &str| tree.file(&format!("{path}{end}"));
        tree.file(&path)
            .or_else(|| page(&format!(".{own}")))
            .or_else(|| page("/README.md"))
            .or_else(|| page("/index.md"))
    };
    let mut folders = ancestors(from).take(if link.starts_with('/') { usize::MAX } else { 1 });
    let target = folders.find_map(|folder| join(folder, link).and_then(at));
    let left_out = join(from, link).is_some_and(|path| tree.is_left_out(&path));
    found(target, if left_out { Reason::NotIndexed } else { Reason::NotFound })
}

#[cfg(test)]
mod tests {
    use super::super::testing::check;

    #[test]
    fn links_lead_to_files() {
        let files = [
            (
                "README.md",
                "[a](docs/a.md) [b](./docs) [c](src/x.py#L3) [d](gone.md) ![e](assets/logo.png)\n",
            ),
            ("docs/a.md", "[up](../README.md) [top](/src/x.py)\n"),
            ("docs/index.md", ""),
            ("src/x.py", ""),
        ];
        check(
            &files,
            "README.md",
            &["docs/index.md", "NotIndexed", "docs/a.md", "NotFound", "src/x.py"],
        );
        check(&files, "docs/a.md", &["README.md", "src/x.py"]);
    }
}

//! The paths of an indexed tree, as import resolution asks for them.

use std::collections::HashMap;

use crate::index::source::Source;

/// Which file stands at a path, and which files stand in a folder.
pub struct Tree<'t> {
    source: &'t dyn Source,
    paths: Vec<&'t str>,
    by_path: HashMap<&'t str, u32>,
    /// Files right in a folder, in the order of their paths.
    folders: HashMap<&'t str, Vec<u32>>,
    /// Files by the last part of their path.
    by_name: HashMap<&'t str, Vec<u32>>,
    left_out: HashMap<&'t str, ()>,
}

/// More than any manifest or settings file people write.
const MOST_SETTINGS: usize = 1 << 20;

impl<'t> Tree<'t> {
    /// A tree of files by path, and of files that exist but are not indexed.
    pub fn new(
        source: &'t dyn Source,
        paths: Vec<&'t str>,
        left_out: impl IntoIterator<Item = &'t str>,
    ) -> Tree<'t> {
        let by_path = paths.iter().enumerate().map(|(i, path)| (*path, i as u32)).collect();
        let mut folders: HashMap<&str, Vec<u32>> = HashMap::new();
        let mut by_name: HashMap<&str, Vec<u32>> = HashMap::new();
        for (i, path) in paths.iter().enumerate() {
            folders.entry(folder_of(path)).or_default().push(i as u32);
            by_name.entry(name_of(path)).or_default().push(i as u32);
            // Folders that hold only folders exist too.
            let mut folder = folder_of(path);
            while !folder.is_empty() {
                folder = folder_of(folder);
                folders.entry(folder).or_default();
            }
        }
        let left_out = left_out.into_iter().map(|path| (path, ())).collect();
        Tree { source, paths, by_path, folders, by_name, left_out }
    }

    /// How many files there are.
    pub fn count(&self) -> usize {
        self.paths.len()
    }

    /// The path of a file.
    pub fn path(&self, file: u32) -> &'t str {
        self.paths[file as usize]
    }

    /// The file at a path.
    pub fn file(&self, path: &str) -> Option<u32> {
        self.by_path.get(path).copied()
    }

    /// Whether something stands at a path that is not indexed.
    pub fn is_left_out(&self, path: &str) -> bool {
        self.left_out.contains_key(path)
    }

    /// Whether there is a folder.
    pub fn has_folder(&self, folder: &str) -> bool {
        self.folders.contains_key(folder)
    }

    /// The files right in a folder.
    pub fn in_folder(&self, folder: &str) -> &[u32] {
        self.folders.get(folder).map_or(&[], Vec::as_slice)
    }

    /// Every folder, in no order.
    pub fn folders(&self) -> impl Iterator<Item = &'t str> {
        self.folders.keys().copied()
    }

    /// The files called `name`, in the order of their paths.
    pub fn named(&self, name: &str) -> &[u32] {
        self.by_name.get(name).map_or(&[], Vec::as_slice)
    }

    /// The files whose path ends with these parts, nearest to `from` first.
    pub fn ending_with(&self, from: &str, end: &str) -> Vec<u32> {
        let fits = |&&file: &&u32| {
            let before = self.path(file).strip_suffix(end);
            before.is_some_and(|before| before.is_empty() || before.ends_with('/'))
        };
        let mut found: Vec<u32> = self.named(name_of(end)).iter().filter(fits).copied().collect();
        found.sort_by_key(|&file| (std::cmp::Reverse(shared(self.path(file), from)), file));
        found
    }

    /// The text of a manifest or settings file. What is indexed is not larger than a file may be.
    pub fn settings(&self, file: u32) -> Option<String> {
        let bytes = self.source.bytes(self.path(file)).ok()?;
        (bytes.len() <= MOST_SETTINGS).then(|| String::from_utf8_lossy(&bytes).into())
    }
}

/// How many leading folders two paths share.
fn shared(a: &str, b: &str) -> usize {
    a.split('/').zip(b.split('/')).take_while(|(a, b)| a == b).count()
}

/// Everything before the last part; empty for a file at the top.
pub fn folder_of(path: &str) -> &str {
    path.rsplit_once('/').map_or("", |(folder, _)| folder)
}

/// The last part.
pub fn name_of(path: &str) -> &str {
    path.rsplit_once('/').map_or(path, |(_, name)| name)
}

/// The last part without its last extension.
pub fn stem_of(path: &str) -> &str {
    let name = name_of(path);
    name.rsplit_once('.').map_or(name, |(stem, _)| stem)
}

/// The folder and every one around it, innermost first; the last is the root, empty.
pub fn ancestors(folder: &str) -> impl Iterator<Item = &str> {
    std::iter::successors(Some(folder), |&folder| {
        if folder.is_empty() { None } else { Some(folder_of(folder)) }
    })
}

/// `folder` and `path` as one path, `.` and `..` done away with; `None` above the root.
pub fn join(folder: &str, path: &str) -> Option<String> {
    let mut parts: Vec<&str> = folder.split('/').filter(|part| !part.is_empty()).collect();
    for part in path.split('/') {
        match part {
            "" | "." => {}
            ".." => {
                parts.pop()?;
            }
            part => parts.push(part),
        }
    }
    Some(parts.join("/"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::index::source::OnDisk;

    #[test]
    fn paths_are_joined_without_dots() {
        for (folder, path, expected) in [
            ("a/b", "./c", Some("a/b/c")),
            ("a/b", "../c.js", Some("a/c.js")),
            ("", "c", Some("c")),
            ("a", "../../c", None),
            ("a", "..", Some("")),
            ("a", ".", Some("a")),
        ] {
            assert_eq!(join(folder, path).as_deref(), expected, "{folder} {path}");
        }
        assert_eq!(ancestors("a/b").collect::<Vec<_>>(), ["a/b", "a", ""]);
    }

    #[test]
    fn the_nearest_of_several_files_comes_first() {
        let paths = vec!["a/x.h", "b/c/x.h", "b/x.h", "yx.h"];
        let source = OnDisk::at("/".as_ref());
        let tree = Tree::new(&source, paths, []);
        assert_eq!(tree.ending_with("b/c/d/main.c", "x.h"), [1, 2, 0]);
        assert_eq!(tree.ending_with("b/main.c", "c/x.h"), [1]);
    }
}

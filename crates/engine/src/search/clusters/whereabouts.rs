//! Where most of a group lies: from the paths of its chunks to a folder or file, or a few.

use std::collections::BTreeMap;

use crate::search::clusters::Share;

/// What is named holds at least this share of the whole together, and each at least that alone.
const TOGETHER: f32 = 0.6;
const ALONE: f32 = 0.2;

/// How many are named at most.
const MOST: usize = 3;

/// The few folders or files that hold most of the paths, each as narrow as it can be, largest share
/// first; none if the paths lie all over.
pub fn of<'p>(paths: impl Iterator<Item = &'p str>) -> Vec<Share> {
    let paths: Vec<&str> = paths.collect();
    let mut shares = vec![Share { path: String::new(), chunks: paths.len() }];
    while let Some(narrower) = narrower(&shares, &paths) {
        shares = narrower;
    }
    shares.retain(|share| !share.path.is_empty());
    shares.sort_by(|a, b| b.chunks.cmp(&a.chunks).then_with(|| a.path.cmp(&b.path)));
    shares
}

/// The shares with one of the folders replaced by what is in it, if that leaves little out.
fn narrower(shares: &[Share], paths: &[&str]) -> Option<Vec<Share>> {
    let alone = part_of(ALONE, paths.len());
    let replaced = |n: usize| {
        let mut inside = below(&shares[n].path, paths);
        inside.retain(|entry| entry.chunks >= alone);
        let still_it = held_by(&inside) >= part_of(TOGETHER, shares[n].chunks);
        let narrower = [&shares[..n], &inside, &shares[n + 1..]].concat();
        still_it.then_some(narrower)
    };
    let holds_enough = |shares: &Vec<Share>| {
        shares.len() <= MOST && held_by(shares) >= part_of(TOGETHER, paths.len())
    };
    let folders = (0..shares.len()).filter(|&n| is_folder(&shares[n].path));
    folders.filter_map(replaced).find(holds_enough)
}

fn held_by(shares: &[Share]) -> usize {
    shares.iter().map(|share| share.chunks).sum()
}

fn part_of(part: f32, whole: usize) -> usize {
    (part * whole as f32).ceil() as usize
}

fn is_folder(path: &str) -> bool {
    path.is_empty() || path.ends_with('/')
}

/// The entries of a folder.
fn below(folder: &str, paths: &[&str]) -> Vec<Share> {
    let mut entries: BTreeMap<&str, usize> = BTreeMap::new();
    for path in paths {
        if let Some(rest) = path.strip_prefix(folder) {
            let entry = rest.find('/').map_or(path.len(), |at| folder.len() + at + 1);
            *entries.entry(&path[..entry]).or_default() += 1;
        }
    }
    let share = |(path, chunks): (&str, usize)| Share { path: path.to_owned(), chunks };
    entries.into_iter().map(share).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Paths with how many chunks each has, against `PATH CHUNKS` of what is named.
    #[track_caller]
    fn check(paths: &[(&str, usize)], expected: &[&str]) {
        let all = paths.iter().flat_map(|&(path, chunks)| std::iter::repeat_n(path, chunks));
        let named = of(all);
        let named: Vec<String> =
            named.iter().map(|share| format!("{} {}", share.path, share.chunks)).collect();
        assert_eq!(named, expected);
    }

    #[test]
    fn what_lies_in_one_place_is_named_as_narrowly_as_can_be() {
        check(&[("src/a/b.rs", 5)], &["src/a/b.rs 5"]);
        check(&[("src/a/b.rs", 5), ("src/a/c.rs", 1)], &["src/a/b.rs 5"]);
        check(&[("README.md", 6), ("src/a.rs", 1)], &["README.md 6"]);
        let many = ["s/a.rs", "s/b.rs", "s/c.rs", "s/d.rs"].map(|path| (path, 2));
        check(&many, &["s/ 8"]);
    }

    #[test]
    fn a_few_places_are_named_largest_first() {
        check(&[("src/a/b.rs", 3), ("doc/c.md", 4), ("x.rs", 1)], &["doc/c.md 4", "src/a/b.rs 3"]);
        let spread = [("src/a/b.rs", 2), ("src/a/c.rs", 2), ("src/d/e.rs", 3), ("f/g.rs", 2)];
        check(&spread, &["src/a/ 4", "src/d/e.rs 3", "f/g.rs 2"]);
    }

    #[test]
    fn a_folder_is_not_left_out_for_having_many_files() {
        let files = ["d/a", "d/b", "d/c", "d/d"].map(|path| (path, 1));
        check(&[&[("x.md", 7)], &files[..]].concat(), &["x.md 7", "d/ 4"]);
    }

    #[test]
    fn what_lies_all_over_is_named_nowhere() {
        let everywhere = ["a/x", "b/x", "c/x", "d/x", "e/x", "f/x", "g/x"].map(|path| (path, 1));
        check(&everywhere, &[]);
        check(&[], &[]);
    }
}

//! From what a tool listed to the hits a question asked for.

use std::collections::HashSet;
use std::path::Path;

use wherein_corpus::{Language, Overrides, Role};
use wherein_engine::search::query::{Query, Scope, Unit};

use crate::searcher::Hit;

/// How many results to ask a tool for, so that enough are left when those that were not asked for
/// are taken out.
pub fn pool(query: &Query) -> usize {
    let as_it_is = query.unit == Unit::Span && query.scope == Scope::All;
    if as_it_is { query.limit } else { query.limit * SPARE }
}

/// How many results for one that is wanted.
pub const SPARE: usize = 10;

/// The hits of the scope and unit asked for, as many as asked for.
pub fn page(hits: impl IntoIterator<Item = Hit>, query: &Query) -> Vec<Hit> {
    let mut seen = HashSet::new();
    let mut wanted = |hit: &Hit| {
        in_scope(&hit.path, query.scope)
            && (query.unit == Unit::Span || seen.insert(hit.path.clone()))
    };
    hits.into_iter().filter(|hit| wanted(hit)).take(query.limit).collect()
}

/// By the same rule as our own index, for tools that know no scopes.
pub fn in_scope(path: &str, scope: Scope) -> bool {
    let role = || Language::of_path(Path::new(path), &Overrides::default()).role();
    match scope {
        Scope::All => true,
        Scope::Code => role() == Role::Code,
        Scope::Docs => role() == Role::Docs,
    }
}

/// A path as a tool writes it, as hits have it. One outside the tree stays as it is.
pub fn relative(path: &str, root: &Path) -> String {
    let inside = Path::new(path).strip_prefix(root).ok().and_then(Path::to_str);
    let path = inside.unwrap_or(path).replace(std::path::MAIN_SEPARATOR, "/");
    path.trim_start_matches("./").to_owned()
}

/// Some lines of a file in the tree as a hit: cut to the file, with the bytes that they have.
pub fn excerpt(root: &Path, path: &str, (first, last): (u32, u32)) -> Hit {
    let text = std::fs::read(root.join(path)).unwrap_or_default();
    let lines: Vec<&[u8]> = text.split_inclusive(|&byte| byte == b'\n').collect();
    let first = first.max(1);
    let last = last.min(lines.len() as u32).max(first);
    let shown = lines.iter().take(last as usize).skip(first as usize - 1);
    Hit { path: path.to_owned(), lines: Some((first, last)), bytes: shown.map(|l| l.len()).sum() }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hits(paths: &str) -> Vec<Hit> {
        let hit = |(n, path): (usize, &str)| {
            let line = n as u32 + 1;
            Hit { path: path.to_owned(), lines: Some((line, line)), bytes: 9 }
        };
        paths.split_whitespace().enumerate().map(hit).collect()
    }

    #[track_caller]
    fn check(query: &Query, expected: &str) {
        let page = page(hits("a.rs a.rs README.md b.rs c.rs"), query);
        let paths: Vec<_> = page.iter().map(|hit| hit.path.as_str()).collect();
        assert_eq!(paths.join(" "), expected);
        assert!(pool(query) >= page.len());
    }

    #[test]
    fn limit_counts_what_is_left() {
        let query = Query { limit: 3, ..Query::new("q") };
        check(&query, "a.rs a.rs README.md");
        check(&Query { unit: Unit::File, ..query.clone() }, "a.rs README.md b.rs");
        check(&Query { scope: Scope::Code, ..query.clone() }, "a.rs a.rs b.rs");
        check(&Query { scope: Scope::Docs, ..query.clone() }, "README.md");
        check(&Query { scope: Scope::Code, unit: Unit::File, ..query }, "a.rs b.rs c.rs");
    }

    #[test]
    fn paths_are_those_of_the_tree() {
        let check = |path: &str, expected: &str| {
            assert_eq!(relative(path, Path::new("/t/tree")), expected);
        };
        check("/t/tree/src/a.rs", "src/a.rs");
        check("./src/a.rs", "src/a.rs");
        check("src/a.rs", "src/a.rs");
        check("/t/trees/a.rs", "/t/trees/a.rs");
    }

    #[test]
    fn an_excerpt_ends_with_its_file() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("a"), "one\ntwo\nthree").unwrap();
        let check = |lines, expected: (u32, u32), bytes| {
            let hit = excerpt(folder.path(), "a", lines);
            assert_eq!((hit.lines, hit.bytes), (Some(expected), bytes));
        };
        check((0, 2), (1, 2), 8);
        check((2, 9), (2, 3), 9);
        check((2, 2), (2, 2), 4);
    }
}

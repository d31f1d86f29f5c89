//! `PATH:LINE` as people type it and editors print it.

use std::path::Path;

use anyhow::Context;

use super::tree;

/// `a.rs:12` → `a.rs`, line 12; of a span `a.rs:12-40` the first line. A name that ends in a colon
/// and digits exists too seldom to matter.
pub fn split(target: &str) -> (&str, Option<u32>) {
    let Some((path, lines)) = target.rsplit_once(':') else { return (target, None) };
    let (first, last) = lines.split_once('-').unwrap_or((lines, lines));
    match (first.parse(), last.parse::<u32>()) {
        (Ok(first), Ok(_)) => (path, Some(first)),
        _ => (target, None),
    }
}

/// A path as the index names it: relative to the root, or to the current folder.
pub fn relative(root: &Path, path: &str) -> anyhow::Result<String> {
    let found = [root.join(path), Path::new(path).to_owned()]
        .into_iter()
        .find_map(|candidate| std::fs::canonicalize(candidate).ok())
        .with_context(|| format!("cannot open {path}"))?;
    let inside = found
        .strip_prefix(root)
        .with_context(|| format!("{path} is outside the indexed tree {}", root.display()))?;
    Ok(inside.to_string_lossy().replace('\\', "/"))
}

/// Patterns as the index matches them: a full path inside the tree becomes one below its root. A root
/// that cannot be told is for the tree to complain about.
pub fn patterns(dir: Option<&Path>, given: &[String]) -> Vec<String> {
    let root = tree::root(dir).unwrap_or_default();
    given.iter().map(|pattern| below(&root, pattern)).collect()
}

fn below(root: &Path, given: &str) -> String {
    let (sign, glob) = given.strip_prefix('!').map_or(("", given), |glob| ("!", glob));
    let real = std::fs::canonicalize(glob).unwrap_or_default();
    let inside = Path::new(glob).strip_prefix(root).or(real.strip_prefix(root));
    match inside.map(|inside| inside.to_string_lossy().replace('\\', "/")) {
        _ if !Path::new(glob).is_absolute() => given.to_owned(),
        Ok(inside) if inside.is_empty() => format!("{sign}**"),
        Ok(inside) => format!("{sign}{inside}"),
        Err(_) => given.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(target: &str, expected: (&str, Option<u32>)) {
        assert_eq!(split(target), expected, "{target}");
    }

    #[test]
    fn a_line_or_the_first_of_a_span_is_split_off() {
        check("src/a.rs", ("src/a.rs", None));
        check("src/a.rs:12", ("src/a.rs", Some(12)));
        check("src/a.rs:12-40", ("src/a.rs", Some(12)));
        check("a:b:3", ("a:b", Some(3)));
        check("src/a.rs:x", ("src/a.rs:x", None));
        check("src/a.rs:1-x", ("src/a.rs:1-x", None));
        check("src/a.rs:", ("src/a.rs:", None));
        check("src/a.rs:99999999999", ("src/a.rs:99999999999", None));
    }
}

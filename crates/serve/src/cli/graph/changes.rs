//! Which files differ from a revision, as git tells it, and how they were there.

use std::path::Path;
use std::process::Command;

use anyhow::{Context, bail};
use wherein_engine::history::revision::{self, Then};

use crate::cli::tree::Tree;

/// The files that differ between a revision and the tree as it is, as they were; nothing if none does.
/// Of a range the older end is meant: `A..B`, or `A...B` for where the two parted.
pub fn since(tree: &Tree, revision: &str) -> anyhow::Result<Option<Then>> {
    super::check_revision(revision)?;
    let root = &tree.place.root;
    let commit = commit(root, revision)?;
    let paths = differing(root, &commit)?;
    if paths.is_empty() {
        return Ok(None);
    }
    Ok(Some(revision::then(&tree.place, &tree.settings, (revision, &commit), &paths)?))
}

fn commit(root: &Path, revision: &str) -> anyhow::Result<String> {
    let or_head = |name: &str| if name.is_empty() { "HEAD".to_owned() } else { name.to_owned() };
    let peeled = |name: &str| format!("{}^{{commit}}", or_head(name));
    let out = match (revision.split_once("..."), revision.split_once("..")) {
        (Some((a, b)), _) => git(root, &["merge-base", &or_head(a), &or_head(b)]),
        (_, Some((a, _))) => git(root, &["rev-parse", "--verify", &peeled(a)]),
        _ => git(root, &["rev-parse", "--verify", &peeled(revision)]),
    };
    Ok(out?.trim().to_owned())
}

/// Paths below the root, those git does not know among them. What is renamed went from one and came
/// to the other.
fn differing(root: &Path, commit: &str) -> anyhow::Result<Vec<String>> {
    const DIFF: [&str; 6] =
        ["diff", "--name-only", "-z", "--no-renames", "--no-ext-diff", "--relative"];
    const NEW: [&str; 4] = ["ls-files", "--others", "--exclude-standard", "-z"];
    let known = git(root, &[&DIFF[..], &["--ignore-submodules", commit, "--"]].concat())?;
    let new = git(root, &NEW)?;
    let paths = known.split('\0').chain(new.split('\0')).filter(|path| !path.is_empty());
    Ok(paths.map(str::to_owned).collect())
}

fn git(root: &Path, arguments: &[&str]) -> anyhow::Result<String> {
    let output =
        Command::new("git").arg("-C").arg(root).args(arguments).output().context(
            "cannot start git, which knows what changed; name a file or a symbol instead",
        )?;
    if !output.status.success() {
        bail!("git cannot tell what changed: {}", String::from_utf8_lossy(&output.stderr).trim());
    }
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}

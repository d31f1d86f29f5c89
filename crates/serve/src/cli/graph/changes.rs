//! What differs from a revision, line by line, as git tells it.

use std::path::Path;
use std::process::Command;

use anyhow::{Context, bail};
use wherein_engine::Snapshot;
use wherein_engine::graph::ask::impact::Change;

/// A file and the lines of it that differ; all of it without lines.
pub type Changed = (String, Vec<(u32, u32)>);

/// Asks git for what differs between a revision and the files as they are.
pub fn since(root: &Path, revision: &str) -> anyhow::Result<Vec<Changed>> {
    super::check_revision(revision)?;
    let output = Command::new("git")
        .arg("-C")
        .arg(root)
        .args(["diff", "--unified=0", "--no-color", "--no-ext-diff", "--relative", revision, "--"])
        .output()
        .context("cannot start git, which knows what changed; name a file or a symbol instead")?;
    if !output.status.success() {
        bail!("git cannot tell what changed: {}", String::from_utf8_lossy(&output.stderr).trim());
    }
    Ok(read(&String::from_utf8_lossy(&output.stdout)))
}

/// Changed files that are indexed, by their positions.
pub fn as_change(snapshot: &Snapshot, changes: &[Changed]) -> Change {
    let known = changes.iter().filter_map(|(path, lines)| {
        let position = snapshot.position(snapshot.file_at(path)?.id)?;
        Some((position, lines.clone()))
    });
    Change { files: known.collect(), symbols: Vec::new() }
}

fn read(diff: &str) -> Vec<Changed> {
    let mut changes: Vec<Changed> = Vec::new();
    for line in diff.lines() {
        if let Some(path) = line.strip_prefix("+++ b/") {
            changes.push((path.to_owned(), Vec::new()));
        } else if let (Some(hunk), Some((_, lines))) =
            (line.strip_prefix("@@ "), changes.last_mut())
        {
            lines.extend(hunk.split(' ').find_map(|part| span(part.strip_prefix('+')?)));
        }
    }
    changes.retain(|(_, lines)| !lines.is_empty());
    changes
}

/// `12,3` → 12 to 14. Where lines only went, those around the gap.
fn span(text: &str) -> Option<(u32, u32)> {
    let (start, count) = text.split_once(',').unwrap_or((text, "1"));
    let (start, count): (u32, u32) = (start.parse().ok()?, count.parse().ok()?);
    Some(if count == 0 { (start, start + 1) } else { (start, start + count - 1) })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn changed_lines_are_read_out_of_a_diff() {
        let diff = "diff --git a/x.py b/x.py\n--- a/x.py\n+++ b/x.py\n@@ -3,2 +3,4 @@ def f():\n+a\n@@ -9 +12,0 @@\n-b\ndiff --git a/y b/y\n--- a/y\n+++ /dev/null\n";
        assert_eq!(read(diff), [("x.py".to_owned(), vec![(3, 6), (12, 13)])]);
    }
}

//! What an answer was drawn from, in one line.

use serde_json::{Value, json};
use wherein_engine::index::vectors::encode::covered;
use wherein_engine::search::answer::Certificate;

use super::ask::Tree;

/// Folders that are named one by one; more are counted.
const MOST: usize = 4;

/// The line, and the same for programs.
pub fn of(trees: &[Tree], missing: &[String]) -> (String, Value) {
    let certificates: Vec<Certificate> = trees.iter().map(certificate).collect();
    let sum = |part: fn(&Certificate) -> usize| certificates.iter().map(part).sum::<usize>();
    let mut parts = vec![commits(trees, &certificates)];
    parts.push(format!("{} files", sum(|it| it.files)));
    let skipped = sum(|it| it.skipped);
    if skipped > 0 {
        parts.push(format!("{skipped} skipped"));
    }
    let stale = sum(|it| it.stale_files as usize);
    if stale > 0 {
        parts.push(format!("{stale} changed files not read yet"));
    }
    if let Some(share) = share_encoded(trees) {
        parts.push(format!("{share}% encoded for meaning so far"));
    }
    parts.push(match reasons(trees, missing) {
        reasons if reasons.is_empty() => "complete".to_owned(),
        reasons => format!("INCOMPLETE: {}", reasons.join("; ")),
    });
    let line = format!("# searched {}", parts.join(", "));
    (line, json!({"trees": certificates, "not_searched": missing}))
}

fn certificate(tree: &Tree) -> Certificate {
    let mut certificate = Certificate::of(&tree.view.snapshot.manifest);
    tree.view.own_up(&mut certificate);
    certificate
}

/// `a1b2c3d +2 changed`, with labels where there are several folders.
fn commits(trees: &[Tree], certificates: &[Certificate]) -> String {
    if trees.len() > MOST {
        return format!("{} folders", trees.len());
    }
    let of = |(tree, it): (&Tree, &Certificate)| {
        let commit = it.commit.as_deref().map(|commit| &commit[..commit.len().min(7)]);
        let changed = match it.dirty_files {
            Some(0) | None => String::new(),
            Some(count) => format!(" +{count} changed"),
        };
        let commit = format!("{}{changed}", commit.unwrap_or("no commit"));
        if tree.label().is_empty() { commit } else { format!("{} {commit}", tree.label()) }
    };
    trees.iter().zip(certificates).map(of).collect::<Vec<_>>().join(" | ")
}

/// How much can be found by its meaning, if not all that could be.
fn share_encoded(trees: &[Tree]) -> Option<u64> {
    let (mut known, mut all) = (0, 0);
    for tree in trees {
        let Ok(model) = &tree.keeper().tree.model else { continue };
        let snapshot = &tree.view.snapshot;
        if let Ok(vectors) = snapshot.vectors(model) {
            known += covered(&snapshot.manifest, vectors);
            all += snapshot.manifest.chunks();
        }
    }
    (known < all).then(|| known * 100 / all)
}

fn reasons(trees: &[Tree], missing: &[String]) -> Vec<String> {
    let stale = trees.iter().filter_map(|tree| {
        let because = tree.view.stale_because.as_ref()?;
        Some(if tree.label().is_empty() {
            because.clone()
        } else {
            format!("{}: {because}", tree.label())
        })
    });
    let behind = trees.iter().any(|it| it.view.snapshot.manifest.behind > 0);
    let behind = behind.then(|| "the index is behind with changed files".to_owned());
    stale.chain(behind).chain(missing.iter().cloned()).collect()
}

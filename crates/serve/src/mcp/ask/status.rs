//! `status`: what is served, how much of it is indexed, and what goes on in the background.

use serde_json::json;

use super::Tree;
use crate::cli::status::{Status, human, status};
use crate::http::activity::{Encoding, State};
use crate::mcp::answer::{Found, Item};

/// Skipped files that are named.
const MOST_SKIPPED: usize = 10;

pub fn ask(trees: &[Tree]) -> Found {
    Found { items: trees.iter().map(item).collect(), ..Found::default() }
}

fn item(tree: &Tree) -> Item {
    let status =
        status(&tree.keeper().tree, &tree.snapshot().manifest, tree.view.stale_because.is_none());
    let encoding = tree.keeper().board.now().encoding;
    let mut lines = vec![
        format!(
            "{} files, {} chunks, {}",
            status.index.files,
            status.index.chunks,
            human(status.bytes_on_disk)
        ),
        meaning(&status, &encoding),
        format!("languages: {}", languages(&status)),
    ];
    if status.index.skipped > 0 {
        lines.push(format!("skipped {}: {}", status.index.skipped, status.skipped_by_reason));
        let named = status.skipped_files.iter().take(MOST_SKIPPED);
        lines.extend(named.map(|file| format!("  {}: {}", tree.named(&file.path), file.reason)));
    }
    let label = if tree.label().is_empty() { "" } else { &format!("{} = ", tree.label()) };
    let facts = json!({
        "root": status.index.root, "label": tree.label(), "files": status.index.files,
        "chunks": status.index.chunks, "with_vectors": status.with_vectors,
        "model": status.model, "languages": status.languages, "encoding": encoding,
        "skipped_by_reason": status.skipped_by_reason,
    });
    Item::line(format!("{label}{}\n{}", status.index.root, lines.join("\n"))).with_facts(facts)
}

fn meaning(status: &Status, encoding: &Encoding) -> String {
    let (known, all) = (status.with_vectors, status.index.chunks);
    let doing = match encoding.state {
        State::Running | State::Paused => " (encoding goes on here)",
        State::Elsewhere => " (another process encodes them)",
        State::Failed => " (encoding failed)",
        _ => "",
    };
    match &status.model_off_because {
        Some(why) => format!("searched by words only: {why}"),
        None => format!("{known} of {all} chunks can be found by meaning{doing}"),
    }
}

fn languages(status: &Status) -> String {
    let mut languages: Vec<_> = status.languages.iter().collect();
    languages.sort_by_key(|(name, count)| (std::cmp::Reverse(**count), name.as_str()));
    let named = languages.iter().take(12).map(|(name, count)| format!("{count} {name}"));
    named.collect::<Vec<_>>().join(", ")
}

//! `map`: the most central files of each tree with their signatures.

use serde_json::json;
use wherein_engine::graph::ask::Subject;
use wherein_engine::graph::ask::map::{MapRequest, Outlined, OutlinedFile, map};

use super::{Failure, Tree, subjects};
use crate::mcp::answer::{Found, Item, Manner};
use crate::mcp::request::Outline;
use crate::mcp::roots::Roots;

/// Tokens of everything that may be asked for page by page.
const MOST: usize = 40_000;

pub fn ask(roots: &Roots, trees: &[Tree], request: &Outline) -> Result<Found, Failure> {
    let mut focus: Vec<(usize, usize)> = Vec::new();
    for target in &request.focus {
        for (tree, subject) in subjects(roots, trees, target)? {
            match subject {
                Subject::File(file) => focus.push((tree.root, file)),
                Subject::Symbols(found) => {
                    let symbols = tree.snapshot().symbols().map_err(tree.failure())?;
                    focus.extend(found.first().map(|&it| (tree.root, symbols.file(it))));
                }
            }
        }
    }
    let mut lists = Vec::new();
    for tree in trees {
        let near = focus.iter().filter(|(root, _)| *root == tree.root).map(|(_, file)| *file);
        let asked = MapRequest { budget: MOST / trees.len(), focus: near.collect() };
        let is_elsewhere = !focus.is_empty() && asked.focus.is_empty();
        if !is_elsewhere {
            let drawn = map(tree.snapshot(), &asked).map_err(tree.failure())?;
            lists.push(drawn.files.into_iter().map(|file| item(tree, &file)));
        }
    }
    // The first of each tree, then the second of each.
    let mut items = Vec::new();
    while !lists.is_empty() {
        lists.retain_mut(|list| list.next().map(|item| items.push(item)).is_some());
    }
    let nothing = items.is_empty().then(|| "nothing found: the tree holds no code".to_owned());
    Ok(Found { notes: nothing.into_iter().collect(), items, last: Vec::new() })
}

/// A file as a heading with its signatures, each by its line.
fn item(tree: &Tree, file: &OutlinedFile) -> Item {
    let path = tree.named(&file.path);
    let line = |it: &Outlined| {
        let text = if it.signature.is_empty() { &it.name } else { &it.signature };
        format!("{} {}{text}", it.line, " ".repeat(it.depth as usize))
    };
    Item {
        // Counted one by one: they are no lines of the file, and nothing between them is left out.
        lines: (1..).zip(file.symbols.iter().map(line)).collect(),
        manner: Manner::Whole,
        ..Item::line(path.clone())
    }
    .with_facts(json!({"path": path, "standing": file.standing}))
}

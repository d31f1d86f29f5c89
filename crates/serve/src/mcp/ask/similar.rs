//! `similar`: spans like a span, or like a text.

use std::time::Instant;

use wherein_engine::search::answer::Answer;
use wherein_engine::search::query::Query;
use wherein_engine::search::similar::{Target, similar};

use super::search::{MOST, item};
use super::{Failure, Tree, located, tree_of};
use crate::cli::search::ENCODING_TIME;
use crate::cli::target;
use crate::http::pool::Wanted;
use crate::mcp::answer::Found;
use crate::mcp::merge::{Placed, merge};
use crate::mcp::request::Similar;
use crate::mcp::roots::Roots;
use crate::mcp::trouble::Trouble;

/// A line of a file is compared within its own tree, a text in all of them.
pub fn ask(
    roots: &Roots,
    trees: &[Tree],
    request: &Similar,
    wanted: &Wanted,
) -> Result<Found, Failure> {
    let (target, among): (Target, Vec<&Tree>) = match (&request.at, &request.text) {
        (Some(at), None) => {
            let (path, line) = target::split(at);
            let line = line
                .ok_or_else(|| Trouble::new(format!("{at} names no line"), "Write PATH:LINE."))?;
            let located = located(roots, trees, path)?;
            let tree = tree_of(trees, &located)?;
            (Target::Line { path: located.path, line }, vec![tree])
        }
        (None, Some(text)) => (Target::Text(text.clone()), trees.iter().collect()),
        _ => {
            let advice = "Give one of the two, and not both.";
            return Err(Trouble::new("similar needs \"at\" or \"text\"", advice).into());
        }
    };
    let patterns = roots.patterns(&request.paths);
    let (mut lists, mut reasons) = (Vec::new(), Vec::new());
    for tree in among {
        let paths = patterns[tree.root].clone().unwrap_or_default();
        let languages = request.languages.clone();
        let query = Query { limit: MOST, paths, languages, ..Query::new("") };
        let answer = answer(tree, &target, &query, wanted)?;
        reasons.extend(answer.nothing_because);
        let hits = answer.hits.into_iter();
        lists.push(hits.map(|hit| Placed { root: tree.root, hit }).collect::<Vec<_>>());
    }
    let item = |Placed { root, hit }| item(&|path| roots.named(root, path), hit);
    let items: Vec<_> = merge(lists).into_iter().map(item).collect();
    let nothing = items.is_empty().then(|| match reasons.first() {
        _ if trees.iter().all(has_no_vectors) => {
            "nothing found: nothing is encoded yet; encoding goes on, ask again in a while"
                .to_owned()
        }
        Some(because) => format!("nothing found: {because}"),
        None => "nothing found".to_owned(),
    });
    Ok(Found { notes: nothing.into_iter().collect(), items, last: Vec::new() })
}

fn answer(tree: &Tree, target: &Target, query: &Query, wanted: &Wanted) -> Result<Answer, Failure> {
    let deadline = Instant::now() + ENCODING_TIME;
    let go_on = || Instant::now() < deadline && wanted.still();
    let meaning = tree.keeper().tree.meaning(&go_on);
    similar(tree.snapshot(), &meaning, target, query).map_err(tree.failure())
}

fn has_no_vectors(tree: &Tree) -> bool {
    let model = tree.keeper().tree.model.as_ref().ok();
    let vectors = model.and_then(|model| tree.snapshot().vectors(model).ok());
    vectors.is_none_or(|vectors| vectors.list.total() == 0)
}

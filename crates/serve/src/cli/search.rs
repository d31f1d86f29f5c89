//! `wherein QUERY…`: one question, one page.

use std::io::{self, Write};
use std::path::Path;
use std::time::{Duration, Instant};

use anyhow::Context;
use wherein_engine::index::overlay::Overlay;
use wherein_engine::search::answer::Answer;
use wherein_engine::search::query::Query;
use wherein_engine::{Error, search};

use super::Outcome;
use super::args::SearchArgs;
use super::batch;
use super::blame;
use super::output;
use super::tree::{Opened, Tree};

/// How long a question may wait for chunks to be encoded that have no vector yet.
pub const ENCODING_TIME: Duration = Duration::from_millis(150);

/// Answers the question, or the batch of them.
pub fn run(args: &SearchArgs) -> anyhow::Result<Outcome> {
    if let Some(file) = &args.batch {
        return batch::run(args, file);
    }
    let started = Instant::now();
    let query = args.query(args.words.join(" "));
    #[cfg(feature = "fleet")]
    if args.fleet.fleet {
        return super::fleet::search(args, &query);
    }
    let tree = Tree::around(args.page.root.as_deref(), &args.page.place)?;
    wherein_engine::search::check(&query)?;
    let overlay = args.overlay.as_deref().map(|file| overlay(&tree, file)).transpose()?;
    let tree = tree.at(args.rev.as_deref())?;
    let ask = |opened| answer(&tree, opened, overlay.as_ref(), &query, args.blame);
    let answer = tree.ask(ask)?;
    output::print(&answer, &query, args.page.format(), started.elapsed())
}

/// Reads unsaved text. Paths may be absolute, if they lie in the tree.
fn overlay(tree: &Tree, file: &Path) -> anyhow::Result<Overlay> {
    let text = match file == Path::new("-") {
        true => io::read_to_string(io::stdin()),
        false => std::fs::read_to_string(file),
    };
    let text = text.with_context(|| format!("cannot read the overlay {}", file.display()))?;
    let given: Overlay = serde_json::from_str(&text)
        .with_context(|| format!("{} is no JSON object of paths and texts", file.display()))?;
    let inside = |path: String| match Path::new(&path).strip_prefix(&tree.place.root) {
        Ok(inside) => inside.to_string_lossy().into_owned(),
        Err(_) => path.trim_start_matches("./").to_owned(),
    };
    Ok(given.into_iter().map(|(path, text)| (inside(path), text)).collect())
}

fn answer(
    tree: &Tree,
    opened: Opened,
    overlay: Option<&Overlay>,
    query: &Query,
    blame: bool,
) -> Result<Answer, Error> {
    let deadline = Instant::now() + ENCODING_TIME;
    let go_on = || Instant::now() < deadline;
    let opened = opened.overlaid(&tree.settings, overlay)?;
    let mut answer = search(&opened.snapshot, &tree.meaning(&go_on), query)?;
    if let Some(because) = &answer.dense_off_because {
        let _ = writeln!(io::stderr(), "wherein: searched by words only: {because}");
    }
    if blame {
        blame::fill(&opened.snapshot, &mut answer.hits)?;
    }
    opened.own_up(&mut answer.index);
    Ok(answer)
}

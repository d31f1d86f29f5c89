//! `wherein QUERY…`: one question, one page.

use std::io::{self, Write};
use std::time::{Duration, Instant};

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
    let tree = Tree::around(args.page.root.as_deref(), &args.page.place)?;
    wherein_engine::search::check(&query)?;
    let tree = tree.at(args.rev.as_deref())?;
    let answer = tree.ask(|opened| answer(&tree, opened, &query, args.blame))?;
    output::print(&answer, &query, args.page.format(), started.elapsed())
}

fn answer(tree: &Tree, opened: Opened, query: &Query, blame: bool) -> Result<Answer, Error> {
    let deadline = Instant::now() + ENCODING_TIME;
    let go_on = || Instant::now() < deadline;
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

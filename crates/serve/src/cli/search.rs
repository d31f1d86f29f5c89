//! `wherein QUERY…`: one question, one page.

use std::io::{self, IsTerminal, Write};
use std::time::Instant;

use wherein_engine::search::answer::Answer;
use wherein_engine::search::query::Query;
use wherein_engine::{Error, search};

use super::Outcome;
use super::args::{Format, SearchArgs};
use super::batch;
use super::output;
use super::tree::{Opened, Tree};

/// Answers the question, or the batch of them.
pub fn run(args: &SearchArgs) -> anyhow::Result<Outcome> {
    if let Some(file) = &args.batch {
        return batch::run(args, file);
    }
    let started = Instant::now();
    let query = args.query(args.words.join(" "));
    let tree = Tree::around(args.root.as_deref(), &args.place)?;
    wherein_engine::search::check(&query)?;
    let answer = ask(&tree, &query)?;
    let took_ms = started.elapsed().as_secs_f64() * 1000.0;
    let mut out = io::stdout().lock();
    match format(args) {
        Format::Json => output::json(&mut out, &answer, took_ms)?,
        Format::Pretty => output::pretty(&mut out, &answer, &query, took_ms)?,
        Format::Plain => output::plain(&mut out, &answer, &query)?,
        Format::Grep => output::grep(&mut out, &answer)?,
        Format::Md => output::markdown(&mut out, &answer)?,
    }
    out.flush()?;
    if answer.hits.is_empty() {
        let reason = answer.nothing_because.as_deref().unwrap_or("nothing matches");
        let _ = writeln!(io::stderr(), "wherein: nothing found: {reason}");
        return Ok(Outcome::Nothing);
    }
    Ok(Outcome::Found)
}

/// Asks the tree's index; one that turns out to be damaged is built anew, once.
fn ask(tree: &Tree, query: &Query) -> anyhow::Result<Answer> {
    match answer(tree.open()?, query) {
        Err(Error::Damaged { .. } | Error::Lexical(_)) => {
            tree.refresh_in_turn()?;
            Ok(answer(tree.open()?, query)?)
        }
        answered => Ok(answered?),
    }
}

fn answer(opened: Opened, query: &Query) -> Result<Answer, Error> {
    let mut answer = search(&opened.snapshot, query)?;
    if let Some(because) = opened.stale_because {
        answer.index.complete = false;
        let _ = writeln!(io::stderr(), "wherein: answering from the last index: {because}");
    }
    Ok(answer)
}

fn format(args: &SearchArgs) -> Format {
    match args.format {
        _ if args.json => Format::Json,
        Some(format) => format,
        None if io::stdout().is_terminal() => Format::Pretty,
        None => Format::Plain,
    }
}

//! `wherein similar PATH:LINE` and `wherein similar --text TEXT`: spans like a span.

use std::io::{self, Read};
use std::time::Instant;

use anyhow::{Context, anyhow};
use clap::Args;
use wherein_corpus::Skip;
use wherein_engine::Error;
use wherein_engine::search::answer::Answer;
use wherein_engine::search::query::Query;
use wherein_engine::search::similar::{Target, similar};

use super::Outcome;
use super::output;
use super::page::PageArgs;
use super::search::ENCODING_TIME;
use super::target;
use super::tree::{Opened, Tree};

/// What hits should be like.
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  wherein similar src/upload.rs:120
  wherein similar src/upload.rs:96-140 --unit file    # a span as a search prints it
  wherein similar --text - --lang python < snippet.py")]
pub struct SimilarArgs {
    /// A line of an indexed file, for the chunk that holds it; of a span its first line counts.
    #[arg(value_name = "PATH:LINE", required_unless_present = "text")]
    pub target: Option<String>,

    /// A text instead of a line, '-' for standard input; its first few hundred words count.
    #[arg(long, value_name = "TEXT", allow_hyphen_values = true, conflicts_with = "target")]
    pub text: Option<String>,

    #[command(flatten)]
    pub page: PageArgs,
}

/// Finds what is like the target and prints it as a search would.
pub fn run(args: &SimilarArgs) -> anyhow::Result<Outcome> {
    let started = Instant::now();
    let tree = args.page.tree()?;
    tree.needed_model()?;
    let target = target_of(args, &tree)?;
    wherein_engine::search::check(&args.page.query(text_of(&target).to_owned()))?;
    // No text, so that no words of it are marked in the hits: what is like it need not share any.
    let query = args.page.query(String::new());
    let (answer, stale) = tree
        .ask(|opened| answer(&tree, opened, &target, &query))
        .map_err(|error| advised(error, args.target.as_deref()))?;
    output::print(&answer, stale.as_deref(), &query, args.page.format(), started.elapsed())
}

fn target_of(args: &SimilarArgs, tree: &Tree) -> anyhow::Result<Target> {
    let Some(given) = &args.target else {
        return match args.text.as_deref() {
            Some("-") => Ok(Target::Text(standard_input()?)),
            text => Ok(Target::Text(text.unwrap_or_default().to_owned())),
        };
    };
    let (path, line) = target::split(given);
    let line = line.with_context(|| format!("{given} names no line; write PATH:LINE"))?;
    Ok(Target::Line { path: target::relative(&tree.place.root, path)?, line })
}

fn standard_input() -> anyhow::Result<String> {
    let mut bytes = Vec::new();
    io::stdin().read_to_end(&mut bytes).context("cannot read standard input")?;
    wherein_corpus::decode(bytes).map_err(|reason| anyhow!("standard input is {reason}"))
}

/// What has to hold a letter or digit.
fn text_of(target: &Target) -> &str {
    match target {
        Target::Line { path, .. } => path,
        Target::Text(text) => text,
    }
}

fn answer(
    tree: &Tree,
    opened: Opened,
    target: &Target,
    query: &Query,
) -> Result<(Answer, Option<String>), Error> {
    let deadline = Instant::now() + ENCODING_TIME;
    let go_on = || Instant::now() < deadline;
    let mut answer = similar(&opened.snapshot, &tree.meaning(&go_on), target, query)?;
    if !answer.hits.is_empty() && !answer.index.complete {
        tree.own_up_to_gaps(&opened.snapshot)?;
    }
    opened.own_up(&mut answer.index);
    Ok((answer, opened.stale_because))
}

/// A text that is not indexed can be compared all the same.
fn advised(error: anyhow::Error, given: Option<&str>) -> anyhow::Error {
    use Skip::{Generated, Minified, TooLarge, Translation};
    let is_text = match error.downcast_ref() {
        Some(Error::Unknown { .. }) => true,
        Some(Error::Skipped { reason, .. }) => {
            matches!(reason, Generated | Minified | TooLarge(_) | Translation)
        }
        _ => false,
    };
    match given.map(target::split) {
        Some((path, _)) if is_text => {
            anyhow!("{error}; to compare its text: wherein similar --text - < {path}")
        }
        _ => error,
    }
}

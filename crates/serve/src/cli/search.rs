//! `wherein QUERY…`: one question, one page.

use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use anyhow::Context;
use clap::{Args, ValueEnum};
use wherein_engine::index::overlay::Overlay;
use wherein_engine::search::answer::Answer;
use wherein_engine::search::query::{Fusion, Query};
use wherein_engine::{Error, search};

use super::Outcome;
use super::batch;
use super::blame;
use super::output;
use super::page::{ModeArg, PageArgs};
use super::tree::{Opened, Tree};

/// A question and its options.
#[derive(Args, Clone, Debug)]
pub struct SearchArgs {
    /// What to look for: words, an identifier, a piece of code.
    #[arg(value_name = "QUERY", required_unless_present = "batch")]
    pub words: Vec<String>,

    /// Search by words, by meaning, or both.
    #[arg(long, value_enum, default_value_t = ModeArg::Hybrid)]
    pub mode: ModeArg,

    /// How the lists of words and of meaning become one: by their scores, or by their ranks.
    #[arg(long, value_enum, default_value_t = FusionArg::Scores)]
    pub fusion: FusionArg,

    /// Ask again with words that the best hits have in common.
    #[arg(long)]
    pub expand: bool,

    /// Look also at files that import what was found, if much of the tree leads to them.
    #[arg(long)]
    pub expand_upstream: bool,

    /// Say how each field contributed to each hit.
    #[arg(long)]
    pub explain: bool,

    /// Let a channel, the ranker or the judge have no say, to see what it is worth; may be given again.
    #[arg(long, value_name = "CHANNEL", value_parser = wherein_engine::search::query::CHANNELS)]
    pub without: Vec<String>,

    /// Say "not found" where the best hit is less likely than this to answer, between 0 and 1.
    #[arg(
        long,
        value_name = "P",
        default_value_t = wherein_engine::search::weights::LEAST_CONFIDENCE,
        value_parser = share
    )]
    pub min_confidence: f32,

    /// Search the tree as it was at a revision: a commit, a branch, a tag, HEAD~10.
    #[arg(long, value_name = "REV")]
    pub rev: Option<String>,

    /// Say for each hit which commit changed it last and which introduced it.
    #[arg(long, conflicts_with = "batch")]
    pub blame: bool,

    /// Search unsaved text as if it were saved: a file ('-' for standard input) that holds a JSON
    /// object of paths relative to the root, each with its text, or null for a deleted file.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["batch", "rev"])]
    pub overlay: Option<PathBuf>,

    /// Answer many questions: JSON lines {"id", "query"} from a file or '-'; JSON lines
    /// {"id", "hits"} come out in the same order, with "error" where one could not be asked.
    #[arg(long, value_name = "FILE", conflicts_with = "words")]
    pub batch: Option<PathBuf>,

    #[cfg(feature = "fleet")]
    #[command(flatten)]
    pub fleet: super::fleet::args::FleetSearchArgs,

    #[command(flatten)]
    pub page: PageArgs,
}

/// How lists become one.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub enum FusionArg {
    /// Weighted scores
    Scores,
    /// Reciprocal ranks
    Ranks,
}

impl SearchArgs {
    /// The question in the words that were given. A blank was put before those that begin with a dash.
    fn text(&self) -> String {
        let word = |word: &String| match word.strip_prefix(' ') {
            Some(rest) if rest.starts_with('-') => rest.to_owned(),
            _ => word.clone(),
        };
        self.words.iter().map(word).collect::<Vec<_>>().join(" ")
    }

    /// The question these arguments ask about `text`.
    pub fn query(&self, text: String) -> Query {
        Query {
            mode: self.mode.into(),
            fusion: match self.fusion {
                FusionArg::Scores => Fusion::Scores,
                FusionArg::Ranks => Fusion::Ranks,
            },
            expand: self.expand,
            expand_upstream: self.expand_upstream,
            explain: self.explain,
            without: self.without.clone(),
            min_confidence: self.min_confidence,
            ..self.page.query(text)
        }
    }
}

/// A number between 0 and 1.
fn share(text: &str) -> Result<f32, String> {
    let number = text.parse().ok().filter(|number| (0.0..=1.0).contains(number));
    number.ok_or_else(|| "it takes a number between 0 and 1".to_owned())
}

/// How long a question may wait for chunks to be encoded that have no vector yet.
pub const ENCODING_TIME: Duration = Duration::from_millis(150);

/// Answers the question, or the batch of them.
pub fn run(args: &SearchArgs) -> anyhow::Result<Outcome> {
    if let Some(file) = &args.batch {
        return batch::run(args, file);
    }
    let started = Instant::now();
    let query = args.query(args.text());
    #[cfg(feature = "fleet")]
    if args.fleet.fleet {
        return super::fleet::search(args, &query);
    }
    let tree = args.page.tree()?;
    wherein_engine::search::check(&query)?;
    let overlay = args.overlay.as_deref().map(|file| overlay(&tree, file)).transpose()?;
    let tree = tree.at(args.rev.as_deref())?;
    let ask = |opened| answer(&tree, opened, overlay.as_ref(), &query, args.blame);
    let (answer, stale) = tree.ask(ask)?;
    output::print(&answer, stale.as_deref(), &query, args.page.format(), started.elapsed())
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
) -> Result<(Answer, Option<String>), Error> {
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
    let stale_because = opened.stale_because.clone();
    // The process ends with this answer; to give the index back piece by piece took a thirtieth of its time.
    std::mem::forget(opened);
    Ok((answer, stale_because))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::args::Cli;
    use crate::cli::page::LIMIT_OF_A_BUDGET;
    use clap::Parser;
    use wherein_engine::search::query::Unit;

    #[track_caller]
    fn check(arguments: &[&str], expected: Query) {
        let cli = Cli::parse_from([&["wherein", "x"], arguments].concat());
        assert_eq!(cli.search.query("x".to_owned()), expected);
    }

    #[test]
    fn every_switch_reaches_the_question() {
        let query = || Query::new("x");
        check(&[], query());
        check(&["--expand"], Query { expand: true, ..query() });
        check(&["--expand-upstream"], Query { expand_upstream: true, ..query() });
        check(&["--explain"], Query { explain: true, ..query() });
        check(&["--context", "2"], Query { context: Some(2), ..query() });
        check(&["--max-per-file", "0"], Query { max_per_file: 0, ..query() });
        check(&["--unit", "file"], Query { unit: Unit::File, ..query() });
    }

    #[test]
    fn a_budget_decides_the_number_of_hits_unless_that_is_given() {
        let query = || Query { budget: Some(900), ..Query::new("x") };
        check(&["--budget", "900"], Query { limit: LIMIT_OF_A_BUDGET, ..query() });
        check(&["--budget", "900", "-k", "5"], Query { limit: 5, ..query() });
    }
}

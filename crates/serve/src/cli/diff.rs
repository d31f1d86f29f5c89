//! `wherein diff QUERY REV1..REV2`: spans that changed between two revisions and answer.

use std::io::{self, Write};
use std::time::Instant;

use clap::Args;
use wherein_engine::history::Repository;
use wherein_engine::history::changes::{Change, DiffAnswer, DiffHit, Range, between, search};
use wherein_engine::search::answer::Answer;
use wherein_engine::search::query::Query;
use wherein_engine::{Error, Snapshot};

use super::Outcome;
use super::output::visible::{self, Visible};
use super::output::{self, Paint};
use super::page::{Format, ModeArg, PageArgs};
use super::search::ENCODING_TIME;
use super::tree::Opened;

/// A question about what changed.
#[derive(Args, Debug)]
#[command(
    after_help = "Spans of the newer tree that hold new or replaced lines, and spans of the older one that lost lines
without any in their place. REV1...REV2 means since the two parted; without REV2, HEAD.

Examples:
  wherein diff 'retry limit' v1.2..v1.3
  wherein diff 'who may log in' main...HEAD --json"
)]
pub struct DiffArgs {
    /// What to look for: words, an identifier, a piece of code.
    #[arg(value_name = "QUERY")]
    pub query: String,

    /// The revisions between which it changed.
    #[arg(value_name = "REV1..REV2")]
    pub range: String,

    /// Search by words, by meaning, or both.
    #[arg(long, value_enum, default_value_t = ModeArg::Hybrid)]
    pub mode: ModeArg,

    #[command(flatten)]
    pub page: PageArgs,
}

/// Finds and prints what changed.
pub fn run(args: &DiffArgs) -> anyhow::Result<Outcome> {
    let started = Instant::now();
    let query = args.query();
    wherein_engine::search::check(&query)?;
    let tree = || args.page.tree();
    let (older, newer) = (tree()?, tree()?);
    let repository = Repository::around(&older.place.root)?;
    let git = repository.git();
    let range = Range::read(&git, &args.range)?;
    let changes = between(&git, &range, &repository.prefix)?;
    let older = older.at(Some(&range.from.to_string()))?;
    let newer = newer.at(Some(&range.to.to_string()))?;
    // The newer first: the older then begins as a copy of it.
    let newer_opened = newer.open()?;
    let answer = older.ask(|opened: Opened| {
        let deadline = Instant::now() + ENCODING_TIME;
        let go_on = || Instant::now() < deadline;
        let both: (&Snapshot, &Snapshot) = (&opened.snapshot, &newer_opened.snapshot);
        let found: Result<DiffAnswer, Error> =
            search(both, &changes, &newer.meaning(&go_on), &query);
        found
    })?;
    if let Some(because) = &answer.dense_off_because {
        let _ = writeln!(io::stderr(), "wherein: searched by words only: {because}");
    }
    print(args, &answer, &query, started)?;
    Ok(match &answer.nothing_because {
        None => Outcome::Found,
        Some(reason) => {
            let _ = writeln!(io::stderr(), "wherein: nothing found: {reason}");
            Outcome::Nothing
        }
    })
}

impl DiffArgs {
    fn query(&self) -> Query {
        Query { mode: self.mode.into(), ..self.page.query(self.query.clone()) }
    }
}

fn print(
    args: &DiffArgs,
    answer: &DiffAnswer,
    query: &Query,
    started: Instant,
) -> anyhow::Result<()> {
    let mut out = io::stdout().lock();
    match args.page.format() {
        Format::Json => writeln!(out, "{}", serde_json::to_string(answer)?)?,
        Format::Plain => {
            answer.hits.iter().try_for_each(|hit| plain(&mut Visible(&mut out), hit))?
        }
        Format::Pretty => pretty(&mut out, answer)?,
        format @ (Format::Grep | Format::Md) => {
            drop(out);
            if !answer.hits.is_empty() {
                output::print(&as_page(answer), None, query, format, started.elapsed())?;
            }
        }
    }
    Ok(())
}

/// The spans alone, for formats that know nothing of changes.
fn as_page(answer: &DiffAnswer) -> Answer {
    Answer {
        query: answer.query.clone(),
        hits: answer.hits.iter().map(|it| it.hit.clone()).collect(),
        index: answer.index.clone(),
        tokens: None,
        dense_off_because: None,
        confidence: None,
        nothing_because: None,
    }
}

fn word(change: Change) -> &'static str {
    match change {
        Change::Added => "added",
        Change::Changed => "changed",
        Change::Removed => "removed",
    }
}

fn plain(out: &mut impl Write, found: &DiffHit) -> io::Result<()> {
    let hit = &found.hit;
    let symbol = hit.symbol.as_deref().unwrap_or("-");
    writeln!(
        out,
        "{}:{}-{}\t{:.3}\t{}\t{}\t{symbol}",
        hit.path,
        hit.start_line,
        hit.end_line,
        hit.score,
        word(found.change),
        hit.kind
    )
}

/// Lines of a hit that are shown to people.
const SHOWN: usize = 8;

fn pretty(out: &mut impl Write, answer: &DiffAnswer) -> io::Result<()> {
    let paint = Paint::for_stdout();
    for found in &answer.hits {
        let hit = &found.hit;
        let spot = format!("{}:{}-{}", visible::name(&hit.path), hit.start_line, hit.end_line);
        let symbol = visible::name(hit.symbol.as_deref().unwrap_or_default());
        writeln!(out, "{} {} {}", paint.path(&spot), word(found.change), paint.name(&symbol))?;
        if let Some(before) = found.renamed_from.as_deref().map(visible::name) {
            writeln!(out, "   {}", paint.dim(&format!("renamed from {before}")))?;
        }
        let is_changed = |number: u32| {
            found.changed_lines.iter().any(|&(first, last)| (first..=last).contains(&number))
        };
        let mark = if found.change == Change::Removed { '-' } else { '+' };
        let lines = hit.numbered().into_iter().filter_map(|(number, text)| Some((number?, text)));
        for (number, text) in lines.filter(|(number, _)| is_changed(*number)).take(SHOWN) {
            let text = visible::line(text);
            writeln!(out, "   {} {mark} {text}", paint.dim(&format!("{number:>5}")))?;
        }
        writeln!(out)?;
    }
    let short = |commit: &str| commit[..commit.len().min(12)].to_owned();
    let summary = format!(
        "{} spans, {} files changed, {}..{}",
        answer.hits.len(),
        answer.files_changed,
        short(&answer.from),
        short(&answer.to)
    );
    writeln!(out, "{}", paint.dim(&summary))
}

//! `wherein log QUERY`: commits by what they say and what they changed.

use std::io::{self, IsTerminal, Write};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use anyhow::Context;
use clap::Args;
use serde::Serialize;
use wherein_engine::Error;
use wherein_engine::history::log::Log;
use wherein_engine::history::log::encode::{LogEncoding, encode};
use wherein_engine::history::log::refresh::{LogWork, refresh};
use wherein_engine::history::log::search::{LogAnswer, LogHit, LogQuery, search};
use wherein_engine::history::repository::Git;
use wherein_engine::history::{Repository, when};

use super::Outcome;
use super::output::Paint;
use super::output::visible::{self, Visible};
use super::page::{ModeArg, TreeArgs};
use super::progress::Bar;
use super::target;
use super::tree::Tree;

/// A question about commits.
#[derive(Args, Debug)]
#[command(
    after_help = "The commits that lead to HEAD are searched by their messages, by the paths they changed and by
the words of the lines they changed; a merge by its message alone. Messages are compared by meaning
as far as they have been encoded: the best by words while you wait, all of them by
'wherein index --history' or by a server in the background.

Examples:
  wherein log 'why was the retry limit raised' --since '2 weeks ago'
  wherein log parse_header --path src --author ada --json
  wherein log --until 2025-12-31 -k 5         # without a question: the newest

Dates are in UTC unless they name a time zone. Exit codes: 0 found, 1 nothing found, 2 failed."
)]
pub struct LogArgs {
    /// What to look for: words, an identifier; the newest commits without.
    #[arg(value_name = "QUERY")]
    pub words: Vec<String>,

    /// Search by words, by meaning, or both.
    #[arg(long, value_enum, default_value_t = ModeArg::Hybrid)]
    pub mode: ModeArg,

    /// Only authors whose name or address holds this, in any case.
    #[arg(long, value_name = "NAME")]
    pub author: Option<String>,

    /// Only commits since then: 2026-11-15, yesterday, '2 weeks ago'.
    #[arg(long, value_name = "DATE")]
    pub since: Option<String>,

    /// Only commits until then.
    #[arg(long, value_name = "DATE")]
    pub until: Option<String>,

    /// Only commits that changed a path which matches; '!' in front leaves out those that do; may be
    /// given again.
    #[arg(long = "path", value_name = "GLOB")]
    pub paths: Vec<String>,

    /// Show private keys and tokens in messages as they are.
    #[arg(long)]
    pub show_secrets: bool,

    /// How many commits to show.
    #[arg(short = 'k', long = "limit", value_name = "N", default_value_t = 10)]
    pub limit: usize,

    #[command(flatten)]
    pub tree: TreeArgs,
}

/// How long a question may think about meaning: its own, and that of messages without a vector yet.
/// Eight times as long would encode two dozen messages more, which a server does in the background and
/// 'wherein index --history' once and for all.
const MEANING_TIME: Duration = Duration::from_millis(18);

/// Finds and prints commits.
pub fn run(args: &LogArgs) -> anyhow::Result<Outcome> {
    let started = Instant::now();
    let query = args.query()?;
    let tree = Tree::around(args.tree.root.as_deref(), &args.tree.place)?;
    let git = Repository::around(&tree.place.root)?.git();
    let log = open(&tree, &git)?;
    let deadline = Instant::now() + MEANING_TIME;
    let go_on = || Instant::now() < deadline;
    let answer = search(&tree.place, &log, &git, &tree.meaning(&go_on), &query)?;
    if let Some(because) = &answer.dense_off_because {
        let _ = writeln!(io::stderr(), "wherein: searched by words only: {because}");
    }
    print(args, &answer, started.elapsed().as_secs_f64() * 1000.0)?;
    Ok(match &answer.nothing_because {
        None => Outcome::Found,
        Some(reason) => {
            let _ = writeln!(io::stderr(), "wherein: nothing found: {reason}");
            Outcome::Nothing
        }
    })
}

impl LogArgs {
    fn query(&self) -> anyhow::Result<LogQuery> {
        let now = SystemTime::now().duration_since(UNIX_EPOCH);
        let now = now.context("the clock stands before 1970")?.as_secs() as i64;
        let read = |date: &Option<String>| date.as_deref().map(|date| when::seconds(date, now));
        Ok(LogQuery {
            text: self.words.join(" "),
            limit: self.limit,
            mode: self.mode.into(),
            author: self.author.clone(),
            since: read(&self.since).transpose()?,
            until: read(&self.until).transpose()?,
            paths: target::patterns(self.tree.root.as_deref(), &self.paths),
            show_secrets: self.show_secrets,
        })
    }
}

/// Between two looks at what another process is doing.
const PAUSE: Duration = Duration::from_millis(50);

/// The log as it should be; as it is, if another process is just bringing it up to date.
fn open(tree: &Tree, git: &Git) -> anyhow::Result<Log> {
    if let Ok(log) = Log::open(&tree.place)
        && log.manifest.is_fresh(git)?
    {
        return Ok(log);
    }
    let bar = Bar::counting("reading", "commits");
    loop {
        let refreshed = refresh(&tree.place, &|done, total| bar.set(done, total));
        let stale = match refreshed {
            Ok(_) => return Ok(Log::open(&tree.place)?),
            Err(error @ (Error::Busy(_) | Error::Write { .. })) => error,
            Err(error) => return Err(error.into()),
        };
        match Log::open(&tree.place) {
            Ok(log) => {
                let _ = writeln!(io::stderr(), "wherein: answering from the last log: {stale}");
                return Ok(log);
            }
            Err(_) if matches!(stale, Error::Busy(_)) => std::thread::sleep(PAUSE),
            Err(_) => return Err(stale).context("the commits cannot be indexed"),
        }
    }
}

/// Brings the log up to date and encodes all messages, waiting for other processes.
pub fn index(tree: &Tree) -> anyhow::Result<(LogWork, LogEncoding)> {
    let in_turn = |work: &dyn Fn() -> Result<(), Error>| loop {
        match work() {
            Err(Error::Busy(_)) => std::thread::sleep(PAUSE),
            done => return done,
        }
    };
    let (mut work, mut encoding) = (LogWork::default(), LogEncoding::default());
    let done = std::cell::RefCell::new((&mut work, &mut encoding));
    in_turn(&|| {
        let bar = Bar::counting("reading", "commits");
        *done.borrow_mut().0 = refresh(&tree.place, &|done, total| bar.set(done, total))?;
        Ok(())
    })?;
    if let Ok(model) = &tree.model {
        in_turn(&|| {
            let bar = Bar::counting("encoding", "messages");
            let progress = |done, total| bar.set(done, total);
            *done.borrow_mut().1 = encode(&tree.place, model, &progress, &|| true)?;
            Ok(())
        })?;
    }
    Ok((work, encoding))
}

fn print(args: &LogArgs, answer: &LogAnswer, took_ms: f64) -> anyhow::Result<()> {
    let mut out = io::stdout().lock();
    if args.tree.json {
        #[derive(Serialize)]
        struct Timed<'a> {
            #[serde(flatten)]
            answer: &'a LogAnswer,
            took_ms: f64,
        }
        let timed = Timed { answer, took_ms: (took_ms * 1e3).round() / 1e3 };
        writeln!(out, "{}", serde_json::to_string(&timed)?)?;
    } else if io::stdout().is_terminal() {
        pretty(&mut out, answer, took_ms)?;
    } else {
        answer.hits.iter().try_for_each(|hit| plain(&mut Visible(&mut out), hit))?;
    }
    Ok(())
}

fn plain(out: &mut impl Write, hit: &LogHit) -> io::Result<()> {
    let commit = &hit.commit;
    let short = &commit.commit[..commit.commit.len().min(12)];
    writeln!(out, "{short}\t{}\t{}\t{}", commit.date, commit.author, commit.subject)
}

/// Paths and lines of a message that are shown to people.
const SHOWN: usize = 4;

fn pretty(out: &mut impl Write, answer: &LogAnswer, took_ms: f64) -> io::Result<()> {
    let paint = Paint::for_stdout();
    for hit in &answer.hits {
        let commit = &hit.commit;
        let short = &commit.commit[..commit.commit.len().min(12)];
        let who = format!("{} {}", commit.date, commit.author);
        writeln!(out, "{} {}", paint.path(short), paint.name(&visible::name(&commit.subject)))?;
        writeln!(out, "   {}", paint.dim(&visible::name(&who)))?;
        let body = hit.message.lines().skip_while(|line| line.trim() != commit.subject).skip(1);
        for line in body.filter(|line| !line.trim().is_empty()).take(SHOWN) {
            writeln!(out, "   {}", visible::line(line))?;
        }
        for path in hit.paths.iter().take(SHOWN) {
            writeln!(out, "   {}", paint.dim(&visible::name(path)))?;
        }
        if hit.paths_total > SHOWN {
            writeln!(out, "   {}", paint.dim(&format!("and {} more", hit.paths_total - SHOWN)))?;
        }
        writeln!(out)?;
    }
    let history = &answer.history;
    let compared = match history.with_vectors {
        Some(count) if count < history.commits => {
            format!(", {count} of them by meaning too ('wherein index --history' encodes the rest)")
        }
        _ => String::new(),
    };
    let shallow = if history.shallow { ", a shallow clone" } else { "" };
    let part = if history.complete { "" } else { ", not all of them read yet" };
    let summary = format!(
        "{} of {} commits{compared}{shallow}{part}, {took_ms:.0} ms",
        answer.hits.len(),
        history.commits
    );
    writeln!(out, "{}", paint.dim(&summary))
}

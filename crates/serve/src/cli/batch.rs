//! `--batch`: many questions over one open index, JSON lines in, JSON lines out.

use std::fs::File;
use std::io::{self, BufRead, BufReader, BufWriter, Write};
use std::path::Path;
use std::sync::Once;
use std::time::Instant;

use anyhow::{Context, bail};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use wherein_engine::search::answer::{Answer, Hit, Spent};
use wherein_engine::{Error, Snapshot, search};

use super::Outcome;
use super::search::{ENCODING_TIME, SearchArgs};
use super::tree::Tree;

#[derive(Deserialize)]
struct Question {
    id: Value,
    query: String,
}

#[derive(Serialize)]
struct Reply {
    id: Value,
    hits: Vec<Hit>,
    #[serde(skip_serializing_if = "Option::is_none")]
    tokens: Option<Spent>,
    /// Why nothing answers, if nothing does.
    #[serde(skip_serializing_if = "Option::is_none")]
    nothing_because: Option<String>,
    /// What kept the question from being asked.
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<String>,
}

impl Reply {
    /// A reply without an answer.
    fn none(id: Value) -> Reply {
        Reply { id, hits: Vec::new(), tokens: None, nothing_because: None, error: None }
    }
}

/// A line that is no question: its id if it has one, and why.
struct Unreadable {
    id: Value,
    error: String,
}

type Read = Result<Question, Unreadable>;

/// Questions answered side by side before their replies are written.
const WINDOW: usize = 64;

/// Answers every line of `file` ('-' for standard input), in order.
pub fn run(args: &SearchArgs, file: &Path) -> anyhow::Result<Outcome> {
    let tree = args.page.tree()?;
    wherein_engine::search::check(&args.query("x".to_owned()))?;
    let tree = tree.at(args.rev.as_deref())?;
    let opened = tree.open()?;
    if let Some(because) = opened.stale_because {
        let _ = writeln!(io::stderr(), "wherein: answering from the last index: {because}");
    }
    let mut out = BufWriter::new(io::stdout().lock());
    let (mut any, mut failed) = (false, 0);
    let mut lines = reader(file)?.split(b'\n').enumerate();
    loop {
        let window = questions(&mut lines, file)?;
        if window.is_empty() {
            break;
        }
        let answer = |read: Read| match read {
            Ok(question) => reply(&tree, &opened.snapshot, args, question),
            Err(Unreadable { id, error }) => Ok(Reply { error: Some(error), ..Reply::none(id) }),
        };
        let replies: Vec<Reply> =
            window.into_par_iter().map(answer).collect::<anyhow::Result<_>>()?;
        for reply in replies {
            any |= !reply.hits.is_empty() && reply.nothing_because.is_none();
            failed += usize::from(reply.error.is_some());
            serde_json::to_writer(&mut out, &reply)?;
            out.write_all(b"\n")?;
        }
    }
    out.flush()?;
    if failed > 0 {
        bail!("{failed} lines of {} could not be asked; their replies say why", file.display());
    }
    Ok(if any { Outcome::Found } else { Outcome::Nothing })
}

fn reader(file: &Path) -> anyhow::Result<Box<dyn BufRead>> {
    if file == Path::new("-") {
        return Ok(Box::new(BufReader::new(io::stdin())));
    }
    let opened = File::open(file).with_context(|| format!("cannot open {}", file.display()))?;
    Ok(Box::new(BufReader::new(opened)))
}

fn questions(
    lines: &mut impl Iterator<Item = (usize, io::Result<Vec<u8>>)>,
    file: &Path,
) -> anyhow::Result<Vec<Read>> {
    let mut window = Vec::new();
    while window.len() < WINDOW {
        let Some((number, line)) = lines.next() else {
            break;
        };
        let place = format!("{}:{}", file.display(), number + 1);
        let line = line.with_context(|| place.clone())?;
        if !line.trim_ascii().is_empty() {
            window.push(question(&line, &place));
        }
    }
    Ok(window)
}

/// A bad line is answered in its place, by the id that it has if it has one.
fn question(line: &[u8], place: &str) -> Read {
    serde_json::from_slice(line).map_err(|error| {
        let read: Value = serde_json::from_slice(line).unwrap_or_default();
        let error =
            format!("{place}: expected {{\"id\": …, \"query\": \"…\"}} on one line: {error}");
        Unreadable { id: read["id"].clone(), error }
    })
}

/// A question with nothing to look for gets no hits; it does not stop the others.
fn reply(
    tree: &Tree,
    snapshot: &Snapshot,
    args: &SearchArgs,
    question: Question,
) -> anyhow::Result<Reply> {
    let deadline = Instant::now() + ENCODING_TIME;
    let go_on = || Instant::now() < deadline;
    let id = question.id;
    match search(snapshot, &tree.meaning(&go_on), &args.query(question.query)) {
        Ok(Answer { hits, tokens, nothing_because, dense_off_because, .. }) => {
            say_once(dense_off_because.as_deref());
            Ok(Reply { id, hits, tokens, nothing_because, error: None })
        }
        Err(error @ (Error::EmptyQuery | Error::OnlyFilters)) => {
            Ok(Reply { nothing_because: Some(error.to_string()), ..Reply::none(id) })
        }
        Err(error @ (Error::Damaged { .. } | Error::Lexical(_))) => Err(error.into()),
        Err(error) => Ok(Reply { error: Some(error.to_string()), ..Reply::none(id) }),
    }
}

/// Why nothing is searched by meaning is mostly the same for all questions.
fn say_once(dense_off: Option<&str>) {
    static SAID: Once = Once::new();
    if let Some(because) = dense_off {
        SAID.call_once(|| {
            let _ = writeln!(io::stderr(), "wherein: searched by words only: {because}");
        });
    }
}

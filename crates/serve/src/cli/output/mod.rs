//! One answer, five ways to print it.

mod pretty;

use pretty::pretty;

use std::io::{self, Write};
use std::time::Duration;

use serde::Serialize;
use wherein_engine::search::answer::{Answer, Hit};
use wherein_engine::search::query::Query;

use super::Outcome;
use super::args::Format;

/// Prints an answer as asked, and on standard error why it is empty if it is.
pub fn print(
    answer: &Answer,
    query: &Query,
    format: Format,
    took: Duration,
) -> anyhow::Result<Outcome> {
    let took_ms = took.as_secs_f64() * 1000.0;
    let mut out = io::stdout().lock();
    match format {
        Format::Json => json(&mut out, answer, took_ms)?,
        Format::Pretty => pretty(&mut out, answer, query, took_ms)?,
        Format::Plain => plain(&mut out, answer, query)?,
        Format::Grep => grep(&mut out, answer)?,
        Format::Md => markdown(&mut out, answer)?,
    }
    out.flush()?;
    if answer.hits.is_empty() {
        let reason = answer.nothing_because.as_deref().unwrap_or("nothing matches");
        let _ = writeln!(io::stderr(), "wherein: nothing found: {reason}");
        return Ok(Outcome::Nothing);
    }
    Ok(Outcome::Found)
}

/// The whole answer for programs.
fn json(out: &mut impl Write, answer: &Answer, took_ms: f64) -> anyhow::Result<()> {
    #[derive(Serialize)]
    struct Timed<'a> {
        #[serde(flatten)]
        answer: &'a Answer,
        took_ms: f64,
    }
    serde_json::to_writer(
        &mut *out,
        &Timed { answer, took_ms: (took_ms * 1000.0).round() / 1000.0 },
    )?;
    writeln!(out)?;
    Ok(())
}

/// One line a hit; a line more for each channel if explained.
fn plain(out: &mut impl Write, answer: &Answer, query: &Query) -> io::Result<()> {
    for hit in &answer.hits {
        let symbol = hit.symbol.as_deref().unwrap_or("-");
        writeln!(
            out,
            "{}:{}-{}\t{:.3}\t{}\t{symbol}",
            hit.path, hit.start_line, hit.end_line, hit.score, hit.kind
        )?;
        if query.explain {
            explanation(out, hit)?;
        }
    }
    Ok(())
}

/// `path:line:text` of the best line of each hit, so that editors can jump.
fn grep(out: &mut impl Write, answer: &Answer) -> io::Result<()> {
    for hit in &answer.hits {
        let line = best_line(hit);
        let text = hit.snippet.lines().nth((line - hit.start_line) as usize).unwrap_or("");
        writeln!(out, "{}:{line}:{text}", hit.path)?;
    }
    Ok(())
}

/// Headings and code blocks.
fn markdown(out: &mut impl Write, answer: &Answer) -> io::Result<()> {
    writeln!(out, "# {}\n", answer.query.lines().next().unwrap_or_default())?;
    for hit in &answer.hits {
        writeln!(out, "## `{}:{}-{}`\n", hit.path, hit.start_line, hit.end_line)?;
        if let Some(symbol) = &hit.symbol {
            writeln!(out, "{} `{symbol}`\n", hit.kind)?;
        }
        let fence = fence_for(&hit.snippet);
        writeln!(out, "{fence}{}\n{}\n{fence}\n", hit.language, hit.snippet)?;
    }
    Ok(())
}

/// The line a reader should land on.
fn best_line(hit: &Hit) -> u32 {
    hit.best_lines.first().copied().unwrap_or(hit.start_line)
}

fn explanation(out: &mut impl Write, hit: &Hit) -> io::Result<()> {
    for (name, channel) in &hit.channels {
        let share = channel.contribution * 100.0;
        let rank = channel.rank.map_or("not listed".to_owned(), |rank| format!("rank {rank}"));
        writeln!(out, "    {name}: {rank}, score {:.3}, {share:.0} %", channel.score)?;
    }
    Ok(())
}

/// A fence longer than any in the text.
fn fence_for(text: &str) -> String {
    let longest =
        text.lines().map(|line| line.trim_start().bytes().take_while(|&b| b == b'`').count()).max();
    "`".repeat(longest.unwrap_or(0).max(2) + 1)
}

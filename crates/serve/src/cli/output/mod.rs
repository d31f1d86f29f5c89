//! One answer, five ways to print it.

mod pretty;
pub mod visible;

pub use pretty::Paint;
use pretty::pretty;

use std::io::{self, Write};
use std::time::Duration;

use serde::Serialize;
use wherein_engine::search::answer::{Answer, Hit, Place};
use wherein_engine::search::query::Query;

use super::Outcome;
use super::blame;
use super::page::Format;

/// Prints an answer as asked, and on standard error why nothing answers if nothing does. What only
/// comes nearest is printed where it can be told from an answer.
pub fn print(
    answer: &Answer,
    stale_because: Option<&str>,
    query: &Query,
    format: Format,
    took: Duration,
) -> anyhow::Result<Outcome> {
    let took_ms = took.as_secs_f64() * 1000.0;
    let mut out = io::stdout().lock();
    match format {
        Format::Json => json(&mut out, answer, stale_because, took_ms)?,
        Format::Pretty => pretty(&mut out, answer, query, took_ms)?,
        // Lines are taken for an answer by whatever reads them.
        Format::Plain | Format::Grep if answer.nothing_because.is_some() => {}
        Format::Plain => plain(&mut out, answer, query)?,
        Format::Grep => grep(&mut out, answer)?,
        Format::Md => markdown(&mut out, answer)?,
    }
    out.flush()?;
    let Some(reason) = &answer.nothing_because else {
        return Ok(Outcome::Found);
    };
    let nearest = match (answer.hits.is_empty(), format, answer.confidence) {
        (true, ..) => "",
        (_, Format::Plain | Format::Grep, _) => "; --format pretty shows what comes nearest",
        (_, _, None) => "; what is shown comes nearest",
        (_, _, Some(_)) => {
            "; what is shown comes nearest (--min-confidence 0 takes it for an answer)"
        }
    };
    let reason = visible::lines(reason);
    let _ = writeln!(io::stderr(), "wherein: nothing found: {reason}{nearest}");
    Ok(Outcome::Nothing)
}

/// The whole answer for programs.
fn json(
    out: &mut impl Write,
    answer: &Answer,
    stale_because: Option<&str>,
    took_ms: f64,
) -> anyhow::Result<()> {
    #[derive(Serialize)]
    struct Whole<'a> {
        #[serde(flatten)]
        answer: &'a Answer,
        /// Why the answer may not reflect the tree as it is now.
        #[serde(skip_serializing_if = "Option::is_none")]
        stale_because: Option<&'a str>,
        took_ms: f64,
    }
    let took_ms = (took_ms * 1000.0).round() / 1000.0;
    serde_json::to_writer(&mut *out, &Whole { answer, stale_because, took_ms })?;
    writeln!(out)?;
    Ok(())
}

/// One line a hit, its copies at the end; a line more for each channel if explained.
fn plain(out: &mut impl Write, answer: &Answer, query: &Query) -> io::Result<()> {
    for hit in &answer.hits {
        let (path, symbol) = (visible::name(&hit.path), symbol(hit).unwrap_or("-".into()));
        let copies = also_at(hit, usize::MAX).map_or(String::new(), |copies| format!("\t{copies}"));
        writeln!(
            out,
            "{path}:{}-{}\t{:.3}\t{}\t{symbol}{copies}",
            hit.start_line, hit.end_line, hit.score, hit.kind
        )?;
        if let Some(origin) = blame::origin(hit) {
            writeln!(out, "    {origin}")?;
        }
        if query.explain {
            explanation(out, hit)?;
        }
    }
    Ok(())
}

/// `path:line:text` of the best line of each hit, and of each copy which it is like, so that editors
/// can jump.
fn grep(out: &mut impl Write, answer: &Answer) -> io::Result<()> {
    for hit in &answer.hits {
        let (line, text) = best_line(hit);
        let (path, text) = (visible::name(&hit.path), visible::line(text));
        writeln!(out, "{path}:{line}:{text}")?;
        for copy in &hit.also_at {
            let other = visible::name(&copy.path);
            writeln!(out, "{other}:{}:like {path}:{line}", copy.start_line)?;
        }
    }
    Ok(())
}

/// Headings and code blocks.
fn markdown(out: &mut impl Write, answer: &Answer) -> io::Result<()> {
    writeln!(out, "# {}\n", visible::line(answer.query.lines().next().unwrap_or_default()))?;
    for hit in &answer.hits {
        let path = visible::name(&hit.path);
        writeln!(out, "## `{path}:{}-{}`\n", hit.start_line, hit.end_line)?;
        if let Some(symbol) = symbol(hit) {
            writeln!(out, "{} `{symbol}`\n", hit.kind)?;
        }
        if let Some(copies) = also_at(hit, usize::MAX) {
            writeln!(out, "{copies}\n")?;
        }
        if let Some(origin) = blame::origin(hit) {
            writeln!(out, "{origin}\n")?;
        }
        let fence = fence_for(&hit.snippet);
        let snippet = visible::lines(&hit.snippet);
        writeln!(out, "{fence}{}\n{snippet}\n{fence}\n", hit.language)?;
    }
    Ok(())
}

/// The line a reader should land on, and what is on it.
fn best_line(hit: &Hit) -> (u32, &str) {
    let numbered = hit.numbered();
    let best = hit.best_lines.first().copied().unwrap_or(hit.start_line);
    let is_best = |(number, _): &&(Option<u32>, &str)| *number == Some(best);
    let shown = numbered.iter().find(is_best).or(numbered.first());
    shown.map_or((best, ""), |&(number, text)| (number.unwrap_or(best), text))
}

/// The name of what a hit is, fit to be shown.
fn symbol(hit: &Hit) -> Option<std::borrow::Cow<'_, str>> {
    hit.symbol.as_deref().map(visible::name)
}

/// `also at`, and the first few places that hold nearly the same.
fn also_at(hit: &Hit, most: usize) -> Option<String> {
    let shown = |place: &Place| visible::name(&place.to_string()).into_owned();
    let places: Vec<String> = hit.also_at.iter().take(most).map(shown).collect();
    let more = match hit.also_at.len() - places.len() {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    (!places.is_empty()).then(|| format!("also at {}{more}", places.join(", ")))
}

fn explanation(out: &mut impl Write, hit: &Hit) -> io::Result<()> {
    for (name, channel) in &hit.channels {
        let share = channel.contribution * 100.0;
        let rank = channel.rank.map_or("not listed".to_owned(), |rank| format!("rank {rank}"));
        writeln!(out, "    {name}: {rank}, score {:.3}, {share:.0} %", channel.score)?;
    }
    match hit.judged {
        Some(judged) => writeln!(out, "    read together with the question: {judged:.1}"),
        None => Ok(()),
    }
}

/// A fence longer than any in the text.
pub fn fence_for(text: &str) -> String {
    let longest =
        text.lines().map(|line| line.trim_start().bytes().take_while(|&b| b == b'`').count()).max();
    "`".repeat(longest.unwrap_or(0).max(2) + 1)
}

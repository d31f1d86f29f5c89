//! Hits for people: where, what, how good, and the lines that matter.

use std::io::{self, IsTerminal, Write};

use wherein_engine::search::answer::{Answer, Hit};
use wherein_engine::search::highlight::Highlighter;
use wherein_engine::search::query::Query;

use super::explanation;

/// Lines of a hit shown around its best one.
const SHOWN: u32 = 5;
const BAR: usize = 10;

/// Prints a page with colours if the terminal wants them.
pub fn pretty(
    out: &mut impl Write,
    answer: &Answer,
    query: &Query,
    took_ms: f64,
) -> io::Result<()> {
    let paint = Paint::for_stdout();
    let highlighter = Highlighter::new(query);
    let best = answer.hits.first().map_or(1.0, |hit| hit.score);
    for (place, hit) in answer.hits.iter().enumerate() {
        heading(out, &paint, place + 1, hit, best)?;
        lines(out, &paint, &highlighter, hit)?;
        if query.explain {
            explanation(out, hit)?;
        }
        writeln!(out)?;
    }
    let index = &answer.index;
    let note = if index.complete { "" } else { ", index not up to date" };
    writeln!(
        out,
        "{}",
        paint.dim(&format!(
            "{} hits in {} files, {took_ms:.0} ms{note}",
            answer.hits.len(),
            index.files
        ))
    )
}

fn heading(
    out: &mut impl Write,
    paint: &Paint,
    place: usize,
    hit: &Hit,
    best: f32,
) -> io::Result<()> {
    let full = ((hit.score / best) * BAR as f32).round().clamp(0.0, BAR as f32) as usize;
    let bar = format!("{}{}", "█".repeat(full), "░".repeat(BAR - full));
    let spot = format!("{}:{}-{}", hit.path, hit.start_line, hit.end_line);
    write!(out, "{place:>2} {} {bar} {:.2}", paint.path(&spot), hit.score)?;
    match &hit.symbol {
        Some(symbol) => writeln!(out, "\n   {} {}", paint.dim(&hit.kind), paint.name(symbol)),
        None => writeln!(out),
    }
}

fn lines(
    out: &mut impl Write,
    paint: &Paint,
    highlighter: &Highlighter,
    hit: &Hit,
) -> io::Result<()> {
    let best = super::best_line(hit);
    let first = best.saturating_sub(SHOWN / 2).max(hit.start_line);
    let last = (first + SHOWN - 1).min(hit.end_line);
    let numbered = hit.snippet.lines().zip(hit.start_line..);
    for (text, number) in numbered.filter(|(_, number)| (first..=last).contains(number)) {
        let text = clip(text, 160);
        writeln!(
            out,
            "   {} {}",
            paint.dim(&format!("{number:>5}")),
            paint.matches(text, highlighter)
        )?;
    }
    Ok(())
}

fn clip(text: &str, limit: usize) -> &str {
    &text[..text.floor_char_boundary(limit)]
}

/// Colours, or none.
struct Paint {
    colour: bool,
}

impl Paint {
    /// Colours on a terminal, unless NO_COLOR is set or the terminal is dumb.
    fn for_stdout() -> Paint {
        let refused = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
        let dumb = std::env::var_os("TERM").is_some_and(|term| term == "dumb");
        Paint { colour: io::stdout().is_terminal() && !refused && !dumb }
    }

    fn wrap(&self, code: &str, text: &str) -> String {
        if self.colour { format!("\x1b[{code}m{text}\x1b[0m") } else { text.to_owned() }
    }

    fn path(&self, text: &str) -> String {
        self.wrap("35", text)
    }

    fn name(&self, text: &str) -> String {
        self.wrap("1", text)
    }

    fn dim(&self, text: &str) -> String {
        self.wrap("2", text)
    }

    fn matches(&self, text: &str, highlighter: &Highlighter) -> String {
        let mut painted = String::with_capacity(text.len());
        let mut at = 0;
        for range in highlighter.matches(text) {
            painted.push_str(&text[at..range.start]);
            painted.push_str(&self.wrap("1;33", &text[range.clone()]));
            at = range.end;
        }
        painted.push_str(&text[at..]);
        painted
    }
}

//! Hits for people: where, what, how good, and the lines that matter.

use std::io::{self, IsTerminal, Write};
use std::sync::OnceLock;

use wherein_engine::search::answer::{Answer, Hit};
use wherein_engine::search::highlight::Highlighter;
use wherein_engine::search::query::Query;

use super::{also_at, best_line, blame, explanation, symbol, visible};

/// Lines of a hit shown around its best one.
const SHOWN: u32 = 5;
const BAR: usize = 10;
/// Copies of a hit that are named.
const COPIES: usize = 3;

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
        if let Some(copies) = also_at(hit, COPIES) {
            writeln!(out, "   {}", paint.dim(&copies))?;
        }
        for (number, text) in shown(hit, query) {
            line(out, &paint, &highlighter, number, text)?;
        }
        if let Some(origin) = blame::origin(hit) {
            writeln!(out, "   {}", paint.dim(&origin))?;
        }
        if query.explain {
            explanation(out, hit)?;
        }
        writeln!(out)?;
    }
    let index = &answer.index;
    let tokens =
        answer.tokens.map_or(String::new(), |it| format!("{} of {} tokens, ", it.used, it.budget));
    let note = if index.complete { "" } else { ", index not up to date" };
    writeln!(
        out,
        "{}",
        paint.dim(&format!(
            "{} hits in {} files, {tokens}{took_ms:.0} ms{note}",
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
    let spot = format!("{}:{}-{}", visible::name(&hit.path), hit.start_line, hit.end_line);
    let worth = match hit.confidence {
        Some(sure) => format!("{:.0} %", 100.0 * sure),
        None => format!("{:.2}", hit.score),
    };
    write!(out, "{place:>2} {} {bar} {worth}", paint.path(&spot))?;
    match symbol(hit) {
        Some(symbol) => writeln!(out, "\n   {} {}", paint.dim(&hit.kind), paint.name(&symbol)),
        None => writeln!(out),
    }
}

/// The few lines around the best one, or all that the question asked for.
fn shown<'h>(hit: &'h Hit, query: &Query) -> Vec<(Option<u32>, &'h str)> {
    let mut numbered = hit.numbered();
    if query.context.is_none() && query.budget.is_none() {
        let first = best_line(hit).0.saturating_sub(SHOWN / 2).max(hit.start_line);
        let few = first..first + SHOWN;
        numbered.retain(|(number, _)| number.is_some_and(|number| few.contains(&number)));
    }
    numbered
}

fn line(
    out: &mut impl Write,
    paint: &Paint,
    highlighter: &Highlighter,
    number: Option<u32>,
    text: &str,
) -> io::Result<()> {
    let number = number.map_or(String::new(), |number| number.to_string());
    let text = paint.matches(&visible::line(clip(text, 160)), highlighter);
    writeln!(out, "   {} {text}", paint.dim(&format!("{number:>5}")))
}

fn clip(text: &str, limit: usize) -> &str {
    &text[..text.floor_char_boundary(limit)]
}

/// Colours, or none.
#[derive(Clone, Copy)]
pub struct Paint {
    /// Whether there are any.
    pub colour: bool,
}

/// What the user wants, whatever the terminal: set once, before anything is printed.
static WANTED: OnceLock<bool> = OnceLock::new();

impl Paint {
    /// Takes the user's wish: "always", "never", or whatever suits.
    pub fn choose(wish: Option<&str>) {
        match wish {
            Some("always") => drop(WANTED.set(true)),
            Some("never") => drop(WANTED.set(false)),
            _ => {}
        }
    }

    /// As the user wants it, or colours on a terminal, unless NO_COLOR is set or it is dumb.
    pub fn for_stdout() -> Paint {
        let refused = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
        let dumb = std::env::var_os("TERM").is_some_and(|term| term == "dumb");
        let suits = || io::stdout().is_terminal() && !refused && !dumb;
        Paint { colour: WANTED.get().copied().unwrap_or_else(suits) }
    }

    fn wrap(&self, code: &str, text: &str) -> String {
        if self.colour { format!("\x1b[{code}m{text}\x1b[0m") } else { text.to_owned() }
    }

    pub fn path(&self, text: &str) -> String {
        self.wrap("35", text)
    }

    pub fn name(&self, text: &str) -> String {
        self.wrap("1", text)
    }

    pub fn dim(&self, text: &str) -> String {
        self.wrap("2", text)
    }

    /// A part of a text that matches.
    pub fn mark(&self, text: &str) -> String {
        self.wrap("1;33", text)
    }

    fn matches(&self, text: &str, highlighter: &Highlighter) -> String {
        let mut painted = String::with_capacity(text.len());
        let mut at = 0;
        for range in highlighter.matches(text) {
            painted.push_str(&text[at..range.start]);
            painted.push_str(&self.mark(&text[range.clone()]));
            at = range.end;
        }
        painted.push_str(&text[at..]);
        painted
    }
}

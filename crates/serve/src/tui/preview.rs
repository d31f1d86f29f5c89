//! From a hit to lines for the eye: numbered, tinted by what they are, marked where they match.
//!
//! Lines come from whoever wrote the tree: nothing in them that a terminal obeys gets through.

use std::ops::Range;

use ratatui::style::{Color, Modifier, Style};
use ratatui::text::{Line, Span};
use wherein_corpus::{Language, Tint, Token, highlight};
use wherein_engine::search::answer::Hit;
use wherein_engine::search::highlight::Highlighter;
use wherein_engine::search::query::Query;

use crate::cli::output::Paint;
use crate::cli::output::visible;

/// What a tab is shown as.
const TAB: &str = "    ";
/// A line is cut here; nobody reads more of it in a preview.
const MOST_BYTES: usize = 400;

/// The lines of a hit, and which of them is the best.
pub fn preview(hit: &Hit, query: &Query, paint: Paint) -> (Vec<Line<'static>>, usize) {
    let tokens = match Language::named(&hit.language) {
        Some(language) if paint.colour => highlight(&hit.snippet, language),
        _ => Vec::new(),
    };
    let highlighter = Highlighter::new(query);
    let start = hit.snippet.as_ptr() as usize;
    let numbered = hit.numbered();
    let best = hit.best_lines.first();
    let at = numbered.iter().position(|(number, _)| number.is_some() && number.as_ref() == best);
    let lines = numbered.into_iter().map(|(number, text)| {
        let text = &text[..text.floor_char_boundary(MOST_BYTES)];
        let offset = text.as_ptr() as usize - start;
        let number = number.map_or(String::new(), |number| number.to_string());
        let mut spans = vec![Span::styled(format!("{number:>5} "), dim(paint))];
        spans.extend(pieces(text, offset, &tokens, &highlighter.matches(text), paint));
        Line::from(spans)
    });
    (lines.collect(), at.unwrap_or(0))
}

/// A line cut where its style changes.
fn pieces(
    text: &str,
    offset: usize,
    tokens: &[Token],
    matches: &[Range<usize>],
    paint: Paint,
) -> Vec<Span<'static>> {
    let end = offset + text.len();
    let first = tokens.partition_point(|token| token.end <= offset);
    let here = tokens[first..].iter().take_while(|token| token.start < end);
    let tints: Vec<(Range<usize>, Tint)> = here
        .map(|it| (it.start.saturating_sub(offset)..(it.end - offset).min(text.len()), it.tint))
        .collect();
    let ranges = tints.iter().map(|(range, _)| range).chain(matches);
    let mut cuts: Vec<usize> =
        ranges.flat_map(|it| [it.start, it.end]).chain([0, text.len()]).collect();
    cuts.sort_unstable();
    cuts.dedup();
    let span = |cut: &[usize]| {
        let tint = tints.iter().find(|(range, _)| range.contains(&cut[0])).map(|(_, tint)| *tint);
        let marked = matches.iter().any(|range| range.contains(&cut[0]));
        let text = text.get(cut[0]..cut[1]).unwrap_or_default();
        Span::styled(visible::line(text).replace('\t', TAB), style(tint, marked, paint))
    };
    cuts.windows(2).map(span).collect()
}

fn style(tint: Option<Tint>, marked: bool, paint: Paint) -> Style {
    let plain = match tint {
        _ if !paint.colour => Style::new(),
        None => Style::new(),
        Some(Tint::Comment) => Style::new().fg(Color::DarkGray),
        Some(Tint::String) => Style::new().fg(Color::Green),
        Some(Tint::Number | Tint::Property) => Style::new().fg(Color::Cyan),
        Some(Tint::Keyword) => Style::new().fg(Color::Magenta),
        Some(Tint::Type) => Style::new().fg(Color::Yellow),
        Some(Tint::Function) => Style::new().fg(Color::Blue),
    };
    match marked {
        true => plain.add_modifier(Modifier::BOLD | Modifier::UNDERLINED),
        false => plain,
    }
}

/// For what is beside the point.
pub fn dim(paint: Paint) -> Style {
    match paint.colour {
        true => Style::new().fg(Color::DarkGray),
        false => Style::new().add_modifier(Modifier::DIM),
    }
}

//! From what there is to show to cells of the terminal.
//!
//! Wide screens have hits and preview side by side, narrow ones the preview below; both fit into
//! forty columns and ten lines. All text goes through [`visible`] first.

use ratatui::Frame;
use ratatui::layout::{Constraint, Layout, Position, Rect};
use ratatui::style::{Color, Modifier, Style};
use ratatui::text::{Line, Span};
use wherein_engine::search::answer::Hit;
use wherein_engine::search::query::Mode;

use super::preview::{dim, preview};
use super::state::State;
use crate::cli::output::{Paint, visible};

/// From this width on, hits and preview stand side by side.
const WIDE: u16 = 100;

/// Draws everything.
pub fn draw(frame: &mut Frame, state: &mut State) {
    let area = frame.area();
    let [question, body, status] =
        Layout::vertical([Constraint::Length(1), Constraint::Fill(1), Constraint::Length(1)])
            .areas(area);
    let (hits, lines) = parts(body);
    draw_question(frame, question, state);
    draw_hits(frame, hits, state);
    draw_preview(frame, lines, state);
    frame.render_widget(
        Line::styled(fit(&status_line(state), status.width), dim(state.paint)),
        status,
    );
}

/// Where the hits are, and where the lines of the one that is looked at.
fn parts(body: Rect) -> (Rect, Rect) {
    if body.width >= WIDE {
        let [hits, _, lines] = Layout::horizontal([
            Constraint::Percentage(40),
            Constraint::Length(1),
            Constraint::Fill(1),
        ])
        .areas(body);
        return (hits, lines);
    }
    let [hits, lines] =
        Layout::vertical([Constraint::Percentage(40), Constraint::Fill(1)]).areas(body);
    (hits, lines)
}

/// The end of a question that is longer than the line is what is being typed.
fn draw_question(frame: &mut Frame, area: Rect, state: &State) {
    let prompt = format!("{}> ", name(state.query.mode));
    let before = visible::name(state.input.before()).into_owned();
    let all = visible::name(state.input.text()).into_owned();
    let room = area.width.saturating_sub(prompt.len() as u16 + 1) as usize;
    let cursor = Span::raw(&before).width();
    let hidden = cursor.saturating_sub(room);
    let shown = drop_columns(&all, hidden);
    let line = Line::from(vec![Span::styled(prompt.clone(), bold()), Span::raw(shown)]);
    frame.render_widget(line, area);
    let x = area.x + prompt.len() as u16 + (cursor - hidden) as u16;
    frame.set_cursor_position(Position::new(x.min(area.right().saturating_sub(1)), area.y));
}

fn draw_hits(frame: &mut Frame, area: Rect, state: &State) {
    let Some(answer) = &state.answer else {
        let hint = match state.is_waiting() {
            true => "searching …",
            false => "Type what you are looking for: words, a name, code, an error.",
        };
        return frame.render_widget(Line::styled(hint, dim(state.paint)), area);
    };
    let rows = area.height as usize;
    let first = (state.selected + 1).saturating_sub(rows);
    for (row, (place, hit)) in answer.hits.iter().enumerate().skip(first).take(rows).enumerate() {
        let line = hit_line(hit, area.width, state.paint);
        let line = match place == state.selected {
            true => line.patch_style(Style::new().add_modifier(Modifier::REVERSED)),
            false => line,
        };
        let y = area.y + row as u16;
        frame.render_widget(line, Rect { y, height: 1, ..area });
    }
}

/// How sure, where, what; of a path that is too long, its end.
fn hit_line(hit: &Hit, width: u16, paint: Paint) -> Line<'static> {
    let sure = hit.confidence.map_or(String::new(), |sure| format!("{:>3.0}% ", 100.0 * sure));
    let place = format!("{}:{}", visible::name(&hit.path), hit.start_line);
    let symbol = hit.symbol.as_deref().map(|name| visible::name(name).into_owned());
    let symbol = symbol.map_or(String::new(), |symbol| format!(" {symbol}"));
    let room = (width as usize).saturating_sub(sure.len());
    let least = room.min(18.max(room / 2));
    let taken = Span::raw(&place).width();
    let place = match taken + Span::raw(&symbol).width() <= room {
        true => place,
        false => tail(&place, least.max(room.saturating_sub(Span::raw(&symbol).width()))),
    };
    let path = match paint.colour {
        true => Style::new().fg(Color::Magenta),
        false => Style::new(),
    };
    Line::from(vec![
        Span::styled(sure, dim(paint)),
        Span::styled(place, path),
        Span::styled(symbol, bold()),
    ])
}

fn draw_preview(frame: &mut Frame, area: Rect, state: &mut State) {
    let Some(hit) = state.hit() else { return };
    if area.height == 0 {
        return;
    }
    let title = format!("{}:{}-{}", visible::name(&hit.path), hit.start_line, hit.end_line);
    let title = tail(&title, area.width as usize);
    let (lines, best) = preview(hit, &state.query, state.paint);
    let rows = area.height as usize - 1;
    let last = lines.len().saturating_sub(rows) as i32;
    let usual = best.saturating_sub(rows / 3) as i32;
    let first = (usual + state.scroll).clamp(0, last);
    // Keys that would move it beyond its ends are forgotten.
    state.scroll = first - usual;
    frame.render_widget(Line::styled(title, bold()), Rect { height: 1, ..area });
    for (row, line) in lines.into_iter().skip(first as usize).take(rows).enumerate() {
        frame.render_widget(line, Rect { y: area.y + 1 + row as u16, height: 1, ..area });
    }
}

fn status_line(state: &State) -> String {
    if let Some(note) = &state.note {
        return visible::name(note).into_owned();
    }
    let keys = "↑↓ hits  Enter edit  Tab mode  Esc leave";
    let Some(answer) = &state.answer else { return keys.to_owned() };
    if let Some(because) = &answer.nothing_because {
        return format!("nothing found: {}", visible::name(because));
    }
    let found = match &answer.dense_off_because {
        Some(because) => format!("by words only: {}", visible::name(because)),
        None => format!("{} hits, {} ms", answer.hits.len(), state.took.as_millis()),
    };
    format!("{found}  {keys}")
}

fn name(mode: Mode) -> &'static str {
    match mode {
        Mode::Lexical => "words",
        Mode::Dense => "meaning",
        Mode::Hybrid => "both",
    }
}

fn bold() -> Style {
    Style::new().add_modifier(Modifier::BOLD)
}

/// As much of the beginning as fits.
fn fit(text: &str, width: u16) -> String {
    let mut room = width as usize;
    let fits = |c: &char| {
        let fits = columns(*c) <= room;
        room = room.saturating_sub(columns(*c));
        fits
    };
    text.chars().take_while(fits).collect()
}

/// As much of the end as fits, with a mark for what is missing.
fn tail(text: &str, width: usize) -> String {
    let all = Span::raw(text).width();
    match all <= width {
        true => text.to_owned(),
        false => format!("…{}", drop_columns(text, all + 1 - width)),
    }
}

/// What is left after so many columns, or one more where a wide letter stands across.
fn drop_columns(text: &str, wanted: usize) -> &str {
    let mut dropped = 0;
    let mut letters = text.chars();
    while dropped < wanted {
        let Some(c) = letters.next() else { break };
        dropped += columns(c);
    }
    letters.as_str()
}

fn columns(c: char) -> usize {
    Span::raw(&*c.encode_utf8(&mut [0; 4])).width()
}

//! What there is to show, and what a key does to it. Nothing here touches the terminal.

use std::time::Duration;

use ratatui::crossterm::event::{Event, KeyCode, KeyEvent, KeyEventKind, KeyModifiers};
use wherein_engine::search::answer::{Answer, Hit};
use wherein_engine::search::query::{Mode, Query};

use super::input::Input;
use super::worker::Found;
use crate::cli::output::Paint;

/// What a key asks for.
#[derive(Debug, PartialEq, Eq)]
pub enum Action {
    /// The screen may have changed.
    Show,
    /// The question changed.
    Ask,
    /// Open the hit.
    Open,
    /// End.
    Leave,
}

/// Everything on the screen.
pub struct State {
    /// What is being typed.
    pub input: Input,
    /// How questions are asked; its text is that of the last answer.
    pub query: Query,
    /// The last answer, if one came.
    pub answer: Option<Answer>,
    /// How long it took.
    pub took: Duration,
    /// The hit that is looked at.
    pub selected: usize,
    /// Lines that its preview is moved by.
    pub scroll: i32,
    /// What went wrong.
    pub note: Option<String>,
    /// Number of the last question asked, and of the last one answered.
    pub awaited: u64,
    answered: u64,
    /// Colours, or none.
    pub paint: Paint,
}

impl State {
    /// A screen with nothing but a question on it.
    pub fn new(query: Query, paint: Paint) -> State {
        State {
            input: Input::new(query.text.clone()),
            query,
            answer: None,
            took: Duration::ZERO,
            selected: 0,
            scroll: 0,
            note: None,
            awaited: 0,
            answered: 0,
            paint,
        }
    }

    /// What to ask now; nothing while nothing is typed, and then the old answer goes.
    pub fn question(&mut self) -> Option<Query> {
        let text = self.input.text();
        if text.trim().is_empty() {
            (self.answer, self.answered, self.selected) = (None, self.awaited, 0);
            return None;
        }
        Some(Query { text: text.to_owned(), ..self.query.clone() })
    }

    /// Whether an answer is on its way.
    pub fn is_waiting(&self) -> bool {
        self.answered < self.awaited
    }

    /// Takes an answer, unless a later question has been answered or everything was cleared.
    pub fn take(&mut self, found: Found) {
        if found.number <= self.answered {
            return;
        }
        (self.answered, self.took) = (found.number, found.took);
        match found.answer {
            Ok(answer) => {
                if found.query != self.query {
                    (self.selected, self.scroll) = (0, 0);
                }
                self.selected = self.selected.min(answer.hits.len().saturating_sub(1));
                self.query.text = found.query.text;
                self.answer = Some(answer);
            }
            Err(why) => self.note = Some(why),
        }
    }

    /// The hit that is looked at.
    pub fn hit(&self) -> Option<&Hit> {
        self.answer.as_ref()?.hits.get(self.selected)
    }

    /// Its file, and the line to land on.
    pub fn place(&self) -> Option<(String, u32)> {
        let hit = self.hit()?;
        Some((hit.path.clone(), hit.best_lines.first().copied().unwrap_or(hit.start_line)))
    }

    /// What to do about something that happened at the terminal.
    pub fn event(&mut self, event: Event) -> Action {
        match event {
            Event::Key(key) if key.kind != KeyEventKind::Release => self.key(key),
            Event::Paste(text) => self.edit(|input| input.insert(&text)),
            _ => Action::Show,
        }
    }

    fn key(&mut self, key: KeyEvent) -> Action {
        self.note = None;
        if key.modifiers.contains(KeyModifiers::CONTROL) {
            return self.control(key.code);
        }
        match key.code {
            KeyCode::Esc => Action::Leave,
            KeyCode::Enter if self.hit().is_some() => Action::Open,
            KeyCode::Up => self.select(-1),
            KeyCode::Down => self.select(1),
            KeyCode::PageUp => self.scroll(-5),
            KeyCode::PageDown => self.scroll(5),
            KeyCode::Tab => self.switch(),
            KeyCode::Left => self.moved(Input::left),
            KeyCode::Right => self.moved(Input::right),
            KeyCode::Home => self.moved(Input::home),
            KeyCode::End => self.moved(Input::end),
            KeyCode::Backspace => self.edit(Input::backspace),
            KeyCode::Delete => self.edit(Input::delete),
            KeyCode::Char(letter) => {
                self.edit(|input| input.insert(letter.encode_utf8(&mut [0; 4])))
            }
            _ => Action::Show,
        }
    }

    fn control(&mut self, code: KeyCode) -> Action {
        match code {
            KeyCode::Char('c') => Action::Leave,
            KeyCode::Char('p') => self.select(-1),
            KeyCode::Char('n') => self.select(1),
            KeyCode::Char('a') => self.moved(Input::home),
            KeyCode::Char('e') => self.moved(Input::end),
            KeyCode::Char('u') => self.edit(Input::clear),
            KeyCode::Char('w') => self.edit(Input::drop_word),
            _ => Action::Show,
        }
    }

    fn edit(&mut self, change: impl FnOnce(&mut Input)) -> Action {
        change(&mut self.input);
        Action::Ask
    }

    fn moved(&mut self, change: impl FnOnce(&mut Input)) -> Action {
        change(&mut self.input);
        Action::Show
    }

    fn select(&mut self, by: isize) -> Action {
        let hits = self.answer.as_ref().map_or(0, |answer| answer.hits.len());
        self.selected = self.selected.saturating_add_signed(by).min(hits.saturating_sub(1));
        self.scroll = 0;
        Action::Show
    }

    fn scroll(&mut self, by: i32) -> Action {
        self.scroll += by;
        Action::Show
    }

    fn switch(&mut self) -> Action {
        self.query.mode = match self.query.mode {
            Mode::Hybrid => Mode::Lexical,
            Mode::Lexical => Mode::Dense,
            Mode::Dense => Mode::Hybrid,
        };
        Action::Ask
    }
}

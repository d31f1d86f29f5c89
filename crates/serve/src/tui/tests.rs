//! The screen as it is drawn, for real answers over a small tree.

use std::fs;
use std::time::Duration;

use ratatui::Terminal;
use ratatui::backend::TestBackend;
use ratatui::crossterm::event::{Event, KeyCode, KeyEvent, KeyModifiers};
use ratatui::style::Color;
use wherein_engine::search::query::{Mode, Query};
use wherein_engine::{Meaning, Settings, Snapshot, Store, refresh, search};

use super::draw::draw;
use super::state::{Action, State};
use super::worker::Found;
use crate::cli::output::Paint;

const FILES: &[(&str, &str)] = &[
    (
        "src/upload.py",
        "import time\n\n\ndef retry_upload(name):\n    # again\n    return send(\"x\")\n",
    ),
    (
        "a/rather/long/way/down/to/upload_queue.py",
        "def upload_queue():\n\treturn '\x1b[31m\u{202e}'\n",
    ),
];

/// A screen of some size with the answer to a question on it.
struct Shown {
    state: State,
    terminal: Terminal<TestBackend>,
}

impl Shown {
    fn new(question: &str, width: u16, height: u16, colour: bool) -> Shown {
        let query = Query { mode: Mode::Lexical, ..Query::new(question) };
        let terminal = Terminal::new(TestBackend::new(width, height)).unwrap();
        let mut shown = Shown { state: State::new(query, Paint { colour }), terminal };
        if let Some(query) = shown.state.question() {
            shown.state.awaited = 1;
            shown.state.take(found(query));
        }
        shown.draw();
        shown
    }

    fn draw(&mut self) {
        self.terminal.draw(|frame| draw(frame, &mut self.state)).unwrap();
    }

    fn press(&mut self, code: KeyCode) -> Action {
        let action = self.state.event(Event::Key(KeyEvent::new(code, KeyModifiers::NONE)));
        self.draw();
        action
    }

    fn press_often(&mut self, code: KeyCode, times: usize) {
        for _ in 0..times {
            self.press(code);
        }
    }

    fn rows(&self) -> Vec<String> {
        let buffer = self.terminal.backend().buffer();
        let row = |cells: &[ratatui::buffer::Cell]| -> String {
            cells.iter().map(|cell| cell.symbol()).collect::<String>().trim_end().to_owned()
        };
        buffer.content.chunks(buffer.area.width as usize).map(row).collect()
    }

    #[track_caller]
    fn check(&self, expected: &str) {
        let rows = self.rows();
        assert!(rows.iter().any(|row| row.contains(expected)), "no {expected:?} in {rows:#?}");
    }
}

fn found(query: Query) -> Found {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path().join("tree");
    for (path, text) in FILES {
        let path = root.join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    let place = Store::at(folder.path().join("index")).tree(&root);
    refresh(&place, &Settings::default(), &|_, _| {}).unwrap();
    let answer = search(&Snapshot::open(&place).unwrap(), &Meaning::Off("of this test"), &query);
    Found { number: 1, query, answer: Ok(answer.unwrap()), took: Duration::from_millis(7) }
}

#[test]
fn a_small_screen_has_question_hits_lines_and_keys() {
    let shown = Shown::new("retry_upload", 40, 10, true);
    let rows = shown.rows();
    assert_eq!(rows[0], "words> retry_upload");
    assert_eq!(rows[1], "src/upload.py:1 retry_upload");
    shown.check("src/upload.py:1-6");
    shown.check("    4 def retry_upload(name):");
    assert!(
        rows[9].starts_with("2 hits, 7 ms  ↑↓ hits") || rows[9].starts_with("1 hits"),
        "{rows:?}"
    );
}

#[test]
fn a_wide_screen_has_them_side_by_side() {
    let shown = Shown::new("retry_upload", 120, 20, true);
    let row = &shown.rows()[1];
    assert!(
        row.starts_with("src/upload.py:1 retry_upload") && row.ends_with("src/upload.py:1-6"),
        "{row}"
    );
}

#[test]
fn nothing_a_terminal_obeys_is_drawn() {
    let mut shown = Shown::new("upload_queue", 40, 12, true);
    shown.check("\\x1b[31m\\u{202e}");
    shown.check("to/upload_queue.py:1");
    shown.state.event(Event::Paste("\x1b]0;x\x07\nrm".to_owned()));
    shown.draw();
    shown.check("\\x1b]0;x\\x07\\nrm");
    for cell in &shown.terminal.backend().buffer().content {
        assert!(!cell.symbol().contains(|c: char| c.is_control() || c == '\u{202e}'));
    }
}

#[test]
fn colours_are_there_unless_refused() {
    let colours = |colour| {
        let shown = Shown::new("retry_upload", 80, 20, colour);
        let cells = &shown.terminal.backend().buffer().content;
        cells.iter().filter(|cell| cell.fg != Color::Reset || cell.bg != Color::Reset).count()
    };
    assert!(colours(true) > 0);
    assert_eq!(colours(false), 0);
}

#[test]
fn keys_move_edit_switch_open_and_leave() {
    let mut shown = Shown::new("upload", 40, 12, false);
    assert_eq!(shown.state.answer.as_ref().unwrap().hits.len(), 2);
    let first = shown.state.place().unwrap();
    assert_eq!(shown.press(KeyCode::Up), Action::Show);
    assert_eq!(shown.state.place().unwrap(), first);
    shown.press_often(KeyCode::Down, 3);
    assert_ne!(shown.state.place().unwrap(), first);
    assert_eq!(shown.press(KeyCode::Enter), Action::Open);
    for word in ["meaning>", "both>", "words>"] {
        assert_eq!(shown.press(KeyCode::Tab), Action::Ask);
        shown.check(word);
    }
    assert_eq!(shown.press(KeyCode::Char('s')), Action::Ask);
    shown.check("words> uploads");
    assert_eq!(shown.press(KeyCode::Esc), Action::Leave);
    shown.press_often(KeyCode::PageDown, 50);
    shown.press_often(KeyCode::PageUp, 50);
    shown.press_often(KeyCode::Backspace, 7);
    assert!(shown.state.question().is_none());
    shown.draw();
    shown.check("Type what you are");
    assert_eq!(shown.press(KeyCode::Enter), Action::Show);
}

#[test]
fn every_size_can_be_drawn() {
    for (width, height) in [(1, 1), (3, 2), (10, 3), (40, 10), (99, 5), (100, 3), (300, 80)] {
        let long = "größe 漢字 upload ".repeat(30);
        let shown = Shown::new(&long, width, height, true);
        assert_eq!(shown.rows().len(), height as usize);
    }
}

#[test]
fn an_older_answer_never_takes_the_place_of_a_newer_one() {
    let mut shown = Shown::new("retry_upload", 40, 10, false);
    let old = Found { number: 1, ..found(Query::new("upload_queue")) };
    shown.state.take(old);
    shown.draw();
    shown.check("src/upload.py:1-6");
    assert!(!shown.state.is_waiting());
}

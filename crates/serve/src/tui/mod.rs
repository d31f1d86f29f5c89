//! `wherein tui`: type, see hits and their lines change, jump to the editor.
//!
//! In: keys, and answers from a thread that searches. Out: a screen, and an editor at a line. The
//! index is opened before the screen is entered and again after each visit to the editor; nothing
//! here writes a file.
//!
//! ```text
//! screen.rs   the terminal, entered and left whatever happens
//! state.rs    a key or an answer → what there is to show, and what to do
//! input.rs    the question being typed
//! worker.rs   the last question → its answer
//! draw.rs     what there is to show → cells
//! preview.rs  a hit → tinted lines
//! editor.rs   a place → a command
//! ```

mod draw;
mod editor;
mod input;
mod preview;
mod screen;
mod state;
#[cfg(test)]
mod tests;
mod worker;

use std::io::{self, IsTerminal};
use std::sync::Arc;
use std::time::Duration;

use anyhow::bail;
use clap::Args;
use ratatui::crossterm::event;
use wherein_engine::search::query::Query;

use crate::cli::Outcome;
use crate::cli::output::Paint;
use crate::cli::page::{ModeArg, PlaceArgs, WithinArgs};
use crate::cli::tree::{self, Tree};
use crate::config::Config;
use draw::draw;
use screen::Screen;
use state::{Action, State};
use worker::Worker;

/// Between two looks for an answer while one is on its way, and while none is.
const SOON: Duration = Duration::from_millis(10);
const IDLE: Duration = Duration::from_millis(100);
/// For what was typed already; with no time at all crossterm does not look.
const AT_ONCE: Duration = Duration::from_millis(1);
/// Hits on the list unless the user says otherwise.
const LIMIT: usize = 30;

/// What to search, and how.
#[derive(Args, Debug)]
#[command(after_help = "Keys:
  ↑ ↓ (Ctrl-P, Ctrl-N)    another hit            Enter   open it in your editor
  PageUp, PageDown        more of its lines      Tab     by words, by meaning, both
  Ctrl-U, Ctrl-W          clear, drop a word     Esc     leave

The editor is $WHEREIN_EDITOR, the key 'editor' of your config.toml, $VISUAL, $EDITOR or vi.

Examples:
  wherein tui
  wherein tui retry upload --lang rust")]
pub struct TuiArgs {
    /// A question to begin with.
    #[arg(value_name = "QUERY")]
    pub words: Vec<String>,

    /// Search by words, by meaning, or both, to begin with.
    #[arg(long, value_enum, default_value_t = ModeArg::Hybrid)]
    pub mode: ModeArg,

    /// How many hits to list at most: 30 unless given.
    #[arg(short = 'k', long = "limit", value_name = "N")]
    pub limit: Option<usize>,

    #[command(flatten)]
    pub within: WithinArgs,

    #[command(flatten)]
    pub place: PlaceArgs,
}

impl TuiArgs {
    fn query(&self) -> Query {
        Query {
            mode: self.mode.into(),
            limit: self.limit.unwrap_or(LIMIT),
            ..self.within.query(self.words.join(" "))
        }
    }
}

/// Runs until the user leaves.
pub fn run(args: &TuiArgs) -> anyhow::Result<Outcome> {
    if !io::stdin().is_terminal() || !io::stdout().is_terminal() {
        bail!("the terminal interface needs a terminal; in a pipe ask 'wherein QUERY'");
    }
    let query = args.query();
    wherein_engine::search::check(&Query { text: "x".to_owned(), ..query.clone() })?;
    let root = args.within.root.as_deref();
    let tree = Arc::new(Tree::around(root, &args.place)?);
    let editor = editor::wanted(&Config::read(Some(&tree::root(root)?))?);
    let mut session = Session {
        snapshot: Arc::new(tree.open()?.snapshot),
        worker: Worker::start(tree.clone()),
        state: State::new(query, Paint::for_stdout()),
        tree,
        editor,
    };
    session.ask();
    let mut screen = Screen::enter()?;
    session.attend(&mut screen)?;
    Ok(Outcome::Found)
}

/// One visit.
struct Session {
    tree: Arc<Tree>,
    snapshot: Arc<wherein_engine::Snapshot>,
    worker: Worker,
    state: State,
    editor: String,
}

impl Session {
    fn attend(&mut self, screen: &mut Screen) -> anyhow::Result<()> {
        loop {
            screen.terminal.draw(|frame| draw(frame, &mut self.state))?;
            if !self.wait(screen)? {
                return Ok(());
            }
        }
    }

    /// Waits until there is something new to show; false if it is time to leave.
    fn wait(&mut self, screen: &mut Screen) -> anyhow::Result<bool> {
        loop {
            if screen.is_to_end() {
                return Ok(false);
            }
            if let Some(found) = self.worker.found()? {
                self.state.take(found);
                return Ok(true);
            }
            if event::poll(if self.state.is_waiting() { SOON } else { IDLE })? {
                return self.obey(screen);
            }
        }
    }

    /// Reads all that was typed before anything is drawn or asked: a paste may come key by key.
    fn obey(&mut self, screen: &mut Screen) -> anyhow::Result<bool> {
        let mut asks = false;
        loop {
            match self.state.event(event::read()?) {
                Action::Leave => return Ok(false),
                Action::Open => self.open(screen)?,
                Action::Ask => asks = true,
                Action::Show => {}
            }
            if !event::poll(AT_ONCE)? {
                break;
            }
        }
        if asks {
            self.ask();
        }
        Ok(true)
    }

    fn ask(&mut self) {
        if let Some(query) = self.state.question() {
            self.state.awaited = self.worker.ask(query, self.snapshot.clone());
        }
    }

    /// Lets the user edit, and looks at the tree again: something may have changed.
    fn open(&mut self, screen: &mut Screen) -> anyhow::Result<()> {
        let Some((path, line)) = self.state.place() else { return Ok(()) };
        let path = self.tree.place.root.join(path);
        let (editor, tree) = (&self.editor, &self.tree);
        let (edited, opened) = screen.aside(|| (editor::open(editor, &path, line), tree.open()))?;
        self.state.note = edited.err().map(|error| format!("{error:#}"));
        match opened {
            Ok(opened) => self.snapshot = Arc::new(opened.snapshot),
            Err(error) => self.state.note = Some(format!("{error:#}")),
        }
        self.ask();
        Ok(())
    }
}

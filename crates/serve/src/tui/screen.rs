//! The terminal: entered once, and given back as it was, whatever happens.
//!
//! A panic, an error and a signal to end all come by here before anything is printed.

use std::io::{self, Stdout, Write};
use std::panic;
use std::sync::Arc;
use std::sync::Once;
use std::sync::atomic::{AtomicUsize, Ordering};

use ratatui::Terminal;
use ratatui::backend::CrosstermBackend;
use ratatui::crossterm::cursor::Show;
use ratatui::crossterm::event::{DisableBracketedPaste, EnableBracketedPaste};
use ratatui::crossterm::execute;
use ratatui::crossterm::terminal::{
    EnterAlternateScreen, LeaveAlternateScreen, disable_raw_mode, enable_raw_mode,
};

/// The screen while it is ours.
pub struct Screen {
    /// What is drawn on.
    pub terminal: Terminal<CrosstermBackend<Stdout>>,
    /// The signal that asked us to end, 0 for none.
    signal: Arc<AtomicUsize>,
}

impl Screen {
    /// Takes the terminal over.
    pub fn enter() -> io::Result<Screen> {
        restore_on_panic();
        let signal = Arc::new(AtomicUsize::new(0));
        listen(&signal)?;
        let entered = enter().and_then(|()| Terminal::new(CrosstermBackend::new(io::stdout())));
        match entered {
            Ok(terminal) => Ok(Screen { terminal, signal }),
            Err(error) => {
                leave();
                Err(error)
            }
        }
    }

    /// Whether someone asked this process to end.
    pub fn is_to_end(&self) -> bool {
        self.signal.load(Ordering::Relaxed) != 0
    }

    /// Does something with the terminal as it was before.
    pub fn aside<T>(&mut self, work: impl FnOnce() -> T) -> io::Result<T> {
        leave();
        let done = work();
        // An interrupt at the editor was meant for the editor.
        self.signal.store(0, Ordering::Relaxed);
        enter()?;
        // To clear the old one would ask the terminal where its cursor is, and not all answer.
        self.terminal = Terminal::new(CrosstermBackend::new(io::stdout()))?;
        Ok(done)
    }
}

impl Drop for Screen {
    fn drop(&mut self) {
        leave();
        #[cfg(unix)]
        if self.is_to_end() {
            let signal = self.signal.load(Ordering::Relaxed);
            let _ = signal_hook::low_level::emulate_default_handler(signal as i32);
        }
    }
}

fn enter() -> io::Result<()> {
    enable_raw_mode()?;
    execute!(io::stdout(), EnterAlternateScreen, EnableBracketedPaste)
}

/// What fails here fails because the terminal is gone.
fn leave() {
    let _ = execute!(io::stdout(), DisableBracketedPaste, LeaveAlternateScreen, Show);
    let _ = disable_raw_mode();
    let _ = io::stdout().flush();
}

/// A panic's message would be lost on a screen that is about to go.
fn restore_on_panic() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let before = panic::take_hook();
        panic::set_hook(Box::new(move |info| {
            leave();
            before(info);
        }));
    });
}

#[cfg(unix)]
fn listen(signal: &Arc<AtomicUsize>) -> io::Result<()> {
    use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
    for number in [SIGHUP, SIGINT, SIGTERM] {
        signal_hook::flag::register_usize(number, signal.clone(), number as usize)?;
    }
    Ok(())
}

#[cfg(not(unix))]
fn listen(_: &Arc<AtomicUsize>) -> io::Result<()> {
    Ok(())
}

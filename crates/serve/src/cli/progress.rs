//! Progress on a terminal, silence in a pipe.

use std::io::IsTerminal;
use std::time::Duration;

use indicatif::{ProgressBar, ProgressStyle};

/// A bar that shows itself only on a terminal.
pub struct Bar(Option<ProgressBar>);

impl Bar {
    /// A bar labelled `what` that counts files.
    pub fn new(what: &'static str) -> Bar {
        Bar::counting(what, "files")
    }

    /// A bar labelled `what` that counts `things`.
    pub fn counting(what: &'static str, things: &str) -> Bar {
        if !std::io::stderr().is_terminal() {
            return Bar(None);
        }
        let bar = ProgressBar::new(0).with_message(what);
        if let Ok(style) = ProgressStyle::with_template(&format!(
            "{{msg}} {{bar:30}} {{pos}}/{{len}} {things} {{eta}}"
        )) {
            bar.set_style(style);
        }
        Bar(Some(bar))
    }

    /// `done` of `total` files are finished.
    pub fn set(&self, done: usize, total: usize) {
        // Drawing costs more than a small file; every 32nd is enough for the eye.
        if let Some(bar) = &self.0
            && (done.is_multiple_of(32) || done == total)
        {
            bar.set_length(total as u64);
            bar.set_position(done as u64);
        }
    }

    /// Shows that we are alive while there is nothing to count.
    pub fn tick(&self) {
        if let Some(bar) = &self.0 {
            bar.set_style(ProgressStyle::default_spinner());
            bar.enable_steady_tick(Duration::from_millis(100));
        }
    }
}

impl Drop for Bar {
    fn drop(&mut self) {
        if let Some(bar) = &self.0 {
            bar.finish_and_clear();
        }
    }
}

use std::fmt::Write;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use crate::queue::{Queue, Stat};

/// Counts since the process started.
#[derive(Debug, Default)]
pub struct Counters {
    pushed: AtomicU64,
    completed: AtomicU64,
    retried: AtomicU64,
    buried: AtomicU64,
    orphaned: AtomicU64,
}

macro_rules! count {
    ($($name:ident),*) => {
        impl Counters {
            $(pub(crate) fn $name(&self) {
                self.$name.fetch_add(1, Relaxed);
            })*
        }
    };
}

count!(pushed, completed, retried, buried, orphaned);

/// What a scraper gets to see.
pub struct Metrics<'q> {
    queue: &'q Queue,
}

impl<'q> Metrics<'q> {
    pub fn of(queue: &'q Queue) -> Self {
        Metrics { queue }
    }

    pub fn render(&self) -> String {
        let Stat { due, asleep, claimed, buried } = self.queue.stat();
        let counters = &self.queue.counters;
        let mut page = String::new();
        for (state, count) in
            [("due", due), ("asleep", asleep), ("claimed", claimed), ("buried", buried)]
        {
            let _ = writeln!(page, "lathe_jobs{{state=\"{state}\"}} {count}");
        }
        for (event, counter) in [
            ("pushed", &counters.pushed),
            ("completed", &counters.completed),
            ("retried", &counters.retried),
            ("buried", &counters.buried),
            ("orphaned", &counters.orphaned),
        ] {
            let _ = writeln!(page, "lathe_events_total{{event=\"{event}\"}} {}", counter.load(Relaxed));
        }
        page
    }
}

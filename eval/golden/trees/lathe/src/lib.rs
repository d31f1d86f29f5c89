//! A durable job queue that lives in a directory.

mod backoff;
mod config;
mod error;
mod job;
mod lease;
mod metrics;
mod queue;
mod schedule;
mod store;
mod wire_types;
mod worker;

#[cfg(feature = "legacy-queue")]
pub mod legacy;

pub use backoff::Backoff;
pub use config::Config;
pub use error::{Error, Failure, Result};
pub use job::{Job, JobId, JobState, NewJob};
pub use metrics::{Counters, Metrics};
pub use queue::{Queue, Stat};
pub use schedule::{Recurrence, Scheduler};
pub use store::{JournalStore, MemoryStore, Store};
pub use worker::Pool;

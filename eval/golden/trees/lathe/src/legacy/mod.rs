//! The queue of 0.4, read-only but for `complete`. Kept until everyone has migrated.

mod queue;

pub use queue::{LegacyJob, Queue};

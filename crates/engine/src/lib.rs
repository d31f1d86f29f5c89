//! From chunks to an index, and from a question to ranked spans.
//!
//! `index` is everything at rest, `grep` what is matched as it is written, `history` what git keeps, `graph` what is connected to what, `search` everything per query. Nothing here knows JSON, the
//! clock, environment variables or the terminal.

pub mod graph;
pub mod grep;
pub mod history;
pub mod index;
pub mod search;

mod error;

pub use error::{Error, Result};
pub use index::refresh::{Bounds, Progress, Work, refresh, refresh_within};
pub use index::settings::Settings;
pub use index::snapshot::Snapshot;
pub use index::store::{Store, TreePlace};
pub use index::vectors::encode::{Encoding, encode};
pub use search::{Meaning, search};

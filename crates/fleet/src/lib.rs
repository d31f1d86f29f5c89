//! Many repositories on a distributed engine.
//!
//! In: git remotes and folders. Out: their chunks in an engine that many machines share, and
//! answers over those that an asker may see. Parsing, vectors, ranking and pages are those of one
//! machine; here is only what a second machine makes necessary: a *catalogue* of repositories with
//! leases on them, a *record* of a file that can travel, the engine's *store*, *sync* from one
//! repository to the store, and *search* that gathers what a question needs.

pub mod access;
pub mod address;
pub mod catalogue;
pub mod counting;
pub mod error;
pub mod linking;
pub mod milvus;
pub mod pull;
mod reach;
pub mod record;
pub mod search;
pub mod sync;
pub mod tls;

pub use error::{Error, Result};

//! Many repositories on a distributed engine.
//!
//! In: git remotes and folders. Out: their chunks in an engine that many machines share, and
//! answers over those that an asker may see. Parsing, vectors, ranking and pages are those of one
//! machine; here is only what a second machine makes necessary: a *catalogue* of repositories with
//! leases on them, a *record* of a file that can travel, the engine's *store*, *sync* from one
//! repository to the store, and *search* that gathers what a question needs.
//!
//! What speaks to the engine stands behind the feature `engine`, because the engine's own client brings
//! packages that nobody needs who has no fleet.

pub mod access;
pub mod address;
pub mod catalogue;
pub mod error;
pub mod pull;
pub mod record;
pub mod tls;

#[cfg(feature = "engine")]
pub mod counting;
#[cfg(feature = "engine")]
pub mod linking;
#[cfg(feature = "engine")]
pub mod milvus;
#[cfg(feature = "engine")]
pub mod search;
#[cfg(feature = "engine")]
pub mod sync;

pub use error::{Error, Result};

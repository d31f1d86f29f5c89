//! What git keeps: commits, trees as they were, who changed what.
//!
//! Everything is read out of the repository by a library; no `git` program is needed, no work tree is
//! touched, and a bare or shallow repository will do. Nothing here knows the clock: what depends on the
//! time is told it.

pub mod blame;
pub mod changes;
pub mod log;
pub mod repository;
pub mod revision;
pub mod when;

pub(crate) mod hunks;
mod renames;

pub use repository::{Commit, Repository};

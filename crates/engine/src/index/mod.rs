//! Everything at rest: how a tree becomes an index and stays one.

pub mod format;
pub mod fresh;
pub mod git;
pub mod lexical;
pub mod linking;
pub mod manifest;
pub mod pack;
pub mod refresh;
pub mod settings;
pub mod snapshot;
pub mod source;
pub mod store;
pub mod tokens;
pub mod vectors;

pub(crate) mod directory;
mod stem;

//! Everything at rest: how a tree becomes an index and stays one.

pub mod checked;
pub mod counts;
pub mod format;
pub mod fresh;
pub mod git;
pub mod health;
pub mod lexical;
pub mod library;
pub mod linking;
pub mod manifest;
pub mod overlay;
pub mod pack;
pub mod private;
pub mod refresh;
pub mod settings;
pub mod snapshot;
pub mod source;
pub mod store;
pub mod tokens;
pub mod transfer;
pub mod vectors;

pub(crate) mod directory;
mod stem;
mod twin;

//! What is connected to what: files by their imports, symbols by their uses.
//!
//! `links` is the files' part, made at every refresh; the rest is made when it is first asked for.

pub mod aside;
pub mod ask;
pub mod columns;
pub mod facts;
pub mod family;
pub mod links;
pub mod past;
pub mod rank;
pub mod resolve;
pub mod symbols;
pub mod test_code;
pub mod tree;
pub mod uses;
pub mod walk;

mod json;

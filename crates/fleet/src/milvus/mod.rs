//! The engine: Milvus, by its own client for Rust.
//!
//! [`Store`] is what the fleet asks of it; [`call`] keeps the way there; everything asynchronous ends in
//! [`driver`], and everything that can go wrong is put into our words in [`fault`] and [`greeting`].

pub mod call;
pub mod columns;
pub mod driver;
pub mod fault;
pub mod filter;
pub mod greeting;
pub mod rows;
pub mod schema;
pub mod store;

pub use store::Store;

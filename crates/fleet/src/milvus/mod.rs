//! The engine: Milvus, by the parts of its protocol that are needed here.

pub mod call;
pub mod columns;
pub mod filter;
pub mod http2;
pub mod protobuf;
pub mod rows;
pub mod schema;
pub mod store;

pub use store::Store;

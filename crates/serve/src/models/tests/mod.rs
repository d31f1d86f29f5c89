//! Models by name and over a real socket.

mod catalogue;
mod client;
mod failures;
mod service;

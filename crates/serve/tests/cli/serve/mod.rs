//! The server over real sockets: what it answers, whom, and how it stays fresh.

mod api;
mod background;
mod closed;
mod doors;
mod graph;
mod runs;
pub mod served;
pub mod several;

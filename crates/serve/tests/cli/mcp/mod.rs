//! `wherein mcp` as an agent meets it: messages in, messages out, and an end.

mod answers;
mod endings;
mod over_http;
mod several;
pub mod talk;

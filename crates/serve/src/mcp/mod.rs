//! `wherein mcp`: the same search for coding agents, over the Model Context Protocol.
//!
//! In: a call of a tool by name, with plain arguments. `request` reads it, the functions under `ask`
//! answer it from one snapshot a tree as items, best first, and `page` writes as many of those as
//! fit a budget of tokens, with a handle for the rest. Out: text, the same as structured content
//! for clients that do not prefer that to text, and always one line that says what was looked at.
//!
//! Nothing here changes a file of a tree, and no path leads out of the served folders.

mod answer;
mod ask;
mod call;
mod certificate;
mod handles;
mod lines;
mod merge;
mod nearest;
mod page;
mod params;
#[cfg(test)]
mod reference;
mod request;
mod roots;
mod seen;
mod service;
mod stdio;
mod tokens;
mod tools;
mod trouble;

pub use roots::{Root, Roots, Served};
pub use service::over_http;
pub use stdio::serve;

#[cfg(test)]
pub use tokens::real;

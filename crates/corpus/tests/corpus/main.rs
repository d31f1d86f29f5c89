//! What the crate promises, checked from outside: every language, every query, any input, any tree.

mod coverage;
#[path = "../../examples/tags/describe.rs"]
mod describe;
mod hostile;
mod languages;
mod mangle;
mod python;
mod queries;
mod samples;
mod symbols;
mod walk;

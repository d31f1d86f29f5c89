//! What the crate promises, checked from outside: every language, every query, any input, any tree.

mod coverage;
mod languages;
mod mangle;
mod queries;
mod samples;

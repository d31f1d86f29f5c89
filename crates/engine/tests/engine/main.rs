//! The engine through its public face: what a refresh does, what a reader sees, what damage costs,
//! and what questions get.

mod asking;
mod bit_rot;
mod bounds;
mod concurrency;
mod damage;
mod damaged_vectors;
mod determinism;
mod encoders;
mod encoding;
mod freshness;
mod gathered;
mod git_moves;
mod graph_at_rest;
mod graph_difference;
mod graph_questions;
mod graph_uses;
mod grep;
mod history;
mod meaning;
mod nearest;
mod odd_queries;
mod odd_roots;
mod page;
mod private;
mod project;
mod queries;
mod sharing;
mod transfer;
mod unsaved;
mod within_bounds;

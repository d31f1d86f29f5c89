//! How good is the search: benchmarks in their own formats, scored by their own rules and by
//! stricter ones, with intervals, as runs on disk that can be compared.
//!
//! In: a benchmark's files as published, trees on disk, a [`Tool`]. Out: a [`run::Run`]. The way:
//! a protocol reads files into a [`question::QuestionSet`], [`ask::ask`] asks it, and
//! [`summary::summarise`] takes the means. The clock's date, the machine's name and the terminal
//! belong to the caller and come in as an [`Edge`].

pub mod args;
pub mod ask;
pub mod compare;
pub mod hide;
pub mod input;
pub mod markdown;
pub mod metrics;
pub mod ours;
mod pairs;
mod passages;
pub mod protocol;
pub mod question;
pub mod ranks;
pub mod report;
pub mod rival;
pub mod run;
mod samples;
pub mod searcher;
pub mod stats;
pub mod summary;

mod command;
mod error;

pub use args::EvalArgs;
pub use command::{Edge, ExitKind, main};
pub use error::{Error, Result};
pub use searcher::{Hit, Progress, Searcher, Step, Tool};

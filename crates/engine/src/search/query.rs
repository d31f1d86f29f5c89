//! A question and how it is to be answered: the one request type behind every door.

use serde::{Deserialize, Serialize};

use crate::search::weights;

/// A question with its options.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Query {
    /// What to look for: words, an identifier, code, anything. No text is a syntax error.
    pub text: String,
    /// How many hits to return.
    pub limit: usize,
    /// Which channels to ask.
    pub mode: Mode,
    /// How the channels' lists become one.
    pub fusion: Fusion,
    /// Whether to ask again with words of the best candidates.
    pub expand: bool,
    /// Whether to look also at the files that import what was found, if much of the tree does so with
    /// them.
    pub expand_upstream: bool,
    /// Code, documentation or both.
    pub scope: Scope,
    /// Spans, or files by their best span.
    pub unit: Unit,
    /// Only these languages; all if empty.
    pub languages: Vec<String>,
    /// Only paths that match one of these patterns and none that starts with `!`.
    pub paths: Vec<String>,
    /// At most this many spans of one file; 0 for no limit.
    pub max_per_file: usize,
    /// Show only the lines of a span that matter, each with this many around it.
    pub context: Option<u32>,
    /// At most this many tokens of text on the page; see [`Hit::tokens`](super::answer::Hit::tokens).
    pub budget: Option<usize>,
    /// Whether to say how each field contributed.
    pub explain: bool,
    /// Channels that have no say, by name, or `ranker` or `judge`: for finding out what each is worth.
    pub without: Vec<String>,
    /// Whether private keys and tokens are shown as they are; see [`secrets`](super::secrets).
    pub show_secrets: bool,
    /// A page whose best hit is less likely than this to answer says "not found".
    pub min_confidence: f32,
}

impl Query {
    /// A question with the default options.
    pub fn new(text: impl Into<String>) -> Query {
        Query {
            text: text.into(),
            limit: 10,
            mode: Mode::default(),
            fusion: Fusion::default(),
            expand: false,
            expand_upstream: false,
            scope: Scope::default(),
            unit: Unit::default(),
            languages: Vec::new(),
            paths: Vec::new(),
            max_per_file: 3,
            context: None,
            budget: None,
            explain: false,
            without: Vec::new(),
            show_secrets: false,
            min_confidence: weights::LEAST_CONFIDENCE,
        }
    }

    /// Whether a channel, the ranker or the judge is to have its say.
    pub(crate) fn asks(&self, name: &str) -> bool {
        !self.without.iter().any(|silent| silent == name)
    }
}

/// What [`Query::without`] can silence.
#[rustfmt::skip]
pub const CHANNELS: [&str; 9] = [
    "lexical", "dense-code", "dense-docs", "definitions", "symbols", "paths", "graph", "ranker", "judge",
];

/// By words, by meaning, or both.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "lowercase")]
pub enum Mode {
    /// Words, names and paths.
    Lexical,
    /// Meaning.
    Dense,
    /// Both.
    #[default]
    Hybrid,
}

/// How the channels' lists become one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "lowercase")]
pub enum Fusion {
    /// Weighted scores, made comparable.
    #[default]
    Scores,
    /// Reciprocal ranks.
    Ranks,
}

/// Which files may answer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "lowercase")]
pub enum Scope {
    /// Program text.
    Code,
    /// Prose.
    Docs,
    /// Both.
    #[default]
    All,
}

/// What one hit stands for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "lowercase")]
pub enum Unit {
    /// A run of lines.
    #[default]
    Span,
    /// A file, shown by its best run of lines.
    File,
}

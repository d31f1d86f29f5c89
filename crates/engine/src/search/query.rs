//! A question and how it is to be answered: the one request type behind every door.

use serde::{Deserialize, Serialize};

/// A question with its options.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
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
    /// Whether to say how each field contributed.
    pub explain: bool,
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
            scope: Scope::default(),
            unit: Unit::default(),
            languages: Vec::new(),
            paths: Vec::new(),
            max_per_file: 3,
            explain: false,
        }
    }
}

/// By words, by meaning, or both.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
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
#[serde(rename_all = "lowercase")]
pub enum Unit {
    /// A run of lines.
    #[default]
    Span,
    /// A file, shown by its best run of lines.
    File,
}

//! Options that commands share: which tree is searched, what of it may answer, how hits are shown.

use std::io::{self, IsTerminal};
use std::path::PathBuf;

use clap::{Args, ValueEnum};
use wherein_engine::search::query::{Mode, Query, Scope, Unit};

use super::target;
use super::tree::Tree;

/// Hits that are looked at where their number is not given but their size is.
pub const LIMIT_OF_A_BUDGET: usize = 100;

/// Which hits to show and how: the same for everything that prints spans.
#[derive(Args, Clone, Debug)]
pub struct PageArgs {
    /// How many hits to show at most: 10 unless given, 100 with --budget.
    #[arg(short = 'k', long = "limit", value_name = "N")]
    pub limit: Option<usize>,

    #[command(flatten)]
    pub within: WithinArgs,

    /// Show spans, or files by their best span.
    #[arg(long, value_enum, default_value_t = UnitArg::Span)]
    pub unit: UnitArg,

    /// Show only the lines of a hit that hold most of the question, with N lines around each, and
    /// the line of its signature.
    #[arg(long, value_name = "N")]
    pub context: Option<u32>,

    /// Fit the hits into this many tokens (a token is 4 bytes of places, names and lines): the most
    /// useful with their lines, the others by signature.
    #[arg(long, value_name = "TOKENS")]
    pub budget: Option<usize>,

    /// Show private keys and tokens in snippets as they are.
    #[arg(long)]
    pub show_secrets: bool,

    /// How to print: pretty on a terminal and plain in a pipe unless given.
    #[arg(long, value_enum)]
    pub format: Option<Format>,

    /// Short for --format json.
    #[arg(long, conflicts_with = "format")]
    pub json: bool,

    #[command(flatten)]
    pub place: PlaceArgs,
}

/// Which tree is searched, and what of it may answer: the same for everything that finds spans.
#[derive(Args, Clone, Debug)]
pub struct WithinArgs {
    /// Search this folder instead of the repository around the current one.
    #[arg(long, value_name = "DIR")]
    pub root: Option<PathBuf>,

    /// Search program text, documentation, or both.
    #[arg(long, value_enum, default_value_t = ScopeArg::All)]
    pub scope: ScopeArg,

    /// Only this language; may be given again.
    #[arg(long = "lang", value_name = "L")]
    pub languages: Vec<String>,

    /// Only paths that match; '!' in front leaves out those that do; may be given again.
    #[arg(long = "path", value_name = "GLOB")]
    pub paths: Vec<String>,

    /// At most this many chunks of one file; 0 for no limit.
    #[arg(long, value_name = "N", default_value_t = 3)]
    pub max_per_file: usize,
}

/// Which tree a question is about that has an answer of its own shape.
#[derive(Args, Clone, Debug)]
pub struct TreeArgs {
    /// The indexed folder; the repository around the current one unless given.
    #[arg(long, value_name = "DIR")]
    pub root: Option<PathBuf>,

    /// Print as JSON.
    #[arg(long)]
    pub json: bool,

    #[command(flatten)]
    pub place: PlaceArgs,
}

/// Where indexes are kept.
#[derive(Args, Clone, Debug)]
pub struct PlaceArgs {
    /// Keep indexes here instead of in the user's cache folder.
    #[arg(long, value_name = "DIR")]
    pub index_dir: Option<PathBuf>,
}

/// By words, by meaning, or both.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub enum ModeArg {
    /// Words, names and paths
    Lexical,
    /// Meaning
    Dense,
    /// Both
    Hybrid,
}

/// Which files may answer.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub enum ScopeArg {
    /// Program text
    Code,
    /// Prose
    Docs,
    /// Both
    All,
}

/// What one hit stands for.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub enum UnitArg {
    /// A run of lines
    Span,
    /// A file, shown by its best run of lines
    File,
}

/// How hits are printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// For people: colours, the best lines, a score bar
    Pretty,
    /// One line a hit
    Plain,
    /// The whole answer
    Json,
    /// path:line:text, for editors
    Grep,
    /// Markdown with code blocks
    Md,
}

impl PageArgs {
    /// The tree these options name.
    pub fn tree(&self) -> anyhow::Result<Tree> {
        Tree::around(self.within.root.as_deref(), &self.place)
    }

    /// A question about `text` with these options.
    pub fn query(&self, text: String) -> Query {
        Query {
            limit: self.limit.unwrap_or(match self.budget {
                Some(_) => LIMIT_OF_A_BUDGET,
                None => 10,
            }),
            unit: match self.unit {
                UnitArg::Span => Unit::Span,
                UnitArg::File => Unit::File,
            },
            context: self.context,
            budget: self.budget,
            show_secrets: self.show_secrets,
            ..self.within.query(text)
        }
    }

    /// The format asked for, or the one that suits where the output goes.
    pub fn format(&self) -> Format {
        match self.format {
            _ if self.json => Format::Json,
            Some(format) => format,
            None if io::stdout().is_terminal() => Format::Pretty,
            None => Format::Plain,
        }
    }
}

impl WithinArgs {
    /// A question about `text` with these options.
    pub fn query(&self, text: String) -> Query {
        Query {
            scope: self.scope.into(),
            languages: self.languages.clone(),
            paths: target::patterns(self.root.as_deref(), &self.paths),
            max_per_file: self.max_per_file,
            ..Query::new(text)
        }
    }
}

impl From<ModeArg> for Mode {
    fn from(mode: ModeArg) -> Mode {
        match mode {
            ModeArg::Lexical => Mode::Lexical,
            ModeArg::Dense => Mode::Dense,
            ModeArg::Hybrid => Mode::Hybrid,
        }
    }
}

impl From<ScopeArg> for Scope {
    fn from(scope: ScopeArg) -> Scope {
        match scope {
            ScopeArg::Code => Scope::Code,
            ScopeArg::Docs => Scope::Docs,
            ScopeArg::All => Scope::All,
        }
    }
}

//! The command line, defined once: help, man page and completions derive from it.

use std::io::{self, IsTerminal};
use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};
use clap_complete::Shell;
use wherein_engine::search::query::{Fusion, Mode, Query, Scope, Unit};

/// Finds the place in a code base wherein something happens.
///
/// Ask in plain words, with an identifier or with a piece of code. The first question in a
/// repository indexes it; later ones look only at what changed.
#[derive(Debug, Parser)]
#[command(name = "wherein", version, args_conflicts_with_subcommands = true)]
#[command(arg_required_else_help = true)]
#[command(after_help = "Examples:
  wherein where are failed uploads retried
  wherein parse_header --lang rust -k 5
  wherein search --json 'index files'      # 'search' first if a command's name is the question
  wherein search similar colours           # likewise: 'similar', 'clusters', 'index', 'status', …
  wherein similar src/upload.rs:120        # what is like the code at that line
  wherein \"TypeError: cannot unpack\" --path src --path '!*_test.py'

Exit codes: 0 found, 1 nothing found, 2 failed.")]
pub struct Cli {
    /// What to do; a question if nothing is named.
    #[command(subcommand)]
    pub command: Option<Command>,

    /// The question.
    #[command(flatten)]
    pub search: SearchArgs,
}

/// The commands beside plain search.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Search, as without a command.
    Search(SearchArgs),
    /// Build the index of a folder, or bring it up to date.
    Index(IndexArgs),
    /// Show what is indexed, how fresh it is, and what was skipped and why.
    Status(StatusArgs),
    /// Show the chunks and symbols of a file.
    Show(ShowArgs),
    /// Find code like the code at a line, or like a text: what does the same elsewhere.
    Similar(SimilarArgs),
    /// List what a tree is about: groups of chunks that mean alike, named by their words.
    Clusters(ClustersArgs),
    /// Forget the index of a folder. Nothing but the cache is removed.
    Clear(ClearArgs),
    /// Measure how well search finds things, on benchmarks and on your own repository.
    Eval(wherein_eval::EvalArgs),
    /// Print a completion script for a shell.
    Completions {
        /// Which shell.
        shell: Shell,
    },
    /// Print the man page.
    Man,
}

/// A question and its options.
#[derive(Args, Clone, Debug)]
pub struct SearchArgs {
    /// What to look for: words, an identifier, a piece of code.
    #[arg(value_name = "QUERY", required_unless_present = "batch")]
    pub words: Vec<String>,

    /// Search by words, by meaning, or both.
    #[arg(long, value_enum, default_value_t = ModeArg::Hybrid)]
    pub mode: ModeArg,

    /// How the lists of words and of meaning become one: by their scores, or by their ranks.
    #[arg(long, value_enum, default_value_t = FusionArg::Scores)]
    pub fusion: FusionArg,

    /// Ask again with words that the best hits have in common.
    #[arg(long)]
    pub expand: bool,

    /// Say how each field contributed to each hit.
    #[arg(long)]
    pub explain: bool,

    /// Answer many questions: JSON lines {"id", "query"} from a file or '-'; JSON lines
    /// {"id", "hits"} come out in the same order.
    #[arg(long, value_name = "FILE", conflicts_with = "words")]
    pub batch: Option<PathBuf>,

    #[command(flatten)]
    pub page: PageArgs,
}

/// What hits should be like.
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  wherein similar src/upload.rs:120
  wherein similar src/upload.rs:96-140 --unit file    # a span as a search prints it
  wherein similar --text - --lang python < snippet.py")]
pub struct SimilarArgs {
    /// A line of an indexed file, for the chunk that holds it; of a span its first line counts.
    #[arg(value_name = "PATH:LINE", required_unless_present = "text")]
    pub target: Option<String>,

    /// A text instead of a line, '-' for standard input; its first few hundred words count.
    #[arg(long, value_name = "TEXT", allow_hyphen_values = true, conflicts_with = "target")]
    pub text: Option<String>,

    #[command(flatten)]
    pub page: PageArgs,
}

/// Which clusters to list.
#[derive(Args, Debug)]
pub struct ClustersArgs {
    /// How many to show, largest first.
    #[arg(short = 'k', long = "limit", value_name = "N", default_value_t = 20)]
    pub limit: usize,

    /// The indexed folder; the repository around the current one unless given.
    #[arg(long, value_name = "DIR")]
    pub root: Option<PathBuf>,

    /// Print as JSON.
    #[arg(long)]
    pub json: bool,

    #[command(flatten)]
    pub place: PlaceArgs,
}

/// Which hits to show and how: the same for everything that finds spans.
#[derive(Args, Clone, Debug)]
pub struct PageArgs {
    /// Search this folder instead of the repository around the current one.
    #[arg(long, value_name = "DIR")]
    pub root: Option<PathBuf>,

    /// How many hits to show.
    #[arg(short = 'k', long = "limit", value_name = "N", default_value_t = 10)]
    pub limit: usize,

    /// Search program text, documentation, or both.
    #[arg(long, value_enum, default_value_t = ScopeArg::All)]
    pub scope: ScopeArg,

    /// Show spans, or files by their best span.
    #[arg(long, value_enum, default_value_t = UnitArg::Span)]
    pub unit: UnitArg,

    /// Only this language; may be given again.
    #[arg(long = "lang", value_name = "L")]
    pub languages: Vec<String>,

    /// Only paths that match; '!' in front leaves out those that do; may be given again.
    #[arg(long = "path", value_name = "GLOB")]
    pub paths: Vec<String>,

    /// At most this many hits of one file; 0 for no limit.
    #[arg(long, value_name = "N", default_value_t = 3)]
    pub max_per_file: usize,

    /// How to print: pretty on a terminal and plain in a pipe unless given.
    #[arg(long, value_enum)]
    pub format: Option<Format>,

    /// Short for --format json.
    #[arg(long, conflicts_with = "format")]
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

/// What to index.
#[derive(Args, Debug)]
pub struct IndexArgs {
    /// The folder; the repository around the current folder unless given.
    pub dir: Option<PathBuf>,

    /// Do not encode for search by meaning.
    #[arg(long)]
    pub no_vectors: bool,

    /// Print the summary as JSON.
    #[arg(long)]
    pub json: bool,

    #[command(flatten)]
    pub place: PlaceArgs,
}

/// What to report on.
#[derive(Args, Debug)]
pub struct StatusArgs {
    /// The folder; the repository around the current folder unless given.
    pub dir: Option<PathBuf>,

    /// List every skipped file with its reason.
    #[arg(long)]
    pub skipped: bool,

    /// Print as JSON, skipped files included.
    #[arg(long)]
    pub json: bool,

    #[command(flatten)]
    pub place: PlaceArgs,
}

/// What to show.
#[derive(Args, Debug)]
pub struct ShowArgs {
    /// A file, and perhaps a line: PATH or PATH:LINE.
    #[arg(value_name = "PATH[:LINE]")]
    pub target: String,

    /// The indexed folder; the repository around the current one unless given.
    #[arg(long, value_name = "DIR")]
    pub root: Option<PathBuf>,

    /// Print as JSON.
    #[arg(long)]
    pub json: bool,

    #[command(flatten)]
    pub place: PlaceArgs,
}

/// What to forget.
#[derive(Args, Debug)]
pub struct ClearArgs {
    /// The folder; the repository around the current folder unless given.
    pub dir: Option<PathBuf>,

    #[command(flatten)]
    pub place: PlaceArgs,
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

/// How lists become one.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub enum FusionArg {
    /// Weighted scores
    Scores,
    /// Reciprocal ranks
    Ranks,
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

impl SearchArgs {
    /// The question these arguments ask about `text`.
    pub fn query(&self, text: String) -> Query {
        Query {
            mode: match self.mode {
                ModeArg::Lexical => Mode::Lexical,
                ModeArg::Dense => Mode::Dense,
                ModeArg::Hybrid => Mode::Hybrid,
            },
            fusion: match self.fusion {
                FusionArg::Scores => Fusion::Scores,
                FusionArg::Ranks => Fusion::Ranks,
            },
            explain: self.explain,
            ..self.page.query(text)
        }
    }
}

impl PageArgs {
    /// A question about `text` with these options.
    pub fn query(&self, text: String) -> Query {
        Query {
            limit: self.limit,
            scope: match self.scope {
                ScopeArg::Code => Scope::Code,
                ScopeArg::Docs => Scope::Docs,
                ScopeArg::All => Scope::All,
            },
            unit: match self.unit {
                UnitArg::Span => Unit::Span,
                UnitArg::File => Unit::File,
            },
            languages: self.languages.clone(),
            paths: self.paths.clone(),
            max_per_file: self.max_per_file,
            ..Query::new(text)
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

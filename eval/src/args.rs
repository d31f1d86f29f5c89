//! The command line of the evaluation, defined once.

use std::path::PathBuf;

use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Args, Subcommand, ValueEnum};
use wherein_engine::search::query::{Mode, Scope};

use crate::rival::{self, Entry};

/// Measures how well search finds things.
#[derive(Args, Debug)]
pub struct EvalArgs {
    /// What to measure.
    #[command(subcommand)]
    pub command: EvalCommand,
}

/// One command a protocol, and the comparison of two runs.
#[derive(Debug, Subcommand)]
pub enum EvalCommand {
    /// Lines of one tree: CSV query,result1,… with results path:start-end:grade.
    Spans(SpansArgs),
    /// Files of several trees: JSON lines {"id", "repo", "query", "truth"}.
    Files(FilesArgs),
    /// All files an answer needs: JSON lines {"id", "dataset", "question", "required_evidence"}.
    Evidence(EvidenceArgs),
    /// Functions and the sentences that describe them: corpus.jsonl[.gz] and queries.jsonl.
    Functions(FunctionsArgs),
    /// Files of many repositories: repos.json and annotations/NAME.json.
    Annotations(AnnotationsArgs),
    /// Points for expected files in the first five and ten: a JSON array.
    Rubric(RubricArgs),
    /// Your own repository: questions made from its documentation, commits and tests, asked of
    /// wherein and of ripgrep.
    #[command(name = "self")]
    Selfmade(SelfArgs),
    /// Two runs of the same questions: what differs, and whether that is noise.
    Compare(CompareArgs),
    /// One page of tables and charts for one or several runs.
    Report(ReportArgs),
    /// What a tree says about its own code, as JSON lines: what a model is trained on.
    Pairs(TreeArgs),
    /// What of a tree is encoded, as JSON lines of the tokens that the model reads.
    Passages(TreeArgs),
}

/// Options of every protocol.
#[derive(Args, Clone, Debug)]
pub struct RunArgs {
    /// Write the run into this folder: settings, ranks, summary.
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,

    /// Keep indexes here; in a temporary folder unless given.
    #[arg(long, value_name = "DIR")]
    pub index_dir: Option<PathBuf>,

    /// Search by words, by meaning, or both; several give a run each, side by side.
    #[arg(long = "mode", value_enum, value_delimiter = ',', value_name = "MODE")]
    pub modes: Vec<ModeArg>,

    /// Let a channel, the ranker or the judge have no say, to see what it is worth; may be given again.
    #[arg(long, value_name = "CHANNEL", value_parser = wherein_engine::search::query::CHANNELS)]
    pub without: Vec<String>,

    /// Look also at files that import what was found, if much of the tree leads to them.
    #[arg(long, conflicts_with = "rival")]
    pub expand_upstream: bool,

    /// Ask this tool alone instead, through its own command line.
    #[arg(long, value_name = "NAME", value_parser = rivals(), conflicts_with_all = ["modes", "without"])]
    pub rival: Option<&'static Entry>,

    /// Search program text, documentation, or both.
    #[arg(long, value_enum, default_value_t = ScopeArg::All)]
    pub scope: ScopeArg,

    /// Write what the ranker is trained on to this CSV file, instead of measuring.
    #[arg(long, value_name = "FILE.csv", hide = true)]
    pub samples: Option<PathBuf>,

    /// Ask the other questions if a tree is missing, and list those that were not asked.
    #[arg(long)]
    pub skip_missing: bool,

    /// Print the summary as JSON.
    #[arg(long)]
    pub json: bool,
}

fn rivals() -> impl TypedValueParser<Value = &'static Entry> {
    PossibleValuesParser::new(rival::names())
        .try_map(|name| rival::find(&name).ok_or("there is no such rival"))
}

/// Lines of one tree.
#[derive(Args, Debug)]
pub struct SpansArgs {
    /// The questions.
    #[arg(value_name = "FILE.csv")]
    pub file: PathBuf,

    /// The tree to search.
    #[arg(long, value_name = "DIR")]
    pub trees: PathBuf,

    /// Exit with 1 if Hit@5 is below this.
    #[arg(long, value_name = "SHARE")]
    pub min_hit5: Option<f64>,

    /// What every protocol takes.
    #[command(flatten)]
    pub run: RunArgs,
}

/// Files of several trees.
#[derive(Args, Debug)]
pub struct FilesArgs {
    /// The questions.
    #[arg(value_name = "FILE.jsonl")]
    pub file: PathBuf,

    /// The folder with a tree for each "repo".
    #[arg(long, value_name = "DIR")]
    pub trees: PathBuf,

    /// Leave out chunks over the query's own lines, field "mask".
    #[arg(long)]
    pub mask: bool,

    /// Leave out the querying file, field "exclude".
    #[arg(long)]
    pub exclude: bool,

    /// Ask with this field.
    #[arg(long, value_enum, default_value_t = QueryField::Query)]
    pub query_field: QueryField,

    /// What every protocol takes.
    #[command(flatten)]
    pub run: RunArgs,
}

/// Which field of a row is asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum QueryField {
    /// The code before the place
    #[value(name = "query")]
    Query,
    /// The code with the call itself
    #[value(name = "query_nav")]
    Navigation,
}

/// All files an answer needs.
#[derive(Args, Debug)]
pub struct EvidenceArgs {
    /// A file of questions, or a folder of such files.
    #[arg(value_name = "FILE.jsonl|DIR")]
    pub source: PathBuf,

    /// The folder with a tree for each "dataset".
    #[arg(long, value_name = "DIR")]
    pub trees: PathBuf,

    /// What every protocol takes.
    #[command(flatten)]
    pub run: RunArgs,
}

/// Functions and their descriptions.
#[derive(Args, Debug)]
pub struct FunctionsArgs {
    /// The folder with corpus.jsonl[.gz] and queries.jsonl.
    #[arg(value_name = "DIR")]
    pub folder: PathBuf,

    /// Ask these questions instead of queries.jsonl.
    #[arg(long, value_name = "FILE.jsonl")]
    pub queries: Option<PathBuf>,

    /// Blank out docstrings and comments above functions before indexing.
    #[arg(long)]
    pub strip_docs: bool,

    /// The file extension of functions whose row names no path, such as py.
    #[arg(long, value_name = "EXT")]
    pub extension: Option<String>,

    /// What every protocol takes.
    #[command(flatten)]
    pub run: RunArgs,
}

/// Files of many repositories.
#[derive(Args, Debug)]
pub struct AnnotationsArgs {
    /// The folder with repos.json and annotations/.
    #[arg(value_name = "DIR")]
    pub folder: PathBuf,

    /// The folder with a tree for each repository.
    #[arg(long, value_name = "DIR")]
    pub trees: PathBuf,

    /// What every protocol takes.
    #[command(flatten)]
    pub run: RunArgs,
}

/// Points for expected files.
#[derive(Args, Debug)]
pub struct RubricArgs {
    /// The questions.
    #[arg(value_name = "FILE.json")]
    pub file: PathBuf,

    /// The tree to search.
    #[arg(long, value_name = "DIR")]
    pub trees: PathBuf,

    /// What every protocol takes.
    #[command(flatten)]
    pub run: RunArgs,
}

/// The user's own repository.
#[derive(Args, Debug)]
pub struct SelfArgs {
    /// The repository.
    #[arg(value_name = "DIR", default_value = ".")]
    pub root: PathBuf,

    /// Most questions of each kind.
    #[arg(long, value_name = "N", default_value_t = 200)]
    pub most: usize,

    /// Ask wherein alone, without ripgrep beside it.
    #[arg(long, conflicts_with = "rival")]
    pub no_rivals: bool,

    /// What every protocol takes.
    #[command(flatten)]
    pub run: RunArgs,
}

/// Two runs.
#[derive(Args, Debug)]
pub struct CompareArgs {
    /// The folder of the first run, or of it alone.
    pub a: PathBuf,

    /// The folder of the second run, or of it alone.
    pub b: PathBuf,

    /// Print the comparison as JSON.
    #[arg(long)]
    pub json: bool,
}

/// A page for people.
#[derive(Args, Debug)]
pub struct ReportArgs {
    /// Folders of runs, or folders that hold several.
    #[arg(required = true, value_name = "RUN")]
    pub runs: Vec<PathBuf>,

    /// Write the page to this file.
    #[arg(long, value_name = "FILE.html", default_value = "report.html")]
    pub out: PathBuf,
}

/// A tree that training reads.
#[derive(Args, Debug)]
pub struct TreeArgs {
    /// The tree.
    #[arg(value_name = "DIR")]
    pub root: PathBuf,
}

/// By words, by meaning, or both.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum ModeArg {
    /// Words, names and paths
    Lexical,
    /// Meaning
    Dense,
    /// Both
    Hybrid,
}

impl ModeArg {
    /// As the engine has it.
    pub fn mode(self) -> Mode {
        match self {
            ModeArg::Lexical => Mode::Lexical,
            ModeArg::Dense => Mode::Dense,
            ModeArg::Hybrid => Mode::Hybrid,
        }
    }

    /// As in reports.
    pub fn name(self) -> &'static str {
        match self {
            ModeArg::Lexical => "lexical",
            ModeArg::Dense => "dense",
            ModeArg::Hybrid => "hybrid",
        }
    }
}

/// Which files may answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum ScopeArg {
    /// Program text
    Code,
    /// Prose
    Docs,
    /// Both
    All,
}

impl ScopeArg {
    /// As the engine has it.
    pub fn scope(self) -> Scope {
        match self {
            ScopeArg::Code => Scope::Code,
            ScopeArg::Docs => Scope::Docs,
            ScopeArg::All => Scope::All,
        }
    }

    /// As in reports.
    pub fn name(self) -> &'static str {
        match self {
            ScopeArg::Code => "code",
            ScopeArg::Docs => "docs",
            ScopeArg::All => "all",
        }
    }
}

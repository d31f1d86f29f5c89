//! The command line, defined once: help, man page and completions derive from it.

use std::io::{self, IsTerminal};
use std::net::SocketAddr;
use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};
use clap_complete::Shell;
use wherein_engine::search::query::{Fusion, Mode, Query, Scope, Unit};

use super::diff::DiffArgs;
use super::graph::args::{
    CallsArgs, DefArgs, ExportArgs, ImpactArgs, MapArgs, OutlineArgs, PathArgs, RefsArgs,
    SymbolsArgs,
};
use super::grep::GrepArgs;
use super::log::LogArgs;
use super::setup::agents::Agent;
use crate::tui::TuiArgs;

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
  wherein search similar colours           # likewise: 'similar', 'clusters', 'path', 'map', 'index', …
  wherein similar src/upload.rs:120        # what is like the code at that line
  wherein refs Queue.retry                 # what uses it; likewise callers, callees, impact
  wherein grep 'retry($$$ARGS)' --lang rust  # every call, by its structure
  wherein log 'why are uploads retried'    # commits; 'search --blame' says who wrote a hit
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
    #[command(after_help = "Examples:
  wherein search where are failed uploads retried
  wherein search retry_upload --lang python --path src -k 3
  wherein search 'give up after too many attempts' --budget 2000 --format md
  wherein search 'lang:rust kind:function retry -test'   # the same narrowing inside the question
  wherein search retry_upload --rev v1.2 --blame
  wherein search --batch questions.jsonl")]
    Search(SearchArgs),
    /// Find every place that matches: code by its structure, text as it is, regular expressions.
    Grep(GrepArgs),
    /// Find commits by what they say and what they changed.
    Log(LogArgs),
    /// Find spans that changed between two revisions and answer a question.
    Diff(DiffArgs),
    /// Build the index of a folder, or bring it up to date.
    Index(IndexArgs),
    /// Search while you type, in the terminal, and jump to your editor.
    Tui(TuiArgs),
    /// Show what is indexed, how fresh it is, and what was skipped and why.
    Status(StatusArgs),
    /// Show the chunks and symbols of a file.
    Show(ShowArgs),
    /// Explain why a span is, or is not, on the page of a question.
    Why(WhyArgs),
    /// Find code like the code at a line, or like a text: what does the same elsewhere.
    Similar(SimilarArgs),
    /// List what a tree is about: groups of chunks that mean alike, named by their words.
    Clusters(ClustersArgs),
    /// List symbols by a part of their name, or the most used ones.
    Symbols(SymbolsArgs),
    /// Show where a name is defined.
    Def(DefArgs),
    /// Show everything that uses a symbol, or imports a file.
    Refs(RefsArgs),
    /// Show who calls something.
    Callers(CallsArgs),
    /// Show what something calls.
    Callees(CallsArgs),
    /// Show what a change may reach, and which tests cover it.
    Impact(ImpactArgs),
    /// Show how two things are connected.
    Path(PathArgs),
    /// Outline a tree within a budget of tokens: its most central files and symbols.
    Map(MapArgs),
    /// Show the signatures of files without their bodies.
    Outline(OutlineArgs),
    /// Draw which file imports which.
    Graph(ExportArgs),
    /// Keep many repositories on a distributed engine, for 'search --fleet'.
    #[cfg(feature = "fleet")]
    Fleet(super::fleet::args::FleetArgs),
    /// Open the web page and the HTTP API of a folder, on this machine.
    Serve(ServeArgs),
    /// Keep the index of a folder up to date until interrupted.
    Watch(WatchArgs),
    /// Check the index and what it depends on, and say what is wrong and what to do.
    Doctor(DoctorArgs),
    /// Write the work that went into an index to a file, for others with the same files.
    Export(ExportIndexArgs),
    /// Take over the work that someone else put into an index, and index what differs.
    Import(ImportArgs),
    /// Serve coding agents over the Model Context Protocol, on standard input and output.
    Mcp(McpArgs),
    /// Tell a coding agent how to start 'wherein mcp'.
    Setup(SetupArgs),
    /// Forget the index of a folder. Nothing but the cache is removed.
    Clear(ClearArgs),
    /// Show what is configured, and where each value came from.
    Config(ConfigArgs),
    /// Measure how well search finds things, on benchmarks and on your own repository.
    #[command(after_help = "Examples:
  wherein eval self                             # questions from your docs, commits and tests
  wherein eval compare runs/before runs/after
  wherein eval report runs/* --out report.html")]
    Eval(wherein_eval::EvalArgs),
    /// Print a completion script for a shell.
    #[command(after_help = "Examples:
  wherein completions bash > ~/.local/share/bash-completion/completions/wherein
  wherein completions zsh > ~/.zfunc/_wherein
  wherein completions fish > ~/.config/fish/completions/wherein.fish")]
    Completions {
        /// Which shell.
        shell: Shell,
    },
    /// Print the man page.
    #[command(after_help = "Examples:
  wherein man | man -l -
  wherein man > ~/.local/share/man/man1/wherein.1")]
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

    /// Look also at files that import what was found, if much of the tree leads to them.
    #[arg(long)]
    pub expand_upstream: bool,

    /// Say how each field contributed to each hit.
    #[arg(long)]
    pub explain: bool,

    /// Let a channel have no say, to see what it is worth; may be given again.
    #[arg(long, value_name = "CHANNEL", value_parser = wherein_engine::search::query::CHANNELS)]
    pub without: Vec<String>,

    /// Say "not found" where the best hit is less likely than this to answer, between 0 and 1.
    #[arg(long, value_name = "P", default_value_t = wherein_engine::search::weights::LEAST_CONFIDENCE)]
    pub min_confidence: f32,

    /// Search the tree as it was at a revision: a commit, a branch, a tag, HEAD~10.
    #[arg(long, value_name = "REV")]
    pub rev: Option<String>,

    /// Say for each hit which commit changed it last and which introduced it.
    #[arg(long, conflicts_with = "batch")]
    pub blame: bool,

    /// Search unsaved text as if it were saved: a file ('-' for standard input) that holds a JSON
    /// object of paths relative to the root, each with its text, or null for a deleted file.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["batch", "rev"])]
    pub overlay: Option<PathBuf>,

    /// Answer many questions: JSON lines {"id", "query"} from a file or '-'; JSON lines
    /// {"id", "hits"} come out in the same order.
    #[arg(long, value_name = "FILE", conflicts_with = "words")]
    pub batch: Option<PathBuf>,

    #[cfg(feature = "fleet")]
    #[command(flatten)]
    pub fleet: super::fleet::args::FleetSearchArgs,

    #[command(flatten)]
    pub page: PageArgs,
}

/// A span and a question.
#[derive(Args, Debug)]
#[command(after_help = "Example:
  wherein why src/upload.rs:120 --query 'where do we retry failed uploads?'")]
pub struct WhyArgs {
    /// A file for its best span, or a line of it.
    #[arg(value_name = "PATH[:LINE]")]
    pub target: String,

    /// The question.
    #[arg(long, short, value_name = "QUERY")]
    pub query: String,

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
#[command(after_help = "Examples:
  wherein clusters -k 10
  wherein clusters --root ~/src/project --json")]
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

    /// How many hits to show at most: 10 unless given, 100 with --budget.
    #[arg(short = 'k', long = "limit", value_name = "N")]
    pub limit: Option<usize>,

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

    /// At most this many chunks of one file; 0 for no limit.
    #[arg(long, value_name = "N", default_value_t = 3)]
    pub max_per_file: usize,

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

/// Where indexes are kept.
#[derive(Args, Clone, Debug)]
pub struct PlaceArgs {
    /// Keep indexes here instead of in the user's cache folder.
    #[arg(long, value_name = "DIR")]
    pub index_dir: Option<PathBuf>,
}

/// What to index.
#[derive(Args, Debug)]
#[command(
    after_help = "A question indexes what it needs; this does it ahead of time, and encodes the whole tree.

Examples:
  wherein index
  wherein index ~/src/project --no-vectors      # by words only: seconds instead of minutes
  wherein index --history --max-memory 512"
)]
pub struct IndexArgs {
    /// The folder; the repository around the current folder unless given.
    pub dir: Option<PathBuf>,

    /// Do not encode for search by meaning.
    #[arg(long)]
    pub no_vectors: bool,

    /// Index the commits of its repository too, and encode their messages.
    #[arg(long)]
    pub history: bool,

    /// Use about this much memory at most, in MiB; what does not fit is written out sooner.
    #[arg(long, value_name = "MIB", default_value_t = 1024, value_parser = clap::value_parser!(u32).range(128..))]
    pub max_memory: u32,

    /// Print the summary as JSON.
    #[arg(long)]
    pub json: bool,

    #[command(flatten)]
    pub place: PlaceArgs,
}

/// What to report on.
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  wherein status
  wherein status --skipped                      # every file that is not searched, and why")]
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
#[command(after_help = "Examples:
  wherein show src/upload.rs
  wherein show src/upload.rs:120 --json")]
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

/// What to serve, and to whom.
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  wherein serve                                 # then open http://127.0.0.1:7700/
  wherein serve ~/src/project --listen 127.0.0.1:0
  WHEREIN_TOKEN=… wherein serve --listen 0.0.0.0:7700

An address that other machines reach needs a token in the environment variable WHEREIN_TOKEN;
clients send it as 'Authorization: Bearer TOKEN'. The API is described at /reference.")]
pub struct ServeArgs {
    /// The folder; the repository around the current folder unless given.
    pub dir: Option<PathBuf>,

    /// Serve this folder too; may be given again.
    #[arg(long = "root", value_name = "DIR")]
    pub roots: Vec<PathBuf>,

    /// Serve every repository right under this folder; may be given again.
    #[arg(long, value_name = "DIR")]
    pub multi: Vec<PathBuf>,

    /// Listen here; port 0 takes a free one.
    #[arg(long, value_name = "ADDRESS:PORT", default_value = "127.0.0.1:7700")]
    pub listen: SocketAddr,

    /// Answer to this host name too; may be given again.
    #[arg(long = "allow-host", value_name = "NAME")]
    pub allow_hosts: Vec<String>,

    /// Show the evaluation runs in this folder; 'runs' in the served folder unless given.
    #[arg(long, value_name = "DIR")]
    pub runs: Option<PathBuf>,

    /// How the page opens a file in your editor.
    #[arg(long, value_name = "URL", default_value = "vscode://file{path}:{line}")]
    pub editor: String,

    #[command(flatten)]
    pub place: PlaceArgs,
}

/// What to watch.
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  wherein watch                                 # questions then find the index as it should be
  wherein watch --vectors --json
  wherein watch /mnt/share/project --poll 2000  # where changes are not told of")]
pub struct WatchArgs {
    /// The folder; the repository around the current folder unless given.
    pub dir: Option<PathBuf>,

    /// Encode for search by meaning too, whenever something changed.
    #[arg(long)]
    pub vectors: bool,

    /// Look at the tree every so many milliseconds instead of being told of changes.
    #[arg(long, value_name = "MS", value_parser = clap::value_parser!(u64).range(10..))]
    pub poll: Option<u64>,

    /// Print a JSON line for each refresh.
    #[arg(long)]
    pub json: bool,

    #[command(flatten)]
    pub place: PlaceArgs,
}

/// What to check.
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  wherein doctor
  wherein doctor --fix

Exit codes: 0 healthy, 1 problems found, 2 failed.")]
pub struct DoctorArgs {
    /// The folder; the repository around the current folder unless given.
    pub dir: Option<PathBuf>,

    /// Mend what can be mended: throw away what is damaged, make it anew, close what is open to
    /// others.
    #[arg(long)]
    pub fix: bool,

    /// Print as JSON.
    #[arg(long)]
    pub json: bool,

    #[command(flatten)]
    pub place: PlaceArgs,
}

/// What to export.
#[derive(Args, Debug)]
#[command(after_help = "Example:
  wherein index && wherein export index.wherein      # where it is built
  wherein import index.wherein                       # where it is wanted")]
pub struct ExportIndexArgs {
    /// The file to write; '-' for standard output.
    pub file: PathBuf,

    /// The indexed folder; the repository around the current one unless given.
    #[arg(long, value_name = "DIR")]
    pub root: Option<PathBuf>,

    #[command(flatten)]
    pub place: PlaceArgs,
}

/// What agents may search.
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  wherein mcp                                   # the repository around the current folder
  wherein mcp --root api --root ../web          # several; answers name their folder
  wherein mcp --multi ~/src                     # every repository right under a folder

An agent starts it; 'wherein setup AGENT' tells the agent how. It ends when the agent does. Over HTTP
the same is at /mcp of 'wherein serve'.")]
pub struct McpArgs {
    /// Serve this folder instead of the repository around the current one; may be given again.
    #[arg(long = "root", value_name = "DIR")]
    pub roots: Vec<PathBuf>,

    /// Serve every repository right under this folder; may be given again.
    #[arg(long, value_name = "DIR")]
    pub multi: Vec<PathBuf>,

    #[command(flatten)]
    pub place: PlaceArgs,
}

/// What to import.
#[derive(Args, Debug)]
#[command(after_help = "Example:
  wherein import index.wherein")]
pub struct ImportArgs {
    /// The file to read.
    pub file: PathBuf,

    /// The folder; the repository around the current one unless given.
    #[arg(long, value_name = "DIR")]
    pub root: Option<PathBuf>,

    /// Print the summary as JSON.
    #[arg(long)]
    pub json: bool,

    #[command(flatten)]
    pub place: PlaceArgs,
}

/// Which agent to set up.
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  wherein setup claude-code                     # in this project, after showing the change
  wherein setup codex --user --skill            # in all projects, with a skill that teaches its use
  wherein setup zed --remove --yes              # take it back")]
pub struct SetupArgs {
    /// The agent.
    #[arg(value_enum)]
    pub agent: Agent,

    /// Set it up for this user in every project, not for this project.
    #[arg(long)]
    pub user: bool,

    /// Write a skill too: a page that teaches the agent when to use which tool.
    #[arg(long)]
    pub skill: bool,

    /// Take back what was written.
    #[arg(long)]
    pub remove: bool,

    /// Do not ask.
    #[arg(long)]
    pub yes: bool,
}

/// What to forget.
#[derive(Args, Debug)]
#[command(after_help = "Example:
  wherein clear ~/src/project")]
pub struct ClearArgs {
    /// The folder; the repository around the current folder unless given.
    pub dir: Option<PathBuf>,

    #[command(flatten)]
    pub place: PlaceArgs,
}

/// Which keys to show.
#[derive(Args, Debug)]
#[command(
    after_help = "The command line comes before the environment, that before the project's wherein.toml, that before
the user's config.toml. Every key is described in docs/configuration.md.

Examples:
  wherein config                                # every key, its value, where it came from
  wherein config editor
  WHEREIN_MODE=lexical wherein config --json"
)]
pub struct ConfigArgs {
    /// One key; all unless given.
    #[arg(value_name = "KEY")]
    pub key: Option<String>,

    /// The project's folder; the repository around the current one unless given.
    #[arg(long, value_name = "DIR")]
    pub root: Option<PathBuf>,

    /// Print as JSON.
    #[arg(long)]
    pub json: bool,
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

/// Hits that are looked at where their number is not given but their size is.
const LIMIT_OF_A_BUDGET: usize = 100;

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

impl SearchArgs {
    /// The question these arguments ask about `text`.
    pub fn query(&self, text: String) -> Query {
        Query {
            mode: self.mode.into(),
            fusion: match self.fusion {
                FusionArg::Scores => Fusion::Scores,
                FusionArg::Ranks => Fusion::Ranks,
            },
            expand: self.expand,
            expand_upstream: self.expand_upstream,
            explain: self.explain,
            without: self.without.clone(),
            min_confidence: self.min_confidence,
            ..self.page.query(text)
        }
    }
}

impl PageArgs {
    /// A question about `text` with these options.
    pub fn query(&self, text: String) -> Query {
        Query {
            limit: self.limit.unwrap_or(match self.budget {
                Some(_) => LIMIT_OF_A_BUDGET,
                None => 10,
            }),
            scope: self.scope.into(),
            unit: match self.unit {
                UnitArg::Span => Unit::Span,
                UnitArg::File => Unit::File,
            },
            languages: self.languages.clone(),
            paths: self.paths.clone(),
            max_per_file: self.max_per_file,
            context: self.context,
            budget: self.budget,
            show_secrets: self.show_secrets,
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

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(arguments: &[&str], expected: Query) {
        let cli = Cli::parse_from([&["wherein", "x"], arguments].concat());
        assert_eq!(cli.search.query("x".to_owned()), expected);
    }

    #[test]
    fn every_switch_reaches_the_question() {
        let query = || Query::new("x");
        check(&[], query());
        check(&["--expand"], Query { expand: true, ..query() });
        check(&["--expand-upstream"], Query { expand_upstream: true, ..query() });
        check(&["--explain"], Query { explain: true, ..query() });
        check(&["--context", "2"], Query { context: Some(2), ..query() });
        check(&["--max-per-file", "0"], Query { max_per_file: 0, ..query() });
        check(&["--unit", "file"], Query { unit: Unit::File, ..query() });
    }

    #[test]
    fn a_budget_decides_the_number_of_hits_unless_that_is_given() {
        let query = || Query { budget: Some(900), ..Query::new("x") };
        check(&["--budget", "900"], Query { limit: LIMIT_OF_A_BUDGET, ..query() });
        check(&["--budget", "900", "-k", "5"], Query { limit: 5, ..query() });
    }
}

//! The command line, defined once: help, man page and completions derive from it.
//!
//! Which commands there are; the options of each stand with it, those that several share in `page.rs`.

use clap::{Parser, Subcommand};
use clap_complete::Shell;

use super::clear::ClearArgs;
use super::clusters::ClustersArgs;
use super::config::ConfigArgs;
use super::diff::DiffArgs;
use super::doctor::DoctorArgs;
use super::graph::args::{
    CallsArgs, DefArgs, ExportArgs, ImpactArgs, MapArgs, OutlineArgs, PathArgs, RefsArgs,
    SymbolsArgs,
};
use super::grep::GrepArgs;
use super::index::IndexArgs;
use super::log::LogArgs;
use super::mcp::McpArgs;
use super::search::SearchArgs;
use super::serve::ServeArgs;
use super::setup::SetupArgs;
use super::show::ShowArgs;
use super::similar::SimilarArgs;
use super::status::StatusArgs;
use super::transfer::{ExportIndexArgs, ImportArgs};
use super::watch::WatchArgs;
use super::why::WhyArgs;
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

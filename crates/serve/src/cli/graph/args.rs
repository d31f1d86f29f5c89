//! The arguments of the commands that ask the graph.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use crate::cli::page::PlaceArgs;

/// Where to look and how to print: the same for every command that asks the graph.
#[derive(Args, Clone, Debug)]
pub struct GraphArgs {
    /// The indexed folder; the repository around the current one unless given.
    #[arg(long, value_name = "DIR")]
    pub root: Option<PathBuf>,

    /// How many to show.
    #[arg(short = 'k', long = "limit", value_name = "N", default_value_t = 50)]
    pub limit: usize,

    /// Print as JSON.
    #[arg(long)]
    pub json: bool,

    #[command(flatten)]
    pub place: PlaceArgs,
}

/// Which symbols to list.
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  wherein symbols retry
  wherein symbols --kind class --lang python -k 20")]
pub struct SymbolsArgs {
    /// A name or a part of one; the most used symbols of all without.
    pub query: Option<String>,

    /// Only this kind (function, method, class, struct, …); may be given again.
    #[arg(long = "kind", value_name = "KIND")]
    pub kinds: Vec<String>,

    /// Only this language; may be given again.
    #[arg(long = "lang", value_name = "L")]
    pub languages: Vec<String>,

    /// Only paths that match; '!' in front leaves out those that do; may be given again.
    #[arg(long = "path", value_name = "GLOB")]
    pub paths: Vec<String>,

    #[command(flatten)]
    pub graph: GraphArgs,
}

/// What to find the definition of.
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  wherein def Queue.retry
  wherein def parse_header --json")]
pub struct DefArgs {
    /// A name, perhaps with those around it: NAME, Type.method, module::Type::method.
    pub name: String,

    #[command(flatten)]
    pub graph: GraphArgs,
}

/// What to find the uses of.
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  wherein refs Queue.retry
  wherein refs src/upload.rs:120                # of the symbol at that line
  wherein refs src/upload.rs                    # who imports the file")]
pub struct RefsArgs {
    /// A name, a file, or a line of one, for the symbol that stands there.
    #[arg(value_name = "NAME|PATH[:LINE]")]
    pub target: String,

    #[command(flatten)]
    pub graph: GraphArgs,
}

/// What to follow calls from.
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  wherein callers Queue.retry --depth 2
  wherein callees src/upload.rs:120")]
pub struct CallsArgs {
    /// A name, or a line of a file, for the symbol that stands there.
    #[arg(value_name = "NAME|PATH:LINE")]
    pub target: String,

    /// How many calls to follow.
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub depth: u32,

    #[command(flatten)]
    pub graph: GraphArgs,
}

/// What changes.
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  wherein impact src/upload.rs            # everything that changing this file may reach
  wherein impact Queue.retry --depth 5
  wherein impact --diff                   # what is changed since the last commit
  wherein impact --diff main              # what is changed since a revision")]
pub struct ImpactArgs {
    /// A name, a file, or a line of one.
    #[arg(value_name = "NAME|PATH[:LINE]", required_unless_present = "diff")]
    pub target: Option<String>,

    /// What differs from a revision, HEAD unless given, by git.
    #[arg(long, value_name = "REV", num_args = 0..=1, default_missing_value = "HEAD", conflicts_with = "target")]
    pub diff: Option<String>,

    /// How many steps to follow.
    #[arg(long, value_name = "N", default_value_t = 3)]
    pub depth: u32,

    #[command(flatten)]
    pub graph: GraphArgs,
}

/// What to connect.
#[derive(Args, Debug)]
#[command(after_help = "Example:
  wherein path src/main.rs Queue.retry")]
pub struct PathArgs {
    /// A name, a file, or a line of one.
    #[arg(value_name = "A")]
    pub from: String,

    /// Another.
    #[arg(value_name = "B")]
    pub to: String,

    #[command(flatten)]
    pub graph: GraphArgs,
}

/// What to draw on a map.
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  wherein map                                   # what a newcomer should read first
  wherein map --budget 4000 --focus src/upload.rs")]
pub struct MapArgs {
    /// About how many tokens it may take.
    #[arg(long, value_name = "TOKENS", default_value_t = 2000, value_parser = clap::value_parser!(u32).range(1..))]
    pub budget: u32,

    /// A file to draw near to; may be given again.
    #[arg(long, value_name = "PATH")]
    pub focus: Vec<String>,

    #[command(flatten)]
    pub graph: GraphArgs,
}

/// What to outline.
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  wherein outline src/upload.rs
  wherein outline 'src/net/**' --json")]
pub struct OutlineArgs {
    /// Paths or patterns, as for --path.
    #[arg(value_name = "GLOB", required = true)]
    pub patterns: Vec<String>,

    #[command(flatten)]
    pub graph: GraphArgs,
}

/// What to draw.
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  wherein graph | dot -Tsvg > imports.svg
  wherein graph --format svg --path src > imports.svg
  wherein graph --unresolved")]
pub struct ExportArgs {
    /// How to draw it.
    #[arg(long, value_enum, default_value_t = GraphFormat::Dot)]
    pub format: GraphFormat,

    /// Only paths that match; '!' in front leaves out those that do; may be given again.
    #[arg(long = "path", value_name = "GLOB")]
    pub paths: Vec<String>,

    /// List the imports that lead nowhere, and why, instead.
    #[arg(long)]
    pub unresolved: bool,

    #[command(flatten)]
    pub graph: GraphArgs,
}

/// How a graph is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum GraphFormat {
    /// For Graphviz
    Dot,
    /// Nodes and edges
    Json,
    /// A picture: folders on a circle, imports between their files
    Svg,
}

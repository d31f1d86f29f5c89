//! The command line of a fleet.

use std::path::PathBuf;

use clap::{Args, Subcommand};

/// Which fleet.
#[derive(Args, Clone, Debug, Default)]
pub struct FleetPlace {
    /// Where the fleet keeps its catalogue, clones and tokens, instead of the user's data folder.
    #[arg(long, value_name = "DIR")]
    pub fleet_dir: Option<PathBuf>,
}

/// What to do with a fleet.
#[derive(Args, Debug)]
#[command(after_help = "Environment:
  WHEREIN_STORE        milvus://HOST:PORT/COLLECTION, over 'store' of the user's config.toml;
                       milvuss:// over TLS
  WHEREIN_STORE_TOKEN  what the engine wants to see, if anything
  WHEREIN_STORE_INDEX  HNSW or IVF_RABITQ for new collections, instead of by size
  WHEREIN_QUEUE        postgres://USER@HOST:PORT/DATABASE, for workers on several machines;
                       ?sslmode=verify-full over TLS, with a certificate that is looked at
  WHEREIN_TLS_CA       a file of authorities to trust instead of the system's
  WHEREIN_TLS_CERT     a file with a certificate for servers that want to see one
  WHEREIN_TLS_KEY      a file with its key, if it is in another
  WHEREIN_FLEET_TOKEN  the token of who searches, if the fleet has any

Examples:
  wherein fleet add https://host.example/acme/web.git ~/src/tools
  wherein fleet sync
  wherein search --fleet 'where are failed uploads retried' --repo 'acme/*'
  wherein fleet read acme/web/src/upload.rs:120")]
pub struct FleetArgs {
    /// What to do.
    #[command(subcommand)]
    pub command: FleetCommand,
}

/// The commands over a fleet.
#[derive(Debug, Subcommand)]
pub enum FleetCommand {
    /// Add repositories: git remotes or folders. The next sync takes them.
    Add(AddArgs),
    /// Pull repositories and bring the engine up to date. Any number of these may run at once.
    Sync(SyncArgs),
    /// Show the repositories and where each stands.
    Status(FleetStatusArgs),
    /// Remove repositories. The next sync takes them out of the engine.
    Remove(RemoveArgs),
    /// Print files of the fleet, or some of their lines, as hits name them.
    Read(ReadArgs),
    /// Print what to write into access.toml for a token that is read from standard input.
    Token,
}

/// What to add.
#[derive(Args, Debug)]
pub struct AddArgs {
    /// Addresses or folders.
    #[arg(required = true, value_name = "URL|PATH")]
    pub sources: Vec<String>,

    /// Its name, for one source; 'organisation/name' of its address unless given.
    #[arg(long)]
    pub name: Option<String>,

    /// Follow this branch instead of the one the remote names.
    #[arg(long, default_value = "")]
    pub branch: String,

    #[command(flatten)]
    pub place: FleetPlace,
}

/// How to sync.
#[derive(Args, Debug)]
pub struct SyncArgs {
    /// Only these; all unless named.
    pub names: Vec<String>,

    /// Only take what waits already, and make nothing due: for workers beside the first.
    #[arg(long, conflicts_with = "names")]
    pub join: bool,

    /// Seconds after which another worker takes over what this one no longer renews.
    #[arg(long, value_name = "S", default_value_t = 60)]
    pub lease: u64,

    /// Seconds to wait for an engine that does not answer.
    #[arg(long, value_name = "S", default_value_t = 60)]
    pub patience: u64,

    #[command(flatten)]
    pub place: FleetPlace,
}

/// How to report.
#[derive(Args, Debug)]
pub struct FleetStatusArgs {
    /// Print as JSON.
    #[arg(long)]
    pub json: bool,

    /// Print sums in the text format of Prometheus.
    #[arg(long, conflicts_with = "json")]
    pub metrics: bool,

    #[command(flatten)]
    pub place: FleetPlace,
}

/// What to remove.
#[derive(Args, Debug)]
pub struct RemoveArgs {
    /// Names, as 'fleet status' shows them.
    #[arg(required = true)]
    pub names: Vec<String>,

    #[command(flatten)]
    pub place: FleetPlace,
}

/// What to read.
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  wherein fleet read acme/web/src/upload.rs
  wherein fleet read acme/web/src/upload.rs:120
  wherein fleet read acme/web/src/upload.rs:100-140 --context 10

Exit codes: 0 read, 1 nothing there that you may see, 2 failed.")]
pub struct ReadArgs {
    /// A path that begins with its repository's name. A line gives the definition around it.
    #[arg(required = true, value_name = "PATH[:LINE|:FIRST-LAST]")]
    pub spans: Vec<String>,

    /// Lines to add on both sides.
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub context: u32,

    /// Print as JSON, a line for each file.
    #[arg(long)]
    pub json: bool,

    #[command(flatten)]
    pub place: FleetPlace,
}

/// Search over a fleet instead of a folder.
#[derive(Args, Clone, Debug, Default)]
pub struct FleetSearchArgs {
    /// Search all repositories of the fleet.
    #[arg(long, conflicts_with_all = ["root", "rev", "blame", "overlay", "batch"])]
    pub fleet: bool,

    /// Only repositories whose name matches; may be given again.
    #[arg(long = "repo", value_name = "GLOB", requires = "fleet")]
    pub repositories: Vec<String>,

    /// Only this organisation; may be given again.
    #[arg(long = "org", value_name = "NAME", requires = "fleet")]
    pub organisations: Vec<String>,

    /// Seconds that the engine may take; what does not answer by then is named.
    #[arg(long, value_name = "S", default_value_t = 10.0, requires = "fleet")]
    pub fleet_timeout: f32,

    #[command(flatten)]
    pub place: FleetPlace,
}

//! `wherein clusters`: what the tree is about, in groups of chunks that mean alike.

use std::io::{self, Write};

use clap::Args;
use wherein_engine::Error;
use wherein_engine::search::clusters::{Cluster, Overview, Share, clusters};

use super::Outcome;
use super::output::visible::Visible;
use super::page::TreeArgs;
use super::tree::{Opened, Tree};

/// Which clusters to list.
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  wherein clusters -k 10
  wherein clusters --root ~/src/project --json")]
pub struct ClustersArgs {
    /// How many to show, largest first.
    #[arg(short = 'k', long = "limit", value_name = "N", default_value_t = 20)]
    pub limit: usize,

    #[command(flatten)]
    pub tree: TreeArgs,
}

/// Lists the clusters, largest first.
pub fn run(args: &ClustersArgs) -> anyhow::Result<Outcome> {
    let tree = Tree::around(args.tree.root.as_deref(), &args.tree.place)?;
    tree.needed_model()?;
    let overview = tree.ask(|opened| overview(&tree, &opened, args.limit))?;
    let mut out = io::stdout().lock();
    if args.tree.json {
        writeln!(out, "{}", serde_json::to_string(&overview)?)?;
    } else {
        print(&mut Visible(&mut out), &overview)?;
    }
    if let Some(because) = &overview.nothing_because {
        let _ = writeln!(io::stderr(), "wherein: no clusters: {because}");
    }
    Ok(if overview.clusters.is_empty() { Outcome::Nothing } else { Outcome::Found })
}

fn overview(tree: &Tree, opened: &Opened, limit: usize) -> Result<Overview, Error> {
    let mut overview = clusters(&opened.snapshot, tree.needed_model()?, limit)?;
    if overview.nothing_because.is_none() && !overview.index.complete {
        tree.own_up_to_gaps(&opened.snapshot)?;
    }
    opened.own_up(&mut overview.index);
    Ok(overview)
}

fn print(out: &mut impl Write, overview: &Overview) -> io::Result<()> {
    for cluster in &overview.clusters {
        block(out, cluster)?;
    }
    if overview.more > 0 {
        writeln!(out, "and {} smaller ones (-k N shows more)", overview.more)?;
    }
    Ok(())
}

fn block(out: &mut impl Write, cluster: &Cluster) -> io::Result<()> {
    writeln!(out, "{:>5}  {}", cluster.chunks, cluster.words.join(", "))?;
    if !cluster.within.is_empty() {
        let within: Vec<String> = cluster.within.iter().map(share).collect();
        writeln!(out, "       in {}", within.join(", "))?;
    }
    for central in &cluster.central {
        let symbol = central.symbol.as_deref().unwrap_or("");
        let spot = format!("{}:{}-{}", central.path, central.start_line, central.end_line);
        writeln!(out, "       {}", format!("{spot}  {symbol}").trim_end())?;
    }
    writeln!(out)
}

fn share(share: &Share) -> String {
    format!("{} ({})", share.path, share.chunks)
}

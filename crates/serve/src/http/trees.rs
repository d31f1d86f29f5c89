//! `/api/trees`: every tree that is served, how fresh, how far encoded, what was left out, how large.
//!
//! What is asked under `/api` is asked of the first tree; of several, each has an address of its own,
//! `/api/trees/LABEL`, below which everything stands again.

use std::fmt::Write as _;
use std::sync::Arc;
use std::time::Instant;

use axum::Json;
use axum::extract::State;
use serde::Serialize;
use utoipa::ToSchema;

use super::Server;
use super::activity::Activity;
use super::keeper::Keeper;
use super::problem::{Answer, Problem};
use crate::cli::status::{Status, status};

/// A tree that is served.
#[derive(Serialize, ToSchema)]
pub struct ServedTree {
    /// Names it among several; empty if it is the only one.
    label: String,
    /// Its folder.
    root: String,
    /// Where it is asked.
    address: String,
}

/// A tree and the state of its index.
#[derive(Serialize, ToSchema)]
pub struct TreeRow {
    #[serde(flatten)]
    tree: ServedTree,
    /// Whether what is indexed is what is on disk; nothing before the first index is there.
    fresh: Option<bool>,
    /// Files that are indexed.
    files: usize,
    /// Their chunks.
    chunks: u64,
    /// Chunks that can be found by their meaning.
    with_vectors: u64,
    /// Files that were left out.
    skipped: usize,
    /// What the index takes on disk.
    bytes_on_disk: u64,
    /// What goes on in the background.
    activity: Activity,
}

/// Every tree.
#[derive(Serialize, ToSchema)]
pub struct Trees {
    /// In the order they were named.
    trees: Vec<TreeRow>,
    /// Folders that should be served and cannot be, and why.
    left_out: Vec<String>,
}

/// Lists the trees that are served, without changing anything.
#[utoipa::path(
    get,
    path = "/trees",
    operation_id = "trees",
    tag = "operation",
    responses(
        (status = 200, description = "The trees and the state of each", body = Trees),
        Problem,
    )
)]
pub async fn list(State(server): State<Arc<Server>>) -> Answer<Trees> {
    let mut trees = Vec::new();
    for (tree, root) in served(&server).into_iter().zip(&server.roots.all) {
        let activity = root.keeper.board.now();
        trees.push(row(tree, indexed(&server, &root.keeper).await?, activity));
    }
    Ok(Json(Trees { trees, left_out: server.roots.left_out.clone() }))
}

/// The trees a server has, without a look at any.
pub fn served(server: &Server) -> Vec<ServedTree> {
    let several = server.roots.all.len() > 1;
    let tree = |root: &crate::mcp::Root| ServedTree {
        label: root.label.clone(),
        root: root.keeper.tree.place.root.display().to_string(),
        address: if several { address(&root.label) } else { "/api".to_owned() },
    };
    server.roots.all.iter().map(tree).collect()
}

/// Where a tree is asked. Escaped as a browser would.
pub fn address(label: &str) -> String {
    let mut address = "/api/trees/".to_owned();
    for byte in label.bytes() {
        match byte {
            b if b.is_ascii_alphanumeric() || b"-_.!~*'()".contains(&b) => address.push(b as char),
            b => drop(write!(address, "%{b:02X}")),
        }
    }
    address
}

/// The state of a tree's index, if there is one.
async fn indexed(server: &Server, keeper: &Arc<Keeper>) -> Result<Option<Status>, Problem> {
    let (Some(snapshot), is_fresh) = keeper.look(Instant::now()).await? else { return Ok(None) };
    let tree = keeper.tree.clone();
    let report = move |_| Ok(status(&tree, &snapshot.manifest, is_fresh));
    server.pool.run(report).await.map(Some)
}

fn row(tree: ServedTree, indexed: Option<Status>, activity: Activity) -> TreeRow {
    let index = indexed.as_ref().map(|it| &it.index);
    TreeRow {
        tree,
        fresh: indexed.as_ref().map(|it| it.fresh),
        files: index.map_or(0, |it| it.files),
        chunks: index.map_or(0, |it| it.chunks),
        skipped: index.map_or(0, |it| it.skipped),
        with_vectors: indexed.as_ref().map_or(0, |it| it.with_vectors),
        bytes_on_disk: indexed.as_ref().map_or(0, |it| it.bytes_on_disk),
        activity,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_are_escaped_as_a_browser_does() {
        for (label, expected) in [
            ("api", "/api/trees/api"),
            ("x~2", "/api/trees/x~2"),
            ("my code", "/api/trees/my%20code"),
            ("{a}/ö", "/api/trees/%7Ba%7D%2F%C3%B6"),
        ] {
            assert_eq!(address(label), expected);
        }
    }
}

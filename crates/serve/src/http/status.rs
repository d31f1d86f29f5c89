//! `/api/status`: what is indexed, how fresh, what was skipped, what goes on in the background.

use std::sync::Arc;
use std::time::Instant;

use axum::Json;
use axum::extract::State;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::Server;
use super::activity::Activity;
use super::examples::Example;
use super::extract::Params;
use super::problem::{Answer, Problem};
use super::search::within;
use super::trees::{self, ServedTree};
use crate::cli::status::{Status, status};
use crate::config::names_a_fleet;

/// Which skipped files to list.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct StatusRequest {
    /// How many skipped files to return.
    #[serde(default = "hundred")]
    #[param(maximum = 1000, default = 100)]
    skipped_limit: usize,
    /// How many of them to pass over.
    #[serde(default)]
    #[param(default = 0)]
    skipped_offset: usize,
}

fn hundred() -> usize {
    100
}

/// The state of the server and its tree.
#[derive(Serialize, ToSchema)]
pub struct ServerStatus {
    /// The program's version.
    version: &'static str,
    /// The folder that is served.
    root: String,
    /// The folders that are, the first of which answers where none is named.
    served: Vec<ServedTree>,
    /// Whether a fleet of repositories can be asked here, under `/api/fleet`.
    fleet: bool,
    /// What is indexed; nothing before the first index is there.
    indexed: Option<Status>,
    /// What goes on in the background.
    activity: Activity,
    /// Questions to start with.
    examples: Vec<Example>,
}

/// Reports on the tree without changing anything.
#[utoipa::path(
    get,
    path = "/status",
    operation_id = "status",
    tag = "operation",
    params(StatusRequest),
    responses(
        (status = 200, description = "The state of things", body = ServerStatus),
        Problem,
    )
)]
pub async fn report(
    State(server): State<Arc<Server>>,
    Params(request): Params<StatusRequest>,
) -> Answer<ServerStatus> {
    within("skipped_limit", request.skipped_limit, 0, 1000)?;
    let indexed = match server.keeper.look(Instant::now()).await? {
        (Some(snapshot), is_fresh) => {
            let tree = server.keeper.tree.clone();
            let report = move |_| Ok(status(&tree, &snapshot.manifest, is_fresh));
            Some(cut(server.pool.run(report).await?, &request))
        }
        (None, _) => None,
    };
    Ok(Json(ServerStatus {
        version: env!("CARGO_PKG_VERSION"),
        root: server.keeper.tree.place.root.display().to_string(),
        served: trees::served(&server),
        fleet: names_a_fleet(),
        indexed,
        activity: server.keeper.board.now(),
        examples: server.examples.lock().map(|it| it.clone()).unwrap_or_default(),
    }))
}

fn cut(mut status: Status, request: &StatusRequest) -> Status {
    let files = std::mem::take(&mut status.skipped_files).into_iter();
    status.skipped_files = files.skip(request.skipped_offset).take(request.skipped_limit).collect();
    status
}

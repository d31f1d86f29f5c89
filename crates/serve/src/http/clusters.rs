//! `/api/clusters`: what the tree is about, in groups of chunks that mean alike.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use serde::Deserialize;
use utoipa::IntoParams;
use wherein_engine::search::clusters::{Overview, clusters};

use super::Server;
use super::extract::Params;
use super::keeper::View;
use super::pool::Wanted;
use super::problem::{Answer, Problem};
use super::search::{ask_in_turn, within};

/// Which clusters to list.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct ClustersRequest {
    /// How many to return, largest first.
    #[serde(default = "twenty")]
    #[param(minimum = 1, maximum = 200, default = 20)]
    limit: usize,
}

fn twenty() -> usize {
    20
}

/// Lists what the tree is about.
#[utoipa::path(
    get,
    path = "/clusters",
    operation_id = "clusters",
    tag = "search",
    params(ClustersRequest),
    responses(
        (status = 200, description = "The largest clusters", body = Overview),
        Problem,
    )
)]
pub async fn list(
    State(server): State<Arc<Server>>,
    Params(ClustersRequest { limit }): Params<ClustersRequest>,
) -> Answer<Overview> {
    within("limit", limit, 1, 200)?;
    let ask = move |server: &Server, view: &View, _: &Wanted| {
        let mut overview = clusters(&view.snapshot, server.keeper.tree.needed_model()?, limit)?;
        view.own_up(&mut overview.index);
        Ok(overview)
    };
    Ok(Json(ask_in_turn(&server, ask).await?.0))
}

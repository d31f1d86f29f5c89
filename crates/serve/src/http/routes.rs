//! Which address leads where.

use std::sync::Arc;

use axum::Router;
use axum::extract::DefaultBodyLimit;
use axum::http::StatusCode;
use axum::middleware::from_fn_with_state;
use axum::routing::get;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::problem::Problem;
use super::{
    Server, clusters, embeddings, eval, file, graph, guard, index, metrics, openapi, page, search,
    similar, status, trees,
};
use crate::mcp;

/// Bytes of a request.
const MOST_BYTES: usize = 1 << 20;

/// Everything the server answers to: what names no tree is asked of the first.
pub fn router(servers: &[Arc<Server>]) -> Router {
    let server = servers[0].clone();
    let (routes, document) = described_routes().split_for_parts();
    let described = Router::new()
        .route("/api/openapi.json", get(openapi::document))
        .with_state(Arc::new(document));
    let versioned: Router<Arc<Server>> = whole_api().into();
    let of_trees = servers.iter().fold(Router::new(), |router, server| {
        let own: Router<Arc<Server>> = api().into();
        router.nest(&trees::address(&server.label), own.with_state(server.clone()))
    });
    let of_trees = if servers.len() > 1 { of_trees } else { Router::new() };
    routes
        .nest("/api/v1", versioned)
        .merge(page::router())
        .fallback(nowhere)
        .method_not_allowed_fallback(not_so)
        .with_state(server.clone())
        .merge(described)
        .merge(of_trees)
        .merge(mcp::over_http(server.roots.clone(), server.pool.clone()))
        .layer(DefaultBodyLimit::max(MOST_BYTES))
        .layer(from_fn_with_state(server, guard::guard))
}

/// The description of everything that has one.
#[cfg(test)]
pub fn document() -> utoipa::openapi::OpenApi {
    described_routes().into_openapi()
}

fn described_routes() -> OpenApiRouter<Arc<Server>> {
    OpenApiRouter::with_openapi(openapi::frame())
        .nest("/api", whole_api())
        .nest("/v1", service())
        .routes(routes!(openapi::healthz))
        .routes(routes!(metrics::metrics))
}

/// What is asked of a tree, and of a fleet by a program that has one.
fn whole_api() -> OpenApiRouter<Arc<Server>> {
    #[cfg(feature = "fleet")]
    return api().nest("/fleet", super::fleet::routes());
    #[cfg(not(feature = "fleet"))]
    api()
}

/// What is asked of the tree.
fn api() -> OpenApiRouter<Arc<Server>> {
    OpenApiRouter::new()
        .routes(routes!(search::by_address, search::by_body))
        .routes(routes!(similar::by_address, similar::by_body))
        .routes(routes!(clusters::list))
        .routes(routes!(file::show))
        .routes(routes!(graph::symbols))
        .routes(routes!(graph::refs))
        .routes(routes!(graph::impact))
        .routes(routes!(graph::graph))
        .routes(routes!(status::report))
        .routes(routes!(trees::list))
        .routes(routes!(index::start, index::events))
        .routes(routes!(eval::list))
        .routes(routes!(eval::show))
        .routes(routes!(eval::compared))
}

fn service() -> OpenApiRouter<Arc<Server>> {
    OpenApiRouter::new().routes(routes!(embeddings::embed)).routes(routes!(embeddings::models))
}

async fn nowhere() -> Problem {
    Problem::absent("no_such_page", "nothing is at this address")
        .advise("/reference lists the addresses there are")
}

async fn not_so() -> Problem {
    Problem::new(StatusCode::METHOD_NOT_ALLOWED, "wrong_method", "Not with this method")
        .advise("/reference lists the methods of each address")
}

//! The description of the API, generated from its types, and its page.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use utoipa::OpenApi;
use utoipa::openapi::OpenApi as Document;
use utoipa::openapi::security::{Http, HttpAuthScheme, SecurityScheme};
use utoipa::openapi::tag::TagBuilder;

use super::problem::{Problem, ServiceError};

/// The parts that are no route.
#[derive(OpenApi)]
#[openapi(
    info(
        title = "wherein",
        description = "Finds the place in a code base wherein something happens. \
            `/api` is the newest version of the API, `/api/v1` this one.",
        license(name = "Apache-2.0", identifier = "Apache-2.0"),
    ),
    components(schemas(Problem, ServiceError)),
    tags(
        (name = "search", description = "Questions and hits"),
        (name = "tree", description = "Files of the tree"),
        (name = "graph", description = "What is connected to what"),
        (name = "evaluation", description = "How well it finds things"),
        (name = "embeddings", description = "The encoder as an embeddings service"),
        (name = "operation", description = "The running server"),
    )
)]
struct Frame;

/// The frame that routes are entered into.
pub fn frame() -> Document {
    let mut document = Frame::openapi();
    let bearer = SecurityScheme::Http(Http::new(HttpAuthScheme::Bearer));
    let components = document.components.get_or_insert_default();
    components.add_security_scheme("token", bearer);
    if cfg!(feature = "fleet") {
        let about = Some("Many repositories on a distributed engine");
        let tag = TagBuilder::new().name("fleet").description(about).build();
        document.tags.get_or_insert_default().push(tag);
    }
    document
}

/// The document.
pub async fn document(State(document): State<Arc<Document>>) -> Json<Document> {
    Json((*document).clone())
}

/// Whether the server is alive.
#[utoipa::path(
    get,
    path = "/healthz",
    operation_id = "healthz",
    tag = "operation",
    responses((status = 200, description = "It is", body = String, content_type = "text/plain"))
)]
pub async fn healthz() -> &'static str {
    "ok\n"
}

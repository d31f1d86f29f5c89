//! `/api/similar`: spans like a span of the tree, or like a text.

use std::sync::Arc;
use std::time::Instant;

use axum::Json;
use axum::extract::State;
use serde::Deserialize;
use utoipa::{IntoParams, ToSchema};
use wherein_engine::search::query::{Query, Scope, Unit};
use wherein_engine::search::similar::{Target, similar};

use super::Server;
use super::extract::{Body, Params};
use super::keeper::View;
use super::pool::Wanted;
use super::problem::{Answer, Problem};
use super::search::{ask_in_turn, milliseconds, within_filters, within_page};
use super::shown::{HitPage, Window};
use crate::cli::search::ENCODING_TIME;

/// What hits should be like: a line of a file, or a text.
#[derive(Clone, Debug, Deserialize, IntoParams, ToSchema)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct SimilarRequest {
    /// An indexed file, relative to the root; needs `line`.
    pub path: Option<String>,
    /// A line of it, counted from 1.
    #[param(minimum = 1)]
    #[schema(minimum = 1)]
    pub line: Option<u32>,
    /// A text instead; its first few hundred words count.
    pub text: Option<String>,
    /// Search program text, documentation, or both.
    #[serde(default)]
    pub scope: Scope,
    /// Return spans, or files by their best span.
    #[serde(default)]
    pub unit: Unit,
    /// Only these languages; may be repeated.
    #[serde(default)]
    #[param(max_items = 64)]
    #[schema(max_items = 64)]
    pub languages: Vec<String>,
    /// Only paths that match one of these patterns and none that starts with `!`; may be repeated.
    #[serde(default)]
    #[param(max_items = 64)]
    #[schema(max_items = 64)]
    pub paths: Vec<String>,
    /// How many hits to return.
    #[serde(default = "ten")]
    #[param(minimum = 1, maximum = 100, default = 10)]
    #[schema(minimum = 1, maximum = 100, default = 10)]
    pub limit: usize,
    /// How many hits to pass over.
    #[serde(default)]
    #[param(maximum = 400, default = 0)]
    #[schema(maximum = 400, default = 0)]
    pub offset: usize,
    /// Whether to tint the tokens of the hits.
    #[serde(default)]
    pub highlight: bool,
}

fn ten() -> usize {
    10
}

impl SimilarRequest {
    fn target(&self) -> Result<Target, Problem> {
        match (&self.path, self.line, &self.text) {
            (Some(path), Some(line), None) => Ok(Target::Line { path: path.clone(), line }),
            (None, None, Some(text)) => Ok(Target::Text(text.clone())),
            (path, line, text) => {
                let detail = match (path, line, text) {
                    (None, None, None) => "neither a line nor a text is named",
                    (_, _, Some(_)) => "both a line and a text are named",
                    (None, ..) => "a line is named without its path",
                    (Some(_), ..) => "a path is named without a line",
                };
                Err(Problem::invalid("no_target", detail)
                    .advise("send path and line, or text, and not both"))
            }
        }
    }

    fn window(&self) -> Window {
        let Self { offset, limit, highlight, .. } = *self;
        Window { offset, limit, highlight, kinds: Vec::new() }
    }

    /// No text, so that no words of it are marked in the hits: what is like it need not share any.
    fn query(&self) -> Query {
        Query {
            limit: self.window().depth(),
            scope: self.scope,
            unit: self.unit,
            languages: self.languages.clone(),
            paths: self.paths.clone(),
            ..Query::new("")
        }
    }
}

/// Finds code like the code at a line.
#[utoipa::path(
    get,
    path = "/similar",
    operation_id = "similar",
    tag = "search",
    params(SimilarRequest),
    responses(
        (status = 200, description = "A page of hits", body = HitPage),
        Problem,
    )
)]
pub async fn by_address(
    State(server): State<Arc<Server>>,
    Params(request): Params<SimilarRequest>,
) -> Answer<HitPage> {
    answer(server, request).await
}

/// Finds code like a text, or like the code at a line.
#[utoipa::path(
    post,
    path = "/similar",
    operation_id = "similarByBody",
    tag = "search",
    request_body = SimilarRequest,
    responses(
        (status = 200, description = "A page of hits", body = HitPage),
        Problem,
    )
)]
pub async fn by_body(
    State(server): State<Arc<Server>>,
    Body(request): Body<SimilarRequest>,
) -> Answer<HitPage> {
    answer(server, request).await
}

async fn answer(server: Arc<Server>, request: SimilarRequest) -> Answer<HitPage> {
    let window = request.window();
    within_page(&window)?;
    within_filters(&[&request.languages, &request.paths])?;
    let (target, query) = (request.target()?, request.query());
    let checked = Query { text: "x".to_owned(), ..query.clone() };
    wherein_engine::search::check(&checked)?;
    server.keeper.tree.needed_model()?;
    let ask = move |server: &Server, view: &View, wanted: &Wanted| {
        let deadline = Instant::now() + ENCODING_TIME;
        let go_on = || Instant::now() < deadline && wanted.still();
        let meaning = server.keeper.tree.meaning(&go_on);
        let answer = similar(&view.snapshot, &meaning, &target, &query);
        answer.map(|answer| window.page(answer, view))
    };
    let (mut page, took) = ask_in_turn(&server, ask).await?;
    page.took_ms = milliseconds(took);
    Ok(Json(page))
}

//! `/api/fleet/…`: questions to many repositories, which there are, and their files.
//!
//! Who may see what is said by the header `wherein-fleet-token`. Routes about one tree (similar code,
//! the graph, its files) know nothing of the fleet, so nothing of it can be asked through them.

mod file;

use std::sync::Arc;
use std::time::Instant;

use axum::Json;
use axum::http::{HeaderMap, StatusCode};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;
use wherein_engine::search::query::{Fusion, Mode, Query, Scope, Unit};
use wherein_fleet::Error;

use super::Server;
use super::extract::Params;
use super::problem::{Answer, Problem};
use super::search::{milliseconds, within, within_filters, within_page};
use super::shown::{HitPage, Window};
use crate::cli::fleet::open::{Question, TIME, open};

/// The header with a token of the fleet.
const TOKEN: &str = "wherein-fleet-token";

/// A question to the fleet.
#[derive(Clone, Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct FleetRequest {
    /// What to look for; with `mode=dense` a piece of code finds what is like it.
    #[param(min_length = 1, max_length = 20000, example = "where are failed uploads retried")]
    text: String,
    /// Only repositories whose names match one of these patterns; may be repeated.
    #[serde(default)]
    #[param(max_items = 64)]
    repositories: Vec<String>,
    /// Only these organisations; may be repeated.
    #[serde(default)]
    #[param(max_items = 64)]
    organisations: Vec<String>,
    /// Only these languages; may be repeated.
    #[serde(default)]
    #[param(max_items = 64)]
    languages: Vec<String>,
    /// Only paths within a repository that match one of these patterns and none that starts with
    /// `!`; may be repeated.
    #[serde(default)]
    #[param(max_items = 64)]
    paths: Vec<String>,
    /// Only hits of these kinds among the first 500; may be repeated.
    #[serde(default)]
    #[param(max_items = 64)]
    kinds: Vec<String>,
    /// Search by words, by meaning, or both.
    #[serde(default)]
    mode: Mode,
    /// How the lists of words and of meaning become one.
    #[serde(default)]
    fusion: Fusion,
    /// Ask again with words that the best hits have in common.
    #[serde(default)]
    expand: bool,
    /// Search program text, documentation, or both.
    #[serde(default)]
    scope: Scope,
    /// Return spans, or files by their best span.
    #[serde(default)]
    unit: Unit,
    /// Say how each field of the words' channel contributed.
    #[serde(default)]
    explain: bool,
    /// How many hits to return.
    #[serde(default = "ten")]
    #[param(minimum = 1, maximum = 100, default = 10)]
    limit: usize,
    /// How many hits to pass over.
    #[serde(default)]
    #[param(maximum = 400, default = 0)]
    offset: usize,
    /// Whether to tint the tokens of the hits.
    #[serde(default)]
    highlight: bool,
}

fn ten() -> usize {
    10
}

impl FleetRequest {
    fn query(&self) -> Query {
        Query {
            limit: self.window().depth(),
            mode: self.mode,
            fusion: self.fusion,
            expand: self.expand,
            scope: self.scope,
            unit: self.unit,
            languages: self.languages.clone(),
            paths: self.paths.clone(),
            explain: self.explain,
            ..Query::new(self.text.clone())
        }
    }

    fn window(&self) -> Window {
        let Self { offset, limit, highlight, .. } = *self;
        Window { offset, limit, highlight, kinds: self.kinds.clone() }
    }

    fn check(&self) -> Result<(), Problem> {
        within("text", self.text.chars().count(), 1, 20_000)?;
        within_page(&self.window())?;
        within_filters(&[&self.repositories, &self.organisations])?;
        within_filters(&[&self.languages, &self.paths, &self.kinds])?;
        Ok(wherein_engine::search::check(&self.query())?)
    }
}

/// One page of hits, and where more of their kind are.
#[derive(Debug, Serialize, ToSchema)]
pub struct FleetPage {
    #[serde(flatten)]
    page: HitPage,
    /// Repositories with files that may answer, those with most first.
    facets: Vec<Facet>,
}

/// A repository among the candidates.
#[derive(Debug, Serialize, ToSchema)]
pub struct Facet {
    /// Its name.
    repository: String,
    /// How many of its files may answer.
    files: usize,
}

/// The repositories of a fleet.
#[derive(Debug, Serialize, ToSchema)]
pub struct FleetRepositories {
    /// The names of those that may be seen.
    repositories: Vec<String>,
}

/// The addresses of a fleet.
pub fn routes() -> OpenApiRouter<Arc<Server>> {
    OpenApiRouter::new()
        .routes(routes!(search))
        .routes(routes!(repositories))
        .routes(routes!(file::file))
}

/// Answers a question from the repositories of the fleet that the token may see.
#[utoipa::path(
    get,
    path = "/search",
    operation_id = "fleetSearch",
    tag = "fleet",
    params(
        FleetRequest,
        ("wherein-fleet-token" = Option<String>, Header, description = "Who asks, where the fleet gives out tokens"),
    ),
    responses(
        (status = 200, description = "A page of hits", body = FleetPage),
        Problem,
    )
)]
async fn search(headers: HeaderMap, Params(request): Params<FleetRequest>) -> Answer<FleetPage> {
    request.check()?;
    answered(move || asked(token(&headers), &request)).await
}

/// Lists the repositories that the token may see.
#[utoipa::path(
    get,
    path = "/repositories",
    operation_id = "fleetRepositories",
    tag = "fleet",
    params(("wherein-fleet-token" = Option<String>, Header, description = "Who asks, where the fleet gives out tokens")),
    responses(
        (status = 200, description = "Their names", body = FleetRepositories),
        Problem,
    )
)]
async fn repositories(headers: HeaderMap) -> Answer<FleetRepositories> {
    answered(move || listed(token(&headers))).await
}

/// Works where waiting holds nobody up, and says what went wrong if something did.
async fn answered<T: Send + 'static>(
    work: impl FnOnce() -> anyhow::Result<T> + Send + 'static,
) -> Answer<T> {
    match tokio::task::spawn_blocking(work).await {
        Ok(done) => done.map(Json).map_err(|error| problem(&error)),
        Err(error) => Err(Problem::ours(error)),
    }
}

fn asked(token: Option<String>, request: &FleetRequest) -> anyhow::Result<FleetPage> {
    let (started, query) = (Instant::now(), request.query());
    let question = Question {
        query: &query,
        repositories: &request.repositories,
        organisations: &request.organisations,
        token: token.as_deref(),
        time: TIME,
    };
    let found = open()?.ask(&question)?;
    let mut page = request.window().page_of(found.answer, None);
    page.took_ms = milliseconds(started.elapsed());
    let facet = |(repository, files)| Facet { repository, files };
    Ok(FleetPage { page, facets: found.facets.into_iter().map(facet).collect() })
}

fn listed(token: Option<String>) -> anyhow::Result<FleetRepositories> {
    let seen = open()?.repositories(token.as_deref())?;
    Ok(FleetRepositories { repositories: seen.into_iter().map(|it| it.name).collect() })
}

/// The token that a request shows.
pub fn token(headers: &HeaderMap) -> Option<String> {
    headers.get(TOKEN).and_then(|token| token.to_str().ok()).map(str::to_owned)
}

fn problem(error: &anyhow::Error) -> Problem {
    let advice = "say so to who keeps the fleet; 'wherein doctor' there says more";
    match error.downcast_ref::<Error>() {
        Some(Error::Refused(_)) => {
            Problem::new(StatusCode::UNAUTHORIZED, "fleet_token_needed", "A token is needed")
                .because(error)
                .advise("send the header 'wherein-fleet-token: TOKEN'")
        }
        Some(Error::Unreachable { .. } | Error::Catalogue(_)) => {
            Problem::unavailable("fleet_unreachable", error).advise("ask again in a while")
        }
        Some(Error::Torn(_)) => {
            Problem::unavailable("fleet_file_torn", error).advise("ask again after the next sync")
        }
        Some(Error::Repository(_) | Error::Local(_)) => Problem::invalid("not_so", error),
        _ => Problem::unavailable("no_fleet", format!("{error:#}")).advise(advice),
    }
}

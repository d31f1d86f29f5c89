//! `/api/fleet/…`: questions to many repositories, and which there are.
//!
//! Who may see what is said by the header `wherein-fleet-token`. Routes about one tree (similar code,
//! the graph, files) know nothing of the fleet, so nothing of it can be asked through them.

use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

use axum::extract::State;
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use axum::{Json, Router};
use serde::Deserialize;
use wherein_encoder::Model;
use wherein_engine::search::query::{Mode, Query, Scope, Unit};
use wherein_fleet::Error;
use wherein_fleet::search::{Asked, Fleet};

use super::extract::Params;
use super::problem::Problem;
use super::search::MOST_HITS;
use crate::cli::fleet::Page;
use crate::cli::fleet::place::{Place, model};

/// The header with a token of the fleet.
const TOKEN: &str = "wherein-fleet-token";

/// How long the engine may take.
const TIME: Duration = Duration::from_secs(10);

/// A question to the fleet.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FleetRequest {
    /// What to look for; with `mode=dense` a piece of code finds what is like it.
    text: String,
    #[serde(default)]
    repositories: Vec<String>,
    #[serde(default)]
    organisations: Vec<String>,
    #[serde(default)]
    languages: Vec<String>,
    #[serde(default)]
    paths: Vec<String>,
    #[serde(default)]
    mode: Mode,
    #[serde(default)]
    scope: Scope,
    #[serde(default)]
    unit: Unit,
    #[serde(default)]
    explain: bool,
    limit: Option<usize>,
}

impl FleetRequest {
    fn query(&self) -> Query {
        Query {
            limit: self.limit.unwrap_or(10).clamp(1, MOST_HITS),
            mode: self.mode,
            scope: self.scope,
            unit: self.unit,
            languages: self.languages.clone(),
            paths: self.paths.clone(),
            explain: self.explain,
            ..Query::new(self.text.clone())
        }
    }
}

/// The fleet of the one who started the server, opened by the first question.
#[derive(Default)]
pub struct Keeper {
    open: OnceLock<Open>,
}

struct Open {
    place: Place,
    model: Model,
    fleet: Fleet,
}

impl Keeper {
    fn open(&self) -> anyhow::Result<&Open> {
        if self.open.get().is_none() {
            let (place, model) = (Place::of(&Default::default())?, model()?);
            let fleet = place.fleet(&model)?;
            let _ = self.open.set(Open { place, model, fleet });
        }
        Ok(self.open.get().expect("it was just set"))
    }
}

/// The addresses of a fleet.
pub fn router() -> Router {
    Router::new()
        .route("/api/fleet/search", get(search))
        .route("/api/fleet/repositories", get(repositories))
        .with_state(Arc::new(Keeper::default()))
}

async fn search(
    State(keeper): State<Arc<Keeper>>,
    headers: HeaderMap,
    Params(request): Params<FleetRequest>,
) -> Response {
    answered(move || asked(&keeper, token(&headers), &request)).await
}

async fn repositories(State(keeper): State<Arc<Keeper>>, headers: HeaderMap) -> Response {
    answered(move || listed(&keeper, token(&headers))).await
}

/// Works where waiting holds nobody up, and says what went wrong if something did.
async fn answered(work: impl FnOnce() -> anyhow::Result<String> + Send + 'static) -> Response {
    match tokio::task::spawn_blocking(work).await {
        Ok(Ok(json)) => ([(header::CONTENT_TYPE, "application/json")], json).into_response(),
        Ok(Err(error)) => problem(&error).into_response(),
        Err(error) => Problem::ours(error).into_response(),
    }
}

fn asked(keeper: &Keeper, token: Option<String>, request: &FleetRequest) -> anyhow::Result<String> {
    let (started, open) = (Instant::now(), keeper.open()?);
    let (query, view) = (request.query(), open.place.view(token.as_deref())?);
    let asked = Asked {
        query: &query,
        repositories: &request.repositories,
        organisations: &request.organisations,
        view: &view,
        time: TIME,
    };
    let found = open.fleet.search(&asked, Some(&open.model))?;
    Ok(serde_json::to_string(&Page::of(&found, started.elapsed()))?)
}

fn listed(keeper: &Keeper, token: Option<String>) -> anyhow::Result<String> {
    let open = keeper.open()?;
    let seen = open.fleet.repositories(&open.place.view(token.as_deref())?)?;
    let names: Vec<&str> = seen.iter().map(|it| it.name.as_str()).collect();
    Ok(Json(serde_json::json!({ "repositories": names })).0.to_string())
}

fn token(headers: &HeaderMap) -> Option<String> {
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
        Some(Error::Repository(_) | Error::Local(_)) => Problem::invalid("not_so", error),
        _ => Problem::unavailable("no_fleet", format!("{error:#}")).advise(advice),
    }
}

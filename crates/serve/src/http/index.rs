//! `/api/index`: brings the index up to date on request, and tells how far the work is.

use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::IntoResponse;
use axum::response::sse::{Event, KeepAlive, Sse};
use futures_util::stream::{self, Stream};
use serde::{Deserialize, Serialize};
use tokio::sync::watch;
use utoipa::{IntoParams, ToSchema};

use super::Server;
use super::activity::{Activity, State as Encoder};
use super::extract::Params;
use super::problem::Problem;

/// Between two events; the eye needs no more.
const PAUSE: Duration = Duration::from_millis(100);

/// What became of the request.
#[derive(Serialize, ToSchema)]
pub struct Started {
    /// Whether it started a refresh; otherwise one was under way.
    started: bool,
    /// What goes on now.
    activity: Activity,
}

/// Starts a refresh unless one is under way.
#[utoipa::path(
    post,
    path = "/index",
    operation_id = "startRefresh",
    tag = "operation",
    responses(
        (status = 202, description = "A refresh is under way", body = Started),
        Problem,
    )
)]
pub async fn start(State(server): State<Arc<Server>>) -> impl IntoResponse {
    let started = server.keeper.start_refresh();
    (StatusCode::ACCEPTED, Json(Started { started, activity: server.keeper.board.now() }))
}

/// One event of the stream.
#[derive(ToSchema)]
#[expect(dead_code, reason = "it describes what is sent as text")]
pub struct ActivityEvent {
    /// Always `activity`.
    event: String,
    /// An `Activity` as JSON.
    data: String,
}

/// How long to listen.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct EventsRequest {
    /// Whether to go on when nothing is going on.
    #[serde(default)]
    follow: bool,
}

/// Tells how far indexing and encoding are: an event `activity` for every change, the first one at
/// once. The stream ends when nothing goes on any more, unless it is to follow.
#[utoipa::path(
    get,
    path = "/index",
    operation_id = "followRefresh",
    tag = "operation",
    params(EventsRequest),
    responses(
        (status = 200, description = "Events", body = ActivityEvent, content_type = "text/event-stream"),
        Problem,
    )
)]
pub async fn events(
    State(server): State<Arc<Server>>,
    Params(EventsRequest { follow }): Params<EventsRequest>,
) -> impl IntoResponse {
    let listener = Listener { board: server.keeper.board.watch(), follow, is_first: true };
    Sse::new(listener.events()).keep_alive(KeepAlive::new().interval(Duration::from_secs(15)))
}

struct Listener {
    board: watch::Receiver<Activity>,
    follow: bool,
    is_first: bool,
}

impl Listener {
    fn events(self) -> impl Stream<Item = Result<Event, Infallible>> {
        stream::unfold(Some(self), |listener| async move {
            let mut listener = listener?;
            if !listener.is_first {
                tokio::time::sleep(PAUSE).await;
                listener.board.changed().await.ok()?;
            }
            listener.is_first = false;
            let activity = listener.board.borrow_and_update().clone();
            let ends = !listener.follow && is_idle(&activity);
            let event = Event::default().event("activity").json_data(&activity).ok()?;
            Some((Ok(event), (!ends).then_some(listener)))
        })
    }
}

fn is_idle(activity: &Activity) -> bool {
    activity.indexing.is_none()
        && !matches!(activity.encoding.state, Encoder::Running | Encoder::Paused)
}

//! What every request passes: who asks, under which name, for how long; and what every answer says
//! to the browser.

use std::sync::Arc;
use std::time::{Duration, Instant};

use axum::extract::{MatchedPath, Request, State};
use axum::http::{HeaderName, HeaderValue, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

use super::Server;
use super::problem::Problem;

/// No answer but a stream of events may take longer.
const TIME: Duration = Duration::from_secs(30);

/// The version of the API that answers.
const VERSION: HeaderName = HeaderName::from_static("wherein-api-version");

/// Nothing but our own files, no script or style in a page's text, no frame around us.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; \
    img-src 'self' data:; connect-src 'self'; form-action 'self'; base-uri 'none'; \
    frame-ancestors 'none'";

/// Lets a request through, or says why not; counts it and closes the answer to others.
pub async fn guard(State(server): State<Arc<Server>>, request: Request, next: Next) -> Response {
    let start = Instant::now();
    let path = request.extensions().get::<MatchedPath>().map(|path| path.as_str().to_owned());
    let is_service = request.uri().path().starts_with("/v1/");
    let answer = match refusal(&server, &request) {
        Some(problem) => Err(problem),
        None => tokio::time::timeout(TIME, next.run(request)).await.map_err(|_| {
            Problem::unavailable("timeout", format!("no answer within {} s", TIME.as_secs()))
                .advise("ask again; while a large tree is indexed for the first time, wait")
        }),
    };
    let mut response = answer.unwrap_or_else(|problem| match is_service {
        true => problem.for_services().into_response(),
        false => problem.into_response(),
    });
    let path = path.unwrap_or_else(|| "none".to_owned());
    server.metrics.count(path, response.status(), start.elapsed());
    close(&mut response);
    response
}

fn refusal(server: &Server, request: &Request) -> Option<Problem> {
    let (door, headers) = (&server.options.door, request.headers());
    if !door.is_called(headers) {
        let refused = Problem::new(StatusCode::MISDIRECTED_REQUEST, "wrong_host", "Wrong host");
        return Some(
            refused
                .because("the request names a host that this server does not answer for")
                .advise("call it by localhost or its address, or start it with --allow-host NAME"),
        );
    }
    if is_open(request.uri().path()) {
        return None;
    }
    if !door.is_same_site(headers) {
        let refused = Problem::new(StatusCode::FORBIDDEN, "cross_site", "Other sites may not ask");
        return Some(refused.advise("ask from wherein's own page, or without an Origin header"));
    }
    (!door.admits(headers)).then(|| {
        Problem::new(StatusCode::UNAUTHORIZED, "token_needed", "A token is needed")
            .because("this server can be reached from other machines, so it asks for its token")
            .advise("send 'Authorization: Bearer TOKEN' with what WHEREIN_TOKEN held at its start")
    })
}

/// What tells nothing of the tree: the page without its data, and whether we are alive.
fn is_open(path: &str) -> bool {
    !["/api", "/v1", "/mcp", "/metrics"].iter().any(|closed| path.starts_with(closed))
}

fn close(response: &mut Response) {
    let headers = response.headers_mut();
    let fixed = [
        (header::CONTENT_SECURITY_POLICY, POLICY),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (header::REFERRER_POLICY, "no-referrer"),
        (header::X_FRAME_OPTIONS, "DENY"),
        (HeaderName::from_static("cross-origin-resource-policy"), "same-origin"),
        (HeaderName::from_static("cross-origin-opener-policy"), "same-origin"),
        (VERSION, "1"),
    ];
    for (name, value) in fixed {
        headers.insert(name, HeaderValue::from_static(value));
    }
    if !headers.contains_key(header::CACHE_CONTROL) {
        headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    }
}

//! Requests as values: parameters of an address and JSON bodies, refused as problem JSON.

use axum::body::Bytes;
use axum::extract::{FromRequest, FromRequestParts, Request};
use axum::http::request::Parts;
use axum::http::{StatusCode, header};
use serde::de::DeserializeOwned;

use super::problem::Problem;

/// The parameters of an address; one that is repeated is a list.
pub struct Params<T>(pub T);

/// A JSON body.
pub struct Body<T>(pub T);

impl<S: Sync, T: DeserializeOwned> FromRequestParts<S> for Params<T> {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Params<T>, Problem> {
        let text = parts.uri.query().unwrap_or_default();
        let read = serde_html_form::Deserializer::from_bytes(text.as_bytes());
        serde_path_to_error::deserialize(read).map(Params).map_err(Problem::malformed)
    }
}

impl<S: Send + Sync, T: DeserializeOwned> FromRequest<S> for Body<T> {
    type Rejection = Problem;

    async fn from_request(request: Request, state: &S) -> Result<Body<T>, Problem> {
        if !is_json(&request) {
            return Err(Problem::new(
                StatusCode::UNSUPPORTED_MEDIA_TYPE,
                "not_json",
                "The body must be JSON",
            )
            .advise("send Content-Type: application/json"));
        }
        let bytes =
            Bytes::from_request(request, state).await.map_err(|rejection| {
                match rejection.status() {
                    StatusCode::PAYLOAD_TOO_LARGE => Problem::new(
                        StatusCode::PAYLOAD_TOO_LARGE,
                        "too_large",
                        "The body is too large",
                    )
                    .advise("send less at once; one mebibyte is the limit"),
                    _ => Problem::malformed(rejection.body_text()),
                }
            })?;
        let mut read = serde_json::Deserializer::from_slice(&bytes);
        let body = serde_path_to_error::deserialize(&mut read).map_err(Problem::malformed)?;
        read.end().map_err(Problem::malformed)?;
        Ok(Body(body))
    }
}

fn is_json(request: &Request) -> bool {
    let kind = request.headers().get(header::CONTENT_TYPE).and_then(|kind| kind.to_str().ok());
    let kind = kind.unwrap_or_default().split(';').next().unwrap_or_default().trim();
    kind.eq_ignore_ascii_case("application/json")
}

//! What went wrong, as problem JSON: a code for programs, what happened and what to do for people.
//!
//! The caller's mistake has a status of 4xx, a state that passes or our own fault one of 5xx.

use std::collections::BTreeMap;

use axum::Json;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::Serialize;
use utoipa::openapi::{self, Content, Ref, RefOr, ResponseBuilder};
use utoipa::{IntoResponses, ToSchema};
use wherein_engine::Error;

/// A failure, after RFC 9457.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct Problem {
    /// The HTTP status.
    #[schema(minimum = 400, maximum = 599)]
    pub status: u16,
    /// One word for programs; it does not change between versions.
    pub code: &'static str,
    /// What the code stands for.
    pub title: &'static str,
    /// What happened this time.
    pub detail: String,
    /// What to do about it.
    pub advice: String,
    /// The same in the shape of an embeddings service; only under `/v1`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<Box<ServiceError>>,
}

/// A failure as clients of embeddings services expect it.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct ServiceError {
    /// What happened.
    pub message: String,
    /// Whose fault it is.
    pub r#type: &'static str,
    /// One word for programs.
    pub code: &'static str,
}

/// What handlers return.
pub type Answer<T> = Result<Json<T>, Problem>;

impl Problem {
    pub fn new(status: StatusCode, code: &'static str, title: &'static str) -> Problem {
        Problem {
            status: status.as_u16(),
            code,
            title,
            detail: title.to_owned(),
            advice: String::new(),
            error: None,
        }
    }

    /// The request cannot be read.
    pub fn malformed(detail: impl ToString) -> Problem {
        Problem::new(StatusCode::BAD_REQUEST, "malformed", "The request cannot be read")
            .because(detail)
            .advise("compare it with the reference at /reference")
    }

    /// The request can be read but asks for what cannot be.
    pub fn invalid(code: &'static str, detail: impl ToString) -> Problem {
        Problem::new(StatusCode::UNPROCESSABLE_ENTITY, code, "The request cannot be answered")
            .because(detail)
            .advise("change the request")
    }

    /// There is nothing under that name.
    pub fn absent(code: &'static str, detail: impl ToString) -> Problem {
        Problem::new(StatusCode::NOT_FOUND, code, "Not found")
            .because(detail)
            .advise("check the name")
    }

    /// Something that passes.
    pub fn unavailable(code: &'static str, detail: impl ToString) -> Problem {
        Problem::new(StatusCode::SERVICE_UNAVAILABLE, code, "Not now")
            .because(detail)
            .advise("ask again in a moment")
    }

    /// A fault of ours.
    pub fn ours(detail: impl ToString) -> Problem {
        Problem::new(StatusCode::INTERNAL_SERVER_ERROR, "internal", "This is a fault of wherein")
            .because(detail)
            .advise("please report it with the request")
    }

    pub fn because(self, detail: impl ToString) -> Problem {
        Problem { detail: detail.to_string(), ..self }
    }

    pub fn advise(self, advice: impl ToString) -> Problem {
        Problem { advice: advice.to_string(), ..self }
    }

    /// The same for clients of embeddings services.
    pub fn for_services(self) -> Problem {
        let r#type = if self.status < 500 { "invalid_request_error" } else { "server_error" };
        let error = ServiceError { message: self.detail.clone(), r#type, code: self.code };
        Problem { error: Some(Box::new(error)), ..self }
    }
}

impl From<Error> for Problem {
    fn from(error: Error) -> Problem {
        let detail = error.to_string();
        match error {
            Error::Pattern { .. } => Problem::invalid("bad_pattern", detail)
                .advise("write a glob such as src or *.rs, with ! in front to leave out"),
            Error::Code { .. } | Error::Regex { .. } => Problem::invalid("bad_pattern", detail),
            Error::Revision { .. } | Error::Date(_) => Problem::invalid("bad_revision", detail),
            Error::NoRepository { .. } | Error::Git(_) => Problem::absent("no_history", detail),
            Error::Language(_) => Problem::invalid("unknown_language", detail)
                .advise("/api/status lists the languages of the tree"),
            Error::EmptyQuery => Problem::invalid("empty_query", detail)
                .advise("ask with at least one letter or digit"),
            Error::Skipped { .. } => Problem::absent("file_skipped", detail)
                .advise("/api/status says what is skipped and why"),
            Error::Unknown { .. } => Problem::absent("file_unknown", detail)
                .advise("name a file as hits do: relative to the root, with forward slashes"),
            Error::OnlyFilters => Problem::invalid("empty_query", detail)
                .advise("say what to look for beside the filters"),
            Error::NoText { .. } => Problem::absent("no_text", detail).advise("name another line"),
            Error::NoModel(_) => {
                Problem::new(StatusCode::CONFLICT, "meaning_off", "Search by meaning is off")
                    .because(detail)
                    .advise("search with mode lexical, or choose a model and start again")
            }
            Error::Encoder(_) | Error::Width { .. } => {
                Problem::new(StatusCode::BAD_GATEWAY, "model_failed", "The model failed")
                    .because(detail)
                    .advise("search with mode lexical, or look after the model")
            }
            Error::Missing(_) | Error::Busy(_) => Problem::unavailable("not_indexed_yet", detail),
            Error::Root { .. } | Error::Write { .. } | Error::Transfer(_) => {
                Problem::unavailable("index_stuck", detail)
                    .advise("look after the folder that is named; then ask again")
            }
            Error::Damaged { .. } | Error::Lexical(_) => {
                Problem::unavailable("index_damaged", detail)
            }
        }
    }
}

/// In the description of the API: any request may be refused.
impl IntoResponses for Problem {
    fn responses() -> BTreeMap<String, RefOr<openapi::Response>> {
        let kinds = [("4XX", "It cannot be answered"), ("5XX", "It cannot be answered now")];
        let response = |(status, description): (&str, &str)| {
            let content = Content::new(Some(Ref::from_schema_name("Problem")));
            let response = ResponseBuilder::new()
                .description(description)
                .content("application/problem+json", content);
            (status.to_owned(), RefOr::T(response.build()))
        };
        kinds.into_iter().map(response).collect()
    }
}

impl IntoResponse for Problem {
    fn into_response(self) -> Response {
        let status = StatusCode::from_u16(self.status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
        let mut response = (status, Json(&self)).into_response();
        let kind = HeaderValue::from_static("application/problem+json");
        response.headers_mut().insert(header::CONTENT_TYPE, kind);
        if status == StatusCode::SERVICE_UNAVAILABLE {
            response.headers_mut().insert(header::RETRY_AFTER, HeaderValue::from_static("1"));
        }
        if status == StatusCode::UNAUTHORIZED {
            let scheme = HeaderValue::from_static("Bearer realm=\"wherein\"");
            response.headers_mut().insert(header::WWW_AUTHENTICATE, scheme);
        }
        response
    }
}

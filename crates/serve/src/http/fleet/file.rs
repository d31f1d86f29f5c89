//! `/api/fleet/file`: a file of the fleet, tinted, with its symbols.
//!
//! What the token may not see is answered as what is not there.

use axum::http::HeaderMap;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use wherein_fleet::search::reading::Opened;

use super::{answered, token};
use crate::cli::fleet::open::open;
use crate::http::extract::Params;
use crate::http::file::{MOST_LINES, ShownFile, Source, many, one};
use crate::http::problem::{Answer, Problem};
use crate::http::search::within;

/// Which lines of which file.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct FleetFileRequest {
    /// As hits name it: the repository's name, then the path in it.
    #[param(example = "acme/web/src/upload.rs")]
    path: String,
    /// The first line to return, counted from 1.
    #[serde(default = "one")]
    #[param(minimum = 1, default = 1)]
    start: u32,
    /// How many lines to return.
    #[serde(default = "many")]
    #[param(minimum = 1, maximum = 5000, default = 2000)]
    limit: usize,
    /// Whether to tint the tokens.
    #[serde(default)]
    highlight: bool,
}

/// A file of a repository, or some of its lines. Nothing opens it in an editor: it is on no disk here.
#[derive(Debug, Serialize, ToSchema)]
pub struct FleetFile {
    #[serde(flatten)]
    file: ShownFile,
    /// The repository's name, with which the path begins.
    repository: String,
    /// The commit that the repository was at when it was last brought up to date; empty for a folder
    /// without git.
    revision: String,
}

/// Shows a file of a repository that the token may see.
#[utoipa::path(
    get,
    path = "/file",
    operation_id = "fleetFile",
    tag = "fleet",
    params(
        FleetFileRequest,
        ("wherein-fleet-token" = Option<String>, Header, description = "Who asks, where the fleet gives out tokens"),
    ),
    responses(
        (status = 200, description = "Lines and symbols", body = FleetFile),
        Problem,
    )
)]
pub async fn file(
    headers: HeaderMap,
    Params(request): Params<FleetFileRequest>,
) -> Answer<FleetFile> {
    within("start", request.start as usize, 1, u32::MAX as usize)?;
    within("limit", request.limit, 1, MOST_LINES)?;
    answered(move || {
        let opened = open()?.file(&request.path, token(&headers).as_deref())?;
        Ok(opened.map(|it| shown(it, &request)).ok_or_else(|| absent(&request.path)))
    })
    .await?
    .0
    .map(axum::Json)
}

fn shown(opened: Opened, request: &FleetFileRequest) -> FleetFile {
    let source = Source {
        path: &opened.path,
        language: &opened.language,
        parsed: &opened.parsed,
        text: &opened.text,
        editor: String::new(),
    };
    let file = source.shown(request.start, request.limit, request.highlight);
    FleetFile { file, repository: opened.repository, revision: opened.revision }
}

fn absent(path: &str) -> Problem {
    let what = format!("there is no file {path} in a repository that you may see");
    Problem::absent("no_such_file", what).advise("name it as hits do")
}

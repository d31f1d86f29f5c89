//! `/api/eval`: the runs that `wherein eval` left in a folder, for the dashboard.
//!
//! A run is named by its folder below the folder of runs, with `~` between the parts. Names are
//! looked up in the list, never joined to a path, so none leads elsewhere.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::SystemTime;

use axum::Json;
use axum::extract::{self, State};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use wherein_eval::compare::{Comparison, compare};
use wherein_eval::ranks::Rank;
use wherein_eval::run::{Run, Settings};
use wherein_eval::summary::{Figure, Latency, Summary};

use super::Server;
use super::extract::Params;
use super::problem::{Answer, Problem};
use super::search::within;

/// Folders below the folder of runs that are looked into.
const DEPTH: usize = 3;
/// Questions shown of a run, worst first.
const WORST: usize = 30;

/// Which runs to list.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct RunsRequest {
    /// How many runs to return, newest first.
    #[serde(default = "hundred")]
    #[param(minimum = 1, maximum = 500, default = 100)]
    limit: usize,
    /// How many to pass over.
    #[serde(default)]
    #[param(default = 0)]
    offset: usize,
}

fn hundred() -> usize {
    100
}

/// Stored runs.
#[derive(Serialize, ToSchema)]
pub struct Runs {
    /// Where they are.
    folder: String,
    /// Newest first.
    runs: Vec<RunHead>,
    /// How many there are in all.
    total: usize,
    /// Folders that look like runs and cannot be read, each with the reason.
    unreadable: Vec<String>,
}

/// A run in a list.
#[derive(Serialize, ToSchema)]
pub struct RunHead {
    /// Names it here.
    id: String,
    /// How it was made.
    settings: Settings,
    /// How many questions were asked.
    questions: usize,
    /// The metric that decides.
    headline: Figure,
    /// Every metric as the benchmark takes its mean.
    figures: Vec<Figure>,
    /// How long answers took.
    latency: Latency,
}

/// A run in full.
#[derive(Serialize, ToSchema)]
pub struct ShownRun {
    /// Names it here.
    id: String,
    /// How it was made.
    settings: Settings,
    /// What it came to.
    summary: Summary,
    /// The questions that went worst, worst first.
    worst: Vec<Worst>,
}

/// A question that went badly.
#[derive(Serialize, ToSchema)]
pub struct Worst {
    /// The question's id.
    id: String,
    /// Its repository, or whatever the benchmark averages by.
    group: String,
    /// What was asked.
    query: String,
    /// Its headline metric.
    value: f64,
    /// Where the first right answer came.
    first: Option<usize>,
    /// What was to be found.
    expected: Vec<String>,
    /// What came instead.
    returned: Vec<String>,
}

/// Lists stored evaluation runs.
#[utoipa::path(
    get,
    path = "/eval/runs",
    operation_id = "runs",
    tag = "evaluation",
    params(RunsRequest),
    responses(
        (status = 200, description = "Runs, newest first", body = Runs),
        Problem,
    )
)]
pub async fn list(
    State(server): State<Arc<Server>>,
    Params(request): Params<RunsRequest>,
) -> Answer<Runs> {
    within("limit", request.limit, 1, 500)?;
    let folder = server.options.runs.clone();
    server.pool.run(move |_| Ok(listed(&folder, &request))).await.map(Json)
}

/// Shows one run.
#[utoipa::path(
    get,
    path = "/eval/runs/{id}",
    operation_id = "run",
    tag = "evaluation",
    params(("id" = String, Path, description = "As listed")),
    responses(
        (status = 200, description = "The run", body = ShownRun),
        Problem,
    )
)]
pub async fn show(
    State(server): State<Arc<Server>>,
    extract::Path(id): extract::Path<String>,
) -> Answer<ShownRun> {
    let folder = server.options.runs.clone();
    let show = move |_| {
        let Run { settings, ranks, summary } = named(&folder, &id)?;
        let rows = ranks.column(&settings.headline);
        let worst = worst(rows.collect());
        Ok(ShownRun { id, worst, settings, summary })
    };
    server.pool.run(show).await.map(Json)
}

/// Which runs to compare.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct CompareRequest {
    /// The first run, as listed.
    a: String,
    /// The second.
    b: String,
}

/// Compares two runs of the same questions.
#[utoipa::path(
    get,
    path = "/eval/compare",
    operation_id = "compareRuns",
    tag = "evaluation",
    params(CompareRequest),
    responses(
        (status = 200, description = "What lies between them", body = Comparison),
        Problem,
    )
)]
pub async fn compared(
    State(server): State<Arc<Server>>,
    Params(CompareRequest { a, b }): Params<CompareRequest>,
) -> Answer<Comparison> {
    let folder = server.options.runs.clone();
    let compare = move |_| {
        let (a, b) = (named(&folder, &a)?, named(&folder, &b)?);
        compare(&a, &b).map_err(|error| {
            Problem::invalid("runs_differ", error).advise("choose runs of the same protocol")
        })
    };
    server.pool.run(compare).await.map(Json)
}

fn listed(folder: &Path, request: &RunsRequest) -> Runs {
    let mut found = found(folder);
    found.sort_by(|a, b| b.written.cmp(&a.written).then_with(|| a.id.cmp(&b.id)));
    let total = found.len();
    let (mut runs, mut unreadable) = (Vec::new(), Vec::new());
    for found in found.into_iter().skip(request.offset).take(request.limit) {
        match Run::read(&found.folder) {
            Ok(run) => runs.push(head(found.id, run)),
            Err(error) => unreadable.push(error.to_string()),
        }
    }
    Runs { folder: folder.display().to_string(), runs, total, unreadable }
}

fn head(id: String, run: Run) -> RunHead {
    let Run { settings, summary, .. } = run;
    RunHead {
        id,
        settings,
        questions: summary.questions,
        figures: summary.official().to_vec(),
        headline: summary.headline,
        latency: summary.latency,
    }
}

fn named(folder: &Path, id: &str) -> Result<Run, Problem> {
    let found = found(folder).into_iter().find(|found| found.id == id).ok_or_else(|| {
        Problem::absent("run_unknown", format!("no run is called {id:?}"))
            .advise("/api/eval/runs lists them")
    })?;
    Run::read(&found.folder).map_err(|error| {
        Problem::invalid("run_unreadable", error).advise("make the run again with wherein eval")
    })
}

fn worst(mut rows: Vec<(&Rank, f64)>) -> Vec<Worst> {
    rows.sort_by(|a, b| a.1.total_cmp(&b.1).then_with(|| a.0.id.cmp(&b.0.id)));
    let worst = |(row, value): (&Rank, f64)| Worst {
        id: row.id.clone(),
        group: row.group.clone(),
        query: row.query.clone(),
        value,
        first: row.first,
        expected: row.expected.clone(),
        returned: row.returned.clone(),
    };
    rows.into_iter().take(WORST).map(worst).collect()
}

/// A folder that holds a run.
struct Found {
    id: String,
    folder: PathBuf,
    written: Option<SystemTime>,
}

fn found(folder: &Path) -> Vec<Found> {
    let mut found = Vec::new();
    look(folder, "", DEPTH, &mut found);
    found
}

fn look(folder: &Path, id: &str, depth: usize, found: &mut Vec<Found>) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let is_folder = entry.file_type().is_ok_and(|kind| kind.is_dir());
        let (true, Ok(name)) = (is_folder, entry.file_name().into_string()) else { continue };
        let id = if id.is_empty() { name } else { format!("{id}~{name}") };
        let folder = entry.path();
        match fs::metadata(folder.join("run.json")) {
            Ok(metadata) => found.push(Found { id, folder, written: metadata.modified().ok() }),
            Err(_) if depth > 1 => look(&folder, &id, depth - 1, found),
            Err(_) => {}
        }
    }
}

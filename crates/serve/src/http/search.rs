//! `/api/search`: one question, one page of hits. The request is the command line's.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

use axum::Json;
use axum::extract::State;
use serde::Deserialize;
use utoipa::{IntoParams, ToSchema};
use wherein_engine::search::query::{Fusion, Mode, Query, Scope, Unit};
use wherein_engine::search::weights;
use wherein_engine::{Error, search};

use super::Server;
use super::extract::{Body, Params};
use super::keeper::View;
use super::pool::Wanted;
use super::problem::{Answer, Problem};
use super::shown::{HitPage, Window};
use crate::cli::search::ENCODING_TIME;

/// Characters of a question; more than anyone would paste.
const MOST_TEXT: usize = 20_000;
const MOST_FILTERS: usize = 64;
pub const MOST_HITS: usize = 100;
pub const MOST_OFFSET: usize = 400;

/// A question and how it is to be answered.
#[derive(Clone, Debug, Deserialize, IntoParams, ToSchema)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct SearchRequest {
    /// What to look for: words, an identifier, code, anything with a letter or digit in it.
    #[param(min_length = 1, max_length = 20000, example = "where are failed uploads retried")]
    #[schema(min_length = 1, max_length = 20000, example = "where are failed uploads retried")]
    pub text: String,
    /// Search by words, by meaning, or both.
    #[serde(default)]
    pub mode: Mode,
    /// How the lists of words and of meaning become one.
    #[serde(default)]
    pub fusion: Fusion,
    /// Ask again with words that the best hits have in common.
    #[serde(default)]
    pub expand: bool,
    /// Look also at files that import what was found, if much of the tree leads to them.
    #[serde(default)]
    pub expand_upstream: bool,
    /// Say how each field of the words' channel contributed.
    #[serde(default)]
    pub explain: bool,
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
    /// Only hits of these kinds (`function`, `class`, `heading`, `text`, …) among the first 500; may
    /// be repeated.
    #[serde(default)]
    #[param(max_items = 64)]
    #[schema(max_items = 64)]
    pub kinds: Vec<String>,
    /// Show only the lines of a hit that matter, each with this many around it.
    #[param(maximum = 1000)]
    #[schema(maximum = 1000)]
    pub context: Option<u32>,
    /// Fit the hits into this many tokens; they are one page then.
    #[param(minimum = 1, maximum = 1000000)]
    #[schema(minimum = 1, maximum = 1000000)]
    pub budget: Option<usize>,
    /// Channels that have no say, by name, or `ranker` or `judge`; may be repeated.
    #[serde(default)]
    #[param(max_items = 64)]
    #[schema(max_items = 64)]
    pub without: Vec<String>,
    /// A page whose best hit is less likely than this to answer says so.
    #[param(minimum = 0, maximum = 1)]
    #[schema(minimum = 0, maximum = 1)]
    pub min_confidence: Option<f32>,
    /// At most this many chunks of one file; 0 for no limit.
    #[serde(default = "three")]
    #[param(maximum = 1000, default = 3)]
    #[schema(maximum = 1000, default = 3)]
    pub max_per_file: usize,
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
    /// Show private keys and tokens in snippets as they are.
    #[serde(default)]
    pub show_secrets: bool,
    /// Unsaved text that is searched as if it were saved, by path relative to the root; null for a
    /// file that is deleted. In a body only.
    #[param(ignore)]
    #[serde(default)]
    pub overlay: Option<BTreeMap<String, Option<String>>>,
}

fn three() -> usize {
    3
}

fn ten() -> usize {
    10
}

impl SearchRequest {
    fn query(&self) -> Query {
        Query {
            limit: self.depth(),
            mode: self.mode,
            fusion: self.fusion,
            expand: self.expand,
            expand_upstream: self.expand_upstream,
            explain: self.explain,
            scope: self.scope,
            unit: self.unit,
            languages: self.languages.clone(),
            paths: self.paths.clone(),
            max_per_file: self.max_per_file,
            context: self.context,
            budget: self.budget,
            without: self.without.clone(),
            show_secrets: self.show_secrets,
            min_confidence: self.min_confidence.unwrap_or(weights::LEAST_CONFIDENCE),
            ..Query::new(self.text.clone())
        }
    }

    /// What a budget is spent on must be what is shown.
    fn depth(&self) -> usize {
        if self.budget.is_some() { self.limit } else { self.window().depth() }
    }

    fn window(&self) -> Window {
        let Self { offset, limit, highlight, .. } = *self;
        Window { offset, limit, highlight, kinds: self.kinds.clone() }
    }

    fn check(&self) -> Result<(), Problem> {
        within("text", self.text.chars().count(), 1, MOST_TEXT)?;
        within("max_per_file", self.max_per_file, 0, 1000)?;
        within_page(&self.window())?;
        within("context", self.context.unwrap_or(0) as usize, 0, 1000)?;
        within("budget", self.budget.unwrap_or(1), 1, 1_000_000)?;
        if self.budget.is_some() && self.offset > 0 {
            let detail = "hits that fit into a budget are one page";
            return Err(Problem::invalid("out_of_bounds", detail).advise("leave offset out"));
        }
        if !(0.0..=1.0).contains(&self.min_confidence.unwrap_or(0.0)) {
            return Err(Problem::invalid("out_of_bounds", "min_confidence must be 0 to 1"));
        }
        within_filters(&[&self.languages, &self.paths, &self.kinds, &self.without])
    }
}

/// Whether a page is one that can be asked for.
pub fn within_page(window: &Window) -> Result<(), Problem> {
    within("limit", window.limit, 1, MOST_HITS)?;
    within("offset", window.offset, 0, MOST_OFFSET)
}

/// Whether there are few enough filters.
pub fn within_filters(lists: &[&[String]]) -> Result<(), Problem> {
    lists.iter().try_for_each(|list| within("a list of filters", list.len(), 0, MOST_FILTERS))
}

/// Whether a number is one that may be asked for.
pub fn within(name: &str, value: usize, least: usize, most: usize) -> Result<(), Problem> {
    if (least..=most).contains(&value) {
        return Ok(());
    }
    let detail = format!("{name} is {value}; it must be {least} to {most}");
    Err(Problem::invalid("out_of_bounds", detail))
}

/// Answers a question.
#[utoipa::path(
    get,
    path = "/search",
    operation_id = "search",
    tag = "search",
    params(SearchRequest),
    responses(
        (status = 200, description = "A page of hits", body = HitPage),
        Problem,
    )
)]
pub async fn by_address(
    State(server): State<Arc<Server>>,
    Params(request): Params<SearchRequest>,
) -> Answer<HitPage> {
    answer(server, request).await
}

/// Answers a question; the same as a body, for those that are too long for an address.
#[utoipa::path(
    post,
    path = "/search",
    operation_id = "searchByBody",
    tag = "search",
    request_body = SearchRequest,
    responses(
        (status = 200, description = "A page of hits", body = HitPage),
        Problem,
    )
)]
pub async fn by_body(
    State(server): State<Arc<Server>>,
    Body(request): Body<SearchRequest>,
) -> Answer<HitPage> {
    answer(server, request).await
}

async fn answer(server: Arc<Server>, request: SearchRequest) -> Answer<HitPage> {
    request.check()?;
    let query = request.query();
    wherein_engine::search::check(&query)?;
    let window = request.window();
    let overlay = request.overlay;
    let ask = move |server: &Server, view: &View, wanted: &Wanted| {
        let deadline = Instant::now() + ENCODING_TIME;
        let go_on = || Instant::now() < deadline && wanted.still();
        let meaning = server.keeper.tree.meaning(&go_on);
        let unsaved = match &overlay {
            Some(overlay) => Some(view.snapshot.overlaid(&server.keeper.tree.settings, overlay)?),
            None => None,
        };
        let index = unsaved.as_ref().unwrap_or(&view.snapshot);
        search(index, &meaning, &query).map(|answer| window.page(answer, view))
    };
    let (mut page, took) = ask_in_turn(&server, ask).await?;
    page.took_ms = milliseconds(took);
    Ok(Json(page))
}

/// Asks the fresh index when there is room for it. One that turns out to be damaged is built anew,
/// once.
pub async fn ask_in_turn<T: Send + 'static>(
    server: &Arc<Server>,
    ask: impl Fn(&Server, &View, &Wanted) -> Result<T, Error> + Clone + Send + 'static,
) -> Result<(T, Duration), Problem> {
    let start = Instant::now();
    match ask_once(server, ask.clone()).await? {
        Err(Error::Damaged { .. } | Error::Lexical(_)) => {
            server.keeper.forget().await;
            Ok((ask_once(server, ask).await??, start.elapsed()))
        }
        asked => Ok((asked?, start.elapsed())),
    }
}

async fn ask_once<T: Send + 'static>(
    server: &Arc<Server>,
    ask: impl Fn(&Server, &View, &Wanted) -> Result<T, Error> + Send + 'static,
) -> Result<Result<T, Error>, Problem> {
    let view = server.keeper.view(Instant::now()).await?;
    let at_work = server.clone();
    server.pool.run(move |wanted| Ok(ask(&at_work, &view, &wanted))).await
}

/// For people and programs: three digits after the point say enough.
pub fn milliseconds(took: Duration) -> f64 {
    (took.as_secs_f64() * 1e6).round() / 1e3
}

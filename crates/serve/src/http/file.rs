//! `/api/file`: an indexed file's lines, tinted, with its symbols.
//!
//! Only what the index names can be read, and only where it names it: a file that has become a link
//! since, or lies under one, is refused.

use std::path::Path;
use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use wherein_corpus::{Language, Lines, Parsed, decode};
use wherein_engine::Snapshot;
use wherein_engine::search::secrets::redact;

use super::Server;
use super::extract::Params;
use super::problem::{Answer, Problem};
use super::search::within;
use super::shown::{Tinted, tints};

/// Lines in one answer.
pub const MOST_LINES: usize = 5000;

/// Which lines of which file.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct FileRequest {
    /// Relative to the root, with forward slashes, as hits name it.
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

/// The first line, unless another is asked for.
pub fn one() -> u32 {
    1
}

/// Lines, unless more or fewer are asked for.
pub fn many() -> usize {
    2000
}

/// A file, or some of its lines.
#[derive(Debug, Serialize, ToSchema)]
pub struct ShownFile {
    /// Relative to the root.
    path: String,
    /// The file's language.
    language: String,
    /// What is odd about it.
    note: Option<String>,
    /// How many lines it has.
    total_lines: u32,
    /// The first line that is returned.
    start_line: u32,
    /// The lines, joined by newlines.
    text: String,
    /// Tinted tokens, if they were asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    tints: Option<Vec<Tinted>>,
    /// What the whole file defines, in the order of its lines.
    symbols: Vec<Outlined>,
    /// What it imports, as written.
    imports: Vec<String>,
    /// Opens the file in an editor; `{line}` stands for a line.
    editor: String,
}

/// A definition in an outline.
#[derive(Debug, Serialize, ToSchema)]
pub struct Outlined {
    /// Its own name.
    name: String,
    /// With the names around it.
    qualified: String,
    /// Function, class, heading, …
    kind: &'static str,
    /// How many definitions it stands in.
    depth: usize,
    /// First line, comments included.
    start_line: u32,
    /// Last line.
    end_line: u32,
    /// The line its name stands on.
    name_line: u32,
}

/// Shows a file.
#[utoipa::path(
    get,
    path = "/file",
    operation_id = "file",
    tag = "tree",
    params(FileRequest),
    responses(
        (status = 200, description = "Lines and symbols", body = ShownFile),
        Problem,
    )
)]
pub async fn show(
    State(server): State<Arc<Server>>,
    Params(request): Params<FileRequest>,
) -> Answer<ShownFile> {
    within("start", request.start as usize, 1, u32::MAX as usize)?;
    within("limit", request.limit, 1, MOST_LINES)?;
    let view = server.keeper.view(std::time::Instant::now()).await?;
    let editor = server.options.editor.clone();
    let show = move |_| shown(&view.snapshot, &request, &editor);
    server.pool.run(show).await.map(Json)
}

fn shown(index: &Snapshot, request: &FileRequest, editor: &str) -> Result<ShownFile, Problem> {
    let file = index.indexed(&request.path)?;
    let parsed = index.parsed(file)?;
    let text = redact(&text_of(index.root(), &file.path)?).into_owned();
    let source = Source {
        path: &file.path,
        language: &file.language,
        parsed: &parsed,
        text: &text,
        editor: editor.replace("{path}", &index.root().join(&file.path).to_string_lossy()),
    };
    Ok(source.shown(request.start, request.limit, request.highlight))
}

/// A file, wherever it is kept.
pub struct Source<'s> {
    /// As answers name it.
    pub path: &'s str,
    /// Its language's name.
    pub language: &'s str,
    /// What it was parsed into.
    pub parsed: &'s Parsed,
    /// Its text, without secrets.
    pub text: &'s str,
    /// What opens it in an editor.
    pub editor: String,
}

impl Source<'_> {
    /// So many of its lines.
    pub fn shown(self, start: u32, limit: usize, highlight: bool) -> ShownFile {
        let lines = Lines::of(self.text);
        let total = lines.count();
        let start = start.min(total.max(1));
        let end = (start - 1).saturating_add(limit as u32).min(total);
        let part = if start <= end { lines.span(start..=end) } else { "" };
        let tinted = highlight.then(|| {
            let mut all = tints(self.text, self.language, 1);
            all.retain(|Tinted([line, ..])| (start..=end).contains(line));
            all
        });
        ShownFile {
            path: self.path.to_owned(),
            language: self.language.to_owned(),
            note: self.parsed.note.clone(),
            total_lines: total,
            start_line: start,
            text: part.trim_end_matches(['\n', '\r']).to_owned(),
            tints: tinted,
            symbols: outline(self.parsed, self.language),
            imports: self.parsed.imports.iter().map(|import| import.source.clone()).collect(),
            editor: self.editor,
        }
    }
}

/// The text of a file of the tree that is still where the index found it.
fn text_of(root: &Path, path: &str) -> Result<String, Problem> {
    let gone = |detail: String| {
        Problem::absent("file_gone", detail).advise("ask again; the index is refreshed then")
    };
    let full = root.join(path);
    let real = full.canonicalize().map_err(|error| gone(format!("{path}: {error}")))?;
    if real != full {
        return Err(gone(format!("{path} has become a link since it was indexed")));
    }
    let bytes = std::fs::read(&real).map_err(|error| gone(format!("{path}: {error}")))?;
    decode(bytes).map_err(|reason| gone(format!("{path} is {reason} now")))
}

fn outline(parsed: &Parsed, language: &str) -> Vec<Outlined> {
    let separator = Language::named(language).map_or(".", |language| language.separator);
    let outlined = |symbol: &wherein_corpus::Symbol| {
        let parent = |at: &u32| parsed.symbols[*at as usize].parent;
        Outlined {
            name: symbol.name.clone(),
            qualified: symbol.qualified(separator),
            kind: symbol.kind.name(),
            depth: std::iter::successors(symbol.parent, parent).count(),
            start_line: symbol.start_line,
            end_line: symbol.end_line,
            name_line: symbol.name_line,
        }
    };
    parsed.symbols.iter().map(outlined).collect()
}

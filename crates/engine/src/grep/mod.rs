//! What is matched as it is written: code by its structure, text as it is, regular expressions.
//!
//! In: a pattern, and which of the three it is. Out: every place of the indexed tree that matches, in
//! the order of paths and lines, with what the pattern's variables stand for. Nothing is ranked here.

mod code;
mod cut;
mod forms;
mod grammar;
mod holding;
mod hole;
mod refusal;
mod text;
mod tokens;
mod wrapping;

pub(crate) use text::words;

use std::borrow::Cow;
use std::cmp::Reverse;
use std::collections::BTreeMap;

use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use wherein_corpus::{Language, Lines, Parsed, Symbol, on_deep_stacks};

use crate::error::{Error, Result};
use crate::index::manifest::FileEntry;
use crate::index::snapshot::Snapshot;
use crate::search::answer::Certificate;
use crate::search::filter;
use crate::search::intent::filters::Filters;
use crate::search::query::Query;
use crate::search::secrets::{REDACTED, redact};

/// A pattern and where to look for it.
#[derive(Clone, Debug, PartialEq)]
pub struct Grep {
    /// As it was typed.
    pub pattern: String,
    /// How it is read.
    pub kind: Kind,
    /// Whether upper and lower case are the same; not for code, which tells them apart.
    pub ignore_case: bool,
    /// Only these languages; all if empty.
    pub languages: Vec<String>,
    /// Only paths that match one of these patterns and none that starts with `!`.
    pub paths: Vec<String>,
    /// How many matches to return; all without.
    pub limit: Option<usize>,
    /// Whether private keys and tokens are shown as they are.
    pub show_secrets: bool,
}

/// How a pattern is read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    /// As code: `$NAME` stands for any one node of the syntax tree, `$$$NAME` for any number.
    #[default]
    Code,
    /// As it is.
    Fixed,
    /// As a regular expression.
    Regex,
}

/// Every match, and what was looked at to find them.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Matches {
    /// As it was typed.
    pub pattern: String,
    /// How it was read.
    pub kind: Kind,
    /// Matches by path and line.
    pub hits: Vec<Match>,
    /// How many there are in all.
    pub total: usize,
    /// Files that hold one.
    pub files: usize,
    /// Files whose text was looked at, after the index had ruled out the others.
    pub read: usize,
    /// Files that were parsed for it.
    pub parsed: usize,
    /// Languages the pattern was read as, if it is code.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub languages: Vec<String>,
    /// Files that could match but could not be parsed.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub unparsed: Vec<String>,
    /// What was searched.
    pub index: Certificate,
    /// Why nothing is found, if nothing is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub nothing_because: Option<String>,
}

/// One place that matches.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Match {
    /// Relative to the root, with forward slashes.
    pub path: String,
    /// First line, counted from 1.
    pub start_line: u32,
    /// Last line, included.
    pub end_line: u32,
    /// First byte on the first line, counted from 1.
    pub start_column: u32,
    /// The byte after the last on the last line, counted from 1.
    pub end_column: u32,
    /// The file's language.
    pub language: String,
    /// The kind of the symbol it stands in, or `text`.
    pub kind: String,
    /// The qualified name of the symbol it stands in.
    pub symbol: Option<String>,
    /// Path and enclosing names, outermost first.
    pub breadcrumb: String,
    /// The lines it stands on.
    pub snippet: String,
    /// What the pattern's variables stand for, or the named groups of a regular expression.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub bindings: BTreeMap<String, Binding>,
}

/// What a variable stands for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Binding {
    /// Its text; empty where it stands for nothing.
    pub text: String,
    /// The line it begins on.
    pub line: u32,
    /// The byte it begins with on that line, counted from 1.
    pub column: u32,
}

/// A match as bytes of a text.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Span {
    bytes: std::ops::Range<usize>,
    bindings: Vec<(String, std::ops::Range<usize>)>,
}

/// What a look at one file came to.
#[derive(Default)]
struct Look {
    matches: Vec<Match>,
    was_parsed: bool,
    gave_up: Option<String>,
}

/// What finds a pattern in texts.
enum Finder {
    Code(code::Patterns),
    Text(text::Text),
}

/// Finds every match in the indexed tree.
pub fn grep(index: &Snapshot, request: &Grep) -> Result<Matches> {
    let query = Query {
        languages: request.languages.clone(),
        paths: request.paths.clone(),
        ..Query::new(&request.pattern)
    };
    let allowed = filter::allowed(index, &query, &Filters::default())?;
    let finder = Finder::of(index, request)?;
    let holding = holding::files(index, &finder.words())?;
    let files: Vec<&FileEntry> = (0..)
        .zip(&index.manifest.files)
        .filter(|(position, _)| allowed.as_ref().is_none_or(|allowed| allowed[*position]))
        .map(|(_, file)| file)
        .filter(|file| finder.reads(&file.language))
        .filter(|file| holding.as_ref().is_none_or(|holding| holding.contains(&file.id)))
        .collect();
    let looks: Vec<Look> = on_deep_stacks(|| {
        files
            .par_iter()
            .map(|file| look(index, file, &finder, request.show_secrets))
            .collect::<Result<_>>()
    })?;
    Ok(gathered(index, request, &finder, looks))
}

/// Whether a pattern can be looked for at all, before any tree is looked at.
pub fn check(request: &Grep) -> Result<()> {
    match request.kind {
        Kind::Code if request.ignore_case => Err(Error::Code {
            reason:
                "code tells upper and lower case apart; leave out -i, or use it with --fixed or \
                     --regex"
                    .to_owned(),
        }),
        Kind::Code => code::check(&request.pattern, &request.languages),
        _ => text::Text::of(request).map(drop),
    }
}

impl Finder {
    fn of(index: &Snapshot, request: &Grep) -> Result<Finder> {
        if request.kind != Kind::Code {
            return Ok(Finder::Text(text::Text::of(request)?));
        }
        check(request)?;
        let present = languages(index);
        code::Patterns::of(&request.pattern, &request.languages, &present).map(Finder::Code)
    }

    /// Whether it could match in a language at all.
    fn reads(&self, language: &str) -> bool {
        match self {
            Finder::Code(patterns) => patterns.by_language.contains_key(language),
            Finder::Text(_) => true,
        }
    }

    /// Words that every match holds whole, for each way to read the pattern.
    fn words(&self) -> Vec<Vec<String>> {
        match self {
            Finder::Code(patterns) => patterns.by_language.values().map(|it| it.words()).collect(),
            Finder::Text(text) => vec![text.words()],
        }
    }
}

/// The languages of the tree, the most common first.
fn languages(index: &Snapshot) -> Vec<&str> {
    let mut counts = BTreeMap::new();
    for file in &index.manifest.files {
        *counts.entry(file.language.as_str()).or_insert(0) += 1;
    }
    let mut languages: Vec<&str> = counts.keys().copied().collect();
    languages.sort_by_key(|name| Reverse(counts[name]));
    languages
}

fn look(index: &Snapshot, file: &FileEntry, finder: &Finder, show_secrets: bool) -> Result<Look> {
    let may_match = |text: &str| match finder {
        Finder::Code(patterns) => {
            patterns.by_language[file.language.as_str()].may_match(text.as_bytes())
        }
        Finder::Text(finder) => finder.may_match(text.as_bytes()),
    };
    let Some(text) = index.text(file).filter(|text| may_match(text)) else {
        return Ok(Look::default());
    };
    let mut look = Look::default();
    let spans = match finder {
        Finder::Text(finder) => finder.find(&text),
        Finder::Code(patterns) => {
            look.was_parsed = true;
            match patterns.by_language[file.language.as_str()].find(&text) {
                Some(spans) => spans,
                None => {
                    look.gave_up = Some(file.path.clone());
                    Vec::new()
                }
            }
        }
    };
    if !spans.is_empty() {
        let parsed = index.parse_of(file)?;
        let redacted = match show_secrets {
            true => Cow::Borrowed(text.as_str()),
            false => redact(&text),
        };
        let (lines, shown) = (Lines::of(&text), Lines::of(&redacted));
        let matched = |span| matched(file, &parsed, (&lines, &shown), span);
        look.matches = spans.iter().map(matched).collect();
    }
    Ok(look)
}

/// A match in lines, and as the lines may be shown.
fn matched(
    file: &FileEntry,
    parsed: &Parsed,
    (lines, shown): (&Lines, &Lines),
    span: &Span,
) -> Match {
    let text = lines.text();
    let (start_line, start_column) = place(text, span.bytes.start);
    let last = span.bytes.end.max(span.bytes.start + 1).min(text.len());
    let (end_line, end_column) = place(text, text.floor_char_boundary(last.saturating_sub(1)));
    let around = symbol_around(parsed, start_line, end_line);
    let separator = Language::named(&file.language).map_or(".", |language| language.separator);
    let symbol = around.map(|symbol| symbol.qualified(separator));
    let bound = |(name, bytes): &(String, std::ops::Range<usize>)| {
        let (line, column) = place(text, bytes.start);
        let last = place(text, bytes.end).0.min(lines.count()).max(1);
        let rows = line.min(last)..=last;
        let holds_secret = lines.span(rows.clone()) != shown.span(rows);
        let text =
            if holds_secret { REDACTED } else { text.get(bytes.clone()).unwrap_or_default() };
        let text = text.to_owned();
        (name.clone(), Binding { text, line, column })
    };
    Match {
        path: file.path.clone(),
        start_line,
        end_line,
        start_column,
        end_column: end_column + 1,
        language: file.language.clone(),
        kind: around.map_or("text", |symbol| symbol.kind.name()).to_owned(),
        breadcrumb: match &symbol {
            Some(symbol) => format!("{} > {symbol}", file.path),
            None => file.path.clone(),
        },
        symbol,
        snippet: shown.span(start_line..=end_line).trim_end_matches(['\n', '\r']).to_owned(),
        bindings: span.bindings.iter().map(bound).collect(),
    }
}

/// The innermost symbol that holds both lines.
fn symbol_around(parsed: &Parsed, start: u32, end: u32) -> Option<&Symbol> {
    let holds = |symbol: &&Symbol| symbol.start_line <= start && end <= symbol.end_line;
    parsed.symbols.iter().filter(holds).max_by_key(|symbol| symbol.start_line)
}

/// Line and column of a byte, both counted from 1.
fn place(text: &str, at: usize) -> (u32, u32) {
    let before = &text.as_bytes()[..at.min(text.len())];
    let line = memchr::memchr_iter(b'\n', before).count();
    let start = memchr::memrchr(b'\n', before).map_or(0, |newline| newline + 1);
    (line as u32 + 1, (before.len() - start) as u32 + 1)
}

fn gathered(index: &Snapshot, request: &Grep, finder: &Finder, looks: Vec<Look>) -> Matches {
    let read = looks.len();
    let parsed = looks.iter().filter(|look| look.was_parsed).count();
    let files = looks.iter().filter(|look| !look.matches.is_empty()).count();
    let total = looks.iter().map(|look| look.matches.len()).sum();
    let unparsed: Vec<String> = looks.iter().filter_map(|look| look.gave_up.clone()).collect();
    let all = looks.into_iter().flat_map(|look| look.matches);
    let hits: Vec<Match> = all.take(request.limit.unwrap_or(usize::MAX)).collect();
    let languages = match finder {
        Finder::Code(patterns) => patterns.by_language.keys().map(|it| it.to_string()).collect(),
        Finder::Text(_) => Vec::new(),
    };
    let nothing_because = hits.is_empty().then(|| nothing(index, request, finder, total));
    Matches {
        pattern: request.pattern.clone(),
        kind: request.kind,
        hits,
        total,
        files,
        read,
        parsed,
        languages,
        unparsed,
        index: Certificate::of(&index.manifest),
        nothing_because,
    }
}

fn nothing(index: &Snapshot, request: &Grep, finder: &Finder, total: usize) -> String {
    let files = index.manifest.files.len();
    match finder {
        _ if total > 0 => "no matches were asked for".to_owned(),
        Finder::Code(patterns) => patterns.nothing(&request.pattern),
        Finder::Text(_) => format!("none of the {files} indexed files that may answer holds it"),
    }
}

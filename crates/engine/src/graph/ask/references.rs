//! Everything that uses a symbol: for sure, by name alone, and perhaps.

use std::collections::HashMap;
use std::sync::Arc;

use serde::Serialize;

use super::{Horizon, Spot, Subject, horizon, separator, spot, uses_of};
use crate::error::Result;
use crate::graph::symbols::{How, Symbols, Use};
use crate::index::snapshot::Snapshot;
use crate::search::answer::Certificate;
use crate::search::secrets::redact;

/// The uses of something.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct References {
    /// What is asked about.
    pub definitions: Vec<Spot>,
    /// Uses that mean it, surest first, then by path and line.
    pub uses: Vec<UseSpot>,
    /// How many there are in all.
    pub total: usize,
    /// Uses of the same name that may mean it.
    pub possible: Vec<UseSpot>,
    /// How many of those there are in all.
    pub possible_total: usize,
    /// Files that import the file, where a file is asked about.
    pub importers: Vec<String>,
    /// Where the answer stops seeing.
    pub horizon: Horizon,
    /// What was looked at.
    pub index: Certificate,
}

/// One use as answers show it.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct UseSpot {
    /// Relative to the root.
    pub path: String,
    /// The line.
    pub line: u32,
    /// How the name is used there.
    pub kind: &'static str,
    /// How it is known what is meant.
    pub how: How,
    /// How likely it is that it is meant.
    pub confidence: f32,
    /// The symbol it stands in.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub within: Option<String>,
    /// The line's text.
    pub text: String,
}

/// The uses of a subject, at most `limit` of each sort.
pub fn references(snapshot: &Snapshot, subject: &Subject, limit: usize) -> Result<References> {
    let symbols = snapshot.symbols()?;
    let (asked, importers) = match subject {
        Subject::Symbols(found) => (found.clone(), Vec::new()),
        Subject::File(file) => {
            let importers = snapshot.links()?.importers(*file);
            let path = |file: u32| snapshot.manifest.files[file as usize].path.clone();
            let own = symbols.of_file(*file).filter(|&it| symbols.parent(it).is_none());
            (own.collect(), importers.map(path).collect())
        }
    };
    let mut uses: Vec<Use> = asked.iter().flat_map(|&symbol| uses_of(symbols, symbol)).collect();
    let mut names: Vec<&str> = asked.iter().map(|&symbol| symbols.name(symbol)).collect();
    names.sort_unstable();
    names.dedup();
    let mut possible: Vec<Use> = names.iter().flat_map(|name| symbols.open_uses(name)).collect();
    order(&mut uses);
    order(&mut possible);
    let (total, possible_total) = (uses.len(), possible.len());
    uses.truncate(limit);
    possible.truncate(limit);
    let definitions = asked.iter().take(limit).map(|&symbol| spot(snapshot, symbols, symbol));
    Ok(References {
        definitions: definitions.collect::<Result<_>>()?,
        uses: shown(snapshot, symbols, uses),
        total,
        possible: shown(snapshot, symbols, possible),
        possible_total,
        importers,
        horizon: horizon(snapshot, possible_total)?,
        index: Certificate::of(&snapshot.manifest),
    })
}

fn order(uses: &mut Vec<Use>) {
    let sure = |it: &Use| it.how.confidence() >= How::Receiver.confidence();
    uses.sort_by_key(|it| (!sure(it), it.file, it.line, it.kind));
    uses.dedup_by_key(|it| (it.file, it.line));
}

/// Uses as answers show them.
pub fn shown(snapshot: &Snapshot, symbols: &Symbols, uses: Vec<Use>) -> Vec<UseSpot> {
    let mut texts = Texts { snapshot, files: HashMap::new() };
    let show = |it: Use| {
        let entry = &snapshot.manifest.files[it.file as usize];
        let separator = separator(snapshot, it.file as usize);
        UseSpot {
            path: entry.path.clone(),
            line: it.line,
            kind: it.kind.name(),
            how: it.how,
            confidence: it.how.confidence(),
            within: it.owner.map(|owner| symbols.qualified(owner, separator)),
            text: texts.line(it.file, it.line),
        }
    };
    uses.into_iter().map(show).collect()
}

/// Lines of files as they are on disk, each file read once.
struct Texts<'s> {
    snapshot: &'s Snapshot,
    files: HashMap<u32, Text>,
}

impl Texts<'_> {
    fn line(&mut self, file: u32, line: u32) -> String {
        const LONGEST: usize = 160;
        let snapshot = self.snapshot;
        let text = self.files.entry(file).or_insert_with(|| {
            let text = snapshot.text(&snapshot.manifest.files[file as usize]);
            Text::of(text.unwrap_or_default())
        });
        let line = redact(text.line(line).trim());
        line[..line.floor_char_boundary(LONGEST)].to_owned()
    }
}

/// A text and where its lines begin.
struct Text {
    text: Arc<String>,
    starts: Vec<usize>,
}

impl Text {
    /// Secrets that run over lines are taken out here, all others line by line: to look for them in
    /// whole files took longer than all else about an answer.
    fn of(text: Arc<String>) -> Text {
        let text = match text.contains("PRIVATE KEY") {
            true => Arc::new(redact(&text).into_owned()),
            false => text,
        };
        let starts = std::iter::once(0).chain(text.match_indices('\n').map(|(at, _)| at + 1));
        Text { starts: starts.collect(), text }
    }

    /// A line from 1; empty where there is none.
    fn line(&self, number: u32) -> &str {
        let at = |number: u32| self.starts.get(number as usize).copied();
        let start = number.checked_sub(1).and_then(at).unwrap_or(self.text.len());
        &self.text[start..at(number).unwrap_or(self.text.len())]
    }
}

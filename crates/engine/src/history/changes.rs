//! What changed between two revisions, and which of it answers a question.
//!
//! Spans of the newer tree that hold changed lines are searched there; lines that only went are
//! searched in the older one.

use std::collections::HashMap;

use gix::ObjectId;
use serde::Serialize;

use crate::error::{Error, Result};
use crate::history::hunks::{Hunk, counted, hunks};
use crate::history::renames;
use crate::history::repository::{Difference, Git};
use crate::index::snapshot::Snapshot;
use crate::search::answer::{Certificate, Hit};
use crate::search::query::Query;
use crate::search::{Among, Meaning, search_among};

/// Two revisions, the older first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Range {
    /// The older.
    pub from: ObjectId,
    /// The newer.
    pub to: ObjectId,
}

/// Lines that differ, by file.
#[derive(Debug, Default)]
pub struct Changes {
    /// Lines of the newer tree that are new or replaced others.
    pub came: Among,
    /// Lines of the older tree that went and were replaced by none.
    pub went: Among,
    /// New paths of renamed files, with the old.
    pub renamed: HashMap<String, String>,
    /// How many files differ.
    pub files: usize,
}

/// Spans that changed and answer.
#[derive(Clone, Debug, Serialize)]
pub struct DiffAnswer {
    /// The question as it was asked.
    pub query: String,
    /// The older commit.
    pub from: String,
    /// The newer.
    pub to: String,
    /// Files that differ between them.
    pub files_changed: usize,
    /// Spans, best first.
    pub hits: Vec<DiffHit>,
    /// What was searched, as of the newer commit.
    pub index: Certificate,
    /// Why nothing was searched by meaning, if it was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub dense_off_because: Option<String>,
    /// Why nothing answers, if nothing does.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub nothing_because: Option<String>,
}

/// A span that changed.
#[derive(Clone, Debug, Serialize)]
pub struct DiffHit {
    /// The span; a removed one as it stood in the older tree.
    #[serde(flatten)]
    pub hit: Hit,
    /// What happened to it.
    pub change: Change,
    /// Runs of lines in it that changed, first and last.
    pub changed_lines: Vec<(u32, u32)>,
    /// What its file was called before, if it was renamed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub renamed_from: Option<String>,
}

/// What happened to a span.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Change {
    /// All of it is new.
    Added,
    /// Some of its lines are.
    Changed,
    /// Lines of it are gone.
    Removed,
}

impl Range {
    /// Reads `A..B`, `A...B` (since they parted), `A..` and `A`, which both end at `HEAD`.
    pub fn read(git: &Git, written: &str) -> Result<Range> {
        let named = |name: &str| match name.trim() {
            "" => git.resolve("HEAD"),
            name => git.resolve(name),
        };
        if let Some((from, to)) = written.split_once("...") {
            let (from, to) = (named(from)?, named(to)?);
            return Ok(Range { from: git.merge_base(from, to)?, to });
        }
        if written.trim().is_empty() {
            let reason = "write REV1..REV2".to_owned();
            return Err(Error::Revision { revision: written.to_owned(), reason });
        }
        let (from, to) = written.split_once("..").unwrap_or((written, ""));
        Ok(Range { from: named(from)?, to: named(to)? })
    }
}

/// Finds what differs between two commits below `prefix`.
pub fn between(git: &Git, range: &Range, prefix: &str) -> Result<Changes> {
    let (from, to) = (git.commit(range.from)?.tree, git.commit(range.to)?.tree);
    let all = git.differences(Some(from), to)?;
    let mut changes = Changes::default();
    let mut sources: Vec<&str> = Vec::new();
    for file in all.iter().filter(|file| file.path.starts_with(prefix)) {
        let (Some(after), None) = (file.after, file.before) else { continue };
        if let Some(source) = renames::source(git, &all, after)? {
            sources.push(&source.path);
            let path = below(&file.path, prefix);
            changes.renamed.insert(path.to_owned(), below(&source.path, prefix).to_owned());
            changes.enter(git, path, source.before, Some(after))?;
        }
    }
    for file in all.iter().filter(|file| file.path.starts_with(prefix)) {
        let path = below(&file.path, prefix);
        let is_moved = changes.renamed.contains_key(path) || sources.contains(&file.path.as_str());
        if !is_moved {
            let Difference { before, after, .. } = file;
            changes.enter(git, path, *before, *after)?;
        }
    }
    Ok(changes)
}

fn below<'p>(path: &'p str, prefix: &str) -> &'p str {
    path.strip_prefix(prefix).unwrap_or(path)
}

/// Larger files are data.
const LARGEST: u64 = 1 << 20;

impl Changes {
    fn enter(
        &mut self,
        git: &Git,
        path: &str,
        before: Option<ObjectId>,
        after: Option<ObjectId>,
    ) -> Result<()> {
        self.files += 1;
        for id in before.iter().chain(&after) {
            if git.size(*id)? > LARGEST {
                return Ok(());
            }
        }
        let text = |id: Option<ObjectId>| id.map_or(Ok(Vec::new()), |id| git.blob(id));
        for Hunk { before, after } in hunks(&text(before)?, &text(after)?) {
            match after.is_empty() {
                false => self.came.enter(path, counted(&after)),
                true => self.went.enter(path, counted(&before)),
            }
        }
        Ok(())
    }
}

/// The spans that changed and answer, best first, out of the trees of both commits.
pub fn search(
    (older, newer): (&Snapshot, &Snapshot),
    changes: &Changes,
    meaning: &Meaning,
    query: &Query,
) -> Result<DiffAnswer> {
    let came = search_among(newer, meaning, query, Some(&changes.came))?;
    let went = search_among(older, meaning, query, Some(&changes.went))?;
    let new = came.hits.into_iter().map(|hit| changed(hit, &changes.came, &changes.renamed, None));
    let gone = |hit| changed(hit, &changes.went, &HashMap::new(), Some(Change::Removed));
    let mut hits: Vec<DiffHit> = new.chain(went.hits.into_iter().map(gone)).collect();
    hits.sort_by(|a, b| worth(b).total_cmp(&worth(a)));
    hits.truncate(query.limit);
    let commit = |index: &Snapshot| {
        index.manifest.revision.as_ref().and_then(|it| it.commit.clone()).unwrap_or_default()
    };
    let nothing_because = hits.is_empty().then(|| match changes.files {
        0 => "the two revisions do not differ here".to_owned(),
        files => format!("none of the changed lines in {files} files matches"),
    });
    Ok(DiffAnswer {
        query: query.text.clone(),
        from: commit(older),
        to: commit(newer),
        files_changed: changes.files,
        hits,
        index: came.index,
        dense_off_because: came.dense_off_because,
        nothing_because,
    })
}

/// Two searches are compared by how likely their hits are to answer, or else by their scores.
fn worth(found: &DiffHit) -> f32 {
    found.hit.confidence.unwrap_or(found.hit.score)
}

fn changed(
    hit: Hit,
    among: &Among,
    renamed: &HashMap<String, String>,
    change: Option<Change>,
) -> DiffHit {
    let lines = among.within(&hit.path, hit.start_line, hit.end_line);
    let is_whole = lines.iter().map(|(first, last)| last - first + 1).sum::<u32>()
        > hit.end_line - hit.start_line;
    let change = change.unwrap_or(if is_whole { Change::Added } else { Change::Changed });
    let renamed_from = renamed.get(&hit.path).cloned();
    DiffHit { hit, change, changed_lines: lines, renamed_from }
}

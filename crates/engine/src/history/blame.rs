//! Who changed the lines of a span last, and who brought them in.
//!
//! In: a text as it is now and spans of it. Out: for each span the commits its lines come from. Lines
//! are followed back commit by commit, through merges to the parent they came from and through
//! renames, until none is left or time is up; what was not reached by then is counted, not guessed.

use std::collections::{BinaryHeap, HashMap};

use gix::ObjectId;
use rayon::prelude::*;
use serde::Serialize;

use crate::error::Result;
use crate::history::hunks::{hunks, line_before};
use crate::history::renames;
use crate::history::repository::{Commit, Git, Repository, Stored};
use crate::index::snapshot::Snapshot;
use crate::index::vectors::encode::GoOn;
use crate::search::answer::Hit;

/// Where the lines of a span come from.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct Blame {
    /// The newest commit that changed a line.
    pub last: Option<Commit>,
    /// The oldest commit that a line comes from.
    pub introduced: Option<Commit>,
    /// Commits that lines come from.
    pub commits: usize,
    /// Lines that are in no commit yet.
    pub uncommitted_lines: u32,
    /// Lines whose commit was not reached in time, or lies beyond a shallow clone's oldest.
    pub unknown_lines: u32,
    /// Whether the commit of every line is known. If not, `introduced` is only the oldest known.
    pub complete: bool,
}

/// First and last line of a span, counted from 1.
type Span = (u32, u32);

/// Commits by line, for lines that are known; `None` for one that is in no commit.
type Origins = HashMap<u32, Option<ObjectId>>;

/// Fills in the blame of every hit, as far as there is time. `tip` is the commit below the text.
pub fn of_hits(
    repository: &Repository,
    tip: Option<ObjectId>,
    index: &Snapshot,
    hits: &mut [Hit],
    go_on: GoOn,
) -> Result<()> {
    let mut by_file: HashMap<String, Vec<Span>> = HashMap::new();
    for hit in hits.iter() {
        by_file.entry(hit.path.clone()).or_default().push((hit.start_line, hit.end_line));
    }
    let look = |git: &mut Git, (path, spans): (&String, &Vec<Span>)| {
        let text = index.file_at(path).and_then(|file| index.bytes(file)).unwrap_or_default();
        let below = format!("{}{path}", repository.prefix);
        let found = blame(git, tip, &below, &text, spans, go_on)?;
        let named = spans.iter().map(|&span| (path.clone(), span));
        Ok(named.zip(found).collect::<Vec<_>>())
    };
    let found: Result<Vec<_>> = by_file.par_iter().map_init(|| repository.git(), look).collect();
    let found: HashMap<(String, Span), Blame> = found?.into_iter().flatten().collect();
    for hit in hits {
        hit.blame = found.get(&(hit.path.clone(), (hit.start_line, hit.end_line))).cloned();
    }
    Ok(())
}

/// Where the lines of some spans of a text come from, which stands at `path` on top of `tip`.
pub fn blame(
    git: &Git,
    tip: Option<ObjectId>,
    path: &str,
    text: &[u8],
    spans: &[Span],
    go_on: GoOn,
) -> Result<Vec<Blame>> {
    let mut search = Search {
        git,
        commits: HashMap::new(),
        queue: BinaryHeap::new(),
        waiting: HashMap::new(),
        origins: Origins::new(),
    };
    let lines = spans.iter().flat_map(|&(first, last)| first - 1..last);
    search.start(tip, path, text, lines)?;
    search.run(go_on)?;
    spans.iter().map(|&span| search.summary(span)).collect()
}

/// A line of the text, and where it stands in the file of the commit at hand.
type Line = (u32, u32);

struct Search<'g> {
    git: &'g Git,
    commits: HashMap<ObjectId, Stored>,
    /// Commits to look at, newest first.
    queue: BinaryHeap<(i64, ObjectId, String)>,
    /// Lines that a file of a commit has to answer for.
    waiting: HashMap<(ObjectId, String), Vec<Line>>,
    origins: Origins,
}

impl Search<'_> {
    /// Lines that the tip does not have are in no commit.
    fn start(
        &mut self,
        tip: Option<ObjectId>,
        path: &str,
        text: &[u8],
        lines: impl Iterator<Item = u32>,
    ) -> Result<()> {
        let mut committed = None;
        if let Some(tip) = tip {
            let tree = self.commit(tip)?.tree;
            if let Some(blob) = self.git.file_at(tree, path)? {
                committed = Some((tip, hunks(&self.git.blob(blob)?, text)));
            }
        }
        let mut followed = Vec::new();
        for line in lines {
            let before = committed.as_ref().and_then(|(_, hunks)| line_before(hunks, line));
            match before {
                Some(before) => followed.push((line, before)),
                None => drop(self.origins.insert(line, None)),
            }
        }
        followed.sort_unstable();
        followed.dedup();
        match tip {
            Some(tip) => self.ask(tip, path, followed),
            None => Ok(()),
        }
    }

    fn commit(&mut self, id: ObjectId) -> Result<&Stored> {
        if !self.commits.contains_key(&id) {
            let commit = self.git.commit(id)?;
            self.commits.insert(id, commit);
        }
        Ok(&self.commits[&id])
    }

    fn ask(&mut self, id: ObjectId, path: &str, lines: Vec<Line>) -> Result<()> {
        if lines.is_empty() {
            return Ok(());
        }
        let time = self.commit(id)?.time;
        let key = (id, path.to_owned());
        if !self.waiting.contains_key(&key) {
            self.queue.push((time, id, path.to_owned()));
        }
        self.waiting.entry(key).or_default().extend(lines);
        Ok(())
    }

    fn run(&mut self, go_on: GoOn) -> Result<()> {
        while let Some((_, id, path)) = self.queue.pop() {
            if !go_on() {
                return Ok(());
            }
            let lines = self.waiting.remove(&(id, path.clone())).unwrap_or_default();
            self.look(id, &path, lines)?;
        }
        Ok(())
    }

    /// Hands lines on to the parents that have them; what is left came with this commit.
    fn look(&mut self, id: ObjectId, path: &str, mut lines: Vec<Line>) -> Result<()> {
        let commit = self.commit(id)?;
        let (tree, parents) = (commit.tree, commit.parents.clone());
        let blob = self.git.file_at(tree, path)?;
        let mut before = Vec::new();
        for parent in parents {
            let parent_tree = self.commit(parent)?.tree;
            let found = self.git.file_at(parent_tree, path)?;
            if found.is_some() && found == blob {
                return self.ask(parent, path, lines);
            }
            before.push((parent, parent_tree, found));
        }
        let Some(blob) = blob else { return Ok(()) };
        let text = self.git.blob(blob)?;
        for (parent, parent_tree, found) in before {
            let (name, found) = match found {
                Some(found) => (path.to_owned(), found),
                None => match self.renamed(parent_tree, tree, blob)? {
                    Some(renamed) => renamed,
                    None => continue,
                },
            };
            let hunks = hunks(&self.git.blob(found)?, &text);
            let (mut handed_on, mut kept) = (Vec::new(), Vec::new());
            for (line, here) in lines {
                match line_before(&hunks, here) {
                    Some(there) => handed_on.push((line, there)),
                    None => kept.push((line, here)),
                }
            }
            lines = kept;
            self.ask(parent, &name, handed_on)?;
        }
        self.origins.extend(lines.into_iter().map(|(line, _)| (line, Some(id))));
        Ok(())
    }

    /// What a file was called in a parent that does not have it, and what it held.
    fn renamed(
        &self,
        parent: ObjectId,
        tree: ObjectId,
        blob: ObjectId,
    ) -> Result<Option<(String, ObjectId)>> {
        let differences = self.git.differences(Some(parent), tree)?;
        let source = renames::source(self.git, &differences, blob)?;
        Ok(source.and_then(|source| Some((source.path.clone(), source.before?))))
    }

    fn summary(&mut self, (first, last): Span) -> Result<Blame> {
        let mut blame = Blame::default();
        let mut ids: Vec<ObjectId> = Vec::new();
        for line in first - 1..last {
            match self.origins.get(&line) {
                // The oldest commits of a shallow clone seem to have brought in all that is older.
                Some(Some(id)) if self.git.is_boundary(*id) => {
                    blame.unknown_lines += 1;
                    ids.push(*id);
                }
                Some(Some(id)) => ids.push(*id),
                Some(None) => blame.uncommitted_lines += 1,
                None => blame.unknown_lines += 1,
            }
        }
        ids.sort_unstable();
        ids.dedup();
        let mut commits = Vec::new();
        for &id in &ids {
            commits.push(self.commit(id)?.shown());
        }
        commits.sort_by(|a, b| (a.time, &a.commit).cmp(&(b.time, &b.commit)));
        blame.commits = commits.len();
        blame.introduced = commits.first().cloned();
        blame.last = commits.pop();
        blame.complete = blame.unknown_lines == 0;
        Ok(blame)
    }
}

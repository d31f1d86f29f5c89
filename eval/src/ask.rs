//! From a question set and a tool to a table of ranks: every tree is opened once, its questions
//! are asked, every answer is timed and scored.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

use rayon::prelude::*;

use crate::error::Result;
use crate::question::{Pace, Question, QuestionSet, Scores};
use crate::ranks::{Rank, Ranks};
use crate::searcher::{Corpus, Hit, Progress, Searcher, Step, Tool};

/// What asking gave.
#[derive(Debug)]
pub struct Asked {
    /// One row a question, in the order of the set.
    pub ranks: Ranks,
    /// What the tool made of each tree.
    pub corpora: Vec<(String, Corpus)>,
}

/// Asks every question.
pub fn ask(set: &QuestionSet, tool: &dyn Tool, progress: Progress) -> Result<Asked> {
    let counter = Counter { done: AtomicUsize::new(0), total: set.questions.len(), progress };
    let mut rows: Vec<(usize, Rank)> = Vec::with_capacity(set.questions.len());
    let mut corpora = Vec::new();
    for (root, numbers) in by_tree(&set.questions) {
        let searcher = tool.open(root, progress)?;
        corpora.push((name_of(root), searcher.corpus()));
        rows.extend(ask_tree(set, &numbers, searcher.as_ref(), &counter)?);
    }
    rows.sort_by_key(|(number, _)| *number);
    let rows = rows.into_iter().map(|(_, row)| row).collect();
    Ok(Asked { ranks: table(set, rows), corpora })
}

struct Counter<'p> {
    done: AtomicUsize,
    total: usize,
    progress: Progress<'p>,
}

impl Counter<'_> {
    fn count(&self) {
        let done = self.done.fetch_add(1, Ordering::Relaxed) + 1;
        (self.progress)(Step::Asking { done, total: self.total });
    }
}

/// The numbers of the questions about each tree, trees in the order they first appear.
pub fn by_tree(questions: &[Question]) -> Vec<(&PathBuf, Vec<usize>)> {
    let mut trees: Vec<(&PathBuf, Vec<usize>)> = Vec::new();
    for (number, question) in questions.iter().enumerate() {
        match trees.iter_mut().find(|(root, _)| **root == question.root) {
            Some((_, numbers)) => numbers.push(number),
            None => trees.push((&question.root, vec![number])),
        }
    }
    trees
}

fn name_of(root: &Path) -> String {
    root.file_name().map_or_else(|| "/".to_owned(), |name| name.to_string_lossy().into_owned())
}

fn ask_tree(
    set: &QuestionSet,
    numbers: &[usize],
    searcher: &dyn Searcher,
    counter: &Counter,
) -> Result<Vec<(usize, Rank)>> {
    let one = |&number: &usize| {
        let row = ask_one(set, &set.questions[number], searcher)?;
        counter.count();
        Ok((number, row))
    };
    match set.pace {
        Pace::Together => numbers.par_iter().map(one).collect(),
        Pace::Alone => {
            warm_up(set, numbers, searcher)?;
            numbers.iter().map(one).collect()
        }
    }
}

/// Asks some questions beforehand, so that no latency includes opening files for the first time.
fn warm_up(set: &QuestionSet, numbers: &[usize], searcher: &dyn Searcher) -> Result<()> {
    const ENOUGH: usize = 20;
    for &number in numbers.iter().take(ENOUGH) {
        searcher.search(&set.questions[number].queries[0])?;
    }
    Ok(())
}

fn ask_one(set: &QuestionSet, question: &Question, searcher: &dyn Searcher) -> Result<Rank> {
    let mut lists = Vec::with_capacity(question.queries.len());
    let mut latency_ms = 0.0;
    for (number, query) in question.queries.iter().enumerate() {
        let started = Instant::now();
        let mut hits = searcher.search(query)?;
        if number == 0 {
            latency_ms = started.elapsed().as_secs_f64() * 1000.0;
        }
        hits.retain(|hit| !question.ignored.iter().any(|ignored| ignored.touches(hit)));
        lists.push(hits);
    }
    let scores = (set.score)(question, &lists);
    Ok(row(question, &lists[0], scores, latency_ms))
}

fn row(question: &Question, hits: &[Hit], scores: Scores, latency_ms: f64) -> Rank {
    const SHOWN: usize = 5;
    Rank {
        id: question.id.clone(),
        group: question.group.clone(),
        tags: question.tags.iter().map(|(_, value)| value.clone()).collect(),
        first: scores.first,
        latency_ms,
        values: scores.values.into_iter().map(|(_, value)| value).collect(),
        query: question.queries[0].text.clone(),
        expected: question.expected.iter().map(|target| target.span.label()).collect(),
        returned: hits.iter().take(SHOWN).map(Hit::label).collect(),
    }
}

/// The names of tags and metrics are those of the first question; all have the same.
fn table(set: &QuestionSet, rows: Vec<Rank>) -> Ranks {
    let Some(first) = set.questions.first() else {
        return Ranks::default();
    };
    let scores = (set.score)(first, &vec![Vec::new(); first.queries.len()]);
    Ranks {
        tags: first.tags.iter().map(|(name, _)| (*name).to_owned()).collect(),
        metrics: scores.values.iter().map(|(name, _)| (*name).to_owned()).collect(),
        rows,
    }
}

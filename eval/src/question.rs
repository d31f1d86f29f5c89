//! What a protocol makes of a benchmark's files: questions with their right answers, and how to
//! score them. Nothing here asks or reads.

use std::path::PathBuf;

use wherein_engine::search::query::{Mode, Query, Scope};

use crate::error::{Error, Result};
use crate::searcher::Hit;

/// A file, or some lines of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Span {
    /// Relative to the tree, with forward slashes.
    pub path: String,
    /// First and last line, counted from 1; `None` for the whole file.
    pub lines: Option<(u32, u32)>,
}

impl Span {
    /// A whole file.
    pub fn file(path: impl Into<String>) -> Span {
        Span { path: path.into(), lines: None }
    }

    /// Whether a hit shows any line of it.
    pub fn touches(&self, hit: &Hit) -> bool {
        let overlap = match (self.lines, hit.lines) {
            (None, _) => true,
            (Some(_), None) => false,
            (Some((start, end)), Some((first, last))) => first <= end && last >= start,
        };
        overlap && self.path == hit.path
    }

    /// As in a report: `path:start-end`.
    pub fn label(&self) -> String {
        Hit { path: self.path.clone(), lines: self.lines, bytes: 0 }.label()
    }
}

/// A right answer.
#[derive(Clone, Debug, PartialEq)]
pub struct Target {
    /// Where it is.
    pub span: Span,
    /// How much it is worth.
    pub grade: f64,
}

/// Where a question stands in the benchmark.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Origin {
    /// The file.
    pub file: PathBuf,
    /// The line, counted from 1.
    pub line: usize,
}

/// One question.
#[derive(Clone, Debug)]
pub struct Question {
    /// Names it in every run.
    pub id: String,
    /// Where it comes from.
    pub origin: Origin,
    /// Its repository, or whatever the benchmark averages by.
    pub group: String,
    /// Further words to report by: language, category.
    pub tags: Vec<(&'static str, String)>,
    /// The tree to search.
    pub root: PathBuf,
    /// What is asked: once, or once for every unit that is scored. The first is timed.
    pub queries: Vec<Query>,
    /// Right answers; never empty.
    pub expected: Vec<Target>,
    /// Hits that touch one of these are taken out of the list before it is scored.
    pub ignored: Vec<Span>,
}

impl Question {
    /// The answers that are in the tree, and those that no search could find.
    pub fn expected_in_tree(&self) -> (Vec<&Target>, Vec<&Target>) {
        self.expected.iter().partition(|target| self.root.join(&target.span.path).is_file())
    }

    /// The best lists there could be: what the tree holds of the right answers, best first.
    pub fn ideal(&self) -> Vec<Vec<Hit>> {
        let (mut there, _) = self.expected_in_tree();
        there.sort_by(|a, b| b.grade.total_cmp(&a.grade));
        let hits = there
            .iter()
            .map(|target| Hit {
                path: target.span.path.clone(),
                lines: target.span.lines,
                bytes: 0,
            })
            .collect();
        vec![hits; self.queries.len()]
    }
}

/// A question's figures.
#[derive(Clone, Debug, PartialEq)]
pub struct Scores {
    /// Where the first right answer came, from 1.
    pub first: Option<usize>,
    /// Each metric; `None` where the question says nothing about it.
    pub values: Vec<(&'static str, Option<f64>)>,
}

/// From the lists of hits a question got, one for each of its queries, to its figures.
pub type Scorer = fn(&Question, &[Vec<Hit>]) -> Scores;

/// What a benchmark's own figure is the mean of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "lowercase")]
pub enum MeanOver {
    /// All questions alike.
    Questions,
    /// Groups alike, whatever number of questions each has.
    Groups,
}

/// How questions follow one another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pace {
    /// On every core at once; latencies include waiting for each other.
    Together,
    /// One at a time over a warmed-up tool; latencies are a single user's.
    Alone,
}

/// The questions of one benchmark and all that is needed to score a tool on them.
#[derive(Debug)]
pub struct QuestionSet {
    /// The protocol's name, as on the command line.
    pub protocol: &'static str,
    /// The questions, in the order of the files.
    pub questions: Vec<Question>,
    /// How a question is scored.
    pub score: Scorer,
    /// The metric that decides, and the one the benchmark publishes.
    pub headline: &'static str,
    /// What the headline is the mean of.
    pub mean_over: MeanOver,
    /// What a group is.
    pub group_is: &'static str,
    /// How to ask.
    pub pace: Pace,
    /// What a reader of the figures must know.
    pub notes: Vec<String>,
}

/// A question that could not be asked.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct NotAsked {
    /// The question.
    pub id: String,
    /// Why.
    pub reason: String,
}

impl QuestionSet {
    /// The same questions in another mode and scope.
    pub fn ask_in(&mut self, mode: Mode, scope: Scope) {
        for query in self.questions.iter_mut().flat_map(|question| &mut question.queries) {
            (query.mode, query.scope) = (mode, scope);
        }
    }

    /// Stops at the first question whose tree is missing.
    pub fn require_trees(&self) -> Result<()> {
        match self.questions.iter().find(|question| !question.root.is_dir()) {
            Some(question) => Err(missing(question)),
            None => Ok(()),
        }
    }

    /// Takes out the questions whose trees are missing; stops if none is left.
    pub fn take_missing(&mut self) -> Result<Vec<NotAsked>> {
        let first = self.questions.first().map(missing);
        let (there, gone): (Vec<_>, Vec<_>) =
            std::mem::take(&mut self.questions).into_iter().partition(|q| q.root.is_dir());
        self.questions = there;
        match first {
            Some(error) if self.questions.is_empty() => Err(error),
            _ => Ok(gone.iter().map(not_asked).collect()),
        }
    }
}

fn missing(question: &Question) -> Error {
    Error::Tree {
        file: question.origin.file.clone(),
        line: question.origin.line,
        id: question.id.clone(),
        tree: question.root.clone(),
    }
}

fn not_asked(question: &Question) -> NotAsked {
    let reason = format!("no tree at {}", question.root.display());
    NotAsked { id: question.id.clone(), reason }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(span: Option<(u32, u32)>, hit: Option<(u32, u32)>, expected: bool) {
        let span = Span { path: "a".into(), lines: span };
        assert_eq!(span.touches(&Hit { path: "a".into(), lines: hit, bytes: 0 }), expected);
        assert!(!span.touches(&Hit { path: "b".into(), lines: hit, bytes: 0 }));
    }

    #[test]
    fn one_common_line_is_enough() {
        check(Some((10, 50)), Some((50, 60)), true);
        check(Some((10, 50)), Some((1, 10)), true);
        check(Some((10, 50)), Some((20, 30)), true);
        check(Some((10, 50)), Some((51, 60)), false);
        check(Some((10, 50)), Some((1, 9)), false);
    }

    #[test]
    fn a_whole_file_needs_no_lines_but_lines_do() {
        check(None, Some((1, 2)), true);
        check(None, None, true);
        check(Some((1, 2)), None, false);
    }
}

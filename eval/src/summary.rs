//! From a table of ranks to means with intervals: over all questions, over groups, by every tag.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::ask::Asked;
use crate::question::{MeanOver, NotAsked, Pace, QuestionSet};
use crate::ranks::{Rank, Ranks};
use crate::stats::{Interval, bootstrap, percentile};

/// The name of the metric that is a number of lines, not a score.
pub const LENGTH: &str = "length";

/// What one run came to.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct Summary {
    /// The protocol's name.
    pub protocol: String,
    /// The tool that was asked.
    pub tool: String,
    /// Lexical, dense or hybrid.
    pub mode: String,
    /// How many questions were asked.
    pub questions: usize,
    /// Those that could not be asked. They are in no mean.
    pub not_asked: Vec<NotAsked>,
    /// The figure the benchmark publishes.
    pub headline: Figure,
    /// What the headline is the mean of.
    pub mean_over: MeanOver,
    /// Every metric over all questions.
    pub over_questions: Vec<Figure>,
    /// Every metric over groups, each counting alike.
    pub over_groups: Vec<Figure>,
    /// Every metric by group and by each tag.
    pub by: Vec<Axis>,
    /// How long answers took.
    pub latency: Latency,
    /// Right answers that the trees do not hold.
    pub absent: Vec<Absent>,
    /// What a perfect search would reach; empty if that is everything.
    pub ceiling: Vec<Figure>,
    /// What was indexed of each tree.
    pub trees: Vec<Tree>,
    /// What a reader of the figures must know.
    pub notes: Vec<String>,
}

/// One metric's mean.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct Figure {
    /// The metric.
    pub metric: String,
    /// Mean and interval.
    #[serde(flatten)]
    pub interval: Interval,
    /// The questions it is taken over.
    pub questions: usize,
    /// The sum over them: a count where the metric is yes or no.
    pub sum: f64,
}

/// The metrics along one property of the questions.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct Axis {
    /// The property: repository, language, category.
    pub name: String,
    /// Its values by name, each with its metrics.
    pub values: BTreeMap<String, Vec<Figure>>,
}

/// Percentiles of the time an answer took.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct Latency {
    /// Half of the answers came within.
    pub p50_ms: f64,
    /// Nineteen of twenty came within.
    pub p95_ms: f64,
    /// Whether questions were asked one at a time; if not, they waited for each other.
    pub alone: bool,
}

/// A right answer that no search of the tree can return.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct Absent {
    /// The question.
    pub id: String,
    /// The path that is not in the tree.
    pub path: String,
}

/// What was indexed of one tree.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct Tree {
    /// Its folder's name.
    pub name: String,
    /// Indexed files.
    pub files: usize,
    /// Indexed chunks.
    pub chunks: u64,
    /// Files left out.
    pub skipped: usize,
}

/// Takes the means of what was asked.
pub fn summarise(
    set: &QuestionSet,
    asked: &Asked,
    tool: &str,
    mode: &str,
    not_asked: Vec<NotAsked>,
) -> Summary {
    let ranks = &asked.ranks;
    let over_questions = figures(ranks, &Vec::from_iter(&ranks.rows), one_group);
    let over_groups = figures(ranks, &Vec::from_iter(&ranks.rows), |row| &row.group);
    let official = match set.mean_over {
        MeanOver::Questions => &over_questions,
        MeanOver::Groups => &over_groups,
    };
    let absent = absent(set);
    Summary {
        protocol: set.protocol.to_owned(),
        tool: tool.to_owned(),
        mode: mode.to_owned(),
        questions: ranks.rows.len(),
        not_asked,
        headline: named(official, set.headline),
        mean_over: set.mean_over,
        by: axes(set, ranks),
        latency: latency(ranks, set.pace),
        ceiling: if absent.is_empty() { Vec::new() } else { ceiling(set) },
        absent,
        trees: trees(asked),
        notes: set.notes.clone(),
        over_questions,
        over_groups,
    }
}

impl Summary {
    /// The means that the benchmark publishes.
    pub fn official(&self) -> &[Figure] {
        match self.mean_over {
            MeanOver::Questions => &self.over_questions,
            MeanOver::Groups => &self.over_groups,
        }
    }

    /// The mean of a metric over all questions.
    pub fn mean(&self, metric: &str) -> Option<f64> {
        let figure = self.over_questions.iter().find(|figure| figure.metric == metric);
        figure.map(|figure| figure.interval.mean)
    }
}

fn one_group(_: &Rank) -> &str {
    ""
}

/// Every metric over `rows`, groups counting alike.
fn figures(ranks: &Ranks, rows: &[&Rank], group: impl Fn(&Rank) -> &str) -> Vec<Figure> {
    let figure = |(number, metric): (usize, &String)| {
        let mut groups: BTreeMap<&str, Vec<f64>> = BTreeMap::new();
        for row in rows {
            groups.entry(group(row)).or_default().extend(row.values[number]);
        }
        let groups: Vec<Vec<f64>> = groups.into_values().collect();
        let values = || groups.iter().flatten();
        Some(Figure {
            metric: metric.clone(),
            interval: bootstrap(&groups)?,
            questions: values().count(),
            sum: values().sum(),
        })
    };
    ranks.metrics.iter().enumerate().filter_map(figure).collect()
}

fn named(figures: &[Figure], metric: &str) -> Figure {
    let nothing = Interval { mean: 0.0, low: 0.0, high: 0.0 };
    let empty = || Figure { metric: metric.to_owned(), interval: nothing, questions: 0, sum: 0.0 };
    figures.iter().find(|figure| figure.metric == metric).cloned().unwrap_or_else(empty)
}

fn axes(set: &QuestionSet, ranks: &Ranks) -> Vec<Axis> {
    let tags = (0..ranks.tags.len()).map(|tag| axis(ranks, &ranks.tags[tag], |row| &row.tags[tag]));
    let all = std::iter::once(axis(ranks, set.group_is, |row| &row.group)).chain(tags);
    all.filter(|axis| axis.values.len() > 1).collect()
}

fn axis(ranks: &Ranks, name: &str, value: impl Fn(&Rank) -> &String) -> Axis {
    let mut rows: BTreeMap<&String, Vec<&Rank>> = BTreeMap::new();
    for row in &ranks.rows {
        rows.entry(value(row)).or_default().push(row);
    }
    let values =
        rows.into_iter().map(|(value, rows)| (value.clone(), figures(ranks, &rows, one_group)));
    Axis { name: name.to_owned(), values: values.collect() }
}

fn latency(ranks: &Ranks, pace: Pace) -> Latency {
    let mut latencies: Vec<f64> = ranks.rows.iter().map(|row| row.latency_ms).collect();
    latencies.sort_by(f64::total_cmp);
    Latency {
        p50_ms: percentile(&latencies, 0.5),
        p95_ms: percentile(&latencies, 0.95),
        alone: pace == Pace::Alone,
    }
}

fn absent(set: &QuestionSet) -> Vec<Absent> {
    let absent_of = |question: &crate::question::Question| {
        let (_, absent) = question.expected_in_tree();
        let name = |target: &&crate::question::Target| Absent {
            id: question.id.clone(),
            path: target.span.path.clone(),
        };
        absent.iter().map(name).collect::<Vec<_>>()
    };
    set.questions.iter().flat_map(absent_of).collect()
}

/// The figures of the best lists the trees allow, by the same scorer.
fn ceiling(set: &QuestionSet) -> Vec<Figure> {
    let mut ranks = Ranks::default();
    for question in &set.questions {
        let scores = (set.score)(question, &question.ideal());
        ranks.metrics = scores.values.iter().map(|(name, _)| (*name).to_owned()).collect();
        let values = scores.values.into_iter().map(|(_, value)| value).collect();
        ranks.rows.push(Rank { group: question.group.clone(), values, ..Rank::default() });
    }
    let rows = Vec::from_iter(&ranks.rows);
    let mut ceiling = match set.mean_over {
        MeanOver::Questions => figures(&ranks, &rows, one_group),
        MeanOver::Groups => figures(&ranks, &rows, |row| &row.group),
    };
    ceiling.retain(|figure| figure.metric != LENGTH);
    ceiling
}

fn trees(asked: &Asked) -> Vec<Tree> {
    let tree = |(name, corpus): &(String, crate::searcher::Corpus)| Tree {
        name: name.clone(),
        files: corpus.files,
        chunks: corpus.chunks,
        skipped: corpus.skipped,
    };
    asked.corpora.iter().map(tree).collect()
}

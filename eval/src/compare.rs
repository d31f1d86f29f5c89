//! Two runs of the same questions: what differs, how sure that is, and where it moved.

use std::collections::{BTreeMap, HashMap, HashSet};

use serde::Serialize;

use crate::error::{Error, Result};
use crate::question::MeanOver;
use crate::ranks::Rank;
use crate::run::{Run, Settings};
use crate::stats::{Interval, Verdict, bootstrap};
use crate::summary::LENGTH;

/// What lies between two runs.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct Comparison {
    /// The first run, in words.
    pub a: String,
    /// The second run, in words.
    pub b: String,
    /// Questions both answered.
    pub paired: usize,
    /// The metric that decides.
    pub headline: String,
    /// Every metric both runs have.
    pub differences: Vec<Difference>,
    /// The questions whose headline metric moved most, most first.
    pub moved: Vec<Moved>,
    /// Settings in which the runs differ.
    pub settings: Vec<String>,
    /// Questions of the first run that the second has not.
    pub only_a: Vec<String>,
    /// Questions of the second run that the first has not.
    pub only_b: Vec<String>,
}

/// One metric in both runs, over the questions both answered.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct Difference {
    /// The metric.
    pub metric: String,
    /// Its mean in the first run.
    pub a: f64,
    /// Its mean in the second.
    pub b: f64,
    /// Second less first, question by question.
    pub difference: Interval,
    /// What that amounts to.
    pub verdict: Verdict,
}

/// A question that the two runs answer differently.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct Moved {
    /// The question's id.
    pub id: String,
    /// Its text.
    pub query: String,
    /// Its headline metric in the first run.
    pub a: f64,
    /// Its headline metric in the second.
    pub b: f64,
    /// Where its first right answer came in the first run.
    pub rank_a: Option<usize>,
    /// Where it came in the second.
    pub rank_b: Option<usize>,
}

/// How many moved questions are listed.
const MOST_MOVED: usize = 20;

/// Pairs two runs by the ids of their questions.
pub fn compare(a: &Run, b: &Run) -> Result<Comparison> {
    if a.settings.protocol != b.settings.protocol {
        let (a, b) = (&a.settings.protocol, &b.settings.protocol);
        return Err(Error::Unpaired(format!("one is of {a}, the other of {b}")));
    }
    let pairs = Pairs::of(a, b);
    if pairs.rows.is_empty() {
        return Err(Error::Unpaired("they have no question in common".to_owned()));
    }
    let headline = a.settings.headline.clone();
    let metrics = a.ranks.metrics.iter().filter(|metric| b.ranks.metrics.contains(metric));
    Ok(Comparison {
        a: label(&a.settings),
        b: label(&b.settings),
        paired: pairs.rows.len(),
        differences: metrics.filter_map(|metric| pairs.difference(metric)).collect(),
        moved: pairs.moved(&headline),
        headline,
        settings: changed(&a.settings, &b.settings),
        only_a: only(a, b),
        only_b: only(b, a),
    })
}

struct Pairs<'r> {
    a: &'r Run,
    b: &'r Run,
    rows: Vec<(&'r Rank, &'r Rank)>,
}

impl<'r> Pairs<'r> {
    fn of(a: &'r Run, b: &'r Run) -> Pairs<'r> {
        let in_b: HashMap<&str, &Rank> =
            b.ranks.rows.iter().map(|row| (row.id.as_str(), row)).collect();
        let pair = |row: &'r Rank| Some((row, *in_b.get(row.id.as_str())?));
        Pairs { a, b, rows: a.ranks.rows.iter().filter_map(pair).collect() }
    }

    /// The values of a metric in both runs, where both have one.
    fn values(&self, metric: &str) -> Vec<(&'r Rank, &'r Rank, f64, f64)> {
        let place = |run: &Run| run.ranks.metrics.iter().position(|name| name == metric);
        let (Some(in_a), Some(in_b)) = (place(self.a), place(self.b)) else {
            return Vec::new();
        };
        let both = |(a, b): &(&'r Rank, &'r Rank)| Some((*a, *b, a.values[in_a]?, b.values[in_b]?));
        self.rows.iter().filter_map(both).collect()
    }

    fn difference(&self, metric: &str) -> Option<Difference> {
        let values = self.values(metric);
        let mean_of = |value: &dyn Fn(f64, f64) -> f64| {
            let mut groups: BTreeMap<&str, Vec<f64>> = BTreeMap::new();
            for (row, _, a, b) in &values {
                let group = match self.a.settings.mean_over {
                    MeanOver::Questions => "",
                    MeanOver::Groups => &row.group,
                };
                groups.entry(group).or_default().push(value(*a, *b));
            }
            bootstrap(&groups.into_values().collect::<Vec<_>>())
        };
        let difference = mean_of(&|a, b| b - a)?;
        Some(Difference {
            metric: metric.to_owned(),
            a: mean_of(&|a, _| a)?.mean,
            b: mean_of(&|_, b| b)?.mean,
            difference,
            verdict: verdict(metric, difference),
        })
    }

    fn moved(&self, metric: &str) -> Vec<Moved> {
        let mut values = self.values(metric);
        values.retain(|(_, _, a, b)| a != b);
        values.sort_by(|(x, _, xa, xb), (y, _, ya, yb)| {
            (yb - ya).abs().total_cmp(&(xb - xa).abs()).then_with(|| x.id.cmp(&y.id))
        });
        values.truncate(MOST_MOVED);
        let moved = |(row_a, row_b, a, b): (&Rank, &Rank, f64, f64)| Moved {
            id: row_a.id.clone(),
            query: row_a.query.clone(),
            a,
            b,
            rank_a: row_a.first,
            rank_b: row_b.first,
        };
        values.into_iter().map(moved).collect()
    }
}

/// Results that grew longer are worse: there is more to read, and they match by chance.
fn verdict(metric: &str, difference: Interval) -> Verdict {
    match Verdict::of(difference) {
        Verdict::Better if metric == LENGTH => Verdict::Worse,
        Verdict::Worse if metric == LENGTH => Verdict::Better,
        verdict => verdict,
    }
}

fn label(settings: &Settings) -> String {
    let Settings { protocol, tool, mode, version, date, .. } = settings;
    format!("{protocol} {tool} {version} {mode} of {date}")
}

/// Every setting that is not the same, each as `name: a → b`.
fn changed(a: &Settings, b: &Settings) -> Vec<String> {
    let (a, b) = (flat(a), flat(b));
    let differ = |name: &String| {
        let (a, b) = (a.get(name), b.get(name));
        let shown = |value: Option<&String>| value.cloned().unwrap_or_else(|| "not set".to_owned());
        (a != b).then(|| format!("{name}: {} → {}", shown(a), shown(b)))
    };
    let mut names: Vec<&String> = a.keys().chain(b.keys()).collect();
    names.sort();
    names.dedup();
    names.into_iter().filter_map(differ).collect()
}

fn flat(settings: &Settings) -> BTreeMap<String, String> {
    let mut flat = settings.options.clone();
    for (name, value) in [
        ("tool", &settings.tool),
        ("mode", &settings.mode),
        ("scope", &settings.scope),
        ("version", &settings.version),
        ("build", &settings.build),
        ("machine", &settings.machine),
        ("date", &settings.date),
        ("source", &settings.source),
    ] {
        flat.insert(name.to_owned(), value.clone());
    }
    flat
}

fn only(of: &Run, without: &Run) -> Vec<String> {
    let known: HashSet<&str> = without.ranks.rows.iter().map(|row| row.id.as_str()).collect();
    let unknown = of.ranks.rows.iter().filter(|row| !known.contains(row.id.as_str()));
    unknown.map(|row| row.id.clone()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ranks::Ranks;
    use crate::summary::{Figure, Latency, Summary};

    /// A run of questions `q0`, `q1`, … in groups of their own number modulo 2.
    fn run(values: &[f64], mean_over: MeanOver) -> Run {
        let row = |(number, value): (usize, &f64)| Rank {
            id: format!("q{number}"),
            group: format!("g{}", number % 2),
            values: vec![Some(*value)],
            ..Rank::default()
        };
        Run {
            settings: settings(mean_over),
            ranks: Ranks {
                tags: Vec::new(),
                metrics: vec!["m".to_owned()],
                rows: values.iter().enumerate().map(row).collect(),
            },
            summary: summary(mean_over),
        }
    }

    fn settings(mean_over: MeanOver) -> Settings {
        let word = |word: &str| word.to_owned();
        Settings {
            format: Settings::format(),
            protocol: word("spans"),
            tool: word("wherein"),
            mode: word("lexical"),
            scope: word("all"),
            version: word("1"),
            build: word("debug"),
            machine: word("desk"),
            date: word("today"),
            source: word("code.csv"),
            options: BTreeMap::new(),
            headline: word("m"),
            mean_over,
        }
    }

    fn summary(mean_over: MeanOver) -> Summary {
        let interval = Interval { mean: 0.0, low: 0.0, high: 0.0 };
        let headline = Figure { metric: "m".to_owned(), interval, questions: 0, sum: 0.0 };
        Summary {
            protocol: String::new(),
            tool: String::new(),
            mode: String::new(),
            questions: 0,
            not_asked: Vec::new(),
            headline,
            mean_over,
            over_questions: Vec::new(),
            over_groups: Vec::new(),
            by: Vec::new(),
            latency: Latency { p50_ms: 0.0, p95_ms: 0.0, alone: false },
            absent: Vec::new(),
            ceiling: Vec::new(),
            trees: Vec::new(),
            notes: Vec::new(),
        }
    }

    #[track_caller]
    fn check(a: &[f64], b: &[f64], difference: f64, verdict: Verdict) -> Comparison {
        let over = MeanOver::Questions;
        let comparison = compare(&run(a, over), &run(b, over)).unwrap();
        let found = &comparison.differences[0];
        assert!((found.difference.mean - difference).abs() < 1e-9, "{found:?}");
        assert_eq!(found.verdict, verdict);
        comparison
    }

    #[test]
    fn pairs_tell_better_from_worse_and_from_noise() {
        // One question of forty that moves a lot proves nothing; all of them a little do.
        let (low, high) = ([0.5; 40], [0.6; 40]);
        let mut one = low;
        one[7] = 1.0;
        check(&low, &high, 0.1, Verdict::Better);
        check(&high, &low, -0.1, Verdict::Worse);
        check(&low, &one, 0.0125, Verdict::Noise);
        check(&low, &low, 0.0, Verdict::Same);
    }

    #[test]
    fn longer_results_are_worse() {
        let longer = Interval { mean: 3.0, low: 2.0, high: 4.0 };
        assert_eq!(verdict(LENGTH, longer), Verdict::Worse);
        assert_eq!(verdict("mrr@10", longer), Verdict::Better);
    }

    #[test]
    fn the_questions_that_moved_most_come_first() {
        let moved =
            check(&[0.0, 0.5, 1.0, 0.2], &[0.1, 0.0, 0.0, 0.2], -0.35, Verdict::Noise).moved;
        assert_eq!(moved.iter().map(|m| m.id.as_str()).collect::<Vec<_>>(), ["q2", "q1", "q0"]);
    }

    #[test]
    fn groups_count_alike_where_the_benchmark_says_so() {
        // q0 and q2 are one group, q1 the other.
        let over = MeanOver::Groups;
        let comparison = compare(&run(&[0.0; 3], over), &run(&[0.0, 1.0, 0.0], over)).unwrap();
        assert_eq!(comparison.differences[0].difference.mean, 0.5);
    }

    #[test]
    fn questions_of_one_run_only_are_named_and_not_compared() {
        let comparison = check(&[1.0, 1.0, 0.0], &[1.0, 1.0], 0.0, Verdict::Same);
        assert_eq!((comparison.paired, comparison.only_a), (2, vec!["q2".to_owned()]));
        assert!(comparison.only_b.is_empty());
    }

    #[test]
    fn runs_of_different_things_are_refused() {
        let (a, mut b) = (run(&[1.0], MeanOver::Questions), run(&[1.0], MeanOver::Questions));
        b.ranks.rows[0].id = "other".to_owned();
        assert!(compare(&a, &b).unwrap_err().to_string().contains("no question in common"));
        b.settings.protocol = "files".to_owned();
        assert!(compare(&a, &b).unwrap_err().to_string().contains("one is of spans"));
    }
}

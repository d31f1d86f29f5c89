//! Small runs to test the page on.

use std::collections::BTreeMap;

use crate::question::MeanOver;
use crate::ranks::{Rank, Ranks};
use crate::run::{Run, Settings};
use crate::stats::bootstrap;
use crate::summary::{Axis, Figure, Latency, Summary};

/// Metrics of every sample; a question has the same figure in each.
const METRICS: [&str; 3] = ["mrr@10", "ndcg@10", "recall@10"];

/// A run of one question for each figure. Their repositories are `r1`, `r2`, …, two questions each;
/// the n-th question is `q<n>` and took n milliseconds.
pub fn run(mode: &str, figures: &[f64]) -> Run {
    let rows: Vec<Rank> = figures.iter().enumerate().map(row).collect();
    let metrics = METRICS.map(str::to_owned).to_vec();
    let summary = summary(mode, &rows);
    Run { settings: settings(mode), ranks: Ranks { tags: Vec::new(), metrics, rows }, summary }
}

fn row((place, figure): (usize, &f64)) -> Rank {
    Rank {
        id: format!("q{}", place + 1),
        group: format!("r{}", place / 2 + 1),
        latency_ms: (place + 1) as f64,
        values: vec![Some(*figure); METRICS.len()],
        first: (*figure > 0.0).then_some(1),
        query: format!("<script>alert({place})</script>"),
        expected: vec!["src/a.rs:10-20".to_owned()],
        returned: vec!["src/<b>.rs:1-9".to_owned(), "src/a.rs:20-30".to_owned()],
        ..Rank::default()
    }
}

fn settings(mode: &str) -> Settings {
    Settings {
        format: Settings::format(),
        protocol: "files".to_owned(),
        tool: "wherein".to_owned(),
        mode: mode.to_owned(),
        scope: "all".to_owned(),
        version: "1.2.3".to_owned(),
        build: "release".to_owned(),
        machine: "a <fast> machine".to_owned(),
        date: "2026-01-31".to_owned(),
        source: "questions.jsonl".to_owned(),
        options: BTreeMap::new(),
        headline: METRICS[0].to_owned(),
        mean_over: MeanOver::Questions,
    }
}

fn summary(mode: &str, rows: &[Rank]) -> Summary {
    let mut groups: BTreeMap<String, Vec<Figure>> = BTreeMap::new();
    for row in rows {
        let of_group = |other: &&Rank| other.group == row.group;
        let rows: Vec<Rank> = rows.iter().filter(of_group).cloned().collect();
        groups.insert(row.group.clone(), figures(&rows));
    }
    let none = Figure {
        metric: METRICS[0].to_owned(),
        interval: bootstrap(&[vec![0.0]]).unwrap(),
        questions: 0,
        sum: 0.0,
    };
    Summary {
        protocol: "files".to_owned(),
        tool: "wherein".to_owned(),
        mode: mode.to_owned(),
        questions: rows.len(),
        not_asked: Vec::new(),
        headline: figures(rows).first().cloned().unwrap_or(none),
        mean_over: MeanOver::Questions,
        over_questions: figures(rows),
        over_groups: figures(rows),
        by: vec![Axis { name: "repository".to_owned(), values: groups }],
        latency: Latency { p50_ms: 1.0, p95_ms: 2.0, alone: true },
        absent: Vec::new(),
        ceiling: Vec::new(),
        trees: Vec::new(),
        notes: Vec::new(),
    }
}

fn figures(rows: &[Rank]) -> Vec<Figure> {
    let figure = |(number, metric): (usize, &&str)| {
        let values: Vec<f64> = rows.iter().filter_map(|row| row.values[number]).collect();
        Some(Figure {
            metric: (*metric).to_owned(),
            questions: values.len(),
            sum: values.iter().sum(),
            interval: bootstrap(&[values])?,
        })
    };
    METRICS.iter().enumerate().filter_map(figure).collect()
}

//! Several runs of the same questions as one page, a column each. What they have in common, such
//! as what was asked and what could not be, is said once.

use std::fmt::Write;

use super::{cell, counted, indexed, limits, list, over, pace};
use crate::summary::{Figure, Summary};

/// The page; empty without a run.
pub fn side_by_side(runs: &[Summary]) -> String {
    let Some(first) = runs.first() else {
        return String::new();
    };
    let mut page = top(first, runs.len());
    table(&mut page, "metric", runs, metrics(runs));
    for (number, axis) in first.by.iter().enumerate() {
        let _ = writeln!(page, "## {} by {}\n", first.headline.metric, axis.name);
        table(&mut page, &axis.name, runs, values(runs, number));
    }
    indexed(&mut page, first);
    limits(&mut page, first);
    list(&mut page, "Notes", notes(runs).into_iter());
    page
}

fn top(first: &Summary, runs: usize) -> String {
    let Summary { protocol, questions, headline, mean_over, .. } = first;
    format!(
        "# {protocol}: {}, {}\n\nEach figure is the {}, with its 95 % interval; {} decides. \
         Latency: {}.\n\n",
        counted(*questions, "question"),
        counted(runs, "run"),
        over(*mean_over),
        headline.metric,
        pace(first)
    )
}

/// A row's name and a cell a run.
type Row = (String, Vec<String>);

fn metrics(runs: &[Summary]) -> Vec<Row> {
    let metric = |figure: &Figure| {
        let own = |run: &Summary| shown(run.official(), &figure.metric);
        (figure.metric.clone(), runs.iter().map(own).collect())
    };
    let time = |name: &str, of: fn(&Summary) -> f64| {
        (name.to_owned(), runs.iter().map(|run| format!("{:.1}", of(run))).collect())
    };
    let figures = runs[0].official().iter().map(metric);
    let latency =
        [time("p50 ms", |run| run.latency.p50_ms), time("p95 ms", |run| run.latency.p95_ms)];
    figures.chain(latency).collect()
}

/// The headline along one property of the questions.
fn values(runs: &[Summary], axis: usize) -> Vec<Row> {
    let headline = &runs[0].headline.metric;
    let row = |(value, figures): (&String, &Vec<Figure>)| {
        let asked = figures.iter().find(|figure| figure.metric == *headline);
        let asked = counted(asked.map_or(0, |figure| figure.questions), "question");
        let own = |run: &Summary| {
            let figures = run.by.get(axis).and_then(|axis| axis.values.get(value));
            figures.map(|figures| shown(figures, headline)).unwrap_or_default()
        };
        (format!("{value}, {asked}"), runs.iter().map(own).collect())
    };
    runs[0].by[axis].values.iter().map(row).collect()
}

fn shown(figures: &[Figure], metric: &str) -> String {
    let figure = figures.iter().find(|figure| figure.metric == metric);
    figure.map_or("–".to_owned(), cell)
}

/// Padded, so that the columns also stand under each other on a terminal.
fn table(page: &mut String, what: &str, runs: &[Summary], rows: Vec<Row>) {
    let mut lines: Vec<Vec<String>> = vec![vec![what.to_owned()]];
    lines[0].extend(names(runs));
    lines.extend(rows.into_iter().map(|(name, cells)| [vec![name], cells].concat()));
    let wide = |column: usize| lines.iter().map(|line| line[column].chars().count()).max();
    let widths: Vec<usize> = (0..=runs.len()).filter_map(wide).collect();
    let rule: Vec<String> = widths.iter().map(|width| "-".repeat(*width)).collect();
    lines.insert(1, rule);
    for line in lines {
        let padded = line.iter().zip(&widths).map(|(cell, width)| format!(" {cell:<width$} |"));
        let _ = writeln!(page, "|{}", padded.collect::<String>());
    }
    page.push('\n');
}

/// By mode, and by tool where there are several.
fn names(runs: &[Summary]) -> Vec<String> {
    let one_tool = runs.iter().all(|run| run.tool == runs[0].tool);
    let name = |run: &Summary| match one_tool {
        true => run.mode.clone(),
        false => format!("{}, {}", run.tool, run.mode),
    };
    runs.iter().map(name).collect()
}

/// Those of all runs, each once, in the order they first appear.
fn notes(runs: &[Summary]) -> Vec<String> {
    let mut notes: Vec<String> = Vec::new();
    for note in runs.iter().flat_map(|run| &run.notes) {
        if !notes.contains(note) {
            notes.push(note.clone());
        }
    }
    notes
}

//! The radar of a family of runs: which metrics are its axes, and the same figures as a table.

use crate::summary::LENGTH;

use super::chart::radar::{self, Polygon, Radar};
use super::chart::run_name;
use super::html::{Markup, Table, element};
use super::series::Series;
use super::tables::cell;

/// The name of the metric that is a number of points, not a share.
const POINTS: &str = "points";

/// The axes of the radar: each by its name or, in a protocol that cuts its lists elsewhere, by how
/// the name begins.
const WANTED: [(&str, &str); AXES] =
    [("mrr@10", "mrr@"), ("ndcg@10", "ndcg@10"), ("recall@10", "recall@10")];
const AXES: usize = 3;

/// The radar beside its figures, or why there is none.
pub fn profile(family: &[&Series]) -> Markup {
    let axes = axes(family);
    if axes.len() < AXES {
        let why = "These runs have fewer than three shares in common, too few for a radar chart.";
        return element("p", &[("class", &"note")], why);
    }
    let polygon = |one: &&Series| Polygon {
        label: one.label.clone(),
        colour: one.colour,
        shares: axes.iter().filter_map(|axis| Some(one.figure(axis)?.interval.mean)).collect(),
    };
    let drawn = radar::draw(&Radar {
        axes: axes.iter().map(|axis| (*axis).to_owned()).collect(),
        polygons: family.iter().map(polygon).collect(),
    });
    element("div", &[("class", &"beside")], [drawn, figures(family, &axes)])
}

/// Whether a metric is between nothing and all.
pub fn is_share(metric: &str) -> bool {
    metric != LENGTH && metric != POINTS
}

/// Metrics that every run has: those wanted and, where one is not measured, the next best.
fn axes<'r>(family: &[&Series<'r>]) -> Vec<&'r str> {
    let first = family.first().map_or(&[][..], |one| one.figures());
    let everywhere = |metric: &str| family.iter().all(|one| one.figure(metric).is_some());
    let names = first.iter().map(|figure| figure.metric.as_str());
    let shares: Vec<&str> = names.filter(|name| is_share(name) && everywhere(name)).collect();
    let wanted = WANTED.iter().filter_map(|(name, beginning)| {
        let by_beginning = || shares.iter().find(|share| share.starts_with(beginning));
        shares.iter().find(|share| *share == name).or_else(by_beginning)
    });
    let mut axes: Vec<&str> = Vec::new();
    for axis in wanted.chain(&shares) {
        if !axes.contains(axis) {
            axes.push(axis);
        }
    }
    axes.truncate(AXES);
    axes
}

fn figures(family: &[&Series], axes: &[&str]) -> Markup {
    let row = |one: &&Series| {
        let name = run_name(one.colour, &one.label);
        let cells = axes.iter().map(|axis| one.figure(axis).map_or("–".into(), cell));
        [name].into_iter().chain(cells).collect()
    };
    let head = ["run"].into_iter().chain(axes.iter().copied());
    Table {
        caption: "The corners of the chart, with 95 % intervals".into(),
        head: head.map(Markup::from).collect(),
        rows: family.iter().map(row).collect(),
    }
    .markup()
}

#[cfg(test)]
mod tests {
    use super::super::{samples, series};
    use super::*;
    use crate::run::Run;

    fn run(metrics: &[&str]) -> Run {
        let mut run = samples::run("lexical", &[0.5]);
        let figure = run.summary.over_questions[0].clone();
        let renamed = metrics.iter().map(|metric| {
            let mut figure = figure.clone();
            figure.metric = (*metric).to_owned();
            figure
        });
        run.summary.over_questions = renamed.collect();
        run
    }

    #[track_caller]
    fn check(runs: &[&[&str]], expected: &[&str]) {
        let runs: Vec<Run> = runs.iter().map(|metrics| run(metrics)).collect();
        let series = series::series(&runs);
        assert_eq!(axes(&series.iter().collect::<Vec<_>>()), expected);
    }

    #[test]
    fn axes_are_those_wanted_in_their_order() {
        let all = ["hit@1", "recall@10", "ndcg@10-once", "ndcg@10", "mrr@20", "mrr@10", "length"];
        check(&[&all], &["mrr@10", "ndcg@10", "recall@10"]);
    }

    #[test]
    fn others_stand_in_for_what_is_not_measured() {
        check(&[&["recall@1", "recall@10", "mrr@10"]], &["mrr@10", "recall@10", "recall@1"]);
        let evidence = ["recall@50-chunks", "mrr@50-chunks", "recall@10-files"];
        check(&[&evidence], &["mrr@50-chunks", "recall@10-files", "recall@50-chunks"]);
    }

    #[test]
    fn axes_are_common_to_all_runs_and_shares() {
        check(&[&["mrr@10", "recall@10"], &["mrr@10"]], &["mrr@10"]);
        check(&[&["points", "length", "recall@5"]], &["recall@5"]);
    }

    #[test]
    fn too_few_axes_are_explained() {
        let runs = [run(&["points", "recall@5"])];
        let series = series::series(&runs);
        let page = profile(&[&series[0]]).into_string();
        assert!(page.contains("fewer than three") && !page.contains("<svg"), "{page}");
    }
}

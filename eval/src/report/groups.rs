//! The deciding metric of a family of runs by repository, language, category.

use std::collections::BTreeMap;

use crate::question::MeanOver;
use crate::summary::Figure;

use super::chart::bars::{self, Bars, Row};
use super::chart::legend;
use super::html::{Markup, element};
use super::series::{Series, named};

/// A chart for each property of the questions; the first begins with the mean.
pub fn groups(family: &[&Series]) -> Markup {
    let mut axes: Vec<&str> = Vec::new();
    for axis in family.iter().flat_map(|one| &one.run.summary.by) {
        if !axes.contains(&axis.name.as_str()) {
            axes.push(&axis.name);
        }
    }
    if axes.is_empty() {
        let note = "All questions belong to one group; only their mean can be drawn.";
        let note = element("p", &[("class", &"note")], note);
        return [note, chart(family, "group", vec![whole(family)])].into();
    }
    let charts = axes.iter().enumerate().map(|(number, axis)| {
        let first = (number == 0).then(|| whole(family));
        chart(family, axis, first.into_iter().chain(rows(family, axis)).collect())
    });
    charts.collect()
}

fn chart(family: &[&Series], axis: &str, rows: Vec<Row>) -> Markup {
    let metric = family[0].headline().to_owned();
    let runs: Vec<(usize, String)> =
        family.iter().map(|one| (one.colour, one.label.clone())).collect();
    let by = if rows.len() > 1 { format!(" by {axis}, best first") } else { String::new() };
    let caption =
        format!("{metric}{by}, with 95 % intervals; after the name, the number of questions");
    let mut parts = vec![element("figcaption", &[], caption)];
    if runs.len() > 1 {
        parts.push(legend(runs.iter().map(|(colour, label)| (*colour, label.as_str()))));
    }
    parts.extend(bars::draw(&Bars { metric, axis: axis.to_owned(), runs, rows }));
    element("figure", &[], parts)
}

/// The published mean.
fn whole(family: &[&Series]) -> Row {
    let name = match family[0].run.summary.mean_over {
        MeanOver::Questions => "mean over questions",
        MeanOver::Groups => "mean over groups",
    };
    row(name, family.iter().map(|one| one.figure(one.headline())).collect())
}

/// The values of one property, best first.
fn rows(family: &[&Series], axis: &str) -> Vec<Row> {
    let mut values: BTreeMap<&str, Vec<Option<&Figure>>> = BTreeMap::new();
    for (number, one) in family.iter().enumerate() {
        let axes = one.run.summary.by.iter().filter(|other| other.name == axis);
        for (value, figures) in axes.flat_map(|axis| &axis.values) {
            let row = values.entry(value).or_insert_with(|| vec![None; family.len()]);
            row[number] = named(figures, one.headline());
        }
    }
    let mut rows: Vec<Row> =
        values.into_iter().map(|(value, figures)| row(value, figures)).collect();
    rows.sort_by(|a, b| mean(b).total_cmp(&mean(a)));
    rows
}

fn row(name: &str, figures: Vec<Option<&Figure>>) -> Row {
    let name = if name.is_empty() { "none" } else { name };
    let questions = figures.iter().flatten().map(|figure| figure.questions).max();
    let figures = figures.into_iter().map(|figure| Some(figure?.interval)).collect();
    Row { name: name.to_owned(), questions: questions.unwrap_or(0), figures }
}

fn mean(row: &Row) -> f64 {
    let means: Vec<f64> = row.figures.iter().flatten().map(|figure| figure.mean).collect();
    means.iter().sum::<f64>() / means.len().max(1) as f64
}

#[cfg(test)]
mod tests {
    use super::super::{samples, series};
    use super::*;

    #[test]
    fn rows_come_best_first_and_know_which_run_lacks_them() {
        let runs =
            [samples::run("lexical", &[0.0, 0.5, 1.0, 1.0]), samples::run("dense", &[0.5, 0.5])];
        let series = series::series(&runs);
        let rows = rows(&series.iter().collect::<Vec<_>>(), "repository");
        let shown: Vec<(&str, usize, Vec<Option<f64>>)> = rows
            .iter()
            .map(|row| {
                let means = row.figures.iter().map(|figure| Some((*figure)?.mean)).collect();
                (row.name.as_str(), row.questions, means)
            })
            .collect();
        let expected = [("r2", 2, vec![Some(1.0), None]), ("r1", 2, vec![Some(0.25), Some(0.5)])];
        assert_eq!(shown, expected);
    }

    #[test]
    fn one_group_still_shows_its_mean() {
        let mut run = samples::run("lexical", &[0.0, 1.0]);
        run.summary.by.clear();
        let runs = [run];
        let series = series::series(&runs);
        let page = groups(&[&series[0]]).into_string();
        assert!(page.contains(">mean over questions · 2</text>"), "{page}");
        assert!(page.contains("All questions belong to one group"), "{page}");
    }
}

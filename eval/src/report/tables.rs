//! Means with their intervals, a column a run.

use crate::stats::Interval;
use crate::summary::Figure;

use super::html::{Markup, Table, element};
use super::series::{Series, named};

/// Every metric of a family of runs, over questions and, where that differs, over groups.
pub fn summary(family: &[&Series]) -> Markup {
    let questions = |one: &Series| one.run.summary.over_questions.clone();
    let groups = |one: &Series| one.run.summary.over_groups.clone();
    let mut tables = vec![means(family, "Means over all questions", questions)];
    if family.iter().any(|one| questions(one) != groups(one)) {
        tables.push(means(family, "Means over groups, each counting alike", groups));
    }
    tables.into()
}

/// What a perfect search would reach, where that is not everything.
pub fn ceiling(family: &[&Series]) -> Markup {
    let ceiling = |one: &Series| one.run.summary.ceiling.clone();
    if family.iter().all(|one| ceiling(one).is_empty()) {
        return Markup::default();
    }
    means(family, "The ceiling: what a perfect search of these trees would reach", ceiling)
}

/// More columns than this would leave a printed page.
const COLUMNS: usize = 6;

fn means(
    family: &[&Series],
    what: &'static str,
    figures: impl Fn(&Series) -> Vec<Figure>,
) -> Markup {
    family.chunks(COLUMNS).map(|family| table(family, what, &figures)).collect()
}

fn table(
    family: &[&Series],
    what: &'static str,
    figures: &dyn Fn(&Series) -> Vec<Figure>,
) -> Markup {
    let columns: Vec<Vec<Figure>> = family.iter().map(|one| figures(one)).collect();
    let headline = family.first().map_or("", |one| one.headline());
    let row = |metric: &str| {
        let name = if metric == headline { "strong" } else { "span" };
        let cell = |figures: &Vec<Figure>| named(figures, metric).map_or("–".into(), cell);
        let cells = columns.iter().map(cell);
        [element(name, &[], metric)].into_iter().chain(cells).collect()
    };
    let head = ["metric"].into_iter().chain(family.iter().map(|one| one.label.as_str()));
    Table {
        caption: format!("{what}, with 95 % intervals; {headline} decides").into(),
        head: head.map(Markup::from).collect(),
        rows: metrics(&columns).into_iter().map(row).collect(),
    }
    .markup()
}

/// The names of all metrics, in the order they first appear.
fn metrics(columns: &[Vec<Figure>]) -> Vec<&str> {
    let mut metrics: Vec<&str> = Vec::new();
    for figure in columns.iter().flatten() {
        if !metrics.contains(&figure.metric.as_str()) {
            metrics.push(&figure.metric);
        }
    }
    metrics
}

/// A mean and its interval.
pub fn cell(figure: &Figure) -> Markup {
    let Interval { mean, low, high } = figure.interval;
    let interval = format!("{} to {}", amount(low), amount(high));
    [amount(mean).into(), " ".into(), element("small", &[], interval)].into()
}

/// Shares to the third digit; lines of text to the first.
pub fn amount(figure: f64) -> String {
    if figure < 10.0 { format!("{figure:.3}") } else { format!("{figure:.1}") }
}

#[cfg(test)]
mod tests {
    use super::super::{samples, series};
    use super::*;

    #[test]
    fn a_metric_that_a_run_lacks_is_a_dash() {
        let mut runs = [samples::run("lexical", &[0.0, 1.0]), samples::run("dense", &[0.5, 0.5])];
        runs[1].summary.over_questions.retain(|figure| figure.metric != "recall@10");
        let series = series::series(&runs);
        let page = summary(&series::families(&series)[0]).into_string();
        let row = concat!(
            "<tr><th scope=\"row\"><span>recall@10</span></th>",
            "<td>0.500 <small>0.000 to 1.000</small></td><td>–</td></tr>"
        );
        assert!(page.contains(row), "{page}");
        assert!(page.contains("<strong>mrr@10</strong>"), "{page}");
    }

    #[test]
    fn many_runs_are_spread_over_several_tables() {
        let runs = vec![samples::run("lexical", &[0.5]); COLUMNS + 1];
        let series = series::series(&runs);
        let page = summary(&series::families(&series)[0]).into_string();
        let columns: Vec<usize> = page
            .split("</table>")
            .map(|table| table.matches("<th scope=\"col\">").count())
            .collect();
        assert_eq!(columns, [COLUMNS + 1, 2, 0]);
    }

    #[test]
    fn lengths_need_fewer_digits_than_shares() {
        assert_eq!([0.12345, 1.0, 31.26].map(amount), ["0.123", "1.000", "31.3"]);
    }
}

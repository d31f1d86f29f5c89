//! How long answers took, and how far that can be trusted.

use super::chart::histogram::{self, Panel, duration};
use super::chart::shortened;
use super::html::{Markup, element};
use super::series::Series;
use crate::ours;

/// Characters of a name that leave room for the figures after it.
const LABEL: usize = 70;

/// The histogram of all runs.
pub fn latency(series: &[Series]) -> Markup {
    let panels: Vec<Panel> = series.iter().map(panel).collect();
    let caption = "Time to an answer, on a logarithmic scale; the full line is the median, the \
                   dashed one the time within which 95 % of the answers came. The number at the \
                   left is the highest block's count of questions.";
    let figure = element(
        "figure",
        &[],
        [element("figcaption", &[], caption), histogram::draw(&panels).into()],
    );
    let caveats = [
        caveat(
            series,
            |one| !one.run.summary.latency.alone,
            "asked questions side by side, so they waited for each other",
        ),
        caveat(
            series,
            |one| one.run.settings.build == "debug" && one.run.settings.tool == ours::NAME,
            "ran a debug build, whose latencies say nothing about a release",
        ),
    ];
    [figure].into_iter().chain(caveats).collect()
}

fn panel(one: &Series) -> Panel {
    let latency = &one.run.summary.latency;
    let latencies: Vec<f64> = one.run.ranks.rows.iter().map(|row| row.latency_ms).collect();
    let label = format!(
        "{}: p50 {}, p95 {}, answers: {}",
        shortened(&one.label, LABEL),
        duration(latency.p50_ms),
        duration(latency.p95_ms),
        latencies.len()
    );
    Panel { label, colour: one.colour, latencies, marks: [latency.p50_ms, latency.p95_ms] }
}

fn caveat(series: &[Series], holds: impl Fn(&Series) -> bool, why: &'static str) -> Markup {
    let labels: Vec<&str> =
        series.iter().filter(|one| holds(one)).map(|one| one.label.as_str()).collect();
    if labels.is_empty() {
        return Markup::default();
    }
    let who = if labels.len() == series.len() { "Every run".to_owned() } else { labels.join("; ") };
    element("p", &[("class", &"note")], format!("{who} {why}."))
}

#[cfg(test)]
mod tests {
    use super::super::{samples, series};
    use super::*;

    #[test]
    fn untrustworthy_latencies_are_called_so() {
        let mut runs = [samples::run("lexical", &[1.0]), samples::run("dense", &[1.0])];
        runs[1].summary.latency.alone = false;
        for run in &mut runs {
            run.settings.build = "debug".to_owned();
        }
        let page = latency(&series::series(&runs)).into_string();
        assert!(page.contains("<p class=\"note\">dense asked questions side by side"), "{page}");
        assert!(page.contains("<p class=\"note\">Every run ran a debug build"), "{page}");
        runs[0].settings.tool = "another".to_owned();
        let page = latency(&series::series(&runs)).into_string();
        assert!(page.contains("<p class=\"note\">wherein, dense ran a debug build"), "{page}");
        assert!(
            page.contains(">another, lexical: p50 1 ms, p95 2 ms, answers: 1</text>"),
            "{page}"
        );
    }
}

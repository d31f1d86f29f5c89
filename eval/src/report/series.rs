//! Runs as a page shows them: each with the shortest name that tells it from the others, and a
//! colour of its own.

use std::collections::HashSet;

use crate::run::{Run, Settings};
use crate::summary::Figure;

/// One run on the page.
#[derive(Clone, Debug)]
pub struct Series<'r> {
    /// The run.
    pub run: &'r Run,
    /// What it is called all over the page.
    pub label: String,
    /// Its place in the palette.
    pub colour: usize,
}

impl<'r> Series<'r> {
    /// The means that the benchmark publishes.
    pub fn figures(&self) -> &'r [Figure] {
        self.run.summary.official()
    }

    /// One of them.
    pub fn figure(&self, metric: &str) -> Option<&'r Figure> {
        named(self.figures(), metric)
    }

    /// The metric that decides.
    pub fn headline(&self) -> &'r str {
        &self.run.settings.headline
    }
}

/// A metric's figure.
pub fn named<'f>(figures: &'f [Figure], metric: &str) -> Option<&'f Figure> {
    figures.iter().find(|figure| figure.metric == metric)
}

/// Names and colours the runs.
pub fn series(runs: &[Run]) -> Vec<Series<'_>> {
    let named = runs.iter().zip(labels(runs)).enumerate();
    named.map(|(colour, (run, label))| Series { run, label, colour }).collect()
}

/// Runs whose figures mean the same, protocols in the order they first appear.
pub fn families<'s, 'r>(series: &'s [Series<'r>]) -> Vec<Vec<&'s Series<'r>>> {
    let kind = |series: &Series<'r>| (&series.run.settings.protocol, series.headline());
    let mut families: Vec<Vec<&Series>> = Vec::new();
    for one in series {
        match families.iter_mut().find(|family| kind(family[0]) == kind(one)) {
            Some(family) => family.push(one),
            None => families.push(vec![one]),
        }
    }
    families
}

/// Everything that was set, by name, in the order a reader asks for it.
pub fn fields(settings: &Settings) -> Vec<(&str, &str)> {
    let mut fields = what(settings);
    fields.extend(whence(settings));
    fields
}

/// What was asked and how.
fn what(settings: &Settings) -> Vec<(&str, &str)> {
    let mut fields = vec![
        ("tool", settings.tool.as_str()),
        ("mode", &settings.mode),
        ("protocol", &settings.protocol),
        ("questions", &settings.source),
        ("scope", &settings.scope),
    ];
    fields.extend(settings.options.iter().map(|(name, value)| (name.as_str(), value.as_str())));
    fields
}

/// Where and when it was asked.
fn whence(settings: &Settings) -> [(&str, &str); 4] {
    [
        ("version", &settings.version),
        ("build", &settings.build),
        ("machine", &settings.machine),
        ("date", &settings.date),
    ]
}

/// The mode and whatever else was set differently; where and when only if that leaves two alike,
/// and a number if nothing tells them apart.
fn labels(runs: &[Run]) -> Vec<String> {
    let by_what = told_apart(runs, what);
    if unique(&by_what) {
        return by_what;
    }
    let by_all = told_apart(runs, fields);
    if unique(&by_all) { by_all } else { numbered(&by_all) }
}

/// For each run its mode and those of its fields that some other run has not.
fn told_apart(runs: &[Run], fields: fn(&Settings) -> Vec<(&str, &str)>) -> Vec<String> {
    let all: Vec<Vec<(&str, &str)>> = runs.iter().map(|run| fields(&run.settings)).collect();
    let tells =
        |field: &&(&str, &str)| field.0 == "mode" || all.iter().any(|other| !other.contains(field));
    let label = |own: &Vec<(&str, &str)>| {
        let words: Vec<String> =
            own.iter().filter(tells).map(|(name, value)| word(name, value)).collect();
        words.join(", ")
    };
    all.iter().map(label).collect()
}

/// A value that does not speak for itself gets its name before it.
fn word(name: &str, value: &str) -> String {
    match name {
        "tool" | "mode" | "protocol" | "questions" | "version" | "build" | "machine" | "date" => {
            value.to_owned()
        }
        _ if value == "yes" => name.to_owned(),
        _ => format!("{name} {value}"),
    }
}

fn unique(labels: &[String]) -> bool {
    labels.iter().collect::<HashSet<_>>().len() == labels.len()
}

fn numbered(labels: &[String]) -> Vec<String> {
    labels.iter().enumerate().map(|(number, label)| format!("{}: {label}", number + 1)).collect()
}

#[cfg(test)]
mod tests {
    use super::super::samples;
    use super::*;

    type Change = fn(&mut Settings);

    #[track_caller]
    fn check(changes: &[Change], expected: &[&str]) {
        let runs: Vec<Run> = changes
            .iter()
            .map(|change| {
                let mut run = samples::run("lexical", &[]);
                change(&mut run.settings);
                run
            })
            .collect();
        let labels: Vec<String> = series(&runs).into_iter().map(|series| series.label).collect();
        assert_eq!(labels, expected);
    }

    const SAME: Change = |_| {};
    const DENSE: Change = |settings| settings.mode = "dense".to_owned();
    const DOCS: Change = |settings| settings.scope = "docs".to_owned();
    const LATER: Change = |settings| settings.date = "2026-02-01".to_owned();
    const MASKED: Change = |settings| {
        settings.options.insert("mask".to_owned(), "yes".to_owned());
    };

    #[test]
    fn a_run_alone_is_called_by_its_mode() {
        check(&[SAME], &["lexical"]);
    }

    #[test]
    fn runs_are_called_by_what_differs() {
        check(&[SAME, DENSE], &["lexical", "dense"]);
        check(&[SAME, DOCS], &["lexical, scope all", "lexical, scope docs"]);
        check(&[SAME, MASKED], &["lexical", "lexical, mask"]);
    }

    #[test]
    fn the_date_tells_runs_apart_only_if_nothing_else_does() {
        check(&[SAME, LATER], &["lexical, 2026-01-31", "lexical, 2026-02-01"]);
        check(&[DENSE, LATER], &["dense", "lexical"]);
        check(&[SAME, SAME], &["1: lexical", "2: lexical"]);
    }

    #[test]
    fn protocols_are_kept_apart_and_in_order() {
        let mut runs = ["a", "b", "a"].map(|mode| samples::run(mode, &[]));
        for run in &mut runs {
            run.settings.protocol = run.settings.mode.clone();
        }
        let series = series(&runs);
        let colours = |family: &Vec<&Series>| family.iter().map(|one| one.colour).collect();
        let families: Vec<Vec<usize>> = families(&series).iter().map(colours).collect();
        assert_eq!(families, [vec![0, 2], vec![1]]);
    }
}

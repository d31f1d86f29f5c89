//! What the figures do not cover: what was indexed, what could not be asked or found, and notes.

use super::html::{Markup, Table, heading, list};
use super::series::Series;
use super::tables::ceiling;

/// Entries of a list before the rest is only counted.
const LISTED: usize = 20;

/// Everything a reader must know beside the figures, under headings of `level`.
pub fn limits(family: &[&Series], level: usize) -> Markup {
    let notes = |one: &Series| one.run.summary.notes.clone();
    let absent = |one: &Series| {
        let absent = one.run.summary.absent.iter();
        absent.map(|absent| format!("{}: {}", absent.id, absent.path)).collect()
    };
    let not_asked = |one: &Series| {
        let left = one.run.summary.not_asked.iter();
        left.map(|left| format!("{}: {}", left.id, left.reason)).collect()
    };
    [
        indexed(family),
        ceiling(family),
        listed(family, level, "Expected, but not in the tree", absent),
        listed(family, level, "Not asked, in no figure", not_asked),
        listed(family, level, "Notes", notes),
    ]
    .into()
}

fn indexed(family: &[&Series]) -> Markup {
    let row = |one: &&Series| {
        let trees = &one.run.summary.trees;
        let files: usize = trees.iter().map(|tree| tree.files).sum();
        let chunks: u64 = trees.iter().map(|tree| tree.chunks).sum();
        let skipped: usize = trees.iter().map(|tree| tree.skipped).sum();
        let counts = [trees.len().to_string(), files.to_string(), chunks.to_string()];
        [one.label.clone()]
            .into_iter()
            .chain(counts)
            .chain([skipped.to_string()])
            .map(Markup::from)
            .collect()
    };
    Table {
        caption: "What was indexed".into(),
        head: ["run", "trees", "files", "chunks", "files skipped"].map(Markup::from).into(),
        rows: family.iter().map(row).collect(),
    }
    .markup()
}

/// A list that several runs have in common is shown once.
fn listed(
    family: &[&Series],
    level: usize,
    title: &'static str,
    lines: impl Fn(&Series) -> Vec<String>,
) -> Markup {
    let mut lists: Vec<(Vec<String>, Vec<&str>)> = Vec::new();
    for one in family {
        let lines = lines(one);
        match lists.iter_mut().find(|(known, _)| *known == lines) {
            Some((_, labels)) => labels.push(&one.label),
            None => lists.push((lines, vec![&one.label])),
        }
    }
    let told = lists.into_iter().filter(|(lines, _)| !lines.is_empty());
    told.map(|(lines, labels)| {
        let whose =
            if labels.len() == family.len() { "all runs".to_owned() } else { labels.join("; ") };
        let heading = heading(level, format!("{title} ({}; {whose})", lines.len()));
        [heading, list(lines.into_iter().map(Markup::from), LISTED)].into_iter().collect::<Markup>()
    })
    .collect()
}

#[cfg(test)]
mod tests {
    use super::super::{samples, series};
    use super::*;

    #[test]
    fn a_list_is_shown_once_for_the_runs_that_have_it() {
        let mut runs = ["a", "b", "c"].map(|mode| samples::run(mode, &[1.0]));
        runs[0].summary.notes = vec!["<one>".to_owned()];
        runs[1].summary.notes = vec!["<one>".to_owned()];
        let series = series::series(&runs);
        let page = limits(&series.iter().collect::<Vec<_>>(), 3).into_string();
        let expected = "<h3>Notes (1; a; b)</h3><ul><li>&lt;one&gt;</li></ul>";
        assert!(page.contains(expected), "{page}");
        assert_eq!(page.matches("<h3>").count(), 1);
    }
}

//! What the figures do not cover: what was indexed, what could not be asked or found, and notes.

use std::collections::HashMap;

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

/// A tool that has no index, or does not tell, has no row.
fn indexed(family: &[&Series]) -> Markup {
    let tells = |one: &&&Series| one.run.summary.trees.iter().any(|tree| tree.files > 0);
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
    let rows: Vec<_> = family.iter().filter(tells).map(row).collect();
    if rows.is_empty() {
        return Markup::default();
    }
    Table {
        caption: "What was indexed".into(),
        head: ["run", "trees", "files", "chunks", "files skipped"].map(Markup::from).into(),
        rows,
    }
    .markup()
}

/// Lines that several runs have in common are shown once.
fn listed(
    family: &[&Series],
    level: usize,
    title: &'static str,
    lines: impl Fn(&Series) -> Vec<String>,
) -> Markup {
    let mut lists: Vec<(Vec<&str>, Vec<String>)> = Vec::new();
    for (line, labels) in owners(family, lines) {
        match lists.iter_mut().find(|(known, _)| *known == labels) {
            Some((_, lines)) => lines.push(line),
            None => lists.push((labels, vec![line])),
        }
    }
    let told = lists.into_iter();
    told.map(|(labels, lines)| {
        let whose =
            if labels.len() == family.len() { "all runs".to_owned() } else { labels.join("; ") };
        let heading = heading(level, format!("{title} ({}; {whose})", lines.len()));
        [heading, list(lines.into_iter().map(Markup::from), LISTED)].into_iter().collect::<Markup>()
    })
    .collect()
}

/// Every line once, in the order they first appear, with the runs that have it.
fn owners<'s>(
    family: &[&'s Series],
    lines: impl Fn(&Series) -> Vec<String>,
) -> Vec<(String, Vec<&'s str>)> {
    let mut owners: Vec<(String, Vec<&str>)> = Vec::new();
    let mut places: HashMap<String, usize> = HashMap::new();
    for one in family {
        for line in lines(one) {
            let place = *places.entry(line.clone()).or_insert(owners.len());
            if place == owners.len() {
                owners.push((line, Vec::new()));
            }
            let labels = &mut owners[place].1;
            if labels.last() != Some(&one.label.as_str()) {
                labels.push(&one.label);
            }
        }
    }
    owners
}

#[cfg(test)]
mod tests {
    use super::super::{samples, series};
    use super::*;
    use crate::summary::Tree;

    /// Runs `a`, `b`, `c` with the notes that are the words of each.
    #[track_caller]
    fn check_notes(notes: [&str; 3], expected: &[&str]) {
        let mut runs = ["a", "b", "c"].map(|mode| samples::run(mode, &[1.0]));
        for (run, notes) in runs.iter_mut().zip(notes) {
            run.summary.notes = notes.split_whitespace().map(str::to_owned).collect();
        }
        let series = series::series(&runs);
        let page = limits(&series.iter().collect::<Vec<_>>(), 3).into_string();
        for part in expected {
            assert!(page.contains(part), "{page}");
        }
        assert_eq!(page.matches("<h3>").count(), expected.len());
    }

    #[test]
    fn a_line_is_shown_once_for_the_runs_that_have_it() {
        let both = "<h3>Notes (1; a; b)</h3><ul><li>&lt;one&gt;</li></ul>";
        check_notes(["<one>", "<one>", ""], &[both]);
        let all = "<h3>Notes (2; all runs)</h3><ul><li>one</li><li>two</li></ul>";
        let own = "<h3>Notes (1; b)</h3><ul><li>three</li></ul>";
        check_notes(["one two", "one three two", "one two"], &[all, own]);
        check_notes(["", "", ""], &[]);
    }

    #[test]
    fn only_what_was_indexed_is_listed() {
        let mut runs = ["a", "b"].map(|mode| samples::run(mode, &[1.0]));
        let tree = Tree { name: "t".to_owned(), files: 7, chunks: 9, skipped: 0 };
        runs[0].summary.trees = vec![tree.clone()];
        runs[1].summary.trees = vec![Tree { files: 0, chunks: 0, ..tree }];
        let series = series::series(&runs);
        let page = |family: &[&Series]| limits(family, 3).into_string();
        let both = page(&[&series[0], &series[1]]);
        assert!(both.contains(">a</") && !both.contains(">b</"), "{both}");
        assert_eq!(page(&[&series[1]]), "");
    }
}

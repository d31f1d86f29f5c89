//! Summaries and comparisons as Markdown that also reads well on a terminal.

mod side_by_side;

use std::fmt::Write;

use crate::compare::{Comparison, Moved};
use crate::question::MeanOver;
use crate::summary::{Axis, Figure, LENGTH, Summary};

pub use side_by_side::side_by_side;

/// One run.
pub fn summary(summary: &Summary) -> String {
    let mut page = String::new();
    let Summary { protocol, tool, mode, questions, .. } = summary;
    let _ = writeln!(page, "# {protocol}: {tool}, {mode}, {}\n", counted(*questions, "question"));
    let _ = writeln!(page, "{}\n", headline(summary));
    means(&mut page, "All questions", &summary.over_questions);
    if summary.over_questions != summary.over_groups {
        means(&mut page, "Every group counting alike", &summary.over_groups);
    }
    for axis in &summary.by {
        by(&mut page, axis, &summary.headline.metric);
    }
    latency(&mut page, summary);
    indexed(&mut page, summary);
    limits(&mut page, summary);
    list(&mut page, "Notes", summary.notes.iter().cloned());
    page
}

/// Two runs.
pub fn comparison(comparison: &Comparison) -> String {
    let mut page = String::new();
    let Comparison { a, b, paired, headline, .. } = comparison;
    let _ = writeln!(page, "# {a} → {b}, {}\n", counted(*paired, "question"));
    if let Some(decisive) = comparison.differences.iter().find(|d| d.metric == *headline) {
        let _ = writeln!(
            page,
            "{headline}: {:.4} → {:.4}, {:+.4} ({:+.4} to {:+.4}): {}.\n",
            decisive.a,
            decisive.b,
            decisive.difference.mean,
            decisive.difference.low,
            decisive.difference.high,
            decisive.verdict.words()
        );
    }
    page.push_str(
        "| metric | A | B | difference | 95 % interval | verdict |\n|---|---|---|---|---|---|\n",
    );
    for row in &comparison.differences {
        let _ = writeln!(
            page,
            "| {} | {:.4} | {:.4} | {:+.4} | {:+.4} to {:+.4} | {} |",
            row.metric,
            row.a,
            row.b,
            row.difference.mean,
            row.difference.low,
            row.difference.high,
            row.verdict.words()
        );
    }
    page.push('\n');
    let moved = comparison.moved.iter().map(move_of);
    list(&mut page, &format!("Moved most by {headline}"), moved);
    list(&mut page, "Set differently", comparison.settings.iter().cloned());
    list(&mut page, "Only in A, not compared", comparison.only_a.iter().cloned());
    list(&mut page, "Only in B, not compared", comparison.only_b.iter().cloned());
    page
}

fn move_of(moved: &Moved) -> String {
    let rank = |rank: Option<usize>| rank.map_or("none".to_owned(), |rank| rank.to_string());
    format!(
        "{} {:.3} → {:.3} (first right answer {} → {}): {}",
        moved.id,
        moved.a,
        moved.b,
        rank(moved.rank_a),
        rank(moved.rank_b),
        one_line(&moved.query)
    )
}

fn headline(summary: &Summary) -> String {
    let Figure { metric, interval, questions, .. } = &summary.headline;
    format!(
        "{metric} {:.4} (95 % interval {:.4} to {:.4}; {}, {})",
        interval.mean,
        interval.low,
        interval.high,
        over(summary.mean_over),
        counted(*questions, "question")
    )
}

fn over(mean_over: MeanOver) -> &'static str {
    match mean_over {
        MeanOver::Questions => "mean over questions",
        MeanOver::Groups => "mean over groups of the mean over their questions",
    }
}

fn means(page: &mut String, title: &str, figures: &[Figure]) {
    let _ =
        writeln!(page, "## {title}\n\n| metric | mean | 95 % interval | sum |\n|---|---|---|---|");
    for figure in figures {
        let sum =
            if figure.metric == LENGTH { String::new() } else { format!("{:.1}", figure.sum) };
        let _ = writeln!(
            page,
            "| {} | {:.4} | {:.4} to {:.4} | {sum} |",
            figure.metric, figure.interval.mean, figure.interval.low, figure.interval.high
        );
    }
    page.push('\n');
}

fn by(page: &mut String, axis: &Axis, headline: &str) {
    let _ = writeln!(
        page,
        "## By {}\n\n| {} | questions | {headline} |\n|---|---|---|",
        axis.name, axis.name
    );
    for (value, figures) in &axis.values {
        if let Some(figure) = figures.iter().find(|figure| figure.metric == headline) {
            let _ = writeln!(page, "| {value} | {} | {} |", figure.questions, cell(figure));
        }
    }
    page.push('\n');
}

fn cell(figure: &Figure) -> String {
    let interval = figure.interval;
    format!("{:.3} ({:.3} to {:.3})", interval.mean, interval.low, interval.high)
}

fn latency(page: &mut String, summary: &Summary) {
    let _ = writeln!(
        page,
        "Latency: p50 {:.1} ms, p95 {:.1} ms ({}).\n",
        summary.latency.p50_ms,
        summary.latency.p95_ms,
        pace(summary)
    );
}

fn pace(summary: &Summary) -> &'static str {
    match summary.latency.alone {
        true => "one question at a time, warmed up",
        false => "questions side by side, so they waited for each other",
    }
}

/// Nothing for a tool that has no index or does not tell: zero files would read as a failure.
fn indexed(page: &mut String, summary: &Summary) {
    let trees = &summary.trees;
    let files: usize = trees.iter().map(|tree| tree.files).sum();
    if files == 0 {
        return;
    }
    let chunks: u64 = trees.iter().map(|tree| tree.chunks).sum();
    let skipped: usize = trees.iter().map(|tree| tree.skipped).sum();
    let _ = writeln!(
        page,
        "Indexed: {} in {} as {chunks} chunks; {} skipped.\n",
        counted(files, "file"),
        counted(trees.len(), "tree"),
        counted(skipped, "file")
    );
}

/// What no search could have found, and what was not asked.
fn limits(page: &mut String, summary: &Summary) {
    if !summary.ceiling.is_empty() {
        let _ = writeln!(
            page,
            "{} not in the tree it was asked of. The ceiling:\n",
            counted(summary.absent.len(), "expected path")
        );
        for figure in &summary.ceiling {
            let _ = writeln!(
                page,
                "- {} {:.4} (sum {:.1})",
                figure.metric, figure.interval.mean, figure.sum
            );
        }
        page.push('\n');
    }
    let absent = summary.absent.iter().map(|absent| format!("{}: {}", absent.id, absent.path));
    list(page, "Not in the tree", absent);
    let not_asked = summary.not_asked.iter().map(|left| format!("{}: {}", left.id, left.reason));
    list(page, "Not asked, in no figure", not_asked);
}

fn list(page: &mut String, title: &str, lines: impl Iterator<Item = String>) {
    let lines: Vec<String> = lines.map(|line| format!("- {line}\n")).collect();
    if !lines.is_empty() {
        let _ = writeln!(page, "## {title}\n\n{}", lines.concat());
    }
}

fn counted(number: usize, noun: &str) -> String {
    format!("{number} {noun}{}", if number == 1 { "" } else { "s" })
}

fn one_line(query: &str) -> String {
    const ENOUGH: usize = 80;
    let words: Vec<&str> = query.split_whitespace().collect();
    words.join(" ").chars().take(ENOUGH).collect()
}

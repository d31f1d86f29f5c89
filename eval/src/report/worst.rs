//! The questions that went worst: what was asked, what was expected, what came instead.
//!
//! Runs of the same questions are taken together: a question is as bad as its mean over them.

use std::collections::{BTreeMap, HashMap};

use crate::question::Span;
use crate::ranks::Rank;
use crate::searcher::Hit;

use super::chart::run_name;
use super::html::{Markup, Table, element, heading, list};
use super::profile::is_share;
use super::series::Series;
use super::tables::amount;

/// Answers of a set that are shown, and the bounds of how many questions that makes: the more runs
/// answer a question, the fewer questions can be read.
const ANSWERS: usize = 60;
const QUESTIONS: (usize, usize) = (5, 15);
/// Expected places and characters of a question before the rest is left out.
const PLACES: usize = 10;
const CHARACTERS: usize = 600;

/// A question with what every run made of it.
struct Asked<'s, 'r> {
    row: &'r Rank,
    answers: Vec<(&'s Series<'r>, &'r Rank, f64)>,
}

/// The worst questions of each set in a family of runs, under headings from `level` on.
pub fn worst(family: &[&Series], level: usize) -> Markup {
    let mut sets: BTreeMap<&str, Vec<&Series>> = BTreeMap::new();
    for one in family {
        sets.entry(&one.run.settings.source).or_default().push(one);
    }
    let several = sets.len() > 1;
    let set = |(source, runs): (&str, Vec<&Series>)| match several {
        true => Markup::from([heading(level, source), of_set(&runs, level + 1)]),
        false => of_set(&runs, level),
    };
    sets.into_iter().map(set).collect()
}

fn of_set(runs: &[&Series], level: usize) -> Markup {
    let metric = runs[0].headline();
    let mut questions = asked(runs);
    let (all, nothing) = (questions.len(), questions.iter().filter(|q| q.mean() == 0.0).count());
    questions.retain(|question| !is_share(metric) || question.mean() < 1.0);
    let questions = turns(questions);
    let shown = (ANSWERS / runs.len()).clamp(QUESTIONS.0, QUESTIONS.1).min(questions.len());
    let count = format!(
        "{nothing} of {all} questions score 0 by {metric}. Shown: the worst, {shown} of them; \
         groups take turns among those equally bad."
    );
    let cards = questions.iter().take(shown).map(|question| card(question, metric, level));
    [element("p", &[], count)].into_iter().chain(cards).collect()
}

/// Every question that has a figure, in the order of the runs.
fn asked<'s, 'r>(runs: &[&'s Series<'r>]) -> Vec<Asked<'s, 'r>> {
    let mut questions: Vec<Asked> = Vec::new();
    let mut places: HashMap<&str, usize> = HashMap::new();
    for one in runs {
        for (row, figure) in one.run.ranks.column(one.headline()) {
            let place = *places.entry(&row.id).or_insert_with(|| {
                questions.push(Asked { row, answers: Vec::new() });
                questions.len() - 1
            });
            questions[place].answers.push((*one, row, figure));
        }
    }
    questions
}

impl Asked<'_, '_> {
    fn mean(&self) -> f64 {
        let sum: f64 = self.answers.iter().map(|(_, _, figure)| figure).sum();
        sum / self.answers.len().max(1) as f64
    }
}

/// Worst first. Among equals every group has its turn, lest the first repository of the alphabet
/// fill the page with its failures.
fn turns<'s, 'r>(mut questions: Vec<Asked<'s, 'r>>) -> Vec<Asked<'s, 'r>> {
    questions.sort_by(|a, b| a.mean().total_cmp(&b.mean()));
    let mut seen: HashMap<(u64, &str), usize> = HashMap::new();
    let mut turns: Vec<(usize, Asked)> = Vec::new();
    for question in questions {
        let turn = seen.entry((question.mean().to_bits(), &question.row.group)).or_default();
        turns.push((*turn, question));
        *turn += 1;
    }
    turns
        .sort_by(|(a_turn, a), (b_turn, b)| a.mean().total_cmp(&b.mean()).then(a_turn.cmp(b_turn)));
    turns.into_iter().map(|(_, question)| question).collect()
}

fn card(question: &Asked, metric: &str, level: usize) -> Markup {
    let Rank { id, group, query, expected, .. } = question.row;
    let place = |place: &String| element("code", &[], place.as_str());
    let parts = [
        heading(level, [id.as_str().into(), " ".into(), element("small", &[], group.as_str())]),
        element("pre", &[], cut(query)),
        element("p", &[("class", &"what")], "Expected"),
        list(expected.iter().map(place), PLACES),
        answers(question, metric),
    ];
    element("article", &[], parts)
}

fn answers(question: &Asked, metric: &str) -> Markup {
    let expected: Vec<Span> = question.row.expected.iter().map(|label| span(label)).collect();
    let row = |(series, rank, figure): &(&Series, &Rank, f64)| {
        let returned = rank.returned.iter().map(|label| returned(label, &expected));
        let returned: Markup = match rank.returned.is_empty() {
            true => "nothing".into(),
            false => element("ol", &[], returned.collect::<Markup>()),
        };
        let name = run_name(series.colour, &series.label);
        let first = rank.first.map_or("none".to_owned(), |first| first.to_string());
        vec![name, amount(*figure).into(), first.into(), returned]
    };
    Table {
        caption: "Returned".into(),
        head: ["run", metric, "first right", "the first few places"].map(Markup::from).into(),
        rows: question.answers.iter().map(row).collect(),
    }
    .markup()
}

/// A returned place, and whether it is near what was expected.
fn returned(label: &str, expected: &[Span]) -> Markup {
    let Span { path, lines } = span(label);
    let hit = Hit { path, lines, bytes: 0 };
    let verdict = if expected.iter().any(|span| span.touches(&hit)) {
        element("span", &[("class", &"right")], " ✓ expected")
    } else if expected.iter().any(|span| span.path == hit.path) {
        element("span", &[("class", &"near")], " expected file, other lines")
    } else {
        Markup::default()
    };
    element("li", &[], [element("code", &[], label), verdict])
}

/// Reads `path:start-end` back; anything else is a path.
fn span(label: &str) -> Span {
    let with_lines = || {
        let (path, lines) = label.rsplit_once(':')?;
        let (start, end) = lines.split_once('-')?;
        Some(Span { path: path.to_owned(), lines: Some((start.parse().ok()?, end.parse().ok()?)) })
    };
    with_lines().unwrap_or_else(|| Span::file(label))
}

fn cut(query: &str) -> String {
    let query = query.trim();
    match query.char_indices().nth(CHARACTERS) {
        Some((end, _)) => format!("{} …", query[..end].trim_end()),
        None => query.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::super::samples;
    use super::super::series::series;
    use super::*;
    use crate::run::Run;

    #[track_caller]
    fn check(runs: &[Run], expected: &[&str]) {
        let series = series(runs);
        let questions = turns(asked(&series.iter().collect::<Vec<_>>()));
        let ids: Vec<&str> = questions.iter().map(|question| question.row.id.as_str()).collect();
        assert_eq!(ids, expected);
    }

    #[test]
    fn the_worst_come_first_and_equals_take_turns_by_group() {
        // q1 and q2 are of r1, q3 and q4 of r2, q5 of r3.
        let run = samples::run("lexical", &[0.0, 0.0, 0.0, 0.5, 0.0]);
        check(&[run], &["q1", "q3", "q5", "q2", "q4"]);
    }

    #[test]
    fn a_question_is_as_bad_as_its_mean_over_the_runs() {
        let runs = [samples::run("lexical", &[0.0, 0.4]), samples::run("dense", &[1.0, 0.2])];
        check(&runs, &["q2", "q1"]);
    }

    #[test]
    fn a_question_that_one_run_was_not_asked_counts_by_the_other() {
        let runs = [samples::run("lexical", &[0.5]), samples::run("dense", &[0.5, 0.4])];
        check(&runs, &["q2", "q1"]);
    }

    fn page(runs: &[Run]) -> String {
        let series = series(runs);
        worst(&series.iter().collect::<Vec<_>>(), 3).into_string()
    }

    #[test]
    fn a_perfect_question_is_not_among_the_worst() {
        let page = page(&[samples::run("lexical", &[1.0, 0.0])]);
        assert!(
            page.contains("1 of 2 questions score 0 by mrr@10. Shown: the worst, 1 of"),
            "{page}"
        );
        assert!(page.contains("<h3>q2 ") && !page.contains("<h3>q1 "), "{page}");
    }

    #[test]
    fn more_runs_leave_fewer_questions() {
        #[track_caller]
        fn check(runs: usize, questions: usize) {
            let page = page(&vec![samples::run("lexical", &[0.0; 20]); runs]);
            assert_eq!(page.matches("<article>").count(), questions);
        }
        check(1, 15);
        check(6, 10);
        check(20, 5);
    }

    #[test]
    fn what_was_asked_and_returned_is_escaped() {
        let page = page(&[samples::run("lexical", &[0.0])]);
        assert!(page.contains("<pre>&lt;script&gt;alert(0)&lt;/script&gt;</pre>"), "{page}");
        assert!(page.contains("<code>src/&lt;b&gt;.rs:1-9</code></li>"), "{page}");
        assert!(!page.contains("<script>"), "{page}");
    }

    #[test]
    fn returned_places_are_held_against_those_expected() {
        #[track_caller]
        fn check(label: &str, expected: &str) {
            let places = [span("a.rs:10-20"), span("whole.rs"), span("odd:name")];
            let shown = returned(label, &places).into_string();
            let (_, verdict) = shown.split_once("</code>").unwrap();
            assert_eq!(verdict, format!("{expected}</li>"));
        }
        let right = "<span class=\"right\"> ✓ expected</span>";
        check("a.rs:20-30", right);
        check("whole.rs:1-2", right);
        check("odd:name", right);
        check("a.rs:21-30", "<span class=\"near\"> expected file, other lines</span>");
        check("b.rs:10-20", "");
    }

    #[test]
    fn sets_of_questions_are_kept_apart() {
        let mut runs = [samples::run("lexical", &[0.0]), samples::run("lexical", &[0.0])];
        runs[1].settings.source = "<other>.jsonl".to_owned();
        let page = page(&runs);
        assert_eq!(page.matches("<h4>q1 ").count(), 2);
        assert!(page.contains("<h3>&lt;other&gt;.jsonl</h3>"), "{page}");
    }

    #[test]
    fn long_questions_are_cut_between_characters() {
        let cut = cut(&"é".repeat(CHARACTERS + 1));
        assert_eq!(cut.chars().count(), CHARACTERS + 2);
        assert!(cut.ends_with("é …"));
    }
}

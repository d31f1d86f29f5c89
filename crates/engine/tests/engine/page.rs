//! The shape of the page: copies, neighbours, long spans further down, trimmed lines, budgets.

use std::collections::BTreeSet;

use wherein_engine::search::answer::{Answer, GAP, Hit};
use wherein_engine::search::query::{Query, Unit};

use crate::project::{Project, spans};

/// A function about parcels: a chunk of its own, and too long to be joined to another.
fn function(name: &str, seed: &str) -> String {
    let line = |n: usize| format!("    weight += {seed}_{n}(parcel)\n");
    format!("def {name}(weight):\n{}    return weight\n\n\n", (0..30).map(line).collect::<String>())
}

/// One function in two folders, another only in one of them.
fn with_copy() -> Project {
    let project = Project::empty();
    let copied = function("pack_parcel", "weigh");
    project.write("src/parcel.py", &copied);
    project.write("vendor/parcel.py", copied.replace("return weight", "return float(weight)"));
    project.write("src/letter.py", function("pack_letter", "stamp"));
    project
}

fn also_at(hit: &Hit) -> Vec<String> {
    hit.also_at.iter().map(ToString::to_string).collect()
}

fn with_copies(answer: &Answer) -> Vec<(String, Vec<String>)> {
    spans(answer).into_iter().zip(answer.hits.iter().map(also_at)).collect()
}

#[test]
fn a_copy_is_folded_into_the_better_hit_and_named() {
    let answer = with_copy().ask(&Query::new("pack parcel"));
    let expected = [
        ("src/parcel.py:1-32".to_owned(), vec!["vendor/parcel.py:1-32".to_owned()]),
        ("src/letter.py:1-32".to_owned(), vec![]),
    ];
    assert_eq!(with_copies(&answer), expected);
}

#[test]
fn a_copy_does_not_take_a_place_on_the_page() {
    let answer = with_copy().ask(&Query { limit: 2, ..Query::new("pack parcel") });
    assert_eq!(spans(&answer), ["src/parcel.py:1-32", "src/letter.py:1-32"]);
}

#[test]
fn the_same_body_under_another_name_is_another_answer() {
    let project = Project::empty();
    project.write("a.py", function("pack_parcel", "weigh"));
    project.write("b.py", function("send_parcel", "weigh"));
    let answer = project.ask(&Query::new("parcel weigh"));
    assert_eq!(answer.hits.len(), 2);
    assert!(answer.hits.iter().all(|hit| hit.also_at.is_empty()));
}

#[test]
fn files_are_folded_only_if_all_of_them_is_the_same() {
    let files = Query { unit: Unit::File, ..Query::new("pack parcel") };
    let project = with_copy();
    assert_eq!(project.ask(&files).hits.len(), 3, "a likeness is not enough");
    project.write("vendor/parcel.py", function("pack_parcel", "weigh"));
    let answer = project.ask(&files);
    assert_eq!(answer.hits.len(), 2);
    assert_eq!(also_at(&answer.hits[0]), ["vendor/parcel.py:1-32"]);
}

/// Sections of 16 lines with a blank one between, each about one thing.
fn sections(titles: &[&str]) -> String {
    let section = |title: &&str| {
        let line = |n: usize| format!("The {title} is weighed {n} times before it is sent on.\n");
        format!("# About {title}\n\n{}\n", (0..14).map(line).collect::<String>())
    };
    titles.iter().map(section).collect()
}

#[track_caller]
fn check_joined(titles: &[&str], expected: &[&str]) {
    let project = Project::empty();
    project.write("post.md", sections(titles));
    let answer = project.ask(&Query { max_per_file: 0, ..Query::new("parcel") });
    let mut found = spans(&answer);
    found.sort();
    assert_eq!(found, expected);
}

#[test]
fn neighbours_on_the_page_become_one_span_of_bounded_length() {
    check_joined(&["parcels", "parcel"], &["post.md:1-33"]);
    check_joined(&["parcels", "letters", "parcel"], &["post.md:1-16", "post.md:35-50"]);
    check_joined(&["parcels", "parcel", "one parcel"], &["post.md:1-50"]);
    check_joined(&["parcels", "parcel", "one parcel", "letters"], &["post.md:1-50"]);
}

#[test]
fn a_span_does_not_grow_beyond_its_bound() {
    let project = Project::empty();
    project.write("a.py", function("pack_parcel", "weigh") + &function("send_parcel", "stamp"));
    let mut found = spans(&project.ask(&Query::new("parcel")));
    found.sort();
    assert_eq!(found, ["a.py:1-32", "a.py:35-66"]);
}

/// Three better hits stand between them.
#[test]
fn a_neighbour_that_comes_much_later_is_a_hit_of_its_own() {
    let project = Project::empty();
    project.write("post.md", sections(&["parcels and stamps", "stamps"]));
    let query = Query::new("parcels stamps");
    assert_eq!(spans(&project.ask(&query)), ["post.md:1-33"]);
    for name in ["a.md", "b.md", "c.md"] {
        project.write(name, sections(&[&format!("parcels and stamps {name}")]));
    }
    project.refresh();
    let found = spans(&project.ask(&query));
    assert_eq!(found.len(), 5, "{found:?}");
    assert_eq!(found[4], "post.md:18-33", "{found:?}");
}

#[test]
fn what_is_joined_keeps_the_better_place_and_score() {
    let project = Project::empty();
    project.write("post.md", sections(&["parcel", "parcels"]));
    let query = Query::new("about parcel");
    let alone = project.ask(&Query { max_per_file: 1, ..query.clone() });
    let joined = project.ask(&query);
    assert_eq!(joined.hits.len(), 1);
    assert_eq!(joined.hits[0].score, alone.hits[0].score);
    assert_eq!(joined.hits[0].symbol, alone.hits[0].symbol);
    assert!(
        joined.hits[0].snippet.contains("# About parcel\n")
            && joined.hits[0].snippet.contains("# About parcels\n")
    );
}

#[test]
fn context_leaves_the_signature_and_the_lines_that_matter() {
    let project = Project::empty();
    project.write("a.py", function("pack_parcel", "weigh"));
    let answer = project.ask(&Query { context: Some(1), ..Query::new("weigh_9") });
    let hit = &answer.hits[0];
    assert_eq!(hit.shown, [(1, 1), (10, 12)]);
    let lines: Vec<&str> = hit.snippet.lines().collect();
    assert_eq!(lines[..2], ["def pack_parcel(weight):", GAP]);
    assert!(lines[3].contains("weigh_9("), "{lines:?}");
    assert_eq!((hit.start_line, hit.end_line), (1, 32), "the span stays what it is");
    let whole = project.ask(&Query { context: Some(99), ..Query::new("weigh_9") });
    assert_eq!(whole.hits[0].snippet, project.ask(&Query::new("weigh_9")).hits[0].snippet);
    assert!(whole.hits[0].shown.is_empty());
}

/// Many files about one thing.
fn many() -> Project {
    let project = Project::empty();
    for n in 0..30 {
        let name = crate::project::word(n);
        project.write(&format!("src/{name}.py"), function(&format!("pack_{name}"), &name));
    }
    project
}

/// Hits of a page and how many lines each shows.
fn lengths(answer: &Answer) -> Vec<u32> {
    answer.hits.iter().map(|hit| hit.end_line - hit.start_line + 1).collect()
}

#[test]
fn below_the_first_three_a_long_span_shows_the_lines_that_hold_most_of_the_question() {
    let answer = many().ask(&Query::new("parcel weight return"));
    let lengths = lengths(&answer);
    assert_eq!(lengths[..3], [32; 3]);
    assert!(lengths[3..].iter().all(|&lines| lines == 25), "{lengths:?}");
    for hit in &answer.hits {
        let lines = hit.snippet.lines().count() as u32;
        assert_eq!(lines, hit.end_line - hit.start_line + 1, "a hit's place is what it shows");
        assert!(hit.shown.is_empty());
        assert!(hit.best_lines.iter().all(|line| (hit.start_line..=hit.end_line).contains(line)));
    }
}

#[test]
fn where_the_question_stands_at_the_end_of_a_long_span_the_end_stays() {
    let answer = many().ask(&Query::new("return"));
    let lines = |hit: &Hit| (hit.start_line, hit.end_line);
    let lines: Vec<(u32, u32)> = answer.hits.iter().map(lines).collect();
    assert_eq!(lines[..4], [(1, 32), (1, 32), (1, 32), (8, 32)]);
}

#[test]
fn what_is_asked_for_as_a_whole_is_shown_as_a_whole() {
    let index = many();
    let whole = |query: Query| {
        let lengths = lengths(&index.ask(&query));
        assert!(lengths.len() > 3 && lengths.iter().all(|&lines| lines == 32), "{lengths:?}");
    };
    whole(Query { context: Some(99), ..Query::new("parcel weight return") });
    whole(Query { budget: Some(9000), ..Query::new("parcel weight return") });
    whole(Query::new(
        "for parcel in parcels:\n    weight += stamp(parcel)\n    y[parcel] = weight == f(parcel)",
    ));
}

#[test]
fn a_budget_is_kept_and_used_and_a_larger_one_loses_no_file() {
    let index = many();
    index.refresh();
    let mut before = BTreeSet::new();
    for budget in [50, 500, 1000, 2000, 4000] {
        let query = Query { limit: 100, budget: Some(budget), ..Query::new("parcel weight") };
        let answer = index.ask(&query);
        let used = answer.tokens.unwrap().used;
        assert_eq!(used, answer.hits.iter().map(Hit::tokens).sum::<usize>());
        assert!(used <= budget, "{used} of {budget}");
        assert!(budget < 500 || used * 100 >= budget * 95, "{used} of {budget}");
        let files: BTreeSet<String> = answer.hits.iter().map(|hit| hit.path.clone()).collect();
        assert!(files.is_superset(&before), "{budget}");
        assert!(answer.hits.is_sorted_by(|a, b| a.score >= b.score));
        before = files;
    }
    assert!(before.len() > 15, "{before:?}");
}

#[test]
fn beyond_the_bodies_a_budget_names_signatures() {
    let answer =
        many().ask(&Query { limit: 100, budget: Some(1000), ..Query::new("parcel weight") });
    let (briefs, bodies): (Vec<&Hit>, Vec<&Hit>) =
        answer.hits.iter().partition(|hit| hit.signature_only);
    assert!(!briefs.is_empty() && !bodies.is_empty());
    for hit in briefs {
        let name = hit.symbol.as_deref().unwrap();
        assert_eq!(hit.snippet, format!("def {name}(weight)"));
    }
}

#[test]
fn a_budget_too_small_for_a_place_says_so() {
    let answer = many().ask(&Query { budget: Some(3), ..Query::new("parcel") });
    assert!(answer.hits.is_empty());
    let reason = answer.nothing_because.unwrap();
    assert!(reason.contains("a budget of 3 tokens"), "{reason}");
}

#[test]
fn the_share_of_a_file_holds_within_a_budget() {
    let project = Project::empty();
    let names = ["one", "two", "three", "four", "five"];
    project.write("a.py", names.map(|name| function(&format!("pack_{name}"), name)).concat());
    let hits = |max_per_file| {
        let query = Query { limit: 100, budget: Some(9000), max_per_file, ..Query::new("parcel") };
        project.ask(&query).hits.len()
    };
    assert_eq!((hits(3), hits(2), hits(0)), (3, 2, 5));
}

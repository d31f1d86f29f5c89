//! What each option of a question does to the page.

use wherein_engine::Error;
use wherein_engine::search::query::{Query, Scope, Unit};

use crate::project::{Project, search, spans};

/// Several functions in a few files, all about one thing, each a chunk of its own and too long to be
/// joined to another.
fn crowded() -> Project {
    let project = Project::empty();
    for (path, count) in [("src/a.py", 6), ("src/b.py", 3), ("lib/c.rs", 2), ("lib/tests/d.rs", 1)]
    {
        let line = format!("    weight = {}(weight);\n", path.replace(['/', '.'], "_"));
        let function = |n: usize| {
            let body = line.repeat(27 + n);
            match path.ends_with("py") {
                true => format!("def parcel_{n}(weight):\n{body}\n\n"),
                false => format!("fn parcel_{n}(mut weight: u32) {{\n{body}}}\n\n"),
            }
        };
        project.write(path, (0..count).map(function).collect::<String>());
    }
    project.write("docs/parcels.md", "# Parcels\n\nA parcel is counted.\n");
    project.write("notes.txt", "parcel parcel parcel\n");
    project
}

fn paths(hits: &[wherein_engine::search::answer::Hit]) -> Vec<&str> {
    let mut paths: Vec<&str> = hits.iter().map(|hit| hit.path.as_str()).collect();
    paths.sort_unstable();
    paths.dedup();
    paths
}

#[track_caller]
fn check(query: Query, expected: &[&str]) {
    let answer = crowded().ask(&query);
    assert_eq!(paths(&answer.hits), expected, "{query:?}");
    assert_eq!(answer.nothing_because.is_some(), expected.is_empty());
}

fn parcel() -> Query {
    Query { limit: 100, ..Query::new("parcel") }
}

fn strings(items: &[&str]) -> Vec<String> {
    items.iter().map(|item| item.to_string()).collect()
}

const CODE: &[&str] = &["lib/c.rs", "lib/tests/d.rs", "src/a.py", "src/b.py"];

#[test]
fn scope_chooses_code_or_prose() {
    check(Query { scope: Scope::Code, ..parcel() }, CODE);
    check(Query { scope: Scope::Docs, ..parcel() }, &["docs/parcels.md", "notes.txt"]);
    let all = [&["docs/parcels.md"], CODE].concat();
    let mut all = [all, vec!["notes.txt"]].concat();
    all.sort_unstable();
    check(parcel(), &all);
}

#[test]
fn languages_choose_files() {
    let languages = |names: &[&str]| Query { languages: strings(names), ..parcel() };
    check(languages(&["python"]), &["src/a.py", "src/b.py"]);
    check(languages(&["python", "rust"]), CODE);
    check(languages(&["go"]), &[]);
}

#[test]
fn an_unknown_language_is_named() {
    let query = Query { languages: strings(&["klingon"]), ..parcel() };
    let error = search_sample(&query).unwrap_err();
    assert!(matches!(error, Error::Language(_)), "{error}");
    assert!(error.to_string().contains("klingon"), "{error}");
}

#[test]
fn path_patterns_choose_files() {
    let paths = |patterns: &[&str]| Query { paths: strings(patterns), ..parcel() };
    check(paths(&["src"]), &["src/a.py", "src/b.py"]);
    check(paths(&["*.rs"]), &["lib/c.rs", "lib/tests/d.rs"]);
    check(paths(&["*.rs", "!tests"]), &["lib/c.rs"]);
    check(paths(&["!src", "!docs", "!*.txt"]), &["lib/c.rs", "lib/tests/d.rs"]);
    check(paths(&["lib/**", "src/b.py", "!**/d.rs"]), &["lib/c.rs", "src/b.py"]);
    check(paths(&["nowhere"]), &[]);
}

#[test]
fn a_broken_pattern_is_named() {
    for pattern in ["a[", "!{a", "src/[z-a]"] {
        let query = Query { paths: strings(&[pattern]), ..parcel() };
        let error = search_sample(&query).unwrap_err();
        assert!(matches!(error, Error::Pattern { .. }), "{error}");
        assert!(error.to_string().contains(pattern.trim_start_matches('!')), "{error}");
    }
}

fn search_sample(query: &Query) -> wherein_engine::Result<wherein_engine::search::answer::Answer> {
    search(&Project::indexed().snapshot(), query)
}

#[test]
fn the_page_is_the_start_of_a_longer_page() {
    let project = crowded();
    let all = spans(&project.ask(&parcel()));
    assert!(all.len() > 8, "{all:?}");
    for limit in 1..all.len() {
        assert_eq!(spans(&project.ask(&Query { limit, ..parcel() })), all[..limit]);
    }
}

/// How many spans of each file come back.
#[track_caller]
fn check_shares(query: Query, expected: &[(&str, usize)]) {
    let hits = crowded().ask(&Query { scope: Scope::Code, ..query }).hits;
    let count = |path: &str| hits.iter().filter(|hit| hit.path == path).count();
    let counts: Vec<(&str, usize)> = CODE.iter().map(|path| (*path, count(path))).collect();
    assert_eq!(counts, expected);
}

#[test]
fn no_file_takes_more_than_its_share() {
    let shares =
        |d, c, b, a| vec![("lib/c.rs", c), ("lib/tests/d.rs", d), ("src/a.py", a), ("src/b.py", b)];
    check_shares(parcel(), &shares(1, 2, 3, 3));
    check_shares(Query { max_per_file: 1, ..parcel() }, &shares(1, 1, 1, 1));
    check_shares(Query { max_per_file: 0, ..parcel() }, &shares(1, 2, 3, 6));
    check_shares(Query { unit: Unit::File, ..parcel() }, &shares(1, 1, 1, 1));
    check_shares(Query { unit: Unit::File, max_per_file: 0, ..parcel() }, &shares(1, 1, 1, 1));
}

#[test]
fn a_hit_says_where_and_what_it_is() {
    let answer = Project::indexed().ask(&Query::new("evict_oldest"));
    let hit = &answer.hits[0];
    assert_eq!((hit.path.as_str(), hit.start_line, hit.end_line), ("src/cache.rs", 1, 6));
    assert_eq!((hit.language.as_str(), hit.kind.as_str()), ("rust", "function"));
    assert_eq!(hit.symbol.as_deref(), Some("evict_oldest"));
    assert_eq!(hit.breadcrumb, "src/cache.rs > evict_oldest");
    assert!(hit.snippet.starts_with("//! Keeps pages.\n\n/// Throws"));
    assert!(hit.snippet.ends_with('}'), "{:?}", hit.snippet);
    assert_eq!(hit.best_lines[0], 4);
}

#[test]
fn an_explanation_adds_up() {
    let project = crowded();
    let query = Query { explain: true, ..Query::new("parcel counted in src") };
    for hit in project.ask(&query).hits {
        let fields: Vec<_> =
            hit.channels.iter().filter(|(name, _)| name.starts_with("lexical.")).collect();
        assert_eq!(fields.len(), 5);
        let share: f32 = fields.iter().map(|(_, field)| field.contribution).sum();
        let score: f32 = fields.iter().map(|(_, field)| field.score).sum();
        assert!((share - 1.0).abs() < 0.01, "{}: shares add up to {share}", hit.path);
        assert!((score - hit.score).abs() < 0.01, "{}: {score} for {}", hit.path, hit.score);
        assert_eq!(hit.channels["lexical"].contribution, 1.0);
    }
    let plain = project.ask(&Query { explain: false, ..query });
    assert!(plain.hits.iter().all(|hit| hit.channels.len() == 1));
}

#[test]
fn ranks_count_from_one_and_scores_fall() {
    let hits = crowded().ask(&Query { max_per_file: 0, ..parcel() }).hits;
    for (place, hit) in hits.iter().enumerate() {
        assert_eq!(hit.channels["lexical"].rank, Some(place + 1));
    }
    assert!(hits.windows(2).all(|pair| pair[0].score >= pair[1].score));
}

#[track_caller]
fn check_nothing(project: &Project, query: Query, expected: &str) {
    let answer = project.ask(&query);
    assert_eq!(answer.hits.len(), 0, "{query:?}");
    assert_eq!(answer.nothing_because.as_deref(), Some(expected));
}

#[test]
fn an_empty_page_says_why_it_is_empty() {
    let project = Project::indexed();
    check_nothing(
        &Project::empty(),
        Query::new("x"),
        "the tree holds no text to index (0 files skipped)",
    );
    check_nothing(
        &project,
        Query { paths: strings(&["nowhere"]), ..Query::new("upload") },
        "none of the 4 indexed files is in the given scope, languages and paths",
    );
    check_nothing(
        &project,
        Query::new("zebra crossing"),
        "none of the searched files holds any of: cross, zebra",
    );
    check_nothing(&project, Query { limit: 0, ..Query::new("upload") }, "no hits were asked for");
}

#[test]
fn a_file_gone_since_the_snapshot_has_no_text_but_a_place() {
    let project = Project::indexed();
    let held = project.snapshot();
    project.remove("src/cache.rs");
    let answer = search(&held, &Query::new("evict_oldest")).unwrap();
    assert_eq!(spans(&answer), ["src/cache.rs:1-6"]);
    assert_eq!(answer.hits[0].snippet, "");
    project.write("src/cache.rs", "short now\n");
    let answer = search(&held, &Query::new("evict_oldest")).unwrap();
    assert_eq!(answer.hits[0].snippet, "short now");
}

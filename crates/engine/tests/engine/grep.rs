//! Every place that matches, over an indexed tree.

use wherein_engine::Error;
use wherein_engine::grep::{Grep, Kind, Matches, check, grep};

use crate::project::Project;

fn project() -> Project {
    let project = Project::sample();
    project.write(
        "src/more.py",
        "class Box:\n    def get(self, key):\n        return open(key, 'rb')\n",
    );
    project.write("src/plain.py", "# open the door\nname = 'open(x)'\n");
    project.write("notes.txt", "open(anything) is text\n");
    project.refresh();
    project
}

fn request(pattern: &str, kind: Kind) -> Grep {
    Grep {
        show_secrets: false,
        pattern: pattern.to_owned(),
        kind,
        ignore_case: false,
        languages: Vec::new(),
        paths: Vec::new(),
        limit: None,
    }
}

#[track_caller]
fn find(project: &Project, request: &Grep) -> Matches {
    grep(&project.snapshot(), request).unwrap()
}

#[track_caller]
fn check_places(project: &Project, request: &Grep, expected: &[&str]) {
    let found = find(project, request);
    let place = |it: &wherein_engine::grep::Match| format!("{}:{}", it.path, it.start_line);
    assert_eq!(found.hits.iter().map(place).collect::<Vec<_>>(), expected, "{}", request.pattern);
}

#[test]
fn code_is_told_from_text() {
    let project = project();
    check_places(
        &project,
        &request("open($$$)", Kind::Code),
        &["src/more.py:3", "src/upload.py:13"],
    );
    let fixed = ["notes.txt:1", "src/more.py:3", "src/plain.py:2", "src/upload.py:13"];
    check_places(&project, &request("open(", Kind::Fixed), &fixed);
    check_places(&project, &request("^# op.n", Kind::Regex), &["src/plain.py:1"]);
    let upper = Grep { ignore_case: true, ..request("OPEN THE", Kind::Fixed) };
    check_places(&project, &upper, &["src/plain.py:1"]);
}

#[test]
fn a_match_says_where_it_stands_and_what_is_bound() {
    let project = project();
    let found = find(&project, &request("open($NAME, $MODE)", Kind::Code));
    let hit = &found.hits[0];
    assert_eq!(hit.symbol.as_deref(), Some("Box.get"));
    assert_eq!((hit.kind.as_str(), hit.language.as_str()), ("method", "python"));
    assert_eq!((hit.start_column, hit.end_column), (16, 31));
    assert_eq!(hit.snippet, "        return open(key, 'rb')");
    let bound: Vec<(&str, &str, u32)> = hit
        .bindings
        .iter()
        .map(|(name, it)| (name.as_str(), it.text.as_str(), it.column))
        .collect();
    assert_eq!(bound, [("MODE", "'rb'", 26), ("NAME", "key", 21)]);
    let named = find(&project, &request(r"def (?<name>\w+)\(self", Kind::Regex));
    assert_eq!(named.hits[0].bindings["name"].text, "get");
}

#[test]
fn what_cannot_match_is_neither_parsed_nor_read() {
    let project = project();
    let found = find(&project, &request("evict_oldest($$$)", Kind::Code));
    assert_eq!((found.total, found.parsed), (0, 1), "only the file that holds the name");
    assert_eq!(found.read, 1);
    let found = find(&project, &request("no_such_name($X)", Kind::Code));
    assert_eq!((found.read, found.parsed), (0, 0));
    assert!(found.nothing_because.unwrap().contains("no code matches"));
}

#[test]
fn languages_paths_and_limits_narrow() {
    let project = project();
    let open = request("open($$$)", Kind::Code);
    let rust = Grep { languages: vec!["rust".to_owned()], ..open.clone() };
    check_places(&project, &rust, &[]);
    let paths = Grep { paths: vec!["!upload*".to_owned()], ..open.clone() };
    check_places(&project, &paths, &["src/more.py:3"]);
    let one = find(&project, &Grep { limit: Some(1), ..open });
    assert_eq!((one.hits.len(), one.total, one.files), (1, 2, 2));
}

#[test]
fn bad_patterns_are_refused_before_any_tree_is_looked_at() {
    let refused = |pattern, kind| check(&request(pattern, kind)).unwrap_err();
    assert!(matches!(refused("foo((", Kind::Code), Error::Code { .. }));
    assert!(matches!(refused("", Kind::Code), Error::Code { .. }));
    assert!(matches!(refused("a(", Kind::Regex), Error::Regex { .. }));
    assert!(matches!(refused("", Kind::Fixed), Error::Regex { .. }));
    let unknown = Grep { languages: vec!["klingon".to_owned()], ..request("f()", Kind::Code) };
    assert!(matches!(check(&unknown), Err(Error::Language(_))));
}

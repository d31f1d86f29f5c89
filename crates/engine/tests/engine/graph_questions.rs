//! Questions over the graph of one small tree.

use wherein_engine::Snapshot;
use wherein_engine::graph::ask::calls::{Direction, calls};
use wherein_engine::graph::ask::export::file_graph;
use wherein_engine::graph::ask::impact::{Change, impact};
use wherein_engine::graph::ask::listing::{Listing, definitions, list};
use wherein_engine::graph::ask::map::{MapRequest, map, outline};
use wherein_engine::graph::ask::{Subject, Target, find, namesakes, way};

use crate::project::Project;

const FILES: &[(&str, &str)] = &[
    ("lib/low.py", "def low():\n    return 1\n\n\ndef unused():\n    return 2\n"),
    ("lib/mid.py", "from lib.low import low\n\n\ndef mid():\n    return low()\n"),
    (
        "lib/top.py",
        "from lib.mid import mid\n\n\ndef top():\n    return mid()\n\n\nclass Runner:\n    def run(self):\n        return top()\n",
    ),
    ("tests/test_mid.py", "from lib.mid import mid\n\n\ndef test_mid():\n    assert mid()\n"),
];

fn snapshot() -> (Project, Snapshot) {
    let project = Project::empty();
    for (path, text) in FILES {
        project.write(path, text);
    }
    project.refresh();
    let snapshot = project.snapshot();
    (project, snapshot)
}

fn subject(snapshot: &Snapshot, name: &str) -> Subject {
    let target = match name.contains('/') {
        true => Target::Path(name.to_owned()),
        false => Target::Name(name.to_owned()),
    };
    find(snapshot, &target).unwrap()
}

fn symbols(subject: Subject) -> Vec<u32> {
    match subject {
        Subject::Symbols(symbols) => symbols,
        Subject::File(_) => Vec::new(),
    }
}

#[test]
fn symbols_are_listed_by_part_kind_and_path() {
    let (_project, snapshot) = snapshot();
    let names = |listing: Listing| {
        let found = list(&snapshot, &Listing { limit: 10, ..listing }).unwrap();
        found.symbols.into_iter().map(|it| it.name).collect::<Vec<_>>()
    };
    let query = Some("mid".to_owned());
    assert_eq!(names(Listing { query, ..Listing::default() }), ["mid", "test_mid"]);
    let kinds = vec![wherein_corpus::SymbolKind::Class];
    assert_eq!(names(Listing { kinds, ..Listing::default() }), ["Runner"]);
    let paths = vec!["tests".to_owned()];
    assert_eq!(names(Listing { paths, ..Listing::default() }), ["test_mid"]);
    let found = definitions(&snapshot, "Runner.run", 5).unwrap();
    assert_eq!((found.total, found.symbols[0].line), (1, 9));
    assert_eq!(found.symbols[0].signature, "def run(self)");
    assert_eq!(definitions(&snapshot, "nothing", 5).unwrap().total, 0);
}

#[test]
fn an_inherited_member_is_that_of_the_nearest_base() {
    let project = Project::empty();
    for (path, text) in [
        (
            "base.py",
            "class Root:\n    def route(self):\n        return 1\n\n    def name(self):\n        return 2\n",
        ),
        (
            "mid.py",
            "from base import Root\n\n\nclass Mid(Root):\n    def name(self):\n        return 3\n",
        ),
        (
            "app.py",
            "from mid import Mid\n\n\nclass App(Mid):\n    pass\n\n\nclass Loop(Loop):\n    pass\n",
        ),
        ("web.ts", "class Page { load() {} }\nclass Home extends Page {}\n"),
    ] {
        project.write(path, text);
    }
    project.refresh();
    let snapshot = project.snapshot();
    for (asked, expected) in [
        ("Root.route", "Root.route"),
        ("App.route", "Root.route"),
        ("App.name", "Mid.name"),
        ("Mid.name", "Mid.name"),
        ("Home.load", "Page.load"),
        ("Home.route", ""),
        ("Loop.route", ""),
        ("App.nothing", ""),
        ("Nobody.route", ""),
    ] {
        let found = definitions(&snapshot, asked, 10).unwrap().symbols;
        let names: Vec<&str> = found.iter().map(|it| it.name.as_str()).collect();
        assert_eq!(names.join(" "), expected, "{asked}");
    }
    let near = |name| namesakes(&snapshot, name, 5).unwrap();
    assert_eq!(near("Nobody.route"), ["Root.route"]);
    assert_eq!(near("Nobody::name").len(), 2);
    assert!(near("nothing").is_empty());
}

#[test]
fn calls_are_followed_both_ways() {
    let (_project, snapshot) = snapshot();
    let reached = |name, direction, depth| {
        let of = symbols(subject(&snapshot, name));
        let found = calls(&snapshot, &of, direction, depth, 10).unwrap();
        let named = found.reached.into_iter().map(|it| format!("{} {}", it.symbol.name, it.steps));
        named.collect::<Vec<_>>()
    };
    assert_eq!(reached("low", Direction::Callers, 1), ["mid 1"]);
    assert_eq!(
        reached("low", Direction::Callers, 9),
        ["mid 1", "top 2", "test_mid 2", "Runner.run 3"]
    );
    assert_eq!(reached("top", Direction::Callees, 2), ["mid 1", "low 2"]);
    assert!(reached("unused", Direction::Callers, 3).is_empty());
}

#[test]
fn impact_counts_steps_and_names_tests() {
    let (_project, snapshot) = snapshot();
    let of = |name| impact(&snapshot, &Change::of(&subject(&snapshot, name)), 5, 10).unwrap();
    let low = of("low");
    let files: Vec<(&str, u32)> = low.files.iter().map(|it| (it.path.as_str(), it.steps)).collect();
    assert_eq!(files, [("lib/mid.py", 1), ("lib/top.py", 2), ("tests/test_mid.py", 2)]);
    assert_eq!((low.tests[0].name.as_str(), low.tests[0].steps), ("test_mid", 2));
    assert!(low.untested.is_empty(), "{:?}", low.untested);
    assert_eq!(of("unused").untested, ["unused"]);
    assert!(low.horizon.notes.last().unwrap().contains("not seen"));
    let whole = of("lib/low.py");
    assert_eq!(whole.total_files, 3);
    let lines = Change { files: vec![(0, vec![(6, 6)])], ..Change::default() };
    assert_eq!(impact(&snapshot, &lines, 5, 10).unwrap().changed[0].name, "unused");
}

#[test]
fn two_things_are_connected_by_the_shortest_chain() {
    let (_project, snapshot) = snapshot();
    let chain = |from, to| {
        let found =
            way::way(&snapshot, &subject(&snapshot, from), &subject(&snapshot, to)).unwrap();
        (found.links.into_iter().map(|it| it.name).collect::<Vec<_>>(), found.reversed)
    };
    let names = |names: &[&str]| names.iter().map(|it| it.to_string()).collect::<Vec<_>>();
    assert_eq!(chain("top", "low"), (names(&["top", "mid", "low"]), false));
    assert_eq!(chain("low", "top"), (names(&["top", "mid", "low"]), true));
    assert_eq!(chain("unused", "top"), (Vec::new(), false));
    let files = names(&["lib/top.py", "lib/mid.py", "lib/low.py"]);
    assert_eq!(chain("lib/top.py", "lib/low.py"), (files, false));
}

#[test]
fn a_map_keeps_to_its_budget_and_draws_near_to_the_focus() {
    let (_project, snapshot) = snapshot();
    let drawn = |budget, focus: Vec<usize>| {
        let found = map(&snapshot, &MapRequest { budget, focus }).unwrap();
        assert!(found.tokens <= budget, "{} > {budget}", found.tokens);
        (found.files.into_iter().map(|it| it.path).collect::<Vec<_>>(), found.left_out)
    };
    assert_eq!(drawn(2000, Vec::new()).0[0], "lib/low.py");
    assert_eq!(drawn(2000, vec![2]).0[0], "lib/top.py");
    assert_eq!(drawn(0, Vec::new()), (Vec::new(), 4));
    let (files, left_out) = drawn(12, Vec::new());
    assert_eq!(files.len() + left_out, 4);
    let outlined = outline(&snapshot, &["lib/top.py".to_owned()]).unwrap();
    let depths: Vec<u32> = outlined[0].symbols.iter().map(|it| it.depth).collect();
    assert_eq!(depths, [0, 0, 1]);
}

#[test]
fn the_graph_of_files_holds_the_imports_between_them() {
    let (_project, snapshot) = snapshot();
    let graph = file_graph(&snapshot, &[], 0).unwrap();
    let edge = |&(from, to): &(usize, usize)| {
        format!("{} -> {}", graph.nodes[from].path, graph.nodes[to].path)
    };
    let mut edges: Vec<String> = graph.edges.iter().map(edge).collect();
    edges.sort();
    assert_eq!(
        edges,
        ["lib/mid.py -> lib/low.py", "lib/top.py -> lib/mid.py", "tests/test_mid.py -> lib/mid.py"]
    );
    assert_eq!(graph.nodes[0].path, "lib/low.py");
    assert_eq!(file_graph(&snapshot, &[], 2).unwrap().left_out, 2);
}

//! What an edit reaches that takes something away, by the tree as it was at the revision.

use wherein_engine::graph::ask::difference::{Bounds, since};
use wherein_engine::graph::ask::impact::{Impact, impact};
use wherein_engine::history::revision::then;

use crate::project::Project;

const FILES: &[(&str, &str)] = &[
    ("lib/__init__.py", "from .low import low\nfrom .low import other\n"),
    (
        "lib/low.py",
        "import json\n\n\ndef low():\n    x = 1\n    return x\n\n\ndef other():\n    return json.dumps(2)\n\n\nclass Box:\n    def open(self):\n        return low()\n\n    def shut(self):\n        return 1\n",
    ),
    ("lib/mid.py", "from lib.low import low\n\n\ndef mid():\n    return low()\n"),
    ("app.py", "import lib\n\n\ndef main():\n    return lib.other()\n"),
    ("tests/test_mid.py", "from lib.mid import mid\n\n\ndef test_mid():\n    assert mid()\n"),
];

/// A committed tree, edited, and what the edits reach.
fn reached(edit: impl Fn(&Project), paths: &[&str]) -> Impact {
    let project = Project::empty();
    FILES.iter().for_each(|(path, text)| project.write(path, text));
    project.git(&["init", "-q"]);
    project.git(&["add", "-A"]);
    project.git(&["commit", "-q", "-m", "first"]);
    edit(&project);
    project.refresh();
    let snapshot = project.snapshot();
    let paths: Vec<String> = paths.iter().map(|&path| path.to_owned()).collect();
    let then = then(&project.place, &project.settings, ("HEAD", "HEAD"), &paths).unwrap();
    let bounds = Bounds { depth: 3, limit: 50 };
    let change = since(&snapshot, &project.settings, &then, bounds).unwrap();
    impact(&snapshot, &change, bounds.depth, bounds.limit).unwrap()
}

/// What changes, what is gone, which uses are broken, which files and tests are reached.
fn told(found: &Impact) -> String {
    let lost = found.lost.as_ref();
    let names = |spots: &[wherein_engine::graph::ask::Spot]| {
        spots.iter().map(|it| it.name.clone()).collect::<Vec<_>>().join(" ")
    };
    let uses = lost.into_iter().flat_map(|it| &it.uses);
    let uses: Vec<String> = uses.map(|it| format!("{}:{}", it.path, it.line)).collect();
    let mut files: Vec<String> =
        found.files.iter().map(|it| format!("{}+{}", it.path, it.steps)).collect();
    files.sort();
    let tests: Vec<&str> = found.tests.iter().map(|it| it.name.as_str()).collect();
    format!(
        "changed {} | gone {} | broken {} | files {} | tests {}",
        names(&found.changed),
        lost.map_or(String::new(), |it| names(&it.symbols)),
        uses.join(" "),
        files.join(" "),
        tests.join(" ")
    )
}

/// Edits a file by replacing a part of it.
fn replace(path: &'static str, from: &'static str, to: &'static str) -> impl Fn(&Project) {
    let text = FILES.iter().find(|(it, _)| *it == path).unwrap().1;
    assert!(text.contains(from), "{path}: {from}");
    move |project| project.write(path, text.replace(from, to))
}

#[track_caller]
fn check(edit: impl Fn(&Project), paths: &[&str], expected: &str) {
    assert_eq!(told(&reached(edit, paths)), expected);
}

#[test]
fn a_deleted_function_reaches_what_used_it() {
    check(
        replace("lib/low.py", "def low():\n    x = 1\n    return x\n\n\n", ""),
        &["lib/low.py"],
        "changed  | gone low | broken lib/low.py:10 lib/mid.py:5 | files lib/low.py+1 lib/mid.py+1 tests/test_mid.py+2 | tests test_mid",
    );
}

#[test]
fn a_renamed_function_is_gone_under_its_old_name() {
    let found = reached(replace("lib/low.py", "def low(", "def lower("), &["lib/low.py"]);
    let lost = found.lost.as_ref().unwrap();
    assert_eq!((lost.revision.as_str(), lost.symbols[0].name.as_str()), ("HEAD", "low"));
    assert_eq!((lost.symbols[0].line, lost.symbols[0].signature.as_str()), (4, "def low()"));
    assert_eq!(found.changed[0].name, "lower");
    assert_eq!(lost.uses[1].text, "return low()");
    assert_eq!(lost.uses[1].within.as_deref(), Some("mid"));
    assert!(found.files.iter().any(|it| it.path == "tests/test_mid.py"), "{found:?}");
}

#[test]
fn a_deleted_or_moved_file_reaches_what_reached_it() {
    let expected = ["gone low other Box |", "broken app.py:5 lib/mid.py:5 |", " test_mid"];
    let gone = told(&reached(|project| project.remove("lib/low.py"), &["lib/low.py"]));
    let moved = |project: &Project| project.rename("lib/low.py", "lib/lower.py");
    let moved = told(&reached(moved, &["lib/low.py", "lib/lower.py"]));
    for told in [gone, moved] {
        for part in expected {
            assert!(told.contains(part), "{part} of {told}");
        }
        assert!(told.contains("lib/__init__.py+1"), "{told}");
    }
}

#[test]
fn a_deleted_import_reaches_what_it_bound_a_name_for() {
    check(
        replace("lib/mid.py", "from lib.low import low\n", ""),
        &["lib/mid.py"],
        "changed  | gone  | broken lib/mid.py:4 | files lib/mid.py+1 tests/test_mid.py+2 | tests test_mid",
    );
    // Handed on to others.
    check(
        replace("lib/__init__.py", "from .low import other\n", ""),
        &["lib/__init__.py"],
        "changed  | gone  | broken app.py:5 | files app.py+1 | tests ",
    );
    // From outside the tree.
    check(
        replace("lib/low.py", "import json\n", ""),
        &["lib/low.py"],
        "changed  | gone  | broken lib/low.py:9 | files app.py+2 lib/low.py+1 | tests ",
    );
}

#[test]
fn deleted_lines_change_what_they_stood_in_and_not_its_neighbours() {
    check(
        replace("lib/low.py", "    x = 1\n    return x\n", "    return x\n"),
        &["lib/low.py"],
        "changed low | gone  | broken  | files lib/low.py+1 lib/mid.py+1 tests/test_mid.py+2 | tests test_mid",
    );
    check(
        replace("lib/low.py", "    def open(self):\n        return low()\n\n", ""),
        &["lib/low.py"],
        "changed  | gone Box.open | broken  | files  | tests ",
    );
}

#[test]
fn what_came_is_told_without_a_look_at_the_revision() {
    let found = reached(|project| project.write("new.py", "def new():\n    pass\n"), &["new.py"]);
    assert_eq!(told(&found), "changed new | gone  | broken  | files  | tests ");
    assert_eq!(found.lost, None);
    let unread = reached(|project| project.write("x.bin", [0; 8]), &["x.bin", "nowhere.py"]);
    assert_eq!(told(&unread), "changed  | gone  | broken  | files  | tests ");
}

#[test]
fn other_line_ends_are_no_difference() {
    let text = FILES[2].1.replace('\n', "\r\n");
    let found = reached(move |project| project.write("lib/mid.py", &text), &["lib/mid.py"]);
    assert_eq!(told(&found), "changed  | gone  | broken  | files  | tests ");
}

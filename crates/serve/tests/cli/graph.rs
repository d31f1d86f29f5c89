//! The commands that ask the graph, through the program: text, JSON and exit codes.

use serde_json::Value;

use crate::project::{Project, keys};

fn project() -> Project {
    let project = Project::empty();
    project.write("lib/low.py", "def low():\n    return 1\n\n\ndef alone():\n    return 2\n");
    project.write(
        "lib/mid.py",
        "from lib.low import low\nfrom .gone import it\n\n\ndef mid():\n    return low()\n",
    );
    project.write(
        "tests/test_mid.py",
        "from lib.mid import mid\n\n\ndef test_mid():\n    assert mid()\n",
    );
    project
}

fn json(project: &Project, arguments: &[&str]) -> Value {
    project.wherein([arguments, &["--json"]].concat()).with_code(0).json()
}

#[test]
fn definitions_and_symbols_are_listed() {
    let project = project();
    let out = project.wherein(["def", "mid"]).with_code(0).out;
    assert_eq!(out, "lib/mid.py:5  function mid\n    def mid()\n");
    let found = json(&project, &["symbols", "mid", "--kind", "function", "--path", "tests"]);
    assert_eq!(found["symbols"][0]["name"], "test_mid");
    assert_eq!(keys(&found), ["index", "symbols", "total"]);
    project.wherein(["def", "nobody"]).with_code(1);
    let error = project.wherein(["symbols", "--kind", "gadget"]).with_code(2).err;
    assert!(error.contains("'gadget' is no kind of symbol"), "{error}");
}

#[test]
fn references_say_where_they_stop_seeing() {
    let project = project();
    let found = json(&project, &["refs", "low"]);
    assert_eq!((&found["total"], &found["uses"][0]["how"]), (&1.into(), &"import".into()));
    assert_eq!(found["uses"][0]["text"], "return low()");
    let by_line = json(&project, &["refs", "lib/low.py:1"]);
    assert_eq!(found["uses"], by_line["uses"]);
    let of_file = json(&project, &["refs", "lib/low.py"]);
    assert_eq!(of_file["importers"], serde_json::json!(["lib/mid.py"]));
    let ran = project.wherein(["refs", "alone"]).with_code(1);
    assert!(ran.err.contains("that is not to say that there is none"), "{ran:?}");
    assert!(ran.out.contains("not seen:"), "{ran:?}");
}

#[test]
fn calls_and_chains_are_followed() {
    let project = project();
    let callers = json(&project, &["callers", "low", "--depth", "3"]);
    assert_eq!(callers["reached"][1]["symbol"]["name"], "test_mid");
    assert_eq!(callers["reached"][1]["steps"], 2);
    let callees = json(&project, &["callees", "tests/test_mid.py:4"]);
    assert_eq!(callees["reached"][0]["symbol"]["name"], "mid");
    let way = project.wherein(["path", "test_mid", "low"]).with_code(0).out;
    assert!(way.starts_with("test_mid at tests/test_mid.py:4\n  uses mid at"), "{way}");
    let apart = project.wherein(["path", "alone", "mid"]).with_code(1).err;
    assert!(apart.contains("nothing that is seen connects alone and mid"), "{apart}");
    for arguments in [
        &["path", "alone", "Type.low"][..],
        &["path", "Type.low", "nobody"],
        &["refs", "Type.low"],
        &["def", "Type.low"],
        &["callers", "Type.low"],
        &["impact", "Type.low"],
    ] {
        let told = project.wherein(arguments).with_code(1).err;
        assert!(told.contains("nothing defines Type.low; there is low\n"), "{arguments:?}: {told}");
    }
    let told = project.wherein(["path", "alone", "nobody"]).with_code(1).err;
    assert!(told.contains("nothing defines nobody\n"), "{told}");
}

#[test]
fn impact_of_a_file_a_name_and_a_difference() {
    let project = project();
    let of_name = json(&project, &["impact", "low"]);
    assert_eq!((&of_name["total_files"], &of_name["total_tests"]), (&2.into(), &1.into()));
    assert_eq!(json(&project, &["impact", "lib/low.py"])["files"][0]["path"], "lib/mid.py");
    let without = project.wherein(["impact", "--diff"]).with_code(2).err;
    assert!(without.contains("git cannot tell what changed"), "{without}");
    let commit = "git init -q . && git add . && git -c user.name=n -c user.email=e commit -qm one";
    project.shell(commit).with_code(0);
    project.wherein(["impact", "--diff"]).with_code(1);
    project.write("lib/low.py", "def low():\n    return 3\n\n\ndef alone():\n    return 2\n");
    let changed = json(&project, &["impact", "--diff"]);
    assert_eq!(changed["changed"].as_array().unwrap().len(), 1);
    assert_eq!(changed["changed"][0]["name"], "low");
    project.write("lib/low.py", "def alone():\n    return 2\n");
    let told = project.wherein(["impact", "--diff"]).with_code(0).out;
    assert!(told.contains("gone since HEAD, where it stood at:\nfunction low at lib/low.py:1\n"));
    assert!(told.contains("nothing that is known now:\nlib/mid.py:6: call in mid\n"), "{told}");
    project.shell("git mv lib/mid.py lib/middle.py").with_code(0);
    project.write("lib/fresh.py", "def fresh():\n    return 1\n");
    let moved = json(&project, &["impact", "--diff", "HEAD"]);
    assert_eq!(moved["lost"]["total_symbols"], 2);
    assert_eq!(moved["tests"][0]["path"], "tests/test_mid.py");
    let changed = moved["changed"].as_array().unwrap();
    assert!(changed.iter().any(|it| it["name"] == "fresh"), "{moved}");
    assert_eq!(json(&project, &["impact", "--diff", "HEAD..."])["lost"]["revision"], "HEAD...");
    let odd = project.wherein(["impact", "--diff", "gone"]).with_code(2).err;
    assert!(odd.contains("git cannot tell what changed"), "{odd}");
    let odd = project.wherein(["impact", "--diff=--output=x"]).with_code(2).err;
    assert!(odd.contains("is no revision"), "{odd}");
}

#[test]
fn maps_outlines_and_drawings_are_made() {
    let project = project();
    let map = project.wherein(["map"]).with_code(0).out;
    assert!(map.starts_with("lib/low.py\n    1  def low()\n"), "{map}");
    let near = json(&project, &["map", "--focus", "tests/test_mid.py"]);
    assert_eq!(near["files"].as_array().unwrap().len(), 3);
    let outline = project.wherein(["outline", "lib/*.py"]).with_code(0).out;
    assert!(outline.contains("lib/mid.py\n    5  def mid()\n"), "{outline}");
    project.wherein(["outline", "none/*.py"]).with_code(1);
    let dot = project.wherein(["graph"]).with_code(0).out;
    assert!(dot.starts_with("digraph") && dot.contains("n1 -> n0;"), "{dot}");
    let svg = project.wherein(["graph", "--format", "svg"]).with_code(0).out;
    assert!(svg.starts_with("<svg") && svg.ends_with("</svg>\n"), "{svg}");
    assert_eq!(json(&project, &["graph"])["edges"].as_array().unwrap().len(), 2);
}

#[test]
fn imports_that_lead_nowhere_are_listed_with_reasons() {
    let project = project();
    let out = project.wherein(["graph", "--unresolved"]).with_code(0).out;
    assert!(out.starts_with("2 of 3 imports inside the tree lead to a file (66.7 %)"), "{out}");
    assert!(out.contains("not found in the tree:\n  lib/mid.py:2: .gone\n"), "{out}");
}

#[test]
fn an_empty_tree_has_nothing_to_show() {
    let project = Project::empty();
    for command in [&["symbols"][..], &["map"], &["graph"], &["def", "x"], &["refs", "x"]] {
        project.wherein(command.iter().copied()).with_code(1);
    }
}

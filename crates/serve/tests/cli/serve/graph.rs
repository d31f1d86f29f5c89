//! What the addresses of the graph answer.

use super::served::Served;
use crate::project::Project;

fn served() -> (Project, Served) {
    let project = Project::empty();
    project.write("lib/low.py", "def low():\n    return 1\n\n\ndef alone():\n    return 2\n");
    project
        .write("lib/mid.py", "from lib.low import low\n\n\ndef mid():\n    return low() + low()\n");
    project.write(
        "tests/test_mid.py",
        "from lib.mid import mid\n\n\ndef test_mid():\n    assert mid()\n",
    );
    let served = Served::start(&project);
    (project, served)
}

#[test]
fn symbols_are_listed_page_by_page() {
    let (_project, served) = served();
    let all = served.get("/api/symbols").well();
    assert_eq!(
        (&all["total"], &all["more"], &all["offset"]),
        (&4.into(), &false.into(), &0.into())
    );
    let first = served.get("/api/symbols?limit=3").well();
    let second = served.get("/api/symbols?limit=3&offset=3").well();
    assert_eq!((&first["more"], &second["more"]), (&true.into(), &false.into()));
    let pages = [first["symbols"].as_array().unwrap(), second["symbols"].as_array().unwrap()];
    let joined: Vec<_> = pages.into_iter().flatten().cloned().collect();
    assert_eq!(&joined, all["symbols"].as_array().unwrap());
    let named = served.get("/api/symbols?query=mid&kinds=function&paths=lib").well();
    assert_eq!(named["symbols"][0]["name"], "mid");
}

#[test]
fn references_and_impact_are_those_of_the_commands() {
    let (project, served) = served();
    let by_name = served.get("/api/refs?name=low").well();
    let by_line = served.get("/api/refs?path=lib/low.py&line=1").well();
    assert_eq!(by_name["uses"], by_line["uses"]);
    let command = project.wherein(["refs", "low", "--json"]).with_code(0).json();
    assert_eq!(by_name["uses"], command["uses"]);
    let of_file = served.get("/api/refs?path=lib/low.py").well();
    assert_eq!(of_file["importers"][0], "lib/mid.py");
    let impact = served.get("/api/impact?name=low&depth=5").well();
    assert_eq!(impact["tests"][0]["name"], "test_mid");
    assert_eq!(
        served.get("/api/impact?name=low&offset=500").well()["files"],
        serde_json::json!([])
    );
    assert_eq!(served.get("/api/refs?name=alone").well()["total"], 0);
}

#[test]
fn the_graph_is_drawn_whole_or_around_a_file() {
    let (_project, served) = served();
    let whole = served.get("/api/graph").well();
    assert_eq!(
        (whole["nodes"].as_array().unwrap().len(), whole["edges"].as_array().unwrap().len()),
        (3, 2)
    );
    let near = served.get("/api/graph?path=lib/low.py").well();
    let paths: Vec<&str> =
        near["nodes"].as_array().unwrap().iter().map(|it| it["path"].as_str().unwrap()).collect();
    assert_eq!(paths, ["lib/low.py", "lib/mid.py"]);
    let far = served.get("/api/graph?path=lib/low.py&depth=2&limit=2").well();
    assert_eq!(far["left_out"], 1);
}

#[test]
fn mistakes_about_the_graph_are_told() {
    let (_project, served) = served();
    let check = |path: &str, status, code| served.get(path).refused(status, code);
    check("/api/refs", 422, "no_target");
    check("/api/refs?name=a&path=b", 422, "no_target");
    check("/api/refs?path=lib/low.py&line=0", 422, "out_of_bounds");
    check("/api/refs?path=lib/low.py&line=3", 404, "no_text");
    check("/api/refs?path=nowhere.py", 404, "file_unknown");
    check("/api/refs?name=nobody", 404, "name_unknown");
    check("/api/impact?name=Type.low", 404, "name_unknown");
    check("/api/symbols?kinds=gadget", 422, "unknown_kind");
    check("/api/symbols?limit=0", 422, "out_of_bounds");
    check("/api/symbols?paths=a[", 422, "bad_pattern");
    check("/api/impact?name=low&depth=21", 422, "out_of_bounds");
    check("/api/graph?path=nowhere.py", 404, "file_unknown");
    check("/api/graph?limit=x", 400, "malformed");
}

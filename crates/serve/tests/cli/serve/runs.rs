//! Evaluation runs as the dashboard reads them.

use super::served::Served;
use crate::project::Project;

/// Three documented functions, evaluated twice.
fn evaluated() -> Project {
    let project = Project::empty();
    for (name, said) in [
        ("evict", "Throws the oldest page out of the cache."),
        ("retry", "Sends a failed upload once more after a pause."),
        ("blend", "Mixes two colours into one by their weights."),
    ] {
        project.write(
            &format!("src/{name}.py"),
            format!("def {name}(x):\n    \"\"\"{said}\"\"\"\n    return x\n"),
        );
    }
    for folder in ["../runs/first", "../runs/deep/second"] {
        project
            .wherein(["eval", "self", ".", "--mode", "lexical", "--no-rivals", "--out", folder])
            .with_code(0);
    }
    project
}

#[test]
fn stored_runs_are_listed_shown_and_compared() {
    let project = evaluated();
    let runs = project.root().join("../runs");
    let served = Served::with(&project, &["--runs", runs.to_str().unwrap()], &[]);
    let listed = served.get("/api/eval/runs").well();
    assert_eq!(listed["total"], 2, "{listed}");
    let ids: Vec<&str> =
        listed["runs"].as_array().unwrap().iter().map(|run| run["id"].as_str().unwrap()).collect();
    assert!(ids.contains(&"first") && ids.contains(&"deep~second"), "{ids:?}");
    let run = served.get("/api/eval/runs/deep~second").well();
    assert_eq!([&run["settings"]["protocol"], &run["settings"]["mode"]], ["self", "lexical"]);
    assert!(run["summary"]["headline"]["mean"].is_number(), "{run}");
    let compared = served.get("/api/eval/compare?a=first&b=deep~second").well();
    assert_eq!(compared["differences"][0]["verdict"], "same", "{compared}");
    let page = served.get("/api/eval/runs?limit=1&offset=1").well();
    assert_eq!((page["runs"].as_array().unwrap().len(), &page["total"]), (1, &2.into()));
    served.get("/api/eval/compare?a=first&b=none").refused(404, "run_unknown");
    for odd in ["..", "..%2Ffirst", "deep", "deep%2Fsecond", "~first"] {
        assert_eq!(served.get(&format!("/api/eval/runs/{odd}")).status, 404, "{odd}");
    }
}

#[test]
fn a_tree_without_runs_has_an_empty_list_and_a_broken_run_is_named() {
    let project = Project::sample();
    let served = Served::start(&project);
    assert_eq!(served.get("/api/eval/runs").well()["total"], 0);
    project.write("runs/broken/run.json", "{");
    let listed = served.get("/api/eval/runs").well();
    assert!(listed["unreadable"][0].as_str().unwrap().contains("broken"), "{listed}");
    served.get("/api/eval/runs/broken").refused(422, "run_unreadable");
}

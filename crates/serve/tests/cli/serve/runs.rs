//! Evaluation runs as the dashboard reads them.

use super::served::Served;
use crate::project::Project;

/// Three documented functions.
fn documented() -> Project {
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
    project
}

/// The same, with two runs.
fn evaluated(folders: [&str; 2]) -> Project {
    let project = documented();
    for folder in folders {
        project
            .wherein(["eval", "self", ".", "--mode", "lexical", "--no-rivals", "--out", folder])
            .with_code(0);
    }
    project
}

/// Its questions would be found in it, and the next run be about another tree.
#[test]
fn a_run_inside_the_tree_is_no_part_of_it() {
    let project = evaluated(["runs/before", "runs/after"]);
    let ran = project.wherein(["grep", "--fixed", "oldest page"]).with_code(0);
    assert!(ran.out.contains("src/evict.py") && !ran.out.contains("runs/"), "{ran:?}");
}

/// A run written to the top of the tree hides no file but its own, and leaves the owner's rules as they are.
#[test]
fn a_run_among_other_files_hides_itself_alone() {
    let project = evaluated([".", "."]);
    let ran = project.wherein(["grep", "--fixed", "oldest page"]).with_code(0);
    assert!(ran.out.contains("src/evict.py") && !ran.out.contains("ranks.csv"), "{ran:?}");
    let rules = project.root().join(".whereinignore");
    std::fs::write(&rules, "build/\n").unwrap();
    project
        .wherein(["eval", "self", ".", "--mode", "lexical", "--no-rivals", "--out", "."])
        .with_code(0);
    assert_eq!(std::fs::read_to_string(&rules).unwrap(), "build/\n");
}

#[test]
fn stored_runs_are_listed_shown_and_compared() {
    let project = evaluated(["../runs/first", "../runs/deep/second"]);
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

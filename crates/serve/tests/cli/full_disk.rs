//! A disk with no room left, played by a limit on the size of files: what is indexed stays of use.

use crate::project::{Project, Ran, files_under, paths};

/// Every step of an index outgrows some limit: parses first, then the full text, then the manifest.
const LIMITS: [u32; 7] = [0, 1, 2, 4, 8, 16, 32];

/// A tree whose index outgrows every one of [`LIMITS`].
fn project() -> Project {
    let project = Project::empty();
    for n in 0..300 {
        project
            .write(&format!("f{n}.py"), format!("def parcel_{n}(weight_{n}):\n    return {n}\n"));
    }
    project
}

/// Runs the program where no file may become longer than `blocks`.
fn run_short_of_space(project: &Project, blocks: u32, arguments: &str) -> Ran {
    // Messages pass through pipes, which have no size.
    project.shell(&format!("trap '' XFSZ; ulimit -f {blocks}; exec \"$WHEREIN\" {arguments}"))
}

#[test]
fn an_index_that_does_not_fit_is_an_error_that_names_it() {
    let project = project();
    for blocks in LIMITS {
        let cache = project.cache();
        run_short_of_space(&project, blocks, "index").fails_naming(&[
            "cannot write the index at",
            cache.to_str().unwrap(),
            "File too large",
        ]);
        let ran = run_short_of_space(&project, blocks, "parcel_7");
        ran.fails_naming(&["cannot write the index at", "File too large"]);
        assert_eq!(ran.err.matches("File too large").count(), 1, "said once: {ran:?}");
    }
    assert_eq!(paths(&project.ask(&["parcel_7", "-k1"])), ["f7.py"]);
}

/// All content is known here, so that the full text is the first thing that does not fit.
#[test]
fn the_last_index_still_answers_and_says_that_it_is_the_last() {
    let project = project();
    project.wherein(["index"]).with_code(0);
    project.write("wherein.toml", "max_file_size = 500000\n");
    for blocks in LIMITS {
        run_short_of_space(&project, blocks, "index")
            .fails_naming(&["cannot write the index at", "File too large"]);
        let ran = run_short_of_space(&project, blocks, "--json parcel_7 -k1").with_code(0);
        assert_eq!(paths(&ran.json()), ["f7.py"]);
        assert_eq!(ran.json()["index"]["complete"], false);
        assert!(ran.err.starts_with("wherein: answering from the last index: "), "{ran:?}");
        let ran = run_short_of_space(&project, blocks, "parcel_7 --format pretty").with_code(0);
        assert!(ran.out.ends_with(", index not up to date\n"), "{ran:?}");
    }
}

#[test]
fn a_changed_tree_is_answered_from_the_last_index() {
    let project = project();
    project.wherein(["index"]).with_code(0);
    for n in 0..300 {
        project.write(&format!("f{n}.py"), format!("def letter_{n}(stamp_{n}):\n    return {n}\n"));
    }
    let ran = run_short_of_space(&project, 4, "--json parcel_7 -k1").with_code(0);
    assert_eq!(
        (paths(&ran.json()), &ran.json()["index"]["complete"]),
        (vec!["f7.py"], &false.into())
    );
    let input = "printf '{\"id\":1,\"query\":\"parcel_7\"}' > ../q";
    project.shell(input).with_code(0);
    let ran = run_short_of_space(&project, 4, "--batch ../q").with_code(0);
    assert!(ran.err.starts_with("wherein: answering from the last index: "), "{ran:?}");
}

#[test]
fn once_there_is_room_again_all_is_well_and_tidy() {
    let project = project();
    project.wherein(["index"]).with_code(0);
    let files = files_under(&project.cache()).len();
    project.write("wherein.toml", "max_file_size = 500000\n");
    for blocks in LIMITS {
        run_short_of_space(&project, blocks, "index");
    }
    let answer = project.ask(&["parcel_7", "-k1"]);
    assert_eq!((paths(&answer), &answer["index"]["complete"]), (vec!["f7.py"], &true.into()));
    assert_eq!(files_under(&project.cache()).len(), files + 1, "a pack for the settings file");
}

/// The full text is there already; it is the vectors that do not fit.
#[test]
fn vectors_that_do_not_fit_cost_meaning_only() {
    let project = project();
    // Until no file is so young that the next run would look again.
    while project.wherein(["index", "--no-vectors", "--json"]).with_code(0).json()["read"] != 0 {
        std::thread::sleep(std::time::Duration::from_millis(50));
    }
    for blocks in [0, 4, 32] {
        let ran = run_short_of_space(&project, blocks, "index").with_code(2);
        let told = ["searched by words only", "cannot write the index at", "File too large"];
        assert!(told.iter().all(|part| ran.err.contains(part)), "{ran:?}");
        assert!(ran.out.contains(": 300 files"), "{ran:?}");
        let ran = run_short_of_space(&project, blocks, "--json parcel_7 -k1").with_code(0);
        assert_eq!((paths(&ran.json()), ran.err.as_str()), (vec!["f7.py"], ""));
    }
    let done = project.wherein(["index", "--json"]).with_code(0).json();
    assert_eq!(done["meaning"]["with_vectors"], 300);
    let vectors: Vec<_> = files_under(&project.cache())
        .into_iter()
        .filter(|path| path.parent().is_some_and(|folder| folder.ends_with("vectors")))
        .collect();
    assert_eq!(vectors.len(), 4, "list, lock, a segment and its clusters: {vectors:?}");
}

//! Unsaved text is searched as if it were saved, and nothing of it is stored.

use std::sync::Arc;

use wherein_engine::Error;
use wherein_engine::index::overlay::Overlay;
use wherein_engine::search::query::Query;

use crate::encoders::Fake;
use crate::project::{Project, files_under, search};

fn overlay(files: &[(&str, Option<&str>)]) -> Overlay {
    files.iter().map(|(path, text)| ((*path).to_owned(), text.map(str::to_owned))).collect()
}

/// Where words lead under an overlay, each path once, and the first line of the first snippet.
#[track_caller]
fn check(files: &[(&str, Option<&str>)], words: &str, paths: &[&str], first: &str) {
    let project = Project::indexed();
    let stored = || {
        let files = files_under(project.place.folder.parent().unwrap());
        files.into_iter().map(|path| (std::fs::read(&path).unwrap(), path)).collect::<Vec<_>>()
    };
    let before = stored();
    let published = Arc::new(project.snapshot());
    let view = published.overlaid(&project.settings, &overlay(files)).unwrap();
    let without = vec!["symbols".to_owned()];
    let answer = search(&view, &Query { without, ..Query::new(words) }).unwrap();
    let mut found: Vec<&str> = answer.hits.iter().map(|hit| hit.path.as_str()).collect();
    found.dedup();
    assert_eq!(found, paths);
    let snippet = answer.hits.first().map_or("", |hit| hit.snippet.lines().next().unwrap());
    assert_eq!(snippet, first);
    assert_eq!(stored(), before, "the stored index was touched");
}

#[test]
fn what_is_typed_is_found_and_what_it_replaced_is_not() {
    let typed = ("src/cache.rs", Some("pub fn zebra() {}\n"));
    check(&[typed], "zebra", &["src/cache.rs"], "pub fn zebra() {}");
    check(&[typed], "evict_oldest", &[], "");
    let others = ["src/upload.py", "docs/guide.md"];
    check(&[typed], "retry_upload", &others, "\"\"\"Sends files.\"\"\"");
    check(&[typed], "\"pub fn zebra()\"", &["src/cache.rs"], "pub fn zebra() {}");
}

#[test]
fn files_that_are_new_or_deleted_count() {
    let new = ("src/zebra.go", Some("package zebra\n"));
    check(&[new], "zebra", &["src/zebra.go"], "package zebra");
    check(&[new], "path:src/zebra.go zebra", &["src/zebra.go"], "package zebra");
    check(&[("src/cache.rs", None)], "evict_oldest", &[], "");
    check(&[("src/cache.rs", Some(""))], "evict_oldest", &[], "");
}

#[test]
fn meaning_is_searched_too_and_its_vectors_are_not_kept() {
    let (project, fake) = (Project::indexed(), Fake::new("words", 64));
    fake.catch_up(&project);
    let published = Arc::new(project.snapshot());
    let typed = overlay(&[("src/zebra.py", Some("def stripes_of_a_zebra():\n    return 2\n"))]);
    let view = published.overlaid(&project.settings, &typed).unwrap();
    let query = Query::new("stripes of a zebra");
    let answer = wherein_engine::search(&view, &fake.meaning(), &query).unwrap();
    assert_eq!(answer.hits[0].path, "src/zebra.py");
    project.write("src/other.py", "def unlike(): pass\n");
    // The id that the unsaved file had is given to this one.
    let encoded = fake.asked().len();
    assert!(encoded > 0);
    assert_eq!(
        fake.catch_up(&project).0,
        1,
        "the vector of the unsaved file was taken for its own"
    );
}

#[test]
fn a_path_outside_the_tree_is_refused() {
    let project = Project::indexed();
    let published = Arc::new(project.snapshot());
    for path in ["../x.py", "/etc/x.py", "", "src/", "src/../../x.py"] {
        let view = published.overlaid(&project.settings, &overlay(&[(path, Some("x"))]));
        assert!(matches!(view, Err(Error::Unknown { .. })), "{path}");
    }
}

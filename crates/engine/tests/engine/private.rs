//! What a tree holds is its owner's, and so is its index.
#![cfg(unix)]

use std::fs;
use std::os::unix::fs::PermissionsExt;

use crate::encoders::Fake;
use crate::project::{Project, files_under};

#[test]
fn nobody_else_may_read_an_index() {
    let (project, fake) = (Project::indexed(), Fake::new("words", 64));
    fake.catch_up(&project);
    project.snapshot().symbols().unwrap();
    let base = project.place.store.folder();
    let mode = |path: &std::path::Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
    let files = files_under(&base);
    assert!(files.len() > 8);
    for file in files {
        assert_eq!(mode(&file), 0o600, "{}", file.display());
        for folder in file.ancestors().skip(1).take_while(|it| it.starts_with(&base)) {
            assert_eq!(mode(folder), 0o700, "{}", folder.display());
        }
    }
}

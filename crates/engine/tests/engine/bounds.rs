//! Settings decide what is indexed, and many small refreshes leave a small index.

use std::collections::HashSet;

use wherein_corpus::Skip;
use wherein_engine::{Settings, Work};

use crate::project::{Project, SAMPLE, files_under, word};

#[test]
fn another_size_limit_rebuilds() {
    let mut project = Project::indexed();
    project.settings.walk.max_file_size = 200;
    let work = project.refresh();
    assert_eq!((work.indexed, work.parsed), (3, 0), "known parses are used again");
    assert_eq!(work.rebuilt.as_deref(), Some("the settings or the program changed"));
    assert_eq!(project.find("retry_upload"), ["docs/guide.md"]);
    let skipped = project.snapshot().manifest.skipped;
    let too_large = |path: &str| {
        skipped.iter().any(|s| s.path == path && matches!(s.reason, Skip::TooLarge(_)))
    };
    assert!(too_large("src/upload.py"), "{skipped:?}");
    project.settings = Settings::default();
    assert_eq!(project.refresh().indexed, SAMPLE.len());
    assert_eq!(project.refresh(), Work::default());
}

#[test]
fn another_language_for_an_extension_rebuilds() {
    let mut project = Project::indexed();
    project.settings.walk.overrides.set("js", "typescript").unwrap();
    let work = project.refresh();
    assert_eq!((work.indexed, work.parsed), (SAMPLE.len(), 1));
    assert!(work.rebuilt.is_some());
    assert_eq!(project.snapshot().file_at("web/session.js").unwrap().language, "typescript");
}

#[test]
fn another_chunk_size_rebuilds_and_parses_anew() {
    let mut project = Project::indexed();
    project.settings.chunk.limit = 100;
    let work = project.refresh();
    assert_eq!((work.parsed, work.rebuilt.is_some()), (SAMPLE.len(), true));
}

#[test]
fn many_small_edits_leave_few_packs_and_segments() {
    let project = Project::indexed();
    for round in 0..60 {
        let file = format!("src/file{}.py", round % 30);
        project.write(&file, format!("def {}():\n    return {round}\n", word(round)));
        project.refresh();
        let manifest = project.snapshot().manifest;
        let segments: HashSet<&str> =
            manifest.seals.iter().filter_map(|seal| seal.name.split('.').next()).collect();
        assert!(manifest.packs.len() <= 13, "{} packs", manifest.packs.len());
        assert!(segments.len() <= 16, "{} segments", segments.len());
        assert_eq!(files_under(&project.place.segments()).len(), manifest.seals.len());
    }
    assert_eq!(project.find(&word(29)), [""; 0], "edited since");
    assert_eq!(project.find(&word(30)), ["src/file0.py"]);
    assert_eq!(project.find(&word(59)), ["src/file29.py"]);
}

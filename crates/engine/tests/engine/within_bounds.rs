//! A refresh that has no time, and one that has little memory.

use wherein_engine::index::fresh;
use wherein_engine::search::query::Query;
use wherein_engine::{Bounds, Work, refresh_within};

use crate::project::{Project, search, word};

/// More files than are read between two looks at the time.
const MANY: usize = 1200;

fn crowd() -> Project {
    let project = Project::empty();
    fill(&project, 0);
    project.settle();
    project.refresh();
    project
}

fn fill(project: &Project, from: usize) {
    for n in 0..MANY {
        project.write(&format!("src/f{n:04}.py"), format!("def {}(): pass\n", word(from + n)));
    }
}

fn refresh_hastily(project: &Project) -> Work {
    let bounds = Bounds { go_on: Some(&|| false), ..Bounds::default() };
    refresh_within(&project.place, &project.settings, &|_, _| {}, bounds).unwrap()
}

#[test]
fn without_time_the_rest_is_counted_and_read_by_the_next() {
    let project = crowd();
    fill(&project, 10_000);
    project.write("src/zebra.py", "def zebra(): pass\n");
    project.remove("src/f0001.py");
    project.settle();
    let mut behind = MANY;
    let mut rounds = 0;
    while behind > 0 {
        let work = refresh_hastily(&project);
        assert!(work.behind < behind, "{} after {behind}", work.behind);
        behind = work.behind;
        rounds += 1;
        let snapshot = project.snapshot();
        assert_eq!(fresh::is_fresh(&project.place.root, &snapshot.manifest), behind == 0);
        let answer = search(&snapshot, &Query::new(word(10_000))).unwrap();
        assert_eq!(answer.hits[0].path, "src/f0000.py", "what was read first");
        assert_eq!(answer.index.stale_files as usize, behind);
        assert_eq!(answer.index.complete, behind == 0);
        let files = MANY - 1 + usize::from(behind == 0);
        assert_eq!(answer.index.files, files, "a new file is missing until it is read");
        assert!(search(&snapshot, &Query::new(word(1))).unwrap().hits.is_empty(), "what is gone");
    }
    assert_eq!(rounds, 3);
    assert_eq!(project.find("zebra"), ["src/zebra.py"]);
    assert_eq!(project.find(&word(10_000 + MANY - 1)), [format!("src/f{:04}.py", MANY - 1)]);
    assert_eq!(project.find(&word(MANY - 1)), [""; 0]);
}

#[test]
fn a_tree_without_an_index_is_indexed_whole() {
    let project = Project::empty();
    fill(&project, 0);
    assert_eq!(refresh_hastily(&project).behind, 0);
    assert_eq!(project.snapshot().manifest.files.len(), MANY);
}

/// Portions are published one by one; a reader may come at any time.
#[test]
fn with_little_memory_a_tree_is_published_in_portions_and_comes_out_the_same() {
    let project = Project::empty();
    for n in 0..2500 {
        project.write(&format!("d{}/f{n:04}.py", n % 7), format!("def {}(): pass\n", word(n)));
    }
    project.settle();
    let bounds = Bounds { memory: 0, ..Bounds::default() };
    let seen = std::sync::Mutex::new(Vec::new());
    let look = |done: usize, _| {
        if done.is_multiple_of(500)
            && let Ok(snapshot) = wherein_engine::Snapshot::open(&project.place)
        {
            seen.lock().unwrap().push((snapshot.manifest.files.len(), snapshot.manifest.behind));
        }
    };
    let work = refresh_within(&project.place, &project.settings, &look, bounds).unwrap();
    assert_eq!((work.indexed, work.behind), (2500, 0));
    let seen = seen.into_inner().unwrap();
    assert!(seen.iter().all(|&(files, behind)| files + behind as usize == 2500), "{seen:?}");
    assert!(!seen.is_empty(), "nothing was published before the end");
    let other = project.elsewhere();
    other.refresh();
    for n in [0, 1000, 2499] {
        assert_eq!(project.find(&word(n)), other.find(&word(n)));
    }
    assert!(project.snapshot().links().is_ok());
}

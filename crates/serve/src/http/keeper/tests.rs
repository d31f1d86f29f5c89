//! Whom a look at the tree may answer, shown on looks that take as long as the test wants.

use std::io;
use std::sync::Condvar;

use wherein_corpus::{Walk, WalkSettings};
use wherein_engine::Store;
use wherein_engine::index::git::Revision;
use wherein_engine::index::manifest::Manifest;
use wherein_engine::index::source::{OnDisk, Source};

use super::*;
use crate::cli::tree::NoModel;

/// The files on disk; a look at them ends when it is let go, and always finds them as they were.
#[derive(Debug)]
struct Slow {
    files: OnDisk,
    looks: Arc<Looks>,
}

#[derive(Debug, Default)]
struct Looks {
    /// Begun, and let go.
    counts: Mutex<(usize, usize)>,
    changed: Condvar,
}

impl Looks {
    fn look(&self) {
        let mut counts = self.counts.lock().unwrap();
        counts.0 += 1;
        let mine = counts.0;
        self.changed.notify_all();
        drop(self.changed.wait_while(counts, |(_, let_go)| *let_go < mine).unwrap());
    }

    fn let_go(&self) {
        self.counts.lock().unwrap().1 += 1;
        self.changed.notify_all();
    }

    fn wait_for(&self, number: usize) {
        let counts = self.counts.lock().unwrap();
        let patience = Duration::from_secs(30);
        let begun = |counts: &mut (usize, usize)| counts.0 < number;
        let waited = self.changed.wait_timeout_while(counts, patience, begun).unwrap().1;
        assert!(!waited.timed_out(), "look {number} never began");
    }

    fn begun(&self) -> usize {
        self.counts.lock().unwrap().0
    }
}

impl Source for Slow {
    fn walk(&self, settings: &WalkSettings, known: Option<&Manifest>) -> io::Result<Walk> {
        self.files.walk(settings, known)
    }

    fn bytes(&self, path: &str) -> io::Result<Vec<u8>> {
        self.files.bytes(path)
    }

    fn revision(&self) -> Option<Revision> {
        self.files.revision()
    }

    fn may_change(&self) -> bool {
        true
    }

    fn is_fresh(&self, _: &Manifest) -> bool {
        self.looks.look();
        true
    }
}

/// A tree of one file with an index, and the looks at it.
async fn kept(folder: &Path) -> (Arc<Keeper>, Arc<Looks>) {
    let root = folder.join("tree");
    std::fs::create_dir(&root).unwrap();
    std::fs::write(root.join("a.txt"), "words\n").unwrap();
    let root = root.canonicalize().unwrap();
    let mut place = Store::at(folder.join("index")).tree(&root);
    let looks = Arc::new(Looks::default());
    place.source = Arc::new(Slow { files: OnDisk::at(&root), looks: looks.clone() });
    let model = Err(NoModel::Unwanted);
    let memory = wherein_engine::index::refresh::MEMORY;
    let tree = Tree { place, settings: Settings::default(), model, memory };
    let keeper = Keeper::new(tree, Arc::new(Pool::new(1)), Arc::new(Notify::new()));
    let keeper = Arc::new(keeper);
    keeper.view(Instant::now()).await.unwrap_or_else(|problem| panic!("{problem:?}"));
    (keeper, looks)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_look_answers_those_who_came_before_it_and_all_of_them() {
    let folder = tempfile::tempdir().unwrap();
    let (keeper, looks) = kept(folder.path()).await;
    let ask = || {
        let keeper = keeper.clone();
        tokio::spawn(async move { keeper.view(Instant::now()).await.is_ok() })
    };
    let first = ask();
    looks.wait_for(1);
    let later: Vec<_> = (0..32).map(|_| ask()).collect();
    // Time enough for them to come while the first look is under way.
    tokio::time::sleep(Duration::from_millis(50)).await;
    looks.let_go();
    assert!(first.await.unwrap());
    looks.wait_for(2);
    tokio::time::sleep(Duration::from_millis(50)).await;
    assert!(later.iter().all(|it| !it.is_finished()), "answered by a look that began before");
    looks.let_go();
    for answered in later {
        let answered = tokio::time::timeout(Duration::from_secs(30), answered).await;
        assert!(answered.expect("those who waited together share one look").unwrap());
    }
    assert_eq!(looks.begun(), 2);
}

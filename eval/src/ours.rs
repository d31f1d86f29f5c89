//! Our own engine as a [`Tool`]: a store folder goes in, trees are indexed into it once.

use std::path::{Path, PathBuf};

use wherein_engine::search::query::Query;
use wherein_engine::{Error as EngineError, Settings, Snapshot, Store, refresh, search};

use crate::error::{Error, Result};
use crate::searcher::{Corpus, Hit, Progress, Searcher, Step, Tool};

/// The engine with the store its indexes are kept in.
pub struct Ours {
    store: Store,
}

impl Ours {
    /// Keeps indexes under `folder`.
    pub fn new(folder: impl Into<PathBuf>) -> Ours {
        Ours { store: Store::at(folder) }
    }
}

impl Tool for Ours {
    fn name(&self) -> String {
        "wherein".to_owned()
    }

    fn open(&self, root: &Path, progress: Progress) -> Result<Box<dyn Searcher + '_>> {
        let root = std::fs::canonicalize(root).map_err(Error::read(root))?;
        let place = self.store.tree(&root);
        let report = |done, total| progress(Step::Indexing { done, total });
        refresh(&place, &Settings::default(), &report)?;
        let snapshot = Snapshot::open(&place)?;
        if snapshot.manifest.files.is_empty() {
            // Every question would be a miss, and none of them the search's fault.
            return Err(Error::Empty { path: root, expected: "file to index" });
        }
        Ok(Box::new(snapshot))
    }
}

impl Searcher for Snapshot {
    /// A question with nothing to look for gets no hits; it is a miss like any other.
    fn search(&self, query: &Query) -> Result<Vec<Hit>> {
        match search(self, query) {
            Ok(answer) => Ok(answer.hits.into_iter().map(hit).collect()),
            Err(EngineError::EmptyQuery) => Ok(Vec::new()),
            Err(error @ EngineError::NoModel) => Err(Error::Unavailable(error.to_string())),
            Err(error) => Err(error.into()),
        }
    }

    fn corpus(&self) -> Corpus {
        Corpus {
            files: self.manifest.files.len(),
            chunks: self.manifest.chunks(),
            skipped: self.manifest.skipped.len(),
        }
    }
}

fn hit(hit: wherein_engine::search::answer::Hit) -> Hit {
    Hit { path: hit.path, lines: Some((hit.start_line, hit.end_line)), bytes: hit.snippet.len() }
}

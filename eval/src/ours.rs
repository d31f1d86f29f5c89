//! Our own engine as a [`Tool`]: a store folder goes in, trees are indexed into it once.

use std::path::{Path, PathBuf};

use wherein_encoder::Model;
use wherein_engine::search::query::Query;
use wherein_engine::search::rerank::{Sample, samples};
use wherein_engine::{
    Error as EngineError, Meaning, Settings, Snapshot, Store, encode, refresh, search,
};

use crate::error::{Error, Result};
use crate::searcher::{Corpus, Hit, Progress, Searcher, Step, Tool};

/// What tables call it.
pub const NAME: &str = "wherein";

/// The engine with the store its indexes are kept in.
pub struct Ours {
    store: Store,
    model: Model,
    encodes: bool,
    /// Channels that have no say.
    without: Vec<String>,
    /// Whether files that import what was found are looked at too.
    upstream: bool,
}

impl Ours {
    /// Keeps indexes under `folder`.
    pub fn new(folder: impl Into<PathBuf>) -> Ours {
        let (store, model) = (Store::at(folder), Model::built_in());
        Ours { store, model, encodes: false, without: Vec::new(), upstream: false }
    }

    /// Encodes every chunk before the first question, or none.
    pub fn encoding(self, encodes: bool) -> Ours {
        Ours { encodes, ..self }
    }

    /// Lets some channels have no say.
    pub fn without(self, names: &[String]) -> Ours {
        Ours { without: names.to_vec(), ..self }
    }

    /// Looks at files that import what was found, or does not.
    pub fn upstream(self, upstream: bool) -> Ours {
        Ours { upstream, ..self }
    }
}

impl Tool for Ours {
    fn name(&self) -> String {
        let upstream = if self.upstream { " upstream" } else { "" };
        match self.without.is_empty() {
            true => format!("{NAME}{upstream}"),
            false => format!("{NAME}{upstream} without {}", self.without.join(", ")),
        }
    }

    fn open(&self, root: &Path, progress: Progress) -> Result<Box<dyn Searcher + '_>> {
        Ok(Box::new(self.open_tree(root, progress)?))
    }
}

impl Ours {
    /// Brings the index of a tree up to date and opens it.
    pub fn open_tree(&self, root: &Path, progress: Progress) -> Result<Open<'_>> {
        let root = std::fs::canonicalize(root).map_err(Error::read(root))?;
        let place = self.store.tree(&root);
        let report = |done, total| progress(Step::Indexing { done, total });
        refresh(&place, &Settings::default(), &report)?;
        if self.encodes {
            let report = |done, total| progress(Step::Encoding { done, total });
            encode(&place, &self.model, &report, &|| true)?;
        }
        let snapshot = Snapshot::open(&place)?;
        if snapshot.manifest.files.is_empty() {
            // Every question would be a miss, and none of them the search's fault.
            return Err(Error::Empty { path: root, expected: "file to index" });
        }
        Ok(Open { snapshot, ours: self })
    }
}

/// A tree, open for questions.
pub struct Open<'o> {
    snapshot: Snapshot,
    ours: &'o Ours,
}

impl Open<'_> {
    /// What the ranker would look at.
    pub fn samples(&self, query: &Query) -> Result<Vec<Sample>> {
        let meaning = Meaning::On { model: &self.ours.model, go_on: &|| false };
        match samples(&self.snapshot, &meaning, query) {
            Err(EngineError::EmptyQuery | EngineError::OnlyFilters) => Ok(Vec::new()),
            samples => Ok(samples?),
        }
    }
}

impl Searcher for Open<'_> {
    /// A question with nothing to look for gets no hits; it is a miss like any other.
    fn search(&self, query: &Query) -> Result<Vec<Hit>> {
        let meaning = Meaning::On { model: &self.ours.model, go_on: &|| false };
        let query = Query {
            without: self.ours.without.clone(),
            expand_upstream: self.ours.upstream,
            ..query.clone()
        };
        match search(&self.snapshot, &meaning, &query) {
            Ok(answer) => Ok(answer.hits.into_iter().map(hit).collect()),
            Err(EngineError::EmptyQuery | EngineError::OnlyFilters) => Ok(Vec::new()),
            Err(error) => Err(error.into()),
        }
    }

    fn corpus(&self) -> Corpus {
        let manifest = &self.snapshot.manifest;
        Corpus {
            files: manifest.files.len(),
            chunks: manifest.chunks(),
            skipped: manifest.skipped.len(),
        }
    }
}

/// A hit that is only named has no lines.
fn hit(hit: wherein_engine::search::answer::Hit) -> Hit {
    let lines = (!hit.signature_only).then_some((hit.start_line, hit.end_line));
    Hit { path: hit.path, lines, bytes: hit.snippet.len() }
}

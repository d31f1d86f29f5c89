//! The embedded index as one that can be asked.

use std::collections::{BTreeSet, HashSet};
use std::sync::Arc;

use tantivy::{DocAddress, Term};
use wherein_corpus::{Parsed, Role};
use wherein_encoder::Model;

use crate::error::Result;
use crate::graph::links::Links;
use crate::index::lexical::Field;
use crate::index::manifest::{FileEntry, Manifest};
use crate::index::snapshot::Snapshot;
use crate::index::vectors::encode::GoOn;
use crate::search::channels::Spot;
use crate::search::channels::dense::Dense;
use crate::search::filter::Allowed;
use crate::search::recall::words::{self, Counts, Gather};
use crate::search::recall::{Holding, Match, Nearness, Recall};

impl Recall for Snapshot {
    fn manifest(&self) -> &Manifest {
        &self.manifest
    }

    fn roles(&self) -> &[Role] {
        Snapshot::roles(self)
    }

    fn ready_links(&self) -> Option<&Links> {
        Snapshot::ready_links(self)
    }

    fn rank_of_file(&self, position: usize) -> f32 {
        Snapshot::rank_of_file(self, position)
    }

    fn parsed(&self, file: &FileEntry) -> Result<Arc<Parsed>> {
        Snapshot::parsed(self, file)
    }

    fn text(&self, file: &FileEntry) -> Option<Arc<String>> {
        Snapshot::text(self, file)
    }

    fn indexed_text(&self, file: &FileEntry) -> Option<Arc<String>> {
        Snapshot::indexed_text(self, file)
    }

    fn whole(&self) -> Result<()> {
        Snapshot::whole(self)
    }

    fn chunks(&self) -> u64 {
        self.searcher().num_docs()
    }

    fn usual_chunks(&self) -> f32 {
        self.manifest.chunks() as f32 / self.manifest.files.len().max(1) as f32
    }

    fn frequency(&self, field: Field, term: &str) -> Result<u64> {
        Ok(self.searcher().doc_freq(&Term::from_field_text(field.handle(), term))?)
    }

    fn by_words(
        &self,
        words: &[(&str, f32)],
        allowed: &Allowed,
        most: usize,
        wanted: &HashSet<Spot>,
    ) -> Result<(Vec<Match>, Vec<Match>)> {
        let query = words::weighted(words, &Field::ALL);
        Ok(self.searcher().search(&query, &Gather { index: self, allowed, most, wanted })?)
    }

    fn holding(&self, what: &Holding, allowed: &Allowed) -> Result<BTreeSet<Spot>> {
        let gather = Gather { index: self, allowed, most: usize::MAX, wanted: &HashSet::new() };
        let (all, _) = self.searcher().search(&words::holding(what), &gather)?;
        Ok(all.into_iter().map(|found| found.spot).collect())
    }

    fn files_with(&self, terms: &[&str]) -> Result<Vec<Vec<(usize, u32)>>> {
        let mut counts = Counts::of(self);
        terms.iter().map(|term| counts.count(self, term)).collect()
    }

    fn field_score(
        &self,
        words: &[(&str, f32)],
        document: DocAddress,
        field: Field,
    ) -> Result<f32> {
        words::field_score(&self.searcher(), words, document, field)
    }

    fn near<'q>(
        &'q self,
        model: &'q Model,
        go_on: GoOn<'q>,
        text: &str,
        allowed: &Allowed,
    ) -> Result<Box<dyn Nearness + 'q>> {
        Ok(Box::new(Dense::ask(self, model, go_on, text, allowed)?))
    }
}

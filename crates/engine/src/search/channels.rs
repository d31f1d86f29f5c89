//! From weighted terms to candidates: the ranked list of each channel.

use tantivy::collector::{Collector, SegmentCollector};
use tantivy::columnar::Column;
use tantivy::query::{BooleanQuery, BoostQuery, Occur, Query as TantivyQuery, TermQuery};
use tantivy::schema::IndexRecordOption;
use tantivy::{DocAddress, DocId, Score, Searcher, SegmentOrdinal, SegmentReader, Term};

use crate::error::Result;
use crate::index::lexical::{CHUNK, FILE, Field};
use crate::index::snapshot::Snapshot;
use crate::search::filter::Allowed;
use crate::search::intent::Intent;
use crate::search::query::Query;
use crate::search::weights;

/// A chunk that may answer.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Candidate {
    /// The file's position in the manifest, which is the order of paths.
    pub file: usize,
    /// The chunk's number in the file.
    pub chunk: u32,
    /// The document it is in the full-text index.
    pub document: DocAddress,
    /// Higher is better.
    pub score: f32,
    /// Position in the lexical list, from 1.
    pub rank: usize,
}

/// Asks the lexical channel. Candidates come best first; ties by path, then line.
pub fn recall(
    index: &Snapshot,
    intent: &Intent,
    allowed: &Allowed,
    query: &Query,
) -> Result<Vec<Candidate>> {
    let searcher = index.searcher();
    let most =
        query.limit.saturating_mul(weights::CANDIDATES_PER_HIT).max(weights::LEAST_CANDIDATES);
    let wanted = lexical_query(&searcher, intent, &Field::ALL)?;
    let mut found = searcher.search(&wanted, &Gather { index, allowed, most })?;
    found.sort_unstable_by(order);
    found.truncate(most);
    for (place, candidate) in found.iter_mut().enumerate() {
        candidate.rank = place + 1;
    }
    Ok(found)
}

/// The weighted sum of every term's BM25 score in each of `fields`.
pub fn lexical_query(
    searcher: &Searcher,
    intent: &Intent,
    fields: &[Field],
) -> Result<BooleanQuery> {
    let mut clauses: Vec<(Occur, Box<dyn TantivyQuery>)> = Vec::new();
    for (term, weight) in rarest(searcher, intent)? {
        for &field in fields {
            let term = Term::from_field_text(field.handle(), term);
            let exact = Box::new(TermQuery::new(term, IndexRecordOption::WithFreqs));
            clauses.push((
                Occur::Should,
                Box::new(BoostQuery::new(exact, weight * weights::field(field))),
            ));
        }
    }
    Ok(BooleanQuery::new(clauses))
}

/// The terms to look up: all of a normal question, the rarest known ones of a pasted file.
fn rarest<'i>(searcher: &Searcher, intent: &'i Intent) -> Result<Vec<(&'i str, f32)>> {
    let terms = intent.terms.iter().map(|(term, weight)| (term.as_str(), *weight));
    if intent.terms.len() <= weights::MOST_TERMS {
        return Ok(terms.collect());
    }
    let mut counted = Vec::new();
    for (term, weight) in terms {
        let documents = searcher.doc_freq(&Term::from_field_text(Field::Body.handle(), term))?;
        if documents > 0 {
            counted.push((documents, term, weight));
        }
    }
    counted.sort_by(|a, b| (a.0, a.1).cmp(&(b.0, b.1)));
    counted.truncate(weights::MOST_TERMS);
    Ok(counted.into_iter().map(|(_, term, weight)| (term, weight)).collect())
}

fn order(a: &Candidate, b: &Candidate) -> std::cmp::Ordering {
    b.score.total_cmp(&a.score).then(a.file.cmp(&b.file)).then(a.chunk.cmp(&b.chunk))
}

/// Segments add up the same numbers in different orders; rounding keeps equal scores equal.
fn rounded(score: Score) -> f32 {
    (score * 1e4).round() / 1e4
}

/// Keeps the best allowed documents.
struct Gather<'q> {
    index: &'q Snapshot,
    allowed: &'q Allowed,
    most: usize,
}

impl Collector for Gather<'_> {
    type Fruit = Vec<Candidate>;
    type Child = GatherSegment;

    fn for_segment(
        &self,
        segment: SegmentOrdinal,
        reader: &SegmentReader,
    ) -> tantivy::Result<GatherSegment> {
        let fast = reader.fast_fields();
        Ok(GatherSegment {
            segment,
            files: fast.u64(FILE)?,
            chunks: fast.u64(CHUNK)?,
            positions: Vec::new(),
            most: self.most,
            found: Vec::new(),
            bar: f32::MIN,
        }
        .knowing(self))
    }

    fn requires_scoring(&self) -> bool {
        true
    }

    fn merge_fruits(&self, fruits: Vec<Vec<Candidate>>) -> tantivy::Result<Vec<Candidate>> {
        Ok(fruits.into_iter().flatten().collect())
    }
}
struct GatherSegment {
    segment: SegmentOrdinal,
    files: Column<u64>,
    chunks: Column<u64>,
    /// For each file id its position in the manifest, if it may answer.
    positions: Vec<Option<u32>>,
    most: usize,
    found: Vec<Candidate>,
    /// A score below this cannot be among the best any more.
    bar: f32,
}

impl GatherSegment {
    fn knowing(mut self, gather: &Gather) -> GatherSegment {
        let files = &gather.index.manifest.files;
        self.positions = vec![None; gather.index.manifest.next_id as usize];
        for (position, file) in files.iter().enumerate() {
            if gather.allowed.as_ref().is_none_or(|allowed| allowed[position]) {
                self.positions[file.id as usize] = Some(position as u32);
            }
        }
        self
    }

    /// Drops all but the best once twice as many have come together.
    fn prune(&mut self) {
        if self.found.len() / 2 >= self.most {
            self.found.select_nth_unstable_by(self.most, order);
            self.found.truncate(self.most);
            self.bar = self.found.iter().map(|c| c.score).fold(f32::MAX, f32::min);
        }
    }
}

impl SegmentCollector for GatherSegment {
    type Fruit = Vec<Candidate>;

    fn collect(&mut self, document: DocId, score: Score) {
        let score = rounded(score);
        if score < self.bar {
            return;
        }
        let id = self.files.first(document).unwrap_or(u64::MAX) as usize;
        let Some(Some(file)) = self.positions.get(id).copied() else {
            return;
        };
        let chunk = self.chunks.first(document).unwrap_or(0) as u32;
        let document = DocAddress::new(self.segment, document);
        self.found.push(Candidate { file: file as usize, chunk, document, score, rank: 0 });
        self.prune();
    }

    fn harvest(self) -> Vec<Candidate> {
        self.found
    }
}

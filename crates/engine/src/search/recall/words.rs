//! The embedded index asked for words: queries of the full-text engine, and what is kept of them.

use std::collections::HashSet;

use tantivy::collector::{Collector, SegmentCollector};
use tantivy::columnar::Column;
use tantivy::query::{
    BooleanQuery, BoostQuery, EnableScoring, FuzzyTermQuery, Occur, Query as TantivyQuery,
    TermQuery,
};
use tantivy::schema::IndexRecordOption;
use tantivy::{
    DocAddress, DocId, DocSet, Score, Searcher, SegmentOrdinal, SegmentReader, TERMINATED, Term,
};

use crate::error::Result;
use crate::index::lexical::{CHUNK, FILE, Field};
use crate::index::snapshot::Snapshot;
use crate::search::channels::Spot;
use crate::search::filter::Allowed;
use crate::search::recall::{Holding, Match, rounded};
use crate::search::weights;

/// The weighted sum of every term's BM25 score in each of `fields`.
pub fn weighted(words: &[(&str, f32)], fields: &[Field]) -> BooleanQuery {
    let mut clauses: Vec<(Occur, Box<dyn TantivyQuery>)> = Vec::new();
    for (term, weight) in words {
        for &field in fields {
            let term = Term::from_field_text(field.handle(), term);
            let exact = Box::new(TermQuery::new(term, IndexRecordOption::WithFreqs));
            clauses.push((
                Occur::Should,
                Box::new(BoostQuery::new(exact, weight * weights::field(field))),
            ));
        }
    }
    BooleanQuery::new(clauses)
}

/// What finds the chunks that hold something.
pub fn holding(what: &Holding) -> BooleanQuery {
    match what {
        Holding::Term(fields, term) => {
            let of = |field: &Field| exact(Occur::Should, *field, term);
            BooleanQuery::new(fields.iter().map(of).collect())
        }
        Holding::Alike { whole, parts } => alike(whole, parts),
    }
}

fn exact(occur: Occur, field: Field, term: &str) -> (Occur, Box<dyn TantivyQuery>) {
    let term = Term::from_field_text(field.handle(), term);
    (occur, Box::new(TermQuery::new(term, IndexRecordOption::Basic)))
}

fn alike(whole: &str, parts: &[String]) -> BooleanQuery {
    let term = || Term::from_field_text(Field::Name.handle(), whole);
    let part = |part: &String| exact(Occur::Must, Field::Name, part);
    let any: Vec<(Occur, Box<dyn TantivyQuery>)> = vec![
        (Occur::Should, Box::new(BooleanQuery::new(parts.iter().map(part).collect()))),
        (Occur::Should, Box::new(FuzzyTermQuery::new_prefix(term(), 0, true))),
        (Occur::Should, Box::new(FuzzyTermQuery::new(term(), 1, true))),
    ];
    BooleanQuery::new(any)
}

/// What weighted words score in one field of a document.
pub fn field_score(
    searcher: &Searcher,
    words: &[(&str, f32)],
    document: DocAddress,
    field: Field,
) -> Result<f32> {
    let weight =
        weighted(words, &[field]).weight(EnableScoring::enabled_from_searcher(searcher))?;
    let segment = searcher.segment_reader(document.segment_ord);
    let mut scorer = weight.scorer(segment, 1.0)?;
    let document = document.doc_id;
    let found = scorer.doc() <= document && scorer.seek(document) == document;
    Ok(if found { scorer.score() } else { 0.0 })
}

/// Keeps the best allowed documents, and the wanted ones.
pub struct Gather<'q> {
    /// Where they are.
    pub index: &'q Snapshot,
    /// Which files may answer.
    pub allowed: &'q Allowed,
    /// How many are kept.
    pub most: usize,
    /// These are kept beside them.
    pub wanted: &'q HashSet<Spot>,
}

impl Collector for Gather<'_> {
    type Fruit = (Vec<Match>, Vec<Match>);
    type Child = GatherSegment;

    fn for_segment(
        &self,
        segment: SegmentOrdinal,
        reader: &SegmentReader,
    ) -> tantivy::Result<GatherSegment> {
        let fast = reader.fast_fields();
        let mut positions = vec![None; self.index.manifest.next_id as usize];
        for (position, file) in self.index.manifest.files.iter().enumerate() {
            if self.allowed.as_ref().is_none_or(|allowed| allowed[position]) {
                positions[file.id as usize] = Some(position as u32);
            }
        }
        let mut files_wanted = vec![false; self.index.manifest.files.len()];
        self.wanted.iter().for_each(|&(file, _)| files_wanted[file] = true);
        Ok(GatherSegment {
            segment,
            files: fast.u64(FILE)?,
            chunks: fast.u64(CHUNK)?,
            positions,
            most: self.most,
            wanted: self.wanted.clone(),
            files_wanted,
            best: Vec::new(),
            asked: Vec::new(),
            bar: f32::MIN,
        })
    }

    fn requires_scoring(&self) -> bool {
        true
    }

    fn merge_fruits(&self, fruits: Vec<Self::Fruit>) -> tantivy::Result<Self::Fruit> {
        let (best, asked): (Vec<_>, Vec<_>) = fruits.into_iter().unzip();
        Ok((best.concat(), asked.concat()))
    }
}

pub struct GatherSegment {
    segment: SegmentOrdinal,
    files: Column<u64>,
    chunks: Column<u64>,
    /// For each file id its position in the manifest, if it may answer.
    positions: Vec<Option<u32>>,
    most: usize,
    wanted: HashSet<Spot>,
    /// For each file whether any chunk of it is wanted.
    files_wanted: Vec<bool>,
    best: Vec<Match>,
    asked: Vec<Match>,
    /// A score below this cannot be among the best any more.
    bar: f32,
}

impl GatherSegment {
    /// Drops all but the best once twice as many have come together.
    fn prune(&mut self) {
        if self.best.len() / 2 >= self.most {
            self.best.select_nth_unstable_by(self.most, Match::order);
            self.best.truncate(self.most);
            self.bar = self.best.iter().map(|found| found.score).fold(f32::MAX, f32::min);
        }
    }
}

impl SegmentCollector for GatherSegment {
    type Fruit = (Vec<Match>, Vec<Match>);

    fn collect(&mut self, document: DocId, score: Score) {
        let score = rounded(score);
        if score < self.bar && self.wanted.is_empty() {
            return;
        }
        let id = self.files.first(document).unwrap_or(u64::MAX) as usize;
        let Some(Some(file)) = self.positions.get(id).copied() else {
            return;
        };
        let spot = (file as usize, self.chunks.first(document).unwrap_or(0) as u32);
        let found = Match { spot, document: DocAddress::new(self.segment, document), score };
        if self.files_wanted[spot.0] && self.wanted.contains(&spot) {
            self.asked.push(found);
        }
        if score >= self.bar {
            self.best.push(found);
            self.prune();
        }
    }

    fn harvest(self) -> Self::Fruit {
        (self.best, self.asked)
    }
}

/// How many chunks of each file hold one word.
pub struct Counts {
    /// For each file id its position in the manifest.
    positions: Vec<u32>,
    chunks: Vec<u32>,
    touched: Vec<usize>,
}

impl Counts {
    /// None yet.
    pub fn of(index: &Snapshot) -> Counts {
        let mut positions = vec![u32::MAX; index.manifest.next_id as usize];
        for (position, file) in index.manifest.files.iter().enumerate() {
            positions[file.id as usize] = position as u32;
        }
        let chunks = vec![0; index.manifest.files.len()];
        Counts { positions, chunks, touched: Vec::new() }
    }

    /// Counts them for one word.
    pub fn count(&mut self, index: &Snapshot, term: &str) -> Result<Vec<(usize, u32)>> {
        self.touched.drain(..).for_each(|position| self.chunks[position] = 0);
        let term = Term::from_field_text(Field::Body.handle(), term);
        for segment in index.searcher().segment_readers() {
            let inverted = segment.inverted_index(Field::Body.handle())?;
            let postings = inverted
                .read_postings(&term, IndexRecordOption::Basic)
                .map_err(tantivy::TantivyError::from)?;
            let Some(mut postings) = postings else { continue };
            let ids = segment.fast_fields().u64(FILE)?;
            let alive = segment.alive_bitset();
            let mut document = postings.doc();
            while document != TERMINATED {
                if alive.is_none_or(|alive| alive.is_alive(document)) {
                    self.enter(ids.first(document));
                }
                document = postings.advance();
            }
        }
        Ok(self.touched.iter().map(|&position| (position, self.chunks[position])).collect())
    }

    fn enter(&mut self, id: Option<u64>) {
        let position = id.and_then(|id| self.positions.get(id as usize)).copied();
        let Some(position) = position.filter(|position| *position != u32::MAX) else { return };
        let position = position as usize;
        if self.chunks[position] == 0 {
            self.touched.push(position);
        }
        self.chunks[position] += 1;
    }
}

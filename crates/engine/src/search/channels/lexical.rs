//! The channel of words: weighted terms, looked up in every field.

use std::collections::{BTreeSet, HashMap, HashSet};

use tantivy::collector::{Collector, SegmentCollector};
use tantivy::columnar::Column;
use tantivy::query::{BooleanQuery, BoostQuery, Occur, Query as TantivyQuery, TermQuery};
use tantivy::schema::IndexRecordOption;
use tantivy::{DocAddress, DocId, Score, Searcher, SegmentOrdinal, SegmentReader, Term};

use crate::error::Result;
use crate::index::lexical::{CHUNK, FILE, Field};
use crate::index::snapshot::Snapshot;
use crate::search::channels::{Channel, Lists, Spot, Terms};
use crate::search::filter::Allowed;
use crate::search::intent::Intent;
use crate::search::weights;

/// A chunk that holds words of the question.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Match {
    spot: Spot,
    document: DocAddress,
    score: f32,
}

/// Enters the best `most` chunks, and the scores of the wanted ones beside them. Ties go by path,
/// then line.
pub fn recall(
    index: &Snapshot,
    intent: &Intent,
    allowed: &Allowed,
    most: usize,
    wanted: &HashSet<Spot>,
    lists: &mut Lists,
) -> Result<()> {
    let searcher = index.searcher();
    let words = lexical_query(&searcher, intent, &Field::ALL)?;
    let (mut best, asked) = searcher.search(&words, &Gather { index, allowed, most, wanted })?;
    best.sort_unstable_by(order);
    best.truncate(most);
    lists.terms = terms(&searcher, intent)?;
    for found in asked {
        lists.enter(Channel::Lexical, found.spot, None, found.score);
        lists.found.entry(found.spot).or_default().document = Some(found.document);
    }
    for (place, found) in best.into_iter().enumerate() {
        lists.enter(Channel::Lexical, found.spot, Some(place + 1), found.score);
        lists.found.entry(found.spot).or_default().document = Some(found.document);
    }
    Ok(())
}

/// The chunks that match, of files that may answer.
pub fn spots(
    index: &Snapshot,
    query: &dyn TantivyQuery,
    allowed: &Allowed,
) -> Result<BTreeSet<Spot>> {
    let gather = Gather { index, allowed, most: usize::MAX, wanted: &HashSet::new() };
    let (all, _) = index.searcher().search(query, &gather)?;
    Ok(all.into_iter().map(|found| found.spot).collect())
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

/// The question's words, each with its weight and how rare it is in the bodies of chunks.
fn terms(searcher: &Searcher, intent: &Intent) -> Result<Terms> {
    let chunks = searcher.num_docs() as f32;
    let (mut masses, mut nowhere) = (HashMap::new(), 0.0);
    for (term, weight) in rarest(searcher, intent)? {
        let holding = searcher.doc_freq(&Term::from_field_text(Field::Body.handle(), term))? as f32;
        let rarity = (1.0 + (chunks - holding + 0.5).max(0.0) / (holding + 0.5)).ln();
        masses.insert(term.to_owned(), weight * rarity);
        if holding == 0.0 {
            nowhere += weight * rarity;
        }
    }
    Ok(Terms::of(masses, nowhere))
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

fn order(a: &Match, b: &Match) -> std::cmp::Ordering {
    b.score.total_cmp(&a.score).then(a.spot.cmp(&b.spot))
}

/// Segments add up the same numbers in different orders; rounding keeps equal scores equal.
fn rounded(score: Score) -> f32 {
    (score * 1e4).round() / 1e4
}

/// Keeps the best allowed documents, and the wanted ones.
struct Gather<'q> {
    index: &'q Snapshot,
    allowed: &'q Allowed,
    most: usize,
    wanted: &'q HashSet<Spot>,
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

struct GatherSegment {
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
            self.best.select_nth_unstable_by(self.most, order);
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

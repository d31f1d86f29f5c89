//! What a distributed engine brought for one question: whole files, and the statistics of words.
//!
//! In: files with their text, parse and vectors, found by the engine's channels. Out: the same
//! scores as the embedded index gives to the same chunks, because words are weighed by the same
//! formula with statistics of everything that may be searched, and vectors compared as codes.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use tantivy::DocAddress;
use tantivy::query::Bm25Weight;
use wherein_corpus::{Digest, Language, Parsed, Role};
use wherein_encoder::{Code, Codec, Model, Probe};

use crate::error::{Error, Result};
use crate::graph::links::Links;
use crate::index::counts::Statistics;
use crate::index::lexical::Field;
use crate::index::manifest::{FileEntry, Manifest};
use crate::index::vectors::encode::GoOn;
use crate::index::vectors::nearest_of;
use crate::search::channels::{Channel, Lists, Spot};
use crate::search::filter::Allowed;
use crate::search::recall::tally::{Tally, norm_id};
use crate::search::recall::{Holding, Match, NearSpot, Nearness, Recall, channel_of, rounded};
use crate::search::weights;

/// A file that an engine keeps, with all that a question may need of it.
pub struct Kept {
    /// Relative to its repository's root.
    pub path: String,
    /// The digest of its bytes.
    pub content: Digest,
    /// Its language's name.
    pub language: String,
    /// Its text.
    pub text: Arc<String>,
    /// What it was parsed into.
    pub parsed: Arc<Parsed>,
    /// The vectors of each chunk, that of the whole first.
    pub codes: Vec<Vec<Code>>,
    tally: Tally,
}

impl Kept {
    /// A file, its words not yet counted.
    pub fn new(
        path: String,
        content: Digest,
        language: String,
        text: Arc<String>,
        parsed: Parsed,
        codes: Vec<Vec<Code>>,
    ) -> Kept {
        let parsed = Arc::new(parsed);
        Kept { path, content, language, text, parsed, codes, tally: Tally::default() }
    }

    fn entry(&self, id: u32) -> FileEntry {
        FileEntry::unpacked(id, &self.path, &self.language, self.content, &self.parsed)
    }
}

/// A file and the repositories that hold it and may be seen.
pub struct Located {
    /// What it is.
    pub file: Arc<Kept>,
    /// The repositories' names, in order; at least one.
    pub repositories: Vec<String>,
    /// What imports say of it in some of them, in their order, as far as that is known.
    pub linked: Vec<(Tree, Linked)>,
}

/// Names the state of a repository that links were made in: those of another cannot be put together
/// with them.
pub type Tree = u64;

/// What imports say of a file in one repository.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Linked {
    /// Its number there.
    pub place: u32,
    /// The share of files that imports lead to less than to this one.
    pub standing: f32,
    /// The numbers of the files it imports or links to.
    pub imports: Vec<u32>,
}

impl Linked {
    /// What the links of a tree say of the file at a position.
    pub fn of(links: &Links, position: usize) -> Linked {
        let imports = links.imports(position).collect();
        Linked { place: position as u32, standing: links.standing(position), imports }
    }
}

/// Files for one question.
pub struct Gathered<'s> {
    manifest: Manifest,
    files: Vec<Located>,
    roles: Vec<Role>,
    links: Option<Links>,
    statistics: &'s dyn Statistics,
    /// The question's vector, by the model that the files' vectors are of.
    question: Option<Vec<f32>>,
}

impl<'s> Gathered<'s> {
    /// Puts files into the order of their paths, then of their repositories.
    pub fn of(
        root: String,
        mut files: Vec<Located>,
        statistics: &'s dyn Statistics,
        question: Option<Vec<f32>>,
    ) -> Gathered<'s> {
        files.sort_by(|a, b| (&a.file.path, &a.repositories).cmp(&(&b.file.path, &b.repositories)));
        let role = |language: &str| Language::named(language).map_or(Role::Code, Language::role);
        let roles = files.iter().map(|it| role(&it.file.language)).collect();
        let entries = (0..).zip(&files).map(|(id, it)| it.file.entry(id)).collect();
        let manifest = Manifest::listing(root, entries);
        let links = links(&files);
        Gathered { manifest, files, roles, links, statistics, question }
    }

    fn file(&self, file: &FileEntry) -> &Arc<Kept> {
        &self.files[file.id as usize].file
    }

    fn tally(&self, position: usize) -> &Tally {
        let kept = &self.files[position].file;
        kept.tally.made(&kept.path, &kept.language, &kept.text, &kept.parsed);
        &kept.tally
    }

    /// Every chunk of the files that may answer.
    fn spots(&self, allowed: &Allowed) -> impl Iterator<Item = Spot> {
        let may = move |position: &usize| allowed.as_ref().is_none_or(|it| it[*position]);
        let chunks = |position: usize| self.manifest.files[position].chunks;
        (0..self.files.len())
            .filter(may)
            .flat_map(move |position| (0..chunks(position)).map(move |chunk| (position, chunk)))
    }

    /// A term's weight in a field; `None` if it stands nowhere.
    fn weight(&self, term: &str, field: Field) -> Result<Option<Bm25Weight>> {
        let totals = self.statistics.totals();
        let frequency = self.statistics.frequency(field, term)?.min(totals.documents);
        let average = totals.length(field);
        Ok((frequency > 0 && average > 0.0).then(|| {
            Bm25Weight::for_one_term_without_explain(frequency, totals.documents, average)
        }))
    }

    fn scorers<'w>(
        &self,
        words: &[(&'w str, f32)],
        fields: &[Field],
    ) -> Result<Vec<(&'w str, Field, Bm25Weight)>> {
        let mut scorers = Vec::new();
        for &(term, weight) in words {
            for &field in fields {
                if let Some(bm25) = self.weight(term, field)? {
                    scorers.push((term, field, bm25.boost_by(weight * weights::field(field))));
                }
            }
        }
        Ok(scorers)
    }

    /// What scorers say of a chunk; `None` if it holds none of their terms.
    fn score(&self, (position, chunk): Spot, scorers: &[(&str, Field, Bm25Weight)]) -> Option<f32> {
        let tally = self.tally(position).chunk(chunk);
        let mut sum = None;
        for (term, field, bm25) in scorers {
            let count = tally.count(*field, term);
            if count > 0 {
                let norm = norm_id(tally.lengths[*field as usize]);
                *sum.get_or_insert(0.0) += bm25.score(norm, count);
            }
        }
        sum
    }
}

/// One half, where imports say nothing of a file.
const UNKNOWN: f32 = 0.5;

/// The imports that lead from one of the files to another, in any repository that holds both.
fn links(files: &[Located]) -> Option<Links> {
    let all = || (0..).zip(files).flat_map(|(at, it)| it.linked.iter().map(move |it| (at, it)));
    let places: HashMap<(Tree, u32), u32> =
        all().map(|(at, (tree, linked))| ((*tree, linked.place), at)).collect();
    let mut edges = Vec::new();
    for (at, (tree, linked)) in all() {
        let there = linked.imports.iter().filter_map(|place| places.get(&(*tree, *place)));
        edges.extend(there.map(|to| (at, *to)));
    }
    let standing = |it: &Located| it.linked.first().map_or(UNKNOWN, |(_, it)| it.standing);
    Links::among(&edges, &files.iter().map(standing).collect::<Vec<_>>())
}

impl Recall for Gathered<'_> {
    fn manifest(&self) -> &Manifest {
        &self.manifest
    }

    fn roles(&self) -> &[Role] {
        &self.roles
    }

    fn repositories(&self, position: usize) -> &[String] {
        &self.files[position].repositories
    }

    fn ready_links(&self) -> Option<&Links> {
        self.links.as_ref()
    }

    fn rank_of_file(&self, position: usize) -> f32 {
        self.links.as_ref().map_or(UNKNOWN, |links| links.standing(position))
    }

    fn parsed(&self, file: &FileEntry) -> Result<Arc<Parsed>> {
        Ok(self.file(file).parsed.clone())
    }

    fn text(&self, file: &FileEntry) -> Option<Arc<String>> {
        Some(self.file(file).text.clone())
    }

    fn indexed_text(&self, file: &FileEntry) -> Option<Arc<String>> {
        self.text(file)
    }

    fn whole(&self) -> Result<()> {
        Ok(())
    }

    fn chunks(&self) -> u64 {
        self.statistics.totals().chunks
    }

    fn usual_chunks(&self) -> f32 {
        let totals = self.statistics.totals();
        totals.chunks as f32 / totals.files.max(1) as f32
    }

    fn frequency(&self, field: Field, term: &str) -> Result<u64> {
        self.statistics.frequency(field, term)
    }

    fn by_words(
        &self,
        words: &[(&str, f32)],
        allowed: &Allowed,
        most: usize,
        wanted: &HashSet<Spot>,
    ) -> Result<(Vec<Match>, Vec<Match>)> {
        let scorers = self.scorers(words, &Field::ALL)?;
        let found = |spot: Spot| {
            let score = rounded(self.score(spot, &scorers)?);
            let document = DocAddress::new(spot.0 as u32, spot.1);
            Some(Match { spot, document, score })
        };
        let mut best: Vec<Match> = self.spots(allowed).filter_map(found).collect();
        let asked = best.iter().filter(|it| wanted.contains(&it.spot)).copied().collect();
        best.sort_unstable_by(Match::order);
        best.truncate(most);
        Ok((best, asked))
    }

    fn holding(&self, what: &Holding, allowed: &Allowed) -> Result<BTreeSet<Spot>> {
        let holds = |spot: &Spot| {
            let tally = self.tally(spot.0).chunk(spot.1);
            match what {
                Holding::Term(fields, term) => {
                    fields.iter().any(|&field| tally.count(field, term) > 0)
                }
                Holding::Alike { whole, parts } => tally.has_alike(whole, parts),
            }
        };
        Ok(self.spots(allowed).filter(holds).collect())
    }

    fn files_with(&self, terms: &[&str]) -> Result<Vec<Vec<(usize, u32)>>> {
        let with = |term: &&str| {
            let count = |position: usize| {
                let count = self.tally(position).chunks_with(Field::Body, term);
                (count > 0).then_some((position, count))
            };
            (0..self.files.len()).filter_map(count).collect()
        };
        Ok(terms.iter().map(with).collect())
    }

    fn field_score(
        &self,
        words: &[(&str, f32)],
        document: DocAddress,
        field: Field,
    ) -> Result<f32> {
        let spot = (document.segment_ord as usize, document.doc_id);
        Ok(self.score(spot, &self.scorers(words, &[field])?).unwrap_or(0.0))
    }

    fn near<'q>(
        &'q self,
        _model: &'q Model,
        _go_on: GoOn<'q>,
        _text: &str,
        allowed: &Allowed,
    ) -> Result<Box<dyn Nearness + 'q>> {
        let Some(vector) = &self.question else {
            return Err(Error::NoModel("the question has no vector".to_owned()));
        };
        let probe = Probe::new(&Codec::new(vector.len()), vector);
        let spots = self.spots(allowed).collect();
        Ok(Box::new(Compared { gathered: self, width: vector.len(), probe, spots }))
    }
}

/// The question's vector beside those of the files.
struct Compared<'q> {
    gathered: &'q Gathered<'q>,
    width: usize,
    probe: Probe,
    spots: Vec<Spot>,
}

impl Nearness for Compared<'_> {
    fn nearest(&self, most: usize) -> [Vec<NearSpot>; 2] {
        [Channel::DenseCode, Channel::DenseDocs].map(|channel| {
            let near = |&spot: &Spot| {
                let is_here = self.channel(spot) == channel;
                is_here.then(|| Some(NearSpot { spot, score: self.score(spot)? })).flatten()
            };
            let mut list: Vec<NearSpot> = self.spots.iter().filter_map(near).collect();
            list.sort_by(|a, b| b.score.total_cmp(&a.score).then(a.spot.cmp(&b.spot)));
            list.truncate(most);
            list
        })
    }

    fn score(&self, (position, chunk): Spot) -> Option<f32> {
        let codes = self.gathered.files[position].file.codes.get(chunk as usize)?;
        let fitting = codes.iter().filter(|code| code.bytes.len() == self.width);
        nearest_of(&self.probe, fitting.map(|code| (code.bytes.as_slice(), code.scale)))
    }

    fn make(&self, _lists: &Lists) -> Result<Vec<(Spot, f32)>> {
        Ok(Vec::new())
    }

    fn channel(&self, (position, _): Spot) -> Channel {
        channel_of(self.gathered.roles[position])
    }
}

//! The words of commits: one document a commit, one field for each place a word can stand.

use std::fs;
use std::path::Path;

use tantivy::collector::{Collector, SegmentCollector};
use tantivy::columnar::Column;
use tantivy::indexer::{LogMergePolicy, NoMergePolicy};
use tantivy::query::{BooleanQuery, BoostQuery, Occur, Query, TermQuery};
use tantivy::schema::{
    FAST, Field as Handle, INDEXED, IndexRecordOption, Schema, TextFieldIndexing, TextOptions,
};
use tantivy::{
    Directory, DocId, Index, IndexWriter, Score, Searcher, SegmentOrdinal, SegmentReader,
    TantivyDocument, TantivyError, Term,
};
use wherein_corpus::Stamp;

use crate::error::{Error, Result};
use crate::history::log::record::Record;
use crate::index::directory::{Published, SegmentDirectory};
use crate::index::lexical;
use crate::index::manifest::Seal;
use crate::search::weights;

/// A place a word can stand in a commit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CommitField {
    /// Its message.
    Message,
    /// The paths it changed.
    Path,
    /// The lines it changed.
    Change,
}

impl CommitField {
    /// Every field, in the order of the schema.
    pub const ALL: [CommitField; 3] =
        [CommitField::Message, CommitField::Path, CommitField::Change];

    fn name(self) -> &'static str {
        match self {
            CommitField::Message => "message",
            CommitField::Path => "path",
            CommitField::Change => "change",
        }
    }

    fn handle(self) -> Handle {
        Handle::from_field_id(self as u32)
    }
}

const NUMBER: &str = "commit";

/// Opens the words of commits, empty without a list of segments.
fn open(directory: SegmentDirectory) -> tantivy::Result<Index> {
    let index = match directory.meta().is_empty() {
        true => Index::create(directory, schema(), tantivy::IndexSettings::default())?,
        false => Index::open(directory)?,
    };
    lexical::register(&index);
    Ok(index)
}

fn schema() -> Schema {
    let mut schema = Schema::builder();
    let indexing = TextFieldIndexing::default()
        .set_tokenizer(lexical::TOKENIZER)
        .set_index_option(IndexRecordOption::WithFreqs);
    let text = TextOptions::default().set_indexing_options(indexing);
    for field in CommitField::ALL {
        schema.add_text_field(field.name(), text.clone());
    }
    schema.add_u64_field(NUMBER, INDEXED | FAST);
    schema.build()
}

/// Opens the words of commits if every file of them is as it was published.
pub fn open_sealed(folder: &Path, meta: &str, seals: &[Seal]) -> Result<Index> {
    for seal in seals {
        let path = folder.join(&seal.name);
        let stamp = fs::metadata(&path).map(|it| Stamp::of(&it));
        let stamp = stamp.map_err(|error| Error::damaged(&path, error))?;
        if (stamp.size, stamp.modified) != (seal.stamp.size, seal.stamp.modified) {
            return Err(Error::damaged(path, "changed since it was written"));
        }
    }
    let directory = SegmentDirectory::open(folder, Some(Published { meta, seals }))?;
    let held = seals.iter().map(|seal| directory.get_file_handle(seal.name.as_ref()));
    let _held = held.collect::<std::result::Result<Vec<_>, _>>().map_err(TantivyError::from)?;
    Ok(open(directory)?)
}

/// Adds commits.
pub struct Words {
    directory: SegmentDirectory,
    writer: IndexWriter,
    number: Handle,
}

/// Memory for words before they are written.
const MEMORY: usize = 60_000_000;

impl Words {
    /// Opens the words in `folder` as they were published.
    pub fn open(folder: &Path, published: Published) -> tantivy::Result<Words> {
        let known = Some(published).filter(|it| !it.meta.is_empty());
        let directory = SegmentDirectory::open(folder, known)?;
        let index = open(directory.clone())?;
        let writer: IndexWriter = index.writer_with_num_threads(1, MEMORY)?;
        // A merge in the background would take away what was just published.
        writer.set_merge_policy(Box::new(NoMergePolicy));
        let number = index.schema().get_field(NUMBER)?;
        Ok(Words { directory, writer, number })
    }

    /// Adds a commit under its number.
    pub fn add(&self, number: u32, record: &Record) -> tantivy::Result<()> {
        let mut document = TantivyDocument::new();
        document.add_text(CommitField::Message.handle(), &record.message);
        for path in &record.paths {
            document.add_text(CommitField::Path.handle(), path);
        }
        document.add_text(CommitField::Change.handle(), &record.words);
        document.add_u64(self.number, u64::from(number));
        self.writer.add_document(document).map(drop)
    }

    /// Writes what was added and returns the list of segments.
    pub fn commit(&mut self) -> tantivy::Result<String> {
        self.writer.commit()?;
        Ok(self.directory.meta())
    }

    /// Merges small segments and returns the list of those there are then.
    ///
    /// In a session of its own: one takes away what it wrote and merged itself, and that is published.
    pub fn merged(folder: &Path, published: Published) -> tantivy::Result<String> {
        let mut words = Words::open(folder, published)?;
        words.writer.set_merge_policy(Box::new(LogMergePolicy::default()));
        words.writer.commit()?;
        words.writer.wait_merging_threads()?;
        Ok(words.directory.meta())
    }
}

/// The commits that hold a term, by number, with the weighted sum of their BM25 scores.
pub fn find(
    searcher: &Searcher,
    terms: &[(String, f32)],
    allowed: Option<&[bool]>,
) -> Result<Vec<(u32, f32)>> {
    let mut clauses: Vec<(Occur, Box<dyn Query>)> = Vec::new();
    for (term, weight) in terms.iter().take(weights::MOST_TERMS) {
        for field in CommitField::ALL {
            let term = Term::from_field_text(field.handle(), term);
            let exact = Box::new(TermQuery::new(term, IndexRecordOption::WithFreqs));
            let boost = BoostQuery::new(exact, weight * weights::commit_field(field));
            clauses.push((Occur::Should, Box::new(boost)));
        }
    }
    Ok(searcher.search(&BooleanQuery::new(clauses), &Gather { allowed })?)
}

struct Gather<'a> {
    allowed: Option<&'a [bool]>,
}

struct GatherSegment {
    numbers: Column<u64>,
    allowed: Option<Vec<bool>>,
    found: Vec<(u32, f32)>,
}

impl Collector for Gather<'_> {
    type Fruit = Vec<(u32, f32)>;
    type Child = GatherSegment;

    fn for_segment(
        &self,
        _: SegmentOrdinal,
        reader: &SegmentReader,
    ) -> tantivy::Result<GatherSegment> {
        let numbers = reader.fast_fields().u64(NUMBER)?;
        let allowed = self.allowed.map(<[bool]>::to_vec);
        Ok(GatherSegment { numbers, allowed, found: Vec::new() })
    }

    fn requires_scoring(&self) -> bool {
        true
    }

    fn merge_fruits(&self, fruits: Vec<Self::Fruit>) -> tantivy::Result<Self::Fruit> {
        Ok(fruits.concat())
    }
}

impl SegmentCollector for GatherSegment {
    type Fruit = Vec<(u32, f32)>;

    fn collect(&mut self, document: DocId, score: Score) {
        let number = self.numbers.first(document).unwrap_or(u64::MAX) as usize;
        let may = self.allowed.as_ref().is_none_or(|it| it.get(number).copied().unwrap_or(false));
        if may {
            // Segments add up the same numbers in different orders; rounding keeps equal scores equal.
            self.found.push((number as u32, (score * 1e4).round() / 1e4));
        }
    }

    fn harvest(self) -> Self::Fruit {
        self.found
    }
}

//! The full-text index: one document a chunk, one field for each place a word can stand.

mod log;
mod segment;
mod words;

use std::path::Path;
use std::sync::{Mutex, MutexGuard, PoisonError};

use rayon::prelude::*;
use tantivy::indexer::{LogMergePolicy, NoMergePolicy};
use tantivy::schema::{
    FAST, Field as TantivyField, INDEXED, IndexRecordOption, Schema, TextFieldIndexing, TextOptions,
};
use tantivy::tokenizer::{Token, TokenStream, Tokenizer};
use tantivy::{Index, IndexWriter, Term};
use wherein_corpus::{Chunk, Language, Lines, Parsed, on_deep_stacks};

use self::segment::Gathered;
use crate::index::directory::{Published, SegmentDirectory};
use crate::index::tokens::Tokens;

/// A place a word can stand in a chunk, each weighed on its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Field {
    /// The file's path.
    Path,
    /// The names of the symbols the chunk defines.
    Name,
    /// Their signatures, and the names around them.
    Signature,
    /// Their doc comments.
    Doc,
    /// The whole text of the chunk.
    Body,
}

impl Field {
    /// Every field, in the order of the schema.
    pub const ALL: [Field; 5] =
        [Field::Path, Field::Name, Field::Signature, Field::Doc, Field::Body];

    /// Its name in the schema and in explanations.
    pub fn name(self) -> &'static str {
        match self {
            Field::Path => "path",
            Field::Name => "name",
            Field::Signature => "signature",
            Field::Doc => "doc",
            Field::Body => "body",
        }
    }

    /// Its handle in the full-text engine.
    pub fn handle(self) -> TantivyField {
        TantivyField::from_field_id(self as u32)
    }
}

/// The fast field that holds a document's file id.
pub const FILE: &str = "file";
/// The fast field that holds a chunk's number within its file.
pub const CHUNK: &str = "chunk";

/// The name of the tokenizer in schemas.
pub(crate) const TOKENIZER: &str = "wherein";

/// Makes our tokenizer known to an index.
pub(crate) fn register(index: &Index) {
    index.tokenizers().register(TOKENIZER, CodeTokenizer::default());
}

/// The least and the most memory that the words of a segment take before they are written.
const LEAST_GATHERED: usize = 20_000_000;
const MOST_GATHERED: usize = 100_000_000;

/// What the full-text engine wants to be allowed; it is given no documents, and takes none of it.
const ENGINE_MEMORY: usize = 20_000_000;

/// Opens the index whose segments `directory` lists, or makes an empty one.
pub fn open(directory: SegmentDirectory) -> tantivy::Result<Index> {
    let index = if directory.meta().is_empty() {
        Index::create(directory, schema(), tantivy::IndexSettings::default())?
    } else {
        Index::open(directory)?
    };
    register(&index);
    Ok(index)
}

fn schema() -> Schema {
    let mut schema = Schema::builder();
    // Positions are left out: they would double the index, and a phrase is checked on the text.
    let indexing = TextFieldIndexing::default()
        .set_tokenizer(TOKENIZER)
        .set_index_option(IndexRecordOption::WithFreqs);
    let text = TextOptions::default().set_indexing_options(indexing);
    for field in Field::ALL {
        let handle = schema.add_text_field(field.name(), text.clone());
        debug_assert_eq!(handle, field.handle());
    }
    schema.add_u64_field(FILE, INDEXED | FAST);
    schema.add_u64_field(CHUNK, FAST);
    schema.build()
}

/// Adds and removes the chunks of files.
pub struct LexicalWriter {
    directory: SegmentDirectory,
    /// Takes out, merges and lists; what is added is gathered and written here.
    writer: IndexWriter,
    file: TantivyField,
    gathering: Vec<Mutex<Gathered>>,
    /// Bytes of memory after which what is gathered is written.
    most: usize,
}

impl LexicalWriter {
    /// Opens the index in `folder` as it was published, for writing.
    pub fn open(folder: &Path, known: Option<Published>, effort: Effort) -> tantivy::Result<Self> {
        let writer = LexicalWriter::over(SegmentDirectory::open(folder, known)?, effort)?;
        let mut policy = LogMergePolicy::default();
        policy.set_del_docs_ratio_before_merge(0.3);
        writer.writer.set_merge_policy(Box::new(policy));
        Ok(writer)
    }

    /// Writes to a folder that keeps what is written in memory, and merges nothing into that.
    pub fn in_memory(directory: SegmentDirectory) -> tantivy::Result<Self> {
        let writer = LexicalWriter::over(directory, Effort::Few)?;
        writer.writer.set_merge_policy(Box::new(NoMergePolicy));
        Ok(writer)
    }

    fn over(directory: SegmentDirectory, effort: Effort) -> tantivy::Result<Self> {
        let index = open(directory.clone())?;
        let (segments, most) = match effort {
            Effort::Few => (1, LEAST_GATHERED),
            // Parsing takes five times as long as this: one segment keeps several parsers busy, and
            // one dictionary for all of a small tree is cheaper to write than two.
            Effort::Many { memory } => {
                let cores = std::thread::available_parallelism().map_or(1, |n| n.get());
                let segments = cores.div_ceil(3).min(memory / LEAST_GATHERED).max(1);
                (segments, (memory / segments).clamp(LEAST_GATHERED, MOST_GATHERED))
            }
        };
        let writer: IndexWriter = index.writer_with_num_threads(1, ENGINE_MEMORY)?;
        let file = index.schema().get_field(FILE)?;
        let gathering = (0..segments).map(|_| Mutex::default()).collect();
        Ok(LexicalWriter { directory, writer, file, gathering, most })
    }

    /// Adds every chunk of a file.
    pub fn add(
        &self,
        id: u32,
        path: &str,
        lines: &Lines,
        parsed: &Parsed,
        language: &Language,
    ) -> tantivy::Result<()> {
        let mut gathered = self.at_hand();
        for (number, chunk) in (0..).zip(&parsed.chunks) {
            fields_of(path, lines, parsed, chunk, language, |field, text| {
                gathered.add(field, text);
            });
            gathered.end_document(id, number);
        }
        if gathered.memory() < self.most {
            return Ok(());
        }
        let full = std::mem::take(&mut *gathered);
        drop(gathered);
        self.write(full)
    }

    /// Removes every chunk of a file that was added before this writer was opened.
    pub fn remove(&self, id: u32) {
        self.writer.delete_term(Term::from_field_u64(self.file, u64::from(id)));
    }

    /// Finishes all work and returns the new list of segments.
    pub fn commit(mut self) -> tantivy::Result<String> {
        let gathering = std::mem::take(&mut self.gathering);
        let write = |gathered: Mutex<Gathered>| {
            self.write(gathered.into_inner().unwrap_or_else(PoisonError::into_inner))
        };
        // On the threads that parsed: what memory they had is theirs to use again.
        on_deep_stacks(|| gathering.into_par_iter().try_for_each(write))?;
        self.writer.commit()?;
        self.writer.wait_merging_threads()?;
        Ok(self.directory.meta())
    }

    /// Somewhere to add to: where nobody else does, if there is such.
    fn at_hand(&self) -> MutexGuard<'_, Gathered> {
        let free = self.gathering.iter().find_map(|gathered| gathered.try_lock().ok());
        free.unwrap_or_else(|| self.gathering[0].lock().unwrap_or_else(PoisonError::into_inner))
    }

    fn write(&self, gathered: Gathered) -> tantivy::Result<()> {
        if gathered.is_empty() {
            return Ok(());
        }
        self.writer.add_segment(gathered.write(self.writer.new_segment())?)
    }
}

/// What stands in each field of a chunk, in pieces.
pub fn fields_of(
    path: &str,
    lines: &Lines,
    parsed: &Parsed,
    chunk: &Chunk,
    language: &Language,
    mut give: impl FnMut(Field, &str),
) {
    give(Field::Path, path);
    give(Field::Body, lines.span(chunk.start_line..=chunk.end_line));
    if let Some(scope) = chunk.scope {
        give(Field::Signature, &parsed.symbols[scope as usize].qualified(language.separator));
    }
    for &symbol in &chunk.symbols {
        let symbol = &parsed.symbols[symbol as usize];
        give(Field::Name, &symbol.name);
        give(Field::Signature, &symbol.signature);
        if !symbol.doc.is_empty() {
            give(Field::Doc, &symbol.doc);
        }
    }
}

/// How much there is to write: a handful of files, or a whole tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effort {
    /// One segment, little memory.
    Few,
    /// Every core, within so many bytes of memory.
    Many {
        /// What the words may take before they are written out.
        memory: usize,
    },
}

/// Our terms as the full-text engine's tokens. Positions and offsets are not used.
#[derive(Clone, Default)]
struct CodeTokenizer {
    token: Token,
}

struct CodeTokens<'t> {
    tokens: Tokens<'t>,
    token: &'t mut Token,
}

impl Tokenizer for CodeTokenizer {
    type TokenStream<'t> = CodeTokens<'t>;

    fn token_stream<'t>(&'t mut self, text: &'t str) -> CodeTokens<'t> {
        self.token.reset();
        CodeTokens { tokens: Tokens::of(text), token: &mut self.token }
    }
}

impl TokenStream for CodeTokens<'_> {
    fn advance(&mut self) -> bool {
        self.token.position = self.token.position.wrapping_add(1);
        self.tokens.next(&mut self.token.text).is_some()
    }

    fn token(&self) -> &Token {
        self.token
    }

    fn token_mut(&mut self) -> &mut Token {
        self.token
    }
}

#[cfg(test)]
mod tests {
    use wherein_corpus::{ChunkSize, parse};

    use super::*;

    fn add(writer: &LexicalWriter, id: u32, text: &str) {
        let lines = Lines::of(text);
        let parsed = parse(&lines, Language::other(), ChunkSize::default());
        writer.add(id, "a.txt", &lines, &parsed, Language::other()).unwrap();
    }

    /// How many documents have a word, those that were taken out not counted.
    fn count(directory: &SegmentDirectory, word: &str) -> usize {
        let term = Term::from_field_text(Field::Body.handle(), word);
        let query = tantivy::query::TermQuery::new(term, IndexRecordOption::Basic);
        let reader = open(directory.clone()).unwrap().reader().unwrap();
        reader.searcher().search(&query, &tantivy::collector::Count).unwrap()
    }

    #[test]
    fn what_several_threads_add_to_many_segments_is_found_until_it_is_removed() {
        let folder = tempfile::tempdir().unwrap();
        let directory = SegmentDirectory::open(folder.path(), None).unwrap();
        let mut writer = LexicalWriter::over(directory.clone(), Effort::Few).unwrap();
        writer.gathering.resize_with(3, Mutex::default);
        // Room for none: every file becomes a segment, and they are merged.
        writer.most = 0;
        (0..40u32).into_par_iter().for_each(|id| add(&writer, id, &format!("corn own{id}")));
        writer.commit().unwrap();
        assert_eq!((count(&directory, "corn"), count(&directory, "own7")), (40, 1));

        let writer = LexicalWriter::over(directory.clone(), Effort::Few).unwrap();
        writer.remove(7);
        add(&writer, 40, "corn wheat");
        writer.remove(8);
        writer.commit().unwrap();
        assert_eq!((count(&directory, "corn"), count(&directory, "own7")), (39, 0));
        assert_eq!((count(&directory, "own8"), count(&directory, "own9")), (0, 1));
        assert_eq!(count(&directory, "wheat"), 1);
    }
}

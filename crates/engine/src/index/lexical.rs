//! The full-text index: one document a chunk, one field for each place a word can stand.

use std::path::Path;

use tantivy::indexer::{LogMergePolicy, NoMergePolicy};
use tantivy::schema::{
    FAST, Field as TantivyField, INDEXED, IndexRecordOption, Schema, TextFieldIndexing, TextOptions,
};
use tantivy::tokenizer::{Token, TokenStream, Tokenizer};
use tantivy::{Index, IndexWriter, TantivyDocument, Term};
use wherein_corpus::{Chunk, Language, Lines, Parsed};

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

/// The least memory a thread of the writer works with.
const LEAST_ARENA: usize = 20_000_000;

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
    writer: IndexWriter,
    file: TantivyField,
    chunk: TantivyField,
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
        let (threads, memory) = match effort {
            Effort::Few => (1, 20_000_000),
            // Parsing takes twice as long as this, Python's as long: one writer keeps several parsers
            // busy, and one dictionary for all of a small tree is cheaper to write than two.
            Effort::Many { memory } => {
                let threads =
                    std::thread::available_parallelism().map_or(1, |n| n.get()).div_ceil(3);
                let threads = threads.min(memory / LEAST_ARENA).max(1);
                (threads, (threads * 100_000_000).min(memory.max(LEAST_ARENA)))
            }
        };
        let writer: IndexWriter = index.writer_with_num_threads(threads, memory)?;
        let schema = index.schema();
        let (file, chunk) = (schema.get_field(FILE)?, schema.get_field(CHUNK)?);
        Ok(LexicalWriter { directory, writer, file, chunk })
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
        for (number, chunk) in parsed.chunks.iter().enumerate() {
            let mut document = TantivyDocument::new();
            document.add_u64(self.file, u64::from(id));
            document.add_u64(self.chunk, number as u64);
            fields_of(path, lines, parsed, chunk, language, |field, text| {
                document.add_text(field.handle(), text);
            });
            self.writer.add_document(document)?;
        }
        Ok(())
    }

    /// Removes every chunk of a file.
    pub fn remove(&self, id: u32) {
        self.writer.delete_term(Term::from_field_u64(self.file, u64::from(id)));
    }

    /// Finishes all work and returns the new list of segments.
    pub fn commit(mut self) -> tantivy::Result<String> {
        self.writer.commit()?;
        self.writer.wait_merging_threads()?;
        Ok(self.directory.meta())
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
    /// One thread, little memory.
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

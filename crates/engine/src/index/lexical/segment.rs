//! Documents in memory, and what the full-text engine has to find in the files of a segment of them.
//!
//! The engine's own writer would be told every word of every document and would do for each what
//! [`Words`] does once; the files are its own, written by its own serializers, byte for byte the same.

use tantivy::directory::TerminatingWrite;
use tantivy::fastfield::FastFieldsWriter;
use tantivy::fieldnorm::{
    FieldNormReader, FieldNormReaders, FieldNormsSerializer, FieldNormsWriter,
};
use tantivy::index::SegmentComponent;
use tantivy::postings::{FieldSerializer, InvertedIndexSerializer};
use tantivy::store::StoreWriter;
use tantivy::{DocId, Segment, SegmentMeta, TantivyDocument};

use super::log::Log;
use super::words::Words;
use super::{CHUNK, FILE, Field};

/// Documents that are not written yet.
#[derive(Default)]
pub struct Gathered {
    words: Words,
    fields: [Log; Field::ALL.len()],
    /// The file and the chunk that each document is.
    documents: Vec<(u32, u32)>,
    /// The terms of the document at hand, field by field.
    here: [Vec<u32>; Field::ALL.len()],
    /// Where they are counted.
    times: Vec<u32>,
}

impl Gathered {
    /// Adds some text to a field of the document at hand.
    pub fn add(&mut self, field: Field, text: &str) {
        self.words.read(text, &mut self.here[field as usize]);
    }

    /// The document at hand is complete: a chunk of a file.
    pub fn end_document(&mut self, file: u32, chunk: u32) {
        self.documents.push((file, chunk));
        self.times.resize(self.words.terms.len(), 0);
        for (field, terms) in self.fields.iter_mut().zip(&mut self.here) {
            field.enter(terms, &mut self.times);
        }
    }

    /// Whether there is nothing to write.
    pub fn is_empty(&self) -> bool {
        self.documents.is_empty()
    }

    /// Bytes of memory this takes.
    pub fn memory(&self) -> usize {
        let fields: usize = self.fields.iter().map(Log::memory).sum();
        self.words.memory() + fields + 8 * self.documents.capacity() + 4 * self.times.capacity()
    }

    /// Writes all of it as one segment.
    pub fn write(mut self, segment: Segment) -> tantivy::Result<SegmentMeta> {
        self.words.close();
        let segment = segment.with_max_doc(self.documents.len() as u32);
        self.write_lengths(&segment)?;
        self.write_columns(&segment)?;
        let norms = FieldNormReaders::open(segment.open_read(SegmentComponent::FieldNorms)?)?;
        let mut serializer = InvertedIndexSerializer::open(&segment)?;
        let order = self.words.terms.in_order();
        for field in Field::ALL {
            let norms = norms.get_field(field.handle())?;
            self.write_words(&mut serializer, field, norms, &order)?;
        }
        let file = segment.schema().get_field(FILE)?;
        let (all, norms) = (self.documents.len() as u64, norms.get_field(file)?);
        self.write_files(serializer.new_field(file, all, norms)?)?;
        serializer.close()?;
        let meta = segment.meta().clone();
        meta.untrack_temp_docstore();
        Ok(meta)
    }

    /// How many words stand in each field of each document.
    fn write_lengths(&self, segment: &Segment) -> tantivy::Result<()> {
        let mut norms = FieldNormsWriter::for_schema(&segment.schema());
        for (field, log) in Field::ALL.into_iter().zip(&self.fields) {
            for (document, &length) in (0..).zip(&log.lengths) {
                norms.record(document, field.handle(), length);
            }
        }
        let file = segment.schema().get_field(FILE)?;
        (0..self.documents.len() as DocId).for_each(|document| norms.record(document, file, 1));
        let write = segment.open_write(SegmentComponent::FieldNorms)?;
        Ok(norms.serialize(FieldNormsSerializer::from_write(write)?, None)?)
    }

    /// Which file and chunk each document is, and a store that has nothing of any.
    fn write_columns(&self, segment: &Segment) -> tantivy::Result<()> {
        let schema = segment.schema();
        let (file, chunk) = (schema.get_field(FILE)?, schema.get_field(CHUNK)?);
        let tokenizers = segment.index().fast_field_tokenizer().clone();
        let mut columns = FastFieldsWriter::from_schema_and_tokenizer_manager(&schema, tokenizers)?;
        let settings = segment.index().settings();
        let (compression, block) = (settings.docstore_compression, settings.docstore_blocksize);
        let write = segment.open_write(SegmentComponent::Store)?;
        let mut store = StoreWriter::new(write, compression, block, false)?;
        for &(id, number) in &self.documents {
            let mut document = TantivyDocument::new();
            document.add_u64(file, u64::from(id));
            document.add_u64(chunk, u64::from(number));
            columns.add_document(&document)?;
            store.store(&document, &schema)?;
        }
        store.close()?;
        let mut write = segment.open_write(SegmentComponent::FastFields)?;
        columns.serialize(&mut write, None)?;
        Ok(write.terminate()?)
    }

    /// Writes the terms of a field; the engine expects nothing of one that has none.
    fn write_words(
        &self,
        serializer: &mut InvertedIndexSerializer,
        field: Field,
        norms: Option<FieldNormReader>,
        order: &[u32],
    ) -> tantivy::Result<()> {
        let log = &self.fields[field as usize];
        let all = log.lengths.iter().map(|&length| u64::from(length)).sum();
        if all == 0 {
            return Ok(());
        }
        let mut terms = serializer.new_field(field.handle(), all, norms)?;
        log.each(order, |term, documents| {
            terms.new_term(self.words.terms.get(term), documents.len() as u32, true)?;
            documents.iter().for_each(|&(document, times)| terms.write_doc(document, times, &[]));
            terms.close_term()
        })?;
        Ok(terms.close()?)
    }

    /// Writes which documents are of a file, so that they can be taken out by its id.
    fn write_files(&self, mut terms: FieldSerializer) -> tantivy::Result<()> {
        let mut files: Vec<(u32, DocId)> =
            (0..).zip(&self.documents).map(|(document, &(file, _))| (file, document)).collect();
        files.sort_unstable();
        for documents in files.chunk_by(|(one, _), (other, _)| one == other) {
            let term = u64::from(documents[0].0).to_be_bytes();
            terms.new_term(&term, 0, false)?;
            documents.iter().for_each(|&(_, document)| terms.write_doc(document, 0, &[]));
            terms.close_term()?;
        }
        Ok(terms.close()?)
    }
}

#[cfg(test)]
mod tests {
    use tantivy::{Index, IndexWriter};

    use super::*;
    use crate::index::lexical::{register, schema};

    type Text<'t> = (Field, &'t str);

    /// The bytes of every file of the one segment of an index.
    fn files(index: &Index) -> Vec<Vec<u8>> {
        use SegmentComponent::{FastFields, FieldNorms, Positions, Postings, Store, Terms};
        let segments = index.searchable_segments().unwrap();
        let [segment] = segments.as_slice() else { panic!("{} segments", segments.len()) };
        let bytes = |part| segment.open_read(part).unwrap().read_bytes().unwrap().to_vec();
        [FastFields, FieldNorms, Positions, Postings, Store, Terms].map(bytes).to_vec()
    }

    fn empty() -> (Index, IndexWriter) {
        let index = Index::create_in_ram(schema());
        register(&index);
        let writer = index.writer_with_num_threads(1, 20_000_000).unwrap();
        (index, writer)
    }

    fn by_the_engine(documents: &[Vec<Text>]) -> Vec<Vec<u8>> {
        let (index, mut writer) = empty();
        let [file, chunk] = [FILE, CHUNK].map(|name| index.schema().get_field(name).unwrap());
        for (texts, number) in documents.iter().zip(0..) {
            let mut document = TantivyDocument::new();
            document.add_u64(file, number / 3);
            document.add_u64(chunk, number % 3);
            texts.iter().for_each(|(field, text)| document.add_text(field.handle(), text));
            writer.add_document(document).unwrap();
        }
        writer.commit().unwrap();
        files(&index)
    }

    fn by_us(documents: &[Vec<Text>]) -> Vec<Vec<u8>> {
        let (index, mut writer) = empty();
        let mut gathered = Gathered::default();
        for (texts, number) in documents.iter().zip(0..) {
            texts.iter().for_each(|&(field, text)| gathered.add(field, text));
            gathered.end_document(number / 3, number % 3);
        }
        writer.add_segment(gathered.write(writer.new_segment()).unwrap()).unwrap();
        writer.commit().unwrap();
        files(&index)
    }

    #[track_caller]
    fn check(documents: &[Vec<Text>]) {
        assert!(by_us(documents) == by_the_engine(documents), "{documents:?}");
    }

    #[test]
    fn files_are_byte_for_byte_those_of_the_engine() {
        check(&[vec![(Field::Body, "one")]]);
        check(&[vec![], vec![(Field::Path, "a/b.rs"), (Field::Body, "")], vec![]]);
        check(&[
            vec![(Field::Name, "retryCount"), (Field::Name, "retry"), (Field::Doc, "Retries it.")],
            vec![(Field::Body, "retry-count of HTTPServer2, 検索する größe ___ -> x-y")],
            vec![(Field::Signature, "fn a(b: B)"), (Field::Body, "a b a b A_B aB built-in")],
        ]);
    }

    #[test]
    fn many_documents_and_frequent_words_are_too() {
        let texts: Vec<String> = (0..400)
            .map(|n| format!("word{} shared-term {}", n % 7, "often ".repeat(n % 300)))
            .collect();
        let document = |text: &'static str| vec![(Field::Path, "src/some.rs"), (Field::Body, text)];
        let texts: Vec<&'static str> = texts.into_iter().map(|text| &*text.leak()).collect();
        check(&texts.into_iter().map(document).collect::<Vec<_>>());
    }

    #[test]
    fn words_longer_than_the_engine_takes_are_left_out() {
        let long = "x".repeat(70_000);
        check(&[vec![(Field::Body, &long), (Field::Body, "short")]]);
    }
}

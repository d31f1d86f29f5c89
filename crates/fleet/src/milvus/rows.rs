//! The rows of a file's chunks, made from its record: one a chunk, more where thousands hold it.

use ::milvus::v2::types::FieldData;
use wherein_corpus::{Language, Lines, Role};
use wherein_encoder::Codec;
use wherein_engine::index::lexical::{Field, fields_of};
use wherein_engine::search::recall::wanted::terms_of;

use super::filter::{SHARED, role_name};
use super::schema::{MEANING, MOST_HOLDERS, MOST_TEXT, WORDS};
use crate::record::{Key, Record, written};

/// One row.
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    /// Names its chunk and its slot.
    pub id: String,
    /// The file's key.
    pub file: String,
    /// Which of the chunk's rows it is.
    pub slot: String,
    /// Under which the engine partitions.
    pub shelf: String,
    /// The repositories that hold the file.
    pub holders: Vec<i64>,
    /// path, language, kind, role
    about: [String; 4],
    /// chunk, first line, last line
    numbers: [i64; 3],
    /// In the order of [`WORDS`].
    words: [String; 3],
    meaning: Vec<f32>,
}

const ABOUT: [&str; 4] = ["path", "language", "kind", "role"];
const NUMBERS: [&str; 3] = ["chunk", "first", "last"];

/// Where a file's rows stand: on the shelf of its only repository, or, a thousand repositories a
/// row, on the one for all.
pub fn slots(holders: &[i64]) -> Vec<(String, String, Vec<i64>)> {
    match holders {
        [only] => vec![(format!("r{only}"), only.to_string(), vec![*only])],
        many => (0..)
            .zip(many.chunks(MOST_HOLDERS))
            .map(|(n, some): (u32, _)| (format!("s{n}"), SHARED.to_owned(), some.to_vec()))
            .collect(),
    }
}

/// The rows of a file in its first slot.
pub fn of(key: Key, record: &Record, width: usize) -> Vec<Row> {
    let language = Language::named(&record.language).unwrap_or_else(Language::other);
    let (lines, codec) = (Lines::of(&record.text), Codec::new(width));
    let row = |(number, chunk): (usize, &wherein_corpus::Chunk)| {
        let mut terms: [Vec<String>; 3] = Default::default();
        fields_of(&record.path, &lines, &record.parsed, chunk, language, |field, text| {
            let list = match field {
                Field::Body => 0,
                Field::Name | Field::Signature | Field::Doc => 1,
                Field::Path => 2,
            };
            terms[list].extend(terms_of(text).iter().map(|term| written(term)));
        });
        // The engine finds by the vector of the whole; what it found is compared by all.
        let code = record.codes.get(number).and_then(|codes| codes.first());
        let meaning = code.map(|(bytes, scale)| codec.vector(bytes, *scale));
        let subject = chunk.subject(&record.parsed.symbols);
        let kind = subject.map_or("text", |symbol| symbol.kind.name());
        Row {
            id: String::new(),
            file: key.hex(),
            slot: String::new(),
            shelf: String::new(),
            holders: Vec::new(),
            about: [
                cut(&record.path, 4096),
                record.language.clone(),
                kind.to_owned(),
                role(language).to_owned(),
            ],
            numbers: [number as i64, i64::from(chunk.start_line), i64::from(chunk.end_line)],
            words: terms.map(|terms| cut(&terms.join(" "), MOST_TEXT)),
            // Without a vector it is as far from everything as can be.
            meaning: meaning.filter(|it| it.len() == width).unwrap_or_else(|| vec![0.0; width]),
        }
    };
    record.parsed.chunks.iter().enumerate().map(row).collect()
}

impl Row {
    /// The same in a slot.
    pub fn placed(&self, slot: &(String, String, Vec<i64>)) -> Row {
        let (slot, shelf, holders) = slot.clone();
        let id = format!("{}.{}.{slot}", self.file, self.numbers[0]);
        Row { id, slot, shelf, holders, ..self.clone() }
    }
}

/// Rows as columns.
pub fn columns(rows: &[Row]) -> Vec<FieldData> {
    let texts = |name: &str, of: &dyn Fn(&Row) -> &String| {
        FieldData::varchar(name, rows.iter().map(|row| of(row).clone()).collect())
    };
    let mut columns = vec![
        texts("id", &|row| &row.id),
        texts("file", &|row| &row.file),
        texts("slot", &|row| &row.slot),
        texts("shelf", &|row| &row.shelf),
        FieldData::array_int64("holders", rows.iter().map(|row| row.holders.clone()).collect()),
        FieldData::float_vector(MEANING, rows.iter().map(|row| row.meaning.clone()).collect()),
    ];
    let about = (0..).zip(ABOUT).map(|(n, name): (usize, _)| texts(name, &|row| &row.about[n]));
    columns.extend(about);
    let words =
        (0..).zip(WORDS).map(|(n, (name, _)): (usize, _)| texts(name, &|row| &row.words[n]));
    columns.extend(words);
    let numbers = |n: usize| rows.iter().map(|row| row.numbers[n]).collect();
    columns.extend((0..).zip(NUMBERS).map(|(n, name)| FieldData::int64(name, numbers(n))));
    columns
}

fn role(language: &Language) -> &'static str {
    let role: Role = language.role();
    role_name(role)
}

fn cut(text: &str, most: usize) -> String {
    text[..text.floor_char_boundary(most)].to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_holder_has_its_own_shelf_and_many_share_one() {
        assert_eq!(slots(&[7]), [("r7".to_owned(), "7".to_owned(), vec![7])]);
        assert_eq!(slots(&[7, 9]), [("s0".to_owned(), "*".to_owned(), vec![7, 9])]);
        let thousand: Vec<i64> = (0..2500).collect();
        let slots = slots(&thousand);
        assert_eq!(
            slots.iter().map(|(_, _, some)| some.len()).collect::<Vec<_>>(),
            [1000, 1000, 500]
        );
    }
}

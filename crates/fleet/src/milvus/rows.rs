//! The rows of a file's chunks, made from its record: one a chunk, more where thousands hold it.

use wherein_corpus::{Language, Lines, Role};
use wherein_encoder::Codec;
use wherein_engine::index::lexical::{Field, fields_of};
use wherein_engine::search::recall::wanted::terms_of;

use super::columns::Column;
use super::filter::{SHARED, role_name};
use super::schema::{MOST_HOLDERS, MOST_TEXT};
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
    /// body, names, paths
    words: [String; 3],
    meaning: Vec<f32>,
}

const ABOUT: [&str; 4] = ["path", "language", "kind", "role"];
const NUMBERS: [&str; 3] = ["chunk", "first", "last"];
const TEXTS: [&str; 3] = ["body", "names", "paths"];

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
        let code = record.codes.get(number).and_then(Option::as_ref);
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
pub fn columns(rows: &[Row], width: usize) -> Vec<(&'static str, Column)> {
    let texts = |of: &dyn Fn(&Row) -> String| Column::Texts(rows.iter().map(of).collect());
    let mut columns = vec![
        ("id", texts(&|row| row.id.clone())),
        ("file", texts(&|row| row.file.clone())),
        ("slot", texts(&|row| row.slot.clone())),
        ("shelf", texts(&|row| row.shelf.clone())),
        ("holders", Column::Lists(rows.iter().map(|row| row.holders.clone()).collect())),
        (
            "meaning",
            Column::Vectors(width, rows.iter().flat_map(|row| row.meaning.clone()).collect()),
        ),
    ];
    columns.extend(
        (0..).zip(ABOUT).map(|(n, name): (usize, _)| (name, texts(&|row| row.about[n].clone()))),
    );
    columns.extend(
        (0..).zip(TEXTS).map(|(n, name): (usize, _)| (name, texts(&|row| row.words[n].clone()))),
    );
    let numbers = |n: usize| Column::Numbers(rows.iter().map(|row| row.numbers[n]).collect());
    columns.extend((0..).zip(NUMBERS).map(|(n, name)| (name, numbers(n))));
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

//! Columns of rows, as the engine takes and gives them.

use std::collections::HashMap;

use super::protobuf::{Message, Value, fields, number, part};

/// The values of one field.
#[derive(Clone, Debug, PartialEq)]
pub enum Column {
    /// Text.
    Texts(Vec<String>),
    /// Whole numbers.
    Numbers(Vec<i64>),
    /// Lists of whole numbers.
    Lists(Vec<Vec<i64>>),
    /// Vectors of one width, end to end.
    Vectors(usize, Vec<f32>),
}

/// Columns by the names of their fields.
pub type Columns = HashMap<String, Column>;

const INT64: u64 = 5;
const VARCHAR: u64 = 21;
const ARRAY: u64 = 22;
const FLOAT_VECTOR: u64 = 101;

impl Column {
    /// As a message.
    pub fn written(&self, name: &str) -> Message {
        let scalars = |kind: u64, field: u32, data: Message| {
            let data = Message::new().message(field, data);
            Message::new().number(1, kind).text(2, name).message(3, data)
        };
        match self {
            Column::Texts(texts) => {
                let texts = Message::new().each(texts, |it, text| it.bytes(1, text));
                scalars(VARCHAR, 6, texts)
            }
            Column::Numbers(numbers) => {
                scalars(INT64, 3, Message::new().numbers(1, numbers.iter().copied()))
            }
            Column::Lists(lists) => {
                let list = |it: Message, list: &Vec<i64>| {
                    let numbers = Message::new().numbers(1, list.iter().copied());
                    it.message(1, Message::new().message(3, numbers))
                };
                scalars(ARRAY, 8, Message::new().each(lists, list).number(2, INT64))
            }
            Column::Vectors(width, floats) => {
                let floats = Message::new().floats(1, floats.iter().copied());
                let vectors = Message::new().number(1, *width as u64).message(2, floats);
                Message::new().number(1, FLOAT_VECTOR).text(2, name).message(4, vectors)
            }
        }
    }

    /// From a message, with its field's name; `None` for kinds that are not used here.
    pub fn read(message: &[u8]) -> Option<(String, Column)> {
        let name = String::from_utf8_lossy(part(message, 2)).into_owned();
        let (scalars, vectors) = (part(message, 3), part(message, 4));
        let column = match number(message, 1) {
            VARCHAR => {
                Column::Texts(fields(part(scalars, 6)).map(|(_, value)| value.text()).collect())
            }
            INT64 => Column::Numbers(numbers(part(scalars, 3))),
            ARRAY => {
                let lists = fields(part(scalars, 8)).filter(|(field, _)| *field == 1);
                Column::Lists(lists.map(|(_, it)| numbers(part(it.bytes(), 3))).collect())
            }
            FLOAT_VECTOR => {
                let floats = floats(part(vectors, 2));
                Column::Vectors(number(vectors, 1) as usize, floats)
            }
            _ => return None,
        };
        Some((name, column))
    }

    /// Its texts; none if it has something else.
    pub fn texts(&self) -> &[String] {
        if let Column::Texts(texts) = self { texts } else { &[] }
    }

    /// Its numbers; none if it has something else.
    pub fn numbers(&self) -> &[i64] {
        if let Column::Numbers(numbers) = self { numbers } else { &[] }
    }

    /// Its lists; none if it has something else.
    pub fn lists(&self) -> &[Vec<i64>] {
        if let Column::Lists(lists) = self { lists } else { &[] }
    }
}

/// The columns in the fields of a message that have a number.
pub fn columns(message: &[u8], field: u32) -> Columns {
    let of = |(_, value): (u32, Value)| Column::read(value.bytes());
    fields(message).filter(|(number, _)| *number == field).filter_map(of).collect()
}

fn numbers(message: &[u8]) -> Vec<i64> {
    fields(message).filter(|(field, _)| *field == 1).flat_map(|(_, it)| it.numbers()).collect()
}

fn floats(message: &[u8]) -> Vec<f32> {
    let packed = fields(message).filter(|(field, _)| *field == 1).flat_map(|(_, it)| it.bytes());
    let bytes: Vec<u8> = packed.copied().collect();
    bytes.chunks_exact(4).map(|it| f32::from_le_bytes([it[0], it[1], it[2], it[3]])).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(column: Column) {
        let bytes = column.written("it").finish();
        assert_eq!(Column::read(&bytes), Some(("it".to_owned(), column)));
    }

    #[test]
    fn columns_come_back_as_they_were_sent() {
        check(Column::Texts(vec!["a".into(), String::new(), "ü".into()]));
        check(Column::Numbers(vec![0, 7, -1]));
        check(Column::Lists(vec![vec![1, 2], vec![], vec![0]]));
        check(Column::Vectors(2, vec![0.5, -1.0, 0.0, 2.0]));
    }
}

//! The collections: chunks that are searched, and pieces that are fetched by their owner.

use super::protobuf::Message;

/// What is stored of a collection in its description, so that another model's is never mixed in.
pub fn description(model: &str) -> String {
    format!("wherein fleet 1, model {model}")
}

/// Most repositories that one row of a chunk names; a chunk of more has several rows.
pub const MOST_HOLDERS: usize = 1000;

/// Bytes of text in a field.
pub const MOST_TEXT: usize = 65_535;

/// The fields that are searched by words: ours, with the engine's index of each.
pub const WORDS: [(&str, &str); 3] =
    [("body", "body_bm25"), ("names", "names_bm25"), ("paths", "paths_bm25")];

/// The field that is searched by meaning.
pub const MEANING: &str = "meaning";

const BOOL: u64 = 1;
const INT64: u64 = 5;
const VARCHAR: u64 = 21;
const ARRAY: u64 = 22;
const FLOAT_VECTOR: u64 = 101;
const SPARSE: u64 = 104;

/// A collection of chunks with vectors of a width.
pub fn chunks(name: &str, model: &str, width: usize) -> Message {
    let texts =
        [("file", 32), ("slot", 32), ("path", 4096), ("language", 64), ("kind", 32), ("role", 8)];
    let schema = Message::new()
        .text(1, name)
        .text(2, &description(model))
        .message(4, text("id", 80).number(3, BOOL))
        .message(4, text("shelf", 32).number(13, BOOL))
        .message(4, holders())
        .each(texts, |schema, (name, length)| schema.message(4, text(name, length)))
        .each(["chunk", "first", "last"], |schema, name| schema.message(4, field(name, INT64)))
        .message(4, field(MEANING, FLOAT_VECTOR).message(6, pair("dim", &width.to_string())));
    schema.each(WORDS, |schema, (name, index)| {
        let words = text(name, MOST_TEXT)
            .message(6, pair("enable_analyzer", "true"))
            .message(6, pair("analyzer_params", r#"{"tokenizer":"standard"}"#));
        let function = Message::new()
            .text(1, &format!("{name}_function"))
            .number(4, 1)
            .text(5, name)
            .text(7, index);
        let output = field(index, SPARSE).number(16, BOOL);
        schema.message(4, words).message(4, output).message(7, function)
    })
}

/// A collection of pieces. The engine wants a vector of each; theirs says nothing.
pub fn pieces(name: &str, model: &str) -> Message {
    Message::new()
        .text(1, name)
        .text(2, &description(model))
        .message(4, text("id", 80).number(3, BOOL))
        .message(4, text("owner", 64))
        .message(4, field("part", INT64))
        .message(4, field("parts", INT64))
        .message(4, text("piece", MOST_TEXT))
        .message(4, field("nothing", FLOAT_VECTOR).message(6, pair("dim", "2")))
}

/// What makes an index of a field.
pub fn index(of: &str, kind: &str, metric: &str, params: &str) -> Message {
    Message::new()
        .text(4, of)
        .message(5, pair("index_type", kind))
        .message(5, pair("metric_type", metric))
        .message(5, pair("params", params))
        .text(6, of)
}

/// A setting.
pub fn pair(key: &str, value: &str) -> Message {
    Message::new().text(1, key).text(2, value)
}

fn field(name: &str, kind: u64) -> Message {
    Message::new().text(2, name).number(5, kind)
}

fn text(name: &str, length: usize) -> Message {
    field(name, VARCHAR).message(6, pair("max_length", &length.to_string()))
}

fn holders() -> Message {
    field("holders", ARRAY)
        .message(6, pair("max_capacity", &MOST_HOLDERS.to_string()))
        .number(10, INT64)
}

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

/// How the engine finds near vectors. The choice is made when a collection is, for as many chunks as
/// its fleet is expected to have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Nearest {
    /// A graph over the vectors themselves: 1.8 kB of memory a chunk, the surest and quickest.
    Graph,
    /// Lists of vectors of one bit a number, the found ones compared anew by eight: 0.45 kB.
    Lists,
}

/// Chunks from which lists are made. A graph over ten million is 18 GB, about what a node of 32 GB
/// holds beside the words.
pub const MANY: u64 = 10_000_000;

impl Nearest {
    /// What fits so many chunks.
    pub fn of(chunks: u64) -> Nearest {
        if chunks < MANY { Nearest::Graph } else { Nearest::Lists }
    }

    /// As the engine calls it.
    pub fn name(self) -> &'static str {
        match self {
            Nearest::Graph => "HNSW",
            Nearest::Lists => "IVF_RABITQ",
        }
    }

    /// The one of a name.
    pub fn named(name: &str) -> Option<Nearest> {
        [Nearest::Graph, Nearest::Lists].into_iter().find(|it| it.name() == name)
    }

    /// Whether an engine of a version makes it. Lists came with 2.6; the test server takes any name
    /// and fails when it has rows enough to begin.
    pub fn is_known_to(self, version: &str) -> bool {
        let mut numbers = version.trim_start_matches('v').split(['.', '-']).map(str::parse::<u32>);
        let version = (numbers.next(), numbers.next());
        self == Nearest::Graph
            || matches!(version, (Some(Ok(major)), Some(Ok(minor))) if (major, minor) >= (2, 6))
    }

    /// How it is made. Lists are made in each segment of about a million rows; 1,024 of them are
    /// four times its square root.
    pub fn making(self) -> &'static str {
        match self {
            Nearest::Graph => r#"{"M":16,"efConstruction":200}"#,
            Nearest::Lists => r#"{"nlist":1024,"refine":true,"refine_type":"SQ8"}"#,
        }
    }

    /// How it is searched for so many rows. Of the nearest 200 among 54,000 real chunks a graph finds
    /// .996 and these lists .983, at four fifths of its time; 64 lists and half as many compared anew
    /// find .950 (2026-11-16).
    pub fn searching(self, most: usize) -> String {
        match self {
            Nearest::Graph => format!("{{\"ef\":{}}}", (2 * most).clamp(64, 32_768)),
            Nearest::Lists => r#"{"nprobe":128,"rbq_query_bits":6,"refine_k":4}"#.to_owned(),
        }
    }
}

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

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(chunks: u64, expected: &str) {
        let chosen = Nearest::of(chunks);
        assert_eq!(chosen.name(), expected, "{chunks}");
        assert_eq!(Nearest::named(expected), Some(chosen));
    }

    #[test]
    fn the_index_is_chosen_by_size() {
        check(0, "HNSW");
        check(9_999_999, "HNSW");
        check(10_000_000, "IVF_RABITQ");
        check(1_000_000_000, "IVF_RABITQ");
        assert_eq!(Nearest::named("FLAT"), None);
    }

    #[test]
    fn lists_are_known_to_engines_that_are_new_enough() {
        let knows = |version| Nearest::Lists.is_known_to(version);
        assert!(knows("v2.6.0") && knows("2.6-20250707-a1b2c3d") && knows("3.0.2"));
        assert!(!knows("v2.5.14") && !knows("milvus_lite-3.2.2") && !knows(""));
        assert!(Nearest::Graph.is_known_to("milvus_lite-3.2.2"));
    }

    #[test]
    fn a_graph_is_searched_wider_than_what_is_asked_for() {
        assert_eq!(Nearest::Graph.searching(10), r#"{"ef":64}"#);
        assert_eq!(Nearest::Graph.searching(1000), r#"{"ef":2000}"#);
        assert!(Nearest::Lists.searching(1000).contains("nprobe"));
    }
}

//! The collections: chunks that are searched, and pieces that are fetched by their owner.

use std::collections::HashMap;

use ::milvus::v2::types::{
    CollectionSchema, DataType, FieldSchema, Function, FunctionType, IndexParam, IndexType,
    MetricType,
};

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

/// The field of pieces that says nothing.
pub const NOTHING: &str = "nothing";

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
    pub fn searching(self, most: usize) -> HashMap<String, String> {
        match self {
            Nearest::Graph => settings(&[("ef", &(2 * most).clamp(64, 32_768).to_string())]),
            Nearest::Lists => {
                settings(&[("nprobe", "128"), ("rbq_query_bits", "6"), ("refine_k", "4")])
            }
        }
    }

    fn kind(self) -> IndexType {
        match self {
            Nearest::Graph => IndexType::Hnsw,
            Nearest::Lists => IndexType::IvfRabitq,
        }
    }
}

fn settings(pairs: &[(&str, &str)]) -> HashMap<String, String> {
    pairs.iter().map(|(key, value)| ((*key).to_owned(), (*value).to_owned())).collect()
}

/// A collection of chunks with vectors of a width.
pub fn chunks(model: &str, width: usize) -> CollectionSchema {
    let texts =
        [("file", 32), ("slot", 32), ("path", 4096), ("language", 64), ("kind", 32), ("role", 8)];
    let mut fields = vec![
        text("id", 80).primary_key(true),
        text("shelf", 32).partition_key(true),
        field("holders", DataType::Array)
            .element_type(DataType::Int64)
            .max_capacity(MOST_HOLDERS as u32),
    ];
    fields.extend(texts.map(|(name, length)| text(name, length)));
    fields.extend(["chunk", "first", "last"].map(|name| field(name, DataType::Int64)));
    fields.push(field(MEANING, DataType::FloatVector).dimension(width as u32));
    for (name, index) in WORDS {
        let words = text(name, MOST_TEXT as u32).enable_analyzer(true);
        fields.push(words.type_param("analyzer_params", r#"{"tokenizer":"standard"}"#));
        fields.push(field(index, DataType::SparseFloatVector));
    }
    let functions = WORDS.map(|(name, index)| {
        let function = Function::new().name(format!("{name}_function"));
        function.function_type(FunctionType::Bm25).input_fields([name]).output_fields([index])
    });
    let schema = CollectionSchema::new().description(description(model));
    schema.fields(fields).functions(functions.to_vec())
}

/// A collection of pieces. The engine wants a vector of each; theirs says nothing.
pub fn pieces(model: &str) -> CollectionSchema {
    CollectionSchema::new().description(description(model)).fields(vec![
        text("id", 80).primary_key(true),
        text("owner", 64),
        field("part", DataType::Int64),
        field("parts", DataType::Int64),
        text("piece", MOST_TEXT as u32),
        field(NOTHING, DataType::FloatVector).dimension(2),
    ])
}

/// What makes the index of a field of words.
pub fn words_index(of: &str) -> IndexParam {
    index(of, IndexType::SparseInvertedIndex, MetricType::Bm25, "{}")
}

/// What makes the index of vectors.
pub fn meaning_index(nearest: Nearest) -> IndexParam {
    index(MEANING, nearest.kind(), MetricType::Cosine, nearest.making())
}

/// What makes the index of vectors that say nothing.
pub fn nothing_index() -> IndexParam {
    index(NOTHING, IndexType::Flat, MetricType::L2, "{}")
}

fn index(of: &str, kind: IndexType, metric: MetricType, params: &str) -> IndexParam {
    IndexParam::new()
        .field_name(of)
        .index_name(of)
        .index_type(kind)
        .metric_type(metric)
        .extra_params(settings(&[("params", params)]))
}

fn field(name: &str, kind: DataType) -> FieldSchema {
    FieldSchema::new().name(name).data_type(kind)
}

fn text(name: &str, length: u32) -> FieldSchema {
    field(name, DataType::VarChar).max_length(length)
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
        assert_eq!(Nearest::Graph.searching(10)["ef"], "64");
        assert_eq!(Nearest::Graph.searching(1000)["ef"], "2000");
        assert!(Nearest::Lists.searching(1000).contains_key("nprobe"));
    }
}

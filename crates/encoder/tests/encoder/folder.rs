//! Models in a folder: a small one that is whole, and every way it can be broken.

use std::fs;

use serde_json::{Value, json};
use tempfile::TempDir;
use wherein_encoder::{Model, Side};

use crate::refused;

const HIDDEN: usize = 32;
const INNER: usize = 48;

/// A folder about to be written.
struct Folder {
    config: Value,
    tokenizer: Value,
    tensors: Vec<(String, Vec<usize>)>,
    /// The type all tensors are said to have.
    kind: &'static str,
    /// Bytes missing at the end of the weights.
    missing: usize,
    /// A file that is not written.
    without: &'static str,
}

impl Folder {
    fn whole() -> Folder {
        Folder {
            config: json!({
                "hidden_size": HIDDEN, "num_attention_heads": 2, "num_hidden_layers": 1,
                "intermediate_size": INNER, "max_position_embeddings": 8, "vocab_size": 4,
                "layer_norm_eps": 1e-12, "hidden_act": "gelu",
            }),
            tokenizer: json!({"model": {"vocab": {"[UNK]": 0, "[CLS]": 1, "[SEP]": 2, "a": 3}}}),
            tensors: tensors(),
            kind: "F32",
            missing: 0,
            without: "",
        }
    }

    fn write(&self) -> TempDir {
        let folder = tempfile::tempdir().unwrap();
        let files = [
            ("config.json", self.config.to_string().into_bytes()),
            ("tokenizer.json", self.tokenizer.to_string().into_bytes()),
            ("model.safetensors", self.weights()),
        ];
        for (name, bytes) in files.iter().filter(|(name, _)| *name != self.without) {
            fs::write(folder.path().join(name), bytes).unwrap();
        }
        folder
    }

    /// Header and data of a safetensors file, the numbers small and all different.
    fn weights(&self) -> Vec<u8> {
        let (mut listed, mut data) = (serde_json::Map::new(), Vec::new());
        for (name, shape) in &self.tensors {
            let start = data.len();
            for n in 0..shape.iter().product() {
                data.extend((((start + n) as f32).sin() * 0.1).to_le_bytes());
            }
            let entry =
                json!({"dtype": self.kind, "shape": shape, "data_offsets": [start, data.len()]});
            listed.insert(name.clone(), entry);
        }
        let header = Value::Object(listed).to_string();
        let mut bytes = (header.len() as u64).to_le_bytes().to_vec();
        bytes.extend(header.bytes().chain(data));
        bytes.truncate(bytes.len() - self.missing);
        bytes
    }
}

fn tensors() -> Vec<(String, Vec<usize>)> {
    let mut tensors = vec![
        ("embeddings.word_embeddings.weight".to_owned(), vec![4, HIDDEN]),
        ("embeddings.position_embeddings.weight".to_owned(), vec![8, HIDDEN]),
        ("embeddings.token_type_embeddings.weight".to_owned(), vec![2, HIDDEN]),
    ];
    let mut add = |name: &str, shape: &[usize]| {
        tensors.push((format!("{name}.weight"), shape.to_vec()));
        tensors.push((format!("{name}.bias"), shape[..1].to_vec()));
    };
    add("embeddings.LayerNorm", &[HIDDEN]);
    for part in ["self.query", "self.key", "self.value", "output.dense"] {
        add(&format!("encoder.layer.0.attention.{part}"), &[HIDDEN, HIDDEN]);
    }
    add("encoder.layer.0.attention.output.LayerNorm", &[HIDDEN]);
    add("encoder.layer.0.intermediate.dense", &[INNER, HIDDEN]);
    add("encoder.layer.0.output.dense", &[HIDDEN, INNER]);
    add("encoder.layer.0.output.LayerNorm", &[HIDDEN]);
    tensors
}

/// Breaks a whole folder and expects the reason.
#[track_caller]
fn check(because: &str, change: impl FnOnce(&mut Folder)) {
    let mut folder = Folder::whole();
    change(&mut folder);
    let folder = folder.write();
    let encoded =
        Model::in_folder(folder.path()).and_then(|model| model.encode(&["a b a"], Side::Passage));
    refused(encoded, because);
}

#[test]
fn a_whole_folder_is_a_model_that_reads_to_its_last_position() {
    let folder = Folder::whole().write();
    let model = Model::in_folder(folder.path()).unwrap();
    let vectors = model.encode(&["a", "", &"a ".repeat(100)], Side::Passage).unwrap();
    assert!(vectors.iter().all(|vector| vector.len() == HIDDEN));
    assert!(model.judge("a", &["a"]).unwrap().is_none(), "it has no judge");
}

#[test]
fn a_file_that_is_missing_or_no_json_is_named() {
    check("cannot read", |folder| folder.without = "model.safetensors");
    check("config.json", |folder| folder.without = "config.json");
    check("tokenizer.json", |folder| folder.without = "tokenizer.json");
    check("config.json: invalid type", |folder| folder.config = json!("a text"));
    check("no WordPiece vocabulary", |folder| folder.tokenizer = json!({"model": {}}));
}

#[test]
fn a_vocabulary_that_does_not_fit_is_refused() {
    let vocabulary = |folder: &mut Folder, vocabulary: Value| {
        folder.tokenizer = json!({"model": {"vocab": vocabulary}});
    };
    check("3 tokens but 4 word embeddings", |folder| {
        vocabulary(folder, json!({"[UNK]": 0, "[CLS]": 1, "[SEP]": 2}));
    });
    check("with gaps", |folder| {
        vocabulary(folder, json!({"[UNK]": 0, "[CLS]": 1, "[SEP]": 2, "a": 4}));
    });
    check("lacks [UNK], [CLS] or [SEP]", |folder| {
        vocabulary(folder, json!({"[UNK]": 0, "[CLS]": 1, "b": 2, "a": 3}));
    });
}

#[test]
fn a_shape_the_kernels_cannot_run_is_refused() {
    let with =
        |name: &'static str, value: Value| move |folder: &mut Folder| folder.config[name] = value;
    check("widths must be multiples of 16", with("hidden_size", json!(40)));
    check("widths must be multiples of 16", with("hidden_size", json!(0)));
    check("widths must be multiples of 16", with("intermediate_size", json!(u64::MAX)));
    check("3 heads in a width of 32", with("num_attention_heads", json!(3)));
    check("4 heads in a width of 32", with("num_attention_heads", json!(4)));
    check("0 heads in a width of 32", with("num_attention_heads", json!(0)));
    check("no room for a text", with("max_position_embeddings", json!(1)));
    check("activation 'relu'", with("hidden_act", json!("relu")));
    check("'relative_key'", with("position_embedding_type", json!("relative_key")));
}

#[test]
fn weights_of_another_shape_are_refused() {
    check("word_embeddings.weight has 128 values instead of 256", |folder| {
        folder.config["hidden_size"] = json!(64);
    });
    check("position_embeddings.weight has 256 values instead of 512", |folder| {
        folder.config["max_position_embeddings"] = json!(16);
    });
    check("encoder.layer.0.intermediate.dense.weight has 1536 values", |folder| {
        folder.config["intermediate_size"] = json!(64);
    });
    check("no tensor encoder.layer.1.attention.self.query.weight", |folder| {
        folder.config["num_hidden_layers"] = json!(2);
    });
    check("no tensor embeddings.word_embeddings.weight of floats", |folder| folder.kind = "I64");
}

#[test]
fn weights_cut_short_anywhere_are_refused() {
    let whole = Folder::whole().weights().len();
    for left in [0, 7, 8, 100, whole / 2, whole - 1] {
        check("model.safetensors is cut short", |folder| folder.missing = whole - left);
    }
}

//! The encoder as its users see it: the built-in model, and what happens to broken ones.

use serde::Deserialize;
use wherein_encoder::{Error, Level, ModelFile, built_in, convert};

#[derive(Deserialize)]
struct Parity {
    text: String,
    vector: Vec<f32>,
}

fn parity() -> Vec<Parity> {
    let lines = include_str!("parity.jsonl").lines();
    lines
        .map(|line| serde_json::from_str(line).expect("each line is a text and its vector"))
        .collect()
}

fn cosine(a: &[f32], b: &[f32]) -> f32 {
    a.iter().zip(b).map(|(x, y)| x * y).sum()
}

#[test]
fn the_built_in_model_reproduces_the_trained_vectors_on_every_instruction_set() {
    let expected = parity();
    let texts: Vec<&str> = expected.iter().map(|parity| parity.text.as_str()).collect();
    for level in Level::available() {
        let vectors = built_in().unwrap().at(level).encode_up_to(&texts, 128);
        for (found, expected) in vectors.iter().zip(&expected) {
            let cosine = cosine(found, &expected.vector);
            assert!(cosine > 0.99, "{level:?} {:?}: cosine {cosine}", expected.text);
        }
    }
}

#[test]
fn a_vector_does_not_depend_on_the_texts_encoded_with_it() {
    let model = built_in().unwrap();
    let texts =
        ["retry the upload", "fn main() {}", "a much longer text about nothing in particular"];
    let together = model.encode_up_to(&texts, 64);
    for (text, vector) in texts.iter().zip(&together) {
        assert_eq!(&model.encode_up_to(&[text], 64)[0], vector, "{text}");
    }
}

#[test]
fn texts_that_mean_the_same_are_nearer_than_others() {
    let model = built_in().unwrap();
    let texts = [
        "retry a failed upload with exponential backoff",
        "def upload(path):\n    for attempt in range(5):\n        try:\n            return send(path)\n        except IOError:\n            sleep(2 ** attempt)",
        "def area(circle):\n    return math.pi * circle.radius ** 2",
    ];
    let vectors = model.encode_up_to(&texts, 128);
    assert!(cosine(&vectors[0], &vectors[1]) > cosine(&vectors[0], &vectors[2]) + 0.2);
}

#[test]
fn nothing_in_gives_nothing_out() {
    assert!(built_in().unwrap().encode_up_to(&[], 128).is_empty());
}

#[track_caller]
fn refused(result: Result<impl Sized, Error>, because: &str) {
    let error = result.err().expect("it must be refused").to_string();
    assert!(error.contains(because), "{error}");
}

#[test]
fn a_damaged_model_file_is_refused_with_the_reason() {
    let bytes = include_bytes!("../../models/small.model").to_vec();
    refused(ModelFile::checked(b"not a model at all, just text"), "not a model file");
    refused(ModelFile::checked(&bytes[..bytes.len() - 1]), "cut short");
    refused(ModelFile::checked(&bytes[..40]), "cut short");
    let mut flipped = bytes.clone();
    flipped[1_000_000] ^= 1;
    refused(ModelFile::checked(&flipped), "checksum");
    assert!(ModelFile::checked(&bytes).is_ok());
}

#[test]
fn a_folder_of_another_shape_is_refused_with_the_reason() {
    let folder = tempfile::tempdir().unwrap();
    refused(convert(folder.path(), "x"), "config.json");
    let config = |head: usize, act: &str| {
        format!(
            r#"{{"hidden_size": {}, "num_attention_heads": 2, "num_hidden_layers": 1,
            "intermediate_size": 64, "max_position_embeddings": 8, "vocab_size": 3,
            "layer_norm_eps": 1e-12, "hidden_act": "{act}"}}"#,
            2 * head
        )
    };
    let write = |name: &str, text: &str| std::fs::write(folder.path().join(name), text).unwrap();
    write("config.json", &config(20, "gelu"));
    refused(convert(folder.path(), "x"), "heads of 20 dimensions");
    write("config.json", &config(32, "relu"));
    refused(convert(folder.path(), "x"), "activation 'relu'");
    write("config.json", &config(32, "gelu"));
    write("tokenizer.json", r#"{"model": {"vocab": {"[UNK]": 0, "[CLS]": 1, "[SEP]": 2}}}"#);
    write("model.safetensors", "short");
    refused(convert(folder.path(), "x"), "cut short");
    let header = b"{}";
    let mut file = (header.len() as u64).to_le_bytes().to_vec();
    file.extend_from_slice(header);
    std::fs::write(folder.path().join("model.safetensors"), file).unwrap();
    refused(convert(folder.path(), "x"), "no tensor embeddings.word_embeddings.weight");
}

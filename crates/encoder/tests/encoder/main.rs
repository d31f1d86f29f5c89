//! The encoder as its users see it: the built-in model, and what happens to broken ones.

use serde::Deserialize;
use wherein_encoder::{Bert, Error, GLANCE, Level, ModelFile, built_in};

mod folder;

#[derive(Deserialize)]
struct Parity {
    text: String,
    vector: Vec<f32>,
    /// The same from the quick layers.
    quick: Vec<f32>,
    /// How well the text answers the first one.
    judged: f32,
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
        let model = built_in().unwrap().at(level);
        let (whole, quick) =
            (model.encode_up_to(&texts, 128), model.encode_quickly(&texts, GLANCE));
        for ((whole, quick), expected) in whole.iter().zip(&quick).zip(&expected) {
            for (found, trained) in [(whole, &expected.vector), (quick, &expected.quick)] {
                let cosine = cosine(found, trained);
                assert!(cosine > 0.99, "{level:?} {:?}: cosine {cosine}", expected.text);
            }
        }
    }
}

#[test]
fn the_judge_says_what_it_was_trained_to_say_on_every_instruction_set() {
    let expected = parity();
    let texts: Vec<&str> = expected.iter().map(|parity| parity.text.as_str()).collect();
    for level in Level::available() {
        let found = built_in().unwrap().at(level).judge(texts[0], 64, &texts, GLANCE).unwrap();
        for (found, expected) in found.iter().zip(&expected) {
            let off = (found - expected.judged).abs();
            assert!(off < 0.3, "{level:?} {:?}: {found} for {}", expected.text, expected.judged);
        }
    }
}

#[test]
fn a_judge_tells_an_answer_from_what_speaks_of_the_same_things() {
    let model = built_in().unwrap();
    let question = "where is a failed upload tried again";
    let passages = [
        "def upload(path):\n    for attempt in range(5):\n        try:\n            return send(path)\n        except IOError:\n            sleep(2 ** attempt)",
        "def upload_size(path):\n    return os.stat(path).st_size",
    ];
    let both = model.judge(question, 64, &passages, GLANCE).unwrap();
    assert!(both[0] > both[1] + 1.0, "{both:?}");
    for (passage, together) in passages.iter().zip(&both) {
        assert_eq!(model.judge(question, 64, &[passage], GLANCE).unwrap(), [*together]);
    }
    assert!(model.judge("", 64, &[""], GLANCE).unwrap()[0].is_finite());
    assert!(model.judge(question, 64, &[], GLANCE).unwrap().is_empty());
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

/// The built-in model after a change, with the digest of what it then holds.
fn changed(change: impl FnOnce(&mut Vec<u8>)) -> &'static [u8] {
    let mut bytes = include_bytes!("../../models/small.model").to_vec();
    change(&mut bytes);
    let length = (bytes.len() - PREFIX) as u64;
    bytes[16..24].copy_from_slice(&length.to_le_bytes());
    let digest = blake3::hash(&bytes[PREFIX..]);
    bytes[24..PREFIX].copy_from_slice(digest.as_bytes());
    bytes.leak()
}

/// Magic, length and digest.
const PREFIX: usize = 56;

#[test]
fn a_damaged_model_file_is_refused_with_the_reason() {
    let bytes = include_bytes!("../../models/small.model").to_vec();
    refused(ModelFile::checked(b""), "not a model file");
    refused(ModelFile::checked(b"not a model at all, just text"), "not a model file");
    refused(ModelFile::checked(b"wherein model 1\nand an older one"), "not a model file");
    for length in [16, 23, 40, 56, 1_000, bytes.len() - 1] {
        refused(ModelFile::checked(&bytes[..length]), "cut short");
    }
    for at in [30, 60, 1_000_000, bytes.len() - 1] {
        let mut flipped = bytes.clone();
        flipped[at] ^= 1;
        refused(ModelFile::checked(&flipped), "checksum");
    }
    assert!(ModelFile::checked(&bytes).is_ok());
}

#[test]
fn a_whole_file_of_the_wrong_content_is_refused_with_the_reason() {
    let load = |bytes: &'static [u8]| ModelFile::checked(bytes).and_then(|file| Bert::load(&file));
    assert!(load(changed(|_| {})).is_ok());
    refused(load(changed(|bytes| bytes.truncate(PREFIX))), "bad header");
    refused(load(changed(|bytes| bytes.truncate(PREFIX + 20))), "bad header");
    refused(load(changed(|bytes| bytes.truncate(10_000_000))), "a tensor lies outside the file");
    // The header begins with the length of the name, the name, then the hidden width.
    let name = "wherein".len();
    let width = PREFIX + 1 + name;
    refused(load(changed(|bytes| bytes[width] ^= 1)), "its widths must be multiples of 16");
    // 384 becomes 400: a multiple still, but not of twelve heads.
    refused(load(changed(|bytes| bytes[width] ^= 0x10)), "12 heads in a width of 400");
    // Eleven heads, then thirteen, do not divide 384; six heads of 64 would be another model.
    refused(load(changed(|bytes| bytes[width + 2] = 11)), "11 heads in a width of 384");
    refused(load(changed(|bytes| bytes[width + 2] = 0)), "0 heads");
}

//! Python read by hand against Python read by the grammar: node for node the same, or left to it.
//!
//! `tests/python/read.txt` holds what must be read by hand, `left.txt` what must not be, because the
//! grammar calls it an error or reads it in its own way; a line of dashes stands between two texts.

use std::fs;
use std::path::{Path, PathBuf};

use proptest::prelude::*;
use wherein_corpus::{Language, Syntax, read_python, syntax};

use crate::mangle;

fn by_grammar(text: &str) -> Option<Syntax> {
    let (tree, _) = syntax(text, Language::named("python").unwrap())?;
    Some(Syntax::of(&tree))
}

fn folder(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(path)
}

fn sample() -> String {
    fs::read_to_string(folder("tests/samples/python/sample.py")).unwrap()
}

/// The texts of one of the two files.
fn texts(name: &str) -> Vec<String> {
    let file = fs::read_to_string(folder("tests/python").join(name)).unwrap();
    file.split("----\n").map(str::to_owned).collect()
}

#[track_caller]
fn check_read(text: &str, what: &str) {
    let ours = read_python(text);
    assert!(ours.is_some(), "not read by hand: {what}");
    assert!(ours == by_grammar(text), "not as the grammar reads it: {what}");
}

/// Where a text is read by hand it is read right.
fn is_right_or_left(text: &str) -> bool {
    read_python(text).is_none_or(|ours| Some(ours) == by_grammar(text))
}

#[test]
fn every_form_is_read_as_the_grammar_reads_it() {
    for text in texts("read.txt") {
        check_read(&text, &text);
        check_read(text.trim_end(), &text);
        check_read(&text.replace('\n', "\r\n"), &text);
    }
}

#[test]
fn what_is_in_doubt_is_left_to_the_grammar() {
    for text in texts("left.txt") {
        assert!(read_python(&text).is_none(), "{text}");
    }
}

#[test]
fn python_of_the_project_is_read_by_hand() {
    check_read(&sample(), "the sample");
    let mut folders = vec![folder("../../training")];
    let mut count = 0;
    while let Some(folder) = folders.pop() {
        for path in fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "py") {
                check_read(&fs::read_to_string(&path).unwrap(), &path.display().to_string());
                count += 1;
            }
        }
    }
    assert!(count > 10, "{count} files");
}

#[test]
fn nesting_nobody_writes_is_left_to_the_grammar() {
    const MANY: usize = 100_000;
    for (open, close) in
        [("(", ")"), ("[", "]"), ("{", "}"), ("-", "1"), ("f(", ")"), ("not ", "a")]
    {
        let text =
            open.repeat(MANY) + &close.repeat(if close.len() + open.len() > 2 { 1 } else { MANY });
        assert!(read_python(&text).is_none(), "{open}");
    }
    for part in ["a if b else ", "a = ", "lambda: ", "f\"{", "x[", "if a:", "a: b["] {
        assert!(read_python(&part.repeat(MANY)).is_none(), "{part}");
    }
}

#[test]
fn long_chains_are_read() {
    for part in [".a", "(b)", " + a", "[0]", ", a", " and a", "\nb = 1", "; b"] {
        check_read(&format!("a{}\n", part.repeat(2_000)), part);
    }
}

#[test]
fn shuffled_text_is_read_right_or_left() {
    mangle::check(300, &sample(), "python", |text, _| {
        prop_assert!(is_right_or_left(text));
        Ok(())
    });
}

/// What is put in, or taken out, where someone is typing.
const EDITS: [&str; 30] = [
    "(", ")", "[", "]", "{", "}", "\"", "'", "\"\"\"", ":", ",", "=", "\n", "    ", "\t", "#",
    "\\", "*", "**", ".", " in ", " if x ", " else ", "lambda ", "; ", "@", "f\"", " as b",
    "yield ", "\r",
];

#[test]
fn text_being_edited_is_read_right_or_left() {
    let sample = sample();
    let places = (0..sample.len()).filter(|&at| sample.is_char_boundary(at));
    for (number, at) in places.enumerate() {
        let edit = EDITS[number % EDITS.len()];
        let inserted = format!("{}{edit}{}", &sample[..at], &sample[at..]);
        let rest = &sample[sample.ceil_char_boundary(at + 1 + number % 3)..];
        let deleted = format!("{}{rest}", &sample[..at]);
        for text in [&inserted, &deleted, &sample[..at]] {
            assert!(is_right_or_left(text), "byte {at}, {edit:?}: {text}");
        }
    }
}

//! Each language finds in its sample what `expected.txt` says.
//!
//! After a change of a query or of the parser, `UPDATE_EXPECTED=1` writes the files anew; the
//! difference is then read line by line before it is kept.

use std::collections::BTreeSet;
use std::fs;

use wherein_corpus::{ChunkSize, Language, Lines, Reading, parse};

use crate::describe::describe;
use crate::samples::{self, Sample};

/// Says how a sample's parse differs from what is expected, if it does.
fn check(sample: &Sample) -> Option<String> {
    let parsed = parse(&Lines::of(&sample.text), sample.language, ChunkSize::default());
    let found = describe(&parsed);
    if std::env::var_os("UPDATE_EXPECTED").is_some() {
        fs::write(&sample.expected, &found).unwrap();
    }
    let expected = fs::read_to_string(&sample.expected).unwrap_or_default();
    (found != expected).then(|| difference(sample.language, &expected, &found))
}

fn difference(language: &Language, expected: &str, found: &str) -> String {
    let only = |mark: char, these: &str, others: &str| -> String {
        let others: BTreeSet<&str> = others.lines().collect();
        let lines = these.lines().filter(|line| !others.contains(line));
        lines.map(|line| format!("  {mark} {line}\n")).collect()
    };
    format!("{language:?}\n{}{}", only('-', expected, found), only('+', found, expected))
}

#[test]
fn every_sample_is_read_as_expected() {
    let differences: Vec<String> = samples::all().iter().filter_map(check).collect();
    assert!(differences.is_empty(), "{}", differences.concat());
}

#[test]
fn every_language_with_symbols_has_a_sample() {
    let sampled: Vec<&str> = samples::all().iter().map(|sample| sample.language.name).collect();
    for language in Language::all().iter().filter(|l| l.reading != Reading::Paragraphs) {
        assert!(sampled.contains(&language.name), "no sample for {language:?}");
    }
}

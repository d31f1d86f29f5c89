//! From the file of questions to questions, and what must hold of them.

use std::collections::BTreeSet;
use std::fs;
use std::path::PathBuf;

use serde::Deserialize;

/// One question about one tree.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Question {
    pub id: String,
    /// A folder under `golden/trees`.
    pub tree: String,
    pub query: String,
    /// What sort of thing was typed: a question, an identifier, a stack trace.
    pub kind: String,
    /// The places that answer; one is enough.
    pub truth: Vec<Truth>,
}

/// Lines that answer a question.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Truth {
    pub path: String,
    pub start_line: u32,
    pub end_line: u32,
    /// 2 for the answer itself, 1 for what leads to it.
    pub grade: u8,
    /// What stands on the first line, so that an edit of the tree that moves it is noticed.
    pub anchor: String,
}

impl Truth {
    /// Whether lines of a file and these have any in common.
    pub fn touches(&self, path: &str, start_line: u32, end_line: u32) -> bool {
        self.path == path && self.start_line <= end_line && start_line <= self.end_line
    }
}

/// The folder everything is in.
pub fn folder() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("golden")
}

/// Every question, in the order of the file.
pub fn all() -> Vec<Question> {
    let text = fs::read_to_string(folder().join("questions.jsonl")).expect("questions.jsonl");
    let read = |(number, line): (usize, &str)| {
        serde_json::from_str(line)
            .unwrap_or_else(|error| panic!("questions.jsonl:{}: {error}", number + 1))
    };
    text.lines().enumerate().map(read).collect()
}

/// What is wrong with a place, if anything.
fn fault(tree: &str, truth: &Truth) -> Option<String> {
    let path = folder().join("trees").join(tree).join(&truth.path);
    let Ok(text) = fs::read_to_string(&path) else {
        return Some(format!("{} cannot be read", path.display()));
    };
    let lines: Vec<&str> = text.lines().collect();
    let (start, end) = (truth.start_line as usize, truth.end_line as usize);
    if start < 1 || end < start || end > lines.len() {
        return Some(format!("{}:{start}-{end} is not within 1-{}", truth.path, lines.len()));
    }
    let first = lines[start - 1].trim();
    if first != truth.anchor || first.is_empty() {
        return Some(format!("{}:{start} is {first:?}, not {:?}", truth.path, truth.anchor));
    }
    (!(1..=2).contains(&truth.grade)).then(|| format!("{}: grade {}", truth.path, truth.grade))
}

#[test]
fn every_answer_stands_where_the_question_says() {
    let faults: Vec<String> = all()
        .iter()
        .flat_map(|question| {
            let faults = question.truth.iter().filter_map(|truth| fault(&question.tree, truth));
            faults.map(|fault| format!("{}: {fault}", question.id)).collect::<Vec<_>>()
        })
        .collect();
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn every_question_has_an_id_of_its_own_and_an_answer() {
    let questions = all();
    let ids: BTreeSet<&str> = questions.iter().map(|question| question.id.as_str()).collect();
    assert_eq!(ids.len(), questions.len());
    let unanswered: Vec<_> = questions.iter().filter(|q| q.truth.is_empty()).collect();
    assert!(unanswered.is_empty(), "{unanswered:?}");
}

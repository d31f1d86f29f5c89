//! `spans`: which lines answer. CSV `query,result1,result2,result3`, each result
//! `path:start-end:grade`; one tree.
//!
//! A hit is right if its path is and any of its lines is. Long results therefore win for free:
//! the mean length stands beside the score, and so does an NDCG that counts every target once.

use std::path::Path;

use wherein_engine::search::query::Query;

use crate::error::{Error, Result};
use crate::input;
use crate::metrics::{Judged, mean_length};
use crate::question::{MeanOver, Origin, Pace, Question, QuestionSet, Scores, Span, Target};
use crate::searcher::Hit;
use crate::summary::LENGTH;

/// The metric that `--min-hit5` looks at.
pub const HIT5: &str = "hit@5";

/// Reads a file of questions about the tree at `tree`.
pub fn read(file: &Path, tree: &Path) -> Result<QuestionSet> {
    let text = input::text(file)?;
    let mut reader = csv::ReaderBuilder::new().flexible(true).from_reader(text.as_bytes());
    let here = |line: u64| Origin { file: file.to_owned(), line: line as usize };
    let header = reader.headers().map_err(|error| wrong(here(1), HEADER, error.to_string()))?;
    if !is_header(header) {
        return Err(wrong(here(1), HEADER, Vec::from_iter(header).join(",")));
    }
    let mut questions = Vec::new();
    for record in reader.records() {
        let record = record.map_err(|error| {
            let line = error.position().map_or(1, csv::Position::line);
            wrong(here(line), ROW, error.to_string())
        })?;
        let origin = here(record.position().map_or(1, csv::Position::line));
        questions.push(question(&record, origin, tree)?);
    }
    if questions.is_empty() {
        return Err(Error::Empty { path: file.to_owned(), expected: ROW });
    }
    Ok(QuestionSet {
        protocol: "spans",
        questions,
        score,
        headline: "ndcg@10",
        mean_over: MeanOver::Questions,
        group_is: "file",
        pace: Pace::Together,
        notes: vec![
            "Any common line makes a hit right, so long results score for free: see length.".into(),
            "ndcg@10 as published counts a target once for every hit in it; ndcg@10-once does not."
                .into(),
        ],
    })
}

/// The published scorer looks at twenty results; only its MRR reaches beyond the tenth.
const LIST: usize = 20;

const HEADER: &str = "the header query,result1,result2,…";
const ROW: &str = "row query,path:start-end:grade,…";

fn is_header(header: &csv::StringRecord) -> bool {
    let is_result = |(number, name): (usize, &str)| name.trim() == format!("result{}", number + 1);
    header.get(0).map(str::trim) == Some("query")
        && header.len() > 1
        && header.iter().skip(1).enumerate().all(is_result)
}

/// The line number is the id: a file may ask the same thing twice.
fn question(record: &csv::StringRecord, origin: Origin, tree: &Path) -> Result<Question> {
    let text = record.get(0).unwrap_or_default().trim();
    if text.is_empty() {
        return Err(wrong(origin, "a question in the first column", "nothing".to_owned()));
    }
    let mut expected = Vec::new();
    for cell in record.iter().skip(1).map(str::trim).filter(|cell| !cell.is_empty()) {
        let found = || format!("'{cell}'");
        expected.push(target(cell).ok_or_else(|| wrong(origin.clone(), CELL, found()))?);
    }
    if expected.is_empty() {
        return Err(wrong(origin, "at least one result path:start-end:grade", "none".to_owned()));
    }
    let name = origin.file.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    Ok(Question {
        id: format!("{name}:{}", origin.line),
        group: name,
        origin,
        tags: Vec::new(),
        root: tree.to_owned(),
        queries: vec![Query { limit: LIST, ..Query::new(text) }],
        expected,
        ignored: Vec::new(),
    })
}

const CELL: &str = "path:start-end:grade with 1 ≤ start ≤ end and a grade above 0";

fn target(cell: &str) -> Option<Target> {
    let mut parts = cell.rsplitn(3, ':');
    let (grade, lines, path) = (parts.next()?, parts.next()?, parts.next()?);
    let (start, end) = lines.split_once('-')?;
    let (start, end): (u32, u32) = (start.trim().parse().ok()?, end.trim().parse().ok()?);
    let grade: f64 = grade.trim().parse().ok()?;
    let sound = !path.is_empty() && 1 <= start && start <= end && grade > 0.0;
    sound.then(|| Target { span: Span { path: path.to_owned(), lines: Some((start, end)) }, grade })
}

fn wrong(origin: Origin, expected: &str, found: String) -> Error {
    let Origin { file, line } = origin;
    Error::Row { file, line, expected: expected.to_owned(), found }
}

fn score(question: &Question, lists: &[Vec<Hit>]) -> Scores {
    let judged = Judged::new(&question.expected, &lists[0]);
    Scores {
        first: judged.first(),
        values: vec![
            ("hit@1", Some(judged.hit(1))),
            (HIT5, Some(judged.hit(5))),
            ("hit@10", Some(judged.hit(10))),
            ("mrr@10", Some(judged.reciprocal(10))),
            ("mrr@20", Some(judged.reciprocal(LIST))),
            ("ndcg@10", Some(judged.ndcg(10))),
            ("ndcg@10-once", Some(judged.ndcg_once(10))),
            ("recall@5", Some(judged.recall(5))),
            ("recall@10", Some(judged.recall(10))),
            (LENGTH, mean_length(&lists[0][..lists[0].len().min(10)])),
        ],
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::protocol::samples::{check, check_error, file, folder, hit};

    fn set(content: &str) -> Result<QuestionSet> {
        let folder = folder(&[("code.csv", content)]);
        read(&file(&folder, "code.csv"), folder.path())
    }

    const EXAMPLE: &str = "query,result1,result2,result3\n\
        how,fileA:10-50:2,fileB:20-30:1,\n\
        \"who, then\",a:b.rs:1-1:1,,\n";

    #[test]
    fn the_worked_example_scores_as_published() {
        let set = set(EXAMPLE).unwrap();
        let list = vec![hit("fileC", 1, 10), hit("fileA", 30, 60), hit("fileB", 25, 35)];
        check(
            &set,
            0,
            &[list],
            &[
                ("hit@1", 0.0),
                ("hit@5", 1.0),
                ("mrr@10", 0.5),
                ("ndcg@10", 0.67),
                ("ndcg@10-once", 0.67),
                ("recall@10", 1.0),
                ("length", 17.33),
            ],
        );
    }

    #[test]
    fn paths_may_hold_colons_and_questions_commas() {
        let set = set(EXAMPLE).unwrap();
        let question = &set.questions[1];
        assert_eq!(question.queries[0].text, "who, then");
        assert_eq!(question.expected[0].span.label(), "a:b.rs:1-1");
        assert_eq!((question.id.as_str(), question.group.as_str()), ("code:3", "code"));
    }

    #[test]
    fn anything_else_is_refused_with_its_line() {
        let header = "query,result1\n";
        check_error(set("question,answer\na,b\n"), "code.csv:1: expected the header");
        check_error(set(header), "expected at least one row query");
        check_error(
            set(&format!("{header}q,a.rs:1-2:1\nq,a.rs:1-2\n")),
            "code.csv:3: expected path",
        );
        check_error(set(&format!("{header}q,a.rs:5-2:1\n")), "found 'a.rs:5-2:1'");
        check_error(set(&format!("{header}q,a.rs:0-2:1\n")), "found 'a.rs:0-2:1'");
        check_error(set(&format!("{header}q,a.rs:1-2:0\n")), "found 'a.rs:1-2:0'");
        check_error(set(&format!("{header}q,\n")), "code.csv:2: expected at least one result");
        check_error(set(&format!("{header},a.rs:1-2:1\n")), "code.csv:2: expected a question");
    }
}

//! `rubric`: points for presence. A JSON array of `{"id", "query", "expected_files", "tier"}`;
//! one tree; ten slots of chunks.

use std::path::Path;

use serde::Deserialize;
use serde_json::Value;
use wherein_engine::search::query::Query;

use crate::error::Result;
use crate::input::{self, Row};
use crate::metrics::{Judged, rubric_points};
use crate::protocol::whole_files;
use crate::question::{MeanOver, Pace, Question, QuestionSet, Scores};
use crate::searcher::Hit;

#[derive(Debug, Deserialize)]
struct Asked {
    id: String,
    query: String,
    expected_files: Vec<String>,
    tier: Option<Value>,
}

const ROW: &str = "entry {\"id\", \"query\", \"expected_files\": [path, …]}";

/// Reads a file of questions about the tree at `tree`.
pub fn read(file: &Path, tree: &Path) -> Result<QuestionSet> {
    let rows: Vec<Row<Asked>> = input::json_array(file, ROW)?;
    input::unique(&rows, |row| &row.id)?;
    let questions: Vec<Question> =
        rows.into_iter().map(|row| question(row, tree)).collect::<Result<_>>()?;
    let most = 3 * questions.len();
    Ok(QuestionSet {
        protocol: "rubric",
        questions,
        score,
        headline: "points",
        mean_over: MeanOver::Questions,
        group_is: "tier",
        pace: Pace::Together,
        notes: vec![format!("The sum of points is out of {most}.")],
    })
}

fn question(row: Row<Asked>, tree: &Path) -> Result<Question> {
    if row.value.expected_files.is_empty() {
        return Err(row.wrong("at least one path in \"expected_files\"", "none"));
    }
    let Row { origin, value } = row;
    Ok(Question {
        id: value.id,
        origin,
        group: value.tier.map_or_else(|| "none".to_owned(), |tier| tier.to_string()),
        tags: Vec::new(),
        root: tree.to_owned(),
        queries: vec![Query::new(value.query)],
        expected: whole_files(value.expected_files),
        ignored: Vec::new(),
    })
}

fn score(question: &Question, lists: &[Vec<Hit>]) -> Scores {
    let judged = Judged::new(&question.expected, &lists[0]);
    Scores {
        first: judged.first(),
        values: vec![
            ("points", Some(rubric_points(&judged))),
            ("recall@5", Some(judged.recall(5))),
            ("recall@10", Some(judged.recall(10))),
        ],
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::protocol::samples::{check, check_error, file, files, folder, paths};

    const EXAMPLE: &str = r#"[
 {"id": "T1", "title": "t", "tier": 2, "expected_files": ["a.rs", "b.md"], "query": "q"}
]"#;

    fn set(content: &str) -> Result<QuestionSet> {
        let folder = folder(&[("set.json", content)]);
        read(&file(&folder, "set.json"), folder.path())
    }

    #[test]
    fn slots_are_chunks_not_files() {
        let set = set(EXAMPLE).unwrap();
        assert_eq!(paths(&set.questions[0]), ["a.rs", "b.md"]);
        assert_eq!(set.questions[0].group, "2");
        check(&set, 0, &[files("x a.rs a.rs a.rs b.md")], &[("points", 3.0), ("recall@5", 1.0)]);
        check(&set, 0, &[files("x x x x x a.rs a.rs b.md")], &[("points", 2.0)]);
        check(&set, 0, &[files("x x a.rs")], &[("points", 2.0), ("recall@10", 0.5)]);
        check(&set, 0, &[files("x x x x x a.rs")], &[("points", 1.0)]);
        check(&set, 0, &[files("x")], &[("points", 0.0)]);
    }

    #[test]
    fn bad_entries_are_refused() {
        check_error(set("[]"), "expected at least one entry");
        check_error(set("{}"), "set.json:1: expected a JSON array of entry");
        check_error(set(&EXAMPLE.replace("query", "text")), "set.json:2: expected entry");
        check_error(
            set(&EXAMPLE.replace("\"a.rs\", \"b.md\"", "")),
            "set.json:2: expected at least",
        );
    }
}

//! `evidence`: every file an answer needs. JSON lines with `id`, `dataset`, `question` and
//! `required_evidence[].file`; the tree of a question is the folder named by `dataset`.
//!
//! The published unit is fifty chunks. Fifty chunks of ten files and fifty chunks of fifty files
//! are different things to read, so the same figures stand beside it for distinct files.

use std::path::{Path, PathBuf};

use serde::Deserialize;
use wherein_engine::search::query::{Query, Unit};

use crate::error::{Error, Result};
use crate::input::{self, Row};
use crate::metrics::Judged;
use crate::question::{MeanOver, Pace, Question, QuestionSet, Scores, Span, Target};
use crate::searcher::Hit;

#[derive(Debug, Deserialize)]
struct Asked {
    id: String,
    dataset: String,
    question: String,
    required_evidence: Vec<Evidence>,
}

#[derive(Debug, Deserialize)]
struct Evidence {
    file: String,
    line_range: Option<(u32, u32)>,
}

const ROW: &str = "row {\"id\", \"dataset\", \"question\", \"required_evidence\": [{\"file\"}, …]}";

/// Reads one file of questions, or every `.jsonl` of a folder, about the trees under `trees`.
pub fn read(source: &Path, trees: &Path) -> Result<QuestionSet> {
    let mut rows: Vec<Row<Asked>> = Vec::new();
    for file in files_of(source)? {
        rows.extend(input::json_lines(&file, ROW)?);
    }
    input::unique(&rows, |row| &row.id)?;
    let questions = rows.into_iter().map(|row| question(row, trees));
    Ok(QuestionSet {
        protocol: "evidence",
        questions: questions.collect::<Result<_>>()?,
        score,
        headline: "recall@50-chunks",
        mean_over: MeanOver::Questions,
        group_is: "dataset",
        pace: Pace::Together,
        notes: vec![
            "mrr is the mean over required files of one over the rank of each; the sum of perfect \
             is the number of questions with every file found."
                .into(),
        ],
    })
}

fn files_of(source: &Path) -> Result<Vec<PathBuf>> {
    if !source.is_dir() {
        return Ok(vec![source.to_owned()]);
    }
    let files = input::files_in(source, "jsonl")?;
    if files.is_empty() {
        return Err(Error::Empty { path: source.to_owned(), expected: "file *.jsonl" });
    }
    Ok(files)
}

fn question(row: Row<Asked>, trees: &Path) -> Result<Question> {
    if row.value.required_evidence.is_empty() {
        return Err(row.wrong("at least one file in \"required_evidence\"", "none"));
    }
    let Row { origin, value } = row;
    let target = |evidence: Evidence| Target {
        span: Span { path: evidence.file, lines: evidence.line_range },
        grade: 1.0,
    };
    let query = Query { limit: 50, ..Query::new(value.question) };
    Ok(Question {
        id: value.id,
        origin,
        root: trees.join(&value.dataset),
        group: value.dataset,
        tags: Vec::new(),
        queries: vec![query.clone(), Query { unit: Unit::File, ..query }],
        expected: value.required_evidence.into_iter().map(target).collect(),
        ignored: Vec::new(),
    })
}

fn score(question: &Question, lists: &[Vec<Hit>]) -> Scores {
    let chunks = Judged::new(&question.expected, &lists[0]);
    let files = Judged::new(&question.expected, &lists[1]);
    Scores {
        first: chunks.first(),
        values: vec![
            ("recall@50-chunks", Some(chunks.recall(50))),
            ("perfect@50-chunks", Some(chunks.perfect(50))),
            ("mrr@50-chunks", Some(chunks.reciprocal_of_each(50))),
            ("recall@10-files", Some(files.recall(10))),
            ("perfect@10-files", Some(files.perfect(10))),
            ("mrr@10-files", Some(files.reciprocal_of_each(10))),
            ("recall@50-files", Some(files.recall(50))),
            ("perfect@50-files", Some(files.perfect(50))),
            ("mrr@50-files", Some(files.reciprocal_of_each(50))),
        ],
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::protocol::samples::{check, check_error, file, files, folder, paths};

    const A: &str = r#"{"id":"a-1","dataset":"a","question":"how","required_evidence":[{"file":"x.py"},{"file":"y.py"}],"note":"n"}"#;
    const B: &str =
        r#"{"id":"b-1","dataset":"b","question":"why","required_evidence":[{"file":"z.py"}]}"#;

    #[test]
    fn chunks_and_files_are_scored_beside_each_other() {
        let folder = folder(&[("a.jsonl", A), ("b.jsonl", B), ("repos.json", "[]")]);
        let set = read(folder.path(), folder.path()).unwrap();
        assert_eq!(set.questions.len(), 2);
        assert_eq!(paths(&set.questions[0]), ["x.py", "y.py"]);
        assert!(set.questions[1].root.ends_with("b"));
        let lists = [files("q.py x.py x.py y.py"), files("q.py x.py y.py")];
        check(
            &set,
            0,
            &lists,
            &[
                ("recall@50-chunks", 1.0),
                ("perfect@50-chunks", 1.0),
                ("mrr@50-chunks", 0.375),
                ("mrr@10-files", 0.417),
            ],
        );
        let lists = [files("y.py"), files("y.py")];
        check(&set, 0, &lists, &[("recall@50-chunks", 0.5), ("perfect@50-chunks", 0.0)]);
    }

    #[test]
    fn only_ten_files_count_among_ten() {
        let folder = folder(&[("b.jsonl", B)]);
        let set = read(&file(&folder, "b.jsonl"), folder.path()).unwrap();
        let eleventh = files("a b c d e f g h i j z.py");
        let figures = [("recall@10-files", 0.0), ("mrr@10-files", 0.0), ("recall@50-files", 1.0)];
        check(&set, 0, &[eleventh.clone(), eleventh], &figures);
    }

    #[test]
    fn bad_files_are_refused() {
        let read_one = |content: &str| {
            let folder = folder(&[("a.jsonl", content)]);
            read(folder.path(), folder.path())
        };
        check_error(read_one(&format!("{A}\n{A}")), "a.jsonl:2: expected an id of its own; 'a-1'");
        check_error(
            read_one(&B.replace("{\"file\":\"z.py\"}", "")),
            "a.jsonl:1: expected at least",
        );
        check_error(read_one(&B.replace("file", "path")), "a.jsonl:1: expected row");
        let empty = folder(&[]);
        check_error(read(empty.path(), empty.path()), "expected at least one file *.jsonl");
    }
}

//! `files`: which file is meant. JSON lines `{"id", "repo", "query", "truth"}`; the tree of a
//! question is the folder named by `repo`.
//!
//! Where the query is itself a piece of the file to find, plain scores measure the finding of
//! duplicates. `mask` takes chunks over the query's own lines out of the list, `exclude` the whole
//! file the query comes from.

use std::path::Path;

use serde::Deserialize;
use wherein_engine::search::query::{Query, Unit};

use crate::error::Result;
use crate::input::{self, Row};
use crate::metrics::{Judged, distinct_files};
use crate::protocol::whole_files;
use crate::question::{MeanOver, Pace, Question, QuestionSet, Scores, Span};
use crate::searcher::Hit;

/// What is asked, and what is left aside.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Variant {
    /// Ask with the field `query_nav` instead of `query`.
    pub navigation: bool,
    /// Leave out chunks over the lines of the field `mask`.
    pub mask: bool,
    /// Leave out the file of the field `exclude`.
    pub exclude: bool,
}

#[derive(Debug, Deserialize)]
struct Asked {
    id: String,
    repo: String,
    query: String,
    truth: Vec<String>,
    query_nav: Option<String>,
    mask: Option<(u32, u32)>,
    exclude: Option<String>,
    synthetic: Option<bool>,
}

const ROW: &str = "row {\"id\", \"repo\", \"query\", \"truth\": [path, …]}";

/// How many chunks are looked at when some of them may be left out.
const CHUNKS: usize = 400;

/// Reads a file of questions about the trees under `trees`.
pub fn read(file: &Path, trees: &Path, variant: Variant) -> Result<QuestionSet> {
    let rows: Vec<Row<Asked>> = input::json_lines(file, ROW)?;
    input::unique(&rows, |row| &row.id)?;
    let questions = rows.into_iter().map(|row| question(row, trees, variant));
    Ok(QuestionSet {
        protocol: "files",
        questions: questions.collect::<Result<_>>()?,
        score,
        headline: "recall@5",
        mean_over: MeanOver::Questions,
        group_is: "repository",
        pace: Pace::Together,
        notes: notes(variant),
    })
}

fn notes(variant: Variant) -> Vec<String> {
    let mut notes = Vec::new();
    if !variant.mask && !variant.exclude {
        notes.push(
            "If the query stands in the file to find, this measures the finding of duplicates: \
             see --mask and --exclude."
                .to_owned(),
        );
    }
    if variant.mask {
        notes
            .push(format!("Files are ranked by their best unmasked of the first {CHUNKS} chunks."));
    }
    notes
}

fn question(row: Row<Asked>, trees: &Path, variant: Variant) -> Result<Question> {
    let missing = |field: &str| row.wrong(format!("the field \"{field}\""), "none");
    let asked = &row.value;
    if asked.truth.is_empty() {
        return Err(row.wrong("at least one path in \"truth\"", "none"));
    }
    let text = match &asked.query_nav {
        Some(text) if variant.navigation => text,
        None if variant.navigation => return Err(missing("query_nav")),
        _ => &asked.query,
    };
    let mut ignored = Vec::new();
    if variant.mask {
        let lines = Some(asked.mask.ok_or_else(|| missing("mask"))?);
        ignored.extend(asked.truth.iter().map(|path| Span { path: path.clone(), lines }));
    }
    if variant.exclude {
        ignored.push(Span::file(asked.exclude.as_ref().ok_or_else(|| missing("exclude"))?));
    }
    Ok(Question {
        queries: vec![query(text, variant)],
        expected: whole_files(asked.truth.clone()),
        ignored,
        root: trees.join(&asked.repo),
        tags: vec![("synthetic", asked.synthetic.map_or("none".to_owned(), |s| s.to_string()))],
        id: row.value.id,
        group: row.value.repo,
        origin: row.origin,
    })
}

/// Files by their best chunk; where chunks may be left out, the chunks themselves.
fn query(text: &str, variant: Variant) -> Query {
    let query = Query::new(text);
    if variant.mask {
        Query { limit: CHUNKS, max_per_file: 0, ..query }
    } else {
        let spare = usize::from(variant.exclude);
        Query { limit: 10 + spare, unit: Unit::File, ..query }
    }
}

fn score(question: &Question, lists: &[Vec<Hit>]) -> Scores {
    let mut files = distinct_files(&lists[0]);
    files.truncate(10);
    let judged = Judged::new(&question.expected, &files);
    Scores {
        first: judged.first(),
        values: vec![
            ("recall@1", Some(judged.recall(1))),
            ("recall@5", Some(judged.recall(5))),
            ("recall@10", Some(judged.recall(10))),
            ("hit@5", Some(judged.hit(5))),
            ("precision@5", Some(judged.precision(5))),
            ("mrr@10", Some(judged.reciprocal(10))),
        ],
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::protocol::samples::{check, check_error, file, files, folder, paths};

    const PLAIN: Variant = Variant { navigation: false, mask: false, exclude: false };

    fn set(content: &str, variant: Variant) -> Result<QuestionSet> {
        let folder = folder(&[("api.jsonl", content)]);
        read(&file(&folder, "api.jsonl"), folder.path(), variant)
    }

    const EXAMPLE: &str = r#"{"id":"r/0","repo":"r","query":"code","truth":["a.py","b.py"],"mask":[3,9],"line_no":9,"synthetic":false}
{"id":"r/1","repo":"r","query":"code","query_nav":"call","truth":["b.py"],"exclude":"a.py"}
"#;

    #[test]
    fn files_count_once_however_many_chunks_they_have() {
        let set = set(EXAMPLE, PLAIN).unwrap();
        assert_eq!(paths(&set.questions[0]), ["a.py", "b.py"]);
        assert!(set.questions[0].root.ends_with("r"));
        assert_eq!(set.questions[0].tags, [("synthetic", "false".to_owned())]);
        let list = files("x.py x.py a.py x.py y.py z.py b.py");
        check(
            &set,
            0,
            &[list],
            &[
                ("recall@1", 0.0),
                ("recall@5", 1.0),
                ("precision@5", 0.4),
                ("mrr@10", 0.5),
                ("hit@5", 1.0),
            ],
        );
    }

    #[test]
    fn variants_ask_and_leave_out_what_their_fields_say() {
        let one_row = EXAMPLE.lines().next().unwrap();
        let masked = set(one_row, Variant { mask: true, ..PLAIN }).unwrap();
        let ignored = &masked.questions[0].ignored;
        assert_eq!(ignored[0], Span { path: "a.py".into(), lines: Some((3, 9)) });
        let query = &masked.questions[0].queries[0];
        assert_eq!((query.unit, query.max_per_file), (Unit::Span, 0));

        let last_row = EXAMPLE.lines().last().unwrap();
        let variant = Variant { navigation: true, exclude: true, mask: false };
        let excluded = set(last_row, variant).unwrap();
        assert_eq!(excluded.questions[0].queries[0].text, "call");
        assert_eq!(excluded.questions[0].queries[0].limit, 11);
        assert_eq!(excluded.questions[0].ignored, [Span::file("a.py")]);
    }

    #[test]
    fn a_field_that_a_variant_needs_must_be_there() {
        let check = |variant, expected| check_error(set(EXAMPLE, variant), expected);
        check(Variant { mask: true, ..PLAIN }, "api.jsonl:2: expected the field \"mask\"");
        check(Variant { exclude: true, ..PLAIN }, "api.jsonl:1: expected the field \"exclude\"");
        check(
            Variant { navigation: true, ..PLAIN },
            "api.jsonl:1: expected the field \"query_nav\"",
        );
    }

    #[test]
    fn bad_rows_are_refused() {
        let row = r#"{"id":"r/0","repo":"r","query":"q","truth":["a"]}"#;
        check_error(
            set(&format!("{row}\n{row}\n"), PLAIN),
            "api.jsonl:2: expected an id of its own",
        );
        check_error(
            set(&row.replace("\"a\"", ""), PLAIN),
            "api.jsonl:1: expected at least one path",
        );
        check_error(set(&row.replace("truth", "true"), PLAIN), "api.jsonl:1: expected row");
        check_error(set("", PLAIN), "expected at least one row");
    }
}

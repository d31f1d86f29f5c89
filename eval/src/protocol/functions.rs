//! `functions`: a sentence and the function it describes. A folder with `corpus.jsonl` (or
//! `.jsonl.gz`; `id`, `code`, and a `path` that tells the language) and `queries.jsonl`
//! (`id`, `query`, `relevant_id`).
//!
//! Every function becomes a small file named by its id, so that tools which search trees can be
//! asked. Questions are asked one at a time: the latency is part of the result.

use std::collections::HashSet;
use std::fs;
use std::path::{Path, PathBuf};

use rayon::prelude::*;
use serde::Deserialize;
use wherein_corpus::{Digest, Language, Overrides};
use wherein_engine::search::query::{Query, Unit};

use crate::error::{Error, Result};
use crate::hide;
use crate::input::{self, Row};
use crate::metrics::Judged;
use crate::protocol::whole_files;
use crate::question::{MeanOver, Pace, Question, QuestionSet, Scores};
use crate::searcher::Hit;

/// Where the two files are and how the functions are written out.
#[derive(Clone, Debug)]
pub struct Source<'s> {
    /// The folder with `corpus.jsonl[.gz]` and `queries.jsonl`.
    pub folder: &'s Path,
    /// Another file of questions.
    pub queries: Option<&'s Path>,
    /// Whether comments above functions and docstrings in them are blanked out.
    pub strip_docs: bool,
    /// The extension of functions whose row names no path.
    pub extension: Option<&'s str>,
}

#[derive(Debug, Deserialize)]
struct Function {
    id: String,
    code: String,
    #[serde(default)]
    path: String,
}

#[derive(Debug, Deserialize)]
struct Asked {
    id: String,
    query: String,
    relevant_id: String,
}

const FUNCTION: &str = "row {\"id\", \"code\", \"path\"}";
const ROW: &str = "row {\"id\", \"query\", \"relevant_id\"}";

/// Reads both files and writes the functions out into a folder under `work`.
pub fn read(source: &Source, work: &Path) -> Result<QuestionSet> {
    let functions: Vec<Row<Function>> = input::json_lines(&corpus_of(source.folder), FUNCTION)?;
    input::unique(&functions, |function| &function.id)?;
    let file = source.queries.map_or_else(|| source.folder.join("queries.jsonl"), Path::to_owned);
    let rows: Vec<Row<Asked>> = input::json_lines(&file, ROW)?;
    input::unique(&rows, |row| &row.id)?;

    let names =
        functions.iter().map(|row| name(row, source.extension)).collect::<Result<Vec<_>>>()?;
    let known: std::collections::HashMap<&str, &str> = functions
        .iter()
        .map(|row| row.value.id.as_str())
        .zip(names.iter().map(String::as_str))
        .collect();
    let root = unpack(&functions, &names, source.strip_docs, work)?;
    let group = source.folder.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let mut questions = Vec::with_capacity(rows.len());
    for row in rows {
        let Some(relevant) = known.get(row.value.relevant_id.as_str()) else {
            return Err(
                row.wrong("a relevant_id that the corpus has", row.value.relevant_id.as_str())
            );
        };
        questions.push(question(row, relevant, &group, &root));
    }
    Ok(QuestionSet {
        protocol: "functions",
        questions,
        score,
        headline: "mrr@10",
        mean_over: MeanOver::Questions,
        group_is: "corpus",
        pace: Pace::Alone,
        notes: vec![format!("{} functions in the corpus.", functions.len())],
    })
}

fn corpus_of(folder: &Path) -> PathBuf {
    let packed = folder.join("corpus.jsonl.gz");
    if packed.is_file() { packed } else { folder.join("corpus.jsonl") }
}

fn question(row: Row<Asked>, relevant: &str, group: &str, root: &Path) -> Question {
    let Row { origin, value } = row;
    Question {
        id: value.id,
        origin,
        group: group.to_owned(),
        tags: Vec::new(),
        root: root.to_owned(),
        queries: vec![Query { unit: Unit::File, ..Query::new(value.query) }],
        expected: whole_files([relevant]),
        ignored: Vec::new(),
    }
}

/// The file a function is written to: its id, and the extension its language is known by.
fn name(row: &Row<Function>, extension: Option<&str>) -> Result<String> {
    let own = Path::new(&row.value.path).extension().and_then(|own| own.to_str());
    match own.or(extension) {
        Some(extension) => Ok(format!("{}.{extension}", safe(&row.value.id))),
        None => Err(row.wrong(
            "a path with an extension, or --extension for rows without one",
            format!("'{}'", row.value.path),
        )),
    }
}

/// An id as a file name; different ids stay different.
fn safe(id: &str) -> String {
    let mut name = String::with_capacity(id.len());
    for byte in id.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'_' => name.push(byte.into()),
            _ => name.push_str(&format!("%{byte:02x}")),
        }
    }
    name
}

/// Writes the functions out, unless an earlier run has: the folder is named by what it holds.
fn unpack(
    functions: &[Row<Function>],
    names: &[String],
    strip_docs: bool,
    work: &Path,
) -> Result<PathBuf> {
    let texts: Vec<String> = functions
        .par_iter()
        .zip(names)
        .map(|(row, name)| content(&row.value.code, name, strip_docs))
        .collect();
    let parts: Vec<&[u8]> = names
        .iter()
        .zip(&texts)
        .flat_map(|(name, text)| [name.as_bytes(), text.as_bytes()])
        .collect();
    let root = work.join(format!("functions-{}", Digest::of_parts(&parts).hex()));
    let there: HashSet<String> = fs::read_dir(&root)
        .into_iter()
        .flatten()
        .flatten()
        .map(|entry| entry.file_name().to_string_lossy().into_owned())
        .collect();
    if there.len() != names.len() {
        fs::create_dir_all(&root).map_err(Error::write(&root))?;
        for (name, text) in names.iter().zip(&texts) {
            let file = root.join(name);
            fs::write(&file, text).map_err(Error::write(&file))?;
        }
    }
    Ok(root)
}

fn content(code: &str, name: &str, strip_docs: bool) -> String {
    if strip_docs {
        hide::docs(code, Language::of_path(Path::new(name), &Overrides::default()))
    } else {
        code.to_owned()
    }
}

fn score(question: &Question, lists: &[Vec<Hit>]) -> Scores {
    let judged = Judged::new(&question.expected, &lists[0]);
    Scores {
        first: judged.first(),
        values: vec![
            ("mrr@10", Some(judged.reciprocal(10))),
            ("ndcg@10", Some(judged.ndcg(10))),
            ("recall@1", Some(judged.recall(1))),
            ("recall@10", Some(judged.recall(10))),
        ],
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::protocol::samples::{check, check_error, files, folder, paths};

    const CORPUS: &str = r#"{"id":"py/1","repo":"r","path":"a/b.py","func_name":"f","code":"def f():\n    \"\"\"Adds.\"\"\"\n    return 1"}
{"id":"py/2","repo":"r","path":"","func_name":"g","code":"def g(): pass"}
"#;
    const QUERIES: &str = "{\"id\":\"q1\",\"query\":\"adds\",\"relevant_id\":\"py/1\"}\n";

    fn set(
        corpus: &str,
        queries: &str,
        strip_docs: bool,
        extension: Option<&str>,
    ) -> Result<(QuestionSet, String)> {
        let folder = folder(&[("corpus.jsonl", corpus), ("queries.jsonl", queries)]);
        let source = Source { folder: folder.path(), queries: None, strip_docs, extension };
        let set = read(&source, folder.path())?;
        let question = &set.questions[0];
        let text = fs::read_to_string(question.root.join(paths(question)[0])).unwrap();
        Ok((set, text))
    }

    #[test]
    fn every_function_becomes_a_file_named_by_its_id() {
        let (set, text) = set(CORPUS, QUERIES, false, Some("py")).unwrap();
        assert_eq!(paths(&set.questions[0]), ["py%2f1.py"]);
        assert!(text.contains("Adds."));
        check(
            &set,
            0,
            &[files("x py%2f1.py")],
            &[("mrr@10", 0.5), ("ndcg@10", 0.63), ("recall@1", 0.0)],
        );
        check(&set, 0, &[files("x")], &[("mrr@10", 0.0), ("recall@10", 0.0)]);
    }

    #[test]
    fn docstrings_are_stripped_when_asked() {
        let (_, text) = set(CORPUS, QUERIES, true, Some("py")).unwrap();
        assert!(!text.contains("Adds.") && text.contains("return 1"), "{text}");
    }

    #[test]
    fn bad_rows_are_refused() {
        let none = |corpus: &str, queries: &str| set(corpus, queries, false, Some("py"));
        let expected = "corpus.jsonl:2: expected a path with an extension, or --extension";
        check_error(set(CORPUS, QUERIES, false, None), expected);
        check_error(
            none(CORPUS, &QUERIES.replace("py/1", "py/9")),
            "queries.jsonl:1: expected a relevant_id",
        );
        check_error(
            none(CORPUS, &format!("{QUERIES}{QUERIES}")),
            "queries.jsonl:2: expected an id",
        );
        check_error(
            none(&CORPUS.replace("py/2", "py/1"), QUERIES),
            "corpus.jsonl:2: expected an id",
        );
        check_error(none(CORPUS, ""), "expected at least one row");
        check_error(none("{}\n", QUERIES), "corpus.jsonl:1: expected row");
    }
}

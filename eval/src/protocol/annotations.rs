//! `annotations`: the right files first, in many repositories. A folder with `repos.json`
//! (`name`, `language`, `benchmark_root`) and `annotations/NAME.json`, each an array of
//! `{"query", "relevant", "secondary", "category"}`; the tree of a repository is the folder named
//! by it, of which only `benchmark_root` is indexed.
//!
//! Paths stand with or without `benchmark_root` in front; an entry is a path or an object with
//! `path` and lines. The published figure is binary NDCG@10 over files, relevant and secondary
//! alike, and the mean over repositories.

use std::collections::HashSet;
use std::path::Path;

use serde::Deserialize;
use wherein_engine::search::query::{Query, Unit};

use crate::error::Result;
use crate::input::{self, Row};
use crate::metrics::{Judged, distinct_files, hits_within};
use crate::question::{MeanOver, Pace, Question, QuestionSet, Scores, Span, Target};
use crate::searcher::Hit;

#[derive(Debug, Deserialize)]
struct Repository {
    name: String,
    language: Option<String>,
    benchmark_root: Option<String>,
}

#[derive(Debug, Deserialize)]
struct Asked {
    query: String,
    relevant: Vec<Place>,
    #[serde(default)]
    secondary: Vec<Place>,
    category: Option<String>,
}

#[derive(Debug, Deserialize)]
#[serde(untagged)]
enum Place {
    Path(String),
    Lines { path: String },
}

impl Place {
    fn path(&self) -> &str {
        match self {
            Place::Path(path) | Place::Lines { path } => path,
        }
    }
}

const REPOSITORY: &str = "entry {\"name\", \"language\", \"benchmark_root\"}";
const ROW: &str =
    "entry {\"query\", \"relevant\": [path or {\"path\"}, …], \"secondary\", \"category\"}";

/// What the two lists of an entry are worth where they are told apart.
const RELEVANT: f64 = 2.0;
const SECONDARY: f64 = 1.0;

/// Enough chunks to fill the largest budget of tokens.
const CHUNKS: usize = 100;

/// The budget that a page is asked to keep, beside the cuts that are made in a longer one.
const BUDGET: usize = 2000;

/// Reads the folder of a benchmark about the trees under `trees`.
pub fn read(folder: &Path, trees: &Path) -> Result<QuestionSet> {
    let list = folder.join("repos.json");
    let repositories: Vec<Row<Repository>> = input::json_array(&list, REPOSITORY)?;
    input::unique(&repositories, |repository| &repository.name)?;
    let mut questions = Vec::new();
    for repository in &repositories {
        let file = folder.join("annotations").join(format!("{}.json", repository.value.name));
        let rows: Vec<Row<Asked>> = input::json_array(&file, ROW)?;
        for (number, row) in rows.into_iter().enumerate() {
            questions.push(question(row, number + 1, &repository.value, trees)?);
        }
    }
    Ok(QuestionSet {
        protocol: "annotations",
        questions,
        score,
        headline: "ndcg@10",
        mean_over: MeanOver::Groups,
        group_is: "repository",
        pace: Pace::Together,
        notes: notes(folder, &repositories)?,
    })
}

fn notes(folder: &Path, repositories: &[Row<Repository>]) -> Result<Vec<String>> {
    let mut notes = vec![
        "recall@N-tokens counts relevant files only, tokens as a quarter of the bytes, and a \
         result if its whole text fits."
            .to_owned(),
        "recall@2k-budget asks for a page of 2,000 tokens and counts what it names; \
         recall@2k-budget-shown only what it shows lines of. A tool without a budget gets the cut \
         of recall@2k-tokens."
            .to_owned(),
    ];
    let known: HashSet<&str> = repositories.iter().map(|row| row.value.name.as_str()).collect();
    for file in input::files_in(&folder.join("annotations"), "json")? {
        let name = file.file_stem().unwrap_or_default().to_string_lossy();
        if !known.contains(name.as_ref()) {
            notes.push(format!("annotations/{name}.json is not asked: repos.json has no {name}."));
        }
    }
    Ok(notes)
}

fn question(
    row: Row<Asked>,
    number: usize,
    repository: &Repository,
    trees: &Path,
) -> Result<Question> {
    let inner = inner_root(repository);
    let root = trees.join(&repository.name).join(inner);
    let targets = |places: &[Place], grade: f64| {
        let span = |place: &Place| Span::file(relative(place.path(), inner, &root));
        places.iter().map(|place| Target { span: span(place), grade }).collect::<Vec<_>>()
    };
    let mut expected = targets(&row.value.relevant, RELEVANT);
    expected.extend(targets(&row.value.secondary, SECONDARY));
    let mut seen = HashSet::new();
    expected.retain(|target| seen.insert(target.span.path.clone()));
    if expected.is_empty() {
        return Err(row.wrong("at least one path in \"relevant\" or \"secondary\"", "none"));
    }
    let Row { origin, value } = row;
    let query = Query::new(value.query);
    Ok(Question {
        id: format!("{}/{number}", repository.name),
        origin,
        group: repository.name.clone(),
        tags: vec![
            ("language", repository.language.clone().unwrap_or_else(|| "none".to_owned())),
            ("category", value.category.unwrap_or_else(|| "none".to_owned())),
        ],
        root,
        queries: vec![
            Query { unit: Unit::File, ..query.clone() },
            Query { limit: CHUNKS, ..query.clone() },
            Query { limit: CHUNKS, budget: Some(BUDGET), ..query },
        ],
        expected,
        ignored: Vec::new(),
    })
}

fn inner_root(repository: &Repository) -> &str {
    let inner = repository.benchmark_root.as_deref().unwrap_or_default();
    inner.trim_start_matches("./").trim_matches('/').trim_end_matches('.')
}

/// A path as hits have it: relative to what is indexed. Where both readings exist, `src/a` in
/// `src` is `a`.
fn relative(path: &str, inner: &str, root: &Path) -> String {
    let without = path.strip_prefix(inner).and_then(|rest| rest.strip_prefix('/'));
    match without {
        Some(rest) if root.join(rest).is_file() || !root.join(path).is_file() => rest.to_owned(),
        _ => path.to_owned(),
    }
}

fn score(question: &Question, lists: &[Vec<Hit>]) -> Scores {
    let files = Judged::new(&question.expected, &distinct_files(&lists[0])).binary();
    let relevant: Vec<Target> =
        question.expected.iter().filter(|target| target.grade == RELEVANT).cloned().collect();
    let chunks = Judged::new(&relevant, &lists[1]);
    let within =
        |tokens| (!relevant.is_empty()).then(|| chunks.recall(hits_within(&lists[1], tokens)));
    let page = &lists[2][..hits_within(&lists[2], BUDGET)];
    let with_lines: Vec<Hit> = page.iter().filter(|hit| hit.lines.is_some()).cloned().collect();
    let on_page = |hits: &[Hit]| {
        (!relevant.is_empty()).then(|| Judged::new(&relevant, hits).recall(hits.len()))
    };
    Scores {
        first: files.first(),
        values: vec![
            ("ndcg@10", Some(files.ndcg(10))),
            ("mrr@10", Some(files.reciprocal(10))),
            ("hit@1", Some(files.hit(1))),
            ("recall@10", Some(files.recall(10))),
            ("recall@500-tokens", within(500)),
            ("recall@1k-tokens", within(1000)),
            ("recall@2k-tokens", within(2000)),
            ("recall@4k-tokens", within(4000)),
            ("recall@8k-tokens", within(8000)),
            ("recall@2k-budget", on_page(page)),
            ("recall@2k-budget-shown", on_page(&with_lines)),
        ],
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::protocol::samples::{check, check_error, files, folder, paths};

    const REPOS: &str = r#"[
 {"name": "one", "language": "python", "benchmark_root": "src/one", "queries": 2},
 {"name": "two", "language": "zig", "benchmark_root": null}
]"#;
    const ONE: &str = r#"[
 {"query": "q", "relevant": ["src/one/a.py"], "secondary": ["b.py", "src/one/a.py"], "category": "semantic"},
 {"query": "q", "relevant": [{"path": "src/one/c.py", "start_line": 1, "end_line": 9}], "secondary": [], "category": "symbol", "seed": {}}
]"#;
    const TWO: &str =
        r#"[{"query": "q", "relevant": ["src/d.zig"], "secondary": [], "category": "symbol"}]"#;

    fn set(repos: &str, one: &str) -> Result<QuestionSet> {
        let folder = folder(&[
            ("repos.json", repos),
            ("annotations/one.json", one),
            ("annotations/two.json", TWO),
            ("annotations/stray.json", TWO),
        ]);
        read(folder.path(), &folder.path().join("trees"))
    }

    #[test]
    fn paths_stand_with_or_without_the_indexed_root() {
        let set = set(REPOS, ONE).unwrap();
        assert_eq!(paths(&set.questions[0]), ["a.py", "b.py"]);
        assert_eq!(paths(&set.questions[1]), ["c.py"]);
        assert_eq!(paths(&set.questions[2]), ["src/d.zig"]);
        assert!(set.questions[0].root.ends_with("trees/one/src/one"));
        assert!(set.questions[2].root.ends_with("trees/two"));
        assert_eq!(
            set.questions[1].tags,
            [("language", "python".into()), ("category", "symbol".into())]
        );
        assert!(set.notes.iter().any(|note| note.contains("stray")), "{:?}", set.notes);
    }

    #[test]
    fn a_folder_inside_the_root_that_is_named_like_it_is_told_apart_by_what_exists() {
        let folder = folder(&[("src/src/a.zig", "")]);
        let root = folder.path().join("src");
        assert_eq!(relative("src/a.zig", "src", &root), "src/a.zig");
        assert_eq!(relative("src/b.zig", "src", &root), "b.zig");
        assert_eq!(relative("srcs/b.zig", "src", &root), "srcs/b.zig");
    }

    #[test]
    fn secondary_files_count_in_the_ranking_but_not_in_the_budget() {
        let set = set(REPOS, ONE).unwrap();
        // Ranks 1 and 3 of two: (1 + 1/2) / (1 + 1/log2 3) = 0.92. A hit is 100 tokens.
        let chunks = files("b.py x x x x a.py");
        let mut page = files("b.py x a.py");
        page[2].lines = None;
        let lists = [files("b.py x a.py"), chunks, page];
        check(
            &set,
            0,
            &lists,
            &[
                ("ndcg@10", 0.92),
                ("mrr@10", 1.0),
                ("recall@500-tokens", 0.0),
                ("recall@1k-tokens", 1.0),
                ("recall@2k-budget", 1.0),
                ("recall@2k-budget-shown", 0.0),
            ],
        );
    }

    #[test]
    fn bad_files_are_refused() {
        check_error(set("[]", ONE), "expected at least one entry {\"name\"");
        check_error(
            set(&REPOS.replace("two", "one"), ONE),
            "repos.json:3: expected an id of its own",
        );
        check_error(set(&REPOS.replace("two", "none"), ONE), "none.json");
        check_error(set(REPOS, "[]"), "one.json: expected at least one entry");
        check_error(set(REPOS, &ONE.replace("\"query\"", "\"q\"")), "one.json:2: expected entry");
        let nothing = r#"[{"query": "q", "relevant": []}]"#;
        check_error(set(REPOS, nothing), "one.json:1: expected at least one path");
    }
}

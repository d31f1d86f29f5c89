//! `self`: how well does it find things in MY code. Questions are made from the user's own
//! repository, three ways:
//!
//! - a definition's documentation, asked of a copy of the tree in which all documentation of
//!   definitions is blanked out, so that no result can match by the very words of the question;
//! - a commit's subject, for the files it touched;
//! - a test's name, for the definition it tests, the test itself left out.
//!
//! All are sampled and split into two halves by a hash of their names, so the same repository
//! gives the same questions.

mod commits;
mod docs;
mod tests;

use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};

use rayon::prelude::*;
use wherein_corpus::{
    ChunkSize, Digest, Language, Lines, Parsed, SymbolKind, WalkSettings, parse, walk,
};
use wherein_engine::search::query::{Query, Unit};

use crate::error::{Error, Result};
use crate::hide;
use crate::metrics::Judged;
use crate::question::{MeanOver, Origin, Pace, Question, QuestionSet, Scores, Span, Target};
use crate::searcher::Hit;

/// One file of the user's tree.
struct File {
    path: String,
    text: String,
    language: &'static Language,
    parsed: Parsed,
}

/// A question before it is sampled.
struct Made {
    id: String,
    /// The file and line it was made from.
    origin: Origin,
    text: String,
    unit: Unit,
    targets: Vec<Span>,
    ignored: Vec<Span>,
}

/// Makes questions about the repository at `root`, at most `most` of each kind; the copy without
/// documentation goes into a folder under `work`.
pub fn read(root: &Path, most: usize, work: &Path) -> Result<QuestionSet> {
    let files = files(root)?;
    let quiet = quiet_copy(root, &files, work)?;
    let (commits, log_note) = commits::made(root, &files);
    let kinds = [
        ("docstring", quiet.as_path(), docs::made(root, &files)),
        ("commit", root, commits),
        ("test", root, tests::made(root, &files)),
    ];
    let mut notes = Vec::from_iter(log_note);
    let mut questions = Vec::new();
    for (kind, tree, made) in kinds {
        notes.push(format!(
            "{kind}: {} questions could be made, at most {most} are asked.",
            made.len()
        ));
        questions.extend(sample(made, most).into_iter().map(|made| question(made, kind, tree)));
    }
    notes.extend(READING.map(str::to_owned));
    if questions.is_empty() {
        let expected = "documented definition, commit or test";
        return Err(Error::Empty { path: root.to_owned(), expected });
    }
    Ok(QuestionSet {
        protocol: "self",
        questions,
        score,
        headline: "recall@10",
        mean_over: MeanOver::Questions,
        group_is: "kind",
        pace: Pace::Alone,
        notes,
    })
}

/// What the figures of one tool beside another's must not be taken for.
const READING: [&str; 3] = [
    "No question is meant to stand in the code word for word: documentation is blanked out where \
     it is asked with, and names of tests are spelt as words.",
    "test: the test is taken out of the hits but stays in the tree, so a tool that ranks whole \
     files may find the right one by the test in it.",
    "half: questions by a hash of their names, one half to tune on and one to check with.",
];

fn files(root: &Path) -> Result<Vec<File>> {
    let settings = WalkSettings::default();
    let found = walk(root, &settings).map_err(Error::read(root))?.files;
    let read = |found: wherein_corpus::Found| {
        let text = wherein_corpus::read(&root.join(&found.path), settings.max_file_size).ok()?.text;
        let parsed = parse(&Lines::of(&text), found.language, ChunkSize::default());
        Some(File { path: found.path, text, language: found.language, parsed })
    };
    Ok(found.into_par_iter().filter_map(read).collect())
}

/// The tree with the documentation of all definitions blanked out. Not only of those asked about:
/// they would be the only silent ones, and rank too low.
fn quiet_copy(root: &Path, files: &[File], work: &Path) -> Result<PathBuf> {
    let name = Digest::of(root.as_os_str().as_encoded_bytes()).hex();
    let quiet = work.join(format!("self-{name}"));
    if quiet.exists() {
        fs::remove_dir_all(&quiet).map_err(Error::write(&quiet))?;
    }
    files.par_iter().try_for_each(|file| {
        let path = quiet.join(&file.path);
        let folder = path.parent().unwrap_or(&quiet);
        fs::create_dir_all(folder).map_err(Error::write(folder))?;
        fs::write(&path, hide::docs(&file.text, file.language)).map_err(Error::write(&path))
    })?;
    Ok(quiet)
}

/// At most `most`, chosen by the hash of their ids and put back in order. Ids used twice say
/// nothing about which of the two is meant, so neither is asked.
fn sample(mut made: Vec<Made>, most: usize) -> Vec<Made> {
    let mut uses: HashMap<String, usize> = HashMap::new();
    for made in &made {
        *uses.entry(made.id.clone()).or_default() += 1;
    }
    made.retain(|made| uses[&made.id] == 1);
    made.sort_by_key(|made| Digest::of(made.id.as_bytes()));
    made.truncate(most);
    made.sort_by(|a, b| a.id.cmp(&b.id));
    made
}

fn question(made: Made, kind: &str, tree: &Path) -> Question {
    // Room for what is left out of the list.
    let limit = if made.ignored.is_empty() { 10 } else { 30 };
    let query = Query { limit, unit: made.unit, ..Query::new(made.text) };
    Question {
        group: kind.to_owned(),
        tags: vec![("half", half(&made.id).to_owned())],
        id: made.id,
        origin: made.origin,
        root: tree.to_owned(),
        queries: vec![query],
        expected: made.targets.into_iter().map(|span| Target { span, grade: 1.0 }).collect(),
        ignored: made.ignored,
    }
}

/// Which of two halves an id belongs to: one to tune on, one to check with.
fn half(id: &str) -> &'static str {
    let Digest(bytes) = Digest::of(id.as_bytes());
    if bytes[15] & 1 == 0 { "first" } else { "second" }
}

fn score(question: &Question, lists: &[Vec<Hit>]) -> Scores {
    let list = &lists[0][..lists[0].len().min(10)];
    let judged = Judged::new(&question.expected, list);
    Scores {
        first: judged.first(),
        values: vec![
            ("recall@1", Some(judged.recall(1))),
            ("recall@5", Some(judged.recall(5))),
            ("recall@10", Some(judged.recall(10))),
            ("ndcg@10", Some(judged.ndcg_once(10))),
            ("mrr@10", Some(judged.reciprocal(10))),
        ],
    }
}

/// Whether a path is one that tests are kept under.
fn is_test_path(path: &str) -> bool {
    let folders = ["test", "tests", "__tests__", "spec", "specs", "testing"];
    let mut parts = path.rsplit('/');
    let name = parts.next().unwrap_or_default();
    let stem = name.rsplit_once('.').map_or(name, |(stem, _)| stem);
    let endings = ["_test", "_tests", ".test", ".spec", "_spec", "Test", "Tests", "Spec"];
    stem.starts_with("test_")
        || endings.iter().any(|ending| stem.ends_with(ending))
        || parts.any(|folder| folders.contains(&folder))
}

/// Whether a symbol is a definition that someone might look for.
fn is_sought(kind: SymbolKind) -> bool {
    kind.is_type() || matches!(kind, SymbolKind::Function | SymbolKind::Method | SymbolKind::Macro)
}

/// A name in lower-case words: `parse_HTTPHeader` → `parse http header`.
fn words(name: &str) -> Vec<String> {
    let mut words: Vec<String> = vec![String::new()];
    let chars: Vec<char> = name.chars().collect();
    for (n, &c) in chars.iter().enumerate() {
        let before = n.checked_sub(1).map(|before| chars[before]);
        let after = chars.get(n + 1);
        let starts = c.is_uppercase()
            && before.is_some_and(|before| {
                before.is_lowercase()
                    || before.is_numeric()
                    || after.is_some_and(|c| c.is_lowercase())
            });
        if starts || !c.is_alphanumeric() {
            words.push(String::new());
        }
        if c.is_alphanumeric()
            && let Some(word) = words.last_mut()
        {
            word.extend(c.to_lowercase());
        }
    }
    words.retain(|word| !word.is_empty());
    words
}

#[cfg(test)]
mod check {
    //! What the tests of the three ways share: a tree in memory and the questions made of it.

    use super::*;

    pub fn tree(files: &[(&str, &str)]) -> Vec<File> {
        let file = |(path, text): &(&str, &str)| {
            let language =
                Language::of_path(Path::new(path), &wherein_corpus::Overrides::default());
            let parsed = parse(&Lines::of(text), language, ChunkSize::default());
            File { path: (*path).to_owned(), text: (*text).to_owned(), language, parsed }
        };
        files.iter().map(file).collect()
    }

    /// Each question as `text → targets`.
    #[track_caller]
    pub fn check(made: &[Made], expected: &[&str]) {
        let shown = |made: &Made| {
            let targets: Vec<String> = made.targets.iter().map(Span::label).collect();
            format!("{} → {}", made.text, targets.join(" "))
        };
        assert_eq!(made.iter().map(shown).collect::<Vec<_>>(), expected);
    }

    #[test]
    fn names_fall_apart_into_words() {
        let joined = |name: &str| words(name).join(" ");
        assert_eq!(joined("parse_HTTPHeader"), "parse http header");
        assert_eq!(joined("TestReadsUtf8Text"), "test reads utf8 text");
        assert_eq!(joined("returns null, if empty"), "returns null if empty");
        assert_eq!(joined("__"), "");
    }

    #[test]
    fn test_paths_are_known_by_their_names() {
        for path in ["tests/a.py", "src/a_test.go", "a.spec.ts", "x/test_a.py", "FooTest.java"] {
            assert!(is_test_path(path), "{path}");
        }
        for path in ["src/contest.py", "latest/a.rs", "src/testify.go"] {
            assert!(!is_test_path(path), "{path}");
        }
    }

    fn made(id: &str) -> Made {
        let origin = Origin { file: PathBuf::new(), line: 1 };
        let (text, unit) = (String::new(), Unit::Span);
        Made { id: id.into(), origin, text, unit, targets: Vec::new(), ignored: Vec::new() }
    }

    #[test]
    fn a_sample_is_the_same_every_time_and_has_no_id_twice() {
        let ids = |order: &mut dyn Iterator<Item = u32>| {
            let all = order.map(|n| made(&format!("id{n}"))).chain([made("twin"), made("twin")]);
            sample(all.collect(), 10).into_iter().map(|made| made.id).collect::<Vec<_>>()
        };
        let chosen = ids(&mut (0..100));
        assert_eq!(chosen.len(), 10);
        assert_eq!(chosen, ids(&mut (0..100).rev()));
        assert_eq!(ids(&mut (0..3)), ["id0", "id1", "id2"]);
    }

    #[test]
    fn halves_are_halves() {
        let first = (0..1000).filter(|n| half(&format!("doc/{n}")) == "first").count();
        assert!((400..600).contains(&first), "{first}");
    }
}

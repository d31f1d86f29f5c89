//! Questions to start with, drawn from the tree itself, chosen where meaning beats words.
//!
//! In: what commits say they did to a few files, and the first sentences of documentation. Each is
//! asked by words and by both; kept are those whose place both finds first and words alone do not.
//! A tree without either has none, and before it is encoded they cannot be compared.

use std::process::{Command, Stdio};
use std::sync::Arc;
use std::time::Instant;

use serde::Serialize;
use utoipa::ToSchema;
use wherein_corpus::{Digest, Role, Symbol};
use wherein_engine::search::query::{Mode, Query, Scope, Unit};
use wherein_engine::{Error, Snapshot, search};

use super::Server;
use super::encoding::give_way;

const WANTED: usize = 6;
/// Candidates that are asked; two questions each.
const MOST_ASKED: usize = 80;
/// Files whose documentation is looked at.
const MOST_FILES: usize = 400;
/// Places that are looked through for the right one.
const DEPTH: usize = 20;

/// A question with a known answer.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct Example {
    /// The question.
    pub question: String,
    /// A file that answers it.
    pub path: String,
    /// Where words alone rank that file, if among the first twenty.
    pub lexical_rank: Option<usize>,
    /// Where words and meaning rank it.
    pub hybrid_rank: Option<usize>,
}

/// Looks for examples unless there are some.
pub fn find(server: &Server) {
    let has_some = || server.examples.lock().is_ok_and(|found| !found.is_empty());
    if has_some() {
        return;
    }
    let Ok(snapshot) = Snapshot::open(&server.keeper.tree.place) else { return };
    let found = chosen(server, &Arc::new(snapshot));
    if let Ok(mut examples) = server.examples.lock() {
        *examples = found;
    }
}

fn chosen(server: &Server, index: &Snapshot) -> Vec<Example> {
    let mut asked: Vec<Example> = Vec::new();
    for (question, path) in candidates(index) {
        give_way(|| server.pool.present() > 0 && !server.is_ending());
        let wins = asked.iter().filter(|it| gain(it) >= DEPTH / 2).count();
        if server.is_ending() || wins >= WANTED {
            break;
        }
        let rank = |mode| rank_of(server, index, &question, &path, mode).ok().flatten();
        let (lexical_rank, hybrid_rank) = (rank(Mode::Lexical), rank(Mode::Hybrid));
        asked.push(Example { question, path, lexical_rank, hybrid_rank });
    }
    asked.retain(|it| it.hybrid_rank.is_some_and(|rank| rank <= 3));
    asked.sort_by_key(|it| std::cmp::Reverse(gain(it)));
    asked.truncate(WANTED);
    asked
}

/// How many places meaning wins.
fn gain(example: &Example) -> usize {
    let place = |rank: Option<usize>| rank.unwrap_or(DEPTH + 1);
    place(example.lexical_rank).saturating_sub(place(example.hybrid_rank))
}

fn rank_of(
    server: &Server,
    index: &Snapshot,
    question: &str,
    path: &str,
    mode: Mode,
) -> Result<Option<usize>, Error> {
    let start = Instant::now();
    let go_on = || start.elapsed() < crate::cli::search::ENCODING_TIME;
    let query =
        Query { mode, limit: DEPTH, unit: Unit::File, scope: Scope::Code, ..Query::new(question) };
    let answer = search(index, &server.keeper.tree.meaning(&go_on), &query)?;
    Ok(answer.hits.iter().position(|hit| hit.path == path).map(|place| place + 1))
}

/// Questions and the files that answer them, those of commits and those of documentation in turn.
fn candidates(index: &Snapshot) -> Vec<(String, String)> {
    let (commits, docs) = (of_commits(index), of_docs(index));
    let longest = commits.len().max(docs.len());
    let turns = (0..longest).flat_map(|n| [commits.get(n), docs.get(n)]);
    turns.flatten().take(MOST_ASKED).cloned().collect()
}

/// What commits say they did, each with the one file of code it touched.
fn of_commits(index: &Snapshot) -> Vec<(String, String)> {
    let log = Command::new("git")
        .args(["-c", "core.quotepath=off", "log", "--no-merges", "--relative", "--name-only"])
        .args(["--max-count=500", "--pretty=format:%x1e%s%x1f"])
        .current_dir(index.root())
        .stdin(Stdio::null())
        .stderr(Stdio::null())
        .output();
    let log = log.map(|output| output.stdout).unwrap_or_default();
    let log = String::from_utf8_lossy(&log);
    log.split('\u{1e}').filter_map(|commit| of_commit(index, commit)).collect()
}

fn of_commit(index: &Snapshot, commit: &str) -> Option<(String, String)> {
    let (subject, touched) = commit.split_once('\u{1f}')?;
    let is_code = |path: &&str| {
        index
            .file_at(path)
            .and_then(|file| index.position(file.id))
            .is_some_and(|position| index.roles()[position] == Role::Code && !is_test(path))
    };
    let mut code = touched.lines().filter(is_code);
    let (only, None) = (code.next()?, code.next()) else { return None };
    let said = subject.split_once(": ").map_or(subject, |(_, said)| said);
    Some((question(said)?, only.to_owned()))
}

/// First sentences of documentation, each with its file, in an order that has nothing to do with
/// paths.
fn of_docs(index: &Snapshot) -> Vec<(String, String)> {
    let files = index.manifest.files.iter().zip(index.roles());
    let mut files: Vec<_> = files
        .filter(|(file, role)| **role == Role::Code && !is_test(&file.path))
        .map(|(file, _)| file)
        .collect();
    files.sort_by_key(|file| Digest::of(file.path.as_bytes()));
    let best = |file: &&wherein_engine::index::manifest::FileEntry| {
        let parsed = index.parsed(file).ok()?;
        let told = parsed.symbols.iter().filter_map(sentence).max_by_key(String::len)?;
        Some((told, file.path.clone()))
    };
    files.iter().take(MOST_FILES).filter_map(best).collect()
}

fn sentence(symbol: &Symbol) -> Option<String> {
    let told: Vec<&str> =
        symbol.doc.lines().map(str::trim).take_while(|it| !it.is_empty()).collect();
    let told = told.join(" ");
    let first = told.split(". ").next()?;
    // A sentence with the name in it is found by the name.
    let names = |part: &&str| part.len() > 2 && first.to_lowercase().contains(&part.to_lowercase());
    let is_told = symbol.name.split('_').any(|part| names(&part));
    question(first).filter(|_| !is_told)
}

/// A line of prose as a question: a handful of plain words.
fn question(said: &str) -> Option<String> {
    let said = said.trim().trim_end_matches(['.', ':', '!']);
    let words = said.split_whitespace().count();
    let is_plain = |c: char| c.is_alphabetic() || matches!(c, ' ' | ',' | '-' | '\'' | '’');
    (matches!(words, 4..=11) && said.chars().all(is_plain)).then(|| said.to_owned())
}

fn is_test(path: &str) -> bool {
    path.split(['/', '.', '_']).any(|part| matches!(part, "test" | "tests" | "spec" | "testing"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(said: &str, expected: Option<&str>) {
        assert_eq!(question(said).as_deref(), expected, "{said}");
    }

    #[test]
    fn a_handful_of_plain_words_is_a_question() {
        check("Give up after too many attempts.", Some("Give up after too many attempts"));
        check("Fix typo", None);
        check("Bump foo from 1.2 to 1.3", None);
        check("Return `None` when there is nothing", None);
    }

    #[test]
    fn tests_are_known_by_their_paths() {
        assert!(is_test("src/tests/a.rs") && is_test("a_test.go") && is_test("x/test_a.py"));
        assert!(!is_test("src/attest.rs") && !is_test("latest/a.rs"));
    }
}

//! What git keeps, through repositories made here: log, blame, trees at a revision, changes.

use std::path::Path;
use std::process::Command;

use wherein_engine::history::changes::{Change, Range, between};
use wherein_engine::history::log::Log;
use wherein_engine::history::log::refresh::{LogWork, refresh as refresh_log};
use wherein_engine::history::log::search::{LogAnswer, LogQuery, search as search_log};
use wherein_engine::history::{Repository, blame, changes, revision};
use wherein_engine::search::query::{Mode, Query};
use wherein_engine::{Error, Meaning, Snapshot, refresh};

use crate::project::{Project, search, word};

/// Runs git in a folder, as nobody in particular, at a time of our own.
#[track_caller]
fn git_in(folder: &Path, time: u32, arguments: &[&str]) -> String {
    let date = format!("{} +0000", 1_700_000_000 + time);
    let output = Command::new("git")
        .args(["-c", "init.defaultBranch=main", "-c", "commit.gpgsign=false"])
        .args(["-c", "user.name=Ada", "-c", "user.email=ada@example.org"])
        .args(["-c", "protocol.file.allow=always"])
        .args(arguments)
        .current_dir(folder)
        .env("GIT_CONFIG_NOSYSTEM", "1")
        .env("HOME", folder)
        .env("GIT_AUTHOR_DATE", &date)
        .env("GIT_COMMITTER_DATE", &date)
        .output()
        .unwrap();
    assert!(output.status.success(), "{arguments:?} {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8_lossy(&output.stdout).trim().to_owned()
}

#[track_caller]
fn git(project: &Project, time: u32, arguments: &[&str]) -> String {
    git_in(&project.place.root, time, arguments)
}

#[track_caller]
fn commit(project: &Project, time: u32, message: &str) -> String {
    git(project, time, &["add", "-A"]);
    git(project, time, &["commit", "-q", "--allow-empty", "-m", message]);
    git(project, time, &["rev-parse", "HEAD"])
}

const DAY: u32 = 86_400;

/// Four commits, a day apart; a file is renamed in the third.
fn project() -> Project {
    let project = Project::empty();
    git(&project, 0, &["init", "-q"]);
    project.write("src/upload.py", "def send(name):\n    return open(name)\n");
    commit(&project, 0, "Send files\n\nThe first of it.");
    project.write(
        "src/upload.py",
        "def send(name):\n    return open(name)\n\n\ndef retry_upload(name):\n    return send(name)\n",
    );
    commit(&project, DAY, "Try failed uploads again");
    git(&project, 2 * DAY, &["mv", "src/upload.py", "src/transfer.py"]);
    commit(&project, 2 * DAY, "Rename the module");
    project.write("docs/guide.md", "# Guide\n\nWombats are counted at noon.\n");
    commit(&project, 3 * DAY, "Describe the census");
    project
}

fn log(project: &Project) -> (LogWork, Log) {
    let work = refresh_log(&project.place, &|_, _| {}).unwrap();
    (work, Log::open(&project.place).unwrap())
}

#[track_caller]
fn ask(project: &Project, query: LogQuery) -> LogAnswer {
    let (_, log) = log(project);
    let git = Repository::around(&project.place.root).unwrap().git();
    let query = LogQuery { limit: 10, mode: Mode::Lexical, ..query };
    search_log(&project.place, &log, &git, &Meaning::Off("no model here"), &query).unwrap()
}

#[track_caller]
fn subjects(project: &Project, query: LogQuery) -> Vec<String> {
    ask(project, query).hits.into_iter().map(|hit| hit.commit.subject).collect()
}

fn about(text: &str) -> LogQuery {
    LogQuery { text: text.to_owned(), ..LogQuery::default() }
}

#[test]
fn commits_are_found_by_message_path_and_changed_lines() {
    let project = project();
    assert_eq!(subjects(&project, about("failed uploads"))[0], "Try failed uploads again");
    assert_eq!(subjects(&project, about("wombats noon")), ["Describe the census"]);
    assert_eq!(subjects(&project, about("retry_upload"))[0], "Try failed uploads again");
    assert_eq!(subjects(&project, about("guide.md"))[0], "Describe the census");
    let nothing = ask(&project, about("zebra"));
    assert!(nothing.nothing_because.unwrap().contains("none of the 4 commits"));
}

#[test]
fn commits_are_filtered_by_author_time_and_path() {
    let project = project();
    project.write("src/transfer.py", "def send(name):\n    return open(name, 'rb')\n");
    git(&project, 4 * DAY, &["add", "-A"]);
    git(&project, 4 * DAY, &["-c", "user.name=Grace", "commit", "-q", "-m", "Read bytes"]);
    let newest = |query| subjects(&project, query);
    assert_eq!(newest(LogQuery::default())[..2], ["Read bytes", "Describe the census"]);
    let author = Some("grace".to_owned());
    assert_eq!(newest(LogQuery { author, ..LogQuery::default() }), ["Read bytes"]);
    let since = Some(i64::from(1_700_000_000 + 3 * DAY));
    assert_eq!(newest(LogQuery { since, ..LogQuery::default() }).len(), 2);
    let until = Some(1_700_000_000);
    assert_eq!(newest(LogQuery { until, ..LogQuery::default() }), ["Send files"]);
    let paths = vec!["docs".to_owned()];
    assert_eq!(newest(LogQuery { paths, ..LogQuery::default() }), ["Describe the census"]);
}

#[test]
fn only_new_commits_are_read_and_rewritten_ones_are_dropped() {
    let project = project();
    assert_eq!(log(&project).0, LogWork { read: 4, dropped: 0 });
    assert_eq!(log(&project).0, LogWork { read: 0, dropped: 0 });
    commit(&project, 4 * DAY, "One more");
    assert_eq!(log(&project).0, LogWork { read: 1, dropped: 0 });
    git(&project, 5 * DAY, &["commit", "-q", "--amend", "--allow-empty", "-m", "Another instead"]);
    assert_eq!(log(&project).0, LogWork { read: 1, dropped: 1 });
    assert_eq!(log(&project).1.commits(), 5);
    assert!(!subjects(&project, about("more")).contains(&"One more".to_owned()));
    git(&project, 5 * DAY, &["reset", "-q", "--hard", "HEAD~2"]);
    log(&project);
    assert_eq!(log(&project).1.commits(), 3);
    git(&project, 5 * DAY, &["reset", "-q", "--hard", "HEAD@{1}"]);
    assert_eq!(log(&project).0.read, 0, "what was known is known again");
    assert_eq!(log(&project).1.commits(), 5);
}

#[test]
fn many_small_refreshes_stay_one_log() {
    let project = project();
    for n in 0..30 {
        commit(&project, 4 * DAY + n, &format!("Step {}", word(n as usize)));
        log(&project);
    }
    let (_, log) = log(&project);
    assert_eq!(log.commits(), 34);
    assert!(log.manifest.batches.len() <= 24, "{}", log.manifest.batches.len());
    assert_eq!(subjects(&project, about(&word(7))), [format!("Step {}", word(7))]);
    assert_eq!(subjects(&project, about("census")), ["Describe the census"]);
}

#[test]
fn a_damaged_log_is_made_again() {
    let project = project();
    log(&project);
    let folder = project.place.folder.join("history");
    for part in ["manifest", "segments", "commits"] {
        let path = folder.join(part);
        let files: Vec<_> = match path.is_dir() {
            true => std::fs::read_dir(&path).unwrap().map(|it| it.unwrap().path()).collect(),
            false => vec![path],
        };
        files.iter().for_each(|file| std::fs::write(file, "noise").unwrap());
        assert_eq!(log(&project).0.read, 4, "{part}");
        assert_eq!(subjects(&project, about("wombats")), ["Describe the census"], "{part}");
    }
}

#[test]
fn a_second_writer_is_told_and_a_reader_never_waits() {
    let project = project();
    log(&project);
    commit(&project, 4 * DAY, "One more");
    let path = project.place.folder.join("history/lock");
    let held = std::fs::File::create(path).unwrap();
    held.lock().unwrap();
    let refused = refresh_log(&project.place, &|_, _| {});
    assert!(matches!(refused, Err(Error::Busy(_))), "{refused:?}");
    assert_eq!(Log::open(&project.place).unwrap().commits(), 4);
}

#[test]
fn a_repository_without_commits_has_an_empty_log() {
    let project = Project::empty();
    git(&project, 0, &["init", "-q"]);
    let answer = ask(&project, about("anything"));
    assert_eq!(answer.nothing_because.as_deref(), Some("the repository has no commits yet"));
    let error = revision::place(&project.place, "HEAD").unwrap_err().to_string();
    assert!(error.contains("no commits yet"), "{error}");
    let folder = Project::empty();
    let error = refresh_log(&folder.place, &|_, _| {}).unwrap_err();
    assert!(matches!(error, Error::NoRepository { .. }), "{error}");
}

#[test]
fn merges_are_found_by_message_and_their_commits_once() {
    let project = project();
    git(&project, 4 * DAY, &["checkout", "-q", "-b", "side", "HEAD~1"]);
    project.write("src/quokka.py", "def count_quokkas():\n    return 7\n");
    commit(&project, 4 * DAY, "Count other animals");
    git(&project, 5 * DAY, &["checkout", "-q", "main"]);
    git(&project, 5 * DAY, &["merge", "-q", "--no-ff", "side", "-m", "Join the animals"]);
    assert_eq!(subjects(&project, about("count_quokkas"))[0], "Count other animals");
    let found = ask(&project, about("join animals"));
    assert_eq!(
        (found.hits[0].commit.subject.as_str(), found.hits[0].paths_total),
        ("Join the animals", 0)
    );
}

#[test]
fn messages_that_are_not_utf8_are_read_as_they_say() {
    let project = project();
    std::fs::write(project.path("message"), b"Caf\xe9 opens\n").unwrap();
    let latin = ["-c", "i18n.commitEncoding=ISO-8859-1"];
    git(
        &project,
        4 * DAY,
        &[&latin[..], &["commit", "-q", "--allow-empty", "-F", "message"]].concat(),
    );
    assert_eq!(subjects(&project, about("café")), ["Café opens"]);
    let known = git(&project, 0, &["cat-file", "commit", "HEAD~1"]);
    let mut odd = known.replace("Describe the census", "Quokkas: na").into_bytes();
    odd.extend_from_slice(b"\xefve\n");
    std::fs::write(project.path("message"), odd).unwrap();
    let id = git(&project, 0, &["hash-object", "-t", "commit", "-w", "message"]);
    git(&project, 0, &["reset", "-q", &id]);
    assert_eq!(subjects(&project, about("quokkas")), ["Quokkas: na\u{fffd}ve"]);
}

#[test]
fn shallow_clones_say_so_and_can_be_deepened() {
    let project = project();
    let clone = project.beside("clone");
    let from = format!("file://{}", project.place.root.display());
    git(&clone, 0, &["clone", "-q", "--depth", "2", &from, "."]);
    let answer = ask(&clone, about("guide"));
    assert!(answer.history.shallow);
    assert_eq!(
        (answer.history.commits, answer.hits[0].commit.subject.as_str()),
        (2, "Describe the census")
    );
    let error = revision::place(&clone.place, "HEAD~3").unwrap_err().to_string();
    assert!(error.contains("shallow"), "{error}");
    let traced =
        trace(&clone, "src/transfer.py", "def send(name):\n    return open(name)\n", (1, 2));
    assert!(!traced.complete && traced.unknown_lines == 2, "{traced:?}");
    git(&clone, 0, &["fetch", "-q", "--unshallow"]);
    assert_eq!(log(&clone).0.read, 2);
    assert!(!ask(&clone, about("guide")).history.shallow);
}

#[test]
fn bare_repositories_are_searched_at_a_revision() {
    let project = project();
    let bare = project.beside("bare");
    let from = project.place.root.display().to_string();
    git(&bare, 0, &["clone", "-q", "--bare", &from, "."]);
    assert_eq!(subjects(&bare, about("wombats")), ["Describe the census"]);
    assert_eq!(paths_at(&bare, "HEAD", "retry_upload"), ["src/transfer.py"]);
    assert_eq!(paths_at(&bare, "HEAD~2", "retry_upload"), ["src/upload.py"]);
}

#[test]
fn repositories_with_longer_hashes_work() {
    let project = Project::empty();
    git(&project, 0, &["init", "-q", "--object-format=sha256"]);
    project.write("a.py", "def platypus():\n    return 1\n");
    let id = commit(&project, 0, "Add an animal");
    assert_eq!(id.len(), 64);
    assert_eq!(ask(&project, about("animal")).hits[0].commit.commit, id);
    assert_eq!(paths_at(&project, "HEAD", "platypus"), ["a.py"]);
}

/// The snapshot of a revision, and what making it took.
#[track_caller]
fn at(project: &Project, rev: &str) -> (wherein_engine::Work, Snapshot) {
    let place = revision::place(&project.place, rev).unwrap();
    let work = refresh(&place, &project.settings, &|_, _| {}).unwrap();
    (work, Snapshot::open(&place).unwrap())
}

#[track_caller]
fn paths_at(project: &Project, rev: &str, words: &str) -> Vec<String> {
    let query = Query { mode: Mode::Lexical, ..Query::new(words) };
    let answer = search(&at(project, rev).1, &query).unwrap();
    answer.hits.into_iter().map(|hit| hit.path).collect()
}

#[test]
fn a_revision_is_searched_as_it_was() {
    let project = project();
    assert_eq!(paths_at(&project, "HEAD~3", "send"), ["src/upload.py"]);
    assert_eq!(paths_at(&project, "HEAD~3", "retry"), Vec::<String>::new());
    assert_eq!(paths_at(&project, "HEAD~2", "retry_upload"), ["src/upload.py"]);
    assert_eq!(paths_at(&project, "HEAD", "wombats"), ["docs/guide.md"]);
    let (_, snapshot) = at(&project, "HEAD~3");
    let hit = &search(&snapshot, &Query::new("send")).unwrap().hits[0];
    assert_eq!(hit.snippet, "def send(name):\n    return open(name)");
    project.write("src/.hidden/x.py", "def numbat():\n    pass\n");
    project.write(".whereinignore", "docs\n");
    commit(&project, 4 * DAY, "Hide things");
    assert_eq!(paths_at(&project, "HEAD", "numbat wombats"), Vec::<String>::new());
    let error = revision::place(&project.place, "no-such-thing").unwrap_err();
    assert!(matches!(error, Error::Revision { .. }), "{error}");
}

#[test]
fn a_revision_costs_what_differs_from_the_nearest_index() {
    let project = project();
    for n in 0..20 {
        project.write(&format!("lib/m{n}.py"), format!("def same_{n}():\n    return {n}\n"));
    }
    commit(&project, 4 * DAY, "Many files");
    project.write("lib/m3.py", "def other():\n    return 3\n");
    commit(&project, 5 * DAY, "One differs");
    project.settle();
    project.refresh();
    let (work, _) = at(&project, "HEAD~1");
    assert_eq!(
        (work.read, work.parsed, work.indexed),
        (1, 1, 1),
        "one file differs from the folder's"
    );
    let (again, _) = at(&project, "HEAD~1");
    assert_eq!(again.read, 0);
    project.write("lib/m4.py", "def uncommitted():\n    return 4\n");
    project.settle();
    project.refresh();
    let (work, _) = at(&project, "HEAD");
    assert_eq!(
        (work.read, work.parsed),
        (1, 0),
        "the other revision is nearer, and its parse is known"
    );
    assert_eq!(paths_at(&project, "HEAD", "uncommitted"), Vec::<String>::new());
    assert_eq!(project.find("uncommitted"), ["lib/m4.py"], "the folder's own index is as it was");
}

#[test]
fn few_revisions_are_kept() {
    let project = project();
    for n in 0..12 {
        commit(&project, 4 * DAY + n, "Nothing");
    }
    for n in 0..12 {
        at(&project, &format!("HEAD~{n}"));
    }
    assert!(revision::kept(&project.place).len() <= 8);
    project.refresh();
    assert!(project.place.clear().unwrap());
    assert!(revision::kept(&project.place).is_empty());
}

fn trace(project: &Project, path: &str, text: &str, span: (u32, u32)) -> blame::Blame {
    let git = Repository::around(&project.place.root).unwrap().git();
    let tip = git.head().unwrap();
    let mut found = blame::blame(&git, tip, path, text.as_bytes(), &[span], &|| true).unwrap();
    found.remove(0)
}

#[test]
fn lines_are_traced_back_through_changes_renames_and_merges() {
    let project = project();
    let text = std::fs::read_to_string(project.path("src/transfer.py")).unwrap();
    let traced = trace(&project, "src/transfer.py", &text, (1, 6));
    let named = |it: &Option<wherein_engine::history::Commit>| it.as_ref().unwrap().subject.clone();
    assert_eq!(named(&traced.introduced), "Send files");
    assert_eq!(named(&traced.last), "Try failed uploads again");
    assert_eq!((traced.commits, traced.uncommitted_lines, traced.complete), (2, 0, true));
    let traced = trace(
        &project,
        "src/transfer.py",
        &text.replace("send(name)\n", "send(name)  # now\n"),
        (5, 6),
    );
    assert_eq!(traced.uncommitted_lines, 1);
    git(&project, 4 * DAY, &["checkout", "-q", "-b", "side"]);
    project.write("src/transfer.py", format!("import os\n{text}"));
    commit(&project, 4 * DAY, "Import");
    git(&project, 5 * DAY, &["checkout", "-q", "main"]);
    git(&project, 5 * DAY, &["merge", "-q", "--no-ff", "side", "-m", "Join"]);
    let text = std::fs::read_to_string(project.path("src/transfer.py")).unwrap();
    assert_eq!(named(&trace(&project, "src/transfer.py", &text, (1, 1)).last), "Import");
}

#[test]
fn a_trace_that_is_cut_says_so() {
    let project = project();
    let git = Repository::around(&project.place.root).unwrap().git();
    let text = std::fs::read(project.path("src/transfer.py")).unwrap();
    let tip = git.head().unwrap();
    let cut = blame::blame(&git, tip, "src/transfer.py", &text, &[(1, 6)], &|| false).unwrap();
    assert_eq!((cut[0].unknown_lines, cut[0].complete), (6, false));
    let unknown = blame::blame(&git, None, "src/transfer.py", &text, &[(1, 6)], &|| true).unwrap();
    assert_eq!(unknown[0].uncommitted_lines, 6);
}

#[test]
fn changed_spans_that_match_are_ranked() {
    let project = project();
    project.write("src/transfer.py", "def send(name):\n    return open(name)\n");
    project.write("src/fresh.py", "def bandicoot():\n    return 1\n");
    commit(&project, 4 * DAY, "Drop a function, add another");
    let repository = Repository::around(&project.place.root).unwrap();
    let git = repository.git();
    let range = Range::read(&git, "HEAD~1..").unwrap();
    let found = between(&git, &range, "").unwrap();
    assert_eq!(found.files, 2);
    let (older, newer) = (at(&project, "HEAD~1").1, at(&project, "HEAD").1);
    let asked = |words: &str| {
        let query = Query { mode: Mode::Lexical, ..Query::new(words) };
        let answer = changes::search((&older, &newer), &found, &Meaning::Off("none"), &query);
        let hits = answer.unwrap().hits.into_iter();
        hits.map(|it| (it.hit.path, it.change)).collect::<Vec<_>>()
    };
    assert_eq!(asked("bandicoot"), [("src/fresh.py".to_owned(), Change::Added)]);
    assert_eq!(asked("retry_upload"), [("src/transfer.py".to_owned(), Change::Removed)]);
    assert_eq!(asked("wombats"), []);
    let renamed = Range::read(&git, "HEAD~3..HEAD~2").unwrap();
    let renamed = between(&git, &renamed, "").unwrap();
    assert_eq!(renamed.renamed["src/transfer.py"], "src/upload.py");
    assert!(Range::read(&git, "..nothing").is_err());
    assert_eq!(Range::read(&git, "HEAD~2...HEAD~1").unwrap().from, git.resolve("HEAD~2").unwrap());
}

#[test]
fn a_folder_of_a_repository_is_a_tree_of_its_own() {
    let project = project();
    let below = project.beside("tree/src");
    assert_eq!(paths_at(&below, "HEAD", "retry_upload"), ["transfer.py"]);
    let text = std::fs::read_to_string(project.path("src/transfer.py")).unwrap();
    let traced = trace(&project, "src/transfer.py", &text, (1, 2));
    assert!(traced.complete);
}

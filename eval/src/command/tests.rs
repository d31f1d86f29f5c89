//! Whole evaluations of small trees, from the command line to the folder on disk.

use std::fs;

use clap::Parser;
use tempfile::TempDir;

use super::*;
use crate::ranks::Ranks;

#[derive(Parser)]
struct Cli {
    #[command(flatten)]
    eval: EvalArgs,
}

/// A folder with a benchmark and its trees; commands name files relative to it.
struct Desk(TempDir);

impl Desk {
    fn with(files: &[(&str, &str)]) -> Desk {
        let folder = tempfile::tempdir().unwrap();
        for (name, content) in files {
            let path = folder.path().join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, content).unwrap();
        }
        Desk(folder)
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    /// Runs a command line in which `@name` stands for a file of the desk.
    fn eval(&self, line: &str) -> (anyhow::Result<ExitKind>, String) {
        let words = line.split_whitespace().map(|word| match word.strip_prefix('@') {
            Some(name) => self.path(name).to_string_lossy().into_owned(),
            None => word.to_owned(),
        });
        let cli = Cli::try_parse_from(std::iter::once("eval".to_owned()).chain(words)).unwrap();
        let mut out = Vec::new();
        let mut edge = Edge {
            version: "1.2.3",
            date: "2026-01-02",
            machine: "a desk",
            progress: &|_| {},
            out: &mut out,
        };
        let outcome = main(cli.eval, &mut edge);
        (outcome, String::from_utf8(out).unwrap())
    }

    /// The printed page of a command that must pass.
    #[track_caller]
    fn page(&self, line: &str) -> String {
        let (outcome, page) = self.eval(line);
        assert_eq!(outcome.unwrap(), ExitKind::Passed);
        page
    }

    #[track_caller]
    fn check_error(&self, line: &str, expected: &[&str]) {
        let error = format!("{:#}", self.eval(line).0.unwrap_err());
        for part in expected {
            assert!(error.contains(part), "{error}");
        }
    }
}

#[track_caller]
fn check(page: &str, expected: &[&str]) {
    for part in expected {
        assert!(page.contains(part), "no {part:?} in\n{page}");
    }
}

const PARSER: &str = "fn parse_header(line: &str) -> Header {\n    split(line)\n}\n";
const RETRY: &str = "fn retry_upload(times: u32) {\n    upload()\n}\n";

/// Two questions, the first of which is easy and the second without any word to go by.
fn spans() -> Desk {
    Desk::with(&[
        (
            "code.csv",
            "query,result1,result2\nwhere are failed uploads retried,src/retry.rs:1-3:2,\n\
             zebra crossing,src/parse.rs:1-3:2,\n",
        ),
        ("tree/src/parse.rs", PARSER),
        ("tree/src/retry.rs", RETRY),
    ])
}

#[test]
fn a_run_is_printed_and_written() {
    let desk = spans();
    let page = desk.page("spans @code.csv --trees @tree --out @run");
    check(&page, &["# spans: wherein, lexical, 2 questions", "| hit@5 | 0.5000 |"]);
    assert_eq!(fs::read_to_string(desk.path("run/summary.md")).unwrap().trim(), page.trim());
    let run = Run::read(&desk.path("run")).unwrap();
    assert_eq!(run.settings.machine, "a desk");
    assert_eq!(
        (run.settings.date.as_str(), run.settings.version.as_str()),
        ("2026-01-02", "1.2.3")
    );
    assert_eq!((run.settings.source.as_str(), run.settings.mode.as_str()), ("code.csv", "lexical"));
    assert_eq!(run.summary.mean("mrr@10"), Some(0.5));
    let [found, lost] = run.ranks.rows.as_slice() else { panic!("{:?}", run.ranks.rows) };
    assert_eq!((found.first, found.returned[0].as_str()), (Some(1), "src/retry.rs:1-3"));
    assert_eq!((lost.first, lost.returned.len()), (None, 0));
    assert!(found.latency_ms > 0.0);
}

#[test]
fn the_floor_decides_the_exit_kind() {
    let desk = spans();
    let exit = |line: &str| desk.eval(line).0.unwrap();
    assert_eq!(exit("spans @code.csv --trees @tree --min-hit5 0.5"), ExitKind::Passed);
    assert_eq!(exit("spans @code.csv --trees @tree --min-hit5 0.51"), ExitKind::BelowFloor);
}

#[test]
fn json_is_the_summary_that_is_written() {
    let desk = spans();
    let page = desk.page("spans @code.csv --trees @tree --json --out @run");
    let printed: Vec<crate::summary::Summary> = serde_json::from_str(&page).unwrap();
    assert_eq!(printed, [Run::read(&desk.path("run")).unwrap().summary]);
}

#[test]
fn the_scope_limits_what_may_answer() {
    let desk = spans();
    let page = desk.page("spans @code.csv --trees @tree --scope docs");
    check(&page, &["| hit@10 | 0.0000 |"]);
}

#[test]
fn the_same_run_twice_differs_in_nothing_but_time() {
    let desk = spans();
    desk.page("spans @code.csv --trees @tree --index-dir @index --out @a");
    desk.page("spans @code.csv --trees @tree --index-dir @index --out @b");
    let page = desk.page("compare @a @b");
    check(&page, &["2 questions", "| ndcg@10 | 0.5000 | 0.5000 | +0.0000 |"]);
    check(&page, &["the same on every question"]);
    assert!(!page.contains("Set differently") && !page.contains("Moved most"), "{page}");
}

#[test]
fn a_comparison_names_what_moved_and_what_was_set() {
    let desk = spans();
    desk.page("spans @code.csv --trees @tree --out @a");
    desk.page("spans @code.csv --trees @tree --scope docs --out @b");
    let page = desk.page("compare @a @b");
    check(&page, &["code:2 1.000 → 0.000 (first right answer 1 → none)", "scope: all → docs"]);
    check(&page, &["noise: the interval holds 0"]);
    check(&desk.page("compare @a @b --json"), &["\"verdict\": \"noise\""]);
    desk.check_error("compare @a @tree", &["tree is not a run: run.json"]);
}

#[test]
fn a_mode_that_is_not_there_is_said_to_be() {
    let desk = spans();
    desk.check_error("spans @code.csv --trees @tree --mode dense", &["no model yet"]);
    let page = desk.page("spans @code.csv --trees @tree --mode lexical,dense --out @run");
    check(&page, &["| metric | lexical |", "dense: no model yet"]);
    assert!(desk.path("run/lexical/run.json").is_file() && !desk.path("run/dense").exists());
}

fn files() -> Desk {
    Desk::with(&[
        (
            "api.jsonl",
            "{\"id\":\"a/0\",\"repo\":\"a\",\"query\":\"split(line)\",\"truth\":[\"parse.rs\"],\"mask\":[1,3]}\n\
             {\"id\":\"b/0\",\"repo\":\"b\",\"query\":\"upload()\",\"truth\":[\"retry.rs\"],\"mask\":[1,3]}\n",
        ),
        ("trees/a/parse.rs", PARSER),
    ])
}

#[test]
fn a_question_without_its_tree_stops_the_run_or_is_reported() {
    let desk = files();
    let expected = ["api.jsonl:2: expected the tree of 'b/0'", "trees/b", "--skip-missing"];
    desk.check_error("files @api.jsonl --trees @trees", &expected);
    let page = desk.page("files @api.jsonl --trees @trees --skip-missing --out @run");
    check(
        &page,
        &["1 question\n", "| recall@5 | 1.0000 |", "## Not asked, in no figure\n\n- b/0: no tree"],
    );
    assert_eq!(Ranks::read(&desk.path("run/ranks.csv")).unwrap().rows.len(), 1);
    let nothing = ["api.jsonl:1: expected the tree of 'a/0'"];
    desk.check_error("files @api.jsonl --trees @nowhere --skip-missing", &nothing);
}

#[test]
fn a_masked_place_does_not_count() {
    let desk = files();
    let page = desk.page("files @api.jsonl --trees @trees --skip-missing --mask");
    check(&page, &["| recall@10 | 0.0000 |"]);
}

#[test]
fn the_excluded_file_leaves_its_rank_to_the_next() {
    let row = "{\"id\":\"a/0\",\"repo\":\"a\",\"query\":\"x\",\"query_nav\":\"split(line)\",\
               \"truth\":[\"other.rs\"],\"exclude\":\"parse.rs\"}";
    let desk = Desk::with(&[
        ("definition.jsonl", row),
        ("trees/a/parse.rs", PARSER),
        ("trees/a/other.rs", "fn unrelated() {}\n\nfn other() {\n    split(line)\n}\n"),
    ]);
    let asked = "files @definition.jsonl --trees @trees --query-field query_nav";
    check(&desk.page(&format!("{asked} --exclude")), &["| mrr@10 | 1.0000 |"]);
    check(&desk.page(asked), &["| mrr@10 | 0.5000 |"]);
}

#[test]
fn evidence_that_is_not_there_lowers_the_ceiling() {
    let row = "{\"id\":\"a-1\",\"dataset\":\"a\",\"question\":\"how is a header parsed\",\
               \"required_evidence\":[{\"file\":\"parse.rs\"},{\"file\":\"gone.rs\"}]}";
    let desk = Desk::with(&[("set/a.jsonl", row), ("trees/a/parse.rs", PARSER)]);
    let page = desk.page("evidence @set --trees @trees");
    check(
        &page,
        &["1 expected path not in the tree it was asked of", "- recall@50-chunks 0.5000 (sum 0.5)"],
    );
    check(
        &page,
        &["- perfect@50-chunks 0.0000", "- a-1: gone.rs", "| recall@50-chunks | 0.5000 |"],
    );
}

#[test]
fn repositories_count_alike() {
    let repos = "[{\"name\":\"a\",\"language\":\"rust\",\"benchmark_root\":\"src\"},\
                  {\"name\":\"b\",\"language\":\"rust\",\"benchmark_root\":null}]";
    let easy =
        "{\"query\":\"parse header\",\"relevant\":[\"src/parse.rs\"],\"category\":\"symbol\"}";
    let lost = "{\"query\":\"zebra\",\"relevant\":[\"retry.rs\"],\"category\":\"semantic\"}";
    let desk = Desk::with(&[
        ("set/repos.json", repos),
        ("set/annotations/a.json", &format!("[{easy},{easy},{easy}]")),
        ("set/annotations/b.json", &format!("[{lost}]")),
        ("trees/a/src/parse.rs", PARSER),
        ("trees/b/retry.rs", RETRY),
    ]);
    let page = desk.page("annotations @set --trees @trees");
    check(&page, &["ndcg@10 0.5000 (95 %", "| ndcg@10 | 0.7500 |", "| semantic | 1 | 0.000"]);
    check(&page, &["| a | 3 | 1.000", "| recall@500-tokens | 0.7500 |"]);
}

#[test]
fn functions_are_asked_in_every_mode_there_is() {
    let corpus = "{\"id\":\"1\",\"path\":\"a.rs\",\"code\":\"fn parse_header() {}\"}\n\
                  {\"id\":\"2\",\"path\":\"a.rs\",\"code\":\"fn retry_upload() {}\"}\n";
    let queries = "{\"id\":\"q\",\"query\":\"retry an upload\",\"relevant_id\":\"2\"}\n";
    let desk = Desk::with(&[("set/corpus.jsonl", corpus), ("set/queries.jsonl", queries)]);
    let page = desk.page("functions @set --index-dir @index");
    check(&page, &["| metric | lexical |", "dense: no model yet", "hybrid: no model yet"]);
    check(&page, &["| mrr@10 | 1.0000 |", "one question at a time"]);
    // The functions were written out once and are found again.
    check(&desk.page("functions @set --index-dir @index"), &["| mrr@10 | 1.0000 |"]);
    assert_eq!(fs::read_dir(desk.path("index/corpora")).unwrap().count(), 1);
}

#[test]
fn points_are_given_for_expected_files() {
    let set =
        "[{\"id\":\"T1\",\"query\":\"parse header\",\"expected_files\":[\"parse.rs\"],\"tier\":1}]";
    let desk = Desk::with(&[("set.json", set), ("tree/parse.rs", PARSER)]);
    let page = desk.page("rubric @set.json --trees @tree");
    check(&page, &["| points | 3.0000 |", "out of 3"]);
}

/// The words of a doc comment must not find the definition it stands on: here they are the only
/// words that could.
#[test]
fn documentation_that_is_asked_with_cannot_be_found() {
    let code = "/// Counts zebras at every crossing.\nfn tally() -> u32 {\n    0\n}\n";
    let desk = Desk::with(&[("repo/a.rs", code), ("repo/b.rs", PARSER)]);
    let page = desk.page("self @repo --out @run");
    check(&page, &["# self: wherein, lexical, 1 question", "commit: no questions"]);
    let run = Run::read(&desk.path("run")).unwrap();
    assert_eq!(run.ranks.rows[0].query, "Counts zebras at every crossing");
    assert_eq!((run.ranks.rows[0].first, run.ranks.rows[0].returned.len()), (None, 0));
    let empty = Desk::with(&[("repo/b.rs", PARSER)]);
    empty.check_error("self @repo", &["expected at least one documented definition"]);
}

#[test]
fn a_commit_asks_for_the_files_it_touched() {
    let desk = Desk::with(&[("repo/parse.rs", PARSER), ("repo/retry.rs", RETRY)]);
    let git = |args: &[&str]| {
        let own =
            ["-c", "user.name=A", "-c", "user.email=a@example.org", "-c", "commit.gpgsign=false"];
        let mut git = std::process::Command::new("git");
        let done = git.arg("-C").arg(desk.path("repo")).args(own).args(args).output().unwrap();
        assert!(done.status.success(), "{done:?}");
    };
    git(&["init", "-q"]);
    git(&["add", "retry.rs"]);
    git(&["commit", "-q", "-m", "fix: retry a failed upload twice (#7)"]);
    git(&["add", "parse.rs"]);
    git(&["commit", "-q", "-m", "Bump the version to 2"]);
    desk.page("self @repo --out @run");
    let run = Run::read(&desk.path("run")).unwrap();
    let [row] = run.ranks.rows.as_slice() else { panic!("{:?}", run.ranks.rows) };
    assert_eq!((row.query.as_str(), row.first), ("retry a failed upload twice", Some(1)));
    assert_eq!((row.group.as_str(), row.expected.join(" ").as_str()), ("commit", "retry.rs"));
}

#[test]
fn a_source_that_is_not_there_is_named() {
    let desk = Desk::with(&[]);
    desk.check_error("spans @none.csv --trees @tree", &["cannot read", "none.csv"]);
    desk.check_error("self @none", &["cannot read", "none"]);
    let desk = Desk::with(&[("code.csv", "query,result1\nq,a.rs:1-2:1\n"), ("tree/.hidden", "")]);
    desk.check_error("spans @code.csv --trees @tree", &["expected at least one file to index"]);
}

#[test]
fn a_report_is_one_page_of_all_runs() {
    let row = "<b>parse</b> header,parse.rs:1-2:2,,\n";
    let set = format!("query,result1,result2,result3\n{row}");
    let desk = Desk::with(&[("set.csv", &set), ("tree/parse.rs", PARSER)]);
    desk.page("spans @set.csv --trees @tree --out @all");
    desk.page("spans @set.csv --trees @tree --scope docs --out @docs");
    let printed = desk.page("report @all @docs --out @page.html");
    check(&printed, &["page.html"]);
    let page = fs::read_to_string(desk.path("page.html")).unwrap();
    check(&page, &["Evaluation, 2 runs", "lexical, scope all", "lexical, scope docs", "1.2.3"]);
    check(&page, &["<pre>&lt;b&gt;parse&lt;/b&gt; header</pre>", "<code>parse.rs:1-2</code>"]);
    desk.check_error("report @tree", &["tree is not a run: run.json"]);
}

//! Whole evaluations of small trees, from the command line to the folder on disk.

use std::fs;

use clap::Parser;
use tempfile::TempDir;

use super::*;
use crate::ranks::Ranks;
use crate::rival::samples::{BROKEN, BY_PATH, MISSING};
use crate::summary::Summary;

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

    /// Runs a command line in which `@name` stands for a file of the desk. Questions are asked by
    /// words unless it says otherwise: what is found by meaning is not what these tests are about.
    fn eval(&self, line: &str) -> (anyhow::Result<ExitKind>, String) {
        self.run(line, main)
    }

    /// Runs `self` with these rivals as the usual ones.
    fn eval_beside(
        &self,
        line: &str,
        usual: &[&'static Entry],
    ) -> (anyhow::Result<ExitKind>, String) {
        self.run(line, |args, edge| {
            let EvalCommand::Selfmade(args) = args.command else { panic!("not self") };
            measure_self(&args, usual.to_vec(), edge)
        })
    }

    fn run(
        &self,
        line: &str,
        with: impl FnOnce(EvalArgs, &mut Edge) -> anyhow::Result<ExitKind>,
    ) -> (anyhow::Result<ExitKind>, String) {
        let words = line.split_whitespace().map(|word| match word.strip_prefix('@') {
            Some(name) => self.path(name).to_string_lossy().into_owned(),
            None => word.to_owned(),
        });
        let asks = ["spans", "files", "evidence", "annotations", "rubric", "self"]
            .iter()
            .any(|protocol| line.split_whitespace().next() == Some(protocol));
        let by_words = asks && !line.contains("--mode") && !line.contains("--rival");
        let mode = ["--mode", "lexical"].iter().filter(|_| by_words).map(|word| (*word).to_owned());
        let words = std::iter::once("eval".to_owned()).chain(words).chain(mode);
        let cli = Cli::try_parse_from(words).unwrap();
        let mut out = Vec::new();
        let mut edge = Edge {
            version: "1.2.3",
            date: "2026-01-02",
            machine: "a desk",
            progress: &|_| {},
            out: &mut out,
        };
        let outcome = with(cli.eval, &mut edge);
        (outcome, String::from_utf8(out).unwrap())
    }

    /// The printed page of a command that must pass.
    #[track_caller]
    fn page(&self, line: &str) -> String {
        let (outcome, page) = self.eval(line);
        assert_eq!(outcome.unwrap(), ExitKind::Passed);
        page
    }

    /// The printed page of `self` beside these rivals.
    #[track_caller]
    fn page_beside(&self, line: &str, usual: &[&'static Entry]) -> String {
        let (outcome, page) = self.eval_beside(line, usual);
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
fn questions_are_asked_both_ways_unless_told_otherwise() {
    let EvalCommand::Spans(args) =
        Cli::parse_from(["eval", "spans", "x.csv", "--trees", "x"]).eval.command
    else {
        panic!("not spans");
    };
    assert!(matches!(Job::new(&args.run, Path::new("x")).modes(), [ModeArg::Hybrid]));
}

#[test]
fn modes_are_shown_side_by_side_and_kept_apart() {
    let desk = spans();
    let page = desk.page("spans @code.csv --trees @tree --mode lexical,dense --out @run");
    check(&page, &["# spans: 2 questions, 2 runs", "| lexical                | dense "]);
    check(&page, &["| hit@5        | 0.500 (0.000 to 1.000) |"]);
    let mode = |folder: &str| Run::read(&desk.path(folder)).unwrap().settings.mode;
    assert_eq!([mode("run/lexical"), mode("run/dense")], ["lexical", "dense"]);
    assert!(!desk.path("run/run.json").exists());
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
    check(&page, &["# functions: 1 question, 3 runs", "one question at a time"]);
    check(&page, &["| metric    | lexical                | dense                  | hybrid "]);
    check(&page, &["| mrr@10    | 1.000 (1.000 to 1.000) |"]);
    // The functions were written out once and are found again.
    check(&desk.page("functions @set --index-dir @index"), &["| mrr@10    | 1.000"]);
    assert_eq!(fs::read_dir(desk.path("index/corpora")).unwrap().count(), 1);
    let (outcome, page) = desk.run("functions @set", |mut args, edge| {
        let EvalCommand::Functions(functions) = &mut args.command else { panic!("not functions") };
        functions.run.rival = Some(&BY_PATH);
        main(args, edge)
    });
    assert_eq!(outcome.unwrap(), ExitKind::Passed);
    check(&page, &["# functions: by-path, lexical, 1 question", "| mrr@10 | 0.5000 |"]);
}

#[test]
fn points_are_given_for_expected_files() {
    let set =
        "[{\"id\":\"T1\",\"query\":\"parse header\",\"expected_files\":[\"parse.rs\"],\"tier\":1}]";
    let desk = Desk::with(&[("set.json", set), ("tree/parse.rs", PARSER)]);
    let page = desk.page("rubric @set.json --trees @tree");
    check(&page, &["| points | 3.0000 |", "out of 3"]);
}

/// A repository with one question, which has no word of the code in it.
fn zebras() -> Desk {
    let code = "/// Counts zebras at every crossing.\nfn tally() -> u32 {\n    0\n}\n";
    Desk::with(&[("repo/a.rs", code), ("repo/b.rs", PARSER)])
}

/// The words of a doc comment must not find the definition it stands on: here they are the only
/// words that could.
#[test]
fn documentation_that_is_asked_with_cannot_be_found() {
    let desk = zebras();
    let page = desk.page("self @repo --no-rivals --out @run");
    check(&page, &["# self: wherein, lexical, 1 question", "commit: no questions"]);
    let run = Run::read(&desk.path("run")).unwrap();
    assert_eq!(run.ranks.rows[0].query, "Counts zebras at every crossing");
    assert_eq!((run.ranks.rows[0].first, run.ranks.rows[0].returned.len()), (None, 0));
    let empty = Desk::with(&[("repo/b.rs", PARSER)]);
    empty.check_error("self @repo", &["expected at least one documented definition"]);
}

#[test]
fn rivals_answer_the_same_questions_beside_ours() {
    let desk = zebras();
    let page = desk.page_beside("self @repo --out @run", &[&BY_PATH]);
    check(&page, &["# self: 1 question, 2 runs", "one question at a time"]);
    check(&page, &["| metric    | wherein, lexical       | by-path, lexical       |"]);
    check(&page, &["| --------- | ---------------------- | ---------------------- |"]);
    check(&page, &["| recall@10 | 0.000 (0.000 to 0.000) | 1.000 (1.000 to 1.000) |"]);
    check(&page, &["| ndcg@10   | 0.000", "| p50 ms    | ", "| p95 ms    | "]);
    check(&page, &["- by-path: nothing, files in the order of their paths.", "Indexed: 2 files"]);
    assert_eq!(page.matches("docstring: 1 questions could be made").count(), 1, "{page}");
    desk.page("report @run --out @page.html");
    let html = fs::read_to_string(desk.path("page.html")).unwrap();
    check(&html, &["Evaluation, 2 runs", "wherein, lexical", "by-path, lexical"]);
    check(&desk.page("compare @run/lexical @run/by-path"), &["tool: wherein → by-path"]);
}

#[test]
fn json_has_the_runs_of_rivals_too() {
    let page = zebras().page_beside("self @repo --json", &[&BY_PATH, &MISSING]);
    let runs: Vec<Summary> = serde_json::from_str(&page).unwrap();
    let told: Vec<_> = runs.iter().map(|run| (run.tool.as_str(), run.mean("recall@1"))).collect();
    assert_eq!(told, [("wherein", Some(0.0)), ("by-path", Some(1.0))]);
    assert!(runs.iter().all(|run| run.notes.iter().any(|note| note.contains("not installed"))));
}

#[test]
fn a_rival_that_cannot_be_asked_is_noted_and_ours_stands_alone() {
    let desk = zebras();
    let page = desk.page_beside("self @repo --out @run", &[&MISSING, &BROKEN]);
    check(&page, &["# self: wherein, lexical, 1 question"]);
    check(&page, &["- Not measured: missing is not installed: there is no program", "ask its"]);
    check(&page, &["- Not measured: broken: prog failed: it broke"]);
    let written = fs::read_to_string(desk.path("run/lexical/summary.md")).unwrap();
    assert_eq!(written.trim(), page.trim());
}

#[test]
fn the_user_decides_who_is_asked() {
    let desk = zebras();
    let alone = "# self: wherein, lexical, 1 question";
    check(&desk.page_beside("self @repo --no-rivals", &[&BY_PATH]), &[alone]);
    let named = |rival: &'static Entry| {
        desk.run("self @repo", |mut args, edge| {
            let EvalCommand::Selfmade(own) = &mut args.command else { panic!("not self") };
            own.run.rival = Some(rival);
            measure_self(own, vec![&BY_PATH], edge)
        })
    };
    let (outcome, page) = named(&BY_PATH);
    assert_eq!(outcome.unwrap(), ExitKind::Passed);
    check(&page, &["# self: by-path, lexical, 1 question", "| recall@1 | 1.0000 |"]);
    assert!(!page.contains("Indexed"), "{page}");
    // No rival beside makes up for the one that was asked for.
    for (rival, reason) in [(&MISSING, "missing is not installed"), (&BROKEN, "it broke")] {
        let (outcome, page) = named(rival);
        assert!(outcome.unwrap_err().to_string().contains(reason));
        assert_eq!(page, "");
    }
    let both = ["eval", "self", "--no-rivals", "--rival", "csearch"];
    assert!(Cli::try_parse_from(both).is_err());
}

/// As columns where it is installed, as a note where it is not.
#[test]
fn ripgrep_is_asked_beside_ours_without_an_option() {
    let page = zebras().page("self @repo");
    check(&page, &["wherein, lexical", "ripgrep-literal", "ripgrep-keywords"]);
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
    desk.page("self @repo --no-rivals --out @run");
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

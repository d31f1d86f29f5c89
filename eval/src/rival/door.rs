//! Rivals from the command line to the printed page.

use std::fs;

use clap::Parser;

use super::{ALL, find, installed, names};
use crate::args::{EvalArgs, EvalCommand};
use crate::{Edge, ExitKind};

#[derive(Parser)]
struct Cli {
    #[command(flatten)]
    eval: EvalArgs,
}

fn parse(options: &str) -> clap::error::Result<EvalArgs> {
    let line = format!("eval spans code.csv --trees tree {options}");
    Cli::try_parse_from(line.split_whitespace()).map(|cli| cli.eval)
}

/// Asks one question about a tree of one file.
fn eval(rival: &str) -> (anyhow::Result<ExitKind>, String) {
    let folder = tempfile::tempdir().unwrap();
    let tree = folder.path().join("tree");
    fs::create_dir_all(&tree).unwrap();
    fs::write(tree.join("a.rs"), "fn retry_upload() {}\n").unwrap();
    let mut args = parse(&format!("--rival {rival}")).unwrap();
    let EvalCommand::Spans(spans) = &mut args.command else { panic!("not spans") };
    (spans.file, spans.trees) = (folder.path().join("code.csv"), tree);
    fs::write(&spans.file, "query,result1\nwhere is upload retried,a.rs:1-1:2\n").unwrap();
    let mut out = Vec::new();
    let (version, date, machine, progress) = ("1", "today", "a desk", &|_| {});
    let mut edge = Edge { version, date, machine, progress, out: &mut out };
    let outcome = crate::main(args, &mut edge);
    (outcome, String::from_utf8(out).unwrap())
}

#[test]
fn a_rival_is_scored_like_ours() {
    for name in ["ripgrep-keywords", "csearch"] {
        let Ok(version) = installed(find(name).unwrap()) else { continue };
        let (outcome, page) = eval(name);
        assert_eq!(outcome.unwrap(), ExitKind::Passed);
        let tool = version.map_or(name.to_owned(), |version| format!("{name} {version}"));
        let title = format!("# spans: {tool}, lexical, 1 question");
        assert!(page.starts_with(&title), "{page}");
        assert!(page.contains("| hit@1 | 1.0000 |"), "{page}");
    }
}

#[test]
fn a_rival_that_is_not_installed_is_refused() {
    for entry in ALL {
        let Err(missing) = installed(entry) else { continue };
        let (outcome, page) = eval(entry.name);
        assert_eq!(outcome.unwrap_err().to_string(), missing.to_string());
        assert_eq!(page, "");
    }
}

#[test]
fn only_known_names_are_taken_and_no_mode_beside_them() {
    for name in names() {
        assert!(parse(&format!("--rival {name}")).is_ok(), "{name}");
    }
    let error = |options: &str| parse(options).unwrap_err().to_string();
    assert!(error("--rival grep").contains("possible values: ripgrep-literal, ripgrep-keywords"));
    assert!(error("--rival semble --mode dense").contains("cannot be used with"));
}

//! Our matcher against tree-sitter's own.
//!
//! Query files are written in tree-sitter's syntax and mean here what they mean there: each
//! compiles there, and over its sample both find the same matches. In broken text ours may find
//! more: tree-sitter looks for no siblings inside an error, and loses a match now and then where
//! an error interrupts a list. It must never find less.

use std::collections::BTreeSet;
use std::ops::{ControlFlow, Range};

use proptest::prelude::*;
use tree_sitter::{ParseOptions, ParseState, Parser, Query, QueryCursor, StreamingIterator, Tree};
use wherein_corpus::{Language, Syntax, Tags};

use crate::mangle;
use crate::samples::{self, Sample};

/// Mangled texts tried for each language.
const CASES: u32 = 40;

/// Matches that tree-sitter may have under way; without a limit a line repeated fifty times takes
/// it minutes.
const MOST_AT_ONCE: u32 = 256;

/// A pattern's number, and its captures by name and bytes.
type Match = (usize, Vec<(String, usize, usize)>);

fn ours(language: &Language, tree: &Tree, text: &str) -> BTreeSet<Match> {
    let mut found = BTreeSet::new();
    let tags = language.tags().expect("a language with a grammar has a query");
    tags.each_match(&Syntax::of(tree), text, |pattern, captures| {
        let captures = captures.iter().map(|&(name, node)| (name, node.byte_range()));
        found.insert(matched(pattern, captures));
    });
    found
}

fn theirs(query: &Query, tree: &Tree, text: &str) -> BTreeSet<Match> {
    let names = query.capture_names();
    let (mut found, mut cursor) = (BTreeSet::new(), QueryCursor::new());
    cursor.set_match_limit(MOST_AT_ONCE);
    let mut matches = cursor.matches(query, tree.root_node(), text.as_bytes());
    while let Some(one) = matches.next() {
        let captures =
            one.captures().iter().map(|c| (names[c.index as usize], c.node.byte_range()));
        found.insert(matched(one.pattern_index, captures));
    }
    found
}

fn matched<'a>(pattern: usize, captures: impl Iterator<Item = (&'a str, Range<usize>)>) -> Match {
    let mut captures: Vec<_> =
        captures.map(|(name, bytes)| (name.to_owned(), bytes.start, bytes.end)).collect();
    captures.sort_unstable();
    (pattern, captures)
}

/// `None` where the grammar finds no end.
fn tree(language: &Language, text: &str) -> Option<Tree> {
    let mut parser = Parser::new();
    parser.set_language(&language.grammar().unwrap()).unwrap();
    let mut calls = 0;
    let mut watch = |_: &ParseState| {
        calls += 1;
        if calls < 5_000 { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    };
    let options = ParseOptions::new().progress_callback(&mut watch);
    let bytes = text.as_bytes();
    parser.parse_with_options(&mut |at, _| bytes.get(at..).unwrap_or_default(), None, Some(options))
}

/// Every sample of a language with a grammar, beside its query as tree-sitter compiles it.
fn compiled() -> impl Iterator<Item = (Sample, Query)> {
    samples::all().into_iter().filter_map(|sample| {
        let query = Query::new(&sample.language.grammar()?, sample.language.query());
        let query = query.unwrap_or_else(|error| panic!("{:?}: {error}", sample.language));
        Some((sample, query))
    })
}

#[test]
fn both_matchers_find_the_same_in_every_sample() {
    for (Sample { language, text, .. }, query) in compiled() {
        let tree = tree(language, &text).unwrap();
        let (ours, theirs) = (ours(language, &tree, &text), theirs(&query, &tree, &text));
        let only_ours: Vec<_> = ours.difference(&theirs).collect();
        let only_theirs: Vec<_> = theirs.difference(&ours).collect();
        assert!(
            ours == theirs,
            "{language:?}: only ours {only_ours:?}, only theirs {only_theirs:?}"
        );
    }
}

#[test]
fn nothing_is_missed_in_broken_text() {
    for (Sample { language, text, .. }, query) in compiled() {
        mangle::check(CASES, &text, language.name, |text, _| {
            let Some(tree) = tree(language, text) else {
                return Ok(());
            };
            let (ours, theirs) = (ours(language, &tree, text), theirs(&query, &tree, text));
            let missed: Vec<_> = theirs.difference(&ours).collect();
            prop_assert!(missed.is_empty(), "{missed:?}");
            Ok(())
        });
    }
}

#[track_caller]
fn check_error(query: &str, expected: &str) {
    let grammar = Language::named("rust").unwrap().grammar().unwrap();
    let error = Tags::compile(&grammar, query).err().expect("the query is wrong");
    assert_eq!(error.to_string(), expected);
}

#[test]
fn a_query_that_cannot_be_used_says_where_and_why() {
    check_error("(line_comment) @comment\n(comet)", "line 2: there is no node kind comet");
    check_error(
        "(_expression/call_expression)",
        "line 1: there is no node kind _expression/call_expression",
    );
    check_error("(\"fnn\")", "line 1: there is no literal \"fnn\"");
    check_error("(function_item nome: (_))", "line 1: there is no field nome");
    check_error("(function_item", "line 1: a parenthesis is not closed");
    check_error("\"fn", "line 1: a string is not closed");
    check_error("[(line_comment)", "line 1: expected a pattern");
    check_error("()", "line 1: a pattern is empty");
    check_error(
        "((line_comment) @comment (#near? @comment \"a\"))",
        "line 1: predicate #near? is not understood",
    );
    check_error("(line_comment) @remark", "capture @remark means nothing");
    check_error("(line_comment) @definition.gadget", "capture @definition.gadget means nothing");
}

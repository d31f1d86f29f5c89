//! What makes a symbol's lines, its name and its doc, where a sample would not show it.

use wherein_corpus::{ChunkSize, Language, Lines, parse};

use crate::describe::describe;

#[track_caller]
fn check(language: &str, text: &str, expected: &str) {
    let language = Language::named(language).unwrap();
    let found = describe(&parse(&Lines::of(text), language, ChunkSize::default()));
    assert_eq!(lines(&found), lines(expected));
}

fn lines(text: &str) -> Vec<&str> {
    text.lines().map(str::trim).collect()
}

#[test]
fn a_definition_does_not_begin_with_the_one_above_it() {
    check(
        "java",
        "class A {\n  /** Doc. */\n  @Override void a() {}\n  void b() {}\n}\n",
        "1-5 class A | class A |
         2-3 method [A] a | @Override void a() | Doc.
         4-4 method [A] b | void b() |
         type Override [3]",
    );
}

#[test]
fn a_comment_inside_an_attribute_is_no_doc() {
    check(
        "rust",
        "/// Doc.\n#[derive(\n    // note\n    Debug\n)]\nstruct A;\n",
        "1-6 struct A | struct A | Doc.",
    );
}

#[test]
fn items_that_a_macro_is_given_are_items() {
    check(
        "rust",
        "impl A {\n    on! {\n        /// Doc.\n        pub fn b(&self) -> u8 {\n            off! { fn c() {} }\n        }\n    }\n}\n",
        "3-6 method [A] b | pub fn b(&self) -> u8 | Doc.
         5-5 function [A::b] c | fn c() |
         type A [1]
         call !.off [5]
         call !.on [2]",
    );
}

#[test]
fn what_a_macro_is_given_is_no_code_where_it_does_not_parse() {
    check(
        "rust",
        "html! { <p> fn a </p> }\nfn b() { go!(x.y => { z(1) }); }\n",
        "1-1 function a | a |
         2-2 function b | fn b() |
         call !.go [2]
         call !.html [1]
         call z [2]",
    );
}

#[test]
fn a_sigil_is_taken_off_a_name_but_not_off_a_selector() {
    check(
        "ruby",
        "class A\n  attr_reader :b\nend\n",
        "1-3 class A | class A |
         2-2 field [A] b | attr_reader :b |
         call attr_reader [2]",
    );
    check("css", ":root {\n  color: red;\n}\n", "1-3 selector :root | :root |");
}

#[test]
fn an_operator_is_neither_qualified_nor_called_where_it_is_defined() {
    check(
        "haskell",
        "f <.> g = f . g\n",
        "1-1 function <.> | f <.> g |
         call f [1]
         call g [1]",
    );
}

#[test]
fn a_blank_name_names_nothing() {
    check("json", "{ \" \": 1, \"a\": 2 }\n", "1-1 key a | \"a\": 2 |");
}

#[test]
fn a_title_with_escapes_in_it_is_one_name() {
    check(
        "cpp",
        "TEST_CASE(\"a\") {\n  SECTION(\"{\\\"\\\":null}\")\n  {\n  }\n}\n",
        "1-5 test a |  |
         2-4 test [a] {\\\"\\\":null} |  |
         call SECTION [2]
         call TEST_CASE [1]",
    );
}

#[test]
fn quotes_are_taken_off_a_name_unless_it_is_made_of_several_strings() {
    check("toml", "'a b' = 1\n", "1-1 key a b | 'a b' = 1 |");
    check("kotlin", "fun `adds up`() {}\n", "1-1 function adds up | fun `adds up`() |");
    check(
        "scala",
        "class A { \"it\" should \"work\" in { b } }\n",
        "1-1 class A | class A |
         1-1 test [A] \"it\" should \"work\" | \"it\" should \"work\" in |
         call in [1]
         call should [1]",
    );
}

/// A grammar that cannot read one declaration may give all of them up that follow.
#[test]
fn what_stands_behind_a_declaration_that_cannot_be_read_is_found() {
    let body = "    val more = 1\n".repeat(20);
    check(
        "kotlin",
        &format!(
            "value class Result<out T>\n@Api internal constructor(val held: Any?) {{\n{body}}}\n\n\
             interface Channel {{\n    fun send()\n}}\n\nfun open() {{}}\n"
        ),
        "1-1 class Result | value class Result<out T> |
         25-27 interface Channel | interface Channel |
         26-26 method [Channel] send | fun send() |
         29-29 function open | fun open() |
         type Api [2]",
    );
}

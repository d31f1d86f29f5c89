//! What makes a symbol's lines, its name and its doc, where a sample would not show it.

use wherein_corpus::{ChunkSize, Language, Lines, parse};

use crate::describe::describe;

#[track_caller]
fn check(language: &str, text: &str, expected: &str) {
    let language = Language::named(language).unwrap();
    let found = describe(&parse(&Lines::of(text), language, ChunkSize::default()));
    if expected.is_empty() {
        println!("{language:?}\n{found}");
        return;
    }
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
    check("javascript", "it(\"says \\\"hi\\\" twice\", () => {});\n", "");
    check("cpp", "TEST_CASE(\"a\") {\n  SECTION(\"{\\\"\\\":null}\")\n  {\n  }\n}\n", "");
    check("json", "{ \"a\\tb\": 1 }\n", "");
    check("ruby", "it \"says \\\"hi\\\" twice\" do\nend\n", "");
    check("python", "x = {'a\\tb': 1}\n", "");
    check("rust", "#[test]\nfn a() {}\n", "");
    check("elixir", "test \"says \\\"hi\\\" twice\" do\nend\n", "");
    check("toml", "\"a\\tb\" = 1\n", "");
    check("yaml", "\"a\\tb\": 1\n", "");
    check("zig", "test \"says \\\"hi\\\" twice\" {}\n", "");
    check("dart", "void main() { test('says \\'hi\\' twice', () {}); }\n", "");
    check("php", "<?php it('says \\'hi\\' twice', function () {});\n", "");
    check("swift", "@Test(\"says \\\"hi\\\" twice\") func a() {}\n", "");
    check("kotlin", "fun a() { test(\"says \\\"hi\\\" twice\") {} }\n", "");
    check("lua", "it('says \\'hi\\' twice', function() end)\n", "");
    check("bash", "@test \"says \\\"hi\\\" twice\" {\n true\n}\n", "");
    check("scala", "class A { test(\"says \\\"hi\\\" twice\") { a } }\n", "");
}

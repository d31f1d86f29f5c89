//! From the names of tests to questions about what they test.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::path::Path;

use wherein_corpus::{ReferenceKind, Symbol, SymbolKind};
use wherein_engine::search::query::Unit;

use super::{File, Made, is_sought, is_test_path, words};
use crate::question::{Origin, Span};

/// A question for every test whose name is a phrase and whose subject is known: a definition that
/// the test calls and that has its name to itself in the tree. The test's name must speak of it,
/// or it must be the only such one in the file that the test belongs to. A name of one word, such
/// as `get`, is spoken of by chance too often, and counts only there.
pub fn made(root: &Path, files: &[File]) -> Vec<Made> {
    let definitions = Definitions::of(files);
    let of_file = |file: &File| of_file(root, file, &definitions);
    files.iter().flat_map(of_file).collect()
}

type Definition<'f> = (&'f File, &'f Symbol);

/// Definitions outside tests, by name.
struct Definitions<'f>(HashMap<&'f str, Vec<Definition<'f>>>);

impl<'f> Definitions<'f> {
    fn of(files: &'f [File]) -> Self {
        let mut named: HashMap<&str, Vec<Definition>> = HashMap::new();
        for file in files.iter().filter(|file| !is_test_path(&file.path)) {
            for symbol in file.parsed.symbols.iter().filter(|symbol| is_sought(symbol.kind)) {
                if !in_test_scope(symbol) {
                    named.entry(&symbol.name).or_default().push((file, symbol));
                }
            }
        }
        Definitions(named)
    }

    fn only(&self, name: &str) -> Option<Definition<'f>> {
        match self.0.get(name)?.as_slice() {
            [only] => Some(*only),
            _ => None,
        }
    }
}

fn of_file(root: &Path, file: &File, definitions: &Definitions) -> Vec<Made> {
    let called: HashSet<&str> = calls(file).map(|(name, _)| name).collect();
    let is_test = |symbol: &&Symbol| is_test(symbol, file, &called);
    let of_test = |test: &Symbol| of_test(root, file, test, definitions);
    file.parsed.symbols.iter().filter(is_test).filter_map(of_test).collect()
}

fn of_test(root: &Path, file: &File, test: &Symbol, definitions: &Definitions) -> Option<Made> {
    let phrase = phrase(&test.name)?;
    let called: BTreeSet<&str> = calls(file)
        .filter(|(_, line)| (test.start_line..=test.end_line).contains(line))
        .map(|(name, _)| name)
        .collect();
    let known: Vec<Definition> = called.iter().filter_map(|name| definitions.only(name)).collect();
    let tested = subjects(&phrase, file, &known);
    let target = |(file, symbol): &Definition| Span {
        path: file.path.clone(),
        lines: Some((symbol.name_line, symbol.end_line)),
    };
    (!tested.is_empty()).then(|| Made {
        id: format!("test/{}#{}", file.path, test.qualified(file.language.separator)),
        origin: Origin { file: root.join(&file.path), line: test.name_line as usize },
        text: phrase.join(" "),
        unit: Unit::Span,
        targets: tested.iter().map(target).collect(),
        ignored: vec![own_place(file, test)],
    })
}

/// Those of the `known` definitions that a test of `file` is about.
fn subjects<'k>(phrase: &[String], file: &File, known: &[Definition<'k>]) -> Vec<Definition<'k>> {
    let near = |&(code, _): &Definition| belongs(file, code);
    let spoken_of = |definition: &Definition| {
        let words = words(&definition.1.name);
        words.iter().all(|word| phrase.contains(word)) && (words.len() > 1 || near(definition))
    };
    let named: Vec<Definition> = known.iter().copied().filter(spoken_of).collect();
    let beside: Vec<Definition> = known.iter().copied().filter(near).collect();
    match (named.is_empty(), beside.len()) {
        (true, 1) => beside,
        _ => named,
    }
}

/// Every call in a file: the name and the line.
fn calls(file: &File) -> impl Iterator<Item = (&str, u32)> {
    let calls = file.parsed.references.iter().filter(|r| r.kind == ReferenceKind::Call);
    calls.flat_map(|call| call.lines.iter().map(|&line| (call.name.as_str(), line)))
}

/// A test is written as one, or is a function among tests that nothing calls and that is not part
/// of another.
fn is_test(symbol: &Symbol, file: &File, called: &HashSet<&str>) -> bool {
    let is_function = |kind| matches!(kind, SymbolKind::Function | SymbolKind::Method);
    let parent = symbol.parent.map(|parent| file.parsed.symbols[parent as usize].kind);
    let function = is_function(symbol.kind) && !parent.is_some_and(is_function);
    let among_tests = is_test_path(&file.path) || in_test_scope(symbol);
    symbol.kind == SymbolKind::Test
        || (function && among_tests && !called.contains(symbol.name.as_str()))
}

/// Whether the tests of one file are those of another: the same file, or one named after it.
fn belongs(tests: &File, code: &File) -> bool {
    tests.path == code.path || tested_stem(&tests.path) == stem(&code.path).to_lowercase()
}

/// `tests/test_header.py` → `header`.
fn tested_stem(path: &str) -> String {
    let mut bare = stem(path);
    for mark in ["test_", "_tests", "_test", ".test", ".spec", "_spec", "Tests", "Test", "Spec"] {
        bare = bare.strip_prefix(mark).or_else(|| bare.strip_suffix(mark)).unwrap_or(bare);
    }
    bare.to_lowercase()
}

fn stem(path: &str) -> &str {
    let name = path.rsplit('/').next().unwrap_or_default();
    name.rsplit_once('.').map_or(name, |(stem, _)| stem)
}

fn in_test_scope(symbol: &Symbol) -> bool {
    let parts = symbol.scope.split(|c: char| !c.is_alphanumeric() && c != '_');
    parts.into_iter().any(|part| part.eq_ignore_ascii_case("tests") || part == "test")
}

/// The words of a test's name, if they are enough to ask with.
fn phrase(name: &str) -> Option<Vec<String>> {
    let mut words = words(name);
    while words
        .first()
        .is_some_and(|word| ["test", "tests", "it", "should"].contains(&word.as_str()))
    {
        words.remove(0);
    }
    (words.len() >= 3).then_some(words)
}

/// What is left out of the answer: the file of tests, or the tests within a file of code.
fn own_place(file: &File, test: &Symbol) -> Span {
    if is_test_path(&file.path) {
        return Span::file(&file.path);
    }
    let symbols = &file.parsed.symbols;
    let mut outer = test;
    while let Some(parent) = outer.parent {
        outer = &symbols[parent as usize];
    }
    let whole =
        if outer.name.eq_ignore_ascii_case("tests") || outer.name == "test" { outer } else { test };
    Span { path: file.path.clone(), lines: Some((whole.start_line, whole.end_line)) }
}

#[cfg(test)]
mod unit {
    use super::super::check::{check, tree};
    use super::*;

    const CODE: &str = "def parse_header(x):\n    return x\n\n\ndef strip(x):\n    return x\n";

    #[test]
    fn a_test_asks_for_what_its_name_speaks_of() {
        let test = "def test_parse_header_keeps_order():\n    parse_header(strip('a'))\n";
        let files = tree(&[("a.py", CODE), ("tests/test_a.py", test)]);
        let made = made(Path::new(""), &files);
        check(&made, &["parse header keeps order → a.py:1-2"]);
        assert_eq!(made[0].ignored, [Span::file("tests/test_a.py")]);
    }

    #[test]
    fn or_for_the_only_thing_it_calls_of_the_file_it_is_named_after() {
        let one = "def test_blanks_go_away():\n    strip('a')\n";
        let two = "def test_blanks_go_away():\n    strip(parse_header('a'))\n";
        let made_of = |path, test| made(Path::new(""), &tree(&[("a.py", CODE), (path, test)]));
        check(&made_of("tests/test_a.py", one), &["blanks go away → a.py:5-6"]);
        check(&made_of("tests/test_a.py", two), &[]);
        check(&made_of("tests/test_b.py", one), &[]);
    }

    #[test]
    fn a_name_of_one_word_is_not_enough_elsewhere() {
        let test = "def test_strip_of_blanks():\n    strip('a')\n";
        let made_of = |path| made(Path::new(""), &tree(&[("a.py", CODE), (path, test)]));
        check(&made_of("tests/test_a.py"), &["strip of blanks → a.py:5-6"]);
        check(&made_of("tests/test_all.py"), &[]);
    }

    #[test]
    fn functions_inside_tests_are_no_tests() {
        let test = "def test_x():\n    def parse_header_of_view():\n        parse_header('a')\n";
        check(&made(Path::new(""), &tree(&[("a.py", CODE), ("tests/test_a.py", test)])), &[]);
    }

    #[test]
    fn names_that_are_taken_twice_and_short_names_ask_for_nothing() {
        let test =
            "def test_strip_of_blanks():\n    strip('a')\n\ndef test_strip():\n    strip('b')\n";
        let files = tree(&[("a.py", CODE), ("b.py", CODE), ("tests/test_a.py", test)]);
        check(&made(Path::new(""), &files), &[]);
    }

    #[test]
    fn tests_beside_their_code_are_left_out_line_by_line() {
        let code = "fn widen(x: u8) -> u16 {\n    x.into()\n}\n\n#[cfg(test)]\nmod tests {\n    fn check() {}\n\n    #[test]\n    fn small_numbers_widen_well() {\n        check();\n        super::widen(1);\n    }\n}\n";
        let made = made(Path::new(""), &tree(&[("a.rs", code)]));
        check(&made, &["small numbers widen well → a.rs:1-3"]);
        assert_eq!(made[0].ignored[0].label(), "a.rs:5-14");
    }
}

//! From the documentation of definitions to questions about them.

use std::collections::HashMap;
use std::path::Path;

use rayon::prelude::*;
use wherein_corpus::{ChunkSize, Lines, Symbol, parse};
use wherein_engine::search::query::Unit;

use super::{File, Made, is_sought, is_test_path};
use crate::hide;
use crate::question::{Origin, Span};

/// A question for every definition that says in a sentence of its own what it is.
pub fn made(root: &Path, files: &[File]) -> Vec<Made> {
    let mut made: Vec<Made> = files
        .par_iter()
        .filter(|file| !is_test_path(&file.path))
        .flat_map_iter(|file| of_file(root, file))
        .collect();
    let mut asked: HashMap<String, usize> = HashMap::new();
    for made in &made {
        *asked.entry(made.text.to_lowercase()).or_default() += 1;
    }
    made.retain(|made| asked[&made.text.to_lowercase()] == 1);
    made
}

fn of_file(root: &Path, file: &File) -> Vec<Made> {
    let documented = || file.parsed.symbols.iter().filter(|symbol| is_sought(symbol.kind));
    if documented().all(|symbol| symbol.doc.is_empty()) {
        return Vec::new();
    }
    let hidden = hide::docs(&file.text, file.language);
    let left = parse(&Lines::of(&hidden), file.language, ChunkSize::default()).symbols;
    let of_symbol = |symbol: &Symbol| {
        let text = sentence(&symbol.doc)?;
        is_hidden(&text, symbol, &left).then(|| Made {
            id: format!("doc/{}#{}", file.path, symbol.qualified(file.language.separator)),
            origin: Origin { file: root.join(&file.path), line: symbol.name_line as usize },
            text,
            unit: Unit::Span,
            targets: vec![Span { path: file.path.clone(), lines: Some(lines(symbol)) }],
            ignored: Vec::new(),
        })
    };
    documented().filter_map(of_symbol).collect()
}

/// A type is found by its head: any line of its body would be too easy. A function by any line.
fn lines(symbol: &Symbol) -> (u32, u32) {
    let end = if symbol.kind.is_type() { symbol.name_line } else { symbol.end_line };
    (symbol.name_line, end)
}

/// Whether the copy of the tree still has the definition, and no longer says the sentence.
fn is_hidden(sentence: &str, symbol: &Symbol, left: &[Symbol]) -> bool {
    let same = |other: &&Symbol| (other.name_line, &other.name) == (symbol.name_line, &symbol.name);
    let gone = |other: &Symbol| !other.doc.replace('\n', " ").contains(sentence);
    left.iter().find(same).is_some_and(gone)
}

/// The first sentence of a doc, if it is one: enough words, mostly letters, no directive.
fn sentence(doc: &str) -> Option<String> {
    let prose: Vec<&str> = doc.lines().map(str::trim).take_while(|line| is_prose(line)).collect();
    let prose = prose.join(" ");
    let end = [". ", "! ", "? "].iter().filter_map(|mark| prose.find(mark)).min();
    let sentence = prose[..end.unwrap_or(prose.len())].trim_end_matches(['.', ':', ' ']);
    let words = sentence.split_whitespace().count();
    let letters = sentence.chars().filter(|c| c.is_alphabetic() || c.is_whitespace()).count();
    let readable = letters * 10 >= sentence.chars().count() * 8;
    ((4..=40).contains(&words) && readable).then(|| sentence.to_owned())
}

/// Lists of parameters, examples and orders to tools end what a doc says in words.
fn is_prose(line: &str) -> bool {
    let marked = MARKS.iter().any(|mark| line.starts_with(mark));
    let directed = DIRECTIVES.iter().any(|word| line.starts_with(word));
    let first = line.split_whitespace().next().unwrap_or_default();
    let titled =
        TITLES.contains(&first.trim_end_matches(':')) && (first == line || first.ends_with(':'));
    !(line.is_empty() || marked || directed || titled)
}

const MARKS: [&str; 12] = ["@", ":", "```", ">>>", "- ", "* ", "#", "<", "\\", "---", "===", "|"];

const DIRECTIVES: [&str; 8] =
    ["TODO", "FIXME", "Copyright", "SPDX", "eslint", "noqa", "type:", "pylint"];

const TITLES: [&str; 10] = [
    "Args",
    "Arguments",
    "Parameters",
    "Params",
    "Returns",
    "Return",
    "Raises",
    "Throws",
    "Example",
    "Examples",
];

#[cfg(test)]
mod tests {
    use super::super::check::{check, tree};
    use super::*;

    #[test]
    fn a_documented_definition_is_asked_for_by_its_first_sentence() {
        let files = tree(&[
            (
                "a.rs",
                "/// Adds two numbers together. Never fails.\nfn add() {\n    x()\n}\n\n/// Too short.\nfn sub() {}\n",
            ),
            (
                "b.py",
                "class A:\n    \"\"\"Holds what is left over.\"\"\"\n    def run(self):\n        \"\"\"Runs it\n        until it stops.\n\n        Args:\n            x: y\n        \"\"\"\n",
            ),
            ("tests/c.rs", "/// Adds two numbers of a test.\nfn add() {}\n"),
        ]);
        check(
            &made(Path::new(""), &files),
            &[
                "Adds two numbers together → a.rs:2-4",
                "Holds what is left over → b.py:1-1",
                "Runs it until it stops → b.py:3-9",
            ],
        );
    }

    #[test]
    fn a_sentence_said_twice_asks_for_neither() {
        let twice = "/// Adds two numbers together.\nfn add() {}\n";
        check(&made(Path::new(""), &tree(&[("a.rs", twice), ("b.rs", twice)])), &[]);
    }

    #[test]
    fn directives_and_tables_are_no_sentences() {
        for doc in [
            "@param x the first of them",
            "TODO make this faster some day",
            "=== --- +++ ***",
            "Args: the x and the y",
            "one two three",
        ] {
            assert_eq!(sentence(doc), None, "{doc}");
        }
        assert_eq!(
            sentence("Returns the sum of both.").as_deref(),
            Some("Returns the sum of both")
        );
    }
}

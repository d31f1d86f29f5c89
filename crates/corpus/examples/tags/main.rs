//! Shows what a query file finds in a source file: `tags LANGUAGE SOURCE [QUERY]`.
//!
//! With QUERY the file is read from disk, so that a query can be written without rebuilding.

mod describe;

use std::process::exit;

use tree_sitter::Parser;
use wherein_corpus::{ChunkSize, Language, Lines, Syntax, Tags, parse};

fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let (name, source) = match args.as_slice() {
        [name, source, ..] => (name, source),
        _ => fail("usage: tags LANGUAGE SOURCE [QUERY] | tags --tree LANGUAGE SOURCE"),
    };
    if name == "--tree" {
        let text = read(&args[2]);
        return println!("{}", tree(language(source), &text).root_node().to_sexp());
    }
    let (language, text) = (language(name), read(source));
    match args.get(2) {
        None => print!(
            "{}",
            describe::describe(&parse(&Lines::of(&text), language, ChunkSize::default()))
        ),
        Some(query) => print!("{}", by_query(language, &text, &read(query))),
    }
}

fn by_query(language: &'static Language, text: &str, query: &str) -> String {
    let grammar = language.grammar().unwrap_or_else(|| fail("this language has no grammar"));
    let tags = Tags::compile(&grammar, query).unwrap_or_else(|error| fail(&error.to_string()));
    let tree = tree(language, text);
    let found = tags.find(&Syntax::of(&tree), &Lines::of(text), language);
    describe::describe(&wherein_corpus::Parsed {
        symbols: found.symbols,
        imports: found.imports,
        references: found.references,
        types: found.types,
        package: found.package,
        ..Default::default()
    })
}

fn tree(language: &'static Language, text: &str) -> tree_sitter::Tree {
    let grammar = language.grammar().unwrap_or_else(|| fail("this language has no grammar"));
    let mut parser = Parser::new();
    parser.set_language(&grammar).unwrap_or_else(|error| fail(&error.to_string()));
    parser.parse(text, None).unwrap_or_else(|| fail("the grammar gave up"))
}

fn language(name: &str) -> &'static Language {
    Language::named(name).unwrap_or_else(|| fail(&format!("unknown language {name}")))
}

fn read(path: &str) -> String {
    std::fs::read_to_string(path).unwrap_or_else(|error| fail(&format!("{path}: {error}")))
}

fn fail(message: &str) -> ! {
    eprintln!("{message}");
    exit(2)
}

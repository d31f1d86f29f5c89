//! From a question's text to what it asks for: its shape, words, names, files and filters.

pub mod filters;
pub mod names;
pub mod places;

use std::collections::{BTreeMap, HashSet};
use std::sync::LazyLock;

use crate::error::{Error, Result};
use crate::index::tokens::{TermKind, Tokens};
use crate::search::query::Query;
use crate::search::weights;

use filters::Filters;
use names::Name;
use places::Place;

/// What a question asks for.
#[derive(Clone, Debug)]
pub struct Intent {
    /// The question without its filters.
    pub text: String,
    /// Distinct terms and how much each counts, in the order of the alphabet.
    pub terms: Vec<(String, f32)>,
    /// What the question looks like.
    pub shape: Shape,
    /// Identifiers it names, in the order it names them.
    pub names: Vec<Name>,
    /// Files it names, the most telling first.
    pub places: Vec<Place>,
    /// What it narrows the answer to.
    pub filters: Filters,
}

impl Intent {
    /// That of a piece of code which is compared by its meaning alone.
    pub fn wordless() -> Intent {
        Intent {
            text: String::new(),
            terms: Vec::new(),
            shape: Shape::Code,
            names: Vec::new(),
            places: Vec::new(),
            filters: Filters::default(),
        }
    }
}

/// What a question looks like.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// A question in words.
    Words,
    /// One identifier, with or without what it belongs to.
    Name,
    /// A path or a piece of one.
    Path,
    /// A piece of a program.
    Code,
    /// What a program said when it failed or went on.
    Message,
    /// The calls that led to a failure.
    Trace,
}

impl Shape {
    /// Every shape.
    pub const ALL: [Shape; 6] =
        [Shape::Words, Shape::Name, Shape::Path, Shape::Code, Shape::Message, Shape::Trace];

    /// Its name in explanations.
    pub fn name(self) -> &'static str {
        match self {
            Shape::Words => "words",
            Shape::Name => "name",
            Shape::Path => "path",
            Shape::Code => "code",
            Shape::Message => "message",
            Shape::Trace => "trace",
        }
    }

    fn of(text: &str, names: &[Name], places: &[Place]) -> Shape {
        if is_trace(text, places) {
            return Shape::Trace;
        }
        let words = text.split_whitespace().count();
        if words == 1 && !text.contains(['(', '{', '=', ';']) {
            match (names, places) {
                (_, [place]) if place.path.contains('/') || place.line.is_some() => {
                    return Shape::Path;
                }
                (_, [place]) if place.path.len() == text.len() => return Shape::Path,
                ([_], _) => return Shape::Name,
                _ => {}
            }
        }
        if is_message(text) {
            return Shape::Message;
        }
        if is_code(text) {
            return Shape::Code;
        }
        let is_about_a_line = names_a_line(places) && words <= weights::WORDS_ABOUT_A_LINE;
        if is_about_a_line { Shape::Path } else { Shape::Words }
    }
}

/// What stands before the frames of a trace.
const HERALDS: [&str; 4] =
    ["Traceback (most recent", "stack backtrace:", "goroutine ", "panicked at "];

/// Frames stand on lines of their own, or there is a word that begins a trace, or one line says what is wrong where.
fn is_trace(text: &str, places: &[Place]) -> bool {
    let frames = places.iter().filter(|place| place.line.is_some()).count();
    let lines = text.lines().count();
    frames >= 1
        && (HERALDS.iter().any(|herald| text.contains(herald))
            || lines >= 2 && frames * 3 >= lines
            || lines == 1 && (is_frame(text.trim()) || is_message(text) || is_report(text)))
}

/// What a compiler says: `src/a.c:12:5: x is not declared`.
fn is_report(line: &str) -> bool {
    let mut words = line.split_whitespace();
    let is_question = words.clone().next().is_some_and(is_asked);
    !is_question && words.any(|word| word.ends_with(':') && names_a_line(&places::read(word)))
}

fn names_a_line(places: &[Place]) -> bool {
    places.iter().any(|place| place.line.is_some())
}

/// A line that nobody types: `File "a.py", line 3, in f`, `at f (a.ts:3:9)`, `a.rb:3:in 'f'`, `a.go:3 +0x1d`.
fn is_frame(line: &str) -> bool {
    line.starts_with("File \"")
        || line.starts_with("at ") && line.ends_with(')')
        || line.contains(":in ")
        || line.contains(" +0x")
}

/// Messages begin with a level, a time, or what reports an error, or name one: `ValueError: no such key`.
fn is_message(text: &str) -> bool {
    const FIRST: usize = 4;
    let heralds = ["Exception in thread ", "Unhandled exception", "terminate called"];
    let first = text.lines().map(str::trim).find(|line| !line.is_empty()).unwrap_or("");
    let words: Vec<&str> = first.split_whitespace().collect();
    if is_asked(words.first().unwrap_or(&"")) {
        return false;
    }
    let begins = &words[..words.len().min(FIRST)];
    heralds.iter().any(|herald| first.contains(herald))
        || first.starts_with("** (")
        || quotes_values(first)
        || (0..begins.len()).any(|place| is_level(begins, place))
        || begins.iter().any(|word| reports(word, &["error", "panic", "fatal", "warning"]))
        || words.iter().any(|word| reports(word, &["Error", "Exception"]))
}

/// A sentence with values in it: `Unexpected key "foo" found in the state.` Who types puts what is sought in quotes.
fn quotes_values(line: &str) -> bool {
    const WORDS_AROUND: usize = 6;
    let around = || line.split('"').step_by(2).flat_map(str::split_whitespace);
    line.matches('"').count() >= 2
        && line.starts_with(char::is_uppercase)
        && !is_code(line)
        && around().count() >= WORDS_AROUND
}

/// Whether a word begins a question or a request: who asks about a message quotes it.
fn is_asked(first: &str) -> bool {
    const ASKING: [&str; 14] = [
        "how", "what", "where", "wherein", "why", "when", "which", "who", "find", "show", "list",
        "search", "explain", "locate",
    ];
    ASKING.iter().any(|word| first.eq_ignore_ascii_case(word))
}

/// Whether a word is a level as logs write it: first on its line, marked off, or after a time.
fn is_level(words: &[&str], place: usize) -> bool {
    const LEVELS: [&str; 8] =
        ["ERROR", "WARN", "WARNING", "INFO", "DEBUG", "TRACE", "FATAL", "CRITICAL"];
    let word = words[place];
    let bare = word.trim_matches(|c: char| !c.is_alphanumeric());
    let is_marked = bare.len() < word.len();
    let is_after_time =
        place > 0 && words[place - 1].starts_with(|c: char| c.is_ascii_digit() || c == '[');
    let is_upper = LEVELS.contains(&bare) && (place == 0 || is_marked || is_after_time);
    let is_bracketed = word.starts_with('[') && word.ends_with(']');
    let is_key = word.starts_with("level=");
    is_upper || is_key || is_bracketed && LEVELS.contains(&bare.to_ascii_uppercase().as_str())
}

fn reports(word: &str, endings: &[&str]) -> bool {
    word.strip_suffix(':').is_some_and(|name| endings.iter().any(|ending| name.ends_with(ending)))
}

/// Code is known by the marks that prose does without. Underscores stand in names, which prose has too.
fn is_code(text: &str) -> bool {
    const ENOUGH: usize = 6;
    const BESIDE_NAMES: usize = 2;
    let others = text.chars().filter(|c| "(){}[]=;<>".contains(*c)).count();
    let names = text.chars().filter(|c| *c == '_').count();
    others >= BESIDE_NAMES && others + names >= ENOUGH
}

/// What is left of a trace none of whose frames is in the tree: what the program said. `None` if nothing is.
pub fn said(trace: &Intent) -> Option<Intent> {
    let lines = trace.text.lines().filter_map(spoken);
    let text: Vec<String> = lines.map(without_places).filter(|line| !line.is_empty()).collect();
    let said = Intent { shape: Shape::Message, ..read_text(&text.join("\n")) };
    (!said.terms.is_empty()).then_some(said)
}

/// What a line of a trace says, if it is more than a call or what leads up to calls.
fn spoken(line: &str) -> Option<&str> {
    const LEADING: [&str; 3] = ["Stack trace:", "thrown in ", "note: run with "];
    let bare = line.trim();
    if let Some((_, said)) = bare.split_once("panicked at ") {
        return Some(said);
    }
    // Ruby says what is wrong on the line of the innermost call.
    if let Some((_, said)) = bare.split_once("': ").filter(|(call, _)| is_frame(call)) {
        return Some(said);
    }
    let is_counted = bare.trim_start_matches(|c: char| c.is_ascii_digit()).starts_with(": ");
    let is_call = line.starts_with("    ")
        || is_frame(bare)
        || is_counted
        || bare.starts_with('#')
        || HERALDS.iter().chain(&LEADING).any(|it| bare.starts_with(it));
    (!is_call).then_some(bare)
}

fn without_places(line: &str) -> String {
    let words = line.split_whitespace().filter(|word| !names_a_line(&places::read(word)));
    words.collect::<Vec<_>>().join(" ")
}

/// Reads a question. Only one without a single letter or digit cannot be read.
pub fn read(query: &Query) -> Result<Intent> {
    let mut intent = read_text(&query.text);
    if query.text.trim().lines().count() <= 1 {
        let (rest, filters) = filters::take(&query.text);
        // Filters are for people who type; pasted text is taken as it is.
        let is_typed = matches!(intent.shape, Shape::Words | Shape::Name | Shape::Path);
        if !filters.is_empty() && (is_typed || filters.are_typed()) {
            intent = filtered(&rest, filters);
        }
    }
    if intent.terms.is_empty() && intent.filters.phrases.is_empty() {
        return Err(match intent.filters.is_empty() {
            true => Error::EmptyQuery,
            false => Error::OnlyFilters,
        });
    }
    Ok(intent)
}

/// A question of nothing but names or paths asks for these.
fn filtered(rest: &str, filters: Filters) -> Intent {
    let text = match rest.contains(char::is_alphanumeric) {
        true => rest.to_owned(),
        false => [filters.symbols.as_slice(), &filters.paths].concat().join(" "),
    };
    let mut intent = Intent { filters, ..read_text(&text) };
    for name in &intent.filters.symbols {
        intent.names.extend(names::read(name));
    }
    intent
}

fn read_text(text: &str) -> Intent {
    let places = places::read(text);
    let names = names::read(text);
    let shape = Shape::of(text, &names, &places);
    let (text, terms) = (text.to_owned(), terms_of(text));
    Intent { text, terms, shape, names, places, filters: Filters::default() }
}

fn terms_of(text: &str) -> Vec<(String, f32)> {
    let mut counted: BTreeMap<String, (TermKind, u32)> = BTreeMap::new();
    let (mut tokens, mut term) = (Tokens::of(text), String::new());
    while let Some(kind) = tokens.next(&mut term) {
        match counted.get_mut(&term) {
            Some((_, count)) => *count += 1,
            None => {
                counted.insert(term.clone(), (kind, 1));
            }
        }
    }
    counted
        .into_iter()
        .map(|(term, (kind, count))| (weight(&term, kind, count), term))
        .map(|(w, t)| (t, w))
        .collect()
}

fn weight(term: &str, kind: TermKind, count: u32) -> f32 {
    let base = match kind {
        TermKind::Whole => weights::WHOLE,
        TermKind::Part if STOP_STEMS.contains(term) => weights::STOP_WORD,
        TermKind::Part => 1.0,
    };
    base * (1.0 + (count as f32).ln())
}

static STOP_STEMS: LazyLock<HashSet<String>> = LazyLock::new(|| {
    let mut stems = HashSet::new();
    let mut term = String::new();
    for word in weights::STOP_WORDS {
        let mut tokens = Tokens::of(word);
        while tokens.next(&mut term).is_some() {
            stems.insert(term.clone());
        }
    }
    stems
});

#[cfg(test)]
mod tests {
    use super::*;

    fn weight_of(text: &str, term: &str) -> Option<f32> {
        terms_of(text).into_iter().find(|(found, _)| found == term).map(|(_, weight)| weight)
    }

    #[test]
    fn question_words_count_little() {
        let text = "where do we retry failed uploads?";
        assert_eq!(weight_of(text, "retry"), Some(1.0));
        assert_eq!(weight_of(text, "upload"), Some(1.0));
        assert_eq!(weight_of(text, "wher"), Some(weights::STOP_WORD));
    }

    #[test]
    fn a_repeated_term_counts_more_but_not_twice() {
        let once = weight_of("cache", "cach").unwrap();
        let twice = weight_of("cache cache", "cach").unwrap();
        assert!(once < twice && twice < 2.0 * once);
    }

    #[test]
    fn shapes_are_told_apart() {
        for (text, expected) in [
            ("where do we retry failed uploads?", Shape::Words),
            ("parse_header(max_size)", Shape::Words),
            ("read/write lock", Shape::Words),
            ("how is config.toml read", Shape::Words),
            ("parse_header", Shape::Name),
            ("Client.send", Shape::Name),
            ("queue::Job::retry", Shape::Name),
            ("store/memory", Shape::Path),
            ("src/main.rs:12", Shape::Path),
            ("main.rs", Shape::Path),
            ("for x in items:\n    if x.get('a') == f(x):\n        y[x] = g(x)", Shape::Code),
            ("2024-06-03 11:20:14 WARN Channel - dropping event", Shape::Message),
            ("ValueError: no such key", Shape::Message),
            ("Exception in thread \"main\" java.lang.StateException: no", Shape::Message),
            ("[error] could not start \"esbuild\"", Shape::Message),
            ("time=12:00 level=error msg=no", Shape::Message),
            ("** (RuntimeError) no such key", Shape::Message),
            ("where is DEBUG logging turned on", Shape::Words),
            ("how do __enter__ and __exit__ of Context work", Shape::Words),
            ("what happens at tree.go:721", Shape::Path),
            ("main.c:12:5: error: x undeclared", Shape::Trace),
            ("PHP Fatal error:  Uncaught E: no key in /a/Client.php:301", Shape::Trace),
            ("E51: running lua ...nvim/task/git.lua:90: branch 'dev' not found", Shape::Trace),
            ("Unexpected key \"foo\" found in state of the reducer", Shape::Message),
            ("who says \"not a directory\" when a path is opened", Shape::Words),
            ("Find \"not a directory\" where paths of trees are opened", Shape::Words),
            ("String said = \"no\" + path + \" or \" + other + of(x) + at(y);", Shape::Code),
            ("where is time.sleep(5) called", Shape::Words),
            ("let x = pool.take(3); let y = pool.take(4);", Shape::Code),
            ("return base ** (n - 1) == f(x)", Shape::Code),
            ("what is DEBUG?", Shape::Words),
            ("why is ValueError: no such key said", Shape::Words),
            ("CACHE=redis://a.test:6379/0\nDB=postgres://b.test:5432/app", Shape::Words),
            ("File \"/srv/app/core.py\", line 837, in invoke", Shape::Trace),
            ("\t/home/u/pkg/tree.go:721 +0x1d", Shape::Trace),
            ("Uncaught RangeError: position 4 is outside", Shape::Message),
            ("panic: index out of range\n\ngoroutine 1:\n\t/b/file.go:116", Shape::Trace),
            ("TypeError: no\n    at f (a.ts:3:9)\n    at g (b.ts:1:8)", Shape::Trace),
        ] {
            assert_eq!(read_text(text).shape, expected, "{text}");
        }
    }

    #[test]
    fn what_a_program_said_is_left_of_a_trace_without_its_frames() {
        for (text, expected) in [
            (
                "Traceback (most recent call last):\n  File \"/a/b.py\", line 9, in main\n    run()\nTypeError: no callback",
                "TypeError: no callback",
            ),
            (
                "thread 'main' panicked at src/main.rs:10:5:\nthere is no reactor running",
                "there is no reactor running",
            ),
            (
                "thread 'a' panicked at 'no reactor', /c/option.rs:10:5\nnote: run with `RUST_BACKTRACE=1`",
                "'no reactor',",
            ),
            (
                "PHP Fatal error:  Uncaught Exception: no job in /v/q.php:12\nStack trace:\n#0 /v/r.php(31): take()\n#1 {main}\n  thrown in /v/q.php on line 12",
                "PHP Fatal error: Uncaught Exception: no job in",
            ),
            (
                "/gems/a.rb:3:in `take': no job (RuntimeError)\n\tfrom /gems/b.rb:9:in `run'",
                "no job (RuntimeError)",
            ),
        ] {
            let trace = read_text(text);
            assert_eq!(trace.shape, Shape::Trace);
            let said = said(&trace).unwrap();
            assert_eq!((said.text.as_str(), said.shape), (expected, Shape::Message));
        }
        assert!(said(&read_text("  File \"/a/b.py\", line 9, in main")).is_none());
    }

    #[test]
    fn filters_are_for_those_who_type() {
        let message = read(&Query::new("ValueError: no such key lang:toml")).unwrap();
        assert_eq!(message.text, "ValueError: no such key");
        assert_eq!((message.shape, message.filters.languages.len()), (Shape::Message, 1));
        let typed = read(&Query::new("retry -test")).unwrap();
        assert_eq!((typed.text.as_str(), typed.filters.without.len()), ("retry", 1));
        let pasted = "let total = price\n -discount;";
        assert!(read(&Query::new(pasted)).unwrap().filters.is_empty());
        assert!(matches!(read(&Query::new("lang:rust")), Err(Error::OnlyFilters)));
    }

    #[test]
    fn a_question_without_words_is_an_error() {
        assert!(matches!(read(&Query::new(" ?! ")), Err(Error::EmptyQuery)));
    }
}

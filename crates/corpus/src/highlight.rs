//! From a text to what its parts are to the eye: comments, strings, keywords, names.
//!
//! In: a text and its language. Out: tinted tokens in the order of the text, none overlapping.
//! Grammars come with queries for this, one dialect each; here the names of nodes decide, which
//! grammars choose much alike, so that one table serves all of them. A text without a grammar has
//! no tokens.

use tree_sitter::TreeCursor;

use crate::language::Language;
use crate::tree;

/// What a token is to the eye.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Tint {
    /// A comment.
    Comment = 1,
    /// A string, character or pattern literal.
    String,
    /// A number.
    Number,
    /// A word of the language itself.
    Keyword,
    /// A type or class.
    Type,
    /// A function where it is defined or called.
    Function,
    /// A field, key or attribute.
    Property,
}

impl Tint {
    const ALL: [Tint; 7] = [
        Tint::Comment,
        Tint::String,
        Tint::Number,
        Tint::Keyword,
        Tint::Type,
        Tint::Function,
        Tint::Property,
    ];

    /// The word for it.
    pub fn name(self) -> &'static str {
        match self {
            Tint::Comment => "comment",
            Tint::String => "string",
            Tint::Number => "number",
            Tint::Keyword => "keyword",
            Tint::Type => "type",
            Tint::Function => "function",
            Tint::Property => "property",
        }
    }
}

/// A run of bytes with one tint. It may cross line ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Token {
    /// First byte.
    pub start: usize,
    /// The byte after the last.
    pub end: usize,
    /// What it is.
    pub tint: Tint,
}

/// What stands for no tint while painting.
const PLAIN: u8 = 0;

/// The tinted tokens of a text, or of a part of one: grammars get over what is cut off.
pub fn highlight(text: &str, language: &'static Language) -> Vec<Token> {
    let Some(tree) = tree::of(text, language, &[]) else { return Vec::new() };
    let mut canvas = vec![PLAIN; text.len()];
    let mut cursor = tree.walk();
    let mut above: Vec<Seen> = Vec::new();
    loop {
        let seen = Seen::at(&cursor);
        let paint = match is_hole(seen.kind) {
            true => Some(PLAIN),
            false => tint_of(&cursor, &seen, &above, text).map(|tint| tint as u8),
        };
        if let Some(paint) = paint {
            let bytes = cursor.node().byte_range();
            canvas[bytes.start.min(text.len())..bytes.end.min(text.len())].fill(paint);
        }
        if cursor.goto_first_child() {
            above.push(seen);
            continue;
        }
        while !cursor.goto_next_sibling() {
            if !cursor.goto_parent() {
                return tokens(&canvas);
            }
            above.pop();
        }
    }
}

/// A node on the way from the root: its kind, and what it is to its parent.
struct Seen<'t> {
    kind: &'t str,
    field: Option<&'t str>,
}

impl<'t> Seen<'t> {
    fn at(cursor: &TreeCursor<'t>) -> Seen<'t> {
        Seen { kind: cursor.node().kind(), field: cursor.field_name() }
    }
}

/// The tint of a node as a whole; what is inside it paints over it.
fn tint_of(cursor: &TreeCursor, seen: &Seen, above: &[Seen], text: &str) -> Option<Tint> {
    let node = cursor.node();
    let kind = seen.kind;
    if kind.contains("comment") {
        return Some(Tint::Comment);
    }
    let in_comment = above.iter().any(|it| it.kind.contains("comment"));
    if in_comment || in_string(above) || node.is_error() {
        return None;
    }
    if node.is_named() && is_string(kind) {
        let is_key = above.last().is_some_and(|it| it.kind == "pair") && seen.field == Some("key");
        return Some(if is_key { Tint::Property } else { Tint::String });
    }
    if node.child_count() > 0 {
        return None;
    }
    match node.is_named() {
        true => named_leaf(seen, above),
        false => is_word(kind)
            .then_some(Tint::Keyword)
            .filter(|_| text.get(node.byte_range()) == Some(kind)),
    }
}

fn is_string(kind: &str) -> bool {
    const WORDS: [&str; 8] = [
        "string",
        "char_literal",
        "character_literal",
        "rune_literal",
        "regex",
        "heredoc_body",
        "attribute_value",
        "sigil",
    ];
    WORDS.iter().any(|word| kind.contains(word)) && !is_hole(kind)
}

/// Code inside a string.
fn is_hole(kind: &str) -> bool {
    ["interpolation", "substitution", "expansion", "embedded"]
        .iter()
        .any(|word| kind.contains(word))
}

/// Whether the innermost of strings and holes around a node is a string.
fn in_string(above: &[Seen]) -> bool {
    let innermost = above.iter().rev().find(|it| is_hole(it.kind) || is_string(it.kind));
    innermost.is_some_and(|it| is_string(it.kind))
}

fn is_word(kind: &str) -> bool {
    let word = kind.trim_start_matches(['#', '@']);
    word.len() > 1 && word.bytes().all(|byte| byte.is_ascii_alphabetic() || byte == b'_')
}

fn named_leaf(seen: &Seen, above: &[Seen]) -> Option<Tint> {
    const NUMBERS: [&str; 5] = ["integer", "float", "number", "numeric", "int_literal"];
    const WORDS: [&str; 12] = [
        "true",
        "false",
        "none",
        "null",
        "nil",
        "undefined",
        "boolean",
        "self",
        "this",
        "super",
        "tag_name",
        "crate",
    ];
    const PROPERTIES: [&str; 6] = [
        "property_identifier",
        "field_identifier",
        "property_name",
        "attribute_name",
        "bare_key",
        "shorthand_property_identifier",
    ];
    let kind = seen.kind;
    if NUMBERS.iter().any(|word| kind.contains(word)) {
        return Some(Tint::Number);
    }
    if WORDS.contains(&kind) {
        return Some(Tint::Keyword);
    }
    if is_function(seen, above) {
        return Some(Tint::Function);
    }
    if names_type(seen, above) {
        return Some(Tint::Type);
    }
    PROPERTIES.contains(&kind).then_some(Tint::Property)
}

/// A name that is called, plainly or at the end of a path, or that a function is given.
fn is_function(seen: &Seen, above: &[Seen]) -> bool {
    if !is_name(seen.kind) {
        return false;
    }
    let calls = |it: &Seen| it.kind.contains("call") || it.kind.contains("invocation");
    let called = |it: &Seen| matches!(it.field, Some("function" | "method" | "name"));
    let last = |it: &Seen| {
        matches!(it.field, Some("attribute" | "field" | "property" | "name" | "method"))
    };
    match above {
        [.., parent] if calls(parent) && called(seen) => true,
        [.., call, path] if calls(call) && called(path) && last(seen) => true,
        [.., parent] => defines(parent.kind, &["function", "method"]) && seen.field == Some("name"),
        [] => false,
    }
}

fn names_type(seen: &Seen, above: &[Seen]) -> bool {
    const KINDS: [&str; 8] = [
        "type_identifier",
        "primitive_type",
        "builtin_type",
        "predefined_type",
        "class_name",
        "namespace_identifier",
        "id_name",
        "constant",
    ];
    let types = ["class", "struct", "enum", "trait", "interface", "type"];
    let is_named_so = above.last().is_some_and(|it| defines(it.kind, &types));
    KINDS.contains(&seen.kind) || (is_name(seen.kind) && seen.field == Some("name") && is_named_so)
}

fn is_name(kind: &str) -> bool {
    kind.ends_with("identifier") || matches!(kind, "name" | "word" | "command_name")
}

fn defines(kind: &str, what: &[&str]) -> bool {
    let ends = ["definition", "declaration", "item", "declarator", "signature", "spec"];
    what.iter().any(|word| kind.contains(word))
        && (ends.iter().any(|end| kind.ends_with(end)) || what.contains(&kind))
}

fn tokens(canvas: &[u8]) -> Vec<Token> {
    let mut tokens = Vec::new();
    let mut start = 0;
    for run in canvas.chunk_by(|a, b| a == b) {
        let end = start + run.len();
        if let Some(tint) = Tint::ALL.into_iter().find(|tint| *tint as u8 == run[0]) {
            tokens.push(Token { start, end, tint });
        }
        start = end;
    }
    tokens
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(language: &str, text: &str, expected: &[(&str, Tint)]) {
        let found = highlight(text, Language::named(language).unwrap());
        let found: Vec<(&str, Tint)> =
            found.iter().map(|token| (&text[token.start..token.end], token.tint)).collect();
        for token in expected {
            assert!(found.contains(token), "{token:?} is not in {found:?}");
        }
        assert!(found.iter().all(|(text, _)| !text.is_empty()));
    }

    #[test]
    fn languages_are_tinted_by_one_table() {
        use Tint::*;
        let rust =
            "/// Doc\npub fn evict(pages: &mut Vec<u32>) -> u8 { pages.remove(0); \"s\".len() }";
        check("rust", rust, &[("pub", Keyword), ("fn", Keyword), ("evict", Function)]);
        check(
            "rust",
            rust,
            &[("Vec", Type), ("remove", Function), ("0", Number), ("\"s\"", String)],
        );
        let python =
            "class Page(Base):\n    def turn(self):  # back\n        return f\"{self.n} of\"\n";
        check("python", python, &[("class", Keyword), ("Page", Type), ("turn", Function)]);
        check("python", python, &[("# back", Comment), (" of\"", String)]);
        let go = "func Open(path string) (*File, error) { return os.Open(path) }";
        check("go", go, &[("func", Keyword), ("Open", Function), ("File", Type)]);
        let script = "const a = `x${b(1)}y`; // end";
        check("javascript", script, &[("const", Keyword), ("b", Function), ("1", Number)]);
        check("javascript", script, &[("`x", String), ("// end", Comment)]);
        check("json", "{\"k\": \"v\"}", &[("\"k\"", Property), ("\"v\"", String)]);
    }

    #[test]
    fn a_text_cut_off_or_without_a_grammar_is_no_failure() {
        check("python", "        return 1\n\ndef f(", &[("return", Tint::Keyword)]);
        check("text", "plain words", &[]);
        check("rust", "", &[]);
    }
}

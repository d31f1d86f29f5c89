//! Code patterns: read once a language, matched against syntax trees.
//!
//! Matching is ast-grep's. Trees are ours, parsed within the bounds of `corpus`, and so are the rules
//! for reading a pattern: `$` is replaced by a character that names may hold where the language does
//! not take it, and a piece of code that does not stand alone is wrapped in one that does.

use std::collections::{BTreeMap, HashSet};
use std::ops::Range;

use ast_grep_core::matcher::{PatternBuilder, PatternNode};
use ast_grep_core::meta_var::MetaVariable;
use ast_grep_core::tree_sitter::{LanguageExt, StrDoc, TSLanguage};
use ast_grep_core::{AstGrep, Node, NodeMatch, Pattern, PatternError};
use memchr::memmem;
use wherein_corpus::{Language, UnknownLanguage};

use crate::error::{Error, Result};
use crate::grep::{Span, text, wrapping};

/// A pattern as every language reads it that can.
pub struct Patterns {
    /// By the name of the language.
    pub by_language: BTreeMap<&'static str, OneLanguage>,
}

/// A pattern as one language reads it.
pub struct OneLanguage {
    grammar: Grammar,
    pattern: Pattern,
    /// What every match holds.
    tokens: Vec<String>,
    finders: Vec<memmem::Finder<'static>>,
    /// Whether the index tells words of it as they stand in files.
    has_plain_words: bool,
}

impl Patterns {
    /// Reads a pattern in the languages asked for, or in those of the tree that can read it.
    pub fn of(
        pattern: &str,
        languages: &[String],
        present: Option<&HashSet<&str>>,
    ) -> Result<Patterns> {
        if pattern.trim().is_empty() {
            return Err(Error::Code { reason: "the pattern is empty; write some code".to_owned() });
        }
        let mut by_language = BTreeMap::new();
        let mut failures = Vec::new();
        for language in candidates(languages)? {
            match OneLanguage::of(pattern, language) {
                Ok(_) if present.is_some_and(|present| !present.contains(language.name)) => {}
                Ok(read) => drop(by_language.insert(language.name, read)),
                Err(failure) => failures.push((language.name, failure)),
            }
        }
        let is_asked = !languages.is_empty();
        if (is_asked && !failures.is_empty()) || failures.len() == candidates(languages)?.len() {
            return Err(Error::Code { reason: advice(pattern, is_asked, &failures) });
        }
        Ok(Patterns { by_language })
    }
}

/// Languages that take any text for a piece of theirs: they are asked only by name.
const TAKE_ANYTHING: [&str; 2] = ["html", "yaml"];

/// Languages with a grammar, of those named, or of all that tell code from text.
fn candidates(names: &[String]) -> Result<Vec<&'static Language>> {
    if names.is_empty() {
        let tells = |it: &&Language| it.grammar().is_some() && !TAKE_ANYTHING.contains(&it.name);
        return Ok(Language::all().iter().filter(tells).collect());
    }
    let named = |name: &String| {
        let language =
            Language::named(name).ok_or_else(|| Error::Language(UnknownLanguage(name.clone())))?;
        match language.grammar() {
            Some(_) => Ok(language),
            None => Err(Error::Code {
                reason: format!(
                    "{} has no grammar to match code with; use --fixed or --regex",
                    language.name
                ),
            }),
        }
    };
    names.iter().map(named).collect()
}

/// Why a pattern cannot be read.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Failure {
    /// It is no piece of code.
    Syntax,
    /// It is several pieces.
    Several,
    /// A variable stands where none can be bound.
    Buried,
    /// It is a variable alone, and would match everything.
    Everything,
}

fn advice(pattern: &str, is_asked: bool, failures: &[(&str, Failure)]) -> String {
    let worst = [Failure::Everything, Failure::Buried, Failure::Several];
    let kind = worst.into_iter().find(|kind| failures.iter().any(|(_, it)| it == kind));
    let shown = pattern.lines().next().unwrap_or_default();
    let names: Vec<&str> = failures.iter().map(|(name, _)| *name).collect();
    let place = if is_asked { names.join(", ") } else { "any language".to_owned() };
    let what = match kind.unwrap_or(Failure::Syntax) {
        Failure::Everything => {
            return format!("the pattern '{shown}' matches everything; write some code around it");
        }
        Failure::Buried => format!("a variable of '{shown}' stands inside a word or a text"),
        Failure::Several => format!("the pattern '{shown}' is several pieces of code in {place}"),
        Failure::Syntax => format!("the pattern '{shown}' is not a piece of code in {place}"),
    };
    format!(
        "{what}; write one whole expression, statement or definition, with $NAME for any one part \
         and $$$NAME for any number, or use --fixed or --regex"
    )
}

/// One of our languages, as ast-grep asks for it.
#[derive(Clone)]
struct Grammar {
    language: &'static Language,
    /// What stands for `$` in the pattern as it is parsed.
    stand_in: char,
}

impl Grammar {
    fn grammar(&self) -> TSLanguage {
        self.language.grammar().expect("only languages with a grammar are asked for")
    }
}

impl ast_grep_core::Language for Grammar {
    fn expando_char(&self) -> char {
        self.stand_in
    }

    fn kind_to_id(&self, kind: &str) -> u16 {
        self.grammar().id_for_node_kind(kind, true)
    }

    fn field_to_id(&self, field: &str) -> Option<u16> {
        self.grammar().field_id_for_name(field).map(|id| id.get())
    }

    fn build_pattern(
        &self,
        builder: &PatternBuilder,
    ) -> std::result::Result<Pattern, PatternError> {
        builder.build(|source| parsed(source, self).ok_or_else(|| "no tree".to_owned()))
    }
}

impl LanguageExt for Grammar {
    fn get_ts_language(&self) -> TSLanguage {
        self.grammar()
    }
}

fn parsed(text: &str, grammar: &Grammar) -> Option<StrDoc<Grammar>> {
    let (tree, seen) = wherein_corpus::syntax(text, grammar.language)?;
    Some(StrDoc { src: seen.into_owned(), lang: grammar.clone(), tree })
}

/// What may stand for `$`: itself, or a letter that names may hold and hardly any does.
const STAND_INS: [char; 3] = ['$', 'µ', '𐀀'];

impl OneLanguage {
    fn of(pattern: &str, language: &'static Language) -> std::result::Result<Self, Failure> {
        let (pattern, mut best) = (pattern.trim(), Failure::Syntax);
        let variables = variables(pattern);
        for &(before, after) in wrapping::of(language.name) {
            for stand_in in STAND_INS {
                if variables.is_empty() && stand_in != '$' {
                    break;
                }
                let piece = replaced(pattern, &variables, stand_in);
                let grammar = Grammar { language, stand_in };
                match read(&grammar, before, &piece, after, variables.len()) {
                    Ok(found) => return OneLanguage::with(grammar, found, pattern),
                    Err(Failure::Syntax) => {}
                    Err(failure) => best = failure,
                }
            }
        }
        Err(best)
    }

    fn with(
        grammar: Grammar,
        pattern: Pattern,
        written: &str,
    ) -> std::result::Result<Self, Failure> {
        if matches!(pattern.node, PatternNode::MetaVar { .. }) {
            return Err(Failure::Everything);
        }
        let mut tokens = Vec::new();
        fixed_tokens(&pattern.node, &mut tokens);
        tokens.sort_unstable();
        tokens.dedup();
        let finders = tokens.iter().map(|it| memmem::Finder::new(it.as_bytes()).into_owned());
        let finders = finders.collect();
        let has_plain_words = written.is_ascii() && !written.contains('\\');
        Ok(OneLanguage { grammar, pattern, tokens, finders, has_plain_words })
    }

    /// Words that every match holds whole. Behind a backslash a word of the tree is not one of the
    /// text.
    pub fn words(&self) -> Vec<String> {
        let is_word = |token: &&String| text::words(token).next() == Some(0..token.len());
        match self.has_plain_words {
            true => self.tokens.iter().filter(is_word).cloned().collect(),
            false => Vec::new(),
        }
    }

    /// Whether bytes hold every fixed token; what does not is not worth parsing.
    pub fn may_match(&self, bytes: &[u8]) -> bool {
        self.finders.iter().all(|finder| finder.find(bytes).is_some())
    }

    /// Every match, outer before inner; `None` if the text has no tree.
    pub fn find(&self, text: &str) -> Option<Vec<Span>> {
        let tree = AstGrep::doc(parsed(text, &self.grammar)?);
        let matches = tree.root().find_all(&self.pattern).map(|found| span(&found)).collect();
        Some(matches)
    }
}

fn span(found: &NodeMatch<StrDoc<Grammar>>) -> Span {
    let environment = found.get_env();
    let mut bindings = Vec::new();
    for variable in environment.get_matched_variables() {
        match variable {
            MetaVariable::Capture(name, _) => {
                let node = environment.get_match(&name).map(Node::range);
                bindings.extend(node.map(|range| (name, range)));
            }
            MetaVariable::MultiCapture(name) => {
                let nodes = environment.get_multiple_matches(&name);
                let start = nodes.first().map_or(found.range().start, |node| node.range().start);
                let end = nodes.last().map_or(start, |node| node.range().end);
                bindings.push((name, start..end));
            }
            MetaVariable::Dropped(_) | MetaVariable::Multiple => {}
        }
    }
    bindings.sort_by(|a, b| a.0.cmp(&b.0));
    Span { bytes: found.range(), bindings }
}

/// Parses a wrapped piece and cuts it out again as a pattern.
fn read(
    grammar: &Grammar,
    before: &str,
    piece: &str,
    after: &str,
    variables: usize,
) -> std::result::Result<Pattern, Failure> {
    let doc = parsed(&format!("{before}{piece}{after}"), grammar).ok_or(Failure::Syntax)?;
    if doc.tree.root_node().has_error() {
        return Err(Failure::Syntax);
    }
    let tree = AstGrep::doc(doc);
    let (start, end) = (before.len(), before.len() + piece.len());
    let Some(node) = standing_at(&tree, start, end, after) else {
        return Err(Failure::Several);
    };
    let pattern = Pattern::from(node);
    match bound(&pattern.node) == variables {
        true => Ok(pattern),
        false => Err(Failure::Buried),
    }
}

/// The innermost node that is the piece, the semicolon behind it included if it must be.
fn standing_at<'t>(
    tree: &'t AstGrep<StrDoc<Grammar>>,
    start: usize,
    end: usize,
    after: &str,
) -> Option<Node<'t, StrDoc<Grammar>>> {
    let root = tree.root();
    // The root may be as long as the piece, but is a file and not a piece of code.
    let spanning = |range: Range<usize>| root.dfs().skip(1).filter(|it| it.range() == range).last();
    spanning(start..end).or_else(|| match after.starts_with(';') {
        true => spanning(start..end + 1),
        false => None,
    })
}

/// How many variables a pattern binds, or leaves unnamed.
fn bound(node: &PatternNode) -> usize {
    match node {
        PatternNode::MetaVar { .. } => 1,
        PatternNode::Terminal { .. } => 0,
        PatternNode::Internal { children, .. } => children.iter().map(bound).sum(),
    }
}

/// What must stand in a text for the pattern to match in it: names, keywords, numbers, texts.
fn fixed_tokens(node: &PatternNode, tokens: &mut Vec<String>) {
    match node {
        PatternNode::Terminal { text, .. } if text.chars().any(char::is_alphanumeric) => {
            tokens.push(text.clone());
        }
        PatternNode::Internal { children, .. } => {
            children.iter().for_each(|child| fixed_tokens(child, tokens));
        }
        _ => {}
    }
}

/// Where variables stand: `$NAME`, `$_`, `$$NAME`, `$$$NAME` and `$$$` alone.
fn variables(pattern: &str) -> Vec<Range<usize>> {
    let bytes = pattern.as_bytes();
    let (mut found, mut at) = (Vec::new(), 0);
    while let Some(start) = memchr::memchr(b'$', &bytes[at..]).map(|n| at + n) {
        let marks = bytes[start..].iter().take_while(|byte| **byte == b'$').count();
        let name = bytes[start + marks..]
            .iter()
            .take_while(|it| it.is_ascii_uppercase() || it.is_ascii_digit() || **it == b'_')
            .count();
        let begins = bytes.get(start + marks).is_some_and(|it| !it.is_ascii_digit());
        let goes_on = bytes.get(start + marks + name).is_some_and(u8::is_ascii_lowercase);
        at = start + marks + name;
        let is_named = name > 0 && begins && !goes_on && marks <= 3;
        if is_named || (name == 0 && marks == 3 && !goes_on) {
            found.push(start..at);
        }
    }
    found
}

fn replaced(pattern: &str, variables: &[Range<usize>], stand_in: char) -> String {
    let mut written = String::with_capacity(pattern.len() + 8);
    let mut at = 0;
    for variable in variables {
        written.push_str(&pattern[at..variable.start]);
        for c in pattern[variable.clone()].chars() {
            written.push(if c == '$' { stand_in } else { c });
        }
        at = variable.end;
    }
    written.push_str(&pattern[at..]);
    written
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read_as(pattern: &str, language: &str) -> std::result::Result<OneLanguage, Failure> {
        OneLanguage::of(pattern, Language::named(language).unwrap())
    }

    /// Matches of a pattern in a text, each with its bindings.
    #[track_caller]
    fn check(language: &str, pattern: &str, text: &str, expected: &[&str]) {
        let one = read_as(pattern, language).unwrap_or_else(|it| panic!("{pattern}: {it:?}"));
        assert!(expected.is_empty() || one.may_match(text.as_bytes()), "{pattern} is filtered out");
        let show = |span: &Span| {
            let bound = |(name, range): &(String, Range<usize>)| {
                format!(" {name}={}", &text[range.clone()])
            };
            let bindings: String = span.bindings.iter().map(bound).collect();
            format!("{}{bindings}", &text[span.bytes.clone()])
        };
        let found: Vec<String> = one.find(text).unwrap().iter().map(show).collect();
        assert_eq!(found, expected, "{pattern}");
    }

    #[test]
    fn variables_stand_for_nodes() {
        check("python", "foo($A)", "foo(1)\nfoo(1, 2)\nbar(foo(x))", &["foo(1) A=1", "foo(x) A=x"]);
        check(
            "python",
            "foo($$$ARGS)",
            "foo()\nfoo(1, b=2)",
            &["foo() ARGS=", "foo(1, b=2) ARGS=1, b=2"],
        );
        check("python", "$A == $A", "x == x\nx == y", &["x == x A=x"]);
        check(
            "python",
            "def $F(self, $$$): $$$BODY",
            "class C:\n  def g(self, a):\n    pass\n",
            &["def g(self, a):\n    pass BODY=pass F=g"],
        );
    }

    #[test]
    fn pieces_that_do_not_stand_alone_are_read_in_their_place() {
        check("c", "free($P)", "int main() { free(x); }", &["free(x) P=x"]);
        check(
            "go",
            "fmt.Println($X)",
            "package p\nfunc f() { fmt.Println(1) }",
            &["fmt.Println(1) X=1"],
        );
        check(
            "go",
            "if err != nil { $$$B }",
            "package p\nfunc f() { if err != nil { return } }",
            &["if err != nil { return } B=return"],
        );
        check(
            "java",
            "$O.close()",
            "class A { void f() { a.b.close(); } }",
            &["a.b.close() O=a.b"],
        );
        check("rust", "let $X = $V", "fn f() { let a = 1; }", &["let a = 1; V=1 X=a"]);
        check(
            "rust",
            "$X.unwrap()",
            "fn f() { a.unwrap(); b.c()\n.unwrap() }",
            &["a.unwrap() X=a", "b.c()\n.unwrap() X=b.c()"],
        );
        check(
            "php",
            "strlen($A)",
            "<?php echo strlen($x . 'a');",
            &["strlen($x . 'a') A=$x . 'a'"],
        );
        check("json", "\"name\": \"$V\"", "{\"name\": \"x\", \"b\": 1}", &["\"name\": \"x\" V=x"]);
        check("cpp", "std::move($A)", "void g() { f(std::move(x)); }", &["std::move(x) A=x"]);
    }

    #[test]
    fn dollars_work_in_every_kind_of_language() {
        check("javascript", "$A && $A()", "a && a(); a && b()", &["a && a() A=a"]);
        check("typescript", "foo<$T>($A)", "foo<string>(1)", &["foo<string>(1) A=1 T=string"]);
        check("ruby", "puts $A", "puts 1\nputs x", &["puts 1 A=1", "puts x A=x"]);
        check("bash", "grep $A", "grep ä; grep $x", &["grep ä A=ä", "grep $x A=$x"]);
        check("lua", "print($A)", "print(1)", &["print(1) A=1"]);
    }

    #[test]
    fn what_cannot_be_read_says_why() {
        let failure = |pattern, language| read_as(pattern, language).err();
        assert_eq!(failure("foo(", "python"), Some(Failure::Syntax));
        assert_eq!(failure("a = 1\nb = 2", "python"), Some(Failure::Several));
        assert_eq!(failure("$A", "python"), Some(Failure::Everything));
        assert_eq!(failure("foo(\"a $X b\")", "python"), Some(Failure::Buried));
    }

    #[test]
    fn a_pattern_in_no_language_is_an_error_that_says_what_to_do() {
        let error = |pattern: &str, languages: &[&str]| {
            let languages: Vec<String> = languages.iter().map(|it| it.to_string()).collect();
            Patterns::of(pattern, &languages, None).err().map(|it| it.to_string())
        };
        let said = error("foo((", &["python"]).unwrap();
        assert!(
            said.contains("not a piece of code in python") && said.contains("--fixed"),
            "{said}"
        );
        assert!(error("$A", &[]).unwrap().contains("matches everything"));
        assert!(error("x", &["markdown"]).unwrap().contains("no grammar"));
        assert_eq!(error("foo($A)", &[]), None);
    }
}

//! Code patterns: read once a language, matched against syntax trees.
//!
//! Matching is ast-grep's. Trees are ours, parsed within the bounds of `corpus`, and so are the rules
//! for reading a pattern: something of the language fills the holes that variables leave (`hole`), a
//! piece of code that does not stand alone is wrapped in one that does (`wrapping`), and what is read
//! so is cut out again with the variables in their places (`cut`).

use std::cmp::Reverse;
use std::collections::BTreeMap;

use ast_grep_core::matcher::PatternNode;
use ast_grep_core::meta_var::MetaVariable;
use ast_grep_core::tree_sitter::StrDoc;
use ast_grep_core::{AstGrep, Node, NodeMatch, Pattern};
use memchr::memmem;
use wherein_corpus::{Language, UnknownLanguage};

use crate::error::{Error, Result};
use crate::grep::cut::{self, Cut};
use crate::grep::grammar::{Grammar, parsed};
use crate::grep::refusal::{self, Failure, Refusal};
use crate::grep::tokens::{self, Bindings, Tokens};
use crate::grep::{Span, forms, hole, text, wrapping};

/// A pattern as every language of a tree reads it that can.
pub struct Patterns {
    /// By the name of the language.
    pub by_language: BTreeMap<&'static str, OneLanguage>,
    /// The other languages of the tree.
    refusals: Vec<Refusal>,
    is_asked: bool,
}

/// A pattern as one language reads it.
pub struct OneLanguage {
    grammar: Grammar,
    /// All its forms.
    patterns: Vec<Pattern>,
    /// What stands in brackets that have no tree.
    runs: Vec<Tokens>,
    /// What every match holds.
    tokens: Vec<String>,
    finders: Vec<memmem::Finder<'static>>,
    /// Whether the index tells words of it as they stand in files.
    has_plain_words: bool,
}

/// Whether the languages asked for can read a pattern; or, if none are, any at all.
pub fn check(pattern: &str, languages: &[String]) -> Result<()> {
    if pattern.trim().is_empty() {
        return Err(Error::Code { reason: "the pattern is empty; write some code".to_owned() });
    }
    let candidates = candidates(languages)?;
    let refusal = |it: &&'static Language| OneLanguage::of(pattern, it).err().map(|why| (*it, why));
    if languages.is_empty() {
        let refusals: Option<Vec<Refusal>> = candidates.iter().map(refusal).collect();
        return refusals.map_or(Ok(()), |all| Err(refused(pattern, "any language", &all)));
    }
    let refusals: Vec<Refusal> = candidates.iter().filter_map(refusal).collect();
    match refusals.is_empty() {
        true => Ok(()),
        false => Err(refused(pattern, &refusal::named(&refusals), &refusals)),
    }
}

fn refused(pattern: &str, place: &str, refusals: &[Refusal]) -> Error {
    Error::Code { reason: refusal::advice(pattern, place, refusals) }
}

impl Patterns {
    /// Reads a pattern in the languages of a tree, the most common first, or in those asked for.
    pub fn of(pattern: &str, languages: &[String], present: &[&str]) -> Result<Patterns> {
        let mut candidates = candidates(languages)?;
        let rank = |it: &&Language| present.iter().position(|name| *name == it.name);
        candidates.retain(|it| rank(it).is_some());
        candidates.sort_by_key(rank);
        let is_asked = !languages.is_empty();
        let mut patterns =
            Patterns { by_language: BTreeMap::new(), refusals: Vec::new(), is_asked };
        for language in candidates {
            match OneLanguage::of(pattern, language) {
                Ok(read) => drop(patterns.by_language.insert(language.name, read)),
                Err(failure) => patterns.refusals.push((language, failure)),
            }
        }
        Ok(patterns)
    }

    /// Why nothing of a tree matches.
    pub fn nothing(&self, pattern: &str) -> String {
        let read: Vec<&str> = self.by_language.keys().copied().collect();
        let refused = refusal::named(&self.refusals);
        match (read.is_empty(), self.refusals.is_empty()) {
            (true, true) if self.is_asked => {
                "no indexed file is in the language asked for".to_owned()
            }
            (true, true) => "no indexed file holds code; use --fixed or --regex".to_owned(),
            (true, false) => {
                let place = format!("any language of the tree ({refused})");
                refusal::advice(pattern, &place, &self.refusals)
            }
            (false, is_all) => format!(
                "no code matches, read as {}{}; --fixed looks for the pattern as it is",
                read.join(", "),
                if is_all { String::new() } else { format!(" (it is not code in {refused})") },
            ),
        }
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

impl OneLanguage {
    fn of(pattern: &str, language: &'static Language) -> std::result::Result<Self, Failure> {
        let (pattern, grammar) = (pattern.trim(), Grammar::of(language));
        let mut best = Failure::Syntax;
        let fillings = hole::fillings(pattern, wrapping::declaration(language.name));
        for wrapping in wrapping::of(language.name) {
            for filled in &fillings {
                match cut::read(&grammar, *wrapping, filled) {
                    Ok(cut) => return OneLanguage::with(grammar, cut, pattern),
                    Err(Failure::Syntax) => {}
                    Err(failure) => best = failure,
                }
            }
        }
        // Behind a type in C it is a statement of its own.
        match pattern.strip_suffix(';') {
            Some(shorter) if matches!(language.name, "c" | "cpp") => {
                OneLanguage::of(shorter, language).map_err(|_| best)
            }
            _ => Err(best),
        }
    }

    fn with(grammar: Grammar, cut: Cut, written: &str) -> std::result::Result<Self, Failure> {
        let Cut { pattern, tokens: runs } = cut;
        if matches!(pattern.node, PatternNode::MetaVar { .. }) {
            return Err(Failure::Everything);
        }
        let mut tokens = Vec::new();
        fixed_tokens(&pattern.node, &mut tokens);
        tokens.extend(
            runs.iter().flat_map(Tokens::fixed).filter(|it| is_fixed(it)).map(str::to_owned),
        );
        tokens.sort_unstable();
        tokens.dedup();
        let finders = tokens.iter().map(|it| memmem::Finder::new(it.as_bytes()).into_owned());
        let finders = finders.collect();
        let has_plain_words = written.is_ascii() && !written.contains('\\');
        let patterns = forms::of(pattern, &grammar);
        Ok(OneLanguage { grammar, patterns, runs, tokens, finders, has_plain_words })
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
        let root = tree.root();
        let found = self.patterns.iter().flat_map(|pattern| root.find_all(pattern));
        let mut spans: Vec<Span> = found.filter_map(|found| self.span(&found, text)).collect();
        spans.sort_by_key(|span| (span.bytes.start, Reverse(span.bytes.end)));
        Some(spans)
    }

    /// A match, if the tokens of it match too.
    fn span(&self, found: &NodeMatch<StrDoc<Grammar>>, text: &str) -> Option<Span> {
        let mut bindings = bindings(found);
        for (number, run) in self.runs.iter().enumerate() {
            let inside = found.get_env().get_multiple_matches(&tokens::name(number));
            let end = inside.last().map_or(found.range().end, |node| node.range().end);
            if !run.bind(&inside, end, text, &mut bindings) {
                return None;
            }
        }
        bindings.sort_by(|a, b| a.0.cmp(&b.0));
        Some(Span { bytes: found.range(), bindings })
    }
}

fn bindings(found: &NodeMatch<StrDoc<Grammar>>) -> Bindings {
    let environment = found.get_env();
    let mut bindings = Vec::new();
    for variable in environment.get_matched_variables() {
        match variable {
            MetaVariable::Capture(name, _) => {
                let node = environment.get_match(&name).map(Node::range);
                bindings.extend(node.map(|range| (name, range)));
            }
            MetaVariable::MultiCapture(name) if !tokens::is_name(&name) => {
                let nodes = environment.get_multiple_matches(&name);
                let start = nodes.first().map_or(found.range().start, |node| node.range().start);
                let end = nodes.last().map_or(start, |node| node.range().end);
                bindings.push((name, start..end));
            }
            _ => {}
        }
    }
    bindings
}

/// What must stand in a text for the pattern to match in it: names, keywords, numbers, texts.
fn fixed_tokens(node: &PatternNode, tokens: &mut Vec<String>) {
    match node {
        PatternNode::Terminal { text, .. } if is_fixed(text) => tokens.push(text.clone()),
        PatternNode::Internal { children, .. } => {
            children.iter().for_each(|child| fixed_tokens(child, tokens));
        }
        _ => {}
    }
}

fn is_fixed(token: &str) -> bool {
    token.chars().any(char::is_alphanumeric)
}

#[cfg(test)]
mod tests {
    use std::ops::Range;

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

    /// Matches of patterns in one text, without their bindings.
    #[track_caller]
    fn check_all(language: &str, text: &str, table: &[(&str, &[&str])]) {
        for (pattern, expected) in table {
            let one = read_as(pattern, language).unwrap_or_else(|it| panic!("{pattern}: {it:?}"));
            assert!(one.may_match(text.as_bytes()), "{pattern} is filtered out");
            let spans = one.find(text).unwrap();
            let found: Vec<&str> = spans.iter().map(|span| &text[span.bytes.clone()]).collect();
            assert_eq!(found, *expected, "{pattern}");
        }
    }

    #[test]
    fn any_number_of_things_stand_in_a_body() {
        check_all(
            "java",
            "class A { void f(int b) throws E { if (x == null) { return; } while (y) {} } }",
            &[
                ("if ($A == null) { $$$ }", &["if (x == null) { return; }"]),
                ("while ($A) { $$$ }", &["while (y) {}"]),
                (
                    "void $F($$$) $$$ { $$$ }",
                    &["void f(int b) throws E { if (x == null) { return; } while (y) {} }"],
                ),
                (
                    "class $X { $$$ }",
                    &[
                        "class A { void f(int b) throws E { if (x == null) { return; } while (y) {} } }",
                    ],
                ),
            ],
        );
        check_all(
            "java",
            "class A { void f() { for (int i = 0; i < n; i++) {} switch (x) { case 1: g(); } } }",
            &[
                ("for ($$$) { $$$ }", &["for (int i = 0; i < n; i++) {}"]),
                ("for ($T $I = $A; $B; $C) { $$$ }", &["for (int i = 0; i < n; i++) {}"]),
                ("switch ($A) { $$$ }", &["switch (x) { case 1: g(); }"]),
            ],
        );
        check_all(
            "rust",
            "struct S { a: u8 } trait T { fn f(); } impl T for S { f!{} } const A: u8 = match x { A => b };",
            &[
                ("struct $X { $$$ }", &["struct S { a: u8 }"]),
                ("trait $X { $$$ }", &["trait T { fn f(); }"]),
                ("match $X { $$$ }", &["match x { A => b }"]),
                ("match $X { A => $B $$$ }", &["match x { A => b }"]),
                ("impl $T for $X { $$$ }", &["impl T for S { f!{} }"]),
            ],
        );
        check_all(
            "go",
            "package p\ntype T struct { a int }\nfunc f() { switch x { case 1: g() }; select {} }",
            &[
                ("switch $X { $$$ }", &["switch x { case 1: g() }"]),
                ("select { $$$ }", &["select {}"]),
                ("type $X struct { $$$ }", &["type T struct { a int }"]),
            ],
        );
        check_all(
            "php",
            "<?php class A { function f($a, $b) { if ($a) { g(); } } }",
            &[
                ("if ($A) { $$$ }", &["if ($a) { g(); }"]),
                ("function $F($$$) { $$$ }", &["function f($a, $b) { if ($a) { g(); } }"]),
                ("class $X { $$$ }", &["class A { function f($a, $b) { if ($a) { g(); } } }"]),
            ],
        );
        check_all(
            "zig",
            "fn f() void { if (a) { b(); } while (c) |d| { e(); } }",
            &[
                ("if ($A) { $$$ }", &["if (a) { b(); }"]),
                ("while ($A) |$B| { $$$ }", &["while (c) |d| { e(); }"]),
                (
                    "fn $F($$$) $T { $$$ }",
                    &["fn f() void { if (a) { b(); } while (c) |d| { e(); } }"],
                ),
            ],
        );
        check_all(
            "javascript",
            "switch (x) { case 1: }",
            &[("switch ($A) { $$$ }", &["switch (x) { case 1: }"])],
        );
        check_all("c", "struct s { int a; };", &[("struct $X { $$$ };", &["struct s { int a; }"])]);
    }

    #[test]
    fn what_stands_in_a_body_is_bound() {
        let text = "class A { void f() { try { g(); h(); } catch (E e) { k(); } } }";
        check(
            "java",
            "try { $$$A } catch ($E) { $$$B }",
            text,
            &["try { g(); h(); } catch (E e) { k(); } A=g(); h(); B=k(); E=E e"],
        );
        let text = "<?php try { g(); } catch (E $e) { k(); }";
        check(
            "php",
            "try { $$$ } catch ($E) { $$$ }",
            text,
            &["try { g(); } catch (E $e) { k(); } E=E $e"],
        );
        check(
            "java",
            "int $F(int $A, $$$B) { $$$C return $R; }",
            "class A { int f(int a, int b) { g(); return 1; } }",
            &["int f(int a, int b) { g(); return 1; } A=a B=int b C=g(); F=f R=1"],
        );
        check(
            "rust",
            "fn $F($A) -> $T { $$$B }",
            "fn f(a: u8) -> u8 { a }\nfn g() -> u8 { 1 }",
            &["fn f(a: u8) -> u8 { a } A=a: u8 B=a F=f T=u8"],
        );
    }

    #[test]
    fn a_definition_is_found_with_modifiers_in_front() {
        check_all(
            "java",
            "@A public final class C {}",
            &[("class $X { $$$ }", &["@A public final class C {}"])],
        );
        check("java", "public class $X { $$$ }", "private class C {}", &[]);
        check_all(
            "rust",
            "pub(crate) fn f() {}",
            &[("fn $F() { $$$ }", &["pub(crate) fn f() {}"])],
        );
        check_all(
            "csharp",
            "class C { public static void F(int a) { } }",
            &[("void $F($$$) { $$$ }", &["public static void F(int a) { }"])],
        );
        check_all(
            "php",
            "<?php class C { private static function f() {} }",
            &[("function $F($$$) { $$$ }", &["private static function f() {}"])],
        );
    }

    #[test]
    fn annotations_stand_alone() {
        check_all("java", "class A { @Override void f() {} }", &[("@Override", &["@Override"])]);
        check_all("csharp", "class A { [Fact] void F() {} }", &[("[Fact]", &["[Fact]"])]);
        check_all(
            "python",
            "@setup\n@app.get(1)\ndef f(): pass",
            &[("@setup", &["@setup"]), ("@app.get($$$)", &["@app.get(1)"])],
        );
        check_all("typescript", "@Input() class A {}", &[("@Input()", &["@Input()"])]);
    }

    #[test]
    fn variables_stand_for_tokens_where_there_is_no_tree() {
        check(
            "rust",
            "tri!($X)",
            "fn f() { tri!(a.b(c, d)); tri!(a, b) }",
            &["tri!(a.b(c, d)) X=a.b(c, d)"],
        );
        check(
            "rust",
            "assert_eq!($A, $B)",
            "fn f() { assert_eq!(f(1, 2), \"a,(b\",); assert_eq!(a, b, \"c\") }",
            &["assert_eq!(f(1, 2), \"a,(b\",) A=f(1, 2) B=\"a,(b\""],
        );
        check(
            "rust",
            "eq!($A, $A)",
            "fn f() { eq!(a.b, a.b); eq!(a, b) }",
            &["eq!(a.b, a.b) A=a.b"],
        );
        check(
            "rust",
            "f($A, log!(\"x\", $$$B))",
            "fn g() { f(1, log!(\"x\", a + 1, b)); f(1, log!(\"y\", a)) }",
            &["f(1, log!(\"x\", a + 1, b)) A=1 B=a + 1, b"],
        );
        check(
            "rust",
            "vec![$$$A]",
            "fn f() { vec![]; vec![1, /* 2, */ 3] }",
            &["vec![] A=", "vec![1, /* 2, */ 3] A=1, /* 2, */ 3"],
        );
    }

    #[test]
    fn dollars_work_in_every_kind_of_language() {
        check("javascript", "$A && $A()", "a && a(); a && b()", &["a && a() A=a"]);
        check("typescript", "foo<$T>($A)", "foo<string>(1)", &["foo<string>(1) A=1 T=string"]);
        check("ruby", "puts $A", "puts 1\nputs x", &["puts 1 A=1", "puts x A=x"]);
        check("bash", "grep $A", "grep ä; grep $x", &["grep ä A=ä", "grep $x A=$x"]);
        check("lua", "print($A)", "print(1)", &["print(1) A=1"]);
        check("zig", "@typeInfo($X)", "const a = @typeInfo(T);", &["@typeInfo(T) X=T"]);
        check("zig", "try $X", "fn f() !void { try g(); }", &["try g() X=g()"]);
        check("zig", "a.print($$$)", "fn f() void { a.print(1, 2); }", &["a.print(1, 2)"]);
        check("ruby", "class $X\n$$$\nend", "class A\n  b\nend", &["class A\n  b\nend X=A"]);
    }

    #[test]
    fn what_cannot_be_read_says_why() {
        let failure = |pattern, language| read_as(pattern, language).err();
        assert_eq!(failure("foo(", "python"), Some(Failure::Syntax));
        assert_eq!(failure("a = 1\nb = 2", "python"), Some(Failure::Several));
        assert_eq!(failure("$A", "python"), Some(Failure::Everything));
        assert_eq!(failure("foo(\"a $X b\")", "python"), Some(Failure::Buried));
        assert_eq!(failure("foo(\"a $$$ b\")", "java"), Some(Failure::Buried));
        assert_eq!(failure("foo!(\"a $X b\")", "rust"), Some(Failure::Buried));
    }

    #[test]
    fn a_pattern_in_no_language_is_an_error_that_says_what_to_do() {
        let error = |pattern: &str, languages: &[&str]| {
            let languages: Vec<String> = languages.iter().map(|it| it.to_string()).collect();
            super::check(pattern, &languages).err().map(|it| it.to_string())
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

    #[test]
    fn a_tree_without_the_language_of_a_pattern_is_told_so() {
        let nothing = |pattern: &str, languages: &[&str], present: &[&str]| {
            let languages: Vec<String> = languages.iter().map(|it| it.to_string()).collect();
            Patterns::of(pattern, &languages, present).unwrap().nothing(pattern)
        };
        let said = nothing("if $A == nil { $$$ }", &[], &["java", "json", "markdown"]);
        assert!(
            said.contains("not a piece of code in any language of the tree (java, json)"),
            "{said}"
        );
        assert!(said.contains("--fixed"), "{said}");
        let said = nothing("$X := $Y", &[], &["java", "go"]);
        assert!(said.contains("read as go (it is not code in java)"), "{said}");
        assert!(nothing("f()", &["rust"], &["java"]).contains("the language asked for"));
        assert!(nothing("f()", &[], &["markdown"]).contains("holds code"));
    }
}

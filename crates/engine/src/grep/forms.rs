//! Other forms of a definition that a pattern means as well.
//!
//! `class $X { $$$ }` means public classes too, and a function may be a method. Where a keyword in
//! front has no name in the grammar (`async` in JavaScript, `pub` in Zig) ast-grep passes over it;
//! where it has one, the pattern is also looked for with it.

use ast_grep_core::Pattern;
use ast_grep_core::matcher::PatternNode;
use ast_grep_core::meta_var::MetaVariable;

use crate::grep::grammar::Grammar;

/// A pattern in all its forms, as it is written first.
pub fn of(pattern: Pattern, grammar: &Grammar) -> Vec<Pattern> {
    let mut forms = vec![pattern];
    forms.extend(member(&forms[0], grammar));
    let led: Vec<Pattern> = forms.iter().flat_map(|form| led(form, grammar)).collect();
    forms.extend(led);
    forms
}

/// What a grammar calls a function on its own, and in a class.
fn functions(language: &str) -> Option<[&'static str; 2]> {
    match language {
        "csharp" => Some(["local_function_statement", "method_declaration"]),
        "php" => Some(["function_definition", "method_declaration"]),
        _ => None,
    }
}

/// What grammars call modifiers, in the rows that they come in.
fn modifiers(language: &str) -> &'static [&'static [&'static str]] {
    const M: &str = "modifier";
    match language {
        "csharp" => &[&[M], &[M, M], &[M, M, M]],
        "java" | "kotlin" | "scala" | "swift" => &[&["modifiers"]],
        "php" => &[
            &["abstract_modifier"],
            &["final_modifier"],
            &["static_modifier"],
            &["visibility_modifier"],
            &["visibility_modifier", "static_modifier"],
        ],
        "rust" => &[&["visibility_modifier"]],
        _ => &[],
    }
}

fn member(pattern: &Pattern, grammar: &Grammar) -> Option<Pattern> {
    let PatternNode::Internal { kind_id, children } = &pattern.node else { return None };
    let [alone, member] = functions(grammar.name())?.map(|kind| grammar.kind(kind));
    (*kind_id == alone).then(|| with(pattern, member, children.clone()))
}

/// The pattern with modifiers in front of it.
fn led(pattern: &Pattern, grammar: &Grammar) -> Vec<Pattern> {
    let PatternNode::Internal { kind_id, children } = &pattern.node else { return Vec::new() };
    let modifier = |kind: &&str| PatternNode::Internal {
        kind_id: grammar.kind(kind),
        children: vec![PatternNode::MetaVar { meta_var: MetaVariable::Multiple }],
    };
    let ahead = |kinds: &&[&str]| {
        let children = kinds.iter().map(modifier).chain(children.iter().cloned()).collect();
        with(pattern, *kind_id, children)
    };
    modifiers(grammar.name()).iter().map(ahead).collect()
}

fn with(pattern: &Pattern, kind_id: u16, children: Vec<PatternNode>) -> Pattern {
    let mut form = pattern.clone();
    form.node = PatternNode::Internal { kind_id, children };
    form
}

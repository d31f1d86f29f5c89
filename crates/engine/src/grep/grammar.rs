//! One of our languages, as ast-grep asks for it.

use ast_grep_core::matcher::PatternBuilder;
use ast_grep_core::tree_sitter::{LanguageExt, StrDoc, TSLanguage};
use ast_grep_core::{Pattern, PatternError};
use wherein_corpus::Language;

/// A language that has a grammar.
#[derive(Clone)]
pub struct Grammar {
    language: &'static Language,
}

/// A node of a tree of ours.
pub type Node<'t> = ast_grep_core::Node<'t, StrDoc<Grammar>>;

impl Grammar {
    /// The grammar of a language that has one.
    pub fn of(language: &'static Language) -> Grammar {
        Grammar { language }
    }

    /// The name of the language.
    pub fn name(&self) -> &'static str {
        self.language.name
    }

    fn grammar(&self) -> TSLanguage {
        self.language.grammar().expect("only languages with a grammar are asked for")
    }

    /// The id of a kind of node with a name.
    pub fn kind(&self, name: &str) -> u16 {
        self.grammar().id_for_node_kind(name, true)
    }

    /// The id of a mark.
    pub fn mark(&self, text: &str) -> u16 {
        self.grammar().id_for_node_kind(text, false)
    }
}

impl ast_grep_core::Language for Grammar {
    fn kind_to_id(&self, kind: &str) -> u16 {
        self.kind(kind)
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

/// The tree of a text.
pub fn parsed(text: &str, grammar: &Grammar) -> Option<StrDoc<Grammar>> {
    let (tree, seen) = wherein_corpus::syntax(text, grammar.language)?;
    Some(StrDoc { src: seen.into_owned(), lang: grammar.clone(), tree })
}

//! What a parse finds by name: symbols, imports, references.

use serde::{Deserialize, Serialize};

/// What sort of thing a name stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum SymbolKind {
    /// A free function.
    Function,
    /// A function inside a type.
    Method,
    /// A class or object.
    Class,
    /// A struct or record.
    Struct,
    /// An enumeration.
    Enum,
    /// A union of C's sort.
    Union,
    /// An interface or protocol.
    Interface,
    /// A trait, type class or mixin.
    Trait,
    /// A type alias or other named type.
    Type,
    /// A constant.
    Constant,
    /// A variable visible beyond its function.
    Variable,
    /// A field or property of a type.
    Field,
    /// A member of an enumeration.
    Variant,
    /// A module, namespace or package.
    Module,
    /// A macro.
    Macro,
    /// A named test written as a call: `it("…")`.
    Test,
    /// A key of a data file.
    Key,
    /// A heading of a document.
    Heading,
    /// A style rule's selector.
    Selector,
    /// A database table or view.
    Table,
}

impl SymbolKind {
    const NAMES: [(SymbolKind, &'static str); 20] = [
        (SymbolKind::Function, "function"),
        (SymbolKind::Method, "method"),
        (SymbolKind::Class, "class"),
        (SymbolKind::Struct, "struct"),
        (SymbolKind::Enum, "enum"),
        (SymbolKind::Union, "union"),
        (SymbolKind::Interface, "interface"),
        (SymbolKind::Trait, "trait"),
        (SymbolKind::Type, "type"),
        (SymbolKind::Constant, "constant"),
        (SymbolKind::Variable, "variable"),
        (SymbolKind::Field, "field"),
        (SymbolKind::Variant, "variant"),
        (SymbolKind::Module, "module"),
        (SymbolKind::Macro, "macro"),
        (SymbolKind::Test, "test"),
        (SymbolKind::Key, "key"),
        (SymbolKind::Heading, "heading"),
        (SymbolKind::Selector, "selector"),
        (SymbolKind::Table, "table"),
    ];

    /// The word for it in query files and answers.
    pub fn name(self) -> &'static str {
        Self::NAMES.iter().find(|(kind, _)| *kind == self).map_or("", |(_, name)| name)
    }

    /// The kind a word stands for.
    pub fn named(name: &str) -> Option<SymbolKind> {
        Self::NAMES.iter().find(|(_, word)| *word == name).map(|(kind, _)| *kind)
    }

    /// Whether it is code that is called.
    pub fn is_function(self) -> bool {
        matches!(self, SymbolKind::Function | SymbolKind::Method)
    }

    /// Whether a function inside it is a method.
    pub fn is_type(self) -> bool {
        use SymbolKind::*;
        matches!(self, Class | Struct | Enum | Union | Interface | Trait | Type)
    }
}

/// A definition.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Symbol {
    /// Its own name.
    pub name: String,
    /// The names around it, joined by the language's separator; empty at the top level.
    pub scope: String,
    /// What sort of thing it is.
    pub kind: SymbolKind,
    /// The symbol it stands in, as an index into the same list.
    pub parent: Option<u32>,
    /// First line, its comments and attributes included.
    pub start_line: u32,
    /// Last line.
    pub end_line: u32,
    /// The line its name stands on.
    pub name_line: u32,
    /// Everything before the body, on one line.
    pub signature: String,
    /// The doc comment without its comment marks.
    pub doc: String,
}

impl Symbol {
    /// `Type::method` where the scope is known, the bare name otherwise.
    pub fn qualified(&self, separator: &str) -> String {
        if self.scope.is_empty() {
            self.name.clone()
        } else {
            format!("{}{separator}{}", self.scope, self.name)
        }
    }
}

/// A module, package, header or file that another file names.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Import {
    /// What is imported, as written, without quotes.
    pub source: String,
    /// Where the import stands.
    pub line: u32,
    /// Whether it is an expression, so that what is imported is known only when it runs.
    pub dynamic: bool,
    /// The names it binds, where the language names them one by one.
    pub names: Vec<Binding>,
}

/// A name that an import binds.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Binding {
    /// What is taken out of what is imported: `*` for everything, empty for the thing itself.
    pub name: String,
    /// What it is called here; empty where every name keeps its own.
    pub local: String,
}

/// How a name is used.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum ReferenceKind {
    /// It is called.
    Call,
    /// A type is made from it.
    Extends,
    /// A type promises to be like it.
    Implements,
    /// It is used as a type.
    Type,
    /// It is used as a value: handed on, read, mentioned.
    Name,
}

impl ReferenceKind {
    const NAMES: [(ReferenceKind, &'static str); 5] = [
        (ReferenceKind::Call, "call"),
        (ReferenceKind::Extends, "extends"),
        (ReferenceKind::Implements, "implements"),
        (ReferenceKind::Type, "type"),
        (ReferenceKind::Name, "name"),
    ];

    /// The word for it in query files and answers.
    pub fn name(self) -> &'static str {
        Self::NAMES.iter().find(|(kind, _)| *kind == self).map_or("", |(_, name)| name)
    }

    /// The kind a word stands for.
    pub fn named(name: &str) -> Option<ReferenceKind> {
        Self::NAMES.iter().find(|(_, word)| *word == name).map(|(kind, _)| *kind)
    }
}

/// A name that is used, and every line it is used on.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Reference {
    /// The bare name.
    pub name: String,
    /// How it is used.
    pub kind: ReferenceKind,
    /// What stands before it, with dots between names: `a.b`, `Foo()`; `?` if it is more than
    /// that, empty if nothing does.
    pub receiver: String,
    /// Lines in ascending order, each once.
    pub lines: Vec<u32>,
}

/// A variable, parameter or field whose type is written down.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Typed {
    /// Where it stands.
    pub line: u32,
    /// The variable; `self.x` for a field that is assigned.
    pub name: String,
    /// The type, or the call that makes the value: `Foo`, `a.Foo()`.
    pub of: String,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_has_a_name_that_leads_back_to_it() {
        for (kind, name) in SymbolKind::NAMES {
            assert_eq!(SymbolKind::named(name), Some(kind));
            assert_eq!(kind.name(), name);
        }
        assert_eq!(SymbolKind::named("gadget"), None);
        for (kind, name) in ReferenceKind::NAMES {
            assert_eq!((ReferenceKind::named(name), kind.name()), (Some(kind), name));
        }
    }
}

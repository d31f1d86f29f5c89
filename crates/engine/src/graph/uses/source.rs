//! One file as the gathering of uses sees it.

use wherein_corpus::{Import, Language, Parsed, Reference, Role, Symbol, SymbolKind, Typed};

use crate::graph::facts;
use crate::graph::family::Family;
use crate::graph::resolve::Target;
use crate::graph::tree::folder_of;

/// A file's symbols, what it takes from elsewhere, and where that leads.
pub struct Source {
    /// Relative to the root.
    pub path: String,
    /// The languages it can share names with.
    pub family: Family,
    /// Definitions of code: keys of data and headings of prose are none.
    pub symbols: Vec<Symbol>,
    /// Imports, one thing each.
    pub imports: Vec<Import>,
    /// What each of them means.
    pub targets: Vec<Target>,
    /// Names that are used.
    pub references: Vec<Reference>,
    /// Variables with their types, by line.
    pub types: Vec<Typed>,
    /// What files it shares its names with go by: a package, or a folder.
    pub package: String,
    /// How many lines its symbols and uses span.
    pub lines: u32,
}

impl Source {
    /// Takes a parse apart.
    pub fn of(path: &str, language: &str, mut parsed: Parsed, targets: Vec<Target>) -> Source {
        let family = Family::of(language);
        let imports = facts::imports(language, &parsed);
        // Go's packages of one name in two folders are two packages.
        let package = match family {
            Family::Go => format!("{}:{}", folder_of(path), parsed.package),
            _ => std::mem::take(&mut parsed.package),
        };
        let symbols = if is_code(language) { code_only(parsed.symbols) } else { Vec::new() };
        let used = parsed.references.iter().filter_map(|it| it.lines.last()).copied().max();
        let last = symbols.iter().map(|symbol| symbol.end_line).max();
        let lines = used.max(last).unwrap_or_default();
        let (path, references, types) = (path.to_owned(), parsed.references, parsed.types);
        Source { path, family, symbols, imports, targets, references, types, package, lines }
    }

    /// For each line the innermost symbol it is part of, as an index.
    pub fn owners(&self) -> Vec<Option<u32>> {
        let mut owners = vec![None; self.lines as usize + 1];
        for (i, symbol) in self.symbols.iter().enumerate() {
            for line in symbol.start_line..=symbol.end_line {
                owners[line as usize] = Some(i as u32);
            }
        }
        owners
    }
}

fn is_code(language: &str) -> bool {
    Language::named(language).map_or(Role::Code, Language::role) == Role::Code
}

/// Leaves out what is no code and mends the parents of the rest.
fn code_only(symbols: Vec<Symbol>) -> Vec<Symbol> {
    let is_data =
        |kind| matches!(kind, SymbolKind::Key | SymbolKind::Heading | SymbolKind::Selector);
    let mut numbers = Vec::with_capacity(symbols.len());
    let mut kept: Vec<Symbol> = Vec::with_capacity(symbols.len());
    for mut symbol in symbols {
        let parent = symbol.parent.and_then(|parent| numbers[parent as usize]);
        if is_data(symbol.kind) {
            numbers.push(parent);
            continue;
        }
        numbers.push(Some(kept.len() as u32));
        symbol.parent = parent;
        symbol.doc = String::new();
        kept.push(symbol);
    }
    kept
}

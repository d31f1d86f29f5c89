//! From a syntax tree to symbols, imports and references, by a language's query file.
//!
//! A query file (`languages/NAME/tags.scm`) speaks to this module through capture names:
//!
//! | capture | stands on |
//! |---|---|
//! | `@definition.KIND` | the whole definition; `KIND` is a [`SymbolKind`] word |
//! | `@container` | a block that qualifies names but defines none (Rust `impl`) |
//! | `@name` | the name, in the same pattern |
//! | `@scope` | text that qualifies the name besides the nesting (a Go receiver's type) |
//! | `@body` | where the signature ends |
//! | `@doc` | a docstring inside the definition |
//! | `@comment` | any comment; those right above a definition are its doc |
//! | `@attribute` | lines that may stand between a doc comment and its definition |
//! | `@import` | what an import names, as written |
//! | `@import.name`, `@import.alias` | a name taken out of it, and what it is called here |
//! | `@import.dynamic` | an expression that says what to import |
//! | `@package` | the package, namespace or module the file says it is part of |
//! | `@reference.KIND` | a bare name that is used; `KIND` is a [`ReferenceKind`] word |
//! | `@receiver` | what stands before that name: `a.b` in `a.b.f()` |
//! | `@receiver.chain` | the same, kept with all calls and fields in it |
//! | `@receiver.typed` | the same, and a value behind it is a use if the type of its root is written down |
//! | `@no-use` | a name that is no use where `@reference.name` would take it for one |
//! | `@variable`, `@type` | a variable and the type written beside it |
//! | `@type.whole` | such a type, kept with its arguments |
//! | `@value` | an expression that is the variable's value, kept as a chain of names |
//! | `@value.inner`, `@value.element` | the same, where the variable is what is inside of it |
//! | `@variable.part` | a variable of a tuple: its place in it is kept with the value |
//! | `@variable.member` | a variable that is a member of what `@type` is: `const { member } = it` |
//! | `@filled` | a name in a literal: a member of what `@type` is, or of what the function returns |
//! | `@filled.argument` | the same in a literal that the function `@type` is given |
//! | `@type.outer` | a name in a literal, under which the literal of `@filled` stands |
//! | `@implementer` | a type that has all that `@type.whole` has |
//! | `@given` | tokens that a macro is given: they are parsed again, as code |
//!
//! Where two patterns name the same node, the one that stands first in the file wins.

use std::ops::Range;

use crate::comment;
use crate::given::{self, Given};
use crate::language::Language;
use crate::leading::{Leading, LeadingLines};
use crate::lines::Lines;
use crate::matcher::{Captures, Matcher};
use crate::pattern::{self, PatternError};
use crate::symbol::{Import, Reference, ReferenceKind, Symbol, SymbolKind, Typed};
use crate::syntax::{Node, Syntax};
use crate::tree;
use crate::uses::{self, Place, Taken, Uses, Writing};

/// A compiled query file.
pub struct Tags {
    matcher: Matcher,
    captures: Vec<String>,
    roles: Vec<Role>,
}

/// What a capture name means.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Role {
    Definition(SymbolKind),
    Container,
    Name,
    Scope,
    Body,
    Doc,
    Comment,
    Attribute,
    Import,
    ImportName,
    ImportAlias,
    ImportDynamic,
    Package,
    Reference(ReferenceKind),
    Receiver,
    ReceiverChain,
    ReceiverTyped,
    NoUse,
    Variable,
    VariablePart,
    VariableMember,
    Filled,
    FilledArgument,
    Implementer,
    Type,
    WholeType,
    OuterType,
    Value,
    InnerValue,
    ElementValue,
    Given,
    /// A capture for the query's own predicates, by convention `@_name`.
    Private,
}

/// Why a query file cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum TagsError {
    /// It is not a query, or not one for this grammar.
    #[error(transparent)]
    Pattern(#[from] PatternError),
    /// A capture name outside the table above.
    #[error("capture @{0} means nothing")]
    Capture(String),
}

/// Everything one pass of the query finds.
#[derive(Debug, Default)]
pub struct Findings {
    /// Definitions in the order they start.
    pub symbols: Vec<Symbol>,
    /// Imports in the order they stand.
    pub imports: Vec<Import>,
    /// References by name.
    pub references: Vec<Reference>,
    /// Variables with their types, in the order they stand.
    pub types: Vec<Typed>,
    /// The package the file says it is part of.
    pub package: String,
    /// For each line (index 0 is line 1) whether it only comments or annotates what follows.
    pub leading: Vec<bool>,
}

impl Tags {
    /// Reads a query file and checks every capture name in it.
    pub fn compile(grammar: &tree_sitter::Language, source: &str) -> Result<Tags, TagsError> {
        let (patterns, captures) = pattern::read(source, grammar)?;
        let roles = captures.iter().map(|name| role(name)).collect::<Result<Vec<_>, _>>()?;
        Ok(Tags { matcher: Matcher::new(patterns, grammar.node_kind_count()), captures, roles })
    }

    /// Runs the query over a tree and what macros are given in it, and puts what it finds in order.
    pub fn find(&self, syntax: &Syntax, lines: &Lines, language: &'static Language) -> Findings {
        let mut gathering = Gathering::empty(lines);
        self.run(syntax, &mut gathering);
        for _ in 0..given::MOST_LEVELS {
            if gathering.given.is_empty() {
                break;
            }
            let trees = gathering.read_given(language);
            trees.iter().for_each(|syntax| self.run(syntax, &mut gathering));
        }
        gathering.finish(language.separator)
    }

    fn run(&self, syntax: &Syntax, gathering: &mut Gathering) {
        let mut taken = Taken::default();
        self.matcher.run(syntax, gathering.lines.text(), |pattern, captures| {
            gathering.take(pattern, captures, &self.roles, &mut taken);
            gathering.uses.take(&taken, syntax);
            taken.clear();
        });
    }

    /// Reports every match as the pattern's number and its captures by name, before anything is
    /// made of them: for the test that holds our matcher against tree-sitter's own.
    #[doc(hidden)]
    pub fn each_match(
        &self,
        syntax: &Syntax,
        text: &str,
        mut report: impl FnMut(usize, &[(&str, &Node)]),
    ) {
        self.matcher.run(syntax, text, |pattern, captures| {
            let named: Vec<(&str, &Node)> = captures
                .iter()
                .map(|&(capture, node)| (self.captures[capture].as_str(), node))
                .collect();
            report(pattern, &named);
        });
    }
}

fn role(capture: &str) -> Result<Role, TagsError> {
    let unknown = || TagsError::Capture(capture.to_owned());
    Ok(match capture {
        "container" => Role::Container,
        "name" => Role::Name,
        "scope" => Role::Scope,
        "body" => Role::Body,
        "doc" => Role::Doc,
        "comment" => Role::Comment,
        "attribute" => Role::Attribute,
        "import" => Role::Import,
        "import.name" => Role::ImportName,
        "import.alias" => Role::ImportAlias,
        "import.dynamic" => Role::ImportDynamic,
        "package" => Role::Package,
        "receiver" => Role::Receiver,
        "receiver.chain" => Role::ReceiverChain,
        "receiver.typed" => Role::ReceiverTyped,
        "no-use" => Role::NoUse,
        "variable" => Role::Variable,
        "variable.part" => Role::VariablePart,
        "variable.member" => Role::VariableMember,
        "filled" => Role::Filled,
        "filled.argument" => Role::FilledArgument,
        "implementer" => Role::Implementer,
        "type" => Role::Type,
        "type.whole" => Role::WholeType,
        "type.outer" => Role::OuterType,
        "value" => Role::Value,
        "value.inner" => Role::InnerValue,
        "value.element" => Role::ElementValue,
        "given" => Role::Given,
        _ if capture.starts_with('_') => Role::Private,
        _ => {
            if let Some(kind) = capture.strip_prefix("reference.") {
                return ReferenceKind::named(kind).map(Role::Reference).ok_or_else(unknown);
            }
            let kind = capture.strip_prefix("definition.").ok_or_else(unknown)?;
            Role::Definition(SymbolKind::named(kind).ok_or_else(unknown)?)
        }
    })
}

/// A definition or container before its surroundings are known.
struct Raw<'t> {
    extent: Range<usize>,
    pattern: usize,
    /// `None` for a container.
    kind: Option<SymbolKind>,
    name: &'t str,
    name_at: usize,
    scope: &'t str,
    body: Option<usize>,
    doc: &'t str,
}

impl<'t> Raw<'t> {
    /// Whether the name is text that only looks like an identifier at times.
    fn is_title(&self) -> bool {
        use SymbolKind::{Heading, Key, Selector, Test};
        matches!(self.kind, Some(Test | Key | Heading | Selector))
    }

    /// Takes this name into that of `earlier`, if both are parts of one test's title: where a
    /// string is cut up at its escapes, each part between them matches.
    fn continues_title_of(&self, earlier: &mut Self, text: &'t str) -> bool {
        let same = self.kind == Some(SymbolKind::Test)
            && earlier.kind == self.kind
            && earlier.extent == self.extent;
        if same {
            earlier.name = &text[earlier.name_at..self.name_at + self.name.len()];
        }
        same
    }

    /// Whether a name written with the separator in it names a scope: not in `<.>`.
    fn is_qualified(&self, scope: &str, name: &str) -> bool {
        !self.is_title()
            && scope.contains(char::is_alphanumeric)
            && !name.is_empty()
            && !self.name.contains(char::is_whitespace)
    }
}

struct Gathering<'l, 't> {
    lines: &'l Lines<'t>,
    raw: Vec<Raw<'t>>,
    uses: Uses<'l, 't>,
    package: &'t str,
    notes: LeadingLines,
    /// What macros are given and nobody has read yet.
    given: Vec<Given>,
}

impl<'l, 't> Gathering<'l, 't> {
    fn empty(lines: &'l Lines<'t>) -> Self {
        Gathering {
            lines,
            raw: Vec::new(),
            uses: Uses::none(lines),
            package: "",
            notes: LeadingLines::none(lines.count()),
            given: Vec::new(),
        }
    }

    /// Parses what macros are given. Where that is code, what was found in its tokens is forgotten:
    /// in a run of tokens a field cannot be told from a variable.
    fn read_given(&mut self, language: &'static Language) -> Vec<Syntax> {
        let (mut trees, mut read) = (Vec::new(), Vec::new());
        for given in std::mem::take(&mut self.given) {
            let Some(tree) = tree::of(self.lines.text(), language, &given.parts) else { continue };
            if !tree.root_node().has_error() {
                read.push(given.bytes);
            }
            trees.push(Syntax::of(&tree));
        }
        read.sort_unstable_by_key(|bytes| bytes.start);
        self.raw.retain(|raw| !is_within(&read, raw.name_at));
        self.uses.forget(|at| is_within(&read, at));
        trees
    }

    /// Notes what one match defines, and sorts the rest of it into `taken`.
    fn take<'n>(
        &mut self,
        pattern: usize,
        captures: &Captures<'n>,
        roles: &[Role],
        taken: &mut Taken<'n>,
    ) {
        let mut raw = Raw {
            extent: 0..0,
            pattern,
            kind: None,
            name: "",
            name_at: 0,
            scope: "",
            body: None,
            doc: "",
        };
        let mut defines = false;
        for &(capture, node) in captures {
            match roles[capture] {
                Role::Definition(kind) => {
                    (defines, raw.kind, raw.extent) = (true, Some(kind), node.byte_range());
                }
                Role::Container => (defines, raw.extent) = (true, node.byte_range()),
                Role::Name => {
                    (raw.name, raw.name_at) = (self.text(node), node.start_byte());
                }
                Role::Scope => raw.scope = self.text(node),
                Role::Body => raw.body = Some(node.start_byte()),
                Role::Doc => raw.doc = self.text(node),
                Role::Comment => self.notes.mark(node, self.lines, Leading::Comment),
                Role::Attribute => self.notes.mark(node, self.lines, Leading::Attribute),
                Role::Import => taken.import = Some(node),
                Role::ImportName => taken.name = Some(node),
                Role::ImportAlias => taken.alias = Some(node),
                Role::ImportDynamic => taken.dynamic = Some(node),
                Role::Package => self.package = self.text(node),
                Role::Reference(kind) => taken.references.push((node, kind)),
                Role::Receiver => taken.receiver = Some((node, Writing::Path)),
                Role::ReceiverChain => taken.receiver = Some((node, Writing::Chain)),
                Role::ReceiverTyped => taken.receiver = Some((node, Writing::Typed)),
                Role::NoUse => self.uses.rule_out(node),
                Role::Variable => taken.variable = Some((node, Place::Whole)),
                Role::VariablePart => taken.variable = Some((node, Place::Part)),
                Role::VariableMember => taken.variable = Some((node, Place::Member)),
                Role::Filled => taken.variable = Some((node, Place::Filled)),
                Role::FilledArgument => taken.variable = Some((node, Place::Argument)),
                Role::Implementer => taken.variable = Some((node, Place::Implementer)),
                Role::Type => taken.of = Some((node, Writing::Path)),
                Role::WholeType => taken.of = Some((node, Writing::Whole)),
                Role::OuterType => taken.of = Some((node, Writing::Outer)),
                Role::Value => taken.of = Some((node, Writing::Chain)),
                Role::InnerValue => taken.of = Some((node, Writing::Inner)),
                Role::ElementValue => taken.of = Some((node, Writing::Element)),
                Role::Given => self.given.extend(Given::of(node, self.lines)),
                Role::Private => {}
            }
        }
        if defines && !raw.name.trim().is_empty() {
            self.raw.push(raw);
        }
    }

    fn text(&self, node: &Node) -> &'t str {
        self.lines.text().get(node.byte_range()).unwrap_or_default()
    }

    fn finish(mut self, separator: &str) -> Findings {
        self.keep_first_pattern_of_each_name();
        let symbols = self.nest(separator);
        let leading = self.notes.leading();
        let definitions = self.raw.iter().filter(|raw| raw.kind.is_some());
        let mut defined: Vec<_> = definitions.map(|raw| (raw.name_at, raw.name)).collect();
        defined.sort_unstable();
        // A type or a function inside another is known in it as one at the top is in the file.
        let holds = |kind: SymbolKind| kind.is_function() || kind == SymbolKind::Test;
        let is_own = |symbol: &&Symbol| {
            symbol.scope.is_empty()
                || (symbol.kind.is_type() || symbol.kind == SymbolKind::Function)
                    && symbol.parent.is_some_and(|it| holds(symbols[it as usize].kind))
        };
        let own = symbols.iter().filter(is_own);
        let own = own.map(|symbol| symbol.name.as_str()).collect();
        let package = self.package.trim().to_owned();
        let uses::Found { imports, references, types } = self.uses.finish(&defined, own, &package);
        Findings { symbols, imports, references, types, package, leading }
    }

    fn keep_first_pattern_of_each_name(&mut self) {
        self.raw.sort_by_key(|raw| (raw.name_at, raw.pattern));
        self.raw.dedup_by_key(|raw| raw.name_at);
        self.raw.sort_by_key(|raw| (raw.extent.start, std::cmp::Reverse(raw.extent.end)));
        let text = self.lines.text();
        self.raw.dedup_by(|later, earlier| later.continues_title_of(earlier, text));
    }

    /// Walks the definitions outside in, carrying the stack of those around each.
    fn nest(&self, separator: &str) -> Vec<Symbol> {
        let mut symbols: Vec<Symbol> = Vec::new();
        let mut around: Vec<Around> = Vec::new();
        let mut last_line = 0;
        for raw in &self.raw {
            while around.last().is_some_and(|outer| outer.end < raw.extent.end) {
                around.pop();
            }
            let (scope, name) = self.place(raw, &around, separator);
            let parent = around.iter().rev().find_map(|outer| outer.symbol);
            let inside_type = around.last().is_some_and(|outer| outer.is_type);
            // Comments above a line belong to what starts first on it, and no definition reaches
            // over the one before, whose line may begin with an attribute.
            let line = self.lines.line_at(raw.extent.start);
            let start_line = self.notes.first_above(line).max(last_line + 1).min(line);
            last_line = line;
            let symbol = raw.kind.map(|kind| {
                let is_method =
                    kind == SymbolKind::Function && (inside_type || !raw.scope.is_empty());
                let kind = if is_method { SymbolKind::Method } else { kind };
                symbols.push(Symbol {
                    name: squeeze(name, MAX_NAME),
                    scope: scope.clone(),
                    kind,
                    parent,
                    start_line,
                    end_line: self
                        .lines
                        .line_at(raw.extent.end.saturating_sub(1).max(raw.extent.start)),
                    name_line: self.lines.line_at(raw.name_at),
                    signature: self.signature(raw),
                    doc: self.doc(raw, start_line, line),
                });
                symbols.len() as u32 - 1
            });
            around.push(Around {
                end: raw.extent.end,
                qualified: clip(join(&scope, name, separator), MAX_SCOPE),
                is_type: raw.kind.is_none_or(SymbolKind::is_type),
                symbol,
            });
        }
        symbols
    }

    /// The scope and bare name of a definition. `A::b` written in one name is taken apart.
    fn place<'a>(
        &'a self,
        raw: &'a Raw<'t>,
        around: &[Around],
        separator: &str,
    ) -> (String, &'t str) {
        let (written, name) = match raw.name.rsplit_once(separator) {
            Some((written, name)) if raw.is_qualified(written, name) => (written, name),
            _ if raw.is_title() => ("", raw.name),
            _ => ("", without_sigil(raw.name)),
        };
        let outer = around.last().map_or("", |outer| outer.qualified.as_str());
        let scope = join(&join(outer, bare(raw.scope), separator), written, separator);
        (scope, without_quotes(name))
    }

    fn signature(&self, raw: &Raw) -> String {
        let (text, Range { start, end }) = (self.lines.text(), raw.extent.clone());
        let body = raw.body.filter(|&body| body > start && body <= end);
        let head_end = body.unwrap_or_else(|| {
            let rest = text.get(raw.name_at..end).unwrap_or_default();
            rest.find('\n').map_or(end, |n| raw.name_at + n)
        });
        let head = &text[start..head_end.clamp(start, end)];
        let head = skip_annotations(head, raw.name_at - raw.extent.start.min(raw.name_at));
        squeeze(head.trim().trim_end_matches(['{', ':', '=', ' ']), MAX_SIGNATURE)
    }

    fn doc(&self, raw: &Raw, start_line: u32, line: u32) -> String {
        let mut doc = String::new();
        for number in start_line..line {
            if self.notes.is_comment(number) {
                comment::append_line(&mut doc, self.lines.line(number));
            }
        }
        for text in raw.doc.lines() {
            comment::append_line(&mut doc, text);
        }
        comment::clip(doc)
    }
}

/// Whether a byte is in one of the ranges, which are sorted and apart.
fn is_within(ranges: &[Range<usize>], at: usize) -> bool {
    let before = ranges.partition_point(|range| range.start <= at);
    before.checked_sub(1).is_some_and(|last| ranges[last].contains(&at))
}

/// A definition or container that encloses the ones that follow.
struct Around {
    end: usize,
    qualified: String,
    is_type: bool,
    symbol: Option<u32>,
}

/// Longest name kept.
pub const MAX_NAME: usize = 160;
const MAX_SIGNATURE: usize = 240;

/// Every definition repeats the names around it, so in deep or odd nesting these must not grow.
const MAX_SCOPE: usize = 480;

fn join(scope: &str, name: &str, separator: &str) -> String {
    match (scope.is_empty(), name.is_empty()) {
        (true, _) => name.to_owned(),
        (_, true) => scope.to_owned(),
        _ => format!("{scope}{separator}{name}"),
    }
}

/// Ruby's `:name` → `name`. Operators such as `:>:` keep theirs.
fn without_sigil(name: &str) -> &str {
    let bare = name
        .strip_prefix(':')
        .filter(|rest| rest.starts_with(|c: char| c.is_alphabetic() || c == '_'));
    bare.unwrap_or(name)
}

/// `"says \"hi\""` → `says \"hi\"`. A name made of several strings keeps their quotes.
fn without_quotes(name: &str) -> &str {
    let quote = name.chars().next().filter(|c| matches!(c, '"' | '\'' | '`'));
    let inside = quote.and_then(|quote| name[1..].strip_suffix(quote));
    let whole = inside.filter(|inside| !inside.trim().is_empty() && !closes_early(inside, quote));
    whole.unwrap_or(name)
}

fn closes_early(inside: &str, quote: Option<char>) -> bool {
    let is_quote = |c| Some(c) == quote;
    inside.match_indices(is_quote).any(|(at, _)| !inside[..at].ends_with('\\'))
}

/// A receiver's type without its pointer and generic marks: `*Stack[T]` → `Stack`.
fn bare(scope: &str) -> &str {
    let scope = scope.trim_start_matches(['*', '&', '(', ' ']);
    let end = scope.find(['[', '<', ' ', ')', '(']).unwrap_or(scope.len());
    &scope[..end]
}

/// Drops the lines of decorators and attributes that stand before the line with the name.
fn skip_annotations(head: &str, name_at: usize) -> &str {
    let mut rest = head;
    while let Some((first, after)) = rest.split_once('\n') {
        let consumed = head.len() - after.len();
        let annotates =
            first.trim_start().starts_with(['@', '[']) || first.trim_start().starts_with("#[");
        if !annotates || consumed > name_at {
            break;
        }
        rest = after;
    }
    rest
}

/// Text on one line, whitespace collapsed, cut at a character boundary.
pub fn squeeze(text: &str, limit: usize) -> String {
    // What has no line end may go on to the end of the file.
    let text = &text[..text.floor_char_boundary(limit * 16)];
    let mut squeezed = String::with_capacity(text.len().min(limit));
    for word in text.split_whitespace().take(limit) {
        if !squeezed.is_empty() {
            squeezed.push(' ');
        }
        squeezed.push_str(word);
    }
    clip(squeezed, limit)
}

fn clip(mut text: String, limit: usize) -> String {
    text.truncate(text.floor_char_boundary(limit));
    text
}

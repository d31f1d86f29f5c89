//! Code that has no tree: what stands between the brackets of a macro.
//!
//! In: the tokens of a pattern's brackets, and those of a place that may match. Out: what each variable
//! stands for. One part is a run of tokens up to a comma with as many brackets closed as opened; any
//! number of parts may hold commas.

use std::ops::Range;

use ast_grep_core::meta_var::MetaVariable;

use crate::grep::grammar::Node;

/// Variables and what they are bound to.
pub type Bindings = Vec<(String, Range<usize>)>;

/// The tokens of a pattern.
pub struct Tokens(Vec<Part>);

enum Part {
    Text(String),
    One(Option<String>),
    Many(Option<String>),
}

/// A token of a text.
struct Token<'t> {
    text: &'t str,
    bytes: Range<usize>,
    /// Whether the grammar knows it as a mark, and not as a part of a text.
    is_mark: bool,
}

/// Whether a grammar only tells tokens apart inside a node.
pub fn are_in(node: &Node) -> bool {
    node.kind() == "token_tree"
}

const NAME: &str = "tokens ";

/// What the tokens of a pattern are bound as, before they are compared. No variable has such a name.
pub fn name(number: usize) -> String {
    format!("{NAME}{number}")
}

/// Whether a name is one of those.
pub fn is_name(name: &str) -> bool {
    name.starts_with(NAME)
}

impl Tokens {
    /// Reads nodes of a pattern, with the variables that stand where `hole_at` says.
    pub fn of(nodes: &[Node], hole_at: &dyn Fn(&Range<usize>) -> Option<MetaVariable>) -> Tokens {
        let mut parts = Vec::new();
        nodes.iter().for_each(|node| read(node, hole_at, &mut parts));
        Tokens(parts)
    }

    /// How many variables there are.
    pub fn bound(&self) -> usize {
        self.0.iter().filter(|part| !matches!(part, Part::Text(_))).count()
    }

    /// What must stand in a text.
    pub fn fixed(&self) -> impl Iterator<Item = &str> {
        self.0.iter().filter_map(|part| match part {
            Part::Text(text) => Some(text.as_str()),
            _ => None,
        })
    }

    /// Whether the inside of brackets, which end at `end`, matches; then its variables are added to
    /// those bound so far.
    pub fn bind(&self, inside: &[Node], end: usize, text: &str, bindings: &mut Bindings) -> bool {
        let mut tokens = Vec::new();
        inside.iter().for_each(|node| leaves(node, text, &mut tokens));
        Matching { text, end, bindings }.follows(&self.0, &tokens)
    }
}

fn read(
    node: &Node,
    hole_at: &dyn Fn(&Range<usize>) -> Option<MetaVariable>,
    parts: &mut Vec<Part>,
) {
    match hole_at(&node.range()) {
        Some(MetaVariable::Capture(name, _)) => parts.push(Part::One(Some(name))),
        Some(MetaVariable::Dropped(_)) => parts.push(Part::One(None)),
        Some(MetaVariable::MultiCapture(name)) => parts.push(Part::Many(Some(name))),
        Some(MetaVariable::Multiple) => parts.push(Part::Many(None)),
        None if node.is_leaf() => parts.push(Part::Text(node.text().into_owned())),
        None => node.children().for_each(|child| read(&child, hole_at, parts)),
    }
}

fn leaves<'t>(node: &Node, text: &'t str, tokens: &mut Vec<Token<'t>>) {
    if node.kind().ends_with("comment") {
        return;
    }
    if node.is_leaf() {
        let bytes = node.range();
        tokens.push(Token { text: &text[bytes.clone()], bytes, is_mark: !node.is_named() });
    }
    node.children().for_each(|child| leaves(&child, text, tokens));
}

struct Matching<'m> {
    text: &'m str,
    end: usize,
    bindings: &'m mut Bindings,
}

impl Matching<'_> {
    fn follows(&mut self, parts: &[Part], tokens: &[Token]) -> bool {
        let Some((part, parts)) = parts.split_first() else {
            return matches!(tokens, []) || matches!(tokens, [last] if last.is(","));
        };
        match part {
            Part::Text(fixed) => {
                let rest = tokens.split_first().filter(|(first, _)| first.text == fixed);
                rest.is_some_and(|(_, rest)| self.follows(parts, rest))
            }
            Part::One(name) => self.takes_any(name, one(tokens).skip(1), parts, tokens),
            Part::Many(name) => self.takes_any(name, whole(tokens, tokens.len()), parts, tokens),
        }
    }

    /// Whether a variable may stand for one of so many tokens and the other parts for what is left.
    fn takes_any(
        &mut self,
        name: &Option<String>,
        lengths: impl Iterator<Item = usize>,
        parts: &[Part],
        tokens: &[Token],
    ) -> bool {
        // The last part takes all there is, but for a comma behind it.
        let least = if parts.is_empty() { tokens.len().saturating_sub(1) } else { 0 };
        let mut lengths = lengths.skip_while(|length| *length < least);
        lengths.any(|length| self.takes(name, length, parts, tokens))
    }

    fn takes(
        &mut self,
        name: &Option<String>,
        length: usize,
        parts: &[Part],
        tokens: &[Token],
    ) -> bool {
        let (run, rest) = tokens.split_at(length);
        let known = self.bindings.len();
        let matches = self.binds(name, run, rest) && self.follows(parts, rest);
        if !matches {
            self.bindings.truncate(known);
        }
        matches
    }

    /// The same name twice stands for the same text.
    fn binds(&mut self, name: &Option<String>, run: &[Token], rest: &[Token]) -> bool {
        let Some(name) = name else { return true };
        let start = run.iter().chain(rest).next().map_or(self.end, |token| token.bytes.start);
        let bytes = start..run.last().map_or(start, |token| token.bytes.end);
        if let Some((_, known)) = self.bindings.iter().find(|(known, _)| known == name) {
            return self.text[known.clone()] == self.text[bytes];
        }
        self.bindings.push((name.clone(), bytes));
        true
    }
}

impl Token<'_> {
    fn is(&self, mark: &str) -> bool {
        self.is_mark && self.text == mark
    }

    /// How many levels of brackets it goes down.
    fn depth(&self) -> i32 {
        match self.text {
            "(" | "[" | "{" if self.is_mark => 1,
            ")" | "]" | "}" if self.is_mark => -1,
            _ => 0,
        }
    }
}

/// How many tokens the runs from the first on have in which every bracket has its partner.
fn whole<'t>(tokens: &'t [Token], most: usize) -> impl Iterator<Item = usize> + 't {
    let mut depth = 0;
    let deep = tokens[..most].iter().map(move |token| {
        depth += token.depth();
        depth
    });
    let ends = deep.take_while(|depth| *depth >= 0).zip(1..).filter(|(depth, _)| *depth == 0);
    std::iter::once(0).chain(ends.map(|(_, length)| length))
}

/// The same up to the comma that ends a part.
fn one<'t>(tokens: &'t [Token]) -> impl Iterator<Item = usize> + 't {
    let mut depth = 0;
    let is_inside = |token: &&Token| {
        let is_end = depth == 0 && (token.is(",") || token.is(";"));
        depth += token.depth();
        depth >= 0 && !is_end
    };
    whole(tokens, tokens.iter().take_while(is_inside).count())
}

//! A pattern out of the tree of its filled text.
//!
//! In: the tree of a piece of code in its wrapping, and the holes of it. Out: the node that is the
//! piece, as ast-grep matches it, with a variable wherever there was a hole.

use std::ops::Range;

use ast_grep_core::matcher::PatternNode;
use ast_grep_core::meta_var::MetaVariable;
use ast_grep_core::tree_sitter::StrDoc;
use ast_grep_core::{AstGrep, Pattern};

use crate::grep::grammar::{Grammar, Node, parsed};
use crate::grep::hole::{Comma, Filled, Hole};
use crate::grep::refusal::Failure;
use crate::grep::tokens::{self, Tokens};
use crate::grep::wrapping::Wrapping;

/// What a piece of code is read as.
pub struct Cut {
    pub pattern: Pattern,
    /// Parts that have no tree, by the order they stand in.
    pub tokens: Vec<Tokens>,
}

/// Parses a filled text in its wrapping and cuts it out again.
pub fn read(grammar: &Grammar, (before, after): Wrapping, filled: &Filled) -> Result<Cut, Failure> {
    let doc = parsed(&format!("{before}{}{after}", filled.text), grammar).ok_or(Failure::Syntax)?;
    if doc.tree.root_node().has_error() {
        return Err(Failure::Syntax);
    }
    let tree = AstGrep::doc(doc);
    let (start, end) = (before.len(), before.len() + filled.text.len());
    let node = standing_at(&tree, start, end, after).ok_or(Failure::Several)?;
    let mut cutter = Cutter { holes: &filled.holes, shift: start, tokens: Vec::new() };
    let mut pattern = Pattern::from(node.clone());
    pattern.node = cutter.cut(&node);
    let bound = bound(&pattern.node) + cutter.tokens.iter().map(Tokens::bound).sum::<usize>();
    match bound == filled.holes.len() + cutter.tokens.len() {
        true => Ok(Cut { pattern, tokens: cutter.tokens }),
        false => Err(Failure::Buried),
    }
}

/// The innermost node that is the piece, the semicolon behind it included if it must be.
fn standing_at<'t>(
    tree: &'t AstGrep<StrDoc<Grammar>>,
    start: usize,
    end: usize,
    after: &str,
) -> Option<Node<'t>> {
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

struct Cutter<'h> {
    holes: &'h [Hole],
    /// Where the text of the holes begins.
    shift: usize,
    tokens: Vec<Tokens>,
}

impl<'h> Cutter<'h> {
    fn cut(&mut self, node: &Node) -> PatternNode {
        let range = node.range();
        if let Some(hole) = self.holes.iter().find(|hole| self.place(hole) == range) {
            return PatternNode::MetaVar { meta_var: hole.stands_for.clone() };
        }
        if node.is_leaf() {
            let text = node.text().into_owned();
            return PatternNode::Terminal {
                text,
                is_named: node.is_named(),
                kind_id: node.kind_id(),
            };
        }
        let is_compared =
            tokens::are_in(node) && self.holes.iter().any(|it| within(&self.place(it), &range));
        let children = if is_compared { self.cut_tokens(node) } else { self.cut_children(node) };
        PatternNode::Internal { kind_id: node.kind_id(), children }
    }

    fn place(&self, hole: &Hole) -> Range<usize> {
        hole.bytes.start + self.shift..hole.bytes.end + self.shift
    }

    /// Brackets with any number of tokens between them, which are compared on their own.
    fn cut_tokens(&mut self, node: &Node) -> Vec<PatternNode> {
        let inside: Vec<Node> = node.children().collect();
        let [open, .., close] = inside.as_slice() else { return Vec::new() };
        let (open, close) = (self.cut(open), self.cut(close));
        let hole_at = |range: &Range<usize>| {
            let hole = self.holes.iter().find(|hole| self.place(hole) == *range);
            hole.map(|hole| hole.stands_for.clone())
        };
        let tokens = Tokens::of(&inside[1..inside.len() - 1], &hole_at);
        let meta_var = MetaVariable::MultiCapture(tokens::name(self.tokens.len()));
        self.tokens.push(tokens);
        vec![open, PatternNode::MetaVar { meta_var }, close]
    }

    /// The children of a node, with a variable for what stands in a hole among them.
    fn cut_children(&mut self, node: &Node) -> Vec<PatternNode> {
        let children: Vec<Node> = node.children().filter(|child| !child.is_missing()).collect();
        let ranges: Vec<Range<usize>> = children.iter().map(Node::range).collect();
        let own: Vec<&Hole> =
            self.holes.iter().filter(|it| self.is_among(it, node, &ranges)).collect();
        let mut next = own.iter().peekable();
        let mut parts = Vec::new();
        for (child, range) in children.iter().zip(&ranges) {
            while let Some(hole) = next.next_if(|it| self.place(it).start <= range.start) {
                parts.extend(variable(node, hole));
            }
            if !own.iter().any(|hole| holds(&self.place(hole), range)) {
                parts.push(self.cut(child));
            }
        }
        parts.extend(next.flat_map(|hole| variable(node, hole)));
        parts
    }

    /// Whether the filling of a loose hole is some of the children of a node, or nothing between them.
    fn is_among(&self, hole: &Hole, node: &Node, children: &[Range<usize>]) -> bool {
        let (place, outer) = (self.place(hole), node.range());
        let is_apart = |child: &Range<usize>| {
            child.end <= place.start
                || child.start >= place.end
                || holds(&place, child) && *child != place
        };
        if !hole.is_loose || !within(&place, &outer) || !children.iter().all(is_apart) {
            return false;
        }
        // What a grammar hides, like the inside of a text, is no place for anything but itself.
        let before = children.iter().map(|it| it.end).filter(|end| *end <= place.start).max();
        let after = children.iter().map(|it| it.start).find(|start| *start >= place.end);
        let around =
            [before.unwrap_or(outer.start)..place.start, place.end..after.unwrap_or(outer.end)];
        let text = node.text();
        around.iter().all(|it| text[it.start - outer.start..it.end - outer.start].trim().is_empty())
    }
}

fn within(inner: &Range<usize>, outer: &Range<usize>) -> bool {
    outer.start < inner.start && inner.end < outer.end
}

fn holds(outer: &Range<usize>, inner: &Range<usize>) -> bool {
    outer.start <= inner.start && inner.end <= outer.end
}

/// The variable of a loose hole, with the comma that was left out beside it.
fn variable(node: &Node, hole: &Hole) -> Vec<PatternNode> {
    let meta_var = match &hole.stands_for {
        MetaVariable::Capture(name, _) => MetaVariable::MultiCapture(name.clone()),
        MetaVariable::Dropped(_) => MetaVariable::Multiple,
        many => many.clone(),
    };
    let kind_id = node.lang().mark(",");
    let comma = || PatternNode::Terminal { text: ",".to_owned(), is_named: false, kind_id };
    let variable = PatternNode::MetaVar { meta_var };
    match hole.comma {
        Comma::None => vec![variable],
        Comma::Before => vec![comma(), variable],
        Comma::After => vec![variable, comma()],
    }
}

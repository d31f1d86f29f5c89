//! A syntax tree laid out flat: what patterns and chunks are found in, whoever read the text.
//!
//! In: a tree of tree-sitter's, or node after node from a reader of our own. Out: nodes of twenty
//! bytes, the children of each side by side, under the kinds and fields of the language's grammar.
//! Lines are not kept: [`Lines`](crate::Lines) has them for any byte.

mod growing;

use std::ops::Range;

use tree_sitter::{Language as Grammar, Tree, TreeCursor};

use crate::pattern::ERROR;
pub use growing::Growing;

/// A stretch of text and what the grammar calls it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Node {
    start: u32,
    end: u32,
    /// Where its children are.
    first: u32,
    count: u32,
    kind: u16,
    /// The field of its parent it stands in, above the bits for what it is.
    field_and_traits: u16,
}

const NAMED: u16 = 1;
const MISSING: u16 = 2;
const EXTRA: u16 = 4;
const TRAITS: u32 = 3;

impl Node {
    /// A node without children.
    pub fn leaf(kind: u16, bytes: Range<usize>, is_named: bool) -> Node {
        Node {
            start: bytes.start as u32,
            end: bytes.end as u32,
            first: 0,
            count: 0,
            kind,
            field_and_traits: u16::from(is_named),
        }
    }

    /// The same node as one that may stand anywhere: a comment.
    pub fn extra(mut self) -> Node {
        self.field_and_traits |= EXTRA;
        self
    }

    fn under(cursor: &TreeCursor) -> Node {
        let node = cursor.node();
        let field = cursor.field_id().map_or(0, u16::from);
        let mut laid = Node::leaf(node.kind_id(), node.byte_range(), node.is_named());
        laid.field_and_traits |= if node.is_missing() { MISSING } else { 0 };
        laid.field_and_traits |= if node.is_extra() { EXTRA } else { 0 };
        laid.set_field(field);
        laid
    }

    /// Its kind, a symbol id of the grammar.
    pub fn kind(&self) -> u16 {
        self.kind
    }

    /// The field of its parent it stands in; 0 for none.
    pub fn field(&self) -> u16 {
        self.field_and_traits >> TRAITS
    }

    fn set_field(&mut self, field: u16) {
        self.field_and_traits |= field << TRAITS;
    }

    /// Whether it has a name in the grammar, and is not just a word or a mark.
    pub fn is_named(&self) -> bool {
        self.field_and_traits & NAMED != 0
    }

    /// Whether the grammar had to make it up.
    pub fn is_missing(&self) -> bool {
        self.field_and_traits & MISSING != 0
    }

    /// Whether the grammar could not read it.
    pub fn is_error(&self) -> bool {
        self.kind == ERROR
    }

    fn is_extra(&self) -> bool {
        self.field_and_traits & EXTRA != 0
    }

    /// The byte it starts at.
    pub fn start_byte(&self) -> usize {
        self.start as usize
    }

    /// The byte after its last.
    pub fn end_byte(&self) -> usize {
        self.end as usize
    }

    /// The bytes it takes up.
    pub fn byte_range(&self) -> Range<usize> {
        self.start_byte()..self.end_byte()
    }

    fn children(&self) -> Range<usize> {
        self.first as usize..(self.first + self.count) as usize
    }
}

/// A whole tree.
#[derive(Debug, PartialEq, Eq)]
pub struct Syntax {
    grammar: Grammar,
    /// Children stand before their parents, the root is last.
    nodes: Vec<Node>,
}

impl Syntax {
    /// Lays out a tree of tree-sitter's.
    pub fn of(tree: &Tree) -> Syntax {
        let mut growing = Growing::default();
        let mut cursor = tree.walk();
        let mut open = Vec::new();
        loop {
            let node = Node::under(&cursor);
            if cursor.goto_first_child() {
                open.push((node, growing.mark()));
                continue;
            }
            growing.push(node);
            while !cursor.goto_next_sibling() {
                let Some((node, mark)) = open.pop() else {
                    return growing.finish(tree.language().clone());
                };
                growing.close_as(mark, node);
                cursor.goto_parent();
            }
        }
    }

    /// The node that holds all others.
    pub fn root(&self) -> &Node {
        self.nodes.last().expect("a tree is made with its root")
    }

    /// What is directly inside a node.
    pub fn children(&self, node: &Node) -> &[Node] {
        &self.nodes[node.children()]
    }

    /// The first of a node's children in a field, if the grammar has such a field.
    pub fn child(&self, node: &Node, field: &str) -> Option<&Node> {
        let field = self.grammar.field_id_for_name(field)?.get();
        self.children(node).iter().find(|child| child.field() == field)
    }

    /// What the grammar calls a node.
    pub fn kind_of(&self, node: &Node) -> &str {
        self.grammar.node_kind_for_id(node.kind()).unwrap_or_default()
    }

    /// What a node is directly inside of, found from the root down.
    pub fn parent(&self, node: &Node) -> Option<&Node> {
        let from_base = std::ptr::from_ref(node).addr() - self.nodes.as_ptr().addr();
        let place = from_base / size_of::<Node>();
        let mut parent = self.root();
        while !parent.children().contains(&place) {
            // Whatever is inside a node stands between its elder sibling's children and its own.
            let children = self.children(parent);
            let next = children.partition_point(|child| child.children().end <= place);
            parent = children.get(next)?;
        }
        Some(parent)
    }
}

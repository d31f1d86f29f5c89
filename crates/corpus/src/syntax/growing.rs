//! A tree while it is read, from the leaves up.
//!
//! Nodes come in the order of the text. What is read and has no parent yet is pending; to make a
//! parent of the last of them puts these in place, side by side. A left operand needs no look ahead:
//! it is pending when its operator comes. Comments may come anywhere and belong to the smallest node
//! that has something else on both sides of them, as in tree-sitter.

use std::ops::Range;

use tree_sitter::Language as Grammar;

use super::{Node, Syntax};

/// See [`Growing::rename`].
type Renamed<'a> = &'a dyn Fn(u16, u16) -> Option<(u16, bool)>;

/// A tree while it grows: what is read and has no parent yet, and the nodes that are in place.
#[derive(Default)]
pub struct Growing {
    pending: Vec<Node>,
    placed: Vec<Node>,
}

impl Growing {
    /// Nothing yet, with room for some nodes.
    pub fn with_room(nodes: usize) -> Growing {
        Growing { placed: Vec::with_capacity(nodes), ..Growing::default() }
    }

    /// Where the next node goes: what is read from here on can be wrapped into one.
    pub fn mark(&self) -> usize {
        self.pending.len()
    }

    /// Adds a node.
    pub fn push(&mut self, node: Node) {
        self.pending.push(node);
    }

    /// Says in which field of its parent the node at a mark will stand.
    pub fn set_field(&mut self, mark: usize, field: u16) {
        self.pending[mark].set_field(field);
    }

    /// Makes one node of all since `mark`. Comments at the end stay outside.
    pub fn close(&mut self, mark: usize, kind: u16, is_named: bool) {
        let last = self.pending[mark..].iter().rposition(|node| !node.is_extra());
        let end = last.map_or(mark, |last| mark + last + 1);
        self.wrap(mark, end, self.over(mark, end, kind, is_named));
    }

    /// The same with the comments at the end.
    pub fn close_all(&mut self, mark: usize, kind: u16, is_named: bool) {
        let end = self.mark();
        self.wrap(mark, end, self.over(mark, end, kind, is_named));
    }

    /// A node that reaches from one mark to another.
    fn over(&self, mark: usize, end: usize, kind: u16, is_named: bool) -> Node {
        let (first, last) = (self.pending[mark], self.pending[end - 1]);
        Node::leaf(kind, first.start_byte()..last.end_byte(), is_named)
    }

    /// Makes all since `mark`, which may be nothing, the children of a node.
    pub fn close_as(&mut self, mark: usize, node: Node) {
        self.wrap(mark, self.mark(), node);
    }

    /// Puts what is pending between two marks in place, as the children of `node`.
    fn wrap(&mut self, mark: usize, end: usize, mut node: Node) {
        (node.first, node.count) = (self.placed.len() as u32, (end - mark) as u32);
        let mut after = 0;
        for mut child in self.pending.drain(mark..end) {
            // Keeps children in the order of where their own are, which `parent` searches by.
            child.first = if child.count == 0 { after } else { child.first };
            after = child.first + child.count;
            self.placed.push(child);
        }
        self.pending.insert(mark, node);
    }

    /// Gives the node at a mark another kind, and the named ones in it, as `renamed` says: from the
    /// kind of a node and of what it is in, the new kind, and whether to go on inside. `None`
    /// anywhere gives up.
    pub fn rename(&mut self, mark: usize, renamed: Renamed) -> Option<()> {
        let Node { kind: outer, .. } = self.pending[mark];
        let (kind, goes_on) = renamed(outer, 0)?;
        self.pending[mark].kind = kind;
        let children = self.pending[mark].children();
        if goes_on { self.rename_placed(children, outer, renamed) } else { Some(()) }
    }

    fn rename_placed(&mut self, places: Range<usize>, outer: u16, renamed: Renamed) -> Option<()> {
        for place in places {
            let node = self.placed[place];
            if !node.is_named() || node.is_extra() {
                continue;
            }
            let (kind, goes_on) = renamed(node.kind, outer)?;
            self.placed[place].kind = kind;
            if goes_on {
                self.rename_placed(node.children(), node.kind, renamed)?;
            }
        }
        Some(())
    }

    /// Puts the only child of the node at a mark in its place.
    pub fn unwrap_single(&mut self, mark: usize) -> Option<()> {
        let children = self.pending[mark].children();
        if children.len() != 1 || children.end != self.placed.len() {
            return None;
        }
        self.pending[mark] = self.placed.pop()?;
        Some(())
    }

    /// The node that stands at a mark.
    pub fn at(&self, mark: usize) -> &Node {
        &self.pending[mark]
    }

    /// Where the first node starts.
    pub fn start(&self) -> Option<usize> {
        self.pending.first().map(Node::start_byte)
    }

    /// Where the last node ends.
    pub fn end(&self) -> usize {
        self.pending.last().map_or(0, Node::end_byte)
    }

    /// Whether the last node, but for comments, is of a kind.
    pub fn ends_with(&self, kind: u16) -> bool {
        self.pending.iter().rfind(|node| !node.is_extra()).is_some_and(|last| last.kind == kind)
    }

    /// The first node after a mark that is no comment.
    pub fn first_after(&self, mark: usize) -> Option<usize> {
        let nodes = self.pending[mark + 1..].iter();
        nodes.into_iter().position(|node| !node.is_extra()).map(|place| mark + 1 + place)
    }

    /// The kinds of what is pending since a mark and has a name, but for comments.
    pub fn named_since(&self, mark: usize) -> impl Iterator<Item = u16> {
        let named = self.pending[mark..].iter().filter(|node| node.is_named() && !node.is_extra());
        named.map(Node::kind)
    }

    /// How much there is, to come back to.
    pub fn size(&self) -> (usize, usize) {
        (self.pending.len(), self.placed.len())
    }

    /// Forgets what was read since `size`. Nothing older may have been closed into it.
    pub fn cut(&mut self, size: (usize, usize)) {
        self.pending.truncate(size.0);
        self.placed.truncate(size.1);
    }

    /// The tree, once a single node is left.
    pub fn finish(mut self, grammar: Grammar) -> Syntax {
        self.placed.append(&mut self.pending);
        Syntax { grammar, nodes: self.placed }
    }
}

//! What is assigned to: names, attributes, indexes, and lists of these.
//!
//! On a line by itself a target is read as an expression, and made one when `=` comes.

use super::{Done, Kind, Reader};

impl Reader<'_> {
    /// A star before a name. Before more than that it is something else to the grammar.
    pub fn starred(&mut self) -> Done {
        let mark = self.mark();
        self.stars += 1;
        self.bump()?;
        self.expect(Kind::Identifier)?;
        self.close(mark, Kind::ListSplat)
    }

    /// Whether nothing but a name stands after the star at a mark.
    pub fn is_starred_name(&self, mark: usize) -> bool {
        let written = &self.text[self.growing.at(mark).byte_range()];
        written[1..].iter().all(|byte| byte.is_ascii_alphanumeric() || *byte == b'_')
    }

    /// Makes the expression at a mark what is assigned to: only names, attributes, indexes, and
    /// lists of these.
    pub fn make_pattern(&mut self, mark: usize) -> Done {
        let ids = self.ids;
        self.growing.rename(mark, &|kind, outer| {
            let is = |one: Kind| ids.of(one) == kind;
            // Before more than a name a star is something else to the grammar.
            if outer == ids.of(Kind::ListSplat) {
                is(Kind::Identifier).then_some((kind, false))
            } else if is(Kind::Identifier) || is(Kind::Attribute) || is(Kind::Subscript) {
                Some((kind, false))
            } else if is(Kind::Tuple) || is(Kind::ParenthesizedExpression) {
                Some((ids.of(Kind::TuplePattern), true))
            } else if is(Kind::ExpressionList) {
                Some((ids.of(Kind::PatternList), true))
            } else if is(Kind::List) {
                Some((ids.of(Kind::ListPattern), true))
            } else if is(Kind::ListSplat) {
                Some((ids.of(Kind::ListSplatPattern), true))
            } else {
                None
            }
        })
    }

    /// Whether all since a mark looks like something that is assigned to.
    pub fn could_be_names(&self, mark: usize) -> bool {
        use Kind::{
            Attribute, Identifier, List, ListSplat, ParenthesizedExpression, Subscript, Tuple,
        };
        let names =
            [Attribute, Identifier, List, ListSplat, ParenthesizedExpression, Subscript, Tuple];
        self.growing
            .named_since(mark)
            .all(|found| names.iter().any(|&kind| self.ids.of(kind) == found))
    }

    /// What a loop assigns to.
    pub fn targets(&mut self) -> Done {
        let mark = self.mark();
        self.target()?;
        if self.token != Kind::Comma {
            return Some(());
        }
        while self.accept(Kind::Comma)? && self.token != Kind::In {
            self.target()?;
        }
        self.close(mark, Kind::PatternList)
    }

    fn target(&mut self) -> Done {
        let mark = self.mark();
        if self.token == Kind::Star {
            self.starred()?
        } else {
            self.primary()?
        }
        self.make_pattern(mark)
    }
}

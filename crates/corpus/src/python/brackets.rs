//! What stands in brackets: arguments, indexes, tuples, lists, sets, dictionaries, comprehensions.

use super::{Done, Field, Kind, Reader};

impl Reader<'_> {
    /// A call of what was read at a mark.
    pub fn call(&mut self, mark: usize) -> Done {
        self.field(mark, Field::Function);
        self.fielded(Field::Arguments, Self::arguments)?;
        self.close(mark, Kind::Call)
    }

    /// The arguments of a call or the bases of a class; a comprehension may be all of them.
    pub fn arguments(&mut self) -> Done {
        let mark = self.mark();
        self.bump()?;
        let first = self.mark();
        while self.token != Kind::RightParen {
            let argument = self.mark();
            self.argument()?;
            if argument == first && self.begins_clause() {
                return self.comprehension(mark, Kind::RightParen, Kind::GeneratorExpression);
            }
            if !self.accept(Kind::Comma)? {
                break;
            }
        }
        self.expect(Kind::RightParen)?;
        self.close(mark, Kind::ArgumentList)
    }

    fn argument(&mut self) -> Done {
        let mark = self.mark();
        match self.token {
            Kind::Star => return self.splat(Kind::ListSplat),
            Kind::StarStar => return self.splat(Kind::DictionarySplat),
            _ => self.expression()?,
        }
        if self.token != Kind::Equal {
            return Some(());
        }
        if !self.is_at(mark, Kind::Identifier) {
            return None;
        }
        self.field(mark, Field::Name);
        self.bump()?;
        self.fielded(Field::Value, Self::expression)?;
        self.close(mark, Kind::KeywordArgument)
    }

    /// One star or two before an expression.
    fn splat(&mut self, kind: Kind) -> Done {
        let mark = self.mark();
        self.stars += usize::from(kind == Kind::ListSplat);
        self.bump()?;
        let inner = self.mark();
        self.expression()?;
        if self.is_ambiguous && kind == Kind::ListSplat && !self.is_at(inner, Kind::Identifier) {
            return None;
        }
        self.close(mark, kind)
    }

    /// An index into what was read at a mark.
    pub fn subscript(&mut self, mark: usize) -> Done {
        self.field(mark, Field::Value);
        self.bump()?;
        loop {
            self.fielded(Field::Subscript, Self::index)?;
            if !self.accept(Kind::Comma)? || self.token == Kind::RightBracket {
                break;
            }
        }
        self.expect(Kind::RightBracket)?;
        self.close(mark, Kind::Subscript)
    }

    fn index(&mut self) -> Done {
        let mark = self.mark();
        match self.token {
            Kind::Colon => {}
            Kind::Star => return self.starred(),
            _ => self.expression()?,
        }
        if self.token != Kind::Colon {
            return Some(());
        }
        for _ in 0..2 {
            if self.accept(Kind::Colon)? && self.token.begins_expression() {
                self.expression()?;
            }
        }
        self.close(mark, Kind::Slice)
    }

    /// A tuple, a comprehension, or an expression in parentheses.
    pub fn parentheses(&mut self) -> Done {
        let mark = self.mark();
        self.bump()?;
        if self.token == Kind::RightParen {
            self.bump()?;
            return self.close(mark, Kind::Tuple);
        }
        let is_splat = self.token == Kind::Star;
        self.element()?;
        if self.begins_clause() {
            return self.comprehension(mark, Kind::RightParen, Kind::GeneratorExpression);
        }
        if self.token == Kind::RightParen {
            if is_splat {
                return None;
            }
            self.bump()?;
            return self.close(mark, Kind::ParenthesizedExpression);
        }
        self.elements(mark, Kind::RightParen, Kind::Tuple)
    }

    /// A list, or a comprehension that makes one.
    pub fn list(&mut self) -> Done {
        let mark = self.mark();
        self.bump()?;
        if self.token == Kind::RightBracket {
            self.bump()?;
            return self.close(mark, Kind::List);
        }
        self.element()?;
        if self.begins_clause() {
            return self.comprehension(mark, Kind::RightBracket, Kind::ListComprehension);
        }
        self.elements(mark, Kind::RightBracket, Kind::List)
    }

    /// A set or a dictionary, or a comprehension that makes one.
    pub fn braces(&mut self) -> Done {
        let mark = self.mark();
        self.bump()?;
        if matches!(self.token, Kind::RightBrace | Kind::StarStar) {
            return self.pairs(mark);
        }
        let first = self.mark();
        self.element()?;
        if self.token == Kind::Colon {
            let no_keys = [Kind::ListSplat, Kind::Yield];
            if no_keys.iter().any(|&kind| self.is_at(first, kind)) {
                return None;
            }
            self.pair_from(first)?;
            if self.begins_clause() {
                return self.comprehension(mark, Kind::RightBrace, Kind::DictionaryComprehension);
            }
            if self.accept(Kind::Comma)? {
                return self.pairs(mark);
            }
            self.expect(Kind::RightBrace)?;
            return self.close(mark, Kind::Dictionary);
        }
        if self.begins_clause() {
            return self.comprehension(mark, Kind::RightBrace, Kind::SetComprehension);
        }
        self.elements(mark, Kind::RightBrace, Kind::Set)
    }

    /// The rest of a dictionary.
    fn pairs(&mut self, mark: usize) -> Done {
        while self.token != Kind::RightBrace {
            let pair = self.mark();
            if self.token == Kind::StarStar {
                self.splat(Kind::DictionarySplat)?;
            } else {
                self.expression()?;
                self.pair_from(pair)?;
            }
            if !self.accept(Kind::Comma)? {
                break;
            }
        }
        self.expect(Kind::RightBrace)?;
        self.close(mark, Kind::Dictionary)
    }

    /// A key with the value that follows.
    fn pair_from(&mut self, mark: usize) -> Done {
        self.field(mark, Field::Key);
        self.expect(Kind::Colon)?;
        self.fielded(Field::Value, Self::expression)?;
        self.close(mark, Kind::Pair)
    }

    /// The rest of what holds elements, after its first.
    fn elements(&mut self, mark: usize, closing: Kind, kind: Kind) -> Done {
        let first = self.growing.first_after(mark)?;
        // Alone, the grammar reads `*a.b` as an attribute of `*a`.
        if self.token != Kind::Comma
            && self.is_at(first, Kind::ListSplat)
            && !self.is_starred_name(first)
        {
            return None;
        }
        while self.accept(Kind::Comma)? && self.token != closing {
            self.element()?;
        }
        self.expect(closing)?;
        self.close(mark, kind)
    }

    fn element(&mut self) -> Done {
        match self.token {
            Kind::Star => self.splat(Kind::ListSplat),
            Kind::YieldWord => self.yield_expression(),
            _ => self.expression(),
        }
    }

    fn begins_clause(&self) -> bool {
        matches!(self.token, Kind::For | Kind::Async)
    }

    /// The clauses of a comprehension whose bracket is at a mark, and the body after it.
    fn comprehension(&mut self, mark: usize, closing: Kind, kind: Kind) -> Done {
        let body = self.growing.first_after(mark)?;
        let splat = [Kind::ListSplat, Kind::Yield, Kind::KeywordArgument, Kind::DictionarySplat];
        if splat.iter().any(|&kind| self.is_at(body, kind)) {
            return None;
        }
        self.field(body, Field::Body);
        loop {
            match self.token {
                Kind::For | Kind::Async => self.for_in_clause()?,
                Kind::If => self.if_clause()?,
                _ => break,
            }
        }
        self.expect(closing)?;
        self.close(mark, kind)
    }

    fn for_in_clause(&mut self) -> Done {
        let mark = self.mark();
        self.accept(Kind::Async)?;
        self.expect(Kind::For)?;
        self.fielded(Field::Left, Self::targets)?;
        self.expect(Kind::In)?;
        self.fielded(Field::Right, Self::unconditional)?;
        self.close(mark, Kind::ForInClause)
    }

    pub fn if_clause(&mut self) -> Done {
        let mark = self.mark();
        self.bump()?;
        self.unconditional()?;
        self.close(mark, Kind::IfClause)
    }
}

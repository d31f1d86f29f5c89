//! Statements that fit on a line: assignments, imports, `return` and its like.

use super::{Done, Field, Kind, Reader};

impl Reader<'_> {
    /// One line of statements, or a statement with a block.
    pub fn statement(&mut self) -> Done {
        if self.compound_statement()? || self.match_statement()? {
            return Some(());
        }
        self.simple_statements()?;
        self.next_line()
    }

    /// Statements up to the end of the line, with semicolons between them.
    pub fn simple_statements(&mut self) -> Done {
        loop {
            self.simple_statement()?;
            if !self.accept(Kind::Semicolon)? || self.token == Kind::Newline {
                break;
            }
        }
        (self.token == Kind::Newline).then_some(())
    }

    fn simple_statement(&mut self) -> Done {
        let mark = self.mark();
        self.is_ambiguous = matches!(self.word(), b"match" | b"type" | b"print" | b"exec");
        match self.token {
            Kind::Import => self.import_statement(),
            Kind::From => self.import_from_statement(),
            Kind::Return => self.keyword_statement(Kind::ReturnStatement),
            Kind::Raise => self.raise_statement(),
            Kind::Del => {
                self.bump()?;
                self.expressions()?;
                self.close(mark, Kind::DeleteStatement)
            }
            Kind::Assert => self.assert_statement(),
            Kind::Pass => self.word_statement(Kind::PassStatement),
            Kind::Break => self.word_statement(Kind::BreakStatement),
            Kind::Continue => self.word_statement(Kind::ContinueStatement),
            Kind::Global => self.names_statement(Kind::GlobalStatement),
            Kind::Nonlocal => self.names_statement(Kind::NonlocalStatement),
            Kind::Identifier if self.begins_type_alias()? => self.type_alias_statement(),
            _ => self.expression_statement(),
        }
    }

    fn word_statement(&mut self, kind: Kind) -> Done {
        let mark = self.mark();
        self.bump()?;
        self.close(mark, kind)
    }

    /// A keyword and perhaps expressions.
    fn keyword_statement(&mut self, kind: Kind) -> Done {
        let mark = self.mark();
        self.bump()?;
        if self.token.begins_expression() {
            self.expressions()?;
        }
        self.close(mark, kind)
    }

    fn raise_statement(&mut self) -> Done {
        let mark = self.mark();
        self.bump()?;
        if self.token.begins_expression() {
            self.expressions()?;
        }
        if self.accept(Kind::From)? {
            self.fielded(Field::Cause, Self::expression)?;
        }
        self.close(mark, Kind::RaiseStatement)
    }

    fn assert_statement(&mut self) -> Done {
        let mark = self.mark();
        self.bump()?;
        self.expression()?;
        while self.accept(Kind::Comma)? {
            self.expression()?;
        }
        self.close(mark, Kind::AssertStatement)
    }

    fn names_statement(&mut self, kind: Kind) -> Done {
        let mark = self.mark();
        self.bump()?;
        self.expect(Kind::Identifier)?;
        while self.accept(Kind::Comma)? {
            self.expect(Kind::Identifier)?;
        }
        self.close(mark, kind)
    }

    fn import_statement(&mut self) -> Done {
        let mark = self.mark();
        self.bump()?;
        self.imported_names()?;
        self.close(mark, Kind::ImportStatement)
    }

    fn import_from_statement(&mut self) -> Done {
        let mark = self.mark();
        self.bump()?;
        if self.word() == b"__future__" {
            self.token = Kind::Future;
            self.bump()?;
            self.expect(Kind::Import)?;
            self.listed_names()?;
            return self.close(mark, Kind::FutureImportStatement);
        }
        self.fielded(Field::ModuleName, Self::imported_module)?;
        self.expect(Kind::Import)?;
        if self.token == Kind::Star {
            self.word_statement(Kind::WildcardImport)?;
        } else {
            self.listed_names()?;
        }
        self.close(mark, Kind::ImportFromStatement)
    }

    /// A module by its name, or by where it is from here.
    fn imported_module(&mut self) -> Done {
        let mark = self.mark();
        while matches!(self.token, Kind::Dot | Kind::Ellipsis) {
            // Three dots are three.
            let dots = self.start..self.end;
            self.end = dots.end;
            dots.for_each(|at| self.push(Kind::Dot, at, at + 1));
            self.advance()?;
        }
        if self.mark() == mark {
            return self.dotted_name();
        }
        self.close(mark, Kind::ImportPrefix)?;
        if self.token == Kind::Identifier {
            self.dotted_name()?;
        }
        self.close(mark, Kind::RelativeImport)
    }

    /// Names to import, perhaps in parentheses.
    fn listed_names(&mut self) -> Done {
        if !self.accept(Kind::LeftParen)? {
            return self.imported_names();
        }
        self.imported_names()?;
        self.expect(Kind::RightParen)
    }

    fn imported_names(&mut self) -> Done {
        loop {
            let mark = self.mark();
            self.dotted_name()?;
            if self.token == Kind::As {
                self.field(mark, Field::Name);
                self.bump()?;
                self.fielded(Field::Alias, |reader| reader.expect(Kind::Identifier))?;
                self.close(mark, Kind::AliasedImport)?;
            }
            self.field(mark, Field::Name);
            if !self.accept(Kind::Comma)? || self.token != Kind::Identifier {
                return Some(());
            }
        }
    }

    pub fn dotted_name(&mut self) -> Done {
        let mark = self.mark();
        self.expect(Kind::Identifier)?;
        while self.accept(Kind::Dot)? {
            self.expect(Kind::Identifier)?;
        }
        self.close(mark, Kind::DottedName)
    }

    /// Whether the statement that begins with a name is `type A = …`. Gives up where the name is one
    /// that may mean something else here: `match a:`, `print >>a`.
    fn begins_type_alias(&self) -> Option<bool> {
        if !self.is_ambiguous {
            return Some(false);
        }
        let word = self.word();
        let after = self.text[self.end..].trim_ascii_start();
        let next = after.first().copied().unwrap_or(b'\n');
        match word {
            b"print" => (!after.starts_with(b">>")).then_some(false),
            b"type" if next.is_ascii_alphabetic() || next == b'_' => {
                let end =
                    after.iter().position(|byte| !byte.is_ascii_alphanumeric() && *byte != b'_');
                Some(Kind::of_word(&after[..end.unwrap_or(after.len())]).is_none())
            }
            _ => Some(false),
        }
    }

    /// Whether what follows shows that the word at hand is a name.
    pub fn is_plainly_a_name(&self) -> bool {
        let after = self.text[self.end..].trim_ascii_start();
        after.first().is_some_and(|byte| b".,:=".contains(byte))
    }

    fn type_alias_statement(&mut self) -> Done {
        let mark = self.mark();
        self.token = Kind::TypeWord;
        self.bump()?;
        self.fielded(Field::Left, Self::type_annotation)?;
        self.expect(Kind::Equal)?;
        self.fielded(Field::Right, Self::type_annotation)?;
        self.close(mark, Kind::TypeAliasStatement)
    }

    fn expression_statement(&mut self) -> Done {
        let mark = self.mark();
        if self.token == Kind::YieldWord {
            self.yield_expression()?;
        } else {
            let may_be_keyword = self.is_ambiguous && !self.is_plainly_a_name();
            let is_list = self.line_of_expressions()?;
            let is_assigned = self.assignment(mark, is_list)?;
            // `type(a).b = c` is a type to the grammar, even if a line ends in it.
            if may_be_keyword && (is_assigned || self.may_continue_on_next_line()) {
                return None;
            }
        }
        self.close(mark, Kind::ExpressionStatement)
    }

    /// Goes on with what is read since a mark, if something is assigned to it. Says if so.
    fn assignment(&mut self, mark: usize, is_list: bool) -> Option<bool> {
        let is_plain = matches!(self.token, Kind::Equal | Kind::Colon);
        if !is_plain && !self.token.augments() {
            return Some(false);
        }
        self.make_left_side(mark, is_list)?;
        if self.token == Kind::Colon {
            self.bump()?;
            self.fielded(Field::Type, Self::type_annotation)?;
            if self.token != Kind::Equal {
                self.close(mark, Kind::Assignment)?;
                return Some(true);
            }
        }
        let operator = self.mark();
        self.bump()?;
        if !is_plain {
            self.field(operator, Field::Operator);
        }
        self.fielded(Field::Right, |reader| reader.nest(|reader| reader.right_side()))?;
        self.close(mark, if is_plain { Kind::Assignment } else { Kind::AugmentedAssignment })?;
        Some(true)
    }

    fn make_left_side(&mut self, mark: usize, is_list: bool) -> Done {
        if is_list {
            self.close(mark, Kind::ExpressionList)?;
        }
        self.make_pattern(mark)?;
        self.field(mark, Field::Left);
        Some(())
    }

    /// What is assigned, which may be an assignment.
    fn right_side(&mut self) -> Done {
        let mark = self.mark();
        if self.token == Kind::YieldWord {
            return self.yield_expression();
        }
        let stars = self.stars;
        let is_list = self.line_of_expressions()?;
        if self.assignment(mark, is_list)? || !is_list {
            return Some(());
        }
        // With stars in it the grammar may take a list of values for one of names.
        if self.stars > stars && self.could_be_names(mark) {
            return None;
        }
        self.close(mark, Kind::ExpressionList)
    }

    /// Expressions that may be assigned to. Of a list the grammar may look for the rest on the next
    /// line: after a comma, or where a bracket or a string begins there.
    fn line_of_expressions(&mut self) -> Option<bool> {
        let is_list = self.expressions_in_place()?;
        let ends = matches!(self.token, Kind::Newline | Kind::Semicolon);
        let goes_on =
            || self.growing.ends_with(self.ids.of(Kind::Comma)) || self.may_continue_on_next_line();
        (!(ends && is_list && goes_on())).then_some(is_list)
    }
}

impl Kind {
    /// Whether it assigns the result of an operation.
    fn augments(self) -> bool {
        let from = Kind::PlusEqual as u8;
        (from..=Kind::PipeEqual as u8).contains(&(self as u8))
    }
}

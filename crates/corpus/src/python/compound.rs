//! Statements with blocks.

use super::{Done, Field, Kind, Reader};

impl Reader<'_> {
    /// A statement with a block, if one begins here. Says if so.
    pub fn compound_statement(&mut self) -> Option<bool> {
        let mark = self.mark();
        match self.token {
            Kind::If => self.if_statement()?,
            Kind::While => self.while_statement()?,
            Kind::Try => self.try_statement()?,
            Kind::For => self.for_statement(mark)?,
            Kind::With => self.with_statement(mark)?,
            Kind::Def => self.function_definition(mark)?,
            Kind::Class => self.class_definition()?,
            Kind::At => self.decorated_definition()?,
            Kind::Async => {
                self.bump()?;
                match self.token {
                    Kind::For => self.for_statement(mark)?,
                    Kind::With => self.with_statement(mark)?,
                    Kind::Def => self.function_definition(mark)?,
                    _ => return None,
                }
            }
            _ => return Some(false),
        }
        Some(true)
    }

    /// A colon, and a block of lines or what follows on the same line.
    pub fn suite(&mut self, field: Option<Field>) -> Done {
        self.expect(Kind::Colon)?;
        self.after_colon(field)
    }

    fn after_colon(&mut self, field: Option<Field>) -> Done {
        let mark = match self.token {
            Kind::Newline => self.block()?,
            _ => self.rest_of_line()?,
        };
        if let Some(field) = field {
            self.field(mark, field);
        }
        Some(())
    }

    fn block(&mut self) -> Option<usize> {
        self.indent()?;
        let mark = self.mark();
        self.nest(|reader| {
            while reader.token != Kind::Dedent {
                reader.statement()?;
            }
            Some(())
        })?;
        self.close_all(mark, Kind::Block);
        self.settle()?;
        Some(mark)
    }

    fn rest_of_line(&mut self) -> Option<usize> {
        let mark = self.mark();
        self.simple_statements()?;
        self.close_all(mark, Kind::Block);
        self.next_line()?;
        Some(mark)
    }

    fn condition(&mut self) -> Done {
        self.fielded(Field::Condition, Self::expression)
    }

    fn if_statement(&mut self) -> Done {
        let mark = self.mark();
        self.bump()?;
        self.condition()?;
        self.suite(Some(Field::Consequence))?;
        while self.token == Kind::Elif {
            let clause = self.mark();
            self.bump()?;
            self.condition()?;
            self.suite(Some(Field::Consequence))?;
            self.close(clause, Kind::ElifClause)?;
            self.field(clause, Field::Alternative);
        }
        self.alternative(Some(Field::Alternative))?;
        self.close(mark, Kind::IfStatement)
    }

    /// `else`, where it is there.
    fn alternative(&mut self, field: Option<Field>) -> Done {
        if self.token != Kind::Else {
            return Some(());
        }
        let clause = self.mark();
        self.bump()?;
        self.suite(Some(Field::Body))?;
        self.close(clause, Kind::ElseClause)?;
        if let Some(field) = field {
            self.field(clause, field);
        }
        Some(())
    }

    fn while_statement(&mut self) -> Done {
        let mark = self.mark();
        self.bump()?;
        self.condition()?;
        self.suite(Some(Field::Body))?;
        self.alternative(Some(Field::Alternative))?;
        self.close(mark, Kind::WhileStatement)
    }

    fn for_statement(&mut self, mark: usize) -> Done {
        self.bump()?;
        self.fielded(Field::Left, Self::targets)?;
        self.expect(Kind::In)?;
        self.fielded(Field::Right, Self::expressions)?;
        self.suite(Some(Field::Body))?;
        self.alternative(Some(Field::Alternative))?;
        self.close(mark, Kind::ForStatement)
    }

    fn try_statement(&mut self) -> Done {
        let mark = self.mark();
        self.bump()?;
        self.suite(Some(Field::Body))?;
        while self.token == Kind::Except {
            self.except_clause()?;
        }
        self.alternative(None)?;
        if self.token == Kind::Finally {
            let clause = self.mark();
            self.bump()?;
            self.suite(None)?;
            self.close(clause, Kind::FinallyClause)?;
        }
        self.close(mark, Kind::TryStatement)
    }

    fn except_clause(&mut self) -> Done {
        let mark = self.mark();
        self.bump()?;
        self.accept(Kind::Star)?;
        if self.token != Kind::Colon {
            loop {
                self.fielded(Field::Value, Self::expression_as)?;
                if !self.accept(Kind::Comma)? {
                    break;
                }
            }
        }
        self.suite(None)?;
        self.close(mark, Kind::ExceptClause)
    }

    /// An expression and perhaps the name its value goes by.
    fn expression_as(&mut self) -> Done {
        let mark = self.mark();
        self.expression()?;
        if self.token != Kind::As {
            return Some(());
        }
        // What follows `as` would be part of these.
        let loose = [Kind::ConditionalExpression, Kind::Lambda, Kind::NamedExpression];
        if loose.iter().any(|&kind| self.is_at(mark, kind)) {
            return None;
        }
        self.bump()?;
        let target = self.mark();
        self.primary()?;
        self.close(target, Kind::AsPatternTarget)?;
        self.field(target, Field::Alias);
        self.close(mark, Kind::AsPattern)
    }

    fn with_statement(&mut self, mark: usize) -> Done {
        self.bump()?;
        let (clause, stars) = (self.mark(), self.stars);
        let opens = self.token == Kind::LeftParen;
        if !opens || !self.attempt(Reader::with_items_in_parentheses) {
            self.with_items(Kind::Colon)?;
        }
        // With stars in it the grammar may take one for the other.
        if opens && self.stars > stars {
            return None;
        }
        self.close(clause, Kind::WithClause)?;
        self.suite(Some(Field::Body))?;
        self.close(mark, Kind::WithStatement)
    }

    fn with_items_in_parentheses(&mut self) -> Done {
        self.bump()?;
        // A single one in parentheses is an expression.
        self.with_items(Kind::RightParen)?.then_some(())?;
        self.expect(Kind::RightParen)?;
        (self.token == Kind::Colon).then_some(())
    }

    /// What is entered, one after the other. Says whether there are several.
    fn with_items(&mut self, end: Kind) -> Option<bool> {
        for count in 1.. {
            let item = self.mark();
            self.fielded(Field::Value, Self::expression_as)?;
            self.close(item, Kind::WithItem)?;
            if !self.accept(Kind::Comma)? || self.token == end {
                return Some(count > 1);
            }
        }
        None
    }

    fn function_definition(&mut self, mark: usize) -> Done {
        self.bump()?;
        self.name_and_type_parameters()?;
        self.fielded(Field::Parameters, Self::parameters)?;
        let is_typed = self.accept(Kind::Arrow)?;
        if is_typed {
            self.fielded(Field::ReturnType, Self::type_annotation)?;
        }
        self.expect(Kind::Colon)?;
        // A name on the same line may be a type to the grammar, which the one before is bound to.
        if is_typed && self.token == Kind::Identifier {
            return None;
        }
        self.after_colon(Some(Field::Body))?;
        self.close(mark, Kind::FunctionDefinition)
    }

    fn class_definition(&mut self) -> Done {
        let mark = self.mark();
        self.bump()?;
        self.name_and_type_parameters()?;
        if self.token == Kind::LeftParen {
            let bases = self.mark();
            self.arguments()?;
            if !self.is_at(bases, Kind::ArgumentList) {
                return None;
            }
            self.field(bases, Field::Superclasses);
        }
        self.suite(Some(Field::Body))?;
        self.close(mark, Kind::ClassDefinition)
    }

    fn name_and_type_parameters(&mut self) -> Done {
        self.fielded(Field::Name, |reader| reader.expect(Kind::Identifier))?;
        if self.token == Kind::LeftBracket {
            self.fielded(Field::TypeParameters, Self::type_parameters)?;
        }
        Some(())
    }

    fn decorated_definition(&mut self) -> Done {
        let mark = self.mark();
        while self.token == Kind::At {
            let decorator = self.mark();
            self.bump()?;
            self.expression()?;
            if self.token != Kind::Newline {
                return None;
            }
            self.close_all(decorator, Kind::Decorator);
            self.next_line_of_decorated()?;
        }
        let definition = self.mark();
        if !matches!(self.token, Kind::Def | Kind::Class | Kind::Async) {
            return None;
        }
        self.compound_statement()?;
        self.field(definition, Field::Definition);
        let is_definition = [Kind::FunctionDefinition, Kind::ClassDefinition];
        is_definition.iter().any(|&kind| self.is_at(definition, kind)).then_some(())?;
        self.close(mark, Kind::DecoratedDefinition)
    }
}

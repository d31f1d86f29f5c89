//! Expressions: operators by how tightly they bind, names, attributes, lambdas.

use super::{Done, Field, Kind, Reader};

/// How tightly operators bind, as the grammar has it: `&` less than `^`.
mod binding {
    pub const CONDITIONAL: u8 = 1;
    pub const OR: u8 = 2;
    pub const AND: u8 = 3;
    pub const NOT: u8 = 4;
    pub const COMPARE: u8 = 5;
    pub const PIPE: u8 = 6;
    pub const AMPERSAND: u8 = 7;
    pub const CARET: u8 = 8;
    pub const SHIFT: u8 = 9;
    pub const PLUS: u8 = 10;
    pub const TIMES: u8 = 11;
    pub const UNARY: u8 = 12;
    pub const POWER: u8 = 13;
}

impl Kind {
    /// How tightly an operator between two operands binds.
    fn binding(self) -> Option<u8> {
        Some(match self {
            Kind::Pipe => binding::PIPE,
            Kind::Ampersand => binding::AMPERSAND,
            Kind::Caret => binding::CARET,
            Kind::LessLess | Kind::GreaterGreater => binding::SHIFT,
            Kind::Plus | Kind::Minus => binding::PLUS,
            Kind::Star | Kind::At | Kind::Slash | Kind::Percent | Kind::SlashSlash => {
                binding::TIMES
            }
            Kind::StarStar => binding::POWER,
            _ => return None,
        })
    }

    fn compares(self) -> bool {
        use Kind::{EqualEqual, Greater, GreaterEqual, In, Is, Less, LessEqual, Not, NotEqual};
        matches!(
            self,
            Less | LessEqual | EqualEqual | NotEqual | GreaterEqual | Greater | In | Not | Is
        )
    }

    /// Whether an expression can begin with it.
    pub fn begins_expression(self) -> bool {
        use Kind::{
            AwaitWord, Ellipsis, False, Float, Identifier, Integer, LambdaWord, LeftBrace,
            LeftBracket, LeftParen, Minus, None, Not, Plus, Star, StringStart, Tilde, True,
        };
        matches!(
            self,
            AwaitWord
                | Ellipsis
                | False
                | Float
                | Identifier
                | Integer
                | LambdaWord
                | LeftBrace
                | LeftBracket
                | LeftParen
                | Minus
                | None
                | Not
                | Plus
                | Star
                | StringStart
                | Tilde
                | True
        )
    }
}

impl Reader<'_> {
    /// Any expression, but for stars.
    pub fn expression(&mut self) -> Done {
        let mark = self.mark();
        let is_word = self.token == Kind::Identifier;
        self.binary(0)?;
        if is_word && self.token == Kind::ColonEqual && self.is_at(mark, Kind::Identifier) {
            self.named_expression(mark)?;
        }
        Some(())
    }

    /// An expression after which `if` begins something else: a condition of a comprehension.
    pub fn unconditional(&mut self) -> Done {
        self.binary(binding::OR)
    }

    /// Several expressions with commas between them are a list.
    pub fn expressions(&mut self) -> Done {
        let mark = self.mark();
        if self.expressions_in_place()? { self.close(mark, Kind::ExpressionList) } else { Some(()) }
    }

    /// One expression or several, not wrapped. Says whether there were commas.
    pub fn expressions_in_place(&mut self) -> Option<bool> {
        self.expression_or_star()?;
        let is_list = self.token == Kind::Comma;
        while self.accept(Kind::Comma)? && self.token.begins_expression() {
            self.expression_or_star()?;
        }
        Some(is_list)
    }

    fn expression_or_star(&mut self) -> Done {
        if self.token == Kind::Star { self.starred() } else { self.expression() }
    }

    /// The value of `name := value` takes no condition: that is about both.
    fn named_expression(&mut self, mark: usize) -> Done {
        self.field(mark, Field::Name);
        self.bump()?;
        self.fielded(Field::Value, Self::unconditional)?;
        self.close(mark, Kind::NamedExpression)?;
        self.operators(mark, 0)
    }

    /// An operand and every operator after it that binds at least as tightly as `least`.
    fn binary(&mut self, least: u8) -> Done {
        self.nest(|reader| {
            let mark = reader.mark();
            reader.operand(least)?;
            reader.operators(mark, least)
        })
    }

    /// Goes on with an expression whose first operand is read.
    pub fn operators(&mut self, mark: usize, least: u8) -> Done {
        loop {
            if let Some(binding) = self.token.binding() {
                if binding < least {
                    return Some(());
                }
                // Of powers the one on the right comes first.
                let right = binding + u8::from(binding != binding::POWER);
                self.operation(mark, right, Kind::BinaryOperator)?;
            } else if self.token.compares() && least <= binding::COMPARE {
                self.comparison(mark)?;
            } else if self.token == Kind::And && least <= binding::AND {
                self.operation(mark, binding::AND + 1, Kind::BooleanOperator)?;
            } else if self.token == Kind::Or && least <= binding::OR {
                self.operation(mark, binding::OR + 1, Kind::BooleanOperator)?;
            } else if self.token == Kind::If && least <= binding::CONDITIONAL {
                self.conditional(mark)?;
            } else {
                return Some(());
            }
        }
    }

    fn operation(&mut self, mark: usize, right: u8, kind: Kind) -> Done {
        self.field(mark, Field::Left);
        self.fielded(Field::Operator, Self::bump)?;
        self.fielded(Field::Right, |reader| reader.binary(right))?;
        self.close(mark, kind)
    }

    fn comparison(&mut self, mark: usize) -> Done {
        while self.token.compares() {
            let operator = self.mark();
            match self.token {
                Kind::Not => self.two_words(Kind::In, Kind::NotIn)?,
                Kind::Is => self.two_words(Kind::Not, Kind::IsNot)?,
                _ => self.bump()?,
            }
            self.field(operator, Field::Operators);
            self.binary(binding::PIPE)?;
        }
        self.close(mark, Kind::ComparisonOperator)
    }

    /// `is` or `is not`, `not in`: two words are one operator.
    fn two_words(&mut self, second: Kind, both: Kind) -> Done {
        let (mark, first) = (self.mark(), self.token);
        self.bump()?;
        if self.token != second {
            return (first == Kind::Is).then_some(());
        }
        self.bump()?;
        self.close(mark, both)
    }

    fn conditional(&mut self, mark: usize) -> Done {
        self.bump()?;
        self.expression()?;
        self.expect(Kind::Else)?;
        self.binary(binding::CONDITIONAL)?;
        self.close(mark, Kind::ConditionalExpression)
    }

    fn operand(&mut self, least: u8) -> Done {
        match self.token {
            Kind::Not if least <= binding::NOT => self.prefixed(binding::NOT, Kind::NotOperator),
            Kind::LambdaWord if least <= binding::CONDITIONAL => self.lambda(),
            Kind::Plus | Kind::Minus | Kind::Tilde => self.signed(),
            Kind::AwaitWord => {
                let mark = self.mark();
                self.bump()?;
                self.binary(binding::UNARY)?;
                self.close(mark, Kind::Await)
            }
            _ => self.primary(),
        }
    }

    fn signed(&mut self) -> Done {
        let operator = self.mark();
        self.prefixed_with(binding::UNARY, Kind::UnaryOperator, |reader| {
            reader.field(operator, Field::Operator);
        })
    }

    fn prefixed(&mut self, least: u8, kind: Kind) -> Done {
        self.prefixed_with(least, kind, |_| {})
    }

    fn prefixed_with(&mut self, least: u8, kind: Kind, operator: impl FnOnce(&mut Self)) -> Done {
        let mark = self.mark();
        self.bump()?;
        operator(self);
        self.fielded(Field::Argument, |reader| reader.binary(least))?;
        self.close(mark, kind)
    }

    fn lambda(&mut self) -> Done {
        let mark = self.mark();
        self.bump()?;
        if self.token != Kind::Colon {
            self.fielded(Field::Parameters, Self::lambda_parameters)?;
        }
        self.expect(Kind::Colon)?;
        self.fielded(Field::Body, Self::expression)?;
        self.close(mark, Kind::Lambda)
    }

    /// A name, a literal or a bracket, and what is done to it.
    pub fn primary(&mut self) -> Done {
        let mark = self.mark();
        match self.token {
            Kind::Identifier | Kind::Integer | Kind::Float => self.bump()?,
            Kind::True | Kind::False | Kind::None | Kind::Ellipsis => self.bump()?,
            Kind::StringStart => self.strings()?,
            Kind::LeftParen => self.parentheses()?,
            Kind::LeftBracket => self.list()?,
            Kind::LeftBrace => self.braces()?,
            _ => return None,
        }
        self.trailers(mark)
    }

    /// Attributes, calls and indexes of what was read at a mark.
    pub fn trailers(&mut self, mark: usize) -> Done {
        loop {
            match self.token {
                Kind::Dot => self.attribute(mark)?,
                Kind::LeftParen => self.call(mark)?,
                Kind::LeftBracket => self.subscript(mark)?,
                _ => return Some(()),
            }
        }
    }

    fn attribute(&mut self, mark: usize) -> Done {
        self.field(mark, Field::Object);
        self.bump()?;
        self.fielded(Field::Attribute, |reader| reader.expect(Kind::Identifier))?;
        self.close(mark, Kind::Attribute)
    }

    /// What is yielded, if anything.
    pub fn yield_expression(&mut self) -> Done {
        let mark = self.mark();
        self.bump()?;
        if self.accept(Kind::From)? {
            self.expression()?;
        } else if self.token.begins_expression() {
            self.expressions()?;
        }
        self.close(mark, Kind::Yield)
    }
}

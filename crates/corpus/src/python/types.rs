//! Parameters, and the types written beside them.

use super::{Done, Field, Kind, Reader};

impl Reader<'_> {
    /// A type: any expression, a name with types in brackets, or several of these.
    pub fn type_annotation(&mut self) -> Done {
        self.nest(|reader| {
            let mark = reader.mark();
            reader.single_type()?;
            while reader.token == Kind::Pipe {
                reader.bump()?;
                reader.single_type()?;
                reader.close(mark, Kind::UnionType)?;
                reader.close(mark, Kind::Type)?;
            }
            Some(())
        })
    }

    fn single_type(&mut self) -> Done {
        let mark = self.mark();
        match self.token {
            Kind::Star | Kind::StarStar => {
                self.bump()?;
                self.expect(Kind::Identifier)?;
                self.close(mark, Kind::SplatType)?;
            }
            // These are never the name of a type with parameters.
            Kind::Identifier if !matches!(self.word(), b"print" | b"exec" | b"match") => {
                self.bump()?;
                match self.token {
                    Kind::LeftBracket => {
                        self.type_parameters()?;
                        self.close(mark, Kind::GenericType)?;
                    }
                    Kind::ColonEqual => return None,
                    _ => {
                        self.trailers(mark)?;
                        self.operators(mark, 0)?;
                    }
                }
            }
            _ => self.expression()?,
        }
        self.close(mark, Kind::Type)
    }

    /// Types in brackets, each perhaps bound to another.
    pub fn type_parameters(&mut self) -> Done {
        let mark = self.mark();
        self.bump()?;
        loop {
            let parameter = self.mark();
            self.type_annotation()?;
            if self.accept(Kind::Colon)? {
                self.type_annotation()?;
                self.close(parameter, Kind::ConstrainedType)?;
                self.close(parameter, Kind::Type)?;
            }
            if !self.accept(Kind::Comma)? || self.token == Kind::RightBracket {
                break;
            }
        }
        self.expect(Kind::RightBracket)?;
        self.close(mark, Kind::TypeParameter)
    }

    /// What a function takes, in parentheses.
    pub fn parameters(&mut self) -> Done {
        let mark = self.mark();
        self.expect(Kind::LeftParen)?;
        while self.token != Kind::RightParen {
            self.parameter(true)?;
            if !self.accept(Kind::Comma)? {
                break;
            }
        }
        self.expect(Kind::RightParen)?;
        self.close(mark, Kind::Parameters)
    }

    /// What a lambda takes, up to its colon.
    pub fn lambda_parameters(&mut self) -> Done {
        let mark = self.mark();
        self.parameter(false)?;
        while self.accept(Kind::Comma)? && self.token != Kind::Colon {
            self.parameter(false)?;
        }
        // A comma at the end is part of the list.
        self.close(mark, Kind::LambdaParameters)
    }

    fn parameter(&mut self, may_be_typed: bool) -> Done {
        let mark = self.mark();
        match self.token {
            Kind::Identifier => self.bump()?,
            Kind::Slash => {
                self.bump()?;
                return self.close(mark, Kind::PositionalSeparator);
            }
            Kind::Star => {
                self.bump()?;
                if self.token != Kind::Identifier {
                    return self.close(mark, Kind::KeywordSeparator);
                }
                self.bump()?;
                self.close(mark, Kind::ListSplatPattern)?;
            }
            Kind::StarStar => {
                self.bump()?;
                self.expect(Kind::Identifier)?;
                self.close(mark, Kind::DictionarySplatPattern)?;
            }
            _ => return None,
        }
        let is_typed = may_be_typed && self.token == Kind::Colon;
        if is_typed {
            self.bump()?;
            self.fielded(Field::Type, Self::type_annotation)?;
        }
        match (self.token == Kind::Equal, is_typed) {
            (true, _) => self.default_value(mark, is_typed),
            (false, true) => self.close(mark, Kind::TypedParameter),
            (false, false) => Some(()),
        }
    }

    fn default_value(&mut self, mark: usize, is_typed: bool) -> Done {
        if !self.is_at(mark, Kind::Identifier) {
            return None;
        }
        self.field(mark, Field::Name);
        self.bump()?;
        self.fielded(Field::Value, Self::expression)?;
        self.close(
            mark,
            if is_typed { Kind::TypedDefaultParameter } else { Kind::DefaultParameter },
        )
    }
}

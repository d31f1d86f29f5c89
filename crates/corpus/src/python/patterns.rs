//! `match` and the patterns of its cases.

use super::{Done, Field, Kind, Reader};
use crate::syntax::Node;

impl Reader<'_> {
    /// A `match` with its cases, if the word at hand begins one. Says if so.
    pub fn match_statement(&mut self) -> Option<bool> {
        let mark = self.mark();
        if self.word() != b"match" || self.is_plainly_a_name() || !self.attempt(Self::match_header)
        {
            return Some(false);
        }
        self.match_block()?;
        self.close(mark, Kind::MatchStatement)?;
        Some(true)
    }

    /// What is matched, up to the end of the line.
    fn match_header(&mut self) -> Done {
        (self.token, self.is_ambiguous) = (Kind::Match, true);
        self.bump()?;
        let subject = self.mark();
        let opens = matches!(self.token, Kind::LeftParen | Kind::LeftBracket);
        self.fielded(Field::Subject, Self::expression)?;
        // `match(a).b: c` and `match[a]: b` are names with types.
        let whole = [Kind::Tuple, Kind::ParenthesizedExpression];
        if opens && !whole.iter().any(|&kind| self.is_at(subject, kind)) {
            return None;
        }
        while self.accept(Kind::Comma)? && self.token != Kind::Colon {
            self.fielded(Field::Subject, Self::expression)?;
        }
        self.expect(Kind::Colon)?;
        (self.token == Kind::Newline).then_some(())
    }

    /// To the grammar this block begins where its indentation is found: at the end of the line.
    fn match_block(&mut self) -> Done {
        let (mark, start) = (self.mark(), self.growing.end());
        self.indent()?;
        while self.token != Kind::Dedent {
            self.fielded(Field::Alternative, Self::case_clause)?;
        }
        let block = Node::leaf(self.ids.of(Kind::Block), start..self.growing.end(), true);
        self.growing.close_as(mark, block);
        self.field(mark, Field::Body);
        self.settle()
    }

    fn case_clause(&mut self) -> Done {
        let mark = self.mark();
        if self.word() != b"case" {
            return None;
        }
        self.token = Kind::Case;
        self.bump()?;
        self.case_pattern()?;
        while self.accept(Kind::Comma)? && !matches!(self.token, Kind::Colon | Kind::If) {
            self.case_pattern()?;
        }
        if self.token == Kind::If {
            self.fielded(Field::Guard, Self::if_clause)?;
        }
        self.suite(Some(Field::Consequence))?;
        self.close(mark, Kind::CaseClause)
    }

    fn case_pattern(&mut self) -> Done {
        let mark = self.mark();
        self.nest(|reader| {
            reader.simple_patterns()?;
            if reader.token == Kind::Equal && reader.is_at(mark, Kind::DottedName) {
                reader.growing.unwrap_single(mark)?;
                reader.bump()?;
                reader.simple_patterns()?;
                reader.close(mark, Kind::KeywordPattern)?;
            }
            reader.close(mark, Kind::CasePattern)
        })?;
        while self.accept(Kind::As)? {
            self.expect(Kind::Identifier)?;
            self.close(mark, Kind::AsPattern)?;
            self.close(mark, Kind::CasePattern)?;
        }
        Some(())
    }

    /// One pattern, or several of which any may match.
    fn simple_patterns(&mut self) -> Done {
        let mark = self.mark();
        self.simple_pattern()?;
        if self.token != Kind::Pipe {
            return Some(());
        }
        while self.accept(Kind::Pipe)? {
            self.simple_pattern()?;
        }
        self.close(mark, Kind::UnionPattern)
    }

    fn simple_pattern(&mut self) -> Done {
        let mark = self.mark();
        match self.token {
            Kind::Identifier if self.word() == b"_" => self.bump_as(Kind::Underscore),
            Kind::Identifier => {
                self.dotted_name()?;
                if self.token != Kind::LeftParen {
                    return Some(());
                }
                self.patterns_up_to(Kind::RightParen)?;
                self.close(mark, Kind::ClassPattern)
            }
            Kind::Star => self.splat_pattern(),
            Kind::LeftBrace => self.dict_pattern(),
            Kind::LeftParen => {
                self.patterns_up_to(Kind::RightParen)?;
                self.close(mark, Kind::TuplePattern)
            }
            Kind::LeftBracket => {
                self.patterns_up_to(Kind::RightBracket)?;
                self.close(mark, Kind::ListPattern)
            }
            Kind::StringStart => self.strings(),
            Kind::True | Kind::False | Kind::None | Kind::Integer | Kind::Float => self.bump(),
            Kind::Minus => {
                self.bump()?;
                matches!(self.token, Kind::Integer | Kind::Float).then_some(())?;
                self.bump()
            }
            _ => None,
        }
    }

    /// The rest: one star or two before a name.
    fn splat_pattern(&mut self) -> Done {
        let mark = self.mark();
        self.bump()?;
        let is_any = self.word() == b"_";
        self.bump_as(if is_any { Kind::Underscore } else { Kind::Identifier })?;
        self.close(mark, Kind::SplatPattern)
    }

    fn dict_pattern(&mut self) -> Done {
        let mark = self.mark();
        self.bump()?;
        while self.token != Kind::RightBrace {
            match self.token {
                Kind::StarStar => self.splat_pattern()?,
                // A sign would be a key of its own.
                Kind::Minus => return None,
                _ => {
                    self.fielded(Field::Key, Self::simple_patterns)?;
                    self.expect(Kind::Colon)?;
                    self.fielded(Field::Value, Self::case_pattern)?;
                }
            }
            if !self.accept(Kind::Comma)? {
                break;
            }
        }
        self.expect(Kind::RightBrace)?;
        self.close(mark, Kind::DictPattern)
    }

    /// Takes a name into the tree as something else.
    fn bump_as(&mut self, kind: Kind) -> Done {
        if self.token != Kind::Identifier {
            return None;
        }
        self.token = kind;
        self.bump()
    }

    fn patterns_up_to(&mut self, closing: Kind) -> Done {
        self.bump()?;
        while self.token != closing {
            self.case_pattern()?;
            if !self.accept(Kind::Comma)? {
                break;
            }
        }
        self.expect(closing)
    }
}

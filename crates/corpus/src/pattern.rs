//! The query language, read into patterns.
//!
//! Query files are written in tree-sitter's own query syntax and are checked against its own
//! compiler in the tests. They are not run by it: compiling one there analyses the whole grammar
//! and takes up to half a second for a large language, which every process would pay again for
//! the first file it parses; reading the same file here takes well under a millisecond.

use regex::Regex;
use tree_sitter::Language as Grammar;

/// One pattern of a query file: nodes that must stand next to each other, and what else must hold.
#[derive(Debug)]
pub struct Pattern {
    /// Siblings in order; usually one.
    pub steps: Vec<Step>,
    /// Conditions on what is captured.
    pub predicates: Vec<Predicate>,
    /// Its place in the file.
    pub number: usize,
}

/// What one node must be.
#[derive(Debug)]
pub struct Step {
    /// The field of its parent it must stand in.
    pub field: Option<u16>,
    /// What it may be.
    pub what: What,
    /// Captures that take it.
    pub captures: Vec<usize>,
    /// How often it may stand there.
    pub times: Times,
    /// Whether it must directly follow the step before (or come first).
    pub anchored: bool,
}

/// The kinds of thing a step may stand for.
#[derive(Debug)]
pub enum What {
    /// A node with conditions on its inside.
    Node(NodeShape),
    /// Any one of several.
    OneOf(Vec<Step>),
    /// Several siblings in order.
    Group(Vec<Step>),
}

/// A node's kind and what must be in it.
#[derive(Debug, Default)]
pub struct NodeShape {
    /// Symbol ids it may have.
    pub kinds: Kinds,
    /// Its children, in order, others between them allowed.
    pub children: Vec<Step>,
    /// Whether the last of `children` must be the last child.
    pub anchored_end: bool,
    /// Fields it must not have.
    pub without: Vec<u16>,
}

/// Which symbol ids match.
#[derive(Debug, Default)]
pub enum Kinds {
    /// Any node but one the grammar could not read: `_`.
    #[default]
    Any,
    /// Any of these with a name: `(_)`.
    AnyNamed,
    /// One of these.
    These(Vec<u16>),
    /// A token the grammar had to make up: `(MISSING)`.
    Missing,
}

/// How often a step may match in a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Times {
    /// Exactly once.
    Once,
    /// Once or not at all.
    Optional,
    /// Any number of times.
    Any,
    /// At least once.
    AtLeastOnce,
}

/// A condition on the text of captures.
#[derive(Debug)]
pub struct Predicate {
    /// The capture it is about.
    pub capture: usize,
    /// What its text is compared with.
    pub test: Test,
    /// Whether the comparison must hold or must fail.
    pub expected: bool,
}

/// How a text is compared.
#[derive(Debug)]
pub enum Test {
    /// Equal to one of these.
    AnyOf(Vec<String>),
    /// Equal to another capture's text.
    SameAs(usize),
    /// Matched by a regular expression.
    Matches(Regex),
}

/// Where and why a query file cannot be read.
#[derive(Debug, thiserror::Error)]
#[error("line {line}: {what}")]
pub struct PatternError {
    /// Counted from 1.
    pub line: usize,
    /// What is wrong.
    pub what: String,
}

/// Reads a query file. Returns its patterns and the names of its captures.
pub fn read(source: &str, grammar: &Grammar) -> Result<(Vec<Pattern>, Vec<String>), PatternError> {
    let mut reader =
        Reader { source, at: 0, grammar, captures: Vec::new(), predicates: Vec::new() };
    let mut patterns = Vec::new();
    while reader.peek().is_some() {
        let step = reader.step(false)?;
        let steps = match step {
            Step { what: What::Group(steps), captures, times: Times::Once, .. }
                if captures.is_empty() =>
            {
                steps
            }
            step => vec![step],
        };
        if steps.is_empty() {
            return Err(reader.error("a pattern is empty"));
        }
        let predicates = std::mem::take(&mut reader.predicates);
        patterns.push(Pattern { steps, predicates, number: patterns.len() });
    }
    Ok((patterns, reader.captures))
}

struct Reader<'s> {
    source: &'s str,
    at: usize,
    grammar: &'s Grammar,
    captures: Vec<String>,
    predicates: Vec<Predicate>,
}

type Read<T> = Result<T, PatternError>;

impl<'s> Reader<'s> {
    /// A node, alternation, group or literal, with its captures and its quantifier.
    fn step(&mut self, anchored: bool) -> Read<Step> {
        let field = self.field()?;
        let what = match self.peek() {
            Some('(') => self.parenthesised()?,
            Some('[') => self.alternation()?,
            Some('"') => {
                let text = self.string()?;
                What::Node(NodeShape { kinds: self.literal(&text)?, ..NodeShape::default() })
            }
            Some('_') => {
                self.at += 1;
                What::Node(NodeShape::default())
            }
            _ => return Err(self.error("expected a pattern")),
        };
        let mut step = Step { field, what, captures: Vec::new(), times: Times::Once, anchored };
        self.suffixes(&mut step)?;
        Ok(step)
    }

    fn suffixes(&mut self, step: &mut Step) -> Read<()> {
        loop {
            step.times = match self.peek() {
                Some('?') => Times::Optional,
                Some('*') => Times::Any,
                Some('+') => Times::AtLeastOnce,
                Some('@') => {
                    self.at += 1;
                    let name = self.word();
                    step.captures.push(self.capture(name));
                    continue;
                }
                _ => return Ok(()),
            };
            self.at += 1;
        }
    }

    /// `name:` before a pattern.
    fn field(&mut self) -> Read<Option<u16>> {
        self.peek();
        let start = self.at;
        let word = self.word();
        if !word.is_empty() && self.source[self.at..].starts_with(':') {
            self.at += 1;
            return self.field_id(word).map(Some);
        }
        self.at = start;
        Ok(None)
    }

    fn parenthesised(&mut self) -> Read<What> {
        self.expect('(')?;
        match self.peek() {
            Some(c) if c.is_alphabetic() || c == '_' => self.node(),
            _ => {
                let (steps, _, _) = self.children()?;
                Ok(What::Group(steps))
            }
        }
    }

    fn node(&mut self) -> Read<What> {
        let name = self.word();
        let kinds = match name {
            "_" => Kinds::AnyNamed,
            "ERROR" => Kinds::These(vec![ERROR]),
            "MISSING" => return self.missing(),
            name => self.kinds(name)?,
        };
        let (children, anchored_end, without) = self.children()?;
        Ok(What::Node(NodeShape { kinds, children, anchored_end, without }))
    }

    /// `(MISSING)`, or with the literal that is missing, which the parser decides anyway.
    fn missing(&mut self) -> Read<What> {
        if self.peek() == Some('"') {
            self.string()?;
        }
        self.expect(')')?;
        Ok(What::Node(NodeShape { kinds: Kinds::Missing, ..NodeShape::default() }))
    }

    /// Everything up to the closing parenthesis.
    fn children(&mut self) -> Read<(Vec<Step>, bool, Vec<u16>)> {
        let (mut steps, mut without, mut anchored) = (Vec::new(), Vec::new(), false);
        loop {
            match self.peek() {
                Some(')') => {
                    self.at += 1;
                    return Ok((steps, anchored, without));
                }
                Some('.') => {
                    self.at += 1;
                    anchored = true;
                    continue;
                }
                Some('!') => {
                    self.at += 1;
                    let name = self.word();
                    without.push(self.field_id(name)?);
                    continue;
                }
                Some('(') if self.source[self.at + 1..].trim_start().starts_with('#') => {
                    self.predicate()?
                }
                Some(_) => steps.push(self.step(anchored)?),
                None => return Err(self.error("a parenthesis is not closed")),
            }
            anchored = false;
        }
    }

    fn alternation(&mut self) -> Read<What> {
        self.expect('[')?;
        let mut alternatives = Vec::new();
        while self.peek() != Some(']') {
            alternatives.push(self.step(false)?);
        }
        self.at += 1;
        Ok(What::OneOf(alternatives))
    }

    fn predicate(&mut self) -> Read<()> {
        self.expect('(')?;
        self.peek();
        self.expect('#')?;
        let name = self.word().to_owned();
        self.expect('?')?;
        let (mut captures, mut strings) = (Vec::new(), Vec::new());
        loop {
            match self.peek() {
                Some('@') => {
                    self.at += 1;
                    let name = self.word();
                    captures.push(self.capture(name));
                }
                Some('"') => strings.push(self.string()?),
                _ => break,
            }
        }
        self.expect(')')?;
        let (expected, name) = match name.strip_prefix("not-") {
            Some(rest) => (false, rest.to_owned()),
            None => (true, name),
        };
        let test = match (name.as_str(), captures.as_slice(), strings.as_slice()) {
            ("match", [_], [regex]) => {
                Test::Matches(Regex::new(regex).map_err(|e| self.error(&e.to_string()))?)
            }
            ("eq", [_, other], []) => Test::SameAs(*other),
            ("eq", [_], [_]) | ("any-of", [_], [_, ..]) => Test::AnyOf(strings),
            _ => return Err(self.error(&format!("predicate #{name}? is not understood"))),
        };
        self.predicates.push(Predicate { capture: captures[0], test, expected });
        Ok(())
    }

    fn capture(&mut self, name: &str) -> usize {
        self.captures.iter().position(|known| known == name).unwrap_or_else(|| {
            self.captures.push(name.to_owned());
            self.captures.len() - 1
        })
    }

    /// The symbol ids of a node kind: one, or the subtypes of a supertype.
    fn kinds(&self, name: &str) -> Read<Kinds> {
        let id = self.grammar.id_for_node_kind(name, true);
        if id == 0 {
            return Err(self.error(&format!("there is no node kind {name}")));
        }
        let mut ids = vec![id];
        let mut next = 0;
        while next < ids.len() {
            if self.grammar.node_kind_is_supertype(ids[next]) {
                let subtypes = self.grammar.subtypes_for_supertype(ids[next]);
                ids.extend(subtypes.iter().filter(|id| !ids.contains(id)).collect::<Vec<_>>());
            }
            next += 1;
        }
        Ok(Kinds::These(ids))
    }

    fn literal(&self, text: &str) -> Read<Kinds> {
        let id = self.grammar.id_for_node_kind(text, false);
        if id == 0 {
            Err(self.error(&format!("there is no literal \"{text}\"")))
        } else {
            Ok(Kinds::These(vec![id]))
        }
    }

    fn field_id(&self, name: &str) -> Read<u16> {
        let id = self.grammar.field_id_for_name(name);
        id.map(u16::from).ok_or_else(|| self.error(&format!("there is no field {name}")))
    }

    fn string(&mut self) -> Read<String> {
        self.expect('"')?;
        let mut text = String::new();
        let mut chars = self.source[self.at..].char_indices();
        while let Some((offset, c)) = chars.next() {
            match c {
                '"' => {
                    self.at += offset + 1;
                    return Ok(text);
                }
                '\\' => match chars.next().map(|(_, c)| c) {
                    Some('n') => text.push('\n'),
                    Some('t') => text.push('\t'),
                    Some('r') => text.push('\r'),
                    Some(c) => text.push(c),
                    None => break,
                },
                c => text.push(c),
            }
        }
        Err(self.error("a string is not closed"))
    }

    fn word(&mut self) -> &'s str {
        let rest = &self.source[self.at..];
        let inside = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '.' | '/');
        let end = rest.find(|c| !inside(c)).unwrap_or(rest.len());
        self.at += end;
        &rest[..end]
    }

    /// The next character that is neither space nor comment.
    fn peek(&mut self) -> Option<char> {
        loop {
            let rest = &self.source[self.at..];
            let trimmed = rest.trim_start();
            self.at += rest.len() - trimmed.len();
            if !trimmed.starts_with(';') {
                return trimmed.chars().next();
            }
            self.at += trimmed.find('\n').unwrap_or(trimmed.len());
        }
    }

    fn expect(&mut self, c: char) -> Read<()> {
        if self.peek() != Some(c) {
            return Err(self.error(&format!("expected '{c}'")));
        }
        self.at += c.len_utf8();
        Ok(())
    }

    fn error(&self, what: &str) -> PatternError {
        let line = self.source[..self.at.min(self.source.len())].matches('\n').count() + 1;
        PatternError { line, what: what.to_owned() }
    }
}

/// The symbol id of a part the grammar could not read.
pub const ERROR: u16 = u16::MAX;

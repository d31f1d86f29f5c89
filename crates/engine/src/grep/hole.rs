//! A pattern as text that a grammar can read.
//!
//! In: a pattern with its variables. Out: texts to try, the likeliest first, each with something of
//! the language in the place of every variable and the hole that it fills. A name does for most. What
//! holds any number of things (members, arms, fields, statements) is rather left empty: that reads in
//! every grammar whatever may stand there.

use std::collections::HashSet;
use std::ops::Range;

use ast_grep_core::meta_var::MetaVariable;

/// A variable where it is written: `$NAME`, `$_`, `$$NAME`, `$$$NAME` and `$$$` alone.
pub struct Variable {
    bytes: Range<usize>,
    stands_for: MetaVariable,
}

/// What is written in the place of a variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Filling {
    /// A name.
    Name,
    /// Nothing.
    Nothing,
    /// Nothing, and no comma beside it: not every list may end with one.
    NothingNorComma,
    /// The semicolons that a loop must have.
    Semicolons,
    /// A type and a name, with this between them.
    Declaration(&'static str),
}

/// A place in a filled text that a variable stands for.
pub struct Hole {
    /// Where its filling is; empty if nothing fills it.
    pub bytes: Range<usize>,
    /// What may stand there.
    pub stands_for: MetaVariable,
    /// Where a comma stood beside it that a match must have.
    pub comma: Comma,
    /// Whether its filling may be several nodes, or none.
    pub is_loose: bool,
}

/// On which side of a hole a comma was left out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Comma {
    None,
    Before,
    After,
}

/// A pattern without variables, and where they were.
pub struct Filled {
    pub text: String,
    pub holes: Vec<Hole>,
}

/// What may begin a name in place of the `$`: itself, or a letter as variables, or types, begin.
const STAND_INS: [char; 3] = ['$', 'x', 'X'];

/// Variables whose declarations are tried in every combination.
const MOST_DECLARED: usize = 3;

/// Every way to fill the holes of a pattern. `declaration` stands between type and name where the
/// language declares a parameter.
pub fn fillings(pattern: &str, declaration: Option<&'static str>) -> Vec<Filled> {
    let variables = variables(pattern);
    if variables.is_empty() {
        return vec![Filled { text: pattern.to_owned(), holes: Vec::new() }];
    }
    let filled = |choice: &Vec<Filling>| STAND_INS.map(|it| fill(pattern, &variables, choice, it));
    choices(pattern, &variables, declaration).iter().flat_map(filled).collect()
}

/// A filling for each variable, the likeliest first.
fn choices(
    pattern: &str,
    variables: &[Variable],
    declaration: Option<&'static str>,
) -> Vec<Vec<Filling>> {
    let rule = |rule: &dyn Fn(&Variable) -> Filling| variables.iter().map(rule).collect();
    let bodies: Vec<Filling> =
        rule(&|it| it.filling(pattern, '{', Filling::Nothing, Filling::Name));
    let heads = rule(&|it| it.filling(pattern, '(', Filling::Semicolons, Filling::Nothing));
    let all = rule(&|it| it.filling(pattern, '(', Filling::Nothing, Filling::Nothing));
    let apart: Vec<Filling> = rule(&|it| match it.is_by_comma(pattern) {
        true => it.filling(pattern, '(', Filling::NothingNorComma, Filling::NothingNorComma),
        false => it.filling(pattern, '(', Filling::Nothing, Filling::Nothing),
    });
    let mut choices = vec![rule(&|_| Filling::Name), bodies.clone(), heads, all, apart.clone()];
    if let Some(between) = declaration {
        choices.splice(0..0, caught(pattern, variables, &bodies, between));
        choices.extend(declared(pattern, variables, &bodies, between));
        choices.extend(declared(pattern, variables, &apart, between));
    }
    let mut known = HashSet::new();
    choices.retain(|choice| known.insert(choice.clone()));
    choices
}

/// A choice with a declaration for what is caught. That a type alone may stand there in some
/// languages says nothing of what mostly does.
fn caught(
    pattern: &str,
    variables: &[Variable],
    choice: &[Filling],
    between: &'static str,
) -> Option<Vec<Filling>> {
    let is_caught = |it: &Variable| {
        let before = pattern[..it.bytes.start].trim_end().strip_suffix('(');
        !it.is_many() && before.is_some_and(|before| before.trim_end().ends_with("catch"))
    };
    let filling = |(it, filling): (&Variable, &Filling)| match is_caught(it) {
        true => Filling::Declaration(between),
        false => *filling,
    };
    let has_any = variables.iter().any(is_caught);
    has_any.then(|| variables.iter().zip(choice).map(filling).collect())
}

/// A choice with declarations for some of the variables that stand where parameters do.
fn declared(
    pattern: &str,
    variables: &[Variable],
    choice: &[Filling],
    between: &'static str,
) -> Vec<Vec<Filling>> {
    let may_be = |it: &Variable| !it.is_many() && it.is_within(pattern, '(');
    let places: Vec<usize> = (0..variables.len()).filter(|at| may_be(&variables[*at])).collect();
    let all = (1 << places.len().min(MOST_DECLARED)) - 1;
    let with = |set: usize| {
        let mut choice = choice.to_vec();
        let is_in = |n: usize| n >= MOST_DECLARED || set >> n & 1 == 1;
        for (_, at) in places.iter().enumerate().filter(|(n, _)| is_in(*n)) {
            choice[*at] = Filling::Declaration(between);
        }
        choice
    };
    (1..=all).rev().map(with).collect()
}

fn fill(pattern: &str, variables: &[Variable], choice: &[Filling], stand_in: char) -> Filled {
    let mut filled = Filled { text: String::with_capacity(pattern.len() + 16), holes: Vec::new() };
    let mut at = 0;
    for (variable, filling) in variables.iter().zip(choice) {
        filled.text.push_str(&pattern[at..variable.bytes.start]);
        at = variable.bytes.end;
        match filling {
            Filling::Nothing => filled.leave_out(variable, Comma::None),
            Filling::NothingNorComma => at += filled.leave_out_comma(variable, &pattern[at..]),
            filling => {
                filled.put(variable, *filling, &variable.named(pattern, stand_in, *filling));
            }
        }
    }
    filled.text.push_str(&pattern[at..]);
    filled
}

impl Filled {
    fn put(&mut self, variable: &Variable, filling: Filling, text: &str) {
        let start = self.text.len();
        self.text.push_str(text);
        self.holes.push(Hole {
            bytes: start..self.text.len(),
            stands_for: variable.stands_for.clone(),
            comma: Comma::None,
            is_loose: filling != Filling::Name,
        });
    }

    /// Writes nothing for a variable.
    fn leave_out(&mut self, variable: &Variable, comma: Comma) {
        let at = self.text.len() + 1;
        self.text.push_str("  ");
        let stands_for = variable.stands_for.clone();
        self.holes.push(Hole { bytes: at..at, stands_for, comma, is_loose: true });
    }

    /// Writes nothing for a variable and the comma beside it. Returns how much of what follows that is.
    fn leave_out_comma(&mut self, variable: &Variable, rest: &str) -> usize {
        let before = self.text.trim_end().strip_suffix(',').map(str::len);
        let after = rest.trim_start().strip_prefix(',').map(|after| rest.len() - after.len());
        if let Some(length) = before {
            self.text.truncate(length);
            self.leave_out(variable, Comma::Before);
            return 0;
        }
        self.leave_out(variable, after.map_or(Comma::None, |_| Comma::After));
        after.unwrap_or(0)
    }
}

impl Variable {
    fn is_many(&self) -> bool {
        matches!(self.stands_for, MetaVariable::Multiple | MetaVariable::MultiCapture(_))
    }

    /// What fills it: a name if it stands for one part; else this inside such brackets, that outside.
    fn filling(&self, pattern: &str, open: char, inside: Filling, outside: Filling) -> Filling {
        match (self.is_many(), self.is_within(pattern, open)) {
            (false, _) => Filling::Name,
            (true, true) => inside,
            (true, false) => outside,
        }
    }

    /// Whether the brackets around it open with this.
    fn is_within(&self, pattern: &str, open: char) -> bool {
        let mut depth = 0;
        let around = pattern[..self.bytes.start].chars().rev().find(|c| {
            depth += match c {
                ')' | ']' | '}' => 1,
                '(' | '[' | '{' => -1,
                _ => 0,
            };
            depth < 0
        });
        around == Some(open)
    }

    fn is_by_comma(&self, pattern: &str) -> bool {
        pattern[..self.bytes.start].trim_end().ends_with(',')
            || pattern[self.bytes.end..].trim_start().starts_with(',')
    }

    fn named(&self, pattern: &str, stand_in: char, filling: Filling) -> String {
        let written = &pattern[self.bytes.clone()];
        let name = written.replace('$', stand_in.encode_utf8(&mut [0; 4]));
        match filling {
            Filling::Declaration(between) => format!("{name}{between}{name}"),
            Filling::Semicolons => ";;".to_owned(),
            Filling::Name | Filling::Nothing | Filling::NothingNorComma => name,
        }
    }
}

fn variables(pattern: &str) -> Vec<Variable> {
    let bytes = pattern.as_bytes();
    let (mut found, mut at) = (Vec::new(), 0);
    while let Some(start) = memchr::memchr(b'$', &bytes[at..]).map(|n| at + n) {
        let marks = bytes[start..].iter().take_while(|byte| **byte == b'$').count();
        let name = bytes[start + marks..]
            .iter()
            .take_while(|it| it.is_ascii_uppercase() || it.is_ascii_digit() || **it == b'_')
            .count();
        let begins = bytes.get(start + marks).is_some_and(|it| !it.is_ascii_digit());
        let goes_on = bytes.get(start + marks + name).is_some_and(u8::is_ascii_lowercase);
        at = start + marks + name;
        let is_named = name > 0 && begins && !goes_on && marks <= 3;
        if is_named || (name == 0 && marks == 3 && !goes_on) {
            let stands_for = stands_for(marks, &pattern[start + marks..at]);
            found.push(Variable { bytes: start..at, stands_for });
        }
    }
    found
}

fn stands_for(marks: usize, name: &str) -> MetaVariable {
    let is_unnamed = name.is_empty() || name.starts_with('_');
    match (marks, is_unnamed) {
        (3, true) => MetaVariable::Multiple,
        (3, false) => MetaVariable::MultiCapture(name.to_owned()),
        (marks, true) => MetaVariable::Dropped(marks == 1),
        (marks, false) => MetaVariable::Capture(name.to_owned(), marks == 1),
    }
}

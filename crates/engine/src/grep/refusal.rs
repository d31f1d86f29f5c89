//! Why a pattern is no piece of code, and what to write instead.

use wherein_corpus::Language;

/// Why a language cannot read a pattern.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Failure {
    /// It is no piece of code.
    Syntax,
    /// It is several pieces.
    Several,
    /// A variable stands where none can be bound.
    Buried,
    /// It is a variable alone, and would match everything.
    Everything,
}

/// A language and why it cannot read a pattern.
pub type Refusal = (&'static Language, Failure);

/// What was wrong with a pattern in some languages, called `place` all together, and what to do.
pub fn advice(pattern: &str, place: &str, refusals: &[Refusal]) -> String {
    let worst = [Failure::Everything, Failure::Buried, Failure::Several];
    let kind = worst.into_iter().find(|kind| refusals.iter().any(|(_, it)| it == kind));
    let shown = pattern.lines().next().unwrap_or_default();
    let what = match kind.unwrap_or(Failure::Syntax) {
        Failure::Everything => {
            return format!("the pattern '{shown}' matches everything; write some code around it");
        }
        Failure::Buried => format!("a variable of '{shown}' stands inside a word or a text"),
        Failure::Several => format!("the pattern '{shown}' is several pieces of code in {place}"),
        Failure::Syntax => format!("the pattern '{shown}' is not a piece of code in {place}"),
    };
    format!(
        "{what}; write one whole expression, statement or definition, with $NAME for any one part \
         and $$$NAME for any number, or use --fixed or --regex"
    )
}

/// Languages by name, the first few of them.
pub fn named(refusals: &[Refusal]) -> String {
    const SHOWN: usize = 3;
    let names: Vec<&str> = refusals.iter().take(SHOWN).map(|(language, _)| language.name).collect();
    match refusals.len().saturating_sub(SHOWN) {
        0 => names.join(", "),
        more => format!("{} and {more} more", names.join(", ")),
    }
}

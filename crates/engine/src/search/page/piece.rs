//! A chunk on its way to the page, and what tells whether another is a copy of it.

use std::cell::OnceCell;

use wherein_corpus::{Digest, Language};

use crate::error::Result;
use crate::search::answer::Place;
use crate::search::fusion::Candidate;
use crate::search::query::Unit;
use crate::search::recall::Recall;

use super::runs::Runs;
use crate::search::texts::Texts;

/// A chunk with its place.
pub struct Piece {
    /// Where it stands.
    pub place: Place,
    file: usize,
    name: Name,
    runs: OnceCell<Runs>,
}

/// What copies have in common beside their text: two definitions with different names are different
/// answers, however alike their bodies, and two files are if they differ anywhere.
#[derive(PartialEq)]
enum Name {
    File(Digest),
    Symbol(Option<(&'static str, String)>),
}

impl Piece {
    /// The chunk of a candidate.
    pub fn of(index: &dyn Recall, candidate: &Candidate, unit: Unit) -> Result<Piece> {
        let file = &index.manifest().files[candidate.file];
        let parsed = index.parsed(file)?;
        let chunk = &parsed.chunks[candidate.chunk as usize];
        let separator = Language::named(&file.language).map_or(".", |language| language.separator);
        let subject = chunk.subject(&parsed.symbols);
        let name = match unit {
            Unit::File => Name::File(file.content),
            Unit::Span => Name::Symbol(
                subject.map(|symbol| (symbol.kind.name(), symbol.qualified(separator))),
            ),
        };
        let place = Place {
            path: index.shown_path(candidate.file),
            start_line: chunk.start_line,
            end_line: chunk.end_line,
        };
        Ok(Piece { place, file: candidate.file, name, runs: OnceCell::new() })
    }

    /// Its first and last line.
    pub fn lines(&self) -> (u32, u32) {
        (self.place.start_line, self.place.end_line)
    }

    /// Whether one is a copy of the other. Texts are looked at only if the names are the same.
    pub fn is_like(&self, other: &Piece, texts: &Texts) -> bool {
        self.name == other.name
            && match self.name {
                Name::File(_) => true,
                Name::Symbol(_) => self.runs(texts).are_like(other.runs(texts)),
            }
    }

    fn runs(&self, texts: &Texts) -> &Runs {
        let (first, last) = self.lines();
        self.runs.get_or_init(|| Runs::of(&texts.lines(self.file, first, last)))
    }
}

//! Questions over the graph: each a function from a snapshot and a request to an answer that
//! serializes, for every door alike.

pub mod calls;
pub mod difference;
pub mod export;
pub mod impact;
pub mod listing;
pub mod map;
pub mod names;
pub mod references;
pub mod way;

use serde::Serialize;
use wherein_corpus::{Language, ReferenceKind};

use crate::error::{Error, Result};
use crate::graph::resolve::Reason;
use crate::graph::symbols::{How, Symbols, Use};
use crate::index::snapshot::Snapshot;
use crate::search::secrets::redact;

pub use names::{named, namesakes};

/// A symbol as answers show it.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct Spot {
    /// Relative to the root.
    pub path: String,
    /// The line of its name.
    pub line: u32,
    /// Its first line, comments included.
    pub start_line: u32,
    /// Its last line.
    pub end_line: u32,
    /// What sort of thing it is.
    pub kind: &'static str,
    /// Its name with the names around it.
    pub name: String,
    /// Everything before its body, on one line.
    pub signature: String,
    /// Its share of all attention that follows uses.
    pub rank: f32,
}

/// Where an answer stops seeing. Counts, not promises: what is not listed may exist all the same.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct Horizon {
    /// Imports of the tree that should lead to a file of it and do not.
    pub unresolved_imports: usize,
    /// Imports that are decided when the program runs.
    pub dynamic_imports: usize,
    /// Uses of the names asked about of which nobody can tell what they mean.
    pub same_name_uses: usize,
    /// What else cannot be seen here, in words.
    pub notes: Vec<String>,
}

/// What a question is about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Subject {
    /// A file, by its position.
    File(usize),
    /// Symbols, best known first.
    Symbols(Vec<u32>),
}

/// How a question names what it is about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Target {
    /// A file.
    Path(String),
    /// The symbol at a line of a file.
    Line(String, u32),
    /// Every symbol of a name, perhaps with names around it: `Foo.bar`, `foo::Bar::baz`.
    Name(String),
}

/// Finds what a target names. A name nothing bears gives no symbols.
pub fn find(snapshot: &Snapshot, target: &Target) -> Result<Subject> {
    match target {
        Target::Path(path) => Ok(Subject::File(position(snapshot, path)?)),
        Target::Line(path, line) => {
            let file = position(snapshot, path)?;
            let symbol = snapshot.symbols()?.at(file, *line);
            let because = "no symbol of code stands there".to_owned();
            let nothing = Error::NoText { path: path.clone(), line: *line, because };
            symbol.map(|symbol| Subject::Symbols(vec![symbol])).ok_or(nothing)
        }
        Target::Name(name) => Ok(Subject::Symbols(named(snapshot.symbols()?, name))),
    }
}

fn position(snapshot: &Snapshot, path: &str) -> Result<usize> {
    let id = snapshot.indexed(path)?.id;
    Ok(snapshot.position(id).unwrap_or_default())
}

/// A symbol as answers show it, its signature read from the parse.
pub fn spot(snapshot: &Snapshot, symbols: &Symbols, symbol: u32) -> Result<Spot> {
    let entry = &snapshot.manifest.files[symbols.file(symbol)];
    let (start_line, end_line) = symbols.lines(symbol);
    let (name, line) = (symbols.name(symbol), symbols.name_line(symbol));
    let parsed = snapshot.parsed(entry)?;
    let found = parsed.symbols.iter().find(|it| it.name_line == line && it.name == name);
    Ok(Spot {
        path: entry.path.clone(),
        line,
        start_line,
        end_line,
        kind: symbols.kind(symbol).name(),
        name: symbols.qualified(symbol, separator(snapshot, symbols.file(symbol))),
        signature: found.map(|it| redact(&it.signature).into_owned()).unwrap_or_default(),
        rank: symbols.rank(symbol),
    })
}

/// What stands between a type and its member in the language of a file.
fn separator(snapshot: &Snapshot, file: usize) -> &'static str {
    let language = Language::named(&snapshot.manifest.files[file].language);
    language.map_or(".", |language| language.separator)
}

/// Uses that mean a symbol for sure, or as sure as can be. What a file defines twice under one name,
/// for two platforms or as a getter and a setter, is one thing. What means a member of a type that it
/// is written for means it too.
pub fn uses_of(symbols: &Symbols, symbol: u32) -> Vec<Use> {
    let twins: Vec<u32> = symbols.twins(symbol).collect();
    let mut uses: Vec<Use> = twins.iter().flat_map(|&twin| symbols.uses_of(twin)).collect();
    let members = twins.iter().filter_map(|&twin| symbols.declared(twin));
    let mut members: Vec<u32> = members.flat_map(|member| symbols.twins(member)).collect();
    members.sort_unstable();
    members.dedup();
    // A class is a constructor's, which is called and never anything else.
    let is_used = |it: &Use| {
        let is_class = it.target.is_some_and(|member| symbols.kind(member).is_type());
        !is_class || it.kind == ReferenceKind::Call
    };
    let through = members.iter().flat_map(|&member| symbols.uses_of(member)).filter(is_used);
    // What is a member's by its name alone is no surer for what is written for it.
    let how = |it: &Use| if it.how == How::OnlyOne { How::OnlyOne } else { How::Declared };
    uses.extend(through.map(|it| Use { how: how(&it), ..it }));
    if twins.len() + members.len() > 1 {
        uses.sort_by_key(|it| it.id);
        uses.dedup_by_key(|it| it.id);
    }
    uses
}

/// What the whole tree hides, and the uses of some names that nobody can tell.
pub fn horizon(snapshot: &Snapshot, same_name_uses: usize) -> Result<Horizon> {
    let coverage = snapshot.links()?.coverage(snapshot.roles());
    let mut notes = Vec::new();
    if same_name_uses > 0 {
        notes.push(format!(
            "{same_name_uses} uses of the same name may mean it too: nothing says what is before them"
        ));
    }
    if coverage.unresolved > 0 {
        notes.push(format!("{} imports lead to no file of the tree", coverage.unresolved));
    }
    let dynamic = coverage.reasons.get(&Reason::Dynamic).copied().unwrap_or_default();
    if dynamic > 0 {
        notes.push(format!("{dynamic} imports are decided when the program runs"));
    }
    notes.push("calls through reflection, generated code and strings are not seen".to_owned());
    Ok(Horizon {
        unresolved_imports: coverage.unresolved,
        dynamic_imports: dynamic,
        same_name_uses,
        notes,
    })
}

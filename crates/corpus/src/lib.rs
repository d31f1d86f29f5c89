//! From a folder of files to chunks, symbols, imports and references.
//!
//! In: a root folder and the project's settings. Out: the files worth indexing, each with its
//! language; what was skipped and why; and, for the text of any file, its [`Parsed`] form.
//! Nothing here ranks, stores or prints.

mod chain;
mod chunk;
mod comment;
mod component;
mod given;
mod headings;
mod highlight;
mod language;
mod leading;
mod lines;
mod listing;
mod matcher;
mod mentions;
mod parse;
mod pattern;
mod python;
mod read;
mod skip;
mod stamp;
mod symbol;
mod syntax;
mod tags;
mod tree;
mod uses;
mod walk;
pub mod worktree;

pub use chunk::{Chunk, ChunkSize};
pub use highlight::{Tint, Token, highlight};
pub use language::{Language, Overrides, Reading, Role, UnknownLanguage};
pub use lines::Lines;
pub use listing::{IgnoreFile, Listed, ListedKind, is_ignore_file, listed};
pub use parse::{Parsed, parse};
#[doc(hidden)]
pub use python::read as read_python;
pub use read::{Digest, Text, decode, read, text_of};
pub use skip::Skip;
pub use stamp::{Links, Stamp, Stamps};
pub use symbol::{Binding, Import, Reference, ReferenceKind, Symbol, SymbolKind, Typed};
pub use syntax::{Node, Syntax};
pub use tags::{Tags, TagsError};
pub use tree::{on_deep_stacks, syntax};
pub use uses::{FILLED, RETURNED};
pub use walk::{Found, OWN_IGNORE, Skipped, Walk, WalkSettings, Watched, is_listed, list, walk};

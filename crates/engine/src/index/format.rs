//! The version of everything at rest, with its history.
//!
//! The index is a cache: a file of another version is not read and not converted, the tree is
//! indexed anew beside it.

/// Raised whenever a file under the cache folder changes its meaning.
///
/// | version | what changed |
/// |---|---|
/// | 1 | packs of parsed files, one manifest a tree, tantivy segments for five text fields |
pub const VERSION: u32 = 1;

/// The first bytes of every file we write ourselves.
pub const MAGIC: [u8; 8] = *b"wherein\n";

//! The version of everything at rest, with its history.
//!
//! The index is a cache: a file of another version is not read and not converted, the tree is
//! indexed anew beside it.

use serde::Serialize;
use serde::de::DeserializeOwned;
use wherein_corpus::Digest;

/// Raised whenever a file under the cache folder changes its meaning.
///
/// | version | what changed |
/// |---|---|
/// | 1 | packs of parsed files, one manifest a tree, tantivy segments for five text fields |
/// | 2 | vectors beside the full text; generations of file ids; compressed parses |
/// | 3 | links between files and a graph of symbols; parses with receivers, bindings and types |
/// | 4 | every file has a sum for each block; a manifest counts the files it is behind with |
/// | 5 | symbols behind what a grammar gave up; a second vector for long chunks |
/// | 6 | a CRC-32 for each 4 KiB, not half a BLAKE3 for each 64 |
pub const VERSION: u32 = 6;

/// The first bytes of every file we write ourselves.
pub const MAGIC: [u8; 8] = *b"wherein\n";

/// Wraps what is to be replaced whole: version and digest in front, so that a part is told from
/// the whole.
pub fn sealed<T: Serialize>(value: &T) -> Vec<u8> {
    let body = postcard::to_stdvec(value).expect("what we store holds nothing unencodable");
    let mut bytes = Vec::with_capacity(SEAL + body.len());
    bytes.extend_from_slice(&MAGIC);
    bytes.extend_from_slice(&VERSION.to_le_bytes());
    bytes.extend_from_slice(&Digest::of(&body).0);
    bytes.extend_from_slice(&body);
    bytes
}

/// What [`sealed`] wrapped, if it is whole and of this version.
pub fn unsealed<T: DeserializeOwned>(bytes: &[u8]) -> Option<T> {
    let (seal, body) = bytes.split_at_checked(SEAL)?;
    let whole = seal.starts_with(&MAGIC)
        && seal[MAGIC.len()..MAGIC.len() + 4] == VERSION.to_le_bytes()
        && seal[MAGIC.len() + 4..] == Digest::of(body).0;
    whole.then(|| postcard::from_bytes(body).ok()).flatten()
}

const SEAL: usize = MAGIC.len() + 4 + 16;

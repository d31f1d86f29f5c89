//! From a file on disk to its text and the hash of its bytes.

use std::borrow::Cow;
use std::fs;
use std::path::Path;

use serde::{Deserialize, Serialize};

use crate::skip::{self, Skip};

/// The first half of a BLAKE3 hash: enough to tell any two contents apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Digest(pub [u8; 16]);

impl Digest {
    /// The digest of some bytes.
    pub fn of(bytes: &[u8]) -> Digest {
        Digest::of_hash(blake3::hash(bytes))
    }

    /// The digest of several parts, each kept apart from the next.
    pub fn of_parts(parts: &[&[u8]]) -> Digest {
        let mut hasher = blake3::Hasher::new();
        for part in parts {
            hasher.update(&(part.len() as u64).to_le_bytes());
            hasher.update(part);
        }
        Digest::of_hash(hasher.finalize())
    }

    /// In hexadecimal, for file names.
    pub fn hex(&self) -> String {
        self.0.iter().map(|byte| format!("{byte:02x}")).collect()
    }

    fn of_hash(hash: blake3::Hash) -> Digest {
        let mut half = [0; 16];
        half.copy_from_slice(&hash.as_bytes()[..16]);
        Digest(half)
    }
}

/// A file's text, and what its bytes hash to.
#[derive(Debug)]
pub struct Text {
    /// Decoded; invalid bytes are replaced.
    pub text: String,
    /// The hash of the bytes on disk.
    pub digest: Digest,
}

/// Reads a file, or says why it is not worth indexing.
pub fn read(path: &Path, max_size: u64) -> Result<Text, Skip> {
    text_of(fs::read(path).map_err(|error| Skip::Unreadable(error.to_string()))?, max_size)
}

/// The same of bytes that come from elsewhere.
pub fn text_of(bytes: Vec<u8>, max_size: u64) -> Result<Text, Skip> {
    if bytes.len() as u64 > max_size {
        return Err(Skip::TooLarge(bytes.len() as u64));
    }
    let digest = Digest::of(&bytes);
    let text = decode(bytes)?;
    match skip::by_text(&text) {
        Some(reason) => Err(reason),
        None => Ok(Text { text, digest }),
    }
}

/// Bytes as text: UTF-8 with or without its mark, UTF-16 with its mark, anything else by
/// replacing what is not UTF-8.
pub fn decode(bytes: Vec<u8>) -> Result<String, Skip> {
    match bytes.as_slice() {
        [0xFF, 0xFE, rest @ ..] => return Ok(utf16(rest, u16::from_le_bytes)),
        [0xFE, 0xFF, rest @ ..] => return Ok(utf16(rest, u16::from_be_bytes)),
        _ if skip::is_binary(&bytes) => return Err(Skip::Binary),
        _ => {}
    }
    Ok(String::from_utf8(bytes).unwrap_or_else(|error| {
        match String::from_utf8_lossy(error.as_bytes()) {
            Cow::Owned(text) => text,
            Cow::Borrowed(text) => text.to_owned(),
        }
    }))
}

fn utf16(bytes: &[u8], unit: fn([u8; 2]) -> u16) -> String {
    let units = bytes.chunks_exact(2).map(|pair| unit([pair[0], pair[1]]));
    char::decode_utf16(units).map(|c| c.unwrap_or(char::REPLACEMENT_CHARACTER)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_usual_encodings_become_text() {
        assert_eq!(decode(b"plain".to_vec()).unwrap(), "plain");
        assert_eq!(decode(b"caf\xe9".to_vec()).unwrap(), "caf\u{fffd}");
        assert_eq!(decode(b"\xff\xfea\0b\0".to_vec()).unwrap(), "ab");
        assert_eq!(decode(b"\xfe\xff\0a\0b".to_vec()).unwrap(), "ab");
        assert_eq!(decode(b"a\0b".to_vec()), Err(Skip::Binary));
    }

    #[test]
    fn parts_are_kept_apart() {
        assert_ne!(Digest::of_parts(&[b"ab", b"c"]), Digest::of_parts(&[b"a", b"bc"]));
    }
}

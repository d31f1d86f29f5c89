//! A file as it travels: its text, parse and vectors in pieces that fit a field of the engine.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde::{Deserialize, Serialize, de::DeserializeOwned};
use wherein_corpus::{Digest, Parsed};
use wherein_encoder::Code;
use wherein_engine::search::recall::gathered::Kept;

use crate::error::{Error, Result};

/// Names a file's content at its path, as one model and one grammar see it. The same file of a
/// fork has the same key; at another path it means something else and is another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Key(pub [u8; 16]);

impl Key {
    /// The key of a file.
    pub fn of(path: &str, parse: Digest, model: &str) -> Key {
        Key(Digest::of_parts(&[path.as_bytes(), &parse.0, model.as_bytes(), &[FORMAT]]).0)
    }

    /// Its name in the engine.
    pub fn hex(&self) -> String {
        Digest(self.0).hex()
    }

    /// Reads its name.
    pub fn read(hex: &str) -> Option<Key> {
        let mut key = [0; 16];
        let is_whole = hex.len() == 2 * key.len() && hex.is_ascii();
        for (at, byte) in key.iter_mut().enumerate().filter(|_| is_whole) {
            *byte = u8::from_str_radix(hex.get(2 * at..2 * at + 2)?, 16).ok()?;
        }
        is_whole.then_some(Key(key))
    }
}

/// Changes when records do, so that old ones are never read as new ones.
const FORMAT: u8 = 2;

/// A file with all that a question may need of it.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Record {
    /// Relative to its repository's root.
    pub path: String,
    /// The digest of its bytes.
    pub content: [u8; 16],
    /// Its language's name.
    pub language: String,
    /// Its text.
    pub text: String,
    /// What it was parsed into.
    pub parsed: Parsed,
    /// The vectors of each chunk, that of the whole first: bytes and scale.
    pub codes: Vec<Vec<(Vec<u8>, f32)>>,
}

impl Record {
    /// As search reads it.
    pub fn kept(self) -> Kept {
        let code = |(bytes, scale): (Vec<u8>, f32)| Code { bytes, scale, ..Code::default() };
        let codes = self.codes.into_iter().map(|it| it.into_iter().map(code).collect()).collect();
        let content = Digest(self.content);
        Kept::new(self.path, content, self.language, self.text.into(), self.parsed, codes)
    }
}

/// Bytes of a piece; a field of the engine holds at most 65,535.
const PIECE: usize = 60_000;

/// More than any record could be.
const MOST: usize = 1 << 30;

/// Something in pieces, each of which is plain text.
pub fn pieces(what: &impl Serialize) -> Result<Vec<String>> {
    let broken = |why: &dyn std::fmt::Display| Error::Engine(format!("a record: {why}"));
    let plain = postcard::to_stdvec(what).map_err(|error| broken(&error))?;
    let packed = zstd::bulk::compress(&plain, 3).map_err(|error| broken(&error))?;
    let text = STANDARD.encode(packed);
    Ok(text.as_bytes().chunks(PIECE).map(|it| String::from_utf8_lossy(it).into_owned()).collect())
}

/// What pieces were made from; they come in their order.
pub fn whole<T: DeserializeOwned>(pieces: &[&str]) -> Result<T> {
    let broken = |why: &dyn std::fmt::Display| Error::Engine(format!("a record is damaged: {why}"));
    let packed = STANDARD.decode(pieces.concat()).map_err(|error| broken(&error))?;
    let plain = zstd::bulk::decompress(&packed, MOST.min(packed.len().saturating_mul(2000)));
    let plain = plain.map_err(|error| broken(&error))?;
    postcard::from_bytes(&plain).map_err(|error| broken(&error))
}

/// A term as the engine's analyzer leaves it whole: ours may hold what it would split.
pub fn written(term: &str) -> String {
    const LONGEST: usize = 32;
    let is_plain = term.len() <= LONGEST && term.bytes().all(|b| b.is_ascii_alphanumeric());
    match is_plain {
        true => term.to_owned(),
        false => format!("x{}", &Digest::of(term.as_bytes()).hex()[..16]),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_record_is_split_and_put_together_again() {
        let noise = |n: u64| Digest::of(&n.to_le_bytes()).hex();
        let text: String = (0..20_000).map(noise).collect();
        let parts = pieces(&text).unwrap();
        assert!(parts.len() > 1 && parts.iter().all(|part| part.len() <= PIECE));
        let parts: Vec<&str> = parts.iter().map(String::as_str).collect();
        assert_eq!(whole::<String>(&parts).unwrap(), text);
        assert!(whole::<String>(&parts[1..]).is_err(), "a missing piece is seen");
    }

    #[test]
    fn terms_stay_whole_and_apart() {
        assert_eq!(written("retry"), "retry");
        let odd = ["retry_count", "größe", "a-b", &"long".repeat(20)];
        for term in odd {
            assert!(written(term).bytes().all(|b| b.is_ascii_alphanumeric()), "{term}");
        }
        assert_ne!(written("größe"), written("grösse"));
    }

    #[test]
    fn a_key_is_read_as_it_is_written() {
        let key = Key::of("src/a.rs", Digest::of(b"x"), "model");
        assert_eq!(Key::read(&key.hex()), Some(key));
        assert_ne!(key, Key::of("src/b.rs", Digest::of(b"x"), "model"));
        assert_eq!(Key::read("zz"), None);
    }
}

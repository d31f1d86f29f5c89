//! A service's key: it goes into one header, and nowhere else.

use std::ffi::OsString;

use wherein_encoder::Error;

/// A key. It cannot be printed.
pub struct Key(String);

impl Key {
    /// The key in the environment variable `name`, whose value is given.
    pub fn new(name: &str, value: Option<OsString>) -> Result<Key, Error> {
        let unusable = |what: &str| Error::Model(format!("the environment variable {name} {what}"));
        let value = value.ok_or_else(|| unusable("is not set; it should hold the key"))?;
        let key = value.to_str().map(str::trim).unwrap_or_default();
        if key.is_empty() || !key.chars().all(|c| c.is_ascii_graphic()) {
            return Err(unusable("does not hold a key: it is empty or has odd characters"));
        }
        Ok(Key(key.to_owned()))
    }

    /// What the service wants to see.
    pub fn header(&self) -> String {
        format!("Bearer {}", self.0)
    }

    /// A text from the service, which may repeat what was sent to it, without the key.
    pub fn hide(&self, text: &str) -> String {
        text.replace(&self.0, "[key]")
    }
}

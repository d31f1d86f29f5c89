//! Which lines a conversation has been shown, so that they need not be sent again.
//!
//! A line counts as shown only while its text is the same.

use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};

/// Lines that are remembered; more than a conversation can hold.
const MOST: usize = 200_000;

/// Lines by file and number, with a digest of their text.
#[derive(Debug, Default)]
pub struct Seen {
    files: HashMap<String, HashMap<u32, u64>>,
    count: usize,
}

impl Seen {
    /// Whether all of these lines have been shown.
    pub fn has(&self, path: &str, lines: &[(u32, String)]) -> bool {
        let Some(known) = self.files.get(path) else { return false };
        !lines.is_empty() && lines.iter().all(|(n, text)| known.get(n) == Some(&digest(text)))
    }

    /// Remembers lines.
    pub fn add(&mut self, path: &str, lines: &[(u32, String)]) {
        if self.count > MOST {
            *self = Seen::default();
        }
        self.count += lines.len();
        let known = self.files.entry(path.to_owned()).or_default();
        known.extend(lines.iter().map(|(n, text)| (*n, digest(text))));
    }
}

fn digest(text: &str) -> u64 {
    let mut hasher = DefaultHasher::new();
    text.hash(&mut hasher);
    hasher.finish()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mcp::answer::numbered;

    #[test]
    fn lines_are_known_until_they_change() {
        let mut seen = Seen::default();
        let lines = numbered("a\nb\nc", 4);
        assert!(!seen.has("x.rs", &lines));
        seen.add("x.rs", &lines);
        assert!(seen.has("x.rs", &lines));
        assert!(seen.has("x.rs", &lines[1..]));
        assert!(!seen.has("y.rs", &lines));
        assert!(!seen.has("x.rs", &numbered("a\nb\nd", 4)));
        assert!(!seen.has("x.rs", &numbered("c\nd", 6)));
        assert!(!seen.has("x.rs", &[]), "what has no lines has not been shown");
    }
}

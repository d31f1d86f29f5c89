//! From what a tool printed to the JSON value in it.
//!
//! Notices may stand before the value and after it. A terminal library may have folded long
//! strings at the width of a screen: JSON has no raw line break inside a string, so one that
//! stands there is a fold and is taken out again.

use serde::de::DeserializeOwned;

use super::call::failed;
use crate::error::Result;

/// The first value that reads as a `T`, from the first line on that opens one.
pub fn read<T: DeserializeOwned>(tool: &str, printed: &[u8]) -> Result<T> {
    let printed = String::from_utf8_lossy(printed);
    let mut reason = None;
    for start in openings(&printed) {
        let unfolded = unfold(&printed[start..]);
        match serde_json::Deserializer::from_str(&unfolded).into_iter::<T>().next() {
            Some(Ok(value)) => return Ok(value),
            Some(Err(error)) => reason = reason.or(Some(error.to_string())),
            None => {}
        }
    }
    let reason = reason.unwrap_or_else(|| format!("no JSON in '{}'", beginning(&printed)));
    Err(failed(tool, &format!("its output cannot be read: {reason}")))
}

/// Where a value may begin: at lines that start with a bracket, and there are few before the one.
fn openings(text: &str) -> Vec<usize> {
    const TRIED: usize = 5;
    let mut at = 0;
    let mut openings = Vec::new();
    for line in text.split_inclusive('\n') {
        if line.starts_with(['{', '[']) {
            openings.push(at);
        }
        at += line.len();
    }
    openings.truncate(TRIED);
    openings
}

fn unfold(text: &str) -> String {
    let mut whole = String::with_capacity(text.len());
    let (mut inside, mut escaped) = (false, false);
    for c in text.chars() {
        if inside && matches!(c, '\n' | '\r') {
            continue;
        }
        inside ^= c == '"' && !escaped;
        escaped = inside && c == '\\' && !escaped;
        whole.push(c);
    }
    whole
}

fn beginning(text: &str) -> String {
    text.trim().chars().take(80).collect()
}

#[cfg(test)]
mod tests {
    use serde::Deserialize;

    use super::*;

    #[derive(Debug, Deserialize)]
    struct Found {
        path: String,
    }

    #[track_caller]
    fn check(printed: &str, expected: &str) {
        assert_eq!(read::<Found>("t", printed.as_bytes()).unwrap().path, expected);
    }

    #[track_caller]
    fn check_error(printed: &str, expected: &str) {
        let error = read::<Found>("t", printed.as_bytes()).unwrap_err().to_string();
        assert!(error.contains(expected), "{error}");
    }

    #[test]
    fn notices_around_the_value_are_passed_over() {
        check("{\"path\": \"a\"}", "a");
        check("Indexing 3 files {ok}\n{\n  \"path\": \"a\"\n}\nSaved.\n", "a");
        check("[notice] loading\n[dim] more\n{\"path\": \"a\"}", "a");
    }

    #[test]
    fn strings_folded_at_the_width_of_a_screen_are_whole_again() {
        check("{\"path\": \"src/a\nnd/so\r\n/on.rs\"}", "src/and/so/on.rs");
        check("{\"other\": \"\\\"\n\\\\\", \"path\":\n \"a\\\n\\\"}", "a\\");
    }

    #[test]
    fn anything_else_is_an_error_that_says_why() {
        check_error("", "t failed: its output cannot be read: no JSON in ''");
        check_error("Error: no index\n", "no JSON in 'Error: no index'");
        check_error("{\"path\": \"a", "EOF while parsing");
        check_error("{\"file\": \"a\"}", "missing field `path`");
    }
}

//! Identifiers into words, exactly as the model saw them in training.

/// Puts a space between `camel` and `Case`, before the last capital of a run of capitals, and in
/// place of underscores.
pub fn split_identifiers(text: &str) -> String {
    let mut split = String::with_capacity(text.len() + text.len() / 8);
    let mut chars = text.chars().peekable();
    let mut before = ' ';
    while let Some(c) = chars.next() {
        if c == '_' {
            split.push(' ');
            before = ' ';
            continue;
        }
        let hump =
            (before.is_ascii_lowercase() || before.is_ascii_digit()) && c.is_ascii_uppercase();
        let acronym = before.is_ascii_uppercase()
            && c.is_ascii_uppercase()
            && chars.peek().is_some_and(char::is_ascii_lowercase);
        if hump || acronym {
            split.push(' ');
        }
        split.push(c);
        before = c;
    }
    split
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn identifiers_become_words() {
        assert_eq!(split_identifiers("getHTTPServer(max_size)"), "get HTTP Server(max size)");
        assert_eq!(split_identifiers("utf8Decode"), "utf8 Decode");
        assert_eq!(split_identifiers("plain words"), "plain words");
    }
}

//! Comment marks off, words kept: what a doc comment says.

/// Longest doc kept with a symbol; the chunk itself still holds the rest.
const MAX_DOC: usize = 600;

/// Adds one source line of a comment to `doc`, without its marks.
pub fn append_line(doc: &mut String, line: &str) {
    if doc.len() > MAX_DOC {
        return;
    }
    let words = strip_marks(line);
    if words.is_empty() {
        return;
    }
    if !doc.is_empty() {
        doc.push('\n');
    }
    doc.push_str(words);
}

/// Cuts an overlong doc at a character boundary.
pub fn clip(mut doc: String) -> String {
    doc.truncate(doc.floor_char_boundary(MAX_DOC));
    doc
}

/// Openers longest first, so that `///` is not read as `//` and a slash.
const OPENERS: [&str; 19] = [
    "/**", "/*!", "/*", "///", "//!", "//", "--[[", "--- |", "-- |", "-- ^", "---", "--", "(**",
    "(*", "{-|", "{-", "<!--", "#!", "=begin",
];
const CLOSERS: [&str; 8] = ["**/", "*/", "*)", "-}", "-->", "]]", "\"\"\"", "'''"];

fn strip_marks(line: &str) -> &str {
    let mut text = line.trim();
    if CLOSERS.contains(&text) {
        return "";
    }
    if let Some(rest) = OPENERS.iter().find_map(|opener| text.strip_prefix(opener)) {
        text = rest;
    } else {
        text = text.trim_start_matches(['#', '*', ';', '%']).trim_start_matches(':');
    }
    for closer in CLOSERS {
        text = text.strip_suffix(closer).unwrap_or(text);
    }
    let text = text.trim();
    strip_docstring_opener(text).trim()
}

/// `r"""Words` → `Words`.
fn strip_docstring_opener(text: &str) -> &str {
    let body = text.trim_start_matches(['r', 'R', 'u', 'U', 'b', 'B', 'f', 'F']);
    for quote in ["\"\"\"", "'''"] {
        if let Some(rest) = body.strip_prefix(quote) {
            return rest;
        }
    }
    match text.as_bytes() {
        [b'"', .., b'"'] | [b'\'', .., b'\''] => &text[1..text.len() - 1],
        _ => text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(comment: &str, expected: &str) {
        let mut doc = String::new();
        comment.lines().for_each(|line| append_line(&mut doc, line));
        assert_eq!(clip(doc), expected);
    }

    #[test]
    fn marks_of_the_usual_languages_come_off() {
        check("/// Adds.\n/// Twice.", "Adds.\nTwice.");
        check("/**\n * Adds.\n */", "Adds.");
        check("# Adds.", "Adds.");
        check("#: Adds.", "Adds.");
        check("-- | Adds.", "Adds.");
        check("(** Adds. *)", "Adds.");
        check("\"\"\"Adds.\n\n    Twice.\n    \"\"\"", "Adds.\nTwice.");
        check("r'''Adds.'''", "Adds.");
        check("'Adds.'", "Adds.");
    }

    #[test]
    fn a_long_doc_is_cut_between_characters() {
        check(&"é".repeat(1000), &"é".repeat(300));
    }
}

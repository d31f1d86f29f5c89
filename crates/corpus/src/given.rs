//! What a macro is given, read as code.
//!
//! To the grammar it is a run of tokens. Most of it is code all the same: items that a macro turns
//! on and off (`cfg_rt! { fn spawn() {} }`), arguments (`assert_eq!(a.len(), 1)`), statements. In:
//! the tokens and the text they stand in. Out: the parts of the text to parse again, in place, so
//! that lines and bytes are the file's own. What the macro makes of them nobody here knows.

use std::ops::Range;

use crate::lines::Lines;
use crate::syntax::Node;

/// The tokens of one macro call.
pub struct Given {
    /// The bytes they take up, brackets included.
    pub bytes: Range<usize>,
    /// What to parse.
    pub parts: Vec<tree_sitter::Range>,
}

/// A macro in what a macro is given, and so on: deeper than people write, and each level may read
/// most of the file again.
pub const MOST_LEVELS: usize = 6;

impl Given {
    /// How to read a run of tokens; `None` where the tokens themselves say as much.
    pub fn of(tokens: &Node, lines: &Lines) -> Option<Given> {
        let (text, bytes) = (lines.text(), tokens.byte_range());
        let inner = text.get(bytes.start + 1..bytes.end.checked_sub(1)?)?;
        if !inner.contains(['.', '(', ':', '{']) {
            return None;
        }
        let parts = match text.as_bytes()[bytes.start] {
            // What stands between the brackets, each of which is one byte.
            b'{' if begins_an_item(inner) => vec![lines.range(bytes.start + 1..bytes.end - 1)],
            b'{' => vec![lines.range(bytes.clone())],
            // An expression is a statement only with its end, which may stand further on.
            _ => {
                let whole = std::iter::once(lines.range(bytes.clone()));
                whole.chain(end_of_statement(bytes.end, lines)).collect()
            }
        };
        Some(Given { bytes, parts })
    }
}

/// The next semicolon, wherever it belongs: the parser takes it for the end of the tokens.
fn end_of_statement(end: usize, lines: &Lines) -> Option<tree_sitter::Range> {
    const FURTHEST: usize = 2000;
    let mut rest = lines.text().as_bytes()[end..].iter().take(FURTHEST);
    let at = end + rest.position(|&byte| byte == b';')?;
    Some(lines.range(at..at + 1))
}

/// Words that items begin with and statements do not.
const ITEMS: [&str; 13] = [
    "pub", "fn", "struct", "enum", "union", "trait", "impl", "use", "mod", "const", "static",
    "type", "extern",
];

/// Whether the first thing after comments and attributes is an item.
fn begins_an_item(text: &str) -> bool {
    let mut rest = text.trim_start();
    loop {
        let after = if rest.starts_with("//") {
            rest.split_once('\n').map(|(_, after)| after)
        } else if rest.starts_with("/*") {
            rest.split_once("*/").map(|(_, after)| after)
        } else if rest.starts_with("#[") || rest.starts_with("#!") {
            after_brackets(rest)
        } else {
            break;
        };
        let Some(after) = after else { return false };
        rest = after.trim_start();
    }
    let rest = rest.trim_start_matches("async ").trim_start_matches("unsafe ");
    let end = rest.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(rest.len());
    ITEMS.contains(&&rest[..end])
}

/// What follows the brackets that a text begins with.
fn after_brackets(text: &str) -> Option<&str> {
    let mut depth = 0usize;
    for (at, byte) in text.bytes().enumerate() {
        match byte {
            b'[' => depth += 1,
            b']' if depth == 1 => return text.get(at + 1..),
            b']' => depth = depth.checked_sub(1)?,
            _ => {}
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn items_are_told_by_their_first_word() {
        for (text, expected) in [
            ("pub fn a() {}", true),
            ("\n  /// Doc.\n  #[cfg(all(a, b = \"[\\\"]\"))]\n  struct A;", true),
            ("#![any(a, b)]\n/* note */ async fn a() {}", true),
            ("let a = 1;", false),
            ("unsafe { a() }", false),
            ("a = b() => c,", false),
            ("public();", false),
            ("#[open", false),
            ("// only a comment", false),
            ("", false),
        ] {
            assert_eq!(begins_an_item(text), expected, "{text}");
        }
    }
}

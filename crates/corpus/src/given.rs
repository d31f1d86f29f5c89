//! What a macro is given, read as code.
//!
//! To the grammar it is a run of tokens. Most of it is code all the same: items that a macro turns
//! on and off (`cfg_rt! { fn spawn() {} }`), arguments (`assert_eq!(a.len(), 1)`), statements. In:
//! the tokens and the text they stand in. Out: the parts of the text to parse again, in place, so
//! that lines and bytes are the file's own. What the macro makes of them nobody here knows.

use std::ops::Range;

use tree_sitter::Point;

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
        let text = lines.text();
        let inner = text.get(tokens.start_byte() + 1..tokens.end_byte().checked_sub(1)?)?;
        if !inner.contains(['.', '(', ':', '{']) {
            return None;
        }
        let parts = match text.as_bytes()[tokens.start_byte()] {
            b'{' if begins_an_item(inner) => vec![inside(tokens, lines)],
            b'{' => vec![range(tokens, lines)],
            // An expression is a statement only with its end, which may stand further on.
            _ => {
                let whole = std::iter::once(range(tokens, lines));
                whole.chain(end_of_statement(tokens, lines)).collect()
            }
        };
        Some(Given { bytes: tokens.byte_range(), parts })
    }
}

fn range(tokens: &Node, lines: &Lines) -> tree_sitter::Range {
    tree_sitter::Range {
        start_byte: tokens.start_byte(),
        end_byte: tokens.end_byte(),
        start_point: lines.point(tokens.start_byte()),
        end_point: lines.point(tokens.end_byte()),
    }
}

/// The range of what stands between the brackets, each of which is one byte.
fn inside(tokens: &Node, lines: &Lines) -> tree_sitter::Range {
    let (start_byte, end_byte) = (tokens.start_byte() + 1, tokens.end_byte() - 1);
    let (start_point, end_point) = (lines.point(start_byte), lines.point(end_byte));
    tree_sitter::Range { start_byte, end_byte, start_point, end_point }
}

/// The next semicolon, wherever it belongs: the parser takes it for the end of the tokens.
fn end_of_statement(tokens: &Node, lines: &Lines) -> Option<tree_sitter::Range> {
    const FURTHEST: usize = 2000;
    let rest = &lines.text().as_bytes()[tokens.end_byte()..];
    let at = rest.iter().take(FURTHEST).position(|&byte| byte == b';')?;
    let start_byte = tokens.end_byte() + at;
    let start_point = lines.point(start_byte);
    let end_point = Point::new(start_point.row, start_point.column + 1);
    Some(tree_sitter::Range { start_byte, end_byte: start_byte + 1, start_point, end_point })
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

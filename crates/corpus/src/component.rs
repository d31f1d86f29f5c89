//! Vue and Svelte single-file components: which lines are script, which style, in what language.

use std::ops::Range;

use crate::language::Language;

/// One `<script>` or `<style>` block's content.
#[derive(Debug, PartialEq)]
pub struct Part {
    /// The language its `lang` attribute names, or the default for its tag.
    pub language: &'static Language,
    /// The bytes between the tags.
    pub bytes: Range<usize>,
}

/// A component has two or three blocks; what goes on like this is none.
const MOST_BLOCKS: usize = 32;

/// The script and style blocks of a component, in order. What is outside them is template.
pub fn parts(text: &str) -> Vec<Part> {
    let mut from = 0;
    let blocks = std::iter::from_fn(|| {
        let (tag, open) = next_open_tag(text, from)?;
        let body = end_of_tag(text, open)?;
        let close = find_ignoring_case(text, body, &format!("</{tag}"))?;
        from = close;
        Some((tag, open, body..close))
    });
    let part = |(tag, open, bytes): (&str, usize, Range<usize>)| {
        let language = language_of(tag, &text[open..bytes.start])?;
        Some(Part { language, bytes })
    };
    blocks.take(MOST_BLOCKS).filter_map(part).collect()
}

/// What follows the `>` of a tag; one in quotes, as in `generic="T extends List<U>"`, ends nothing.
fn end_of_tag(text: &str, open: usize) -> Option<usize> {
    let mut quote = None;
    let mut bytes = text.bytes().enumerate().skip(open);
    let end = bytes.find(|&(_, byte)| {
        match quote {
            None if byte == b'"' || byte == b'\'' => quote = Some(byte),
            Some(open) if open == byte => quote = None,
            _ => {}
        }
        byte == b'>' && quote.is_none()
    });
    end.map(|(at, _)| at + 1)
}

fn next_open_tag(text: &str, from: usize) -> Option<(&'static str, usize)> {
    ["script", "style"]
        .into_iter()
        .filter_map(|tag| find_open_tag(text, from, tag).map(|at| (tag, at)))
        .min_by_key(|(_, at)| *at)
}

/// A `<tag` at the start of a line: nested ones inside templates are not blocks.
fn find_open_tag(text: &str, mut from: usize, tag: &str) -> Option<usize> {
    let opener = format!("<{tag}");
    loop {
        let at = find_ignoring_case(text, from, &opener)?;
        let before = text[..at].trim_end_matches([' ', '\t']);
        let starts_line = before.is_empty() || before.ends_with('\n');
        let ends_name =
            text[at + opener.len()..].starts_with(|c: char| c == '>' || c.is_whitespace());
        if starts_line && ends_name {
            return Some(at);
        }
        from = at + opener.len();
    }
}

fn find_ignoring_case(text: &str, from: usize, needle: &str) -> Option<usize> {
    let (bytes, needle) = (text.as_bytes(), needle.as_bytes());
    (from..(bytes.len() + 1).saturating_sub(needle.len()))
        .find(|&at| bytes[at..at + needle.len()].eq_ignore_ascii_case(needle))
}

fn language_of(tag: &str, attributes: &str) -> Option<&'static Language> {
    let written = attributes.split_once("lang=").map(|(_, rest)| {
        rest.trim_start_matches(['"', '\'']).split(['"', '\'', '>', ' ']).next().unwrap_or_default()
    });
    match (tag, written) {
        ("script", None) => Language::named("javascript"),
        ("style", None) => Language::named("css"),
        (_, Some(name)) => Language::named(name).filter(|language| language.tags().is_some()),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_are_found_with_their_languages() {
        let text = "<template><style></style></template>\n<script lang=\"ts\" setup>\nlet a = 1\n</script>\n<style>\nb {}\n</style>\n";
        let found: Vec<_> =
            parts(text).iter().map(|p| (p.language.name, &text[p.bytes.clone()])).collect();
        assert_eq!(found, [("typescript", "\nlet a = 1\n"), ("css", "\nb {}\n")]);
    }

    #[test]
    fn a_tag_goes_on_in_quotes() {
        let text = "<script lang='ts' generic=\"T extends List<U>\">\nlet a\n</script>";
        let found: Vec<_> = parts(text).iter().map(|p| &text[p.bytes.clone()]).collect();
        assert_eq!(found, ["\nlet a\n"]);
    }

    #[test]
    fn an_unclosed_block_is_left_to_the_template() {
        assert_eq!(parts("<script>\nlet a"), []);
    }
}

//! From prose to its headings: Markdown, reStructuredText, AsciiDoc.
//!
//! Headings become symbols that span their section, so that a chunk of prose knows where in the
//! document it stands. Fenced and indented code is not searched for headings.

use crate::language::Markup;
use crate::lines::Lines;
use crate::symbol::{Symbol, SymbolKind};
use crate::tags::{MAX_NAME, squeeze};

/// The headings of a text, each spanning up to the next one of its level or above.
pub fn headings(lines: &Lines, markup: Markup) -> Vec<Symbol> {
    let found = match markup {
        Markup::Markdown => markdown(lines),
        Markup::ReStructuredText => rst(lines),
        Markup::AsciiDoc => asciidoc(lines),
    };
    nest(found, lines.count())
}

struct Heading {
    title: String,
    level: usize,
    start_line: u32,
    name_line: u32,
}

fn markdown(lines: &Lines) -> Vec<Heading> {
    let mut found: Vec<Heading> = Vec::new();
    let mut fence: Option<&str> = None;
    for number in front_matter(lines) + 1..=lines.count() {
        match (fence, fence_of(lines.line(number))) {
            (None, Some((mark, _))) => fence = Some(mark),
            (Some(open), Some((mark, ""))) if mark.starts_with(open) => fence = None,
            (Some(_), _) => {}
            (None, None) => found.extend(markdown_heading(lines, number)),
        }
    }
    found
}

/// The last line of the settings some sites keep between `---` at the top of a page, or 0.
fn front_matter(lines: &Lines) -> u32 {
    let rule = |number: &u32| lines.line(*number).trim_end() == "---";
    let opens = lines.count() > 0 && rule(&1);
    if opens { (2..=lines.count()).find(rule).unwrap_or(0) } else { 0 }
}

/// The marks that fence code in, and the words after them. Only a fence without words closes, and
/// only one at least as long as the one that opened.
fn fence_of(line: &str) -> Option<(&str, &str)> {
    let line = line.trim();
    let mark = line.chars().next().filter(|&c| c == '`' || c == '~')?;
    let length = line.bytes().take_while(|&byte| byte == mark as u8).count();
    let (marks, words) = line.split_at(length);
    let inline = mark == '`' && words.contains('`');
    (length >= 3 && !inline).then_some((marks, words.trim_start()))
}

fn markdown_heading(lines: &Lines, number: u32) -> Option<Heading> {
    let text = lines.line(number);
    let level = text.bytes().take_while(|&byte| byte == b'#').count();
    if (1..=6).contains(&level) && text[level..].starts_with([' ', '\t']) {
        let title = text[level..].trim().trim_end_matches('#').trim_end().to_owned();
        return heading(title, level, number, number);
    }
    let level = match underline(lines, number + 1)? {
        '=' => 1,
        '-' => 2,
        _ => return None,
    };
    let plain = !text.trim().is_empty() && !text.starts_with([' ', '\t', '>', '|', '-', '*', '#']);
    plain.then(|| heading(text.trim().to_owned(), level, number, number)).flatten()
}

/// Levels follow the order in which a document first uses its underline characters.
fn rst(lines: &Lines) -> Vec<Heading> {
    let mut styles: Vec<(char, bool)> = Vec::new();
    let mut found = Vec::new();
    for number in 1..=lines.count() {
        let text = lines.line(number);
        let Some(mark) = underline(lines, number + 1) else {
            continue;
        };
        let title = text.trim();
        let too_short = lines.line(number + 1).trim_end().chars().count() < title.chars().count();
        let indented = text.starts_with([' ', '\t']);
        if title.is_empty() || too_short || is_rule(text) {
            continue;
        }
        let below_title = found.last().is_some_and(|last: &Heading| last.name_line + 2 == number);
        let overlined = number > 1 && !below_title && underline(lines, number - 1) == Some(mark);
        if indented && !overlined {
            continue;
        }
        let style = (mark, overlined);
        let level = styles.iter().position(|known| *known == style).unwrap_or_else(|| {
            styles.push(style);
            styles.len() - 1
        });
        let start = if overlined { number - 1 } else { number };
        found.extend(heading(title.to_owned(), level + 1, start, number));
    }
    found
}

fn asciidoc(lines: &Lines) -> Vec<Heading> {
    let mut found = Vec::new();
    let mut block: Option<&str> = None;
    for number in 1..=lines.count() {
        match (block, block_mark(lines.line(number))) {
            (None, Some(mark)) if asciidoc_underlined(lines, number - 1).is_none() => {
                block = Some(mark);
            }
            (Some(open), Some(mark)) if open == mark => block = None,
            (None, None) => found.extend(asciidoc_heading(lines, number)),
            _ => {}
        }
    }
    found
}

/// A line that opens a block whose content is no section, and that closes it by coming again.
fn block_mark(line: &str) -> Option<&str> {
    let line = line.trim_end();
    let repeats = line.len() >= 4 && line.bytes().all(|byte| byte == line.as_bytes()[0]);
    (line == "```" || (repeats && line.starts_with(['-', '.', '=', '/', '+']))).then_some(line)
}

fn asciidoc_heading(lines: &Lines, number: u32) -> Option<Heading> {
    let text = lines.line(number);
    let level = text.bytes().take_while(|&byte| byte == b'=').count();
    if (1..=6).contains(&level) && text[level..].starts_with(' ') {
        return heading(text[level..].trim().to_owned(), level, number, number);
    }
    asciidoc_underlined(lines, number)
}

/// The older style: a title at the start of a paragraph, and a line as long as it below.
fn asciidoc_underlined(lines: &Lines, number: u32) -> Option<Heading> {
    if number == 0 || number == lines.count() {
        return None;
    }
    let (title, under) = (lines.line(number).trim_end(), lines.line(number + 1).trim_end());
    let mark = under.chars().next().filter(|&mark| under.chars().all(|c| c == mark))?;
    let level = "=-~^+".find(mark)? + 1;
    let fits = title.chars().count().abs_diff(under.len()) <= 1;
    let words = title.contains(char::is_alphanumeric) && !title.starts_with(['[', '.', ' ', '\t']);
    let above = if number == 1 { "" } else { lines.line(number - 1) };
    let starts = above.trim().is_empty() || above.starts_with('[');
    (fits && words && starts).then(|| heading(title.to_owned(), level, number, number)).flatten()
}

fn heading(title: String, level: usize, start_line: u32, name_line: u32) -> Option<Heading> {
    let title = squeeze(&title, MAX_NAME);
    (!title.is_empty()).then_some(Heading { title, level, start_line, name_line })
}

/// The character a line repeats, if the line is nothing but an underline.
fn underline(lines: &Lines, number: u32) -> Option<char> {
    (number >= 1 && number <= lines.count())
        .then(|| lines.line(number))
        .filter(|l| is_rule(l))?
        .chars()
        .next()
}

fn is_rule(line: &str) -> bool {
    let line = line.trim_end();
    let mut chars = line.chars();
    let Some(first) = chars.next() else {
        return false;
    };
    line.len() >= 3 && "=-~^\"'#*+.:_`".contains(first) && chars.all(|c| c == first)
}

fn nest(found: Vec<Heading>, last_line: u32) -> Vec<Symbol> {
    let mut symbols: Vec<Symbol> = Vec::with_capacity(found.len());
    let mut around: Vec<(usize, u32)> = Vec::new();
    for (i, heading) in found.iter().enumerate() {
        around.retain(|(level, _)| *level < heading.level);
        let end = found[i + 1..].iter().find(|later| later.level <= heading.level);
        let titles = around.iter().map(|(_, symbol)| symbols[*symbol as usize].name.as_str());
        symbols.push(Symbol {
            name: heading.title.clone(),
            scope: titles.collect::<Vec<_>>().join(" > "),
            kind: SymbolKind::Heading,
            parent: around.last().map(|(_, symbol)| *symbol),
            start_line: heading.start_line,
            end_line: end.map_or(last_line, |later| later.start_line - 1),
            name_line: heading.name_line,
            signature: heading.title.clone(),
            doc: String::new(),
        });
        around.push((heading.level, i as u32));
    }
    symbols
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(markup: Markup, text: &str, expected: &[(&str, &str, u32, u32)]) {
        let symbols = headings(&Lines::of(text), markup);
        let found: Vec<_> = symbols
            .iter()
            .map(|s| (s.scope.as_str(), s.name.as_str(), s.start_line, s.end_line))
            .collect();
        assert_eq!(found, expected);
    }

    #[test]
    fn markdown_headings_nest_and_fences_hide_theirs() {
        check(
            Markup::Markdown,
            "# Top\ntext\n## Part\n```\n# not this\n```\nOther\n=====\nend\n",
            &[("", "Top", 1, 6), ("Top", "Part", 3, 6), ("", "Other", 7, 9)],
        );
    }

    #[test]
    fn a_fence_closes_with_its_like_and_settings_at_the_top_are_no_heading() {
        check(
            Markup::Markdown,
            "---\ntitle: Page\n---\n````md\n```\n# code\n```\n````\n```a``` b\n# One\n",
            &[("", "One", 10, 10)],
        );
        check(Markup::Markdown, "---\nnot settings\n# One\n", &[("", "One", 3, 3)]);
    }

    #[test]
    fn rst_levels_follow_first_use() {
        check(
            Markup::ReStructuredText,
            "=====\nTitle\n=====\n\nPart\n----\n\ntext\n\nNext\n----\n",
            &[("", "Title", 1, 11), ("Title", "Part", 5, 9), ("Title", "Next", 10, 11)],
        );
    }

    #[test]
    fn an_underline_is_not_the_overline_of_the_next_title() {
        check(
            Markup::ReStructuredText,
            "Book\n====\n\nPart\n----\nNext\n----\n",
            &[("", "Book", 1, 7), ("Book", "Part", 4, 5), ("Book", "Next", 6, 7)],
        );
    }

    #[test]
    fn asciidoc_titles_may_be_underlined_and_blocks_fenced_at_any_length() {
        check(
            Markup::AsciiDoc,
            "git-add(1)\n==========\n\nNAME\n----\nwords\n\n[code]\n------\n== code\n------\n\nDESC\n----\n",
            &[
                ("", "git-add(1)", 1, 14),
                ("git-add(1)", "NAME", 4, 12),
                ("git-add(1)", "DESC", 13, 14),
            ],
        );
    }

    #[test]
    fn asciidoc_counts_equals_signs() {
        check(
            Markup::AsciiDoc,
            "= Book\n\n== One\n----\n== code\n----\n",
            &[("", "Book", 1, 6), ("Book", "One", 3, 6)],
        );
    }
}

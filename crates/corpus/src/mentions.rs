//! What prose points to: links to other files, and code it mentions by name.
//!
//! In: the lines of a document. Out: links as imports, and words in code marks as references, the
//! names before the last as their receiver. Addresses of other hosts are not kept.

use std::collections::{BTreeMap, BTreeSet};

use memchr::memmem::Finder;

use crate::language::Markup;
use crate::lines::Lines;
use crate::symbol::{Import, Reference, ReferenceKind};

/// Links and mentions, in a fixed order.
pub fn mentions(lines: &Lines, markup: Markup) -> (Vec<Import>, Vec<Reference>) {
    let marks = marks(markup);
    let mut imports = Vec::new();
    let mut mentioned: BTreeMap<(String, String), BTreeSet<u32>> = BTreeMap::new();
    for number in 1..=lines.count() {
        let line = lines.line(number);
        // Longer lines are data, whatever the file is called.
        if line.len() > MAX_LINE {
            continue;
        }
        for target in links(line, &marks) {
            let source = target.to_owned();
            imports.push(Import { source, line: number, dynamic: false, names: Vec::new() });
        }
        for (receiver, name) in code(line).filter_map(named) {
            let key = (name.to_owned(), receiver.to_owned());
            mentioned.entry(key).or_default().insert(number);
        }
    }
    imports.sort_by(|a, b| (a.line, &a.source).cmp(&(b.line, &b.source)));
    imports.dedup();
    let kind = ReferenceKind::Name;
    let references = mentioned.into_iter().map(|((name, receiver), lines)| Reference {
        name,
        kind,
        receiver,
        lines: lines.into_iter().collect(),
    });
    (imports, references.collect())
}

const MAX_LINE: usize = 2000;

/// What a target stands after, ready to be looked for in every line, and what ends it.
type Mark = (Finder<'static>, &'static [char]);

fn marks(markup: Markup) -> Vec<Mark> {
    let marks: &[(&str, &[char])] = match markup {
        Markup::Markdown => &[("](", &[')', ' ']), ("]: ", &[' '])],
        Markup::ReStructuredText => {
            &[(":doc:`", &['`']), (".. literalinclude:: ", &[' ']), (".. include:: ", &[' '])]
        }
        Markup::AsciiDoc => &[("link:", &['[']), ("xref:", &['[']), ("include::", &['['])],
    };
    marks.iter().map(|(mark, ends)| (Finder::new(*mark), *ends)).collect()
}

/// Targets of links that stay inside the tree, without the part after `#`.
fn links<'l>(line: &'l str, marks: &[Mark]) -> Vec<&'l str> {
    let mut found = Vec::new();
    for (mark, ends) in marks {
        for at in mark.find_iter(line.as_bytes()) {
            let rest = &line[at + mark.needle().len()..];
            let target = &rest[..rest.find(*ends).unwrap_or(rest.len())];
            // `:doc:` may carry a title before the target.
            let target = target.rsplit_once('<').map_or(target, |(_, inner)| inner);
            let target = target.trim_matches(['<', '>']).split(['#', '?']).next().unwrap_or("");
            let elsewhere = target.contains("://") || target.starts_with("mailto:");
            if !target.is_empty() && !elsewhere && target.len() <= 200 {
                found.push(target);
            }
        }
    }
    found
}

/// What stands between backticks, one or several.
fn code(line: &str) -> impl Iterator<Item = &str> {
    line.split('`').skip(1).filter(|part| !part.is_empty() && part.len() <= 120)
}

/// `a.b.c()` → `a.b`, `c`: only what looks like a name in code does, not a word of prose.
fn named(text: &str) -> Option<(&str, &str)> {
    let text = text.trim_start_matches('~');
    let text = text.rsplit_once('<').map_or(text, |(_, inner)| inner.trim_end_matches('>'));
    let called = text.split_once('(').filter(|(_, rest)| rest.ends_with(')'));
    let path = called.map_or(text, |(path, _)| path).trim_start_matches('.');
    let plain = |c: char| c.is_alphanumeric() || matches!(c, '_' | '.' | ':' | '#' | '$');
    if path.is_empty() || !path.chars().all(plain) || path.starts_with(|c: char| c.is_numeric()) {
        return None;
    }
    let (receiver, name) = match path.rfind(['.', ':', '#']) {
        Some(at) => (path[..at].trim_end_matches(':'), &path[at + 1..]),
        None => ("", path),
    };
    let shaped = called.is_some()
        || !receiver.is_empty()
        || name.contains('_')
        || name.chars().any(char::is_uppercase);
    (shaped && name.len() >= 2 && !receiver.contains(':')).then_some((receiver, name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, markup: Markup, links: &[&str], names: &[&str]) {
        let (imports, references) = mentions(&Lines::of(text), markup);
        let found: Vec<&str> = imports.iter().map(|import| import.source.as_str()).collect();
        assert_eq!(found, links, "{text}");
        let found: Vec<String> =
            references.iter().map(|it| format!("{}|{}", it.receiver, it.name)).collect();
        assert_eq!(found, names, "{text}");
    }

    #[test]
    fn links_and_code_are_found_in_prose() {
        use Markup::*;
        check("See [it](../a.md#b) and `run_it()`.", Markdown, &["../a.md"], &["|run_it"]);
        check("[x](https://a.b/c) `word`", Markdown, &[], &[]);
        check("[x]: ./b.md", Markdown, &["./b.md"], &[]);
        check(
            ":class:`~django.db.models.Model` in :doc:`/topics/db`",
            ReStructuredText,
            &["/topics/db"],
            &["django.db.models|Model"],
        );
        check("``Foo.bar()`` and ``a b``", ReStructuredText, &[], &["Foo|bar"]);
        check("link:x.adoc[y] `A_B`", AsciiDoc, &["x.adoc"], &["|A_B"]);
    }
}

//! Markup that cannot be broken by what is written into it.
//!
//! In: names of elements, which are constants of this program, and any text. Out: [`Markup`]. Text
//! becomes markup only by being escaped; the one way around that takes constants.

use std::fmt::{Display, Write};

/// A piece of the page, all text in it escaped.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Markup(String);

/// Names and values of attributes.
pub type Attributes<'a> = &'a [(&'static str, &'a dyn Display)];

impl Markup {
    /// Markup that is part of this program.
    pub fn fixed(markup: &'static str) -> Markup {
        Markup(markup.to_owned())
    }

    /// As it is written to a file.
    pub fn into_string(self) -> String {
        self.0
    }
}

impl From<&str> for Markup {
    fn from(text: &str) -> Markup {
        Markup(escape(text))
    }
}

impl From<String> for Markup {
    fn from(text: String) -> Markup {
        text.as_str().into()
    }
}

impl From<Vec<Markup>> for Markup {
    fn from(parts: Vec<Markup>) -> Markup {
        parts.into_iter().collect()
    }
}

impl<const N: usize> From<[Markup; N]> for Markup {
    fn from(parts: [Markup; N]) -> Markup {
        parts.into_iter().collect()
    }
}

impl FromIterator<Markup> for Markup {
    fn from_iter<I: IntoIterator<Item = Markup>>(parts: I) -> Markup {
        Markup(parts.into_iter().map(Markup::into_string).collect())
    }
}

/// One element with what is in it.
pub fn element(name: &'static str, attributes: Attributes, content: impl Into<Markup>) -> Markup {
    let mut markup = format!("<{name}");
    for (name, value) in attributes {
        let _ = write!(markup, " {name}=\"{}\"", escape(&value.to_string()));
    }
    let _ = write!(markup, ">{}</{name}>", content.into().0);
    Markup(markup)
}

/// A heading; the first level is the page's own.
pub fn heading(level: usize, content: impl Into<Markup>) -> Markup {
    const NAMES: [&str; 6] = ["h1", "h2", "h3", "h4", "h5", "h6"];
    element(NAMES[level.clamp(1, NAMES.len()) - 1], &[], content)
}

/// A table whose first column names the rows.
pub struct Table {
    /// What it shows.
    pub caption: Markup,
    /// One heading a column.
    pub head: Vec<Markup>,
    /// As many cells a row as there are headings.
    pub rows: Vec<Vec<Markup>>,
}

impl Table {
    /// The table, in a box of its own that scrolls where the page is too narrow.
    pub fn markup(self) -> Markup {
        let heading = |cell| element("th", &[("scope", &"col")], [cell]);
        let head = element("tr", &[], self.head.into_iter().map(heading).collect::<Markup>());
        let rows: Markup = self.rows.into_iter().map(row).collect();
        let table = element(
            "table",
            &[],
            [
                element("caption", &[], [self.caption]),
                element("thead", &[], [head]),
                element("tbody", &[], [rows]),
            ],
        );
        element("div", &[("class", &"wide")], [table])
    }
}

fn row(cells: Vec<Markup>) -> Markup {
    let cell = |(number, cell)| match number {
        0 => element("th", &[("scope", &"row")], [cell]),
        _ => element("td", &[], [cell]),
    };
    element("tr", &[], cells.into_iter().enumerate().map(cell).collect::<Markup>())
}

/// A list of at most `most` entries; the rest is counted.
pub fn list(entries: impl ExactSizeIterator<Item = Markup>, most: usize) -> Markup {
    let left = entries.len().saturating_sub(most);
    let mut items: Vec<Markup> =
        entries.take(most).map(|entry| element("li", &[], [entry])).collect();
    if left > 0 {
        items.push(element("li", &[("class", &"note")], format!("and {left} more")));
    }
    element("ul", &[], items)
}

/// Characters with a meaning in markup become references; those that no page may hold become the
/// sign for an unreadable one.
fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\'' => escaped.push_str("&#39;"),
            '\n' | '\t' => escaped.push(character),
            '\r' => {}
            _ if character.is_control() => escaped.push(char::REPLACEMENT_CHARACTER),
            _ => escaped.push(character),
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(markup: Markup, expected: &str) {
        assert_eq!(markup.into_string(), expected);
    }

    #[test]
    fn text_never_becomes_markup() {
        check(
            "<script>alert('1') && \"2\"</script>".into(),
            concat!("&lt;script&gt;alert(&#39;1&#39;) &amp;&amp; ", "&quot;2&quot;&lt;/script&gt;"),
        );
        check("a\0b\u{1b}[0m\r\n\tc".into(), "a\u{fffd}b\u{fffd}[0m\n\tc");
    }

    #[test]
    fn neither_content_nor_attributes_escape_their_element() {
        check(
            element("p", &[("title", &"\"><b>")], "1 < 2"),
            concat!("<p title=\"&quot;&gt;&lt;b&gt;\">", "1 &lt; 2</p>"),
        );
        check(element("p", &[], [element("b", &[], "x"), "&".into()]), "<p><b>x</b>&amp;</p>");
    }

    #[test]
    fn a_table_names_its_columns_and_rows() {
        let table = Table {
            caption: "what".into(),
            head: vec!["a".into(), "b".into()],
            rows: vec![vec!["<c>".into(), "d".into()]],
        };
        check(
            table.markup(),
            concat!(
                "<div class=\"wide\"><table><caption>what</caption>",
                "<thead><tr><th scope=\"col\">a</th><th scope=\"col\">b</th></tr></thead>",
                "<tbody><tr><th scope=\"row\">&lt;c&gt;</th><td>d</td></tr></tbody></table></div>"
            ),
        );
    }

    #[test]
    fn a_long_list_says_how_much_is_left() {
        let entries = || ["a", "b", "c"].map(Markup::from).into_iter();
        check(list(entries(), 3), "<ul><li>a</li><li>b</li><li>c</li></ul>");
        check(
            list(entries(), 1),
            concat!("<ul><li>a</li>", "<li class=\"note\">and 2 more</li></ul>"),
        );
    }
}

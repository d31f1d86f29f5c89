//! Drawings: small data in, SVG out, by hand. Colours and fonts come from the page's style, so a
//! drawing has a light and a dark look like everything around it.

pub mod bars;
pub mod histogram;
pub mod radar;

use std::fmt::{self, Display};

use super::html::{Markup, element};

/// A point, from the upper left.
pub type Point = (f64, f64);

/// The width of a drawing that fills the page.
pub const WIDTH: f64 = 920.0;

/// Colours of the palette in the page's style; more runs than that share them, dashed.
const COLOURS: usize = 8;

/// What a drawing is, for those who cannot see it.
pub struct Drawing {
    /// Its size.
    pub size: Point,
    /// Its name.
    pub title: String,
    /// What it shows, in words.
    pub description: String,
}

impl Drawing {
    /// The drawing with its parts, from the back to the front.
    pub fn svg(&self, parts: Vec<Markup>) -> Markup {
        let (width, height) = (Px(self.size.0), Px(self.size.1));
        let content = [
            element("title", &[], self.title.as_str()),
            element("desc", &[], self.description.as_str()),
            parts.into(),
        ];
        let view = format!("0 0 {width} {height}");
        element(
            "svg",
            &[("role", &"img"), ("viewBox", &view), ("width", &width), ("height", &height)],
            content,
        )
    }
}

/// A length: to a tenth, and no digits that say nothing.
#[derive(Clone, Copy)]
pub struct Px(pub f64);

impl Display for Px {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        // Adding 0 turns −0 into 0.
        write!(f, "{}", (self.0 * 10.0).round() / 10.0 + 0.0)
    }
}

/// Which part of a text stands at its point.
#[derive(Clone, Copy)]
pub enum Anchor {
    /// Its beginning.
    Start,
    /// Its middle.
    Middle,
    /// Its end.
    End,
}

impl Display for Anchor {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(match self {
            Anchor::Start => "start",
            Anchor::Middle => "middle",
            Anchor::End => "end",
        })
    }
}

/// A straight line.
pub fn line(class: &'static str, from: Point, to: Point) -> Markup {
    let [x1, y1, x2, y2] = [from.0, from.1, to.0, to.1].map(Px);
    let ends: [(&str, &dyn Display); 5] =
        [("class", &class), ("x1", &x1), ("y1", &y1), ("x2", &x2), ("y2", &y2)];
    element("line", &ends, Markup::default())
}

/// A rectangle in the colour of a run, with words for the pointer that rests on it.
pub fn block(colour: usize, corner: Point, size: Point, words: String) -> Markup {
    let [x, y, width, height] = [corner.0, corner.1, size.0, size.1].map(Px);
    let class = format!("block {}", run_class(colour));
    let box_: [(&str, &dyn Display); 5] =
        [("class", &class), ("x", &x), ("y", &y), ("width", &width), ("height", &height)];
    element("rect", &box_, [element("title", &[], words)])
}

/// A text on one line.
pub fn text(class: &'static str, at: Point, anchor: Anchor, words: impl Into<Markup>) -> Markup {
    let (x, y) = (Px(at.0), Px(at.1));
    element("text", &[("class", &class), ("x", &x), ("y", &y), ("text-anchor", &anchor)], words)
}

/// How a run's marks are coloured and dashed.
pub fn run_class(colour: usize) -> String {
    format!("run-{} dash-{}", colour % COLOURS, colour / COLOURS % 3)
}

/// A run's line, as a key to drawings.
fn swatch(colour: usize) -> Markup {
    let class = format!("swatch {}", run_class(colour));
    let stroke = line("mark", (0.0, 6.0), (24.0, 6.0));
    element(
        "svg",
        &[("class", &class), ("aria-hidden", &"true"), ("width", &24), ("height", &12)],
        [stroke],
    )
}

/// A run's line and its name.
pub fn run_name(colour: usize, label: &str) -> Markup {
    element("span", &[("class", &"run")], [swatch(colour), element("span", &[], label)])
}

/// The key to a drawing of several runs.
pub fn legend<'l>(runs: impl Iterator<Item = (usize, &'l str)>) -> Markup {
    let entry = |(colour, label): (usize, &str)| element("li", &[], [run_name(colour, label)]);
    element("ul", &[("class", &"legend")], runs.map(entry).collect::<Markup>())
}

/// At most `most` characters; what is left out is taken from the middle, because names of
/// repositories and paths differ at either end.
pub fn shortened(words: &str, most: usize) -> String {
    let characters: Vec<char> = words.chars().collect();
    if characters.len() <= most {
        return words.to_owned();
    }
    let (head, tail) = ((most - 1).div_ceil(2), (most - 1) / 2);
    let tail = &characters[characters.len() - tail..];
    characters[..head].iter().chain(['…'].iter()).chain(tail).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lengths_are_short() {
        assert_eq!([1.0, 2.54, -0.01].map(|px| Px(px).to_string()), ["1", "2.5", "0"]);
    }

    #[test]
    fn long_names_keep_both_ends() {
        #[track_caller]
        fn check(words: &str, most: usize, expected: &str) {
            assert_eq!(shortened(words, most), expected);
        }
        check("short", 5, "short");
        check("abcdefgh", 5, "ab…gh");
        check("abcdefgh", 6, "abc…gh");
        check("äöüßäöüß", 4, "äö…ß");
    }

    #[test]
    fn more_runs_than_colours_differ_by_their_dashes() {
        assert_eq!(run_class(1), "run-1 dash-0");
        assert_eq!(run_class(9), "run-1 dash-1");
    }

    #[test]
    fn words_in_a_drawing_are_escaped() {
        let legend = legend([(0, "<b>")].into_iter()).into_string();
        assert!(legend.contains("<span>&lt;b&gt;</span>"), "{legend}");
        let drawing =
            Drawing { size: (1.0, 2.0), title: "<t>".to_owned(), description: "<d>".to_owned() };
        let expected = concat!(
            "<svg role=\"img\" viewBox=\"0 0 1 2\" width=\"1\" height=\"2\">",
            "<title>&lt;t&gt;</title><desc>&lt;d&gt;</desc></svg>"
        );
        assert_eq!(drawing.svg(Vec::new()).into_string(), expected);
    }
}

//! What of a file is wanted: `PATH`, `PATH:LINE` or `PATH:FIRST-LAST`, as answers write it.

use wherein_corpus::Symbol;

/// Lines of a definition that is read whole: fewer are a field, more are a file of their own.
const LEAST: u32 = 3;
const MOST: u32 = 120;
/// Lines on both sides of a line that stands in no such definition.
const AROUND: u32 = 20;

/// What of a file is wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wanted {
    /// All of it.
    File,
    /// The definition around a line.
    Line(u32),
    /// From a line to another.
    Lines(u32, u32),
}

/// `a.rs`, `a.rs:12`, `a.rs:12-40`.
pub fn parsed(span: &str) -> (&str, Wanted) {
    let whole = (span, Wanted::File);
    let Some((path, lines)) = span.rsplit_once(':') else { return whole };
    match lines.split_once('-') {
        Some((first, last)) => match (first.parse(), last.parse()) {
            (Ok(first), Ok(last)) => (path, Wanted::Lines(first, last)),
            _ => whole,
        },
        None => lines.parse().map_or(whole, |line| (path, Wanted::Line(line))),
    }
}

impl Wanted {
    /// The first line and the last, of a file with so many and with these definitions; so many more
    /// on both sides. `None` if the file has no such lines.
    pub fn lines(self, symbols: &[Symbol], last: u32, context: u32) -> Option<(u32, u32)> {
        let (first, end) = match self {
            Wanted::File => (1, last),
            Wanted::Lines(first, end) => (first, end.min(last)),
            Wanted::Line(line) => definition(symbols, line.min(last + 1), last),
        };
        let is_there = first > 0 && first <= end;
        let around = (first.saturating_sub(context).max(1), end.saturating_add(context).min(last));
        is_there.then_some(around)
    }
}

/// The innermost definition of code around a line, if it is of a size to be read at once; else the
/// lines on both sides.
fn definition(symbols: &[Symbol], line: u32, last: u32) -> (u32, u32) {
    let holds = |symbol: &&Symbol| {
        (symbol.start_line..=symbol.end_line).contains(&line)
            && (LEAST..=MOST).contains(&(symbol.end_line - symbol.start_line + 1))
    };
    let innermost = symbols.iter().filter(holds).min_by_key(|it| it.end_line - it.start_line);
    match innermost {
        Some(symbol) => (symbol.start_line, symbol.end_line.min(last)),
        None if line > last => (line, last),
        None => (line.saturating_sub(AROUND).max(1), (line + AROUND).min(last)),
    }
}

#[cfg(test)]
mod tests {
    use wherein_corpus::{ChunkSize, Language, Lines, parse};

    use super::*;

    #[test]
    fn a_line_gives_the_definition_around_it() {
        let method = "class A:\n    def b(self):\n        c()\n        d()\n        e()\n";
        let long = format!("def f():\n{}", "    g()\n".repeat(299));
        let text = format!("{method}{long}");
        let lines = Lines::of(&text);
        let python = Language::named("python").unwrap();
        let symbols = parse(&lines, python, ChunkSize::default()).symbols;
        let at = |line| definition(&symbols, line, 305);
        assert_eq!(at(3), (2, 5), "the method, not the class");
        assert_eq!(at(1), (1, 5), "the class");
        assert_eq!(at(150), (130, 170), "the function is too long");
        assert_eq!(at(305), (285, 305));
        assert_eq!(at(400), (400, 305), "there is no such line");
    }

    #[test]
    fn spans_are_read_as_answers_write_them() {
        for (span, expected) in [
            ("src/a.rs", ("src/a.rs", Wanted::File)),
            ("src/a.rs:12", ("src/a.rs", Wanted::Line(12))),
            ("src/a.rs:12-40", ("src/a.rs", Wanted::Lines(12, 40))),
            ("src/a.rs:x", ("src/a.rs:x", Wanted::File)),
            ("src/a.rs:1-x", ("src/a.rs:1-x", Wanted::File)),
            ("a:b:3", ("a:b", Wanted::Line(3))),
        ] {
            assert_eq!(parsed(span), expected, "{span}");
        }
    }

    #[test]
    fn lines_that_a_file_does_not_have_are_none() {
        let lines = |wanted: Wanted, context| wanted.lines(&[], 50, context);
        assert_eq!(lines(Wanted::File, 0), Some((1, 50)));
        assert_eq!(lines(Wanted::Lines(40, 90), 5), Some((35, 50)));
        assert_eq!(lines(Wanted::Lines(0, 3), 0), None);
        assert_eq!(lines(Wanted::Lines(51, 60), 9), None);
        assert_eq!(lines(Wanted::Line(u32::MAX), 0), None);
        assert_eq!(Wanted::File.lines(&[], 0, 0), None, "an empty file");
    }
}

//! From what tools of grep's kind print to matching lines.

use std::path::Path;

use super::listing::relative;

/// A line that matches something.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// Relative to the tree, with forward slashes.
    pub path: String,
    /// Counted from 1.
    pub number: u32,
    /// Without its end.
    pub text: String,
}

/// Reads `path NUL number:text`. Anything else, such as a remark on a binary file, is no line.
pub fn after_nul(printed: &[u8], root: &Path) -> Vec<Line> {
    let one = |line: &[u8]| {
        let at = line.iter().position(|&byte| byte == 0)?;
        let (path, rest) = (&line[..at], &line[at + 1..]);
        let colon = rest.iter().position(|&byte| byte == b':')?;
        self::line(path, &rest[..colon], &rest[colon + 1..], root)
    };
    printed.split(|&byte| byte == b'\n').filter_map(one).collect()
}

/// Reads `path:number:text`. A path may hold colons: it ends at the first that numbers follow.
pub fn after_colon(printed: &[u8], root: &Path) -> Vec<Line> {
    let one = |line: &[u8]| {
        let colons = || (0..line.len()).filter(|&at| line[at] == b':');
        colons().zip(colons().skip(1)).find_map(|(first, second)| {
            self::line(&line[..first], &line[first + 1..second], &line[second + 1..], root)
        })
    };
    printed.split(|&byte| byte == b'\n').filter_map(one).collect()
}

fn line(path: &[u8], number: &[u8], text: &[u8], root: &Path) -> Option<Line> {
    let number = std::str::from_utf8(number).ok()?.parse().ok()?;
    let path = relative(&String::from_utf8_lossy(path), root);
    let text = String::from_utf8_lossy(text).trim_end_matches('\r').to_owned();
    (!path.is_empty()).then_some(Line { path, number, text })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(lines: &[Line], expected: &[(&str, u32, &str)]) {
        let found: Vec<_> =
            lines.iter().map(|l| (l.path.as_str(), l.number, l.text.as_str())).collect();
        assert_eq!(found, expected);
    }

    #[test]
    fn a_nul_ends_the_path() {
        let printed = b"./src/a:1:b.rs\x007:let x: u8 = 1;\r\n./b\xff.py\x0012:\n";
        let expected = [("src/a:1:b.rs", 7, "let x: u8 = 1;"), ("b\u{fffd}.py", 12, "")];
        check(&after_nul(printed, Path::new("/t")), &expected);
    }

    #[test]
    fn a_number_between_colons_ends_the_path() {
        let printed = b"/t/src/a.rs:7:a: 1:2: b\n/t/odd:name.py:12:x\n/t/c.py:3:\n";
        let expected = [("src/a.rs", 7, "a: 1:2: b"), ("odd:name.py", 12, "x"), ("c.py", 3, "")];
        check(&after_colon(printed, Path::new("/t")), &expected);
    }

    #[test]
    fn remarks_are_no_lines() {
        let remarks = b"Binary file ./a matches (found \"\\0\" byte around offset 4)\n\n--\n";
        check(&after_nul(remarks, Path::new("/t")), &[]);
        check(&after_colon(remarks, Path::new("/t")), &[]);
        check(&after_nul(b"", Path::new("/t")), &[]);
    }

    #[test]
    fn long_lines_are_one_line() {
        let text = "word ".repeat(100);
        let printed = format!("./{}/a.js\x001:{text}\n", "deep/".repeat(40));
        check(
            &after_nul(printed.as_bytes(), Path::new("/t")),
            &[(&format!("{}/a.js", "deep/".repeat(40)), 1, &text)],
        );
    }
}

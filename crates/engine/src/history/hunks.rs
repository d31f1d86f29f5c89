//! Where two texts differ, line by line.

use std::ops::Range;

use imara_diff::{Algorithm, Diff, InternedInput};

/// Lines that were replaced and the lines that replaced them, counted from 0.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hunk {
    /// Of the older text.
    pub before: Range<u32>,
    /// Of the newer.
    pub after: Range<u32>,
}

/// What differs between two texts, in their order.
pub fn hunks(before: &[u8], after: &[u8]) -> Vec<Hunk> {
    let input = InternedInput::new(before, after);
    let mut diff = Diff::compute(Algorithm::Histogram, &input);
    diff.postprocess_lines(&input);
    diff.hunks().map(|hunk| Hunk { before: hunk.before, after: hunk.after }).collect()
}

/// The line of the older text that a line of the newer one was, if it is unchanged.
pub fn line_before(hunks: &[Hunk], line: u32) -> Option<u32> {
    let past = hunks.partition_point(|hunk| hunk.after.start <= line);
    let Some(hunk) = past.checked_sub(1).map(|last| &hunks[last]) else { return Some(line) };
    match hunk.after.contains(&line) {
        true => None,
        false => Some(hunk.before.end + (line - hunk.after.end)),
    }
}

/// The line of the newer text that a line of the older one is, if it is unchanged.
pub fn line_after(hunks: &[Hunk], line: u32) -> Option<u32> {
    let past = hunks.partition_point(|hunk| hunk.before.start <= line);
    let Some(hunk) = past.checked_sub(1).map(|last| &hunks[last]) else { return Some(line) };
    match hunk.before.contains(&line) {
        true => None,
        false => Some(hunk.after.end + (line - hunk.before.end)),
    }
}

/// First and last line, counted from 1.
pub fn counted(lines: &Range<u32>) -> (u32, u32) {
    (lines.start + 1, lines.end)
}

/// How many lines two texts share, as a share of the longer.
pub fn likeness(before: &[u8], after: &[u8]) -> f32 {
    let input = InternedInput::new(before, after);
    let diff = Diff::compute(Algorithm::Histogram, &input);
    let longer = input.before.len().max(input.after.len());
    let kept = input.after.len() - diff.count_additions() as usize;
    if longer == 0 { 0.0 } else { kept as f32 / longer as f32 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(before: &str, after: &str, expected: &[Option<u32>]) {
        let back = hunks(before.as_bytes(), after.as_bytes());
        let forth = hunks(after.as_bytes(), before.as_bytes());
        for line in 0..after.lines().count() as u32 {
            let expected = expected[line as usize];
            assert_eq!(line_before(&back, line), expected, "{before:?} {after:?}");
            assert_eq!(line_after(&forth, line), expected, "{after:?} {before:?}");
        }
    }

    #[test]
    fn unchanged_lines_are_followed_back() {
        check("a\nb\nc\n", "a\nb\nc\n", &[Some(0), Some(1), Some(2)]);
        check("a\nb\nc\n", "x\na\nb\nc\n", &[None, Some(0), Some(1), Some(2)]);
        check("a\nb\nc\n", "a\nc\n", &[Some(0), Some(2)]);
        check("a\nb\nc\nd\n", "b\nX\nd\n", &[Some(1), None, Some(3)]);
        check("", "a\n", &[None]);
    }

    #[test]
    fn likeness_is_the_share_of_common_lines() {
        assert_eq!(likeness(b"a\nb\nc\nd\n", b"a\nb\nx\nd\n"), 0.75);
        assert_eq!(likeness(b"a\n", b"b\n"), 0.0);
        assert_eq!(likeness(b"", b""), 0.0);
    }
}

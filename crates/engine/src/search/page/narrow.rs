//! Which lines of a long span further down the page make its hit.
//!
//! The first hits are read as a whole; of those below a reader wants to know whether they are worth opening. They show
//! the lines that hold most of the question and what stands around them, and end there: the hit's place is what is shown.

/// Hits that keep all lines of their spans, from the top.
///
/// With [`MOST_LINES`], chosen on 2026-11-19 on the development halves, by how much of the lines that octocode's code
/// questions ask for is shown, and semble's recall of files at 2k tokens by the published rule. All whole: .763 among
/// the first five hits and .795 within 2,000 tokens; .970. From the fourth on at most 30, 25 or 20 lines: .763, .760,
/// .762 and .795 at each; .977, .984, .986. 25 lines from the third on: .745, .785, .985. From the first on octocode's
/// MRR falls from .908 to .881.
const WHOLE: usize = 3;

/// Lines that a hit below them may have.
const MOST_LINES: u32 = 25;

/// First and last line of the hit at this place, counted from 0, whose span has these lines and this text. `wanted` are
/// lines of it, the most important first; where there are none, nothing says which others could be spared.
pub fn narrow(
    place: usize,
    (first, last): (u32, u32),
    text: &str,
    wanted: impl FnOnce() -> Vec<u32>,
) -> (u32, u32) {
    if place < WHOLE || last - first < MOST_LINES {
        return (first, last);
    }
    let Some(core) = together(&wanted()) else { return (first, last) };
    let before = (MOST_LINES - (core.1 - core.0 + 1)) / 2;
    let start = core.0.saturating_sub(before).clamp(first, last + 1 - MOST_LINES);
    without_blank_ends(first, text, (start, start + MOST_LINES - 1))
}

/// From the first to the last of as many lines as stand near enough together, the best always.
fn together(wanted: &[u32]) -> Option<(u32, u32)> {
    let (&best, others) = wanted.split_first()?;
    let take = |(first, last): (u32, u32), &line: &u32| {
        let wider = (first.min(line), last.max(line));
        if wider.1 - wider.0 < MOST_LINES { wider } else { (first, last) }
    };
    Some(others.iter().fold((best, best), take))
}

/// Some lines of a text that starts at line `first`, but for blank ones above and below.
fn without_blank_ends(first: u32, text: &str, (start, end): (u32, u32)) -> (u32, u32) {
    let numbered = (first..).zip(text.lines());
    let inside = numbered.filter(|(line, _)| (start..=end).contains(line));
    let mut held = inside.filter(|(_, text)| !text.trim().is_empty()).map(|(line, _)| line);
    let from = held.next().unwrap_or(start);
    (from, held.last().unwrap_or(from))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A span of lines 101 to `last`, every tenth of which is blank.
    fn narrowed(place: usize, last: u32, wanted: &[u32]) -> (u32, u32) {
        let lines = (101..=last).map(|line| if line % 10 == 0 { "\n" } else { "x\n" });
        narrow(place, (101, last), &lines.collect::<String>(), || wanted.to_vec())
    }

    #[test]
    fn only_long_spans_below_the_first_hits_lose_lines() {
        let short = (101, 125);
        assert_eq!([0, 2, 3, 9].map(|place| narrowed(place, 125, &[101])), [short; 4]);
        let (whole, cut) = ((101, 126), (101, 125));
        let found = [0, 2, 3, 9].map(|place| narrowed(place, 126, &[101]));
        assert_eq!(found, [whole, whole, cut, cut]);
    }

    #[track_caller]
    fn check(wanted: &[u32], expected: (u32, u32)) {
        assert_eq!(narrowed(3, 165, wanted), expected, "{wanted:?}");
    }

    #[test]
    fn what_is_left_lies_around_the_lines_that_are_wanted() {
        check(&[134], (122, 146));
        check(&[131, 140], (124, 148));
        check(&[140, 131], (124, 148));
        check(&[101], (101, 125));
        check(&[165], (141, 165));
    }

    #[test]
    fn what_stands_too_far_from_the_best_is_left_out() {
        check(&[131, 160, 121], (114, 138));
        check(&[101, 125], (101, 125));
        check(&[101, 126], (101, 125));
    }

    #[test]
    fn no_hit_begins_or_ends_with_a_blank_line() {
        check(&[142], (131, 154));
        check(&[138], (126, 149));
    }

    #[test]
    fn where_nothing_is_wanted_all_lines_stay() {
        check(&[], (101, 165));
    }
}

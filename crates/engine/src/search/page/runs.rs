//! Which texts are nearly the same.
//!
//! A text is taken as the bag of its runs of three tokens, whitespace left aside. Two texts are
//! copies if what they have in common is at least nine tenths of all they hold: in a long text one
//! token in sixty may differ, in a short one hardly any, for each changed token breaks three runs.
//!
//! Of 84,948 pairs of chunks with the same name on the pages of three development benchmarks
//! (2026-11-15), 1,704 are the same, 193 have a likeness of .95 or more and 339 of .90 to .95; from
//! there on down there are ever more, and those are variations, not copies.

use std::cmp::Ordering;
use std::collections::HashSet;

/// Least likeness of copies.
const COPY: f32 = 0.9;

/// Tokens in a run.
const RUN: usize = 3;

/// The runs of a text, hashed and sorted; one that stands there twice is there twice.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Runs(Vec<u64>);

impl Runs {
    /// The runs of `text`; a text of fewer tokens is one run.
    pub fn of(text: &str) -> Runs {
        let tokens: Vec<&str> = tokens(text).collect();
        let mut runs: Vec<u64> = match tokens.len() {
            0 => Vec::new(),
            n if n < RUN => vec![hash(&tokens)],
            _ => tokens.windows(RUN).map(hash).collect(),
        };
        runs.sort_unstable();
        Runs(runs)
    }

    /// Whether the texts are nearly the same. A text without tokens is like no other.
    pub fn are_like(&self, other: &Runs) -> bool {
        let (fewer, more) = (self.0.len().min(other.0.len()), self.0.len().max(other.0.len()));
        // The rest need not be compared if the lengths alone forbid it.
        fewer > 0 && fewer as f32 >= COPY * more as f32 && self.likeness(other) >= COPY
    }

    /// What both hold, as a share of all that either holds.
    fn likeness(&self, other: &Runs) -> f32 {
        let (mut left, mut right, mut common) = (0, 0, 0);
        while let (Some(a), Some(b)) = (self.0.get(left), other.0.get(right)) {
            let order = a.cmp(b);
            common += usize::from(order == Ordering::Equal);
            left += usize::from(order != Ordering::Greater);
            right += usize::from(order != Ordering::Less);
        }
        common as f32 / (self.0.len() + other.0.len() - common) as f32
    }

    /// How much of the text is in none that was seen, between 0 and 1.
    pub fn share_unseen(&self, seen: &HashSet<u64>) -> f32 {
        let unseen = self.0.iter().filter(|run| !seen.contains(run)).count();
        unseen as f32 / self.0.len().max(1) as f32
    }

    /// Adds the text to what was seen.
    pub fn enter(&self, seen: &mut HashSet<u64>) {
        seen.extend(&self.0);
    }
}

/// Words, and every other character by itself.
fn tokens(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = text;
    std::iter::from_fn(move || {
        rest = rest.trim_start();
        let first = rest.chars().next()?;
        let end = match is_word(first) {
            true => rest.find(|c| !is_word(c)).unwrap_or(rest.len()),
            false => first.len_utf8(),
        };
        let (token, after) = rest.split_at(end);
        rest = after;
        Some(token)
    })
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// FNV-1a: the same on every machine, and short texts are all it gets.
fn hash(tokens: &[&str]) -> u64 {
    let bytes = tokens.iter().flat_map(|token| token.bytes().chain([0]));
    bytes.fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const LONG: &str = "fn retry(name: &str, most: u32) -> Result<u32> {\n    for attempt in 0..most {\n        if send(name)? {\n            return Ok(attempt);\n        }\n        wait(attempt);\n    }\n    Err(Error::GaveUp(most))\n}\n\nfn wait(attempt: u32) {\n    sleep(Duration::from_millis(1 << attempt));\n}";

    #[track_caller]
    fn check(one: &str, other: &str, expected: bool) {
        let (one, other) = (Runs::of(one), Runs::of(other));
        assert_eq!(one.are_like(&other), expected, "{}", one.likeness(&other));
        assert_eq!(other.are_like(&one), expected);
    }

    #[test]
    fn a_copy_may_be_laid_out_anew_and_differ_in_a_token() {
        check(LONG, LONG, true);
        check(LONG, &LONG.replace("\n    ", "\n\t").replace("    ", "\t"), true);
        check(LONG, &LONG.replace("GaveUp", "TimedOut"), true);
    }

    #[test]
    fn a_text_with_other_tokens_is_no_copy() {
        check(LONG, &LONG.replace("attempt", "round"), false);
        check(LONG, &LONG.replace("retry", "resend").replace("GaveUp", "TimedOut"), false);
        check(LONG, &LONG[..LONG.len() / 2], false);
        check("fn first() -> u32 { self.first }", "fn last() -> u32 { self.last }", false);
        check("x", "y", false);
        check("x", "x", true);
        check("", "", false);
    }

    #[test]
    fn what_stands_there_twice_counts_twice() {
        check(&"weigh(parcel);\n".repeat(10), &"weigh(parcel);\n".repeat(20), false);
    }

    #[test]
    fn what_was_seen_is_not_new() {
        let mut seen = HashSet::new();
        Runs::of(LONG).enter(&mut seen);
        assert_eq!(Runs::of(LONG).share_unseen(&seen), 0.0);
        let with_more = format!("{LONG}{}", LONG.replace("attempt", "round"));
        let share = Runs::of(&with_more).share_unseen(&seen);
        assert!(0.05 < share && share < 0.5, "{share}");
    }
}

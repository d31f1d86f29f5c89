//! As much as is useful within a number of tokens.
//!
//! How many hits are named depends on the order and the budget alone, so that a larger budget never
//! loses a file: as many as have room for their signatures in a part of the budget, or for their whole
//! bodies in all of it. Then bodies take the place of signatures, those first that hold much that is
//! good and new for their length; the last one is cut to fit.

use std::collections::HashSet;

use crate::search::answer::{Hit, Spent};

use super::draft::Draft;
use super::runs::Runs;

/// The part of the budget that signatures may take: a fourth.
///
/// Semble's recall of relevant files on a page of 2,000 tokens, development half, 2026-11-15: .962 with
/// an eighth, .979 with a fourth, .990 with a half; .946 if bodies are listed until it is full. It counts
/// a file that is only named like one that is shown, so most of the budget is kept for lines.
const SIGNATURES: usize = 4;

/// Keeps what fits, in its order.
pub fn pack(drafts: Vec<Draft>, budget: usize) -> (Vec<Hit>, Spent) {
    let mut parcels: Vec<Parcel> = drafts.into_iter().map(Parcel::of).collect();
    parcels.truncate(how_many(&parcels, budget));
    let mut left = budget - parcels.iter().map(|parcel| parcel.brief).sum::<usize>();
    let mut seen = HashSet::new();
    while let Some(best) = best_within(left, &parcels, &seen) {
        left -= parcels[best].extra();
        parcels[best].is_whole = true;
        parcels[best].runs.enter(&mut seen);
    }
    if let Some(best) = parcels.iter_mut().find(|parcel| !parcel.is_whole) {
        best.room = left;
    }
    let hits: Vec<Hit> = parcels.into_iter().map(Parcel::unpack).collect();
    let used = hits.iter().map(Hit::tokens).sum();
    (hits, Spent { budget, used })
}

/// The longest list whose signatures fit into their part, or the longest that fits with the bodies of
/// all but the last.
fn how_many(parcels: &[Parcel], budget: usize) -> usize {
    let fitting = |sizes: &mut dyn Iterator<Item = (usize, usize)>, budget: usize| {
        let mut before = 0;
        let mut fits = |(last, size): (usize, usize)| {
            let fits = before + last <= budget;
            before += size;
            fits
        };
        sizes.take_while(|&sizes| fits(sizes)).count()
    };
    let briefs = fitting(&mut parcels.iter().map(|it| (it.brief, it.brief)), budget / SIGNATURES);
    let bodies = fitting(&mut parcels.iter().map(|it| (it.brief, it.whole)), budget);
    briefs.max(bodies)
}

/// The body with the most that is good and new for its length, of those that fit. A body four times as
/// long has to be twice as good: by length itself, the best answer would give way to scraps.
fn best_within(left: usize, parcels: &[Parcel], seen: &HashSet<u64>) -> Option<usize> {
    let gain = |parcel: &Parcel| {
        parcel.draft.hit.score * parcel.runs.share_unseen(seen) / (parcel.whole as f32).sqrt()
    };
    let fitting = (0..).zip(parcels).filter(|(_, it)| !it.is_whole && it.extra() <= left);
    let gains: Vec<(usize, f32)> = fitting.map(|(n, parcel)| (n, gain(parcel))).collect();
    gains.into_iter().max_by(|a, b| a.1.total_cmp(&b.1).then(b.0.cmp(&a.0))).map(|(n, _)| n)
}

/// A hit with what it costs.
struct Parcel {
    draft: Draft,
    runs: Runs,
    /// Tokens of the signature, or of the body if that is shorter.
    brief: usize,
    /// Tokens of the body.
    whole: usize,
    is_whole: bool,
    /// Tokens for a part of the body.
    room: usize,
}

impl Parcel {
    fn of(draft: Draft) -> Parcel {
        let whole = draft.hit.tokens();
        let brief = draft.hit.tokens_with(draft.signature.len()).min(whole);
        let runs = Runs::of(&draft.hit.snippet);
        Parcel { draft, runs, brief, whole, is_whole: whole == brief, room: 0 }
    }

    fn extra(&self) -> usize {
        self.whole - self.brief
    }

    fn unpack(mut self) -> Hit {
        if !self.is_whole && (self.room == 0 || !self.draft.shrink(self.brief + self.room)) {
            self.draft.sign();
        }
        self.draft.hit
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use proptest::prelude::*;

    use super::*;
    use crate::search::page::draft::tests::draft;

    /// Hits of some files, each `(file, lines, seed)`, with scores that fall.
    fn drafts(hits: &[(usize, usize, usize)]) -> Vec<Draft> {
        let body = |lines: usize, seed: usize| -> Vec<String> {
            (0..lines)
                .map(|n| format!("    let word_{seed}_{n} = call({n}, {});", "x".repeat(n % 40)))
                .collect()
        };
        let draft = |(place, &(file, lines, seed)): (usize, &(usize, usize, usize))| {
            let lines = body(lines, seed);
            let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
            let mut draft = draft(&format!("src/file_{file}.rs"), &lines, 11, &[12]);
            draft.hit.score = 1.0 / (1.0 + place as f32);
            draft
        };
        hits.iter().enumerate().map(draft).collect()
    }

    fn files(hits: &[Hit]) -> BTreeSet<&str> {
        hits.iter().map(|hit| hit.path.as_str()).collect()
    }

    fn any_hits() -> impl Strategy<Value = Vec<(usize, usize, usize)>> {
        prop::collection::vec((0..12usize, 1..40usize, 0..8usize), 0..25)
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(50))]

        #[test]
        fn a_page_is_never_above_its_budget(hits in any_hits(), budget in 0..6000usize) {
            let (packed, spent) = pack(drafts(&hits), budget);
            prop_assert!(spent.used <= budget, "{spent:?}");
            prop_assert_eq!(spent.used, packed.iter().map(Hit::tokens).sum::<usize>());
        }

        #[test]
        fn a_larger_budget_never_loses_a_file(
            hits in any_hits(), budget in 0..6000usize, more in 0..3000usize
        ) {
            let (small, large) = (pack(drafts(&hits), budget).0, pack(drafts(&hits), budget + more).0);
            prop_assert!(files(&small).is_subset(&files(&large)));
            prop_assert!(small.len() <= large.len());
        }

        #[test]
        fn what_can_be_filled_is_filled(hits in any_hits(), budget in 400..6000usize) {
            let (packed, spent) = pack(drafts(&hits), budget);
            let is_all = packed.len() == hits.len()
                && packed.iter().all(|hit| !hit.signature_only && hit.shown.is_empty());
            prop_assert!(is_all || spent.used * 100 >= budget * 95, "{spent:?}");
        }

        #[test]
        fn the_order_is_kept(hits in any_hits(), budget in 0..6000usize) {
            let (packed, _) = pack(drafts(&hits), budget);
            prop_assert!(packed.is_sorted_by(|a, b| a.score >= b.score));
            prop_assert_eq!(packed.len(), packed.iter().zip(drafts(&hits)).filter(|(hit, draft)| hit.path == draft.hit.path).count());
        }
    }

    /// What becomes of each hit: `w`hole, `p`art, `s`ignature.
    #[track_caller]
    fn check(hits: &[(usize, usize, usize)], budget: usize, expected: &str) {
        let state = |hit: &Hit| match (hit.signature_only, hit.shown.is_empty()) {
            (true, _) => 's',
            (_, true) => 'w',
            (_, false) => 'p',
        };
        let (packed, _) = pack(drafts(hits), budget);
        assert_eq!(packed.iter().map(state).collect::<String>(), expected);
    }

    #[test]
    fn short_bodies_come_before_an_endless_one() {
        check(&[(1, 10, 1), (2, 59, 2), (3, 10, 3)], 450, "wpw");
        check(&[(1, 10, 1), (2, 59, 2), (3, 10, 3)], 5000, "www");
    }

    #[test]
    fn what_was_shown_already_gives_way_to_what_is_new() {
        check(&[(1, 20, 1), (2, 20, 1), (3, 20, 2)], 500, "wpw");
    }

    #[test]
    fn a_budget_for_nothing_holds_nothing() {
        check(&[(1, 10, 1)], 0, "");
        check(&[(1, 10, 1)], 12, "s");
        check(&[], 1000, "");
    }
}

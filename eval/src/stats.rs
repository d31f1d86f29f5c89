//! How sure a mean is: from per-question figures to 95 % intervals and verdicts.
//!
//! Intervals are percentile bootstraps: questions are redrawn with replacement, groups are kept,
//! so the interval speaks of other questions about the same repositories. The generator is our own
//! and seeded with a constant: the same figures always give the same interval.

use serde::{Deserialize, Serialize};

/// A mean and how far it may be off.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct Interval {
    /// The mean itself.
    pub mean: f64,
    /// 2.5 % of redrawn samples lie below.
    pub low: f64,
    /// 2.5 % of redrawn samples lie above.
    pub high: f64,
}

/// Redrawn samples; at 2,000 the ends move by less than a tenth of the interval's width.
const RESAMPLES: usize = 2000;
const SEED: u64 = 0x7768_6572_6569_6e21;

/// The interval of the mean over groups of the mean within each. One group gives the plain mean.
///
/// Empty groups say nothing and are left out; `None` if all are empty.
pub fn bootstrap(groups: &[Vec<f64>]) -> Option<Interval> {
    let groups: Vec<&[f64]> =
        groups.iter().map(Vec::as_slice).filter(|group| !group.is_empty()).collect();
    if groups.is_empty() {
        return None;
    }
    let mut random = Random(SEED);
    let mut means: Vec<f64> = (0..RESAMPLES).map(|_| redrawn_mean(&groups, &mut random)).collect();
    means.sort_by(f64::total_cmp);
    let mean = groups.iter().map(|group| mean(group)).sum::<f64>() / groups.len() as f64;
    // Rounding may put all resamples of equal values a hair beside their mean.
    let (low, high) = (percentile(&means, 0.025).min(mean), percentile(&means, 0.975).max(mean));
    Some(Interval { mean, low, high })
}

/// The value below which a share of the sorted values lies, by the nearest rank.
pub fn percentile(sorted: &[f64], share: f64) -> f64 {
    let place = (share * sorted.len() as f64).ceil() as usize;
    sorted.get(place.clamp(1, sorted.len().max(1)) - 1).copied().unwrap_or(0.0)
}

fn redrawn_mean(groups: &[&[f64]], random: &mut Random) -> f64 {
    let redrawn = |group: &&[f64]| {
        let sum: f64 = (0..group.len()).map(|_| group[random.below(group.len())]).sum();
        sum / group.len() as f64
    };
    groups.iter().map(redrawn).sum::<f64>() / groups.len() as f64
}

fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len() as f64
}

/// What a difference between two runs amounts to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "lowercase")]
pub enum Verdict {
    /// The second run is better on questions of this kind.
    Better,
    /// The second run is worse on questions of this kind.
    Worse,
    /// The interval holds 0: other questions might as well say the opposite.
    Noise,
    /// No question differs.
    Same,
}

impl Verdict {
    /// Reads a difference off its interval.
    pub fn of(difference: Interval) -> Verdict {
        match difference {
            Interval { mean, low, high } if mean == 0.0 && low == 0.0 && high == 0.0 => {
                Verdict::Same
            }
            Interval { low, .. } if low > 0.0 => Verdict::Better,
            Interval { high, .. } if high < 0.0 => Verdict::Worse,
            _ => Verdict::Noise,
        }
    }

    /// For people.
    pub fn words(self) -> &'static str {
        match self {
            Verdict::Better => "better",
            Verdict::Worse => "worse",
            Verdict::Noise => "noise: the interval holds 0",
            Verdict::Same => "the same on every question",
        }
    }
}

/// SplitMix64: small, fast, and good enough to draw questions from a hat.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    fn below(&mut self, bound: usize) -> usize {
        (((self.next() >> 32) * bound as u64) >> 32) as usize
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn of(values: &[f64]) -> Interval {
        bootstrap(&[values.to_vec()]).unwrap()
    }

    #[test]
    fn the_generator_is_the_published_one() {
        // First outputs of SplitMix64 for seed 1234567, from its reference implementation.
        let mut random = Random(1_234_567);
        let first: Vec<u64> = (0..3).map(|_| random.next()).collect();
        assert_eq!(
            first,
            [6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423]
        );
    }

    #[test]
    fn the_interval_of_a_coin_is_near_the_normal_one() {
        // 400 questions, half right: 0.5 ± 1.96 × sqrt(0.25 / 400) = 0.5 ± 0.049.
        let values: Vec<f64> = (0..400).map(|n| f64::from(n % 2)).collect();
        let Interval { mean, low, high } = of(&values);
        assert_eq!(mean, 0.5);
        assert!((low - 0.451).abs() < 0.006 && (high - 0.549).abs() < 0.006, "{low} {high}");
    }

    #[test]
    fn groups_count_alike_whatever_their_size() {
        let groups = [vec![1.0; 30], vec![0.0], vec![]];
        assert_eq!(bootstrap(&groups).unwrap().mean, 0.5);
        assert_eq!(bootstrap(&[]), None);
    }

    #[test]
    fn equal_figures_leave_no_doubt() {
        let Interval { mean, low, high } = of(&[0.1; 7]);
        assert!((mean - 0.1).abs() < 1e-12 && high - low < 1e-12);
    }

    #[test]
    fn percentiles_by_the_nearest_rank() {
        let sorted: Vec<f64> = (1..=20).map(f64::from).collect();
        assert_eq!([0.5, 0.95, 1.0].map(|share| percentile(&sorted, share)), [10.0, 19.0, 20.0]);
        assert_eq!(percentile(&[7.0], 0.5), 7.0);
    }

    #[test]
    fn verdicts_follow_the_interval() {
        #[track_caller]
        fn check(low: f64, mean: f64, high: f64, verdict: Verdict) {
            assert_eq!(Verdict::of(Interval { mean, low, high }), verdict);
        }
        check(0.01, 0.02, 0.03, Verdict::Better);
        check(-0.03, -0.02, -0.01, Verdict::Worse);
        check(-0.01, 0.02, 0.05, Verdict::Noise);
        check(0.0, 0.01, 0.02, Verdict::Noise);
        check(0.0, 0.0, 0.0, Verdict::Same);
    }

    proptest! {
        #[test]
        fn the_interval_holds_its_mean_and_stays_in_range(
            values in prop::collection::vec(0.0f64..=1.0, 1..40)
        ) {
            let Interval { mean, low, high } = of(&values);
            prop_assert!(low <= mean && mean <= high);
            prop_assert!(low >= 0.0 && high <= 1.0 + 1e-12);
            prop_assert_eq!(of(&values), Interval { mean, low, high });
        }
    }
}

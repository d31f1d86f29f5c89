//! From a ranked list and the right answers to the figures of information retrieval.
//!
//! In: hits, best first, and targets with grades. Out: numbers between 0 and 1 (but see
//! [`Judged::ndcg`]). Nothing here knows where hits come from.
//!
//! Gains are the grades themselves, discounted by the binary logarithm of the rank plus one: that
//! form gives the worked example of the spans benchmark its DCG of 1.76 and IDCG of 2.63. The
//! exponential form (2^grade − 1) would give 2.39 and 3.63.

use crate::question::Target;
use crate::searcher::Hit;

/// A ranked list seen through the right answers.
///
/// ```
/// use wherein_eval::Hit;
/// use wherein_eval::metrics::Judged;
/// use wherein_eval::question::{Span, Target};
///
/// let target = Target { span: Span { path: "a.rs".into(), lines: Some((10, 50)) }, grade: 2.0 };
/// let hit = |path: &str, start, end| Hit { path: path.into(), lines: Some((start, end)), bytes: 0 };
/// let list = Judged::new(&[target], &[hit("b.rs", 1, 9), hit("a.rs", 50, 60)]);
/// assert_eq!((list.first(), list.hit(1), list.reciprocal(10)), (Some(2), 0.0, 0.5));
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Judged {
    grades: Vec<f64>,
    /// For each hit the targets it touches.
    touched: Vec<Vec<usize>>,
}

impl Judged {
    /// Looks up what every hit touches.
    pub fn new(targets: &[Target], hits: &[Hit]) -> Judged {
        let touched_by = |hit: &Hit| {
            let touched = targets.iter().enumerate().filter(|(_, target)| target.span.touches(hit));
            touched.map(|(number, _)| number).collect()
        };
        Judged {
            grades: targets.iter().map(|target| target.grade).collect(),
            touched: hits.iter().map(touched_by).collect(),
        }
    }

    /// The same list with every right answer worth the same.
    pub fn binary(mut self) -> Judged {
        self.grades.fill(1.0);
        self
    }

    /// Where the first right hit stands, from 1.
    pub fn first(&self) -> Option<usize> {
        self.touched.iter().position(|touched| !touched.is_empty()).map(|place| place + 1)
    }

    /// Hit@k: 1 if any of the first `k` hits is right.
    pub fn hit(&self, k: usize) -> f64 {
        f64::from(self.first().is_some_and(|first| first <= k))
    }

    /// Reciprocal rank of the first right hit within `k`; its mean over questions is MRR@k.
    pub fn reciprocal(&self, k: usize) -> f64 {
        self.first().filter(|&first| first <= k).map_or(0.0, |first| 1.0 / first as f64)
    }

    /// Recall@k: the share of targets that one of the first `k` hits touches.
    pub fn recall(&self, k: usize) -> f64 {
        share(self.found(k), self.grades.len())
    }

    /// How many targets the first `k` hits touch.
    pub fn found(&self, k: usize) -> usize {
        (0..self.grades.len()).filter(|&target| self.rank_of(target, k).is_some()).count()
    }

    /// 1 if the first `k` hits touch every target.
    pub fn perfect(&self, k: usize) -> f64 {
        f64::from(self.found(k) == self.grades.len())
    }

    /// The mean over targets of one over the rank of the first hit that touches it, within `k`.
    ///
    /// This is the reciprocal rank of the evidence benchmark: its published ceiling of .765 fits
    /// no other reading.
    pub fn reciprocal_of_each(&self, k: usize) -> f64 {
        let ranks = (0..self.grades.len()).filter_map(|target| self.rank_of(target, k));
        let sum = ranks.fold(0.0, |sum, rank| sum + 1.0 / rank as f64);
        sum / self.grades.len().max(1) as f64
    }

    /// Precision@k: the share of `k` slots that hold a right hit; an empty slot is a wrong one.
    pub fn precision(&self, k: usize) -> f64 {
        let right = self.touched.iter().take(k).filter(|touched| !touched.is_empty());
        share(right.count(), k)
    }

    /// NDCG@k as the spans benchmark publishes it: a hit earns the best grade it touches, so two
    /// hits in one target both earn and the figure can exceed 1.
    pub fn ndcg(&self, k: usize) -> f64 {
        self.against_ideal(&self.gains(), k)
    }

    /// NDCG@k where every target is earned once and every hit earns one target at most.
    pub fn ndcg_once(&self, k: usize) -> f64 {
        self.against_ideal(&self.gains_once(), k)
    }

    fn gains(&self) -> Vec<f64> {
        let best = |touched: &Vec<usize>| {
            touched.iter().map(|&target| self.grades[target]).fold(0.0, f64::max)
        };
        self.touched.iter().map(best).collect()
    }

    fn gains_once(&self) -> Vec<f64> {
        let mut open = vec![true; self.grades.len()];
        let mut earn = |touched: &Vec<usize>| {
            let left = touched.iter().copied().filter(|&target| open[target]);
            let best = left.max_by(|&a, &b| self.grades[a].total_cmp(&self.grades[b]));
            best.map_or(0.0, |target| {
                open[target] = false;
                self.grades[target]
            })
        };
        self.touched.iter().map(&mut earn).collect()
    }

    fn against_ideal(&self, gains: &[f64], k: usize) -> f64 {
        let ideal = self.ideal(k);
        if ideal > 0.0 { dcg(gains, k) / ideal } else { 0.0 }
    }

    fn ideal(&self, k: usize) -> f64 {
        let mut best_first = self.grades.clone();
        best_first.sort_by(|a, b| b.total_cmp(a));
        dcg(&best_first, k)
    }

    fn rank_of(&self, target: usize, k: usize) -> Option<usize> {
        let mut within = self.touched.iter().take(k);
        within.position(|touched| touched.contains(&target)).map(|place| place + 1)
    }
}

/// The discounted sum of the first `k` gains.
pub fn dcg(gains: &[f64], k: usize) -> f64 {
    let discounted = |(place, gain): (usize, &f64)| gain / (place as f64 + 2.0).log2();
    // Not `sum`: that of nothing is −0, and would be written so.
    gains.iter().take(k).enumerate().map(discounted).fold(0.0, |sum, gain| sum + gain)
}

/// The first hit of every file, in the order of the list: files ranked by their best chunk.
pub fn distinct_files(hits: &[Hit]) -> Vec<Hit> {
    let mut seen = std::collections::HashSet::new();
    hits.iter().filter(|hit| seen.insert(hit.path.as_str())).cloned().collect()
}

/// Rubric points over ten slots: 3 if every target is in the first five, 2 if every one is in the
/// first ten or half of them in the first five, 1 if any is in the first ten.
pub fn rubric_points(judged: &Judged) -> f64 {
    let (in_five, in_ten, all) = (judged.found(5), judged.found(10), judged.grades.len());
    match () {
        _ if in_five == all => 3.0,
        _ if in_ten == all || in_five * 2 >= all => 2.0,
        _ if in_ten > 0 => 1.0,
        _ => 0.0,
    }
}

/// Tokens are counted as a quarter of the bytes, which is near what tokenizers make of code.
const BYTES_PER_TOKEN: usize = 4;

/// How many hits fit whole into a budget of tokens.
pub fn hits_within(hits: &[Hit], tokens: usize) -> usize {
    let mut left = tokens * BYTES_PER_TOKEN;
    let mut fits = |hit: &&Hit| {
        let fits = hit.bytes <= left;
        left = left.saturating_sub(hit.bytes);
        fits
    };
    hits.iter().take_while(&mut fits).count()
}

/// The mean number of lines of the hits, if any has lines.
pub fn mean_length(hits: &[Hit]) -> Option<f64> {
    let lengths: Vec<f64> = hits
        .iter()
        .filter_map(|hit| hit.lines)
        .map(|(start, end)| f64::from(end - start + 1))
        .collect();
    (!lengths.is_empty()).then(|| lengths.iter().sum::<f64>() / lengths.len() as f64)
}

fn share(part: usize, whole: usize) -> f64 {
    if whole == 0 { 0.0 } else { part as f64 / whole as f64 }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::question::Span;

    fn target(path: &str, start: u32, end: u32, grade: f64) -> Target {
        Target { span: Span { path: path.into(), lines: Some((start, end)) }, grade }
    }

    fn hit(path: &str, start: u32, end: u32) -> Hit {
        Hit { path: path.into(), lines: Some((start, end)), bytes: 0 }
    }

    #[track_caller]
    fn near(figure: f64, expected: f64) {
        assert!((figure - expected).abs() < 0.005, "{figure} is not {expected}");
    }

    /// Targets by letter: which of them each hit touches, best first.
    fn judged(grades: &[f64], touched: &[&[usize]]) -> Judged {
        Judged { grades: grades.to_vec(), touched: touched.iter().map(|t| t.to_vec()).collect() }
    }

    #[test]
    fn the_worked_example_of_the_spans_benchmark() {
        let targets = [target("fileA", 10, 50, 2.0), target("fileB", 20, 30, 1.0)];
        let hits = [hit("fileC", 1, 10), hit("fileA", 30, 60), hit("fileB", 25, 35)];
        let list = Judged::new(&targets, &hits);
        near(list.hit(5), 1.0);
        near(list.reciprocal(10), 0.5);
        near(dcg(&list.gains(), 10), 1.76);
        near(list.ideal(10), 2.63);
        near(list.ndcg(10), 0.67);
        near(list.ndcg_once(10), 0.67);
        near(list.recall(10), 1.0);
    }

    #[test]
    fn a_target_hit_twice_counts_twice_only_as_published() {
        // Gains 2, 2, 1: 2 + 2/1.585 + 1/2 = 3.762. Once: 2, 0, 1 = 2.5. Ideal 2.631.
        let list = judged(&[2.0, 1.0], &[&[0], &[0], &[1]]);
        near(list.ndcg(10), 1.43);
        near(list.ndcg_once(10), 0.95);
    }

    #[test]
    fn a_hit_over_two_targets_earns_the_better_one_and_finds_both() {
        let list = judged(&[1.0, 2.0], &[&[0, 1], &[1]]);
        // Published gains 2, 2; once 2, 0, because the second finds its target taken.
        near(dcg(&list.gains(), 10), 3.26);
        near(dcg(&list.gains_once(), 10), 2.0);
        near(list.recall(1), 1.0);
    }

    #[test]
    fn figures_of_a_list_by_hand() {
        let list = judged(&[1.0, 1.0, 1.0], &[&[], &[1], &[], &[0], &[]]);
        assert_eq!(list.first(), Some(2));
        near(list.hit(1), 0.0);
        near(list.reciprocal(2), 0.5);
        near(list.reciprocal(1), 0.0);
        near(list.hit(2), 1.0);
        near(list.recall(3), 1.0 / 3.0);
        near(list.recall(5), 2.0 / 3.0);
        near(list.precision(5), 0.4);
        near(list.precision(10), 0.2);
        near(list.perfect(5), 0.0);
        // (1/4 + 1/2 + 0) / 3
        near(list.reciprocal_of_each(5), 0.25);
        near(list.reciprocal_of_each(3), 1.0 / 6.0);
        // (1/log2 3 + 1/log2 5) / (1 + 1/log2 3 + 1/log2 4) = 1.0616 / 2.1309
        near(list.ndcg(10), 0.498);
    }

    #[test]
    fn an_empty_list_scores_nothing() {
        let list = judged(&[1.0], &[]);
        assert_eq!(list.first(), None);
        let figures = [list.hit(10), list.reciprocal(10), list.recall(10), list.ndcg(10)];
        assert_eq!(figures, [0.0; 4]);
        assert!(figures.iter().all(|figure| figure.is_sign_positive()));
        assert!(list.reciprocal_of_each(10).is_sign_positive());
        assert_eq!([list.ndcg_once(10), list.precision(5), list.perfect(10)], [0.0; 3]);
    }

    #[test]
    fn rubric_points_by_hand() {
        #[track_caller]
        fn check(places: [Option<usize>; 3], points: f64) {
            let mut touched = vec![Vec::new(); 12];
            for (target, place) in places.iter().enumerate() {
                if let Some(place) = place {
                    touched[place - 1].push(target);
                }
            }
            let judged = Judged { grades: vec![1.0; 3], touched };
            assert_eq!(rubric_points(&judged), points, "{places:?}");
        }
        check([Some(1), Some(3), Some(5)], 3.0);
        check([Some(1), Some(3), Some(6)], 2.0);
        check([Some(6), Some(8), Some(10)], 2.0);
        check([Some(1), Some(2), None], 2.0);
        check([Some(1), Some(11), None], 1.0);
        check([Some(10), None, None], 1.0);
        check([Some(11), None, None], 0.0);
        check([None, None, None], 0.0);
    }

    #[test]
    fn files_rank_by_their_best_chunk() {
        let hits = [hit("b", 5, 9), hit("a", 1, 2), hit("b", 1, 4), hit("c", 1, 1)];
        assert_eq!(distinct_files(&hits), [hit("b", 5, 9), hit("a", 1, 2), hit("c", 1, 1)]);
    }

    #[test]
    fn a_hit_counts_only_if_its_whole_text_fits_the_budget() {
        let hits: Vec<Hit> = [400, 400, 2000].map(|bytes| Hit { bytes, ..hit("a", 1, 1) }).to_vec();
        let counts = [99, 100, 199, 200, 699, 700].map(|tokens| hits_within(&hits, tokens));
        assert_eq!(counts, [0, 1, 1, 2, 2, 3]);
    }

    #[test]
    fn length_is_the_mean_number_of_lines() {
        assert_eq!(mean_length(&[hit("a", 1, 10), hit("b", 5, 5)]), Some(5.5));
        assert_eq!(mean_length(&[]), None);
    }

    fn any_list() -> impl Strategy<Value = Judged> {
        let grades = prop::collection::vec(prop::sample::select(vec![1.0, 2.0, 3.0]), 1..5);
        grades.prop_flat_map(|grades| {
            let touched = prop::collection::btree_set(0..grades.len(), 0..=grades.len());
            let hits = prop::collection::vec(touched, 0..15);
            (Just(grades), hits).prop_map(|(grades, hits)| Judged {
                grades,
                touched: hits.into_iter().map(|set| set.into_iter().collect()).collect(),
            })
        })
    }

    fn figures(list: &Judged) -> [f64; 7] {
        [
            list.hit(5),
            list.reciprocal(10),
            list.recall(5),
            list.precision(5),
            list.reciprocal_of_each(5),
            rubric_points(list) / 3.0,
            list.ndcg_once(10),
        ]
    }

    proptest! {
        #[test]
        fn every_figure_is_between_0_and_1(list in any_list()) {
            for figure in figures(&list) {
                prop_assert!((0.0..=1.0 + 1e-12).contains(&figure), "{figure} of {list:?}");
            }
        }

        #[test]
        fn published_ndcg_is_never_below_the_deduplicated_one(list in any_list()) {
            prop_assert!(list.ndcg(10) >= list.ndcg_once(10) - 1e-12);
        }

        /// Moving a hit up past a wrong one is a better ranking; no figure may fall.
        #[test]
        fn a_better_ranking_never_scores_lower(better in any_list(), place: prop::sample::Index) {
            let mut better = better;
            better.touched.push(vec![0]);
            let place = place.index(better.touched.len());
            better.touched.insert(place + 1, Vec::new());
            let mut worse = better.clone();
            worse.touched.swap(place, place + 1);
            for (after, before) in figures(&better).into_iter().zip(figures(&worse)) {
                prop_assert!(after >= before - 1e-12, "{before} fell to {after}");
            }
            prop_assert!(better.ndcg(10) >= worse.ndcg(10) - 1e-12);
        }

        /// So is a hit that touches every target. The deduplicated NDCG is left out: it lets such a
        /// hit earn one target, perhaps the only one a later hit could have earned.
        #[test]
        fn finding_more_never_scores_lower(list in any_list(), place: prop::sample::Index) {
            let mut list = list;
            list.touched.push(Vec::new());
            let place = place.index(list.touched.len());
            let mut better = list.clone();
            better.touched[place] = (0..list.grades.len()).collect();
            for (after, before) in figures(&better).into_iter().zip(figures(&list)).take(6) {
                prop_assert!(after >= before - 1e-12, "{before} fell to {after}");
            }
            prop_assert!(better.ndcg(10) >= list.ndcg(10) - 1e-12);
        }
    }
}

//! One list of several: of trees, and of questions.
//!
//! Fair means that no list wins by its place or its scale. Scores of two trees cannot be compared,
//! but how likely a hit is to answer can: it was learnt over many trees. So lists are merged like
//! hands of cards: next comes the hit of the list that promises most, which is the surest of what
//! it still holds. A list keeps its own order. A hit that was found by its name or its words only does
//! not say how sure it is, and promises nothing. Lists that never say, as without a model, take turns;
//! beside others they promise what an answer must.

use std::collections::HashSet;

use wherein_engine::search::answer::Hit;
use wherein_engine::search::weights::LEAST_CONFIDENCE;

/// A hit of a tree.
#[derive(Clone, Debug)]
pub struct Placed {
    /// Which tree.
    pub root: usize,
    pub hit: Hit,
}

/// Merges lists of hits, each best first. A span that several questions found is there once.
pub fn merge(lists: Vec<Vec<Placed>>) -> Vec<Placed> {
    let promises: Vec<Vec<f32>> = lists.iter().map(|list| promises(list)).collect();
    let mut lists: Vec<_> = lists.into_iter().map(|list| list.into_iter().enumerate()).collect();
    let mut next: Vec<Option<(usize, Placed)>> = lists.iter_mut().map(Iterator::next).collect();
    let mut merged: Vec<Placed> = Vec::new();
    let mut places = HashSet::new();
    while let Some(best) = best_of(&next, &promises) {
        let following = lists[best].next();
        let Some((_, placed)) = std::mem::replace(&mut next[best], following) else { break };
        let Placed { root, hit } = &placed;
        if places.insert((*root, hit.path.clone(), hit.start_line)) {
            merged.push(placed);
        }
    }
    merged
}

/// The list whose next hit is due: the largest promise, then the fewest taken, then the first.
fn best_of(next: &[Option<(usize, Placed)>], promises: &[Vec<f32>]) -> Option<usize> {
    let due = next.iter().enumerate().filter_map(|(list, next)| {
        let (rank, _) = next.as_ref()?;
        Some((list, *rank, promises[list][*rank]))
    });
    due.min_by(|a, b| b.2.total_cmp(&a.2).then(a.1.cmp(&b.1)).then(a.0.cmp(&b.0))).map(|it| it.0)
}

/// For each hit the surest of it and those after it.
fn promises(list: &[Placed]) -> Vec<f32> {
    if list.iter().all(|placed| placed.hit.confidence.is_none()) {
        return vec![LEAST_CONFIDENCE; list.len()];
    }
    let mut sure: Vec<f32> =
        list.iter().map(|placed| placed.hit.confidence.unwrap_or(0.0)).collect();
    for at in (1..sure.len()).rev() {
        sure[at - 1] = sure[at - 1].max(sure[at]);
    }
    sure
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;

    fn list(root: usize, hits: &[(&str, Option<f32>)]) -> Vec<Placed> {
        let placed = |(path, confidence): &(&str, Option<f32>)| Placed {
            root,
            hit: Hit {
                repositories: Vec::new(),
                path: (*path).to_owned(),
                start_line: 1,
                end_line: 2,
                score: 1.0,
                confidence: *confidence,
                language: "rust".to_owned(),
                kind: "text".to_owned(),
                symbol: None,
                breadcrumb: String::new(),
                snippet: String::new(),
                shown: Vec::new(),
                signature_only: false,
                also_at: Vec::new(),
                channels: BTreeMap::new(),
                judged: None,
                best_lines: Vec::new(),
                blame: None,
            },
        };
        hits.iter().map(placed).collect()
    }

    #[track_caller]
    fn check(lists: Vec<Vec<Placed>>, expected: &str) {
        let merged: Vec<String> = merge(lists).into_iter().map(|it| it.hit.path).collect();
        assert_eq!(merged.join(" "), expected);
    }

    #[test]
    fn the_surest_comes_first_and_a_list_keeps_its_order() {
        let a = || list(0, &[("a1", Some(0.5)), ("a2", Some(0.1))]);
        let b = || list(1, &[("b1", Some(0.2)), ("b2", Some(0.9)), ("b3", Some(0.05))]);
        check(vec![a(), b()], "b1 b2 a1 a2 b3");
        check(vec![b(), a()], "b1 b2 a1 a2 b3");
        check(vec![a(), Vec::new()], "a1 a2");
        check(Vec::new(), "");
    }

    #[test]
    fn lists_that_do_not_say_take_turns() {
        let a = list(0, &[("a1", None), ("a2", None), ("a3", None)]);
        let b = list(1, &[("b1", None), ("b2", None)]);
        check(vec![a, b], "a1 b1 a2 b2 a3");
    }

    #[test]
    fn what_does_not_say_lets_nothing_unlikely_pass() {
        let unlikely = || list(0, &[("a1", Some(0.01)), ("a2", None), ("a3", None)]);
        let likely =
            || list(1, &[("b1", Some(0.7)), ("b2", None), ("b3", Some(0.3)), ("b4", None)]);
        check(vec![unlikely(), likely()], "b1 b2 b3 a1 a2 a3 b4");
        check(vec![likely(), unlikely()], "b1 b2 b3 a1 a2 a3 b4");
        let silent = || list(2, &[("c1", None), ("c2", None)]);
        check(vec![unlikely(), silent(), likely()], "b1 b2 b3 c1 c2 a1 a2 a3 b4");
    }

    #[test]
    fn a_span_that_two_questions_found_is_there_once() {
        let first = list(0, &[("a", Some(0.5)), ("b", Some(0.4))]);
        let second = list(0, &[("b", Some(0.6)), ("a", Some(0.3))]);
        check(vec![first, second.clone()], "b a");
        let elsewhere = second.into_iter().map(|it| Placed { root: 1, ..it }).collect();
        check(vec![list(0, &[("b", Some(0.6))]), elsewhere], "b b a");
    }
}

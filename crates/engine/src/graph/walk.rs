//! Walks over a graph: what is reached in how many steps, and the shortest way between two nodes.

use std::collections::{HashMap, VecDeque};

/// Everything reached from `starts` in at most `steps`, with its distance: nearest first, then by
/// number. The starts themselves come first, at no distance.
pub fn outward<N: IntoIterator<Item = u32>>(
    starts: &[u32],
    steps: u32,
    next: impl Fn(u32) -> N,
) -> Vec<(u32, u32)> {
    let mut seen = Seen::default();
    let mut ring: Vec<u32> = starts.iter().copied().filter(|&node| seen.insert(node)).collect();
    ring.sort_unstable();
    let mut reached: Vec<(u32, u32)> = ring.iter().map(|&start| (start, 0)).collect();
    for distance in 1..=steps {
        let further = ring.iter().flat_map(|&node| next(node));
        let mut further: Vec<u32> = further.filter(|&node| seen.insert(node)).collect();
        further.sort_unstable();
        reached.extend(further.iter().map(|&node| (node, distance)));
        if further.is_empty() {
            break;
        }
        ring = further;
    }
    reached
}

/// Whether anything that `goal` accepts is reached in at most `steps`.
pub fn reaches<N: IntoIterator<Item = u32>>(
    start: u32,
    steps: u32,
    next: impl Fn(u32) -> N,
    goal: impl Fn(u32) -> bool,
) -> bool {
    let mut seen = Seen::default();
    seen.insert(start);
    let mut ring = vec![start];
    for _ in 0..steps {
        let mut further = Vec::new();
        for node in ring.into_iter().flat_map(&next) {
            let is_new = seen.insert(node);
            if is_new && goal(node) {
                return true;
            }
            further.extend(is_new.then_some(node));
        }
        ring = further;
    }
    false
}

/// Nodes that were met, a bit each: numbers are dense, and a walk from what everything uses meets
/// tens of thousands of them.
#[derive(Default)]
struct Seen(Vec<u64>);

impl Seen {
    /// Enters a node; says whether it is new.
    fn insert(&mut self, node: u32) -> bool {
        let (word, bit) = (node as usize / 64, 1 << (node % 64));
        if word >= self.0.len() {
            self.0.resize(word + 1, 0);
        }
        let is_new = self.0[word] & bit == 0;
        self.0[word] |= bit;
        is_new
    }
}

/// The shortest way from one node to another, both included; of equal ones the first by number.
pub fn way(from: u32, to: u32, next: impl Fn(u32) -> Vec<u32>) -> Option<Vec<u32>> {
    let mut came_from: HashMap<u32, u32> = HashMap::from([(from, from)]);
    let mut queue = VecDeque::from([from]);
    while let Some(node) = queue.pop_front() {
        if node == to {
            let back = std::iter::successors(Some(to), |node| {
                Some(came_from[node]).filter(|before| before != node)
            });
            let mut way: Vec<u32> = back.collect();
            way.reverse();
            return Some(way);
        }
        let mut further = next(node);
        further.sort_unstable();
        for node_after in further {
            came_from.entry(node_after).or_insert_with(|| {
                queue.push_back(node_after);
                node
            });
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn next(edges: &[(u32, u32)]) -> impl Fn(u32) -> Vec<u32> {
        |node| edges.iter().filter(|(from, _)| *from == node).map(|(_, to)| *to).collect()
    }

    #[test]
    fn cycles_are_walked_once() {
        let edges = [(0, 1), (1, 2), (2, 0), (1, 3)];
        assert_eq!(outward(&[0], 9, next(&edges)), [(0, 0), (1, 1), (2, 2), (3, 2)]);
        assert_eq!(outward(&[0], 1, next(&edges)), [(0, 0), (1, 1)]);
        assert!(reaches(0, 2, next(&edges), |node| node == 3));
        assert!(!reaches(0, 1, next(&edges), |node| node == 3));
        assert!(!reaches(0, 9, next(&edges), |node| node == 4));
    }

    #[test]
    fn the_shortest_way_is_found_if_there_is_one() {
        let edges = [(0, 1), (1, 2), (0, 3), (3, 4), (4, 2), (2, 0)];
        assert_eq!(way(0, 2, next(&edges)), Some(vec![0, 1, 2]));
        assert_eq!(way(0, 0, next(&edges)), Some(vec![0]));
        assert_eq!(way(2, 9, next(&edges)), None);
    }
}

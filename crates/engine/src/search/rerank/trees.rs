//! Boosted decision trees, as they lie in the program: what `written` makes of the text that the training script writes.
//! To read the text at the first question of a process was a thirtieth of that question's cost.

use super::node::{self, LEAF, NODE};

/// A sum of decision trees.
#[derive(Clone, Copy, Debug)]
pub struct Trees {
    roots: &'static [[u8; 4]],
    nodes: &'static [[u8; NODE]],
}

impl Trees {
    /// Trees where they lie: how many features they ask about, how many trees there are, where each begins, then the
    /// nodes. `None` if they ask about more features than there are.
    pub fn of(bytes: &'static [u8], features: usize) -> Option<Trees> {
        let (asked, rest) = bytes.split_first_chunk()?;
        let (count, rest) = rest.split_first_chunk()?;
        let (roots, nodes) = rest.split_at_checked(4 * u32::from_le_bytes(*count) as usize)?;
        let trees = Trees { roots: roots.as_chunks().0, nodes: nodes.as_chunks().0 };
        (u32::from_le_bytes(*asked) as usize <= features).then_some(trees)
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.roots.is_empty()
    }

    /// The sum of all trees' answers.
    pub fn score(&self, features: &[f32]) -> f32 {
        self.roots.iter().map(|&root| self.answer(u32::from_le_bytes(root), features)).sum()
    }

    /// The same for each of many, a tree at a time: its nodes are at hand then, which takes two thirds of the time.
    pub fn scores<const N: usize>(&self, all: &[[f32; N]]) -> Vec<f32> {
        let mut scores = vec![0.0; all.len()];
        for root in self.roots.iter().map(|&root| u32::from_le_bytes(root)) {
            for (score, features) in scores.iter_mut().zip(all) {
                *score += self.answer(root, features);
            }
        }
        scores
    }

    fn answer(&self, root: u32, features: &[f32]) -> f32 {
        let mut at = 0;
        loop {
            let (feature, value, [up_to, beyond]) = node::read(self.nodes[root as usize + at]);
            if feature == LEAF {
                return value;
            }
            let is_up_to = features[usize::from(feature)] <= value;
            at = if is_up_to { up_to } else { beyond }.into();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::rerank::written::packed;

    #[test]
    fn trees_add_up() {
        let two = "# made by hand\ntree\n0 0.5 1 2\n-1\n1 2 3 4\n2\n4\ntree\n0.25\n";
        let bytes: &'static [u8] = packed(two).unwrap().leak();
        let trees = Trees::of(bytes, 2).unwrap();
        for (features, expected) in
            [([0.5, 9.0], -0.75), ([0.6, 2.0], 2.25), ([0.6, 2.1], 4.25), ([f32::NAN, 9.0], 4.25)]
        {
            assert_eq!(trees.score(&features), expected, "{features:?}");
            assert_eq!(trees.scores(&[features; 3]), [expected; 3], "{features:?}");
        }
        assert!(Trees::of(bytes, 1).is_none(), "it asks about a second feature");
    }
}

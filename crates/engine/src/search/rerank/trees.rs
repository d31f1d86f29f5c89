//! Boosted decision trees, as the training script writes them: numbers in text, read once.

/// A sum of decision trees.
#[derive(Debug)]
pub struct Trees {
    nodes: Vec<Node>,
    roots: Vec<u32>,
}

/// A question about one feature, or an answer.
#[derive(Clone, Copy, Debug)]
enum Node {
    /// Up to the threshold the one, beyond it the other.
    Split {
        feature: u16,
        threshold: f32,
        up_to: u32,
        beyond: u32,
    },
    Leaf(f32),
}

impl Trees {
    /// Reads trees: a line `tree`, then its nodes in order, `feature threshold left right` (children
    /// by their number in the tree) or `value`. `None` if anything else stands there.
    pub fn read(text: &str, features: usize) -> Option<Trees> {
        let mut trees = Trees { nodes: Vec::new(), roots: Vec::new() };
        for line in text.lines().filter(|line| !line.starts_with('#')) {
            if line == "tree" {
                trees.roots.push(trees.nodes.len() as u32);
                continue;
            }
            let root = *trees.roots.last()?;
            let mut words = line.split_ascii_whitespace();
            let four = [words.next(), words.next(), words.next(), words.next()];
            trees.nodes.push(match (four, words.next()) {
                ([Some(value), None, ..], None) => Node::Leaf(value.parse().ok()?),
                ([Some(feature), Some(threshold), Some(up_to), Some(beyond)], None) => {
                    Node::Split {
                        feature: feature.parse().ok().filter(|&it| usize::from(it) < features)?,
                        threshold: threshold.parse().ok()?,
                        up_to: root + up_to.parse::<u32>().ok()?,
                        beyond: root + beyond.parse::<u32>().ok()?,
                    }
                }
                _ => return None,
            });
        }
        trees.is_sound().then_some(trees)
    }

    /// Children come after their parents and exist, so every walk ends.
    fn is_sound(&self) -> bool {
        let count = self.nodes.len() as u32;
        self.roots.iter().all(|&root| root < count)
            && self.nodes.iter().zip(0..).all(|(node, at)| match *node {
                Node::Leaf(value) => value.is_finite(),
                Node::Split { up_to, beyond, .. } => {
                    [up_to, beyond].iter().all(|&child| child > at && child < count)
                }
            })
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.roots.is_empty()
    }

    /// The sum of all trees' answers.
    pub fn score(&self, features: &[f32]) -> f32 {
        self.roots.iter().map(|&root| self.answer(root, features)).sum()
    }

    fn answer(&self, root: u32, features: &[f32]) -> f32 {
        let mut at = root;
        loop {
            match self.nodes[at as usize] {
                Node::Leaf(value) => return value,
                Node::Split { feature, threshold, up_to, beyond } => {
                    at = if features[usize::from(feature)] <= threshold { up_to } else { beyond };
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TWO: &str = "# made by hand\ntree\n0 0.5 1 2\n-1\n1 2 3 4\n2\n4\ntree\n0.25\n";

    #[test]
    fn trees_add_up() {
        let trees = Trees::read(TWO, 2).unwrap();
        for (features, expected) in [([0.5, 9.0], -0.75), ([0.6, 2.0], 2.25), ([0.6, 2.1], 4.25)] {
            assert_eq!(trees.score(&features), expected, "{features:?}");
        }
    }

    #[test]
    fn what_is_no_tree_is_refused() {
        for text in
            ["1", "tree\n9 1 1 2\n1\n1", "tree\n0 1 0 1\n1", "tree\n0 1 1 5\n1", "tree\nNaN"]
        {
            assert!(Trees::read(text, 2).is_none(), "{text}");
        }
    }
}

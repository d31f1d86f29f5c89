//! The text form of the rankers' trees, as the training script writes it, into the form they have in the program. Run
//! when the engine is built, and by tests.

use super::node::{self, LEAF};

/// Packs trees: a line `tree`, then its nodes in order, `feature threshold left right` (children by their number in the
/// tree) or `value`. `None` if anything else stands there.
pub fn packed(text: &str) -> Option<Vec<u8>> {
    let (mut features, mut roots, mut nodes) = (0, Vec::new(), Vec::new());
    let lines = text.lines().filter(|line| !line.starts_with('#')).collect::<Vec<_>>();
    for tree in lines.split(|line| *line == "tree").skip(1) {
        roots.push(nodes.len() as u32);
        for (at, line) in tree.iter().enumerate() {
            let (feature, value, children) = node_of(line)?;
            // Children come after their parents and exist, so every walk ends.
            let is_child =
                |child: &u16| at < usize::from(*child) && usize::from(*child) < tree.len();
            if !value.is_finite() || (feature != LEAF && !children.iter().all(is_child)) {
                return None;
            }
            features = features.max(if feature == LEAF { 0 } else { u32::from(feature) + 1 });
            nodes.push((feature, value, children));
        }
    }
    let is_whole = lines.first().is_none_or(|line| *line == "tree")
        && roots.windows(2).all(|pair| pair[0] < pair[1])
        && roots.last().is_none_or(|&last| (last as usize) < nodes.len());
    let head = [features, roots.len() as u32].into_iter().chain(roots);
    let mut bytes: Vec<u8> = head.flat_map(u32::to_le_bytes).collect();
    for (feature, value, children) in nodes {
        bytes.extend(node::packed(feature, value, children));
    }
    is_whole.then_some(bytes)
}

fn node_of(line: &str) -> Option<(u16, f32, [u16; 2])> {
    let words: Vec<&str> = line.split_ascii_whitespace().collect();
    match words[..] {
        [value] => Some((LEAF, value.parse().ok()?, [0, 0])),
        [feature, threshold, up_to, beyond] => {
            let feature = feature.parse().ok().filter(|&it| it != LEAF)?;
            let children = [up_to.parse().ok()?, beyond.parse().ok()?];
            Some((feature, threshold.parse().ok()?, children))
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_tree_is_refused() {
        for text in [
            "1",
            "tree",
            "tree\ntree\n1",
            "tree\n65535 1 1 2\n1\n1",
            "tree\n-1 1 1 2\n1\n1",
            "tree\n0 1 0 1\n1",
            "tree\n0 1 1 5\n1",
            "tree\n0 1 1\n1",
            "tree\nNaN",
        ] {
            assert!(packed(text).is_none(), "{text}");
        }
        assert_eq!(packed("# nothing\n").unwrap(), [0; 8]);
    }
}

//! PageRank by power iteration: how much of all attention ends at a node.
//!
//! In: edges with weights, grouped by where they start. Out: shares that add up to one. The order
//! of additions is fixed, so that equal graphs have equal ranks to the last bit.

/// The share of attention that follows edges; the rest starts anew anywhere.
const FOLLOWED: f64 = 0.85;
const MOST_ROUNDS: usize = 50;
const CLOSE_ENOUGH: f64 = 1e-7;

/// Edges grouped by where they start.
#[derive(Clone, Debug, Default)]
pub struct Edges {
    /// Where each node's edges start in `to`, and one more.
    pub starts: Vec<u32>,
    /// Where edges lead.
    pub to: Vec<u32>,
    /// How much of the attention each takes, relative to its neighbours.
    pub weights: Vec<f32>,
}

impl Edges {
    /// Groups edges of `nodes` nodes; equal ones are added up.
    pub fn group(nodes: usize, mut edges: Vec<(u32, u32, f32)>) -> Edges {
        edges.sort_unstable_by_key(|&(from, to, _)| (from, to));
        let mut grouped = Edges { starts: vec![0; nodes + 1], ..Edges::default() };
        let mut last = None;
        for (from, to, weight) in edges {
            if last.replace((from, to)) == Some((from, to)) {
                if let Some(sum) = grouped.weights.last_mut() {
                    *sum += weight;
                }
                continue;
            }
            grouped.starts[from as usize + 1] += 1;
            grouped.to.push(to);
            grouped.weights.push(weight);
        }
        for node in 0..nodes {
            grouped.starts[node + 1] += grouped.starts[node];
        }
        grouped
    }

    fn of(&self, node: usize) -> std::ops::Range<usize> {
        self.starts[node] as usize..self.starts[node + 1] as usize
    }
}

/// The rank of every node.
pub fn page_rank(edges: &Edges) -> Vec<f32> {
    let nodes = edges.starts.len().saturating_sub(1);
    if nodes == 0 {
        return Vec::new();
    }
    let sums: Vec<f64> = (0..nodes)
        .map(|node| edges.weights[edges.of(node)].iter().map(|&w| f64::from(w)).sum())
        .collect();
    let mut rank = vec![1.0 / nodes as f64; nodes];
    for _ in 0..MOST_ROUNDS {
        let next = round(edges, &sums, &rank);
        let moved: f64 = rank.iter().zip(&next).map(|(a, b)| (a - b).abs()).sum();
        rank = next;
        if moved < CLOSE_ENOUGH {
            break;
        }
    }
    rank.into_iter().map(|rank| rank as f32).collect()
}

fn round(edges: &Edges, sums: &[f64], rank: &[f64]) -> Vec<f64> {
    let nodes = rank.len();
    // What reaches a node without edges starts anew anywhere.
    let lost: f64 = (0..nodes).filter(|&node| sums[node] == 0.0).map(|node| rank[node]).sum();
    let anew = (1.0 - FOLLOWED + FOLLOWED * lost) / nodes as f64;
    let mut next = vec![anew; nodes];
    for node in (0..nodes).filter(|&node| sums[node] > 0.0) {
        let share = FOLLOWED * rank[node] / sums[node];
        for edge in edges.of(node) {
            next[edges.to[edge] as usize] += share * f64::from(edges.weights[edge]);
        }
    }
    next
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rank(nodes: usize, edges: &[(u32, u32)]) -> Vec<f32> {
        page_rank(&Edges::group(nodes, edges.iter().map(|&(a, b)| (a, b, 1.0)).collect()))
    }

    #[test]
    fn ranks_add_up_and_follow_the_edges() {
        let ranks = rank(4, &[(0, 2), (1, 2), (2, 3), (0, 2)]);
        assert!((ranks.iter().sum::<f32>() - 1.0).abs() < 1e-5, "{ranks:?}");
        assert!(ranks[3] > ranks[2] && ranks[2] > ranks[0] && ranks[0] == ranks[1], "{ranks:?}");
    }

    #[test]
    fn cycles_loops_and_no_nodes_at_all_end() {
        assert!(rank(0, &[]).is_empty());
        assert_eq!(rank(3, &[(0, 1), (1, 2), (2, 0)]), [1.0 / 3.0; 3]);
        assert!(rank(2, &[(0, 0), (1, 1)]).iter().all(|r| (r - 0.5).abs() < 1e-6));
    }

    #[test]
    fn a_hub_of_a_hundred_thousand_edges_is_one_pass() {
        let edges: Vec<(u32, u32)> = (1..=100_000).map(|node| (node, 0)).collect();
        let ranks = rank(100_001, &edges);
        assert!(ranks[0] > 0.4, "{}", ranks[0]);
    }
}

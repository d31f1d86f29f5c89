//! No file crowds the page.

use std::collections::HashMap;

use crate::search::fusion::Candidate;
use crate::search::query::{Query, Unit};

/// Keeps the order of scores and drops what is more than a file's share, up to the limit.
pub fn spread(candidates: Vec<Candidate>, query: &Query) -> Vec<Candidate> {
    let most = match query.unit {
        Unit::File => 1,
        Unit::Span if query.max_per_file == 0 => usize::MAX,
        Unit::Span => query.max_per_file,
    };
    let mut taken: HashMap<usize, usize> = HashMap::new();
    let mut fits = |candidate: &Candidate| {
        let taken = taken.entry(candidate.file).or_default();
        *taken += 1;
        *taken <= most
    };
    candidates.into_iter().filter(|candidate| fits(candidate)).take(query.limit).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::channels::Found;

    fn candidates(files: &[usize]) -> Vec<Candidate> {
        let candidate = |(n, &file): (usize, &usize)| Candidate {
            file,
            chunk: n as u32,
            score: 100.0 - n as f32,
            found: Found::default(),
            parts: [0.0; 3],
        };
        files.iter().enumerate().map(candidate).collect()
    }

    #[track_caller]
    fn check(files: &[usize], query: Query, expected: &[u32]) {
        let kept: Vec<u32> = spread(candidates(files), &query).iter().map(|c| c.chunk).collect();
        assert_eq!(kept, expected);
    }

    #[test]
    fn the_cap_filters_and_keeps_the_order() {
        let files = [1, 1, 1, 1, 2, 1, 3];
        check(&files, Query::new("x"), &[0, 1, 2, 4, 6]);
        check(&files, Query { max_per_file: 0, ..Query::new("x") }, &[0, 1, 2, 3, 4, 5, 6]);
        check(&files, Query { limit: 2, ..Query::new("x") }, &[0, 1]);
        check(&files, Query { unit: Unit::File, ..Query::new("x") }, &[0, 4, 6]);
    }
}

//! No file crowds the page: how many chunks of each may be on it.

use std::collections::HashMap;

use crate::search::query::{Query, Unit};

/// What is left of each file's share.
pub struct Shares {
    most: usize,
    taken: HashMap<usize, usize>,
}

impl Shares {
    /// Nothing is taken yet.
    pub fn of(query: &Query) -> Shares {
        let most = match query.unit {
            Unit::File => 1,
            Unit::Span if query.max_per_file == 0 => usize::MAX,
            Unit::Span => query.max_per_file,
        };
        Shares { most, taken: HashMap::new() }
    }

    /// Whether another chunk of a file may come.
    pub fn has_room(&self, file: usize) -> bool {
        self.taken.get(&file).is_none_or(|&taken| taken < self.most)
    }

    /// Counts a chunk of a file.
    pub fn take(&mut self, file: usize) {
        *self.taken.entry(file).or_default() += 1;
    }
}

//! Lines a search is kept to: only chunks that hold one of them may answer.

use std::collections::HashMap;

use crate::search::filter::Allowed;
use crate::search::recall::Recall;

/// Runs of lines by file, each first and last, counted from 1.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Among {
    lines: HashMap<String, Vec<(u32, u32)>>,
}

impl Among {
    /// Adds a run of lines of a file. Those of one file come in their order.
    pub fn enter(&mut self, path: &str, lines: (u32, u32)) {
        self.lines.entry(path.to_owned()).or_default().push(lines);
    }

    /// The runs, or parts of runs, between two lines of a file.
    pub fn within(&self, path: &str, start: u32, end: u32) -> Vec<(u32, u32)> {
        let runs = self.lines.get(path).map_or(&[][..], Vec::as_slice);
        let meets = |run: &&(u32, u32)| run.0 <= end && start <= run.1;
        runs.iter().filter(meets).map(|run| (run.0.max(start), run.1.min(end))).collect()
    }

    /// Whether any of the lines stands between two lines of a file.
    pub fn meets(&self, path: &str, start: u32, end: u32) -> bool {
        !self.within(path, start, end).is_empty()
    }

    /// Leaves out files without such lines.
    pub(crate) fn narrow(&self, index: &dyn Recall, allowed: Allowed) -> Allowed {
        let files = &index.manifest().files;
        let mut narrowed = allowed.unwrap_or_else(|| vec![true; files.len()]);
        for (may, file) in narrowed.iter_mut().zip(files) {
            *may &= self.lines.contains_key(&file.path);
        }
        Some(narrowed)
    }
}

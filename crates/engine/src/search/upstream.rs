//! What stands above the files that answer: those that import them, if imports lead to them from much
//! of the tree. A question about a part is often answered where the parts are put together.

use std::collections::BTreeMap;

use crate::graph::walk;
use crate::search::channels::Beside;
use crate::search::filter::Allowed;
use crate::search::fusion::Candidate;
use crate::search::recall::Recall;
use crate::search::weights;

/// The chunks of files above the best candidates' files: nearer ones, and those above better
/// candidates, count more.
pub fn upstream(index: &dyn Recall, allowed: &Allowed, best: &[Candidate]) -> Vec<Beside> {
    let Some(links) = index.ready_links() else { return Vec::new() };
    let importers = |file: u32| links.importers(file as usize).collect::<Vec<u32>>();
    let mut scores: BTreeMap<usize, f32> = BTreeMap::new();
    for (place, file) in (1..).zip(first_files(best)) {
        let reached = walk::outward(&[file as u32], weights::UPSTREAM_STEPS, importers);
        for (above, steps) in reached.into_iter().skip(1) {
            let above = above as usize;
            let is_allowed = allowed.as_ref().is_none_or(|allowed| allowed[above]);
            if is_allowed && index.rank_of_file(above) >= weights::UPSTREAM_RANK {
                let score = scores.entry(above).or_default();
                *score = score.max(1.0 / (place * steps) as f32);
            }
        }
    }
    let chunks = |(file, score): (usize, f32)| {
        let count = index.manifest().files[file].chunks;
        (0..count).map(move |chunk| ((file, chunk), score))
    };
    scores.into_iter().flat_map(chunks).collect()
}

fn first_files(best: &[Candidate]) -> Vec<usize> {
    let mut files = Vec::new();
    for candidate in best {
        if files.len() == weights::UPSTREAM_FROM {
            break;
        }
        if !files.contains(&candidate.file) {
            files.push(candidate.file);
        }
    }
    files
}

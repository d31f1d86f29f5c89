//! What whole files hold of a question, wherever in them it stands.

use std::collections::{BTreeMap, HashMap};

use crate::error::Result;
use crate::search::channels::{Found, Spot, Terms};
use crate::search::recall::{Nearness, Recall};

/// For each file of the manifest.
#[derive(Clone, Debug, Default)]
pub struct Files {
    /// How much of the question its words stand for, between 0 and 1.
    pub covered: Vec<f32>,
    /// The same, counting how many of its chunks hold each word, between 0 and 1.
    pub scores: Vec<f32>,
    /// The best of the scores.
    pub best: f32,
    /// How near those are that have a candidate, by position.
    pub near: HashMap<usize, Near>,
}

/// How near a file is to the question by the meaning of all its chunks.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Near {
    /// Its first chunk, which often says what the file is about.
    pub first: f32,
    /// The mean of all: a file about the matter, not one that touches on it.
    pub mean: f32,
}

impl Files {
    /// Adds up the words of the question over each file's chunks.
    pub fn of(index: &dyn Recall, terms: &Terms) -> Result<Files> {
        let files = &index.manifest().files;
        let usual = index.usual_chunks();
        let mut all = Files {
            covered: vec![0.0; files.len()],
            scores: vec![0.0; files.len()],
            ..Files::default()
        };
        let (terms_of_all, share) = (terms.all(), |mass: f32| terms.share(mass));
        let names: Vec<&str> = terms_of_all.iter().map(|(term, _)| *term).collect();
        for ((_, mass), counts) in terms_of_all.iter().zip(index.files_with(&names)?) {
            for (position, count) in counts {
                let length = files[position].chunks as f32 / usual;
                all.covered[position] += share(*mass);
                all.scores[position] += share(*mass) * saturated(count as f32, length);
            }
        }
        all.best = all.scores.iter().copied().fold(0.0, f32::max);
        Ok(all)
    }

    /// Compares every chunk of the files that have a candidate, as far as they have vectors; those that were made for
    /// this question are not among the index's yet.
    pub fn compare(
        &mut self,
        index: &dyn Recall,
        dense: &dyn Nearness,
        found: &BTreeMap<Spot, Found>,
    ) {
        let mut files: Vec<usize> = found.keys().map(|(file, _)| *file).collect();
        files.dedup();
        for file in files {
            let mut scores = dense.scores(file, index.manifest().files[file].chunks);
            for ((_, chunk), found) in found.range((file, 0)..(file + 1, 0)) {
                let known = found.dense().map(|it| it.score);
                if let Some(score) = scores.get_mut(*chunk as usize) {
                    *score = known.or(*score);
                }
            }
            let scores: Vec<f32> = scores.into_iter().flatten().collect();
            if let Some(&first) = scores.first() {
                let mean = scores.iter().sum::<f32>() / scores.len() as f32;
                self.near.insert(file, Near { first, mean });
            }
        }
    }
}

/// Many chunks with a word count more than one, but not so many times more; a long file has more
/// of them by chance.
fn saturated(count: f32, length: f32) -> f32 {
    count / (count + 0.6 * (0.4 + 0.6 * length))
}

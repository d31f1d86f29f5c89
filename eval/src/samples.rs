//! From questions to what the ranker is trained on: a row a candidate, with its features and whether
//! it is right.

use std::path::Path;

use rayon::prelude::*;
use wherein_engine::search::rerank::Sample;
use wherein_engine::search::rerank::features::NAMES;

use crate::ask::by_tree;
use crate::error::{Error, Result};
use crate::ours::Ours;
use crate::question::{Question, QuestionSet};
use crate::searcher::{Hit, Progress};

/// Writes the candidates of every question to `file`, in the order they would be ranked without a
/// ranker.
pub fn write(set: &QuestionSet, ours: &Ours, file: &Path, progress: Progress) -> Result<()> {
    let mut writer = csv::Writer::from_path(file).map_err(|e| Error::write(file)(e.into()))?;
    let failed = |error: csv::Error| Error::write(file)(error.into());
    let head = ["question", "group", "tree", "right", "path", "start"].iter().chain(&NAMES);
    writer.write_record(head).map_err(failed)?;
    for (root, numbers) in by_tree(&set.questions) {
        let tree = ours.open_tree(root, progress)?;
        let rows: Vec<Vec<Vec<String>>> = numbers
            .par_iter()
            .map(|&number| {
                let question = &set.questions[number];
                let samples = tree.samples(&question.queries[0])?;
                Ok(samples.iter().filter_map(|sample| row(question, sample)).collect())
            })
            .collect::<Result<_>>()?;
        rows.iter().flatten().try_for_each(|row| writer.write_record(row)).map_err(failed)?;
    }
    writer.flush().map_err(Error::write(file))
}

/// A candidate that the question leaves aside has no row.
fn row(question: &Question, sample: &Sample) -> Option<Vec<String>> {
    let hit = Hit { path: sample.path.clone(), lines: Some(sample.lines), bytes: 0 };
    if question.ignored.iter().any(|ignored| ignored.touches(&hit)) {
        return None;
    }
    let is_right = question.expected.iter().any(|target| target.span.touches(&hit));
    let tree = question.root.to_string_lossy().into_owned();
    let mut row = vec![question.id.clone(), question.group.clone(), tree];
    row.push(u8::from(is_right).to_string());
    row.push(sample.path.clone());
    row.push(sample.lines.0.to_string());
    row.extend(sample.features.iter().map(f32::to_string));
    Some(row)
}

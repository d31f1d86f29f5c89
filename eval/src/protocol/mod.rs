//! One file a benchmark format: each reads published files unchanged into a
//! [`QuestionSet`](crate::question::QuestionSet) and says how a question is scored.

pub mod annotations;
pub mod evidence;
pub mod files;
pub mod functions;
pub mod rubric;
pub mod selfmade;
pub mod spans;

use crate::question::{Span, Target};

/// Whole files, all worth the same.
fn whole_files(paths: impl IntoIterator<Item = impl Into<String>>) -> Vec<Target> {
    paths.into_iter().map(|path| Target { span: Span::file(path), grade: 1.0 }).collect()
}

#[cfg(test)]
mod samples {
    //! What the tests of all protocols need: files on disk, hits, and lists by hand.

    use std::fs;
    use std::path::PathBuf;

    use tempfile::TempDir;

    use crate::error::Result;
    use crate::question::{Question, QuestionSet};
    use crate::searcher::Hit;

    /// Writes files into a fresh folder.
    pub fn folder(files: &[(&str, &str)]) -> TempDir {
        let folder = tempfile::tempdir().unwrap();
        for (name, content) in files {
            let path = folder.path().join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, content).unwrap();
        }
        folder
    }

    pub fn hit(path: &str, start: u32, end: u32) -> Hit {
        Hit { path: path.into(), lines: Some((start, end)), bytes: 400 }
    }

    /// Files in the order of the words.
    pub fn files(paths: &str) -> Vec<Hit> {
        paths.split_whitespace().map(|path| hit(path, 1, 10)).collect()
    }

    /// Scores the lists a question might get and looks up one metric.
    #[track_caller]
    pub fn check(set: &QuestionSet, number: usize, lists: &[Vec<Hit>], expected: &[(&str, f64)]) {
        let scores = (set.score)(&set.questions[number], lists);
        for (metric, expected) in expected {
            let found = scores.values.iter().find(|(name, _)| name == metric);
            let figure = found.and_then(|(_, value)| *value).unwrap_or(f64::NAN);
            assert!((figure - expected).abs() < 0.005, "{metric} is {figure}, not {expected}");
        }
    }

    #[track_caller]
    pub fn check_error<T: std::fmt::Debug>(result: Result<T>, expected: &str) {
        let error = result.unwrap_err().to_string();
        assert!(error.contains(expected), "{error}");
    }

    pub fn paths(question: &Question) -> Vec<&str> {
        question.expected.iter().map(|target| target.span.path.as_str()).collect()
    }

    pub fn file(folder: &TempDir, name: &str) -> PathBuf {
        folder.path().join(name)
    }
}

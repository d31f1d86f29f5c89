//! Which commits may answer: author, times and paths, decided once a question.
//!
//! What a text of a batch says to a filter is found out when the first commit needs it: most paths of
//! a long history belong to commits that are out of the question for their author or their time.

use crate::error::Result;
use crate::history::log::Log;
use crate::history::log::batch::Batch;
use crate::history::log::search::LogQuery;
use crate::search::filter::Paths;

/// What a question asks of a commit, beside its words.
struct Filter<'q> {
    query: &'q LogQuery,
    author: Option<String>,
    paths: Paths,
}

/// What the texts of a batch say, as far as somebody has asked.
struct Known {
    author: Vec<Option<bool>>,
    path: Vec<Option<bool>>,
}

impl Log {
    /// For each number whether the commit may answer; `None` if all may.
    pub(super) fn allowed(&self, query: &LogQuery) -> Result<Option<Vec<bool>>> {
        let is_any = query.author.is_none()
            && query.since.is_none()
            && query.until.is_none()
            && query.paths.is_empty()
            && self.dead.is_empty();
        if is_any {
            return Ok(None);
        }
        let author = query.author.as_ref().map(|author| author.to_lowercase());
        let filter = Filter { query, author, paths: Paths::of(&query.paths)? };
        let mut allowed = Vec::with_capacity(self.all() as usize);
        for batch in &self.batches {
            let unknown = vec![None; batch.texts() as usize];
            let mut known = Known { author: unknown.clone(), path: unknown };
            let rows = 0..batch.count() as usize;
            allowed.extend(rows.map(|at| filter.allows(batch, at, &mut known)));
        }
        self.dead.iter().for_each(|&number| allowed[number as usize] = false);
        Ok(Some(allowed))
    }
}

impl Filter<'_> {
    fn allows(&self, batch: &Batch, at: usize, known: &mut Known) -> bool {
        let time = batch.time(at);
        self.query.since.is_none_or(|since| since <= time)
            && self.query.until.is_none_or(|until| time <= until)
            && self.is_by(batch, batch.author(at), &mut known.author)
            && self.is_about(batch, at, &mut known.path)
    }

    fn is_by(&self, batch: &Batch, author: u32, known: &mut [Option<bool>]) -> bool {
        let Some(wanted) = &self.author else { return true };
        told(known, author, || batch.text(author).to_lowercase().contains(wanted))
    }

    fn is_about(&self, batch: &Batch, at: usize, known: &mut [Option<bool>]) -> bool {
        let matches = |path: u32| told(known, path, || self.paths.allow(batch.text(path)));
        self.query.paths.is_empty() || batch.paths(at).any(matches)
    }
}

/// What is known of a text, found out if nothing is; a text that is not there says no.
fn told(known: &mut [Option<bool>], text: u32, find_out: impl FnOnce() -> bool) -> bool {
    known.get_mut(text as usize).is_some_and(|known| *known.get_or_insert_with(find_out))
}

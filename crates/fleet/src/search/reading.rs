//! One file of a fleet, for who found a hit in it and wants to read on.
//!
//! In: a path as hits name it, and what the asker may see. Out: the file as it is in the engine,
//! whole: its text is kept in one piece with the parse that its chunks came of. Who may not see a
//! repository gets the answer that is given for one that is not there.

use std::sync::Arc;
use std::time::Duration;

use wherein_corpus::Parsed;
use wherein_engine::search::secrets::redact;

use super::Fleet;
use crate::access::View;
use crate::catalogue::Repository;
use crate::error::{Error, Result};
use crate::milvus::filter::Filter;
use crate::record::Key;

/// A file of a repository.
pub struct Opened {
    /// The repository's name.
    pub repository: String,
    /// The commit that the repository was at when it was last brought up to date; empty for a
    /// folder without git.
    pub revision: String,
    /// As hits name it: the repository's name, then the path in it.
    pub path: String,
    /// Its language's name.
    pub language: String,
    /// All of its text, without what looks like a secret.
    pub text: String,
    /// What it was parsed into.
    pub parsed: Arc<Parsed>,
}

impl Fleet {
    /// Opens a file; `None` if there is none that the asker may see.
    pub fn open(&self, path: &str, view: &View, time: Duration) -> Result<Option<Opened>> {
        let seen = self.repositories(view)?;
        for (repository, within) in candidates(&seen, path) {
            let Some(key) = self.key_of(repository, within, time)? else { continue };
            let found = self.fetched(&[key], time)?.pop();
            let (_, file) = found.ok_or_else(|| Error::Torn(path.to_owned()))?;
            return Ok(Some(Opened {
                repository: repository.name.clone(),
                revision: repository.revision.clone(),
                path: path.to_owned(),
                language: file.language.clone(),
                text: redact(&file.text).into_owned(),
                parsed: file.parsed.clone(),
            }));
        }
        Ok(None)
    }

    /// The file at a path of a repository, found under the filter that searches have.
    fn key_of(&self, repository: &Repository, path: &str, time: Duration) -> Result<Option<Key>> {
        let filter = Filter { repositories: Some(vec![repository.id]), ..Filter::default() };
        let mut keys = self.store.files_at(path, &filter, time)?;
        if keys.len() > 1 {
            // While a sync writes, what was there before may still be beside it.
            let held = self.catalogue.held(repository.id)?;
            keys.sort_by_key(|key| !held.contains(key));
        }
        Ok(keys.first().copied())
    }
}

/// The repositories that a path may begin with, the longest name first, and the rest of the path.
fn candidates<'r>(seen: &'r [Repository], path: &'r str) -> Vec<(&'r Repository, &'r str)> {
    let within = |it: &'r Repository| {
        let rest = path.strip_prefix(&it.name)?.strip_prefix('/')?;
        (!rest.is_empty()).then_some((it, rest))
    };
    let mut found: Vec<_> = seen.iter().filter_map(within).collect();
    found.sort_by_key(|(it, _)| std::cmp::Reverse(it.name.len()));
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(path: &str, expected: &[(&str, &str)]) {
        let named = |name: &str| Repository { name: name.to_owned(), ..Repository::default() };
        let seen = ["acme", "acme/web", "acme/webs"].map(named);
        let found: Vec<_> = candidates(&seen, path)
            .into_iter()
            .map(|(it, rest)| (it.name.as_str(), rest))
            .collect();
        assert_eq!(found, expected, "{path}");
    }

    #[test]
    fn a_path_begins_with_a_repositorys_whole_name() {
        check("acme/web/src/a.rs", &[("acme/web", "src/a.rs"), ("acme", "web/src/a.rs")]);
        check("acme/other/a.rs", &[("acme", "other/a.rs")]);
        check("acme/web/", &[("acme", "web/")]);
        check("acme/web", &[("acme", "web")]);
        check("acme", &[]);
        check("elsewhere/a.rs", &[]);
        check("", &[]);
    }
}

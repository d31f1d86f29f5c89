//! Which files may answer: scope, languages and path patterns, decided once a query.

use globset::{Glob, GlobSet, GlobSetBuilder};
use wherein_corpus::{Language, Role, UnknownLanguage};

use crate::error::{Error, Result};
use crate::index::manifest::FileEntry;
use crate::search::intent::filters::Filters;
use crate::search::query::{Query, Scope};
use crate::search::recall::Recall;

/// For each file of the manifest whether it may answer; `None` if all may.
pub type Allowed = Option<Vec<bool>>;

/// Whether the languages are known and the patterns are patterns.
pub fn check(query: &Query, written: &Filters) -> Result<()> {
    languages(&query.languages)?;
    Paths::of(&query.paths)?;
    Paths::of(&written.paths).map(drop)
}

/// Decides it for every file, by a query's options and by the filters written into it.
pub fn allowed(index: &dyn Recall, query: &Query, written: &Filters) -> Result<Allowed> {
    let by_language = [languages(&query.languages)?, languages(&written.languages)?];
    let by_path = [Paths::of(&query.paths)?, Paths::of(&written.paths)?];
    let is_any_language = by_language.iter().all(Vec::is_empty);
    let is_any_path = query.paths.is_empty() && written.paths.is_empty();
    if query.scope == Scope::All && is_any_language && is_any_path {
        return Ok(None);
    }
    let may = |(file, role): (&FileEntry, &Role)| {
        let language = file.language.as_str();
        in_scope(*role, query.scope)
            && by_language.iter().all(|only| only.is_empty() || only.contains(&language))
            && by_path.iter().all(|only| only.allow(&file.path))
    };
    Ok(Some(index.manifest().files.iter().zip(index.roles()).map(may).collect()))
}

fn languages(names: &[String]) -> Result<Vec<&'static str>> {
    let known = |name: &String| {
        Language::named(name)
            .map(|language| language.name)
            .ok_or_else(|| Error::Language(UnknownLanguage(name.clone())))
    };
    names.iter().map(known).collect()
}

fn in_scope(role: Role, scope: Scope) -> bool {
    match scope {
        Scope::All => true,
        Scope::Code => role == Role::Code,
        Scope::Docs => role == Role::Docs,
    }
}

/// Path patterns: any of the plain ones, none of the negated.
pub(crate) struct Paths {
    wanted: Option<GlobSet>,
    unwanted: GlobSet,
}

impl Paths {
    pub(crate) fn of(patterns: &[String]) -> Result<Paths> {
        let (unwanted, wanted): (Vec<&str>, Vec<&str>) =
            patterns.iter().map(String::as_str).partition(|pattern| pattern.starts_with('!'));
        let unwanted: Vec<&str> = unwanted.iter().map(|pattern| &pattern[1..]).collect();
        let wanted = if wanted.is_empty() { None } else { Some(globs(&wanted)?) };
        Ok(Paths { wanted, unwanted: globs(&unwanted)? })
    }

    pub(crate) fn allow(&self, path: &str) -> bool {
        self.wanted.as_ref().is_none_or(|wanted| wanted.is_match(path))
            && !self.unwanted.is_match(path)
    }
}

/// A pattern without a slash matches anywhere; a folder's name stands for all that is in it.
fn globs(patterns: &[&str]) -> Result<GlobSet> {
    let mut set = GlobSetBuilder::new();
    for pattern in patterns {
        let bad = |error: globset::Error| Error::Pattern {
            pattern: (*pattern).to_owned(),
            reason: error.kind().to_string(),
        };
        let trimmed = pattern.trim_start_matches("./").trim_end_matches('/');
        let anywhere = if trimmed.contains('/') { "" } else { "**/" };
        set.add(Glob::new(&format!("{anywhere}{trimmed}")).map_err(bad)?);
        set.add(Glob::new(&format!("{anywhere}{trimmed}/**")).map_err(bad)?);
    }
    set.build()
        .map_err(|error| Error::Pattern { pattern: patterns.join(" "), reason: error.to_string() })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(patterns: &[&str], path: &str, expected: bool) {
        let patterns: Vec<String> = patterns.iter().map(|p| p.to_string()).collect();
        assert_eq!(Paths::of(&patterns).unwrap().allow(path), expected, "{patterns:?} {path}");
    }

    #[test]
    fn patterns_choose_paths_as_people_expect() {
        check(&["src"], "src/a/b.rs", true);
        check(&["src/"], "lib/b.rs", false);
        check(&["*.rs"], "src/a/b.rs", true);
        check(&["src/*.rs"], "src/b.rs", true);
        check(&["!tests"], "a/tests/b.rs", false);
        check(&["*.rs", "!*_test.rs"], "a_test.rs", false);
        check(&["*.rs", "*.py"], "a.py", true);
    }

    #[test]
    fn a_broken_pattern_is_named() {
        let error = Paths::of(&["a[".to_owned()]).err().unwrap();
        assert!(error.to_string().contains("a["), "{error}");
    }
}

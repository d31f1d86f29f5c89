//! Who may see which repositories: tokens, each with patterns of repositories' names.
//!
//! In: `access.toml` of the fleet's folder and the token somebody shows. Out: a [`View`], which
//! becomes a filter inside the engine's query. Only digests of tokens are kept.

use std::path::Path;

use globset::{Glob, GlobSet, GlobSetBuilder};
use serde::Deserialize;
use wherein_corpus::Digest;

use crate::catalogue::Repository;
use crate::error::{Error, Result};

/// What somebody may see.
#[derive(Clone, Debug)]
pub struct View {
    /// Nothing else; everything if absent.
    only: Option<GlobSet>,
}

impl View {
    /// Everything.
    pub fn all() -> View {
        View { only: None }
    }

    /// Repositories whose names match one of some patterns: `org/*`, `org/name`.
    pub fn of(patterns: &[String]) -> Result<View> {
        let mut set = GlobSetBuilder::new();
        for pattern in patterns {
            let bad = |_| Error::Repository(format!("{pattern:?} is no pattern of names"));
            set.add(Glob::new(pattern).map_err(bad)?);
        }
        let bad = |error: globset::Error| Error::Repository(error.to_string());
        Ok(View { only: Some(set.build().map_err(bad)?) })
    }

    /// Whether it holds everything, so that nothing needs to be filtered.
    pub fn is_all(&self) -> bool {
        self.only.is_none()
    }

    /// Whether a repository may be seen.
    pub fn allows(&self, repository: &Repository) -> bool {
        self.only.as_ref().is_none_or(|only| only.is_match(&repository.name))
    }
}

/// The tokens of a fleet.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Access {
    #[serde(default)]
    token: Vec<Token>,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Token {
    /// The digest of the token, as `wherein fleet token` prints it.
    digest: String,
    /// Patterns of names.
    repositories: Vec<String>,
}

impl Access {
    /// Reads a file; nobody needs a token if there is none.
    pub fn read(path: &Path) -> Result<Access> {
        let unreadable = |why: String| Error::Catalogue(format!("{}: {why}", path.display()));
        match std::fs::read_to_string(path) {
            Ok(text) => Access::parse(&text).map_err(unreadable),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(Access::default()),
            Err(error) => Err(unreadable(error.to_string())),
        }
    }

    /// Reads its text.
    pub fn parse(text: &str) -> std::result::Result<Access, String> {
        toml::from_str(text).map_err(|error| error.to_string())
    }

    /// What the holder of a token may see. Where tokens are given out, nobody sees anything
    /// without one.
    pub fn view(&self, token: Option<&str>) -> Result<View> {
        if self.token.is_empty() {
            return Ok(View::all());
        }
        let Some(token) = token.filter(|token| !token.is_empty()) else {
            return Err(Error::Refused("this fleet needs a token"));
        };
        let shown = digest(token);
        let known = self.token.iter().find(|known| known.digest.eq_ignore_ascii_case(&shown));
        match known {
            Some(known) => View::of(&known.repositories),
            None => Err(Error::Refused("the token is not one of this fleet's")),
        }
    }
}

/// What is kept of a token.
pub fn digest(token: &str) -> String {
    Digest::of(token.as_bytes()).hex()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn access() -> Access {
        let text = format!(
            "[[token]]\ndigest = {:?}\nrepositories = [\"acme/*\", \"tools/one\"]\n",
            digest("secret")
        );
        Access::parse(&text).unwrap()
    }

    #[track_caller]
    fn check(name: &str, expected: bool) {
        let view = access().view(Some("secret")).unwrap();
        let repository = Repository { name: name.to_owned(), ..Repository::default() };
        assert_eq!(view.allows(&repository), expected, "{name}");
    }

    #[test]
    fn a_token_sees_what_its_patterns_name() {
        check("acme/web", true);
        check("tools/one", true);
        check("tools/oneself", false);
        check("other/acme", false);
    }

    #[test]
    fn without_its_token_a_guarded_fleet_shows_nothing() {
        assert!(access().view(None).is_err());
        assert!(access().view(Some("")).is_err());
        assert!(access().view(Some("guess")).is_err());
        assert!(Access::default().view(None).unwrap().is_all());
    }

    #[test]
    fn a_misspelt_key_is_refused_and_opens_nothing() {
        assert!(Access::parse("[[tokens]]\ndigest = \"a\"\nrepositories = []").is_err());
    }
}

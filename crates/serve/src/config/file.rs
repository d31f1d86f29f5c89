//! One file of keys: from its text to values that are known to fit, or what is wrong and where.
//!
//! The parser's own report would quote the line, and a secret may have strayed into the user's
//! file: only what is wrong and where is told.

use std::collections::BTreeMap;
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

use anyhow::{Context, anyhow, bail};
use toml::{Spanned, Value};

use super::keys::{KEYS, Key, Owner, find};
use super::nearest::nearest;

/// Whose file it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Level {
    /// The project's: it came with the tree, and nobody may have read it.
    Project,
    /// The user's own.
    User,
}

/// What a file says.
#[derive(Debug, Default)]
pub struct File {
    /// Where it is, or would be.
    pub path: PathBuf,
    /// Whether it is there.
    pub exists: bool,
    values: BTreeMap<&'static str, Value>,
}

impl File {
    /// Reads a file; one that is not there says nothing.
    pub fn read(path: PathBuf, level: Level) -> anyhow::Result<File> {
        let text = match text_of(&path) {
            Ok(text) => text,
            Err(error) if error.kind() == ErrorKind::NotFound => {
                return Ok(File { path, ..File::default() });
            }
            Err(error) => {
                return Err(error).with_context(|| format!("cannot read {}", path.display()));
            }
        };
        let values = parse(&text, level).with_context(|| format!("in {}", path.display()))?;
        Ok(File { path, exists: true, values })
    }

    /// The value of a key, if it has one here.
    pub fn get(&self, key: &Key) -> Option<&Value> {
        self.values.get(key.name)
    }
}

/// Reads nothing but a file: a pipe of that name would be waited for.
fn text_of(path: &Path) -> io::Result<String> {
    match std::fs::metadata(path)?.is_file() {
        true => std::fs::read_to_string(path),
        false => Err(io::Error::other("it is not a regular file")),
    }
}

fn parse(text: &str, level: Level) -> anyhow::Result<BTreeMap<&'static str, Value>> {
    let line = |start: usize| text.get(..start).unwrap_or_default().matches('\n').count() + 1;
    let rows: BTreeMap<Spanned<String>, Value> = toml::from_str(text).map_err(|error| {
        anyhow!("line {}: {}", line(error.span().map_or(0, |span| span.start)), error.message())
    })?;
    let check = |(name, value): (Spanned<String>, Value)| {
        let at = line(name.span().start);
        let name = name.into_inner();
        check(&name, &value, level)
            .map(|key| (key.name, value))
            .map_err(|why| anyhow!("line {at}: {why}"))
    };
    rows.into_iter().map(check).collect()
}

fn check(name: &str, value: &Value, level: Level) -> anyhow::Result<&'static Key> {
    let Some(key) = find(name) else { bail!("{}", unknown(name)) };
    if let (Level::Project, Owner::User(because)) = (level, key.owner) {
        bail!("{name} belongs into the user's own config.toml, not into a project: {because}");
    }
    match key.complaint(value) {
        Some(complaint) => bail!("{complaint}"),
        None => Ok(key),
    }
}

/// What to say of a key that there is not.
pub fn unknown(name: &str) -> String {
    let names: Vec<&str> = KEYS.iter().map(|key| key.name).collect();
    match nearest(name, &names) {
        Some(near) => format!("there is no key {name:?}; did you mean {near:?}?"),
        None => format!("there is no key {name:?}; there are {}", names.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check_refused(text: &str, level: Level, expected: &str) {
        let error = parse(text, level).unwrap_err();
        assert!(error.to_string().contains(expected), "{error:#}");
        assert!(!format!("{error:#}").contains("sk-"), "{error:#}");
    }

    #[test]
    fn mistakes_are_named_with_their_line_and_what_may_be_meant() {
        use Level::{Project, User};
        check_refused(
            "\nmodle = \"x\"",
            User,
            "line 2: there is no key \"modle\"; did you mean \"model\"?",
        );
        check_refused("max_fil_size = 5", Project, "did you mean \"max_file_size\"?");
        check_refused("maxFileSize = 5", Project, "did you mean \"max_file_size\"?");
        check_refused("color = \"never\"", User, "did you mean \"colour\"?");
        check_refused("quokka = 5", Project, "there are mode, limit");
        check_refused(
            "mode = \"fast\"",
            User,
            "line 1: mode takes one of \"lexical\", \"dense\", \"hybrid\"",
        );
        check_refused("limit = 0", User, "limit takes a whole number, at least 1");
        check_refused("limit = \"3\"", User, "limit takes a whole number");
        check_refused("min_confidence = 2.0", Project, "between 0 and 1");
        check_refused("index_dir = \"here\"", User, "a full path");
        check_refused("key = sk-1", User, "line 1: ");
    }

    #[test]
    fn a_project_has_nothing_sent_run_or_written_elsewhere() {
        let theirs =
            |text| check_refused(text, Level::Project, "belongs into the user's own config.toml");
        theirs("[models.mine]\nurl = \"http://localhost/v1\"");
        theirs("editor = \"rm -rf\"");
        theirs("index_dir = \"/tmp\"");
        theirs("max_memory = 1000000");
        for text in ["editor = \"vi\"", "index_dir = \"~/x\"", "[models.a]\nfolder = \"x\""] {
            assert_eq!(parse(text, Level::User).unwrap().len(), 1, "{text}");
        }
    }
}

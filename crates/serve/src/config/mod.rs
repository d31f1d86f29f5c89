//! What is set where: the environment, a project's `wherein.toml`, the user's `config.toml`.
//!
//! In: a folder. Out: the value of every key and where it came from. The command line comes before
//! all of it, and [`defaults`](crate::cli) makes options take what is found here. A project's file
//! may come from a stranger: [`keys`] says which keys it may hold.

mod file;
pub mod keys;
mod nearest;
#[cfg(test)]
mod page;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use toml::Value;
use wherein_encoder::Model;
use wherein_engine::Settings;

use crate::models;
use file::Level;
use keys::{KEYS, Key};

pub use file::{File, unknown};

/// A project's file, in its top folder.
pub const FILE: &str = "wherein.toml";

/// Everything that is set.
pub struct Config {
    /// The project's file.
    pub project: File,
    /// The user's.
    pub user: File,
    environment: BTreeMap<&'static str, Value>,
}

/// Where a value came from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Source {
    /// A variable of the environment.
    Environment(String),
    /// A project's file.
    Project(PathBuf),
    /// The user's file.
    User(PathBuf),
    /// Nobody said anything.
    Default,
}

impl Config {
    /// What is set for the tree at `root`, or without a tree.
    pub fn read(root: Option<&Path>) -> anyhow::Result<Config> {
        let user = models::config_file();
        let file = |path: Option<PathBuf>, level| match path {
            Some(path) => File::read(path, level),
            None => Ok(File::default()),
        };
        Ok(Config {
            project: file(root.map(|root| root.join(FILE)), Level::Project)?,
            user: file(user, Level::User)?,
            environment: environment(|name| std::env::var_os(name))?,
        })
    }

    /// The value of a key and where it came from, if anyone set it.
    pub fn get(&self, key: &Key) -> Option<(&Value, Source)> {
        let variable = || Source::Environment(key.variable().unwrap_or_default());
        let environment = self.environment.get(key.name).map(|value| (value, variable()));
        let project =
            || self.project.get(key).map(|it| (it, Source::Project(self.project.path.clone())));
        let user = || self.user.get(key).map(|it| (it, Source::User(self.user.path.clone())));
        environment.or_else(project).or_else(user)
    }

    /// The value of a key as a text, if anyone set it.
    pub fn text(&self, name: &str) -> Option<String> {
        keys::find(name).and_then(|key| self.get(key)).map(|(value, _)| shown(value))
    }

    /// How the tree is to be read.
    pub fn settings(&self) -> anyhow::Result<Settings> {
        let mut settings = Settings::default();
        if let Some(size) = self.text("max_file_size").and_then(|size| size.parse().ok()) {
            settings.walk.max_file_size = size;
        }
        // The project's come last, so that they hold.
        for file in [&self.user, &self.project] {
            extensions(file, &mut settings)
                .with_context(|| format!("in {}", file.path.display()))?;
        }
        Ok(settings)
    }

    /// The model that is named, or the built-in one; `None` if that is "none".
    pub fn model(&self) -> anyhow::Result<Option<Model>> {
        let named = keys::find("model").and_then(|key| self.get(key));
        let model = models::chosen(named.as_ref().map(|(name, _)| shown(name)).as_deref());
        match named {
            Some((_, Source::Project(path))) => {
                model.with_context(|| format!("the model of {}", path.display()))
            }
            _ => model,
        }
    }
}

impl Source {
    /// One word for programs.
    pub fn name(&self) -> &'static str {
        match self {
            Source::Environment(_) => "environment",
            Source::Project(_) => "project",
            Source::User(_) => "user",
            Source::Default => "default",
        }
    }
}

impl std::fmt::Display for Source {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        match self {
            Source::Environment(variable) => write!(f, "${variable}"),
            Source::Project(path) | Source::User(path) => write!(f, "{}", path.display()),
            Source::Default => f.write_str("default"),
        }
    }
}

/// Whether a fleet of repositories can be asked: this program can, and a store is named.
pub fn names_a_fleet() -> bool {
    let is_named = |config: Config| config.text("store").is_some();
    cfg!(feature = "fleet") && Config::read(None).is_ok_and(is_named)
}

/// A value as an option or a reader takes it; of a table the names of its rows.
pub fn shown(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Table(rows) => rows.keys().map(String::as_str).collect::<Vec<_>>().join(", "),
        Value::Integer(number) => number.to_string(),
        Value::Float(number) => number.to_string(),
        other => format!("{other:?}"),
    }
}

fn environment(
    get: impl Fn(&str) -> Option<std::ffi::OsString>,
) -> anyhow::Result<BTreeMap<&'static str, Value>> {
    let mut values = BTreeMap::new();
    for key in KEYS {
        let Some(variable) = key.variable() else { continue };
        let Some(text) = get(&variable).filter(|text| !text.is_empty()) else { continue };
        let Ok(text) = text.into_string() else { bail!("${variable} is not UTF-8") };
        let value = key.read(&text);
        if let Some(complaint) = key.complaint(&value) {
            bail!("${variable} cannot be {text:?}: {complaint}");
        }
        values.insert(key.name, value);
    }
    Ok(values)
}

fn extensions(file: &File, settings: &mut Settings) -> anyhow::Result<()> {
    let rows = keys::find("extensions").and_then(|key| file.get(key)).and_then(Value::as_table);
    for (extension, language) in rows.into_iter().flatten() {
        let named =
            language.as_str().with_context(|| format!("extensions.{extension} takes a text"))?;
        let overrides = &mut settings.walk.overrides;
        overrides.set(extension, named).with_context(|| format!("extensions.{extension}"))?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A configuration from the texts of both files and variables of the environment.
    fn config(project: &str, user: &str, variables: &[(&str, &str)]) -> anyhow::Result<Config> {
        let folder = tempfile::tempdir().unwrap();
        let file = |name: &str, text: &str, level| {
            let path = folder.path().join(name);
            std::fs::write(&path, text).unwrap();
            File::read(path, level)
        };
        let find = |name: &str| variables.iter().find(|(key, _)| *key == name);
        Ok(Config {
            project: file("wherein.toml", project, Level::Project)?,
            user: file("config.toml", user, Level::User)?,
            environment: environment(|name| find(name).map(|(_, value)| value.into()))?,
        })
    }

    #[track_caller]
    fn check(config: &Config, key: &str, expected: Option<(&str, &str)>) {
        let found = config.get(keys::find(key).unwrap());
        let found = found.map(|(value, source)| (shown(value), source.name()));
        let found = found.as_ref().map(|(value, source)| (value.as_str(), *source));
        assert_eq!(found, expected, "{key}");
    }

    #[test]
    fn the_environment_comes_before_the_project_and_the_project_before_the_user() {
        let user = "mode = \"dense\"\nlimit = 7\nscope = \"code\"\n";
        let config =
            config("mode = \"lexical\"\nlimit = 5\n", user, &[("WHEREIN_LIMIT", "3")]).unwrap();
        check(&config, "limit", Some(("3", "environment")));
        check(&config, "mode", Some(("lexical", "project")));
        check(&config, "scope", Some(("code", "user")));
        check(&config, "unit", None);
    }

    #[test]
    fn an_empty_variable_says_nothing_and_a_bad_one_is_named() {
        check(&config("", "", &[("WHEREIN_MODE", "")]).unwrap(), "mode", None);
        let refused = |name, value| config("", "", &[(name, value)]).err().unwrap().to_string();
        assert!(
            refused("WHEREIN_MODE", "fast")
                .starts_with("$WHEREIN_MODE cannot be \"fast\": mode takes")
        );
        assert!(refused("WHEREIN_LIMIT", "many").contains("a whole number"));
    }

    #[test]
    fn settings_of_a_tree_are_those_of_both_files() {
        let user = "max_file_size = 9\n[extensions]\ninc = \"c\"\nx = \"rust\"\n";
        let both = config("max_file_size = 5\n[extensions]\ninc = \"php\"\n", user, &[]).unwrap();
        let settings = both.settings().unwrap();
        assert_eq!(settings.walk.max_file_size, 5);
        let mut expected = Settings::default().walk.overrides;
        for (extension, language) in [("inc", "php"), ("x", "rust")] {
            expected.set(extension, language).unwrap();
        }
        assert_eq!(settings.walk.overrides, expected);
        let klingon =
            config("[extensions]\nx = \"klingon\"", "", &[]).unwrap().settings().unwrap_err();
        assert!(format!("{klingon:#}").contains("klingon"), "{klingon:#}");
    }
}

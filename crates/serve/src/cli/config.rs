//! A project's own settings: `wherein.toml` in its top folder.

use std::collections::BTreeMap;
use std::path::Path;

use anyhow::{Context, bail};
use serde::Deserialize;
use serde::de::IgnoredAny;
use wherein_encoder::Model;
use wherein_engine::Settings;

use crate::models;

const FILE: &str = "wherein.toml";

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct Config {
    /// Files larger than this many bytes are skipped.
    max_file_size: Option<u64>,
    /// Extension → language.
    #[serde(default)]
    extensions: BTreeMap<String, String>,
    /// The name of a model; what it means is the user's to say.
    model: Option<String>,
    /// Known only to be refused with its reason.
    models: Option<IgnoredAny>,
}

/// Reads the settings of the tree at `root`; the defaults if it has none.
pub fn settings(root: &Path) -> anyhow::Result<Settings> {
    read(root, |config| settings_of(&config))
}

/// The model for the tree at `root`: the one it names, or the user's, or the built-in one; `None`
/// if that is "none".
pub fn model(root: &Path) -> anyhow::Result<Option<Model>> {
    let named = read(root, |config| Ok(config.model))?;
    let model = models::chosen(named.as_deref());
    match named {
        Some(_) => model.with_context(|| format!("the model of {}", root.join(FILE).display())),
        None => model,
    }
}

fn read<T>(root: &Path, take: impl Fn(Config) -> anyhow::Result<T>) -> anyhow::Result<T> {
    let path = root.join(FILE);
    let text = match std::fs::read_to_string(&path) {
        Ok(text) => text,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => String::new(),
        Err(error) => return Err(error).with_context(|| format!("cannot read {}", path.display())),
    };
    parse(&text).and_then(take).with_context(|| format!("in {}", path.display()))
}

fn parse(text: &str) -> anyhow::Result<Config> {
    let config: Config = toml::from_str(text)?;
    if config.models.is_some() {
        bail!(
            "a project may name a model but not define one: \
             [models.NAME] belongs into the user's own config.toml"
        );
    }
    Ok(config)
}

fn settings_of(config: &Config) -> anyhow::Result<Settings> {
    let mut settings = Settings::default();
    if let Some(size) = config.max_file_size {
        settings.walk.max_file_size = size;
    }
    for (extension, language) in &config.extensions {
        let overrides = &mut settings.walk.overrides;
        overrides.set(extension, language).with_context(|| format!("extensions.{extension}"))?;
    }
    Ok(settings)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check_refused(text: &str, part: &str) {
        let error = parse(text).and_then(|config| settings_of(&config)).unwrap_err();
        assert!(format!("{error:#}").contains(part), "{error:#}");
    }

    #[test]
    fn keys_that_exist_are_taken_and_others_refused() {
        let text = "max_file_size = 5\nmodel = \"mine\"\n[extensions]\ninc = \"php\"\n";
        let config = parse(text).unwrap();
        assert_eq!(config.model.as_deref(), Some("mine"));
        assert_eq!(settings_of(&config).unwrap().walk.max_file_size, 5);
        check_refused("max_fil_size = 5", "max_fil_size");
        check_refused("[extensions]\nx = \"klingon\"", "klingon");
    }

    #[test]
    fn a_project_defines_no_model() {
        check_refused("[models.mine]\nurl = \"http://localhost/v1\"", "not define one");
        check_refused("url = \"http://localhost/v1\"", "url");
        check_refused("model = { url = \"http://localhost/v1\" }", "model");
    }
}

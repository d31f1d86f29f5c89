//! A project's own settings: `wherein.toml` in its top folder.

use std::collections::BTreeMap;
use std::path::Path;

use anyhow::Context;
use serde::Deserialize;
use wherein_engine::Settings;

const FILE: &str = "wherein.toml";

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct Config {
    /// Files larger than this many bytes are skipped.
    max_file_size: Option<u64>,
    /// Extension → language.
    #[serde(default)]
    extensions: BTreeMap<String, String>,
}

/// Reads the settings of the tree at `root`; the defaults if it has none.
pub fn settings(root: &Path) -> anyhow::Result<Settings> {
    let path = root.join(FILE);
    let text = match std::fs::read_to_string(&path) {
        Ok(text) => text,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
            return Ok(Settings::default());
        }
        Err(error) => return Err(error).with_context(|| format!("cannot read {}", path.display())),
    };
    parse(&text).with_context(|| format!("in {}", path.display()))
}

fn parse(text: &str) -> anyhow::Result<Settings> {
    let config: Config = toml::from_str(text)?;
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

    #[test]
    fn keys_that_exist_are_taken_and_others_refused() {
        let settings = parse("max_file_size = 5\n[extensions]\ninc = \"php\"\n").unwrap();
        assert_eq!(settings.walk.max_file_size, 5);
        assert!(parse("max_fil_size = 5").is_err());
        let error = parse("[extensions]\nx = \"klingon\"").unwrap_err();
        assert!(format!("{error:#}").contains("klingon"), "{error:#}");
    }
}

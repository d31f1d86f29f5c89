//! The user's own file: which models there are, and which one is used unless a project says so.

use std::collections::BTreeMap;
use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use anyhow::{Context, anyhow, bail};
use serde::Deserialize;
use wherein_encoder::Model;

use super::definition::Definition;

const BUILT_IN: &str = "built-in";
const LARGE: &str = "large";
const NONE: &str = "none";

/// What the user defined and chose.
#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Catalogue {
    model: Option<String>,
    #[serde(default)]
    models: BTreeMap<String, Definition>,
    /// The address of a fleet's engine.
    #[cfg_attr(not(feature = "fleet"), allow(dead_code))]
    pub store: Option<String>,
    /// Where it was read.
    #[serde(skip)]
    path: PathBuf,
}

impl Catalogue {
    /// Reads the file; one that is not there defines nothing.
    pub fn read(path: &Path) -> anyhow::Result<Catalogue> {
        let text = match fs::read_to_string(path) {
            Ok(text) => text,
            Err(error) if error.kind() == ErrorKind::NotFound => String::new(),
            Err(error) => {
                return Err(error).with_context(|| format!("cannot read {}", path.display()));
            }
        };
        let catalogue = parse(&text).with_context(|| format!("in {}", path.display()))?;
        Ok(Catalogue { path: path.to_owned(), ..catalogue })
    }

    /// The model named by the project, else by the user, else the built-in one; `None` if that is
    /// "none".
    pub fn choose(&self, by_project: Option<&str>) -> anyhow::Result<Option<Model>> {
        match by_project.or(self.model.as_deref()).unwrap_or(BUILT_IN) {
            BUILT_IN => Ok(Some(Model::built_in())),
            LARGE => Ok(Some(Model::large())),
            NONE => Ok(None),
            name => self.defined(name).map(Some),
        }
    }

    fn defined(&self, name: &str) -> anyhow::Result<Model> {
        let Some(definition) = self.models.get(name) else {
            let known: Vec<&str> = [BUILT_IN, LARGE, NONE]
                .into_iter()
                .chain(self.models.keys().map(String::as_str))
                .collect();
            bail!(
                "no model is called {name:?}; there are {}; others are defined in {}",
                known.join(", "),
                self.path.display()
            );
        };
        let folder = self.path.parent().unwrap_or(Path::new(""));
        definition.model(folder).with_context(|| format!("model {name:?}"))
    }
}

/// The parser's own report would quote the line, and a key may have strayed into it: only what is
/// wrong and where is told.
fn parse(text: &str) -> anyhow::Result<Catalogue> {
    let catalogue: Catalogue = toml::from_str(text).map_err(|error| {
        let before = error.span().and_then(|span| text.get(..span.start)).unwrap_or_default();
        anyhow!("line {}: {}", before.matches('\n').count() + 1, error.message())
    })?;
    if let Some(name) =
        [BUILT_IN, LARGE, NONE].into_iter().find(|name| catalogue.models.contains_key(*name))
    {
        bail!("models.{name}: the name is taken; choose another");
    }
    Ok(catalogue)
}

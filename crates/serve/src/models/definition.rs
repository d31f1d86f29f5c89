//! One `[models.NAME]` table: a folder with a model's files, or an endpoint elsewhere.

use std::env;
use std::num::NonZeroU32;
use std::path::{Path, PathBuf};
use std::time::Duration;

use serde::Deserialize;
use ureq::http::Uri;
use wherein_encoder::{Error, Model};

use super::endpoint::Endpoint;

/// Some services refuse more texts than this at once.
const BATCH: usize = 32;
const TIMEOUT: Duration = Duration::from_secs(60);

/// Where a model is.
#[derive(Debug, PartialEq, Deserialize)]
#[serde(try_from = "Table")]
pub enum Definition {
    /// In this folder.
    Folder(PathBuf),
    /// Behind this address.
    Endpoint(Endpoint),
}

impl Definition {
    /// The model. A folder that is no full path is looked for in `here`.
    pub fn model(&self, here: &Path) -> Result<Model, Error> {
        match self {
            Definition::Folder(folder) => Model::in_folder(&full(folder, here)),
            Definition::Endpoint(endpoint) => Ok(endpoint.model()),
        }
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Table {
    folder: Option<PathBuf>,
    url: Option<String>,
    model: Option<String>,
    key_env: Option<String>,
    timeout_s: Option<NonZeroU32>,
    batch: Option<NonZeroU32>,
    dimensions: Option<NonZeroU32>,
}

impl TryFrom<Table> for Definition {
    type Error = &'static str;

    fn try_from(table: Table) -> Result<Definition, &'static str> {
        match (&table.folder, &table.url) {
            (Some(_), Some(_)) => Err("a model has a folder or a url, not both"),
            (None, None) => Err("a model needs a folder or a url"),
            (Some(folder), None) if table.has_only_a_folder() => {
                Ok(Definition::Folder(folder.clone()))
            }
            (Some(_), None) => Err("a model in a folder has no other keys"),
            (None, Some(url)) => table.endpoint(url).map(Definition::Endpoint),
        }
    }
}

impl Table {
    fn has_only_a_folder(&self) -> bool {
        let numbers = [self.timeout_s, self.batch, self.dimensions];
        self.model.is_none() && self.key_env.is_none() && numbers.iter().all(Option::is_none)
    }

    fn endpoint(&self, url: &str) -> Result<Endpoint, &'static str> {
        let model = self.model.clone().filter(|model| !model.trim().is_empty());
        Ok(Endpoint {
            url: address(url)?,
            model: model
                .ok_or("a model behind a url needs the server's name for it, in `model`")?,
            key_env: self.key_env.clone().map(variable).transpose()?,
            timeout: self.timeout_s.map_or(TIMEOUT, |s| Duration::from_secs(s.get().into())),
            batch: self.batch.map_or(BATCH, |batch| batch.get() as usize),
            dimensions: self.dimensions.map(NonZeroU32::get),
        })
    }
}

/// The address without a slash at its end. It names the vectors in indexes and errors, so nothing
/// secret may be in it; for the same reason it is not quoted here.
fn address(url: &str) -> Result<String, &'static str> {
    let uri: Uri = url.parse().map_err(|_| "the url is none")?;
    if !matches!(uri.scheme_str(), Some("http" | "https")) {
        return Err("the url must start with http:// or https://");
    }
    let authority = uri.authority().map_or("", |authority| authority.as_str());
    if authority.contains('@') || url.contains(['?', '#']) {
        return Err("the url must hold no user, password, `?` or `#`; a key goes into an \
                    environment variable that key_env names");
    }
    Ok(url.trim_end_matches('/').to_owned())
}

/// A key pasted in place of the variable's name would be shown in errors; few keys look like this.
fn variable(name: String) -> Result<String, &'static str> {
    let fits = |c: char| c.is_ascii_uppercase() || c.is_ascii_digit() || c == '_';
    if name.is_empty() || !name.chars().all(fits) {
        return Err("key_env is the name of an environment variable (capital letters, digits and \
                    underscores), not the key");
    }
    Ok(name)
}

fn full(folder: &Path, here: &Path) -> PathBuf {
    match (folder.strip_prefix("~"), env::home_dir()) {
        (Ok(rest), Some(home)) => home.join(rest),
        _ => here.join(folder),
    }
}

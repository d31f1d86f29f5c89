//! Models by name: from the user's own configuration to one that encodes.
//!
//! A project may name a model but never define one: a tree that was merely checked out must not be
//! able to have code or keys sent to an address of its choosing.

mod answer;
mod catalogue;
mod client;
mod definition;
mod endpoint;
mod failure;
mod key;
mod server;
#[cfg(test)]
mod tests;

use std::path::PathBuf;

use wherein_encoder::Model;

use catalogue::Catalogue;

/// The model the project names, or the user, or the built-in one; `None` if that is "none".
pub fn chosen(by_project: Option<&str>) -> anyhow::Result<Option<Model>> {
    users()?.choose(by_project)
}

/// The address of a fleet's engine, if the user names one.
#[cfg(feature = "fleet")]
pub fn store() -> anyhow::Result<Option<String>> {
    Ok(users()?.store)
}

fn users() -> anyhow::Result<Catalogue> {
    match config_file(|name| std::env::var_os(name).map(PathBuf::from)) {
        Some(path) => Catalogue::read(&path),
        None => Ok(Catalogue::default()),
    }
}

/// `$XDG_CONFIG_HOME/wherein/config.toml`, or what stands for it on this system, if anything does.
fn config_file(environment: impl Fn(&str) -> Option<PathBuf>) -> Option<PathBuf> {
    let from = |name: &str| environment(name).filter(|path| path.is_absolute());
    let home = match (from("XDG_CONFIG_HOME"), from("HOME")) {
        (Some(config), _) => config,
        (None, _) if cfg!(windows) => from("APPDATA")?,
        (None, Some(home)) if cfg!(target_os = "macos") => home.join("Library/Application Support"),
        (None, home) => home?.join(".config"),
    };
    Some(home.join("wherein").join("config.toml"))
}

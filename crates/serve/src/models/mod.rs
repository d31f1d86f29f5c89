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

/// The model of that name, or the user's, or the built-in one; `None` if that is "none".
pub fn chosen(named: Option<&str>) -> anyhow::Result<Option<Model>> {
    users()?.choose(named)
}

fn users() -> anyhow::Result<Catalogue> {
    match config_file() {
        Some(path) => Catalogue::read(&path),
        None => Ok(Catalogue::default()),
    }
}

/// The user's own file, if this system has a place for it.
pub fn config_file() -> Option<PathBuf> {
    place(|name| std::env::var_os(name).map(PathBuf::from))
}

/// `$XDG_CONFIG_HOME/wherein/config.toml`, or what stands for it on this system, if anything does.
fn place(environment: impl Fn(&str) -> Option<PathBuf>) -> Option<PathBuf> {
    let from = |name: &str| environment(name).filter(|path| path.is_absolute());
    let home = match (from("XDG_CONFIG_HOME"), from("HOME")) {
        (Some(config), _) => config,
        (None, _) if cfg!(windows) => from("APPDATA")?,
        (None, Some(home)) if cfg!(target_os = "macos") => home.join("Library/Application Support"),
        (None, home) => home?.join(".config"),
    };
    Some(home.join("wherein").join("config.toml"))
}

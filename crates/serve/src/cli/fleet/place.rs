//! Which fleet: where its engine, its catalogue and its tokens are.
//!
//! A project cannot name any of them: a tree that was merely checked out must not be able to have
//! questions and tokens sent to an address of its choosing.

use std::path::PathBuf;
use std::time::Duration;

use anyhow::{Context, bail};
use wherein_encoder::{Model, Side};
use wherein_fleet::access::{Access, View};
use wherein_fleet::catalogue::Catalogue;
use wherein_fleet::catalogue::plain::Plain;
use wherein_fleet::catalogue::postgres::Postgres;
use wherein_fleet::milvus::Store;
use wherein_fleet::milvus::call::Channel;
use wherein_fleet::milvus::schema::Nearest;
use wherein_fleet::search::Fleet;
use wherein_fleet::tls::Papers;

use super::args::FleetPlace;
use crate::config::Config;
use crate::models;

/// A fleet's parts.
pub struct Place {
    pub folder: PathBuf,
}

impl Place {
    /// The one that is named, or the user's.
    pub fn of(args: &FleetPlace) -> anyhow::Result<Place> {
        let named = variable("WHEREIN_FLEET_DIR").map(PathBuf::from);
        let folder = match args.fleet_dir.clone().or(named) {
            Some(folder) => folder,
            None => data_folder()?.join("fleet"),
        };
        Ok(Place { folder })
    }

    /// The database that the environment names, or the folder's own file.
    pub fn catalogue(&self) -> anyhow::Result<Box<dyn Catalogue>> {
        Ok(match database()? {
            Some(database) => Box::new(database),
            None => Box::new(Plain::at(&self.folder)),
        })
    }

    /// The engine, for a model's vectors.
    pub fn store(&self, model: &Model) -> anyhow::Result<Store> {
        const TIME: Duration = Duration::from_secs(30);
        let address = address()?.parse()?;
        let token = variable("WHEREIN_STORE_TOKEN");
        let channel = Channel::new(address, token.as_deref(), &papers(), TIME)?;
        let width = model.encode(&["width"], Side::Passage)?.first().map_or(0, Vec::len);
        Ok(Store::new(channel, model.id(), width))
    }

    /// A fleet that can be asked.
    pub fn fleet(&self, model: &Model) -> anyhow::Result<Fleet> {
        Ok(Fleet::new(self.catalogue()?, self.store(model)?))
    }

    /// What the holder of a token may see.
    pub fn view(&self, token: Option<&str>) -> anyhow::Result<View> {
        Ok(Access::read(&self.folder.join("access.toml"))?.view(token)?)
    }
}

/// The database that the environment names.
pub fn database() -> anyhow::Result<Option<Postgres>> {
    let connect = |address: String| Postgres::connect(&address, &papers());
    Ok(variable("WHEREIN_QUEUE").map(connect).transpose()?)
}

/// Whom to trust and what to show where a connection is encrypted.
fn papers() -> Papers {
    let file = |name| variable(name).map(PathBuf::from);
    Papers {
        authorities: file("WHEREIN_TLS_CA").or_else(|| file("SSL_CERT_FILE")),
        certificate: file("WHEREIN_TLS_CERT"),
        key: file("WHEREIN_TLS_KEY"),
    }
}

/// The model of a fleet: the user's.
pub fn model() -> anyhow::Result<Model> {
    let model = models::chosen(None)?;
    model.context("a fleet needs a model; the configuration says model = \"none\"")
}

/// The token of who searches from this machine.
pub fn own_token() -> Option<String> {
    variable("WHEREIN_FLEET_TOKEN")
}

/// How the engine is to find near vectors, if the environment says so.
pub fn nearest() -> anyhow::Result<Option<Nearest>> {
    const VARIABLE: &str = "WHEREIN_STORE_INDEX";
    let Some(name) = variable(VARIABLE) else { return Ok(None) };
    let known = Nearest::named(&name.to_uppercase());
    Ok(Some(known.with_context(|| format!("{VARIABLE} is HNSW or IVF_RABITQ, not {name:?}"))?))
}

/// The address of the engine, from the environment or the user's file.
pub fn address() -> anyhow::Result<String> {
    match Config::read(None)?.text("store") {
        Some(address) => Ok(address),
        None => bail!(
            "no store is named; set WHEREIN_STORE, or store = \"milvus://HOST:PORT/COLLECTION\" \
             in the user's own config.toml"
        ),
    }
}

fn variable(name: &str) -> Option<String> {
    std::env::var(name).ok().filter(|value| !value.is_empty())
}

/// `$XDG_DATA_HOME/wherein`, or what stands for it.
fn data_folder() -> anyhow::Result<PathBuf> {
    let from = |name: &str| variable(name).map(PathBuf::from).filter(|path| path.is_absolute());
    match (from("XDG_DATA_HOME"), from("HOME")) {
        (Some(data), _) => Ok(data.join("wherein")),
        (None, Some(home)) => Ok(home.join(".local/share/wherein")),
        (None, None) => bail!("no home folder to keep the fleet in; name one with --fleet-dir DIR"),
    }
}

//! What `wherein doctor` says of a fleet: whether its engine and its database answer, and whether
//! what goes there is encrypted.

use super::open::TIME;
use super::place::{Place, address, database, model};

/// What is well, or what is not and what to do.
pub type Looked = Result<String, (String, &'static str)>;

/// The parts of the user's fleet, if there is one, by their names.
pub fn look() -> Vec<(&'static str, Looked)> {
    let Ok(address) = address() else { return Vec::new() };
    let advice = "start it, or correct 'store' in config.toml or WHEREIN_STORE";
    let mut looked = vec![("engine", told(engine(&address), advice))];
    if let Some(found) = catalogue().transpose() {
        looked.push(("catalogue", told(found, "start it, or correct WHEREIN_QUEUE")));
    }
    looked
}

fn told(found: anyhow::Result<String>, advice: &'static str) -> Looked {
    found.map_err(|error| (format!("{error:#}"), advice))
}

/// Whether the engine answers and holds what it should.
fn engine(address: &str) -> anyhow::Result<String> {
    let store = Place::of(&Default::default())?.store(&model()?)?;
    let version = store.version()?;
    let protection = store.protection().unwrap_or_default();
    let state = match store.is_there()? {
        true => {
            let nearest = store.nearest(TIME).name();
            format!("its collections are those of this program and model, by {nearest}")
        }
        false => "it has no collections yet; 'wherein fleet sync' makes them".to_owned(),
    };
    Ok(format!("{address} answers, version {version}, {protection}; {state}"))
}

/// Whether the database answers, where there is one.
fn catalogue() -> anyhow::Result<Option<String>> {
    let Some(database) = database()? else { return Ok(None) };
    let (at, protection) = database.about()?;
    Ok(Some(format!("the database at {at} answers, {protection}")))
}

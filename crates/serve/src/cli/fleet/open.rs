//! The fleet of who started the program, for servers: opened by the first question, then kept.
//!
//! Every door asks the same one, so that files and statistics that one question fetched are at hand
//! for the next, whoever asks it. What somebody may see is decided anew for each question.

use std::sync::OnceLock;
use std::time::Duration;

use wherein_encoder::Model;
use wherein_engine::search::query::Query;
use wherein_fleet::catalogue::Repository;
use wherein_fleet::search::reading::Opened;
use wherein_fleet::search::{Asked, Fleet, Found};

use super::place::{Place, model};

/// How long the engine may take for a question.
pub const TIME: Duration = Duration::from_secs(10);

/// A fleet that is ready to be asked.
pub struct Open {
    place: Place,
    model: Model,
    fleet: Fleet,
}

/// A question to a fleet, and who asks it.
pub struct Question<'q> {
    /// What is asked.
    pub query: &'q Query,
    /// Only repositories whose names match one of these patterns; all if empty.
    pub repositories: &'q [String],
    /// Only these organisations; all if empty.
    pub organisations: &'q [String],
    /// What the asker shows.
    pub token: Option<&'q str>,
    /// How long the engine may take.
    pub time: Duration,
}

/// The fleet; opening it is tried again by the next question if it fails.
pub fn open() -> anyhow::Result<&'static Open> {
    static OPEN: OnceLock<Open> = OnceLock::new();
    if OPEN.get().is_none() {
        let (place, model) = (Place::of(&Default::default())?, model()?);
        let fleet = place.fleet(&model)?;
        let _ = OPEN.set(Open { place, model, fleet });
    }
    Ok(OPEN.get().expect("it was just set"))
}

impl Open {
    /// Answers a question from what its asker may see.
    pub fn ask(&self, question: &Question) -> anyhow::Result<Found> {
        let view = self.place.view(question.token)?;
        let asked = Asked {
            query: question.query,
            repositories: question.repositories,
            organisations: question.organisations,
            view: &view,
            time: question.time,
        };
        Ok(self.fleet.search(&asked, Some(&self.model))?)
    }

    /// A file at a path that begins with its repository's name; `None` if there is none that the
    /// holder of a token may see.
    pub fn file(&self, path: &str, token: Option<&str>) -> anyhow::Result<Option<Opened>> {
        Ok(self.fleet.open(path, &self.place.view(token)?, TIME)?)
    }

    /// The repositories that the holder of a token may see.
    pub fn repositories(&self, token: Option<&str>) -> anyhow::Result<Vec<Repository>> {
        Ok(self.fleet.repositories(&self.place.view(token)?)?)
    }
}

//! The store: what the fleet asks of the engine, in its own words.
//!
//! Here are the calls that everything else is made of; what is made of them stands beside: the
//! collections themselves, files that are written, pieces that are fetched, and questions.

mod asking;
mod making;
mod pieces;
mod writing;

use std::sync::OnceLock;
use std::time::Duration;

use super::call::{Channel, well};
use super::columns::{Column, Columns, columns};
use super::protobuf::{Message, part};
use super::schema::Nearest;
use crate::error::{Error, Result};

pub use asking::{Ask, List};

/// The collections of one fleet on an engine.
pub struct Store {
    channel: Channel,
    model: String,
    width: usize,
    /// How near vectors are found there, once somebody has asked.
    nearest: OnceLock<Nearest>,
}

/// Rows in one call.
const ROWS: usize = 256;

/// How long writing may take; reading for somebody who waits has a time of its own.
const SLOW: Duration = Duration::from_secs(120);

impl Store {
    /// The collections for one model's vectors.
    pub fn new(channel: Channel, model: &str, width: usize) -> Store {
        Store { channel, model: model.to_owned(), width, nearest: OnceLock::new() }
    }

    /// Where it is.
    pub fn address(&self) -> String {
        self.channel.address.to_string()
    }

    /// How the way there is protected, once it was taken.
    pub fn protection(&self) -> Option<String> {
        self.channel.protection()
    }

    fn chunks(&self) -> String {
        format!("{}_chunks", self.channel.address.collection)
    }

    fn pieces(&self) -> String {
        format!("{}_pieces", self.channel.address.collection)
    }

    /// The engine's own version.
    pub fn version(&self) -> Result<String> {
        let answer = self.channel.call("GetVersion", Message::new())?;
        well(part(&answer, 1))?;
        Ok(String::from_utf8_lossy(part(&answer, 2)).into_owned())
    }

    fn query(&self, collection: &str, filter: &str, fields: &[&str]) -> Result<Columns> {
        self.query_within(collection, filter, fields, SLOW)
    }

    fn query_within(
        &self,
        collection: &str,
        filter: &str,
        fields: &[&str],
        time: Duration,
    ) -> Result<Columns> {
        let message = Message::new()
            .text(3, collection)
            .text(4, filter)
            .each(fields, |message, field| message.text(5, field));
        let ask = || {
            let answer = self.channel.call_within("Query", message.clone(), time)?;
            well(part(&answer, 1))?;
            Ok(columns(&answer, 2))
        };
        match ask() {
            Err(error) if is_unready(&error) => {
                self.load_all()?;
                ask()
            }
            done => done,
        }
    }

    fn upsert(&self, collection: &str, rows: usize, columns: &[(&str, Column)]) -> Result<()> {
        if rows == 0 {
            return Ok(());
        }
        let message = Message::new()
            .text(3, collection)
            .each(columns, |message, (name, column)| message.message(5, column.written(name)))
            .number(7, rows as u64);
        let answer = self.channel.call_within("Upsert", message, SLOW)?;
        well(part(&answer, 1))
    }

    fn delete(&self, collection: &str, filter: &str) -> Result<()> {
        let message = Message::new().text(3, collection).text(5, filter);
        let answer = self.channel.call_within("Delete", message, SLOW)?;
        well(part(&answer, 1))
    }
}

/// Whether an engine says that a collection is not ready for search.
fn is_unready(error: &Error) -> bool {
    matches!(error, Error::Engine(why) if why.contains("load"))
}

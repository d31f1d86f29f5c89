//! The store: what the fleet asks of the engine, in its own words.
//!
//! Here are the calls that everything else is made of; what is made of them stands beside: the
//! collections themselves, files that are written, pieces that are fetched, and questions.

mod asking;
mod making;
mod pieces;
mod writing;

use std::sync::OnceLock;
use std::time::{Duration, Instant};

use ::milvus::v2::ClientV2;
use ::milvus::v2::request::dml::{DeleteRequest, InsertRequest, UpsertRequest};
use ::milvus::v2::request::dql::QueryRequest;
use ::milvus::v2::request::utility::GetServerVersionRequest;
use ::milvus::v2::types::{ConsistencyLevel, FieldData, QueryResults};

use super::call::Channel;
use super::fault::unsayable;
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
    /// How long a call may take whose time nobody names, once a worker has said.
    patience: OnceLock<Duration>,
}

/// Rows in one call.
const ROWS: usize = 256;

/// How long writing may take where no worker says otherwise; reading for somebody who waits has a time
/// of its own.
const SLOW: Duration = Duration::from_secs(120);

impl Store {
    /// The collections for one model's vectors.
    pub fn new(channel: Channel, model: &str, width: usize) -> Store {
        let (nearest, patience) = (OnceLock::new(), OnceLock::new());
        Store { channel, model: model.to_owned(), width, nearest, patience }
    }

    /// Says after what time a call is given up whose time nobody names. The first to say so is heard.
    pub fn give_up_after(&self, time: Duration) {
        let _ = self.patience.set(time);
    }

    /// The time of a call that costs the engine nothing.
    fn quick(&self) -> Duration {
        self.channel.timeout.min(self.slow())
    }

    fn slow(&self) -> Duration {
        self.patience.get().copied().unwrap_or(SLOW)
    }

    /// Since when the engine has not answered, if it does not.
    pub fn silent_since(&self) -> Option<Instant> {
        self.channel.silent_since()
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
        let request = GetServerVersionRequest::builder().build().map_err(unsayable)?;
        let ask = |client: ClientV2| async move { client.server_version(request).await };
        let answer = self.channel.call(self.quick(), ask)?;
        Ok(answer.version().to_owned())
    }

    fn query(&self, collection: &str, filter: &str, fields: &[&str]) -> Result<QueryResults> {
        self.query_within(collection, filter, fields, self.slow())
    }

    fn query_within(
        &self,
        collection: &str,
        filter: &str,
        fields: &[&str],
        time: Duration,
    ) -> Result<QueryResults> {
        let request = QueryRequest::builder().collection_name(collection).filter(filter);
        let request = request.output_fields(fields.iter().copied());
        let request = request.consistency_level(ConsistencyLevel::Strong);
        let request = request.build().map_err(unsayable)?;
        let ask = || {
            let answer = self.channel.call(time, |client| {
                let request = request.clone();
                async move { client.query(request).await }
            })?;
            Ok(answer.results().clone())
        };
        match ask() {
            Err(error) if is_unready(&error) => {
                self.load_all(time)?;
                ask()
            }
            done => done,
        }
    }

    fn upsert(&self, collection: &str, columns: Vec<FieldData>) -> Result<()> {
        let rows = InsertRequest::builder().collection_name(collection).columns(columns);
        let rows = rows.build().map_err(unsayable)?;
        let request = UpsertRequest::builder().insert(rows).build().map_err(unsayable)?;
        let answer = self.channel.call(self.slow(), |client| {
            let request = request.clone();
            async move { client.upsert(request).await }
        });
        answer.map(|_| ())
    }

    fn delete(&self, collection: &str, filter: &str) -> Result<()> {
        let request = DeleteRequest::builder().collection_name(collection).filter(filter);
        let request = request.build().map_err(unsayable)?;
        let answer = self.channel.call(self.slow(), |client| {
            let request = request.clone();
            async move { client.delete(request).await }
        });
        answer.map(|_| ())
    }
}

/// Whether an engine says that a collection is not ready for search.
fn is_unready(error: &Error) -> bool {
    matches!(error, Error::Engine(why) if why.contains("load"))
}

#[cfg(test)]
mod tests {
    use std::net::TcpListener;

    use super::*;
    use crate::address::Address;
    use crate::tls::Papers;

    #[test]
    fn an_engine_that_says_nothing_is_given_up_in_time_and_since_when_is_known() {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        let address: Address = format!("milvus://127.0.0.1:{port}/it").parse().unwrap();
        let channel = Channel::new(address, None, &Papers::default(), SLOW).unwrap();
        let (store, began) = (Store::new(channel, "m", 2), Instant::now());
        assert_eq!(store.silent_since(), None);
        store.give_up_after(Duration::from_millis(200));
        let silent = store.prepare(Nearest::Graph).unwrap_err();
        assert!(silent.to_string().contains("no answer in time"), "{silent}");
        let since = store.silent_since().unwrap();
        assert!(since >= began && began.elapsed() < Duration::from_secs(20));
        drop(listener);
        assert!(matches!(store.get(&[]), Ok(none) if none.is_empty()), "nothing is asked for");
        assert!(matches!(store.version(), Err(Error::Unreachable { .. })));
        assert_eq!(store.silent_since(), Some(since), "it has said nothing since");
    }
}

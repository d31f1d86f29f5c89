//! The collections of a fleet: made once, marked as ours, and ready for search.

use std::time::{Duration, Instant};

use ::milvus::v2::request::collection::{
    CreateCollectionRequest, GetLoadStateRequest, HasCollectionRequest, LoadCollectionRequest,
};
use ::milvus::v2::request::index::CreateIndexRequest;
use ::milvus::v2::types::{CollectionSchema, ConsistencyLevel, IndexParam};

use super::Store;
use crate::error::{Error, Result};
use crate::milvus::fault::unsayable;
use crate::milvus::schema::{self, Nearest, WORDS};

/// The owner of the piece that says whose collections these are.
const MARK: &str = "mark";

/// The owner of the piece that says how near vectors are found.
const NEAREST: &str = "nearest";

/// Partitions of the chunks, over which the engine spreads their shelves.
const SHELVES: i64 = 64;

impl Store {
    /// Whether the collections are there; an error if they are another's.
    pub fn is_there(&self) -> Result<bool> {
        if !(self.has(&self.chunks())? && self.has(&self.pieces())?) {
            return Ok(false);
        }
        self.check_mark()
    }

    fn has(&self, name: &str) -> Result<bool> {
        let request = HasCollectionRequest::builder().collection_name(name);
        let request = request.build().map_err(unsayable)?;
        let answer = self.channel.call(self.quick(), |client| {
            let request = request.clone();
            async move { client.has_collection(request).await }
        })?;
        Ok(answer.exists())
    }

    /// Whether a mark is there; an error if it is that of another model or format. It is a piece
    /// like others, because not every engine gives back what describes a collection.
    fn check_mark(&self) -> Result<bool> {
        let mut found = self.get(&[MARK.to_owned()])?;
        let Some(parts) = found.remove(MARK) else { return Ok(false) };
        let (is, should) = (parts.concat(), schema::description(&self.model));
        if is == should {
            return Ok(true);
        }
        let why = format!("it is marked as {is:?}, not {should:?}");
        Err(Error::Schema { name: self.channel.address.collection.clone(), why })
    }

    /// Makes what is not there yet, and has it ready for search. Near vectors are to be found by
    /// `wanted`; says why it is another way, if it is.
    pub fn prepare(&self, wanted: Nearest) -> Result<Option<String>> {
        let (chunks, pieces) = (self.chunks(), self.pieces());
        let is_new = !self.has(&chunks)?;
        if is_new {
            self.create(&chunks, schema::chunks(&self.model, self.width), SHELVES)?;
        }
        if !self.has(&pieces)? {
            self.create(&pieces, schema::pieces(&self.model), 0)?;
        }
        self.index(&pieces, schema::nothing_index())?;
        self.load(&pieces, self.slow())?;
        for (_, index) in WORDS {
            self.index(&chunks, schema::words_index(index))?;
        }
        let told = self.index_meaning(wanted, is_new)?;
        self.load(&chunks, self.slow())?;
        if !self.check_mark()? {
            self.put(&[(MARK.to_owned(), vec![schema::description(&self.model)])])?;
        }
        Ok(told)
    }

    /// Makes the index of vectors. The choice is written down before it is carried out, and stays:
    /// a field has one index, and a worker that dies here is followed by one that reads the choice.
    fn index_meaning(&self, wanted: Nearest, is_new: bool) -> Result<Option<String>> {
        let written = self.written_nearest(self.slow())?;
        // Collections of before there was a choice have a graph.
        let chosen = written.unwrap_or(if is_new { wanted } else { Nearest::Graph });
        if written.is_none() {
            self.write_nearest(chosen)?;
        }
        match self.make_nearest(chosen) {
            Err(Error::Engine(why)) if chosen != Nearest::Graph => {
                self.make_nearest(Nearest::Graph)?;
                self.write_nearest(Nearest::Graph)?;
                let (lists, graph) = (chosen.name(), Nearest::Graph.name());
                Ok(Some(format!("the engine makes no {lists} ({why}); it makes {graph} instead")))
            }
            Err(error) => Err(error),
            Ok(()) if chosen == wanted => Ok(None),
            Ok(()) => Ok(Some(format!(
                "vectors are found by {}, though {} fits the size of this fleet; to have it, name \
                 another collection and sync",
                chosen.name(),
                wanted.name()
            ))),
        }
    }

    fn make_nearest(&self, nearest: Nearest) -> Result<()> {
        if nearest != Nearest::Graph {
            let version = self.version()?;
            if !nearest.is_known_to(&version) {
                return Err(Error::Engine(format!("its version is {version}")));
            }
        }
        self.index(&self.chunks(), schema::meaning_index(nearest))
    }

    fn written_nearest(&self, time: Duration) -> Result<Option<Nearest>> {
        let found = self.get_within(&[NEAREST.to_owned()], time)?;
        Ok(found.get(NEAREST).and_then(|parts| Nearest::named(&parts.concat())))
    }

    fn write_nearest(&self, nearest: Nearest) -> Result<()> {
        self.put(&[(NEAREST.to_owned(), vec![nearest.name().to_owned()])])
    }

    /// How near vectors are found; asked for once.
    pub fn nearest(&self, time: Duration) -> Nearest {
        if let Some(known) = self.nearest.get() {
            return *known;
        }
        match self.written_nearest(time) {
            Ok(written) => *self.nearest.get_or_init(|| written.unwrap_or(Nearest::Graph)),
            Err(_) => Nearest::Graph,
        }
    }

    /// Has a collection made ready, and asks until it is. An engine that takes its time for that answers,
    /// and is told apart from one that does not.
    fn load(&self, name: &str, time: Duration) -> Result<()> {
        const PAUSE: Duration = Duration::from_millis(100);
        let deadline = Instant::now() + time;
        let request = LoadCollectionRequest::builder().collection_name(name).sync(false);
        let request = request.build().map_err(unsayable)?;
        self.channel.call(time, |client| {
            let request = request.clone();
            async move { client.load_collection(request).await }
        })?;
        loop {
            let left = deadline.saturating_duration_since(Instant::now());
            match self.loaded(name, left.max(PAUSE))? {
                100.. => return Ok(()),
                percent if left.is_zero() => {
                    let why = format!("it is still making {name} ready ({percent} %)");
                    return Err(Error::Unreachable { at: self.address(), why });
                }
                _ => std::thread::sleep(PAUSE),
            }
        }
    }

    /// How many percent of a collection are ready.
    fn loaded(&self, name: &str, time: Duration) -> Result<i64> {
        let request = GetLoadStateRequest::builder().collection_name(name);
        let request = request.build().map_err(unsayable)?;
        let answer = self.channel.call(time, |client| {
            let request = request.clone();
            async move { client.get_load_state(request).await }
        })?;
        Ok(answer.progress())
    }

    pub(super) fn load_all(&self, time: Duration) -> Result<()> {
        [self.chunks(), self.pieces()].iter().try_for_each(|name| self.load(name, time))
    }

    fn create(&self, name: &str, schema: CollectionSchema, partitions: i64) -> Result<()> {
        let request = CreateCollectionRequest::builder()
            .collection_name(name)
            .schema(schema)
            .num_partitions(partitions)
            .consistency_level(ConsistencyLevel::Strong)
            .build()
            .map_err(unsayable)?;
        let made = self.channel.call(self.slow(), |client| {
            let request = request.clone();
            async move { client.create_collection(request).await }
        });
        // Two workers may begin at once.
        match made {
            Err(Error::Engine(why)) if why.contains("exist") => Ok(()),
            done => done,
        }
    }

    fn index(&self, collection: &str, index: IndexParam) -> Result<()> {
        let request = CreateIndexRequest::builder().collection_name(collection);
        let request = request.index_param(index).sync(false).build().map_err(unsayable)?;
        let made = self.channel.call(self.slow(), |client| {
            let request = request.clone();
            async move { client.create_index(request).await }
        });
        match made {
            Err(Error::Engine(why)) if why.contains("exist") || why.contains("at most one") => {
                Ok(())
            }
            done => done,
        }
    }
}

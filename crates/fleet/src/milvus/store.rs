//! The store: what the fleet asks of the engine, in its own words.

use std::collections::{HashMap, HashSet};
use std::sync::OnceLock;
use std::time::{Duration, Instant};

use super::call::{Channel, well};
use super::columns::{Column, Columns, columns};
use super::filter::{Filter, quoted};
use super::protobuf::{Message, number, part};
use super::rows::{self, Row};
use super::schema::{self, MEANING, Nearest, WORDS, pair};
use crate::catalogue::Holders;
use crate::error::{Error, Result};
use crate::record::{Key, Record, pieces, whole, written};
use wherein_corpus::Role;

/// The collections of one fleet on an engine.
pub struct Store {
    channel: Channel,
    model: String,
    width: usize,
    /// How near vectors are found there, once somebody has asked.
    nearest: OnceLock<Nearest>,
}

/// A channel's list, best first: the files of the chunks it found, and who holds each.
pub type List = Vec<(Key, Vec<i64>)>;

/// What to ask, and of which field.
pub enum Ask<'a> {
    /// Words: the field's place in [`WORDS`], and terms.
    Words(usize, &'a [String]),
    /// Meaning: code or prose near a vector.
    Meaning(Role, &'a [f32]),
}

impl Ask<'_> {
    /// How an answer calls what it lacks.
    pub fn name(&self) -> &'static str {
        match self {
            Ask::Words(0, _) => "words in bodies",
            Ask::Words(1, _) => "names",
            Ask::Words(..) => "paths",
            Ask::Meaning(Role::Code, _) => "code by meaning",
            Ask::Meaning(Role::Docs, _) => "documents by meaning",
        }
    }
}

/// Rows in one call.
const ROWS: usize = 256;

/// Letters of a file's name, with which the ids of its rows begin.
const FILE: usize = 32;

/// Owners whose pieces are fetched in one call.
const OWNERS: usize = 64;

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

    /// Whether the collections are there; an error if they are another's.
    pub fn is_there(&self) -> Result<bool> {
        if !(self.has(&self.chunks())? && self.has(&self.pieces())?) {
            return Ok(false);
        }
        self.check_mark()
    }

    fn has(&self, name: &str) -> Result<bool> {
        let answer = self.channel.call("HasCollection", Message::new().text(3, name))?;
        Ok(number(&answer, 2) != 0)
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
            let schema = schema::chunks(&chunks, &self.model, self.width);
            self.create(&chunks, schema, true)?;
        }
        if !self.has(&pieces)? {
            self.create(&pieces, schema::pieces(&pieces, &self.model), false)?;
        }
        self.index(&pieces, schema::index("nothing", "FLAT", "L2", "{}"))?;
        self.load(&pieces)?;
        for (_, index) in WORDS {
            self.index(&chunks, schema::index(index, "SPARSE_INVERTED_INDEX", "BM25", "{}"))?;
        }
        let told = self.index_meaning(wanted, is_new)?;
        self.load(&chunks)?;
        if !self.check_mark()? {
            self.put(&[(MARK.to_owned(), vec![schema::description(&self.model)])])?;
        }
        Ok(told)
    }

    /// Makes the index of vectors. The choice is written down before it is carried out, and stays:
    /// a field has one index, and a worker that dies here is followed by one that reads the choice.
    fn index_meaning(&self, wanted: Nearest, is_new: bool) -> Result<Option<String>> {
        let written = self.written_nearest(SLOW)?;
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
        let index = schema::index(MEANING, nearest.name(), "COSINE", nearest.making());
        self.index(&self.chunks(), index)
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

    fn load(&self, name: &str) -> Result<()> {
        let message = Message::new().text(3, name).number(4, 1);
        well(&self.channel.call_within("LoadCollection", message, SLOW)?)
    }

    fn load_all(&self) -> Result<()> {
        [self.chunks(), self.pieces()].iter().try_for_each(|name| self.load(name))
    }

    fn create(&self, name: &str, schema: Message, is_partitioned: bool) -> Result<()> {
        let message = Message::new().text(3, name).bytes(4, schema.finish()).number(5, 1);
        let message = message.number(8, if is_partitioned { 64 } else { 0 });
        let made = self.channel.call_within("CreateCollection", message, SLOW)?;
        // Two workers may begin at once.
        match well(&made) {
            Err(Error::Engine(why)) if why.contains("exist") => Ok(()),
            done => done,
        }
    }

    fn index(&self, collection: &str, index: Message) -> Result<()> {
        let message = index.text(3, collection);
        let made = self.channel.call_within("CreateIndex", message, SLOW)?;
        match well(&made) {
            Err(Error::Engine(why)) if why.contains("exist") || why.contains("at most one") => {
                Ok(())
            }
            done => done,
        }
    }

    /// Brings the engine in line with who holds what. What can be written only by who has the file
    /// at hand, which `at_hand` gives, and is not in the engine, is handed back.
    pub fn apply(
        &self,
        holders: &Holders,
        at_hand: &mut dyn FnMut(Key) -> Result<Option<Record>>,
    ) -> Result<Vec<Key>> {
        let (gone, kept): (Vec<_>, Vec<_>) = holders.iter().partition(|(_, who)| who.is_empty());
        let gone: Vec<String> = gone.into_iter().map(|(key, _)| key.hex()).collect();
        if !gone.is_empty() {
            self.delete(&self.chunks(), &format!("file in [{}]", quoted(&gone)))?;
            self.delete_owners(&gone)?;
        }
        let mut lacking = Vec::new();
        for some in kept.chunks(OWNERS) {
            lacking.extend(self.place(some, at_hand)?);
        }
        Ok(lacking)
    }

    fn place(
        &self,
        files: &[(&Key, &Vec<i64>)],
        at_hand: &mut dyn FnMut(Key) -> Result<Option<Record>>,
    ) -> Result<Vec<Key>> {
        let names: Vec<String> = files.iter().map(|(key, _)| key.hex()).collect();
        let known = self.known(&names)?;
        let readable = self.whole_owners(&names)?;
        let (mut fresh, mut owned, mut lacking) = (Vec::new(), Vec::new(), Vec::new());
        for (key, holders) in files {
            let key = **key;
            let record = match at_hand(key)? {
                Some(record) => record,
                None => match self.record(&key.hex())? {
                    Some(record) => record,
                    None => {
                        lacking.push(key);
                        continue;
                    }
                },
            };
            let slots = rows::slots(holders);
            let rows = rows::of(key, &record, self.width);
            let placed: Vec<Row> =
                rows.iter().flat_map(|row| slots.iter().map(|slot| row.placed(slot))).collect();
            if !readable.contains(&key.hex()) {
                owned.push((key.hex(), pieces(&record)?));
            }
            fresh.extend(placed);
        }
        // Pieces first: a chunk that is found must be able to be shown.
        self.put(&owned)?;
        let wanted: HashSet<&String> = fresh.iter().map(|row| &row.id).collect();
        let lack: HashSet<String> = lacking.iter().map(Key::hex).collect();
        let is_stale =
            |id: &&String| !wanted.contains(id) && !lack.contains(&id[..FILE.min(id.len())]);
        let stale: Vec<String> = known.keys().filter(is_stale).cloned().collect();
        let is_new = |row: &&Row| known.get(&row.id) != Some(&row.holders);
        self.upsert_rows(&fresh.iter().filter(is_new).cloned().collect::<Vec<_>>())?;
        if !stale.is_empty() {
            self.delete(&self.chunks(), &format!("id in [{}]", quoted(&stale)))?;
        }
        Ok(lacking)
    }

    /// The rows of files that there are: who holds each, by its id.
    fn known(&self, files: &[String]) -> Result<HashMap<String, Vec<i64>>> {
        let filter = format!("file in [{}]", quoted(files));
        let found = self.query(&self.chunks(), &filter, &["id", "holders"])?;
        let ids = found.get("id").map_or(&[][..], Column::texts);
        let holders = found.get("holders").map_or(&[][..], Column::lists);
        Ok(ids.iter().cloned().zip(holders.iter().cloned()).collect())
    }

    /// Of files that a repository holds, each with the number of its chunks: those of which the
    /// engine has not everything, though it once took it.
    pub fn lacking(&self, repository: i64, files: &[(Key, u32)]) -> Result<Vec<Key>> {
        let mut lacking = Vec::new();
        for some in files.chunks(OWNERS) {
            let names: Vec<String> = some.iter().map(|(key, _)| key.hex()).collect();
            let mut rows: HashMap<&str, u32> = HashMap::new();
            let known = self.known(&names)?;
            for (id, _) in known.iter().filter(|(_, holders)| holders.contains(&repository)) {
                *rows.entry(&id[..FILE.min(id.len())]).or_default() += 1;
            }
            let readable = self.whole_owners(&names)?;
            let is_whole = |key: &Key, chunks: u32| {
                let name = key.hex();
                rows.get(&*name).copied().unwrap_or(0) == chunks && readable.contains(&name)
            };
            lacking.extend(some.iter().filter(|(key, n)| !is_whole(key, *n)).map(|(key, _)| *key));
        }
        Ok(lacking)
    }

    /// Those of some owners whose pieces are all there.
    fn whole_owners(&self, owners: &[String]) -> Result<HashSet<String>> {
        let filter = format!("owner in [{}]", quoted(owners));
        let found = self.query(&self.pieces(), &filter, &["owner", "parts"])?;
        let names = found.get("owner").map_or(&[][..], Column::texts);
        let parts = found.get("parts").map_or(&[][..], Column::numbers);
        let mut left: HashMap<&String, i64> = HashMap::new();
        for (owner, parts) in names.iter().zip(parts) {
            *left.entry(owner).or_insert(*parts) -= 1;
        }
        Ok(left
            .into_iter()
            .filter(|(_, left)| *left == 0)
            .map(|(owner, _)| owner.clone())
            .collect())
    }

    fn record(&self, file: &str) -> Result<Option<Record>> {
        let mut found = self.get(&[file.to_owned()])?;
        let Some(parts) = found.remove(file) else { return Ok(None) };
        let parts: Vec<&str> = parts.iter().map(String::as_str).collect();
        whole(&parts).map(Some)
    }

    fn upsert_rows(&self, rows: &[Row]) -> Result<()> {
        for some in rows.chunks(ROWS) {
            self.upsert(&self.chunks(), some.len(), &rows::columns(some, self.width))?;
        }
        Ok(())
    }

    /// Writes the pieces of owners.
    pub fn put(&self, owned: &[(String, Vec<String>)]) -> Result<()> {
        let mut rows: Vec<(&String, usize, usize, &String)> = Vec::new();
        for (owner, pieces) in owned {
            let numbered = pieces.iter().enumerate();
            rows.extend(numbered.map(|(part, piece)| (owner, part, pieces.len(), piece)));
        }
        for some in rows.chunks(ROWS) {
            let columns = [
                ("id", Column::Texts(some.iter().map(|it| format!("{}.{}", it.0, it.1)).collect())),
                ("owner", Column::Texts(some.iter().map(|it| it.0.clone()).collect())),
                ("part", Column::Numbers(some.iter().map(|it| it.1 as i64).collect())),
                ("parts", Column::Numbers(some.iter().map(|it| it.2 as i64).collect())),
                ("piece", Column::Texts(some.iter().map(|it| it.3.clone()).collect())),
                ("nothing", Column::Vectors(2, vec![0.0; 2 * some.len()])),
            ];
            self.upsert(&self.pieces(), some.len(), &columns)?;
        }
        Ok(())
    }

    /// The pieces of owners, in their order; those that are not whole are left out.
    pub fn get(&self, owners: &[String]) -> Result<HashMap<String, Vec<String>>> {
        self.get_within(owners, SLOW)
    }

    /// The same for somebody who waits.
    pub fn get_within(
        &self,
        owners: &[String],
        time: Duration,
    ) -> Result<HashMap<String, Vec<String>>> {
        let deadline = Instant::now() + time;
        let mut all: HashMap<String, Vec<(i64, i64, String)>> = HashMap::new();
        for some in owners.chunks(OWNERS) {
            let filter = format!("owner in [{}]", quoted(some));
            let left = deadline.saturating_duration_since(Instant::now());
            let fields = ["owner", "part", "parts", "piece"];
            let found = self.query_within(&self.pieces(), &filter, &fields, left)?;
            let texts = |name: &str| found.get(name).map_or(&[][..], Column::texts);
            let numbers = |name: &str| found.get(name).map_or(&[][..], Column::numbers);
            let parts = numbers("part").iter().zip(numbers("parts")).zip(texts("piece"));
            for (owner, ((part, parts), piece)) in texts("owner").iter().zip(parts) {
                all.entry(owner.clone()).or_default().push((*part, *parts, piece.clone()));
            }
        }
        let whole = |(owner, mut pieces): (String, Vec<(i64, i64, String)>)| {
            pieces.sort_unstable_by_key(|(part, ..)| *part);
            let (parts, is_all) = (pieces[0].1, pieces.len() as i64 == pieces[0].1);
            (is_all && parts > 0).then(|| (owner, pieces.into_iter().map(|it| it.2).collect()))
        };
        Ok(all.into_iter().filter_map(whole).collect())
    }

    /// Removes the pieces of owners.
    pub fn delete_owners(&self, owners: &[String]) -> Result<()> {
        for some in owners.chunks(4 * OWNERS) {
            self.delete(&self.pieces(), &format!("owner in [{}]", quoted(some)))?;
        }
        Ok(())
    }

    /// Asks several channels at once; each answers for itself.
    pub fn search(
        &self,
        asked: &[Ask],
        filter: &Filter,
        most: usize,
        time: Duration,
    ) -> Vec<Result<List>> {
        let deadline = Instant::now() + time;
        let by_meaning = asked.iter().any(|ask| matches!(ask, Ask::Meaning(..)));
        let nearest = if by_meaning { self.nearest(time) } else { Nearest::Graph };
        let ask = || -> Vec<Result<List>> {
            let call = |ask: &Ask| ("Search", self.search_message(ask, filter, most, nearest));
            let left = deadline.saturating_duration_since(Instant::now());
            let answers = self.channel.calls(asked.iter().map(call).collect(), left);
            answers.into_iter().map(|answer| list(&answer?)).collect()
        };
        let answers = ask();
        // An engine that was started again has forgotten what it had ready.
        let unready = answers.iter().any(|answer| answer.as_ref().is_err_and(is_unready));
        if unready && self.load_all().is_ok() { ask() } else { answers }
    }

    fn search_message(&self, ask: &Ask, filter: &Filter, most: usize, nearest: Nearest) -> Message {
        let mut filter = filter.clone();
        let (field, metric, kind, value) = match ask {
            Ask::Words(field, terms) => {
                let terms: Vec<String> = terms.iter().map(|term| written(term)).collect();
                (WORDS[*field].1, "BM25", 21, terms.join(" ").into_bytes())
            }
            Ask::Meaning(role, vector) => {
                filter.role = Some(*role);
                (MEANING, "COSINE", 101, vector.iter().flat_map(|x| x.to_le_bytes()).collect())
            }
        };
        let question = Message::new().text(1, "$0").number(2, kind).bytes(3, value);
        let most = most.min(16_000);
        let params = match ask {
            Ask::Words(..) => "{}".to_owned(),
            Ask::Meaning(..) => nearest.searching(most),
        };
        let settings = [
            ("anns_field", field.to_owned()),
            ("topk", most.to_string()),
            ("metric_type", metric.to_owned()),
            ("params", params),
            ("round_decimal", "-1".to_owned()),
        ];
        Message::new()
            .text(3, &self.chunks())
            .text(5, &filter.written().unwrap_or_else(|| NOTHING.to_owned()))
            .bytes(6, Message::new().message(1, question).finish())
            .number(7, 1)
            .each(["file", "holders"], |message, field| message.text(8, field))
            .each(settings, |message, (key, value)| message.message(9, pair(key, &value)))
            .number(12, 1)
            .number(14, BOUNDED)
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

/// How long writing may take; reading for somebody who waits has a time of its own.
const SLOW: Duration = Duration::from_secs(120);

/// Searches may be a little behind writes.
const BOUNDED: u64 = 2;

/// The owner of the piece that says whose collections these are.
const MARK: &str = "mark";

/// The owner of the piece that says how near vectors are found.
const NEAREST: &str = "nearest";

/// What no row is.
const NOTHING: &str = "id == \"\"";

/// Whether an engine says that a collection is not ready for search.
fn is_unready(error: &Error) -> bool {
    matches!(error, Error::Engine(why) if why.contains("load"))
}

fn list(answer: &[u8]) -> Result<List> {
    well(part(answer, 1))?;
    let results = part(answer, 2);
    let columns = columns(results, 3);
    let files = columns.get("file").map_or(&[][..], Column::texts);
    let holders = columns.get("holders").map_or(&[][..], Column::lists);
    let found = files.iter().zip(holders);
    Ok(found.filter_map(|(file, who)| Some((Key::read(file)?, who.clone()))).collect())
}

//! Questions to the engine: the lists of each channel, and the files at a path, both under a filter
//! of what may be seen.

use std::collections::BTreeSet;
use std::time::{Duration, Instant};

use wherein_corpus::Role;

use super::{Store, is_unready};
use crate::error::Result;
use crate::milvus::call::well;
use crate::milvus::columns::{Column, columns};
use crate::milvus::filter::{Filter, at_path};
use crate::milvus::protobuf::{Message, part};
use crate::milvus::schema::{MEANING, Nearest, WORDS, pair};
use crate::record::{Key, written};

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

/// Searches may be a little behind writes.
const BOUNDED: u64 = 2;

/// What no row is.
const NOTHING: &str = "id == \"\"";

impl Store {
    /// The files at a path that a filter lets through.
    pub fn files_at(&self, path: &str, filter: &Filter, time: Duration) -> Result<Vec<Key>> {
        let Some(filter) = filter.written() else { return Ok(Vec::new()) };
        let clauses = [filter, at_path(path)];
        let clauses: Vec<&str> =
            clauses.iter().map(String::as_str).filter(|it| !it.is_empty()).collect();
        let fields = ["file", "path"];
        let found = self.query_within(&self.chunks(), &clauses.join(" and "), &fields, time)?;
        let texts = |name: &str| found.get(name).map_or(&[][..], Column::texts);
        let there = texts("file").iter().zip(texts("path")).filter(|(_, there)| *there == path);
        let keys: BTreeSet<Key> = there.filter_map(|(file, _)| Key::read(file)).collect();
        Ok(keys.into_iter().collect())
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

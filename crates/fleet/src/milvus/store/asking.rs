//! Questions to the engine: the lists of each channel, and the files at a path, both under a filter
//! of what may be seen.

use std::collections::{BTreeSet, HashMap};
use std::ops::Range;
use std::time::{Duration, Instant};

use ::milvus::v2::request::dql::SearchRequest;
use ::milvus::v2::response::dql::SearchResponse;
use ::milvus::v2::types::{ConsistencyLevel, MetricType, SearchVectors};
use wherein_corpus::Role;

use super::{Store, is_unready};
use crate::error::{Error, Result};
use crate::milvus::columns::Found;
use crate::milvus::fault::unsayable;
use crate::milvus::filter::{Filter, at_path};
use crate::milvus::schema::{MEANING, Nearest, WORDS};
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
        let rows = found.texts("file").iter().zip(found.texts("path"));
        let there = rows.filter(|(_, there)| *there == path);
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
        let most = most.clamp(1, MOST_ROWS);
        let list = |ask: &Ask| self.list(&Question { ask, filter, nearest, most, deadline });
        let ask = || side_by_side(asked, &list);
        let answers = ask();
        // An engine that was started again has forgotten what it had ready.
        let unready = answers.iter().any(|answer| answer.as_ref().is_err_and(is_unready));
        let left = deadline.saturating_duration_since(Instant::now());
        if unready && self.load_all(left).is_ok() { ask() } else { answers }
    }

    /// A channel's list. Where thousands hold each chunk it may be more than the client takes at once;
    /// then it is asked for in parts that are not.
    fn list(&self, question: &Question) -> Result<List> {
        match self.part(question, 0..question.most) {
            Err(Error::Large) => {}
            list => return list,
        }
        let mut list = Vec::new();
        for start in (0..question.most).step_by(SURE_ROWS) {
            let part = start..question.most.min(start + SURE_ROWS);
            let (wanted, found) = (part.len(), self.part(question, part)?);
            let is_last = found.len() < wanted;
            list.extend(found);
            if is_last {
                break;
            }
        }
        Ok(list)
    }

    fn part(&self, question: &Question, part: Range<usize>) -> Result<List> {
        let request = self.request(question, &part)?;
        let left = question.deadline.saturating_duration_since(Instant::now());
        let answer = self.channel.call(left, |client| {
            let request = request.clone();
            async move { client.search(request).await }
        })?;
        Ok(read(&answer))
    }

    fn request(&self, question: &Question, part: &Range<usize>) -> Result<SearchRequest> {
        let mut filter = question.filter.clone();
        let (field, metric, value, params) = match question.ask {
            Ask::Words(field, terms) => {
                let terms: Vec<String> = terms.iter().map(|term| written(term)).collect();
                let text = SearchVectors::EmbeddedText(vec![terms.join(" ")]);
                (WORDS[*field].1, MetricType::Bm25, text, HashMap::new())
            }
            Ask::Meaning(role, vector) => {
                filter.role = Some(*role);
                let vector = SearchVectors::Float(vec![vector.to_vec()]);
                let params = question.nearest.searching(question.most);
                (MEANING, MetricType::Cosine, vector, params)
            }
        };
        SearchRequest::builder()
            .collection_name(self.chunks())
            .filter(filter.written().unwrap_or_else(|| NOTHING.to_owned()))
            .vector_field(field)
            .vectors(value)
            .metric_type(metric)
            .offset(part.start as i64)
            .limit(part.len() as i64)
            .extra_params(params)
            .output_fields(["file", "holders"])
            // Searches may be a little behind writes.
            .consistency_level(ConsistencyLevel::Bounded)
            .build()
            .map_err(unsayable)
    }
}

/// Rows that an engine gives at most.
const MOST_ROWS: usize = 16_000;

/// Rows that are never more than the client's 4 MB: each names at most a thousand holders in nine bytes.
const SURE_ROWS: usize = 400;

/// What a channel is asked, and how.
struct Question<'a> {
    ask: &'a Ask<'a>,
    filter: &'a Filter,
    nearest: Nearest,
    most: usize,
    deadline: Instant,
}

/// Does the same with several things at once; each has its own outcome.
fn side_by_side<A: Sync, T: Send>(
    several: &[A],
    with: &(dyn Fn(&A) -> Result<T> + Sync),
) -> Vec<Result<T>> {
    std::thread::scope(|scope| {
        let begun: Vec<_> = several.iter().map(|it| scope.spawn(move || with(it))).collect();
        let gone = |_| Err(Error::Engine("a call broke off".to_owned()));
        begun.into_iter().map(|it| it.join().unwrap_or_else(gone)).collect()
    })
}

fn read(answer: &SearchResponse) -> List {
    let of = |(file, who): (&String, &Vec<i64>)| Some((Key::read(file)?, who.clone()));
    let lists = answer.results().iter();
    lists.flat_map(|it| it.texts("file").iter().zip(it.lists("holders")).filter_map(of)).collect()
}

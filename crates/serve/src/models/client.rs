//! Texts through an endpoint: cut, sent in batches, and the answers checked.

use std::sync::OnceLock;

use serde::Serialize;
use wherein_encoder::{Encoder, Error, Side};

use super::answer::{self, Nonsense};
use super::endpoint::Endpoint;
use super::key::Key;
use super::server::{Patience, Server};

/// Characters of a text that are sent. Services refuse texts of more than about 8,000 tokens, and a
/// token of code is mostly longer than a character.
const MOST_CHARACTERS: usize = 8_000;
/// Bytes of text in one request; a single text has at most half of it.
const MOST_BYTES: usize = 64_000;

/// An encoder that runs elsewhere.
pub struct Client {
    endpoint: Endpoint,
    server: Server,
    /// The width of all vectors, known from the first answer on.
    width: OnceLock<usize>,
}

/// What is sent. No `encoding_format`: plain numbers are what every service sends when it is not
/// asked, and some refuse to be asked.
#[derive(Serialize)]
struct Request<'r> {
    model: &'r str,
    input: &'r [&'r str],
    #[serde(skip_serializing_if = "Option::is_none")]
    dimensions: Option<u32>,
}

impl Client {
    /// A client that has sent nothing yet.
    pub fn new(endpoint: Endpoint, key: Option<Key>, patience: Patience) -> Client {
        let url = format!("{}/embeddings", endpoint.url);
        let server = Server::new(url, key, endpoint.timeout, patience);
        Client { endpoint, server, width: OnceLock::new() }
    }

    fn encode_batch(&self, texts: &[&str]) -> Result<Vec<Vec<f32>>, Error> {
        let Endpoint { model, dimensions, .. } = &self.endpoint;
        let request = Request { model, input: texts, dimensions: *dimensions };
        let request = serde_json::to_vec(&request).map_err(|e| Error::Remote(e.to_string()))?;
        let body = self.server.ask(&request)?;
        answer::vectors(&body, texts.len())
            .map_err(|nonsense| match nonsense {
                Nonsense::Unreadable(what) => format!("{what}{}", self.server.quote(&body)),
                Nonsense::Unfit(what) => what,
            })
            .and_then(|vectors| self.of_one_width(vectors))
            .map_err(|what| Error::Shape(format!("{} {what}", self.server.url)))
    }

    fn of_one_width(&self, vectors: Vec<Vec<f32>>) -> Result<Vec<Vec<f32>>, String> {
        let asked = self.endpoint.dimensions.map(|n| n as usize);
        for got in vectors.iter().map(Vec::len) {
            if let Some(asked) = asked.filter(|asked| *asked != got) {
                return Err(format!(
                    "was asked for {asked} dimensions and gave {got}; \
                     leave `dimensions` out if the model cannot shorten its vectors"
                ));
            }
            let width = *self.width.get_or_init(|| got);
            if got != width {
                return Err(format!(
                    "gave a vector of {got} numbers after one of {width}; \
                     check that one model answers there"
                ));
            }
        }
        Ok(vectors)
    }
}

impl Encoder for Client {
    fn encode(&self, texts: &[&str], _: Side) -> Result<Vec<Vec<f32>>, Error> {
        let texts: Vec<&str> = texts.iter().map(|text| cut(text)).collect();
        let mut vectors = Vec::with_capacity(texts.len());
        let mut rest = &texts[..];
        while !rest.is_empty() {
            let (batch, after) = rest.split_at(batch_length(rest, self.endpoint.batch));
            vectors.extend(self.encode_batch(batch)?);
            rest = after;
        }
        Ok(vectors)
    }

    /// Such services make vectors.
    fn judge(&self, _: &str, _: &[&str]) -> Result<Option<Vec<f32>>, Error> {
        Ok(None)
    }
}

/// The start of a text that is sent.
fn cut(text: &str) -> &str {
    text.char_indices().nth(MOST_CHARACTERS).map_or(text, |(end, _)| &text[..end])
}

/// How many of the texts go into the next request; at least one.
fn batch_length(texts: &[&str], most: usize) -> usize {
    let mut bytes = 0;
    let fits = |text: &&&str| {
        bytes += text.len();
        bytes <= MOST_BYTES
    };
    texts.iter().take(most).take_while(fits).count().max(1)
}

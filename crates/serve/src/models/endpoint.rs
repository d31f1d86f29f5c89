//! An address behind which a model answers, as the user describes it.

use std::env;
use std::time::Duration;

use wherein_encoder::Model;

use super::client::Client;
use super::key::Key;
use super::server::Patience;

/// An OpenAI-compatible embeddings service.
#[derive(Clone, Debug, PartialEq)]
pub struct Endpoint {
    /// What stands before `/embeddings`.
    pub url: String,
    /// The service's name for the model.
    pub model: String,
    /// The environment variable that holds the key.
    pub key_env: Option<String>,
    /// How long one request may take.
    pub timeout: Duration,
    /// Most texts in one request.
    pub batch: usize,
    /// How long the vectors should be, if the service is to shorten them.
    pub dimensions: Option<u32>,
}

impl Endpoint {
    /// The model behind it; nothing is sent and no key is read until it is asked to encode.
    pub fn model(&self) -> Model {
        let endpoint = self.clone();
        Model::new(self.id(), move || {
            let key = endpoint.key_env.as_deref();
            let key = key.map(|name| Key::new(name, env::var_os(name))).transpose()?;
            Ok(Box::new(Client::new(endpoint.clone(), key, Patience::USUAL)))
        })
    }

    /// What its vectors are called: all that decides about them.
    fn id(&self) -> String {
        let dimensions = self.dimensions.map(|n| format!(" {n}")).unwrap_or_default();
        format!("endpoint {} {}{dimensions}", self.url, self.model)
    }
}

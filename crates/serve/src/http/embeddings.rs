//! `/v1/embeddings`: the built-in encoder in the shape of an embeddings service.

use std::sync::{Arc, OnceLock};

use axum::Json;
use axum::extract::State;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use wherein_encoder::{Bert, MOST_TOKENS, built_in};

use super::Server;
use super::extract::Body;
use super::problem::{Answer, Problem};
use super::search::within;

const NAME: &str = "wherein";
const MOST_TEXTS: usize = 256;

/// Texts to encode.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct EmbeddingsRequest {
    /// The model: `wherein`, or `built-in`.
    #[schema(example = "wherein", pattern = "^(wherein|built-in)$")]
    model: String,
    input: Input,
    #[serde(default)]
    encoding_format: Format,
    /// The length of the vectors; only the model's own.
    #[serde(default)]
    dimensions: Option<usize>,
    /// Taken for the sake of clients that send it.
    #[serde(default)]
    #[expect(dead_code, reason = "clients of other services send it")]
    user: Option<String>,
}

/// A text, or up to 256 of them.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(untagged)]
pub enum Input {
    One(String),
    Many(Vec<String>),
}

/// How vectors are written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum Format {
    /// Numbers.
    #[default]
    Float,
    /// Little-endian 32-bit floats in base 64.
    Base64,
}

/// Vectors in the order of the texts.
#[derive(Serialize, ToSchema)]
pub struct Embeddings {
    object: &'static str,
    data: Vec<Embedding>,
    model: &'static str,
    usage: Usage,
}

#[derive(Serialize, ToSchema)]
pub struct Embedding {
    object: &'static str,
    /// The text's place in the request.
    index: usize,
    embedding: Vector,
}

/// A unit vector.
#[derive(Serialize, ToSchema)]
#[serde(untagged)]
pub enum Vector {
    Numbers(Vec<f32>),
    Base64(String),
}

/// Tokens that were read.
#[derive(Serialize, ToSchema)]
pub struct Usage {
    prompt_tokens: usize,
    total_tokens: usize,
}

/// Encodes texts. Of a long text the first 208 tokens count.
#[utoipa::path(
    post,
    path = "/embeddings",
    operation_id = "embeddings",
    tag = "embeddings",
    request_body = EmbeddingsRequest,
    responses(
        (status = 200, description = "Vectors", body = Embeddings),
        Problem,
    )
)]
pub async fn embed(
    State(server): State<Arc<Server>>,
    request: Result<Body<EmbeddingsRequest>, Problem>,
) -> Answer<Embeddings> {
    let answer = async {
        let Body(request) = request?;
        request.check()?;
        server.pool.run(move |_| encoded(request)).await
    };
    answer.await.map(Json).map_err(Problem::for_services)
}

/// The models there are.
#[derive(Serialize, ToSchema)]
pub struct Models {
    object: &'static str,
    data: Vec<ListedModel>,
}

#[derive(Serialize, ToSchema)]
pub struct ListedModel {
    id: &'static str,
    object: &'static str,
    owned_by: &'static str,
}

/// Lists the one model.
#[utoipa::path(
    get,
    path = "/models",
    operation_id = "models",
    tag = "embeddings",
    responses((status = 200, description = "The models there are", body = Models))
)]
pub async fn models() -> Json<Models> {
    let model = ListedModel { id: NAME, object: "model", owned_by: NAME };
    Json(Models { object: "list", data: vec![model] })
}

impl EmbeddingsRequest {
    fn check(&self) -> Result<(), Problem> {
        if ![NAME, "built-in"].contains(&self.model.as_str()) {
            let detail = format!("no model is called {:?}", self.model);
            return Err(Problem::absent("model_not_found", detail)
                .advise(format!("name the model {NAME:?}")));
        }
        let texts = self.texts();
        within("the number of texts", texts.len(), 1, MOST_TEXTS)?;
        if let Some(blank) = texts.iter().position(|text| text.trim().is_empty()) {
            let detail = format!("text {blank} is empty");
            return Err(Problem::invalid("empty_input", detail).advise("leave empty texts out"));
        }
        Ok(())
    }

    fn texts(&self) -> Vec<&str> {
        match &self.input {
            Input::One(text) => vec![text],
            Input::Many(texts) => texts.iter().map(String::as_str).collect(),
        }
    }
}

fn encoded(request: EmbeddingsRequest) -> Result<Embeddings, Problem> {
    let bert = encoder()?;
    let width = bert.header().hidden as usize;
    if request.dimensions.is_some_and(|wanted| wanted != width) {
        let detail = format!("vectors of this model have {width} numbers");
        return Err(Problem::invalid("wrong_dimensions", detail).advise("leave dimensions out"));
    }
    let texts = request.texts();
    let tokens: usize = texts.iter().map(|text| bert.ids(text, MOST_TOKENS).len()).sum();
    let vectors = bert.encode_up_to(&texts, MOST_TOKENS);
    let embedding = |(index, vector): (usize, Vec<f32>)| Embedding {
        object: "embedding",
        index,
        embedding: match request.encoding_format {
            Format::Float => Vector::Numbers(vector),
            Format::Base64 => Vector::Base64(base64(&vector)),
        },
    };
    Ok(Embeddings {
        object: "list",
        data: vectors.into_iter().enumerate().map(embedding).collect(),
        model: NAME,
        usage: Usage { prompt_tokens: tokens, total_tokens: tokens },
    })
}

/// Its weights stay in the program's file, so another one beside the tree's model costs little.
fn encoder() -> Result<&'static Bert, Problem> {
    static ENCODER: OnceLock<Result<Bert, String>> = OnceLock::new();
    let encoder = ENCODER.get_or_init(|| built_in().map_err(|error| error.to_string()));
    encoder.as_ref().map_err(Problem::ours)
}

fn base64(vector: &[f32]) -> String {
    let bytes: Vec<u8> = vector.iter().flat_map(|number| number.to_le_bytes()).collect();
    STANDARD.encode(bytes)
}

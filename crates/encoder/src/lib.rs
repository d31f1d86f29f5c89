//! From text to unit vectors, on the CPU, with the model inside the program.

mod bert;
mod builtin;
mod codes;
mod encode;
mod error;
mod kernels;
mod model;
mod safetensors;
mod wordpiece;
mod words;

pub use bert::{Bert, Glance};
pub use builtin::built_in;
pub use codes::{Code, Codec, Probe, dot};
pub use encode::{Encoder, GLANCE, MOST_TOKENS, Model, Side};
pub use error::Error;
pub use kernels::Level;
pub use model::{Header, ModelFile};
pub use safetensors::{Besides, convert};

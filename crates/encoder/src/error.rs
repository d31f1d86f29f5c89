//! Why a text could not be turned into a vector.

/// A failure to load or run an encoder. Lexical search goes on without it.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Error {
    /// The model file cannot be used.
    #[error("the model cannot be used: {0}")]
    Model(String),
    /// A file of the model cannot be read.
    #[error("cannot read {path}: {reason}")]
    Read {
        /// Which.
        path: std::path::PathBuf,
        /// What the system said.
        reason: String,
    },
    /// The encoder answered with something that is not a vector a text.
    #[error("the encoder gave no usable vectors: {0}")]
    Shape(String),
    /// The encoder runs elsewhere and could not be reached, or refused.
    #[error("{0}")]
    Remote(String),
}

impl Error {
    pub(crate) fn model(what: impl Into<String>) -> Error {
        Error::Model(what.into())
    }
}

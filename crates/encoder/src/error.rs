//! Why a text could not be turned into a vector.

/// A failure to load or run an encoder. Lexical search goes on without it.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The model file cannot be used.
    #[error("the model cannot be used: {0}")]
    Model(String),
    /// A file of the model cannot be read.
    #[error("cannot read {path}: {source}")]
    Read {
        /// Which.
        path: std::path::PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
}

impl Error {
    pub(crate) fn model(what: impl Into<String>) -> Error {
        Error::Model(what.into())
    }
}

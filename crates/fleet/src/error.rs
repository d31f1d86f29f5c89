//! What can go wrong with a fleet, by what somebody can do about it.

/// A failure of the fleet.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// An address that cannot be read.
    #[error(
        "{0:?} is no address of a store; write milvus://HOST:PORT/COLLECTION, or milvuss:// over TLS"
    )]
    Address(String),
    /// The engine does not answer, or not in time.
    #[error("the engine at {at} does not answer: {why}; nothing is lost, try again when it does")]
    Unreachable {
        /// Its address.
        at: String,
        /// What its client says.
        why: String,
    },
    /// A connection cannot be made as safe as it should be; waiting does not help.
    #[error("{who} is not spoken to: {why}")]
    Untrusted {
        /// What it leads to.
        who: String,
        /// What is wrong and what to do.
        why: String,
    },
    /// The engine answers, but refuses.
    #[error("the engine refuses: {0}")]
    Engine(String),
    /// The engine's answer is more than its client takes at once.
    #[error("the engine answers with more than 4 MB at once, which its client does not take")]
    Large,
    /// The collection is not one of ours, or of another model or format.
    #[error(
        "the collection {name:?} does not fit: {why}; name another, or remove it and sync anew"
    )]
    Schema {
        /// Its name.
        name: String,
        /// What is wrong with it.
        why: String,
    },
    /// A file is known, but not all of its text is there.
    #[error(
        "{0} is in the engine, but not all of its text; the next 'wherein fleet sync' mends it"
    )]
    Torn(String),
    /// The catalogue cannot be read or written.
    #[error("the catalogue of the fleet: {0}")]
    Catalogue(String),
    /// Another worker has taken over.
    #[error("the lease on {0:?} ran out and another worker took over")]
    LostLease(String),
    /// A repository is not in the catalogue, or its name is taken.
    #[error("{0}")]
    Repository(String),
    /// A repository cannot be read.
    #[error("cannot pull {name}: {why}")]
    Pull {
        /// Its name.
        name: String,
        /// What git or the file system says.
        why: String,
    },
    /// A token that nobody gave out, or none where one is needed.
    #[error("{0}")]
    Refused(&'static str),
    /// Whatever one machine can do wrong on its own.
    #[error(transparent)]
    Local(#[from] wherein_engine::Error),
}

/// The result of anything here.
pub type Result<T> = std::result::Result<T, Error>;

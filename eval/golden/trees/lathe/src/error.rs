use std::fmt;
use std::io;
use std::path::PathBuf;

use crate::job::JobId;

pub type Result<T, E = Error> = std::result::Result<T, E>;

#[derive(Debug)]
pub enum Error {
    Io { path: PathBuf, source: io::Error },
    /// A record in the middle of the journal cannot be read.
    Corrupt { path: PathBuf, offset: u64, reason: &'static str },
    Locked { path: PathBuf },
    NoSuchJob(JobId),
    /// The caller's claim ran out and somebody else has the job now.
    ClaimLost(JobId),
    Payload(serde_json::Error),
    Recurrence { text: String, reason: String },
    Config(String),
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::Io { path, source } => write!(f, "{}: {source}", path.display()),
            Error::Corrupt { path, offset, reason } => {
                write!(f, "{} is damaged at byte {offset}: {reason}", path.display())
            }
            Error::Locked { path } => {
                write!(f, "another process has the queue {} open", path.display())
            }
            Error::NoSuchJob(id) => write!(f, "there is no job {id}"),
            Error::ClaimLost(id) => write!(f, "the claim on job {id} has expired"),
            Error::Payload(source) => write!(f, "payload does not decode: {source}"),
            Error::Recurrence { text, reason } => {
                write!(f, "cannot understand the recurrence {text:?}: {reason}")
            }
            Error::Config(reason) => write!(f, "bad configuration: {reason}"),
        }
    }
}

impl std::error::Error for Error {}

impl From<serde_json::Error> for Error {
    fn from(source: serde_json::Error) -> Self {
        Error::Payload(source)
    }
}

/// What a handler says when its job went wrong.
#[derive(Debug, Clone)]
pub struct Failure {
    pub message: String,
    pub permanent: bool,
}

impl Failure {
    pub fn transient(message: impl Into<String>) -> Self {
        Failure { message: message.into(), permanent: false }
    }

    /// Trying again would fail in the same way.
    pub fn permanent(message: impl Into<String>) -> Self {
        Failure { message: message.into(), permanent: true }
    }
}

impl<E: std::error::Error> From<E> for Failure {
    fn from(error: E) -> Self {
        Failure::transient(error.to_string())
    }
}

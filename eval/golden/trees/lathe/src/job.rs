use std::fmt;
use std::time::{Duration, SystemTime};

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::error::Result;

/// Grows by one with every job of a queue and is never used twice.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct JobId(pub u64);

impl fmt::Display for JobId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "j{:08x}", self.0)
    }
}

impl std::str::FromStr for JobId {
    type Err = std::num::ParseIntError;

    fn from_str(text: &str) -> std::result::Result<Self, Self::Err> {
        u64::from_str_radix(text.trim_start_matches('j'), 16).map(JobId)
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum JobState {
    Waiting,
    Claimed,
    Done,
    Buried,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Job {
    pub id: JobId,
    pub kind: String,
    pub payload: serde_json::Value,
    pub state: JobState,
    pub due: SystemTime,
    pub attempts: u32,
    pub last_error: Option<String>,
    /// At most one job with a given key waits at any time.
    pub unique_key: Option<String>,
}

impl Job {
    pub fn payload<T: DeserializeOwned>(&self) -> Result<T> {
        Ok(serde_json::from_value(self.payload.clone())?)
    }

    pub fn is_due(&self, now: SystemTime) -> bool {
        self.state == JobState::Waiting && self.due <= now
    }
}

/// A job that has no number yet.
#[derive(Debug, Clone)]
pub struct NewJob {
    pub kind: String,
    pub payload: serde_json::Value,
    pub delay: Duration,
    pub unique_key: Option<String>,
}

impl NewJob {
    pub fn of(kind: impl Into<String>) -> Self {
        NewJob {
            kind: kind.into(),
            payload: serde_json::Value::Null,
            delay: Duration::ZERO,
            unique_key: None,
        }
    }

    pub fn with_payload<T: Serialize>(mut self, payload: &T) -> Self {
        self.payload = serde_json::to_value(payload).expect("payloads are plain data");
        self
    }

    pub fn after(mut self, delay: Duration) -> Self {
        self.delay = delay;
        self
    }

    pub fn unique(mut self, key: impl Into<String>) -> Self {
        self.unique_key = Some(key.into());
        self
    }
}

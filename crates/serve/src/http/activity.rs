//! What the server is doing beside answering, for whoever watches: status, events, metrics.

use serde::Serialize;
use tokio::sync::watch;
use utoipa::ToSchema;
use wherein_engine::Work;

/// How far something is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, ToSchema)]
pub struct Progress {
    /// Done so far.
    pub done: usize,
    /// To do in all; 0 while that is not known.
    pub total: usize,
}

/// The background work.
#[derive(Clone, Debug, Default, PartialEq, Serialize, ToSchema)]
pub struct Activity {
    /// Files, while the index is being brought up to date.
    pub indexing: Option<Progress>,
    /// What the last refresh did.
    pub last_refresh: Option<Refreshed>,
    /// Encoding in the background.
    pub encoding: Encoding,
}

/// What a refresh came to.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct Refreshed {
    /// Refreshes so far, this one included.
    pub number: u64,
    /// Files read.
    pub read: usize,
    /// Files parsed.
    pub parsed: usize,
    /// Files added or replaced.
    pub indexed: usize,
    /// Files taken out.
    pub removed: usize,
    /// How long it took.
    pub took_ms: f64,
    /// Why it failed, if it did.
    pub failed_because: Option<String>,
}

impl Refreshed {
    pub fn of(number: u64, work: &Work, took_ms: f64) -> Refreshed {
        let Work { read, parsed, indexed, removed, .. } = *work;
        Refreshed { number, read, parsed, indexed, removed, took_ms, failed_because: None }
    }
}

/// What becomes of chunks without a vector.
#[derive(Clone, Debug, Default, PartialEq, Serialize, ToSchema)]
pub struct Encoding {
    /// In a word.
    pub state: State,
    /// Chunks.
    pub progress: Option<Progress>,
    /// Why, where the state needs a reason.
    pub because: Option<String>,
}

/// What the background encoder is at.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum State {
    /// It has not looked yet.
    #[default]
    Waiting,
    /// It encodes.
    Running,
    /// It lets questions go first.
    Paused,
    /// Every chunk has a vector.
    Done,
    /// Another process encodes this tree.
    Elsewhere,
    /// There is no model.
    Off,
    /// The model failed.
    Failed,
}

/// The one place activity is told to and read from.
pub struct Board(watch::Sender<Activity>);

impl Board {
    pub fn new() -> Board {
        Board(watch::Sender::new(Activity::default()))
    }

    pub fn now(&self) -> Activity {
        self.0.borrow().clone()
    }

    pub fn watch(&self) -> watch::Receiver<Activity> {
        self.0.subscribe()
    }

    pub fn tell(&self, change: impl FnOnce(&mut Activity)) {
        self.0.send_modify(change);
    }
}

//! Vectors for what has none, made in the background so that nobody has to wait for them.
//!
//! It runs on threads of its own with the lowest priority the system gives, and between two small
//! steps it lets questions go first. Several trees are taken one after the other. Who encodes holds
//! a lock, so there is one on a machine; the others look again later.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use rayon::{ThreadPool, ThreadPoolBuilder};
use tokio::sync::Notify;
use wherein_encoder::Model;
use wherein_engine::history::log::encode::encode as encode_log;
use wherein_engine::{Error, encode};

use super::activity::{Encoding, Progress, State};
use super::keeper::Keeper;
use super::pool::Pool;

/// A step waits no longer than this for questions to end, lest a busy server never gets on.
const LONGEST_PAUSE: Duration = Duration::from_secs(2);
/// How often it is looked whether questions have ended.
const PAUSE: Duration = Duration::from_millis(5);
/// Before another look at a tree that another process encodes, and after a failure.
const AGAIN: Duration = Duration::from_secs(5);
/// Before another look where there is nothing to do until somebody rings.
const LONG: Duration = Duration::from_secs(3600);

/// Whose trees are encoded, and who goes first.
pub struct Background {
    pub keepers: Vec<Arc<Keeper>>,
    pub pool: Arc<Pool>,
    pub ending: Arc<Ending>,
    /// Rung by the keepers when something was published.
    pub published: Arc<Notify>,
}

impl Background {
    /// Encodes whenever something was published, until the program ends. `when_done` is told of a
    /// tree in which nothing is left to encode.
    pub fn start(self, when_done: impl Fn(&Keeper) + Send + Sync + 'static) {
        let runtime = tokio::runtime::Handle::current();
        let background = move || {
            lower_priority();
            // Who works for us must have our priority.
            let cores = thread::available_parallelism().map_or(1, |cores| cores.get());
            let threads =
                ThreadPoolBuilder::new().num_threads(cores).start_handler(|_| lower_priority());
            let Ok(threads) = threads.build() else { return };
            while !self.ending.has_begun() {
                let rests =
                    self.keepers.iter().map(|keeper| self.round(keeper, &threads, &when_done));
                let rest = rests.min().unwrap_or(LONG);
                let news = self.published.notified();
                let _ = runtime.block_on(async { tokio::time::timeout(rest, news).await });
            }
        };
        let _ = thread::Builder::new().name("background".to_owned()).spawn(background);
    }

    /// One look at what there is to encode in a tree. Says how long to rest afterwards.
    fn round(
        &self,
        keeper: &Keeper,
        threads: &ThreadPool,
        when_done: &(impl Fn(&Keeper) + Sync),
    ) -> Duration {
        let (state, because, rest) = match threads.install(|| self.encode_now(keeper)) {
            Ok(true) => (State::Done, None, LONG),
            Ok(false) => return Duration::ZERO,
            // Whoever makes the index anew rings.
            Err(Error::Missing(_) | Error::Damaged { .. } | Error::Lexical(_)) => {
                (State::Waiting, None, LONG)
            }
            Err(Error::NoModel(why)) => (State::Off, Some(why), LONG),
            Err(Error::Busy(_)) => (State::Elsewhere, None, AGAIN),
            Err(error) => (State::Failed, Some(error.to_string()), 12 * AGAIN),
        };
        let progress = keeper.board.now().encoding.progress;
        tell(keeper, Encoding { state, progress, because });
        if matches!(state, State::Done | State::Off) {
            threads.install(|| when_done(keeper));
        }
        rest
    }

    /// Whether nothing is left to encode.
    fn encode_now(&self, keeper: &Keeper) -> Result<bool, Error> {
        let model = keeper.tree.needed_model()?;
        let is_ending = || self.ending.has_begun();
        let progress = |done, total| {
            let progress = Some(Progress { done, total });
            let is_asked = || self.pool.present() > 0 && !is_ending();
            if is_asked() {
                tell(keeper, Encoding { state: State::Paused, progress, because: None });
                give_way(is_asked);
            }
            tell(keeper, Encoding { state: State::Running, progress, because: None });
        };
        let _alone = keeper.tree.place.lock_background()?;
        let done = encode(&keeper.tree.place, model, &progress, &|| !is_ending())?;
        let (done, total) = (done.with_vectors as usize, done.chunks as usize);
        let progress = Some(Progress { done, total });
        keeper.board.tell(|activity| activity.encoding.progress = progress);
        self.encode_messages(keeper, model)?;
        Ok(!is_ending())
    }

    /// Encodes the messages of commits too, where somebody has asked for commits.
    fn encode_messages(&self, keeper: &Keeper, model: &Model) -> Result<(), Error> {
        let is_ending = || self.ending.has_begun();
        let is_asked = || self.pool.present() > 0 && !is_ending();
        let give_way = |_, _| give_way(is_asked);
        match encode_log(&keeper.tree.place, model, &give_way, &|| !is_ending()) {
            Ok(_) | Err(Error::Missing(_) | Error::NoRepository { .. } | Error::Busy(_)) => Ok(()),
            Err(error) => Err(error),
        }
    }
}

/// Waits while questions are asked, but not for ever.
pub fn give_way(is_asked: impl Fn() -> bool) {
    let start = Instant::now();
    while is_asked() && start.elapsed() < LONGEST_PAUSE {
        thread::sleep(PAUSE);
    }
}

fn tell(keeper: &Keeper, encoding: Encoding) {
    keeper.board.tell(|activity| activity.encoding = encoding);
}

/// Ends the background's work at its next step.
pub struct Ending(AtomicBool);

impl Ending {
    pub fn new() -> Ending {
        Ending(AtomicBool::new(false))
    }

    pub fn begin(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    pub fn has_begun(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

/// Of the calling thread; elsewhere than on Linux it would be the process's, questions included.
fn lower_priority() {
    #[cfg(target_os = "linux")]
    let _ = rustix::process::setpriority_process(None, 19);
}

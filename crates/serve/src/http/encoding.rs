//! Vectors for what has none, made in the background so that nobody has to wait for them.
//!
//! It runs on threads of its own with the lowest priority the system gives, and between two small
//! steps it lets questions go first. Who encodes holds a lock, so there is one on a machine; the
//! others look again later.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use rayon::{ThreadPool, ThreadPoolBuilder};
use wherein_engine::{Error, encode};

use super::Server;
use super::activity::{Encoding, Progress, State};
use super::examples;

/// A step waits no longer than this for questions to end, lest a busy server never gets on.
const LONGEST_PAUSE: Duration = Duration::from_secs(2);
/// How often it is looked whether questions have ended.
const PAUSE: Duration = Duration::from_millis(5);
/// Before another look at a tree that another process encodes, and after a failure.
const AGAIN: Duration = Duration::from_secs(5);

/// Encodes whenever something was published, until the server ends.
pub fn start(server: Arc<Server>) {
    let runtime = tokio::runtime::Handle::current();
    let background = move || {
        lower_priority();
        // Who works for us must have our priority.
        let cores = thread::available_parallelism().map_or(1, |cores| cores.get());
        let pool = ThreadPoolBuilder::new().num_threads(cores).start_handler(|_| lower_priority());
        let Ok(pool) = pool.build() else { return };
        while !server.is_ending() {
            let rest = round(&server, &pool);
            let news = server.keeper.published.notified();
            let _ = runtime.block_on(async { tokio::time::timeout(rest, news).await });
        }
    };
    let _ = thread::Builder::new().name("background".to_owned()).spawn(background);
}

/// One look at what there is to encode. Says how long to rest afterwards.
fn round(server: &Server, pool: &ThreadPool) -> Duration {
    const LONG: Duration = Duration::from_secs(3600);
    let (state, because, rest) = match pool.install(|| encode_now(server)) {
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
    let progress = server.keeper.board.now().encoding.progress;
    tell(server, Encoding { state, progress, because });
    if matches!(state, State::Done | State::Off) {
        pool.install(|| examples::find(server));
    }
    rest
}

/// Whether nothing is left to encode.
fn encode_now(server: &Server) -> Result<bool, Error> {
    let tree = &server.keeper.tree;
    let model = tree.needed_model()?;
    let progress = |done, total| {
        let progress = Some(Progress { done, total });
        let is_asked = || server.pool.present() > 0 && !server.is_ending();
        if is_asked() {
            tell(server, Encoding { state: State::Paused, progress, because: None });
            give_way(is_asked);
        }
        tell(server, Encoding { state: State::Running, progress, because: None });
    };
    let _alone = tree.place.lock_background()?;
    let done = encode(&tree.place, model, &progress, &|| !server.is_ending())?;
    let (done, total) = (done.with_vectors as usize, done.chunks as usize);
    let progress = Some(Progress { done, total });
    server.keeper.board.tell(|activity| activity.encoding.progress = progress);
    Ok(!server.is_ending())
}

/// Waits while questions are asked, but not for ever.
pub fn give_way(is_asked: impl Fn() -> bool) {
    let start = Instant::now();
    while is_asked() && start.elapsed() < LONGEST_PAUSE {
        thread::sleep(PAUSE);
    }
}

fn tell(server: &Server, encoding: Encoding) {
    server.keeper.board.tell(|activity| activity.encoding = encoding);
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

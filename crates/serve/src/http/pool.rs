//! A bounded place for work that takes a processor: so many at once, so many in the queue.
//!
//! Who goes away while waiting costs nothing, and who goes away later has the work told to stop.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use tokio::sync::Semaphore;

use super::problem::Problem;

/// Requests that may wait for a turn; more are sent away.
const MOST_WAITING: usize = 512;

/// The place.
pub struct Pool {
    turns: Arc<Semaphore>,
    present: AtomicUsize,
}

/// Whether somebody still waits for the work.
#[derive(Clone)]
pub struct Wanted(Arc<AtomicBool>);

impl Wanted {
    pub fn still(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

/// Says that nobody waits any more when it is dropped.
struct Waiting<'p> {
    pool: &'p Pool,
    wanted: Wanted,
}

impl Drop for Waiting<'_> {
    fn drop(&mut self) {
        self.wanted.0.store(false, Ordering::Relaxed);
        self.pool.present.fetch_sub(1, Ordering::Relaxed);
    }
}

impl Pool {
    /// One for this machine: a turn for each processor and one more, for a question that reads files
    /// or hands work to other threads leaves its processor to the next. Without it 14 % of two
    /// processors were idle while 32 clients waited; with two or four more the slowest wait longer.
    pub fn of_machine() -> Pool {
        let cores = std::thread::available_parallelism().map_or(2, |cores| cores.get());
        Pool::new(cores.max(2) + 1)
    }

    pub fn new(at_once: usize) -> Pool {
        Pool { turns: Arc::new(Semaphore::new(at_once)), present: AtomicUsize::new(0) }
    }

    /// How many requests are at work or wait for it.
    pub fn present(&self) -> usize {
        self.present.load(Ordering::Relaxed)
    }

    /// Does `work` when its turn comes.
    pub async fn run<T: Send + 'static>(
        &self,
        work: impl FnOnce(Wanted) -> Result<T, Problem> + Send + 'static,
    ) -> Result<T, Problem> {
        let wanted = Wanted(Arc::new(AtomicBool::new(true)));
        let before = self.present.fetch_add(1, Ordering::Relaxed);
        let _waiting = Waiting { pool: self, wanted: wanted.clone() };
        if before >= MOST_WAITING {
            return Err(Problem::unavailable("overloaded", "too many requests wait already"));
        }
        // Held by the work itself: it takes a processor even if nobody waits for it any more.
        let turn = self.turns.clone().acquire_owned().await.map_err(Problem::ours)?;
        let work = move || {
            let _turn = turn;
            work(wanted)
        };
        tokio::task::spawn_blocking(work).await.map_err(Problem::ours)?
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    #[tokio::test]
    async fn who_leaves_the_queue_never_starts_and_who_leaves_later_is_told() {
        let pool = Arc::new(Pool::new(1));
        let (started, is_started) = tokio::sync::oneshot::channel();
        let (told, is_told) = tokio::sync::oneshot::channel();
        let first = tokio::spawn({
            let pool = pool.clone();
            async move {
                let work = move |wanted: Wanted| {
                    let _ = started.send(());
                    while wanted.still() {
                        std::thread::sleep(Duration::from_millis(1));
                    }
                    let _ = told.send(());
                    Ok(())
                };
                let _ = pool.run(work).await;
            }
        });
        is_started.await.unwrap();
        let ran = Arc::new(AtomicBool::new(false));
        let seen = ran.clone();
        let second = tokio::spawn({
            let pool = pool.clone();
            async move {
                let _ = pool.run(move |_| Ok(seen.swap(true, Ordering::Relaxed))).await;
            }
        });
        tokio::time::sleep(Duration::from_millis(20)).await;
        assert_eq!(pool.present(), 2);
        second.abort();
        let _ = second.await;
        first.abort();
        is_told.await.unwrap();
        assert_eq!(pool.run(|_| Ok(7)).await.unwrap(), 7);
        assert!(!ran.load(Ordering::Relaxed));
        assert_eq!(pool.present(), 0);
    }
}

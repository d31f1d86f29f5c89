//! A thread of its own for the engine's client, which is asynchronous: who asks need not be.
//!
//! In: work and the time it may take. Out: what it came to. Any thread may ask, one of a server's own
//! runtime too, because it waits for a message and enters no runtime. The thread goes on between calls,
//! so that what the engine sends meanwhile, a farewell above all, is heard.

use std::future::Future;
use std::io;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::time::{Duration, Instant};

use tokio::runtime::{Builder, Runtime};
use tokio::time::timeout_at;

/// Where the client's work is done.
pub struct Driver {
    /// Taken when this is dropped.
    runtime: Option<Runtime>,
}

/// How much longer than its deadline work is waited for, which the thread itself gives up at it.
const GRACE: Duration = Duration::from_millis(500);

/// Why work came to nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lost {
    /// Its time was over.
    Late,
    /// It broke off.
    Broken,
}

impl Driver {
    /// Starts the thread.
    pub fn new() -> io::Result<Driver> {
        let mut builder = Builder::new_multi_thread();
        let runtime = builder.worker_threads(1).thread_name("engine").enable_all().build()?;
        Ok(Driver { runtime: Some(runtime) })
    }

    /// Does some work, and gives it up at a deadline. Who waits does so by a clock of its own: work that
    /// holds the thread keeps it from looking at its.
    pub fn run<T: Send + 'static>(
        &self,
        work: impl Future<Output = T> + Send + 'static,
        deadline: Instant,
    ) -> Result<T, Lost> {
        let (send, receive) = mpsc::sync_channel(1);
        let timed = async move {
            let done = timeout_at(deadline.into(), work).await;
            // Who waited may be gone.
            let _ = send.send(done.map_err(|_| Lost::Late));
        };
        let Some(runtime) = &self.runtime else { return Err(Lost::Broken) };
        runtime.spawn(timed);
        match receive.recv_timeout(deadline.saturating_duration_since(Instant::now()) + GRACE) {
            Ok(done) => done,
            Err(RecvTimeoutError::Timeout) => Err(Lost::Late),
            Err(RecvTimeoutError::Disconnected) => Err(Lost::Broken),
        }
    }
}

impl Drop for Driver {
    /// Without waiting: a thread of another runtime must not, and nothing is left to be done.
    fn drop(&mut self) {
        if let Some(runtime) = self.runtime.take() {
            runtime.shutdown_background();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn soon() -> Instant {
        Instant::now() + Duration::from_secs(30)
    }

    #[test]
    fn a_thread_of_another_runtime_may_ask_and_end_it() {
        let server = Builder::new_current_thread().build().unwrap();
        let answer = server.block_on(async {
            let driver = Driver::new().unwrap();
            driver.run(async { 7 }, soon())
        });
        assert_eq!(answer, Ok(7));
    }

    #[test]
    fn work_ends_at_its_deadline() {
        let driver = Driver::new().unwrap();
        let began = Instant::now();
        let forever = std::future::pending::<()>();
        assert_eq!(driver.run(forever, began + Duration::from_millis(50)), Err(Lost::Late));
        assert!(began.elapsed() < Duration::from_secs(10));
    }

    #[test]
    fn work_that_holds_the_thread_is_not_waited_for() {
        let driver = Driver::new().unwrap();
        let began = Instant::now();
        let stubborn = async { std::thread::sleep(Duration::from_secs(5)) };
        assert_eq!(driver.run(stubborn, began + Duration::from_millis(50)), Err(Lost::Late));
        assert!(began.elapsed() < Duration::from_secs(4));
    }

    #[test]
    fn work_that_breaks_off_is_no_answer_and_ends_nothing_else() {
        let driver = Driver::new().unwrap();
        let broken = async { assert!(std::env::args().count() == 0, "to be seen in the output") };
        assert_eq!(driver.run(broken, soon()), Err(Lost::Broken));
        assert_eq!(driver.run(async { 7 }, soon()), Ok(7));
    }
}

use std::collections::HashMap;
use std::panic::{catch_unwind, AssertUnwindSafe};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{mpsc, Arc};
use std::thread;
use std::time::{Duration, Instant};

use crate::error::Failure;
use crate::job::Job;
use crate::queue::Queue;

type Handler = Box<dyn Fn(&Job) -> Result<(), Failure> + Send + Sync>;

/// Threads that take jobs from a queue and run them.
pub struct Pool {
    queue: Queue,
    threads: usize,
    poll: Duration,
    extend_every: Duration,
    grace: Duration,
    handlers: HashMap<String, Handler>,
    stop: Arc<AtomicBool>,
}

static NEXT_HOLDER: AtomicU64 = AtomicU64::new(1);

impl Pool {
    pub fn new(queue: Queue) -> Self {
        Pool {
            queue,
            threads: 4,
            poll: Duration::from_millis(250),
            extend_every: Duration::from_secs(20),
            grace: Duration::from_secs(30),
            handlers: HashMap::new(),
            stop: Arc::default(),
        }
    }

    pub fn threads(mut self, threads: usize) -> Self {
        self.threads = threads.max(1);
        self
    }

    pub fn handle(
        mut self,
        kind: &str,
        handler: impl Fn(&Job) -> Result<(), Failure> + Send + Sync + 'static,
    ) -> Self {
        self.handlers.insert(kind.to_owned(), Box::new(handler));
        self
    }

    /// Set it to make `run_until_stopped` return.
    pub fn stop_switch(&self) -> Arc<AtomicBool> {
        self.stop.clone()
    }

    pub fn run_until_stopped(self) {
        let pool = Arc::new(self);
        let (finished, wait) = mpsc::channel();
        for number in 0..pool.threads {
            let (pool, finished) = (pool.clone(), finished.clone());
            thread::Builder::new()
                .name(format!("lathe-{number}"))
                .spawn(move || {
                    pool.work();
                    let _ = finished.send(());
                })
                .expect("threads can be started");
        }
        while !pool.stop.load(Ordering::Relaxed) {
            thread::sleep(pool.poll);
        }
        pool.drain(wait);
    }

    /// Waits for the threads, but not longer than the period of grace.
    fn drain(&self, wait: mpsc::Receiver<()>) {
        let deadline = Instant::now() + self.grace;
        for _ in 0..self.threads {
            let left = deadline.saturating_duration_since(Instant::now());
            if wait.recv_timeout(left).is_err() {
                log::warn!("abandoning handlers that did not finish within {:?}", self.grace);
                return;
            }
        }
    }

    fn work(&self) {
        let holder = NEXT_HOLDER.fetch_add(1, Ordering::Relaxed);
        let kinds: Vec<&str> = self.handlers.keys().map(String::as_str).collect();
        while !self.stop.load(Ordering::Relaxed) {
            match self.queue.claim(&kinds, holder) {
                Ok(Some(job)) => self.run(&job, holder),
                Ok(None) => thread::sleep(self.poll),
                Err(error) => {
                    log::error!("cannot claim: {error}");
                    thread::sleep(self.poll * 4);
                }
            }
        }
    }

    fn run(&self, job: &Job, holder: u64) {
        let handler = &self.handlers[&job.kind];
        let pulse = Pulse::start(self.queue.clone(), job, holder, self.extend_every);
        // A handler that panics must not take the thread with it.
        let outcome = catch_unwind(AssertUnwindSafe(|| handler(job)))
            .unwrap_or_else(|_| Err(Failure::transient("handler panicked")));
        drop(pulse);
        let settled = match outcome {
            Ok(()) => self.queue.complete(job.id, holder),
            Err(failure) => self.queue.fail(job.id, holder, &failure).map(drop),
        };
        if let Err(error) = settled {
            log::warn!("result of {} is thrown away: {error}", job.id);
        }
    }
}

/// Renews a claim in the background until it is dropped.
struct Pulse {
    over: Arc<AtomicBool>,
}

impl Pulse {
    fn start(queue: Queue, job: &Job, holder: u64, every: Duration) -> Self {
        let over = Arc::new(AtomicBool::new(false));
        let (flag, id) = (over.clone(), job.id);
        thread::spawn(move || loop {
            thread::park_timeout(every);
            if flag.load(Ordering::Relaxed) || queue.extend(id, holder).is_err() {
                return;
            }
        });
        Pulse { over }
    }
}

impl Drop for Pulse {
    fn drop(&mut self) {
        self.over.store(true, Ordering::Relaxed);
    }
}

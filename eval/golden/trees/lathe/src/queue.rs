use std::path::Path;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant, SystemTime};

use crate::backoff::{Backoff, Noise};
use crate::error::{Error, Failure, Result};
use crate::job::{Job, JobId, JobState, NewJob};
use crate::lease::Leases;
use crate::metrics::Counters;
use crate::store::{JournalStore, Store};

/// The jobs of one directory. Cheap to clone; clones share everything.
#[derive(Clone)]
pub struct Queue {
    store: Arc<Mutex<Box<dyn Store>>>,
    leases: Leases,
    backoff: Backoff,
    max_attempts: u32,
    noise: Arc<Mutex<Noise>>,
    pub counters: Arc<Counters>,
}

/// How many jobs are in which state.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Stat {
    pub due: usize,
    pub asleep: usize,
    pub claimed: usize,
    pub buried: usize,
}

impl Queue {
    pub fn open(dir: impl AsRef<Path>) -> Result<Self> {
        Ok(Self::over(Box::new(JournalStore::open(dir.as_ref())?)))
    }

    pub fn over(store: Box<dyn Store>) -> Self {
        Queue {
            store: Arc::new(Mutex::new(store)),
            leases: Leases::lasting(Duration::from_secs(60)),
            backoff: Backoff::default(),
            max_attempts: 25,
            noise: Arc::new(Mutex::new(Noise::seeded(0x9e37_79b9))),
            counters: Arc::default(),
        }
    }

    pub fn with_backoff(mut self, backoff: Backoff) -> Self {
        self.backoff = backoff;
        self
    }

    pub fn with_max_attempts(mut self, max_attempts: u32) -> Self {
        self.max_attempts = max_attempts;
        self
    }

    pub fn with_claim_ttl(mut self, ttl: Duration) -> Self {
        self.leases = Leases::lasting(ttl);
        self
    }

    /// Adds a job. With a unique key that is already waiting, gives that job's number instead.
    pub fn push(&self, new: NewJob) -> Result<JobId> {
        let mut store = self.store.lock().unwrap();
        if let Some(key) = &new.unique_key {
            let twin = store.all().find(|job| {
                job.unique_key.as_ref() == Some(key) && job.state == JobState::Waiting
            });
            if let Some(twin) = twin {
                log::debug!("{} coalesced into {}", key, twin.id);
                return Ok(twin.id);
            }
        }
        let id = store.next_id();
        store.put(Job {
            id,
            kind: new.kind,
            payload: new.payload,
            state: JobState::Waiting,
            due: SystemTime::now() + new.delay,
            attempts: 0,
            last_error: None,
            unique_key: new.unique_key,
        })?;
        self.counters.pushed();
        Ok(id)
    }

    /// Hands out the job that has been due longest, if its kind is among `kinds`.
    pub fn claim(&self, kinds: &[&str], holder: u64) -> Result<Option<Job>> {
        self.requeue_orphans()?;
        let mut store = self.store.lock().unwrap();
        let now = SystemTime::now();
        let mut due: Vec<&Job> = store
            .all()
            .filter(|job| job.is_due(now) && kinds.contains(&job.kind.as_str()))
            .collect();
        due.sort_by_key(|job| (job.due, job.id));
        let Some(id) = due.first().map(|job| job.id) else {
            return Ok(None);
        };
        if !self.leases.take(id, holder, Instant::now()) {
            return Ok(None);
        }
        let job = store.update(id, &mut |job| {
            job.state = JobState::Claimed;
            job.attempts += 1;
        })?;
        Ok(Some(job))
    }

    pub fn extend(&self, id: JobId, holder: u64) -> Result<()> {
        self.leases.extend(id, holder, Instant::now())
    }

    pub fn complete(&self, id: JobId, holder: u64) -> Result<()> {
        self.leases.release(id, holder)?;
        let mut store = self.store.lock().unwrap();
        store.update(id, &mut |job| job.state = JobState::Done)?;
        store.remove(id)?;
        self.counters.completed();
        Ok(())
    }

    /// Puts a failed job back to sleep, or buries it when there is no hope.
    pub fn fail(&self, id: JobId, holder: u64, failure: &Failure) -> Result<JobState> {
        self.leases.release(id, holder)?;
        let mut store = self.store.lock().unwrap();
        let attempts = store.get(id).ok_or(Error::NoSuchJob(id))?.attempts;
        let hopeless = failure.permanent || attempts >= self.max_attempts;
        let pause = self.backoff.pause(attempts, self.noise.lock().unwrap().next());
        let job = store.update(id, &mut |job| {
            job.last_error = Some(failure.message.clone());
            if hopeless {
                job.state = JobState::Buried;
            } else {
                job.state = JobState::Waiting;
                job.due = SystemTime::now() + pause;
            }
        })?;
        if hopeless {
            log::error!("giving up on {id} ({}) after {attempts} attempts: {}", job.kind, failure.message);
            self.counters.buried();
        } else {
            log::info!("{id} failed, next try in {pause:.1?}: {}", failure.message);
            self.counters.retried();
        }
        Ok(job.state)
    }

    /// Brings a buried job back as if it had never been tried.
    pub fn revive(&self, id: JobId) -> Result<()> {
        let mut store = self.store.lock().unwrap();
        store.update(id, &mut |job| {
            job.state = JobState::Waiting;
            job.attempts = 0;
            job.due = SystemTime::now();
        })?;
        Ok(())
    }

    pub fn buried(&self) -> Vec<Job> {
        let store = self.store.lock().unwrap();
        store.all().filter(|job| job.state == JobState::Buried).cloned().collect()
    }

    pub fn stat(&self) -> Stat {
        let store = self.store.lock().unwrap();
        let now = SystemTime::now();
        let mut stat = Stat::default();
        for job in store.all() {
            match job.state {
                JobState::Waiting if job.due <= now => stat.due += 1,
                JobState::Waiting => stat.asleep += 1,
                JobState::Claimed => stat.claimed += 1,
                JobState::Buried => stat.buried += 1,
                JobState::Done => {}
            }
        }
        stat
    }

    fn requeue_orphans(&self) -> Result<()> {
        for id in self.leases.reap(Instant::now()) {
            let mut store = self.store.lock().unwrap();
            store.update(id, &mut |job| job.state = JobState::Waiting)?;
            self.counters.orphaned();
        }
        Ok(())
    }
}

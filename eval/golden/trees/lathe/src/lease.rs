use std::collections::HashMap;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use crate::error::{Error, Result};
use crate::job::JobId;

/// Who works at what, and until when nobody else may.
#[derive(Clone)]
pub(crate) struct Leases {
    ttl: Duration,
    held: Arc<Mutex<HashMap<JobId, Lease>>>,
}

#[derive(Debug, Clone)]
struct Lease {
    holder: u64,
    until: Instant,
}

impl Leases {
    pub(crate) fn lasting(ttl: Duration) -> Self {
        Leases { ttl, held: Arc::default() }
    }

    pub(crate) fn take(&self, id: JobId, holder: u64, now: Instant) -> bool {
        let mut held = self.held.lock().unwrap();
        match held.get(&id) {
            Some(lease) if lease.until > now => false,
            _ => {
                held.insert(id, Lease { holder, until: now + self.ttl });
                true
            }
        }
    }

    /// The sign of life of a worker that is still busy.
    pub(crate) fn extend(&self, id: JobId, holder: u64, now: Instant) -> Result<()> {
        let mut held = self.held.lock().unwrap();
        match held.get_mut(&id) {
            Some(lease) if lease.holder == holder && lease.until > now => {
                lease.until = now + self.ttl;
                Ok(())
            }
            _ => Err(Error::ClaimLost(id)),
        }
    }

    pub(crate) fn release(&self, id: JobId, holder: u64) -> Result<()> {
        let mut held = self.held.lock().unwrap();
        match held.get(&id) {
            Some(lease) if lease.holder == holder => {
                held.remove(&id);
                Ok(())
            }
            _ => Err(Error::ClaimLost(id)),
        }
    }

    /// Takes out what nobody vouches for any more.
    pub(crate) fn reap(&self, now: Instant) -> Vec<JobId> {
        let mut held = self.held.lock().unwrap();
        let mut orphaned: Vec<JobId> =
            held.iter().filter(|(_, lease)| lease.until <= now).map(|(id, _)| *id).collect();
        orphaned.sort();
        for id in &orphaned {
            log::warn!("worker of {id} gave no sign of life for {:?}", self.ttl);
            held.remove(id);
        }
        orphaned
    }
}

use std::collections::BTreeMap;

use super::Store;
use crate::error::{Error, Result};
use crate::job::{Job, JobId};

/// Forgets everything when dropped. For tests, and as the journal's working copy.
#[derive(Default)]
pub struct MemoryStore {
    jobs: BTreeMap<JobId, Job>,
    last: u64,
}

impl Store for MemoryStore {
    fn next_id(&mut self) -> JobId {
        self.last += 1;
        JobId(self.last)
    }

    fn put(&mut self, job: Job) -> Result<()> {
        self.last = self.last.max(job.id.0);
        self.jobs.insert(job.id, job);
        Ok(())
    }

    fn get(&self, id: JobId) -> Option<&Job> {
        self.jobs.get(&id)
    }

    fn update(&mut self, id: JobId, change: &mut dyn FnMut(&mut Job)) -> Result<Job> {
        let job = self.jobs.get_mut(&id).ok_or(Error::NoSuchJob(id))?;
        change(job);
        Ok(job.clone())
    }

    fn remove(&mut self, id: JobId) -> Result<()> {
        self.jobs.remove(&id).map(drop).ok_or(Error::NoSuchJob(id))
    }

    fn all(&self) -> Box<dyn Iterator<Item = &Job> + '_> {
        Box::new(self.jobs.values())
    }
}

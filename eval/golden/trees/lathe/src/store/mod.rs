mod journal;
mod memory;

pub use journal::JournalStore;
pub use memory::MemoryStore;

use crate::error::Result;
use crate::job::{Job, JobId};

/// Where jobs are kept. A change is durable once the call returns.
pub trait Store: Send {
    fn next_id(&mut self) -> JobId;
    fn put(&mut self, job: Job) -> Result<()>;
    fn get(&self, id: JobId) -> Option<&Job>;
    fn update(&mut self, id: JobId, change: &mut dyn FnMut(&mut Job)) -> Result<Job>;
    fn remove(&mut self, id: JobId) -> Result<()>;
    fn all(&self) -> Box<dyn Iterator<Item = &Job> + '_>;
}

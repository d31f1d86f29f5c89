use std::fs::{self, File, OpenOptions};
use std::io::{Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use super::{MemoryStore, Store};
use crate::error::{Error, Result};
use crate::job::{Job, JobId};
use crate::wire_types::{WireRecordV3, WIRE_HEADER_V3_SIZE};

/// An append-only file of what happened, and the state it adds up to.
pub struct JournalStore {
    path: PathBuf,
    file: File,
    _guard: File,
    state: MemoryStore,
    live: u64,
    dead: u64,
}

/// Rewriting a small file is not worth the while.
const LEAST_DEAD_BYTES: u64 = 1 << 20;

impl JournalStore {
    pub fn open(dir: &Path) -> Result<Self> {
        fs::create_dir_all(dir).map_err(|source| Error::Io { path: dir.to_owned(), source })?;
        let guard = lock(&dir.join("guard"))?;
        let path = dir.join("journal");
        let io = |source| Error::Io { path: path.clone(), source };
        let mut file =
            OpenOptions::new().create(true).read(true).append(true).open(&path).map_err(io)?;
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes).map_err(io)?;
        let mut state = MemoryStore::default();
        let sound = replay(&path, &bytes, &mut state)?;
        if sound < bytes.len() as u64 {
            log::warn!("torn tail: dropping {} bytes", bytes.len() as u64 - sound);
            file.set_len(sound).map_err(io)?;
            file.seek(SeekFrom::End(0)).map_err(io)?;
        }
        Ok(JournalStore { path, file, _guard: guard, state, live: sound, dead: 0 })
    }

    fn append(&mut self, record: &WireRecordV3) -> Result<()> {
        let frame = frame(record)?;
        let io = |source| Error::Io { path: self.path.clone(), source };
        self.file.write_all(&frame).map_err(io)?;
        // Without this a crash may lose a job that the caller believes to be safe.
        self.file.sync_data().map_err(io)?;
        self.live += frame.len() as u64;
        Ok(())
    }

    /// Writes what is alive into a new file and puts it in the place of the old one.
    pub fn compact(&mut self) -> Result<()> {
        let fresh = self.path.with_extension("fresh");
        let io = |source| Error::Io { path: fresh.clone(), source };
        let mut file = File::create(&fresh).map_err(io)?;
        let mut size = 0;
        for job in self.state.all() {
            let bytes = frame(&WireRecordV3::Put { f0_job: job.clone() })?;
            size += bytes.len() as u64;
            file.write_all(&bytes).map_err(io)?;
        }
        file.sync_all().map_err(io)?;
        fs::rename(&fresh, &self.path).map_err(io)?;
        self.file = OpenOptions::new().append(true).open(&self.path).map_err(io)?;
        (self.live, self.dead) = (size, 0);
        Ok(())
    }

    fn compact_if_worthwhile(&mut self) -> Result<()> {
        if self.dead > LEAST_DEAD_BYTES && self.dead > self.live {
            self.compact()?;
        }
        Ok(())
    }
}

impl Store for JournalStore {
    fn next_id(&mut self) -> JobId {
        self.state.next_id()
    }

    fn put(&mut self, job: Job) -> Result<()> {
        self.append(&WireRecordV3::Put { f0_job: job.clone() })?;
        self.compact_if_worthwhile()?;
        self.state.put(job)
    }

    fn get(&self, id: JobId) -> Option<&Job> {
        self.state.get(id)
    }

    fn update(&mut self, id: JobId, change: &mut dyn FnMut(&mut Job)) -> Result<Job> {
        let job = self.state.update(id, change)?;
        self.append(&WireRecordV3::Update { f0_job: job.clone() })?;
        Ok(job)
    }

    fn remove(&mut self, id: JobId) -> Result<()> {
        let size = self.state.get(id).map_or(0, |job| job.payload.to_string().len() as u64);
        self.append(&WireRecordV3::Remove { f0_id: id })?;
        self.live = self.live.saturating_sub(size);
        self.dead += size;
        self.state.remove(id)
    }

    fn all(&self) -> Box<dyn Iterator<Item = &Job> + '_> {
        self.state.all()
    }
}

fn lock(path: &Path) -> Result<File> {
    let io = |source| Error::Io { path: path.to_owned(), source };
    let mut guard = OpenOptions::new().create(true).write(true).open(path).map_err(io)?;
    guard.try_lock().map_err(|_| Error::Locked { path: path.to_owned() })?;
    writeln!(guard, "{}", std::process::id()).map_err(io)?;
    Ok(guard)
}

fn frame(record: &WireRecordV3) -> Result<Vec<u8>> {
    let body = serde_json::to_vec(record)?;
    let mut frame = Vec::with_capacity(WIRE_HEADER_V3_SIZE + body.len());
    frame.extend((body.len() as u32).to_le_bytes());
    frame.extend(crc32fast::hash(&body).to_le_bytes());
    frame.extend(body);
    Ok(frame)
}

/// Applies record after record and says how many bytes were sound.
fn replay(path: &Path, bytes: &[u8], state: &mut MemoryStore) -> Result<u64> {
    let mut at = 0;
    while at < bytes.len() {
        let rest = &bytes[at..];
        let Some((body, checksum)) = split_record(rest) else {
            return Ok(at as u64);
        };
        let end = at + WIRE_HEADER_V3_SIZE + body.len();
        if crc32fast::hash(body) != checksum {
            if end == bytes.len() {
                return Ok(at as u64);
            }
            let (path, offset) = (path.to_owned(), at as u64);
            return Err(Error::Corrupt { path, offset, reason: "checksum mismatch" });
        }
        apply(serde_json::from_slice(body)?, state)?;
        at = end;
    }
    Ok(at as u64)
}

fn split_record(rest: &[u8]) -> Option<(&[u8], u32)> {
    let length = u32::from_le_bytes(rest.get(..4)?.try_into().ok()?) as usize;
    let checksum = u32::from_le_bytes(rest.get(4..8)?.try_into().ok()?);
    Some((rest.get(8..8 + length)?, checksum))
}

fn apply(record: WireRecordV3, state: &mut MemoryStore) -> Result<()> {
    match record {
        WireRecordV3::Put { f0_job } | WireRecordV3::Update { f0_job } => state.put(f0_job),
        WireRecordV3::Remove { f0_id } => state.remove(f0_id),
        // Written by 0.5 and 0.6 only; an update follows each of them.
        _ => Ok(()),
    }
}

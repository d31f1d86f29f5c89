use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

/// One file for each job, named by its due time.
pub struct Queue {
    dir: PathBuf,
    retry_delay: Duration,
}

#[derive(Debug, Clone)]
pub struct LegacyJob {
    pub file: PathBuf,
    pub kind: String,
    pub payload: String,
    pub attempts: u32,
}

impl Queue {
    pub fn open(dir: impl AsRef<Path>) -> io::Result<Self> {
        fs::create_dir_all(dir.as_ref())?;
        Ok(Queue { dir: dir.as_ref().to_owned(), retry_delay: Duration::from_secs(60) })
    }

    pub fn push(&self, kind: &str, payload: &str) -> io::Result<()> {
        let due = millis(SystemTime::now());
        let name = format!("{due:016}-0-{kind}.job");
        let temporary = self.dir.join(format!(".{name}"));
        fs::write(&temporary, payload)?;
        fs::rename(temporary, self.dir.join(name))
    }

    pub fn claim(&self, kinds: &[&str]) -> io::Result<Option<LegacyJob>> {
        let now = millis(SystemTime::now());
        let mut names: Vec<String> = fs::read_dir(&self.dir)?
            .flatten()
            .filter_map(|entry| entry.file_name().into_string().ok())
            .filter(|name| name.ends_with(".job") && !name.starts_with('.'))
            .collect();
        names.sort();
        for name in names {
            let mut parts = name.trim_end_matches(".job").splitn(3, '-');
            let due: u128 = parts.next().and_then(|p| p.parse().ok()).unwrap_or(0);
            let attempts: u32 = parts.next().and_then(|p| p.parse().ok()).unwrap_or(0);
            let kind = parts.next().unwrap_or_default().to_owned();
            if due > now || !kinds.contains(&kind.as_str()) {
                continue;
            }
            let taken = self.dir.join(format!("{name}.taken"));
            // Two workers race for the rename; the one that loses looks further.
            if fs::rename(self.dir.join(&name), &taken).is_err() {
                continue;
            }
            let payload = fs::read_to_string(&taken)?;
            return Ok(Some(LegacyJob { file: taken, kind, payload, attempts }));
        }
        Ok(None)
    }

    pub fn complete(&self, job: &LegacyJob) -> io::Result<()> {
        fs::remove_file(&job.file)
    }

    /// The same pause every time: the backoff of 0.5 is what replaced it.
    pub fn fail(&self, job: &LegacyJob) -> io::Result<()> {
        let due = millis(SystemTime::now() + self.retry_delay);
        let name = format!("{due:016}-{}-{}.job", job.attempts + 1, job.kind);
        fs::rename(&job.file, self.dir.join(name))
    }
}

fn millis(at: SystemTime) -> u128 {
    at.duration_since(SystemTime::UNIX_EPOCH).map_or(0, |since| since.as_millis())
}

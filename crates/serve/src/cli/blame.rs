//! `search --blame`: which commits the lines of a hit come from.

use std::time::{Duration, Instant};

use wherein_engine::history::blame::{Blame, of_hits};
use wherein_engine::history::{Commit, Repository};
use wherein_engine::search::answer::Hit;
use wherein_engine::{Error, Snapshot};

/// How long all hits of a page together may be traced back.
const BLAME_TIME: Duration = Duration::from_secs(1);

/// Traces the hits of a page back, as far as there is time.
pub fn fill(snapshot: &Snapshot, hits: &mut [Hit]) -> Result<(), Error> {
    let repository = Repository::around(snapshot.root())?;
    let git = repository.git();
    let revision = snapshot.manifest.revision.as_ref();
    let tip = match revision.and_then(|revision| revision.commit.as_deref()) {
        Some(commit) => Some(git.resolve(commit)?),
        None => git.head()?,
    };
    let deadline = Instant::now() + BLAME_TIME;
    of_hits(&repository, tip, snapshot, hits, &|| Instant::now() < deadline)
}

/// Where a hit comes from, in words.
pub fn origin(hit: &Hit) -> Option<String> {
    let blame = hit.blame.as_ref()?;
    let mut parts = Vec::new();
    if let Some(last) = &blame.last {
        parts.push(format!("last changed {}", named(last)));
    }
    if let Some(first) = blame.introduced.as_ref().filter(|_| blame.commits > 1) {
        let oldest = if blame.complete { "introduced" } else { "oldest change seen" };
        parts.push(format!("{oldest} {}", named(first)));
    }
    parts.extend(gaps(blame));
    Some(super::output::visible::name(&parts.join("; ")).into_owned())
}

fn named(commit: &Commit) -> String {
    let short = &commit.commit[..commit.commit.len().min(12)];
    format!("{} by {}: {} ({short})", commit.date, commit.author, commit.subject)
}

fn gaps(blame: &Blame) -> Vec<String> {
    let lines =
        |count: u32| if count == 1 { "1 line".to_owned() } else { format!("{count} lines") };
    let mut gaps = Vec::new();
    if blame.uncommitted_lines > 0 {
        gaps.push(format!("{} not committed yet", lines(blame.uncommitted_lines)));
    }
    if blame.unknown_lines > 0 {
        gaps.push(format!("{} not traced back to their commit", lines(blame.unknown_lines)));
    }
    gaps
}

//! The open snapshot, kept as fresh as a command's would be, without paying for it per question.
//!
//! A question may be answered from a snapshot that was looked at after the question came: whoever
//! waits while one look is under way shares the next, and while others are at work the next waits
//! a little for more to come. Nothing is reopened while nothing changed, and where a sentry was told of no change, a look
//! takes in no file.
//! A refresh that takes long is not waited for if there is an older snapshot; the answer says so.

#[cfg(test)]
mod tests;

use std::path::Path;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use tokio::sync::{Notify, watch};
use tokio::time::timeout_at;
use wherein_corpus::Stamp;
use wherein_engine::search::answer::Certificate;
use wherein_engine::{Error, Settings, Snapshot, refresh};

use super::activity::{Board, Progress, Refreshed};
use super::pool::Pool;
use super::problem::Problem;
use super::sentry::{Posted, Sentry};
use crate::cli::tree::Tree;
use crate::config::Config;

/// How long a question waits for a refresh if it could be answered from an older snapshot.
const PATIENCE: Duration = Duration::from_secs(1);
/// While more questions than this are at work, a look waits up to so many times its duration.
const FEW: usize = 4;
const SPACING: u32 = 8;
/// Between two looks at what another process is doing.
const PAUSE: Duration = Duration::from_millis(50);

/// A snapshot to answer from.
#[derive(Clone)]
pub struct View {
    pub snapshot: Arc<Snapshot>,
    /// Why the answer may not reflect the tree as it is now.
    pub stale_because: Option<String>,
}

impl View {
    /// Says so in a certificate.
    pub fn own_up(&self, certificate: &mut Certificate) {
        certificate.complete &= self.stale_because.is_none();
    }
}

/// Keeps the snapshot of one tree.
pub struct Keeper {
    pub tree: Arc<Tree>,
    pub board: Arc<Board>,
    pool: Arc<Pool>,
    /// Rung when there may be something to encode.
    pub published: Arc<Notify>,
    looked: tokio::sync::Mutex<Looked>,
    refresh: Mutex<Option<watch::Receiver<Option<Outcome>>>>,
}

/// What the last look found.
#[derive(Default)]
struct Looked {
    /// When it began, and when it ended.
    at: Option<(Instant, Instant)>,
    open: Option<Open>,
    is_fresh: bool,
    posted: Posted,
}

/// A snapshot and what stood on disk when it was opened.
#[derive(Clone)]
struct Open {
    snapshot: Arc<Snapshot>,
    marks: Marks,
}

/// The two files whose replacement publishes something.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Marks {
    manifest: Option<Stamp>,
    vectors: Option<Stamp>,
}

/// How a refresh ended.
#[derive(Clone)]
struct Outcome {
    started: Instant,
    failure: Option<Failure>,
}

#[derive(Clone)]
enum Failure {
    /// Another process is at it.
    Busy,
    Failed(Problem),
}

impl Keeper {
    /// Keeps a tree; `published` is rung when there may be something to encode.
    pub fn new(tree: Tree, pool: Arc<Pool>, published: Arc<Notify>) -> Keeper {
        Keeper {
            tree: Arc::new(tree),
            board: Arc::new(Board::new()),
            pool,
            published,
            looked: tokio::sync::Mutex::default(),
            refresh: Mutex::new(None),
        }
    }

    /// The snapshot for a question that came at `asked`.
    pub async fn view(self: &Arc<Keeper>, asked: Instant) -> Result<View, Problem> {
        loop {
            let (open, is_fresh) = self.look(asked).await?;
            let old = match open {
                Some(snapshot) if is_fresh => return Ok(View { snapshot, stale_because: None }),
                old => old,
            };
            let ended = self.refreshed();
            let outcome = match &old {
                None => ended.await?,
                Some(snapshot) => match timeout_at((asked + PATIENCE).into(), ended).await {
                    Ok(outcome) => outcome?,
                    Err(_) => return Ok(stale(snapshot, "the index is being brought up to date")),
                },
            };
            match (outcome.failure, old) {
                // Files that change all the time would have us look for ever.
                (None, _) if outcome.started >= asked => return self.newest().await,
                (None, _) => {}
                (Some(Failure::Busy), Some(old)) => {
                    return Ok(stale(&old, "another process is updating the index"));
                }
                (Some(Failure::Busy), None) => tokio::time::sleep(PAUSE).await,
                (Some(Failure::Failed(problem)), Some(old)) => {
                    return Ok(stale(&old, &problem.detail));
                }
                (Some(Failure::Failed(problem)), None) => return Err(problem),
            }
        }
    }

    /// The snapshot at hand, fresh or not, without looking at the tree.
    pub async fn newest(&self) -> Result<View, Problem> {
        let mut looked = self.looked.lock().await;
        self.reopen(&mut looked).await?;
        match &looked.open {
            Some(open) => Ok(View { snapshot: open.snapshot.clone(), stale_because: None }),
            None => Err(Problem::from(Error::Missing(self.tree.place.root.clone()))),
        }
    }

    /// Forgets a snapshot that turned out to be damaged.
    pub async fn forget(&self) {
        *self.looked.lock().await = Looked::default();
    }

    /// Starts a refresh unless one is under way. Says whether it did.
    pub fn start_refresh(self: &Arc<Keeper>) -> bool {
        self.refreshing().1
    }

    /// One look at the tree for all who came before it began: the snapshot at hand, and whether it
    /// is what is on disk.
    pub async fn look(&self, asked: Instant) -> Result<(Option<Arc<Snapshot>>, bool), Problem> {
        let mut looked = self.looked.lock().await;
        if looked.at.is_none_or(|(began, _)| began < asked) {
            self.space(looked.at).await;
            let began = Instant::now();
            self.reopen(&mut looked).await?;
            if let Some(open) = looked.open.clone() {
                let posted = std::mem::take(&mut looked.posted);
                (looked.is_fresh, looked.posted) = self.is_fresh(open, posted).await?;
            } else {
                looked.is_fresh = false;
            }
            looked.at = Some((began, Instant::now()));
        }
        Ok((looked.open.as_ref().map(|open| open.snapshot.clone()), looked.is_fresh))
    }

    /// Lets more questions come before the next look while there is enough to do.
    async fn space(&self, last: Option<(Instant, Instant)>) {
        let Some((began, ended)) = last else { return };
        let latest = ended + SPACING * (ended - began);
        while self.pool.present() > FEW && Instant::now() < latest {
            tokio::time::sleep(Duration::from_millis(2)).await;
        }
    }

    /// Opens what is published if that is not what is open.
    async fn reopen(&self, looked: &mut Looked) -> Result<(), Problem> {
        let (tree, known) = (self.tree.clone(), looked.open.as_ref().map(|open| open.marks));
        let opened = blocking(move || {
            let marks = Marks::of(&tree);
            (Some(marks) != known).then(|| (marks, Snapshot::open(&tree.place)))
        });
        match opened.await? {
            None => {}
            Some((marks, Ok(snapshot))) => {
                looked.open = Some(Open { snapshot: Arc::new(snapshot), marks });
            }
            Some((_, Err(Error::Missing(_) | Error::Damaged { .. } | Error::Lexical(_)))) => {
                looked.open = None;
            }
            Some((_, Err(error))) => return Err(error.into()),
        }
        Ok(())
    }

    /// Whether a snapshot is what is on disk, and who stands over the tree from now on. Settings that
    /// cannot be read are no failure here: the refresh that follows says so.
    async fn is_fresh(&self, open: Open, posted: Posted) -> Result<(bool, Posted), Problem> {
        let tree = self.tree.clone();
        blocking(move || {
            let manifest = &open.snapshot.manifest;
            match settings(&tree.place.root).is_ok_and(|it| it.digest() == manifest.settings) {
                true => found(&tree, &open, posted),
                false => (false, posted),
            }
        })
        .await
    }

    /// Waits for the refresh that is under way, or for one that is started now.
    fn refreshed(self: &Arc<Keeper>) -> impl Future<Output = Result<Outcome, Problem>> + use<> {
        let (mut ended, _) = self.refreshing();
        async move {
            let outcome = ended.wait_for(Option::is_some).await.map_err(Problem::ours)?;
            outcome.clone().ok_or_else(|| Problem::ours("a refresh has no outcome"))
        }
    }

    fn refreshing(self: &Arc<Keeper>) -> (watch::Receiver<Option<Outcome>>, bool) {
        let mut current = self.refresh.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        if let Some(running) = current.as_ref().filter(|it| it.borrow().is_none()) {
            return (running.clone(), false);
        }
        let (tell, ended) = watch::channel(None);
        *current = Some(ended.clone());
        let keeper = self.clone();
        tokio::task::spawn_blocking(move || {
            let outcome = keeper.refresh_now();
            tell.send_replace(Some(outcome));
        });
        (ended, true)
    }

    fn refresh_now(&self) -> Outcome {
        let started = Instant::now();
        self.board.tell(|activity| activity.indexing = Some(Progress::default()));
        let progress = |done, total| {
            // Every file would be too many to tell.
            if done % 64 == 0 || done == total {
                let progress = Some(Progress { done, total });
                self.board.tell(|activity| activity.indexing = progress);
            }
        };
        let place = &self.tree.place;
        let done = settings(&place.root)
            .and_then(|settings| refresh(place, &settings, &progress).map_err(Failure::of));
        let took_ms = started.elapsed().as_secs_f64() * 1e3;
        self.board.tell(|activity| {
            let number = activity.last_refresh.as_ref().map_or(1, |last| last.number + 1);
            activity.indexing = None;
            activity.last_refresh = Some(match &done {
                Ok(work) => Refreshed::of(number, work, took_ms),
                Err(failure) => Refreshed {
                    failed_because: Some(failure.reason()),
                    ..Refreshed::of(number, &Default::default(), took_ms)
                },
            });
        });
        self.published.notify_one();
        Outcome { started, failure: done.err() }
    }
}

impl Failure {
    fn of(error: Error) -> Failure {
        match error {
            Error::Busy(_) => Failure::Busy,
            error => Failure::Failed(error.into()),
        }
    }

    fn reason(&self) -> String {
        match self {
            Failure::Busy => "another process is updating the index".to_owned(),
            Failure::Failed(problem) => problem.detail.clone(),
        }
    }
}

impl Marks {
    fn of(tree: &Tree) -> Marks {
        let stamp = |path: &Path| std::fs::metadata(path).ok().map(|it| Stamp::of(&it));
        Marks { manifest: stamp(&tree.place.manifest()), vectors: stamp(&tree.place.vector_list()) }
    }
}

/// Whether the files are as a snapshot has them: by the word of a sentry, or by a look at all of them. The first look that
/// finds them so has a sentry take post, the next confirms that nothing changed before it stood there.
fn found(tree: &Tree, open: &Open, posted: Posted) -> (bool, Posted) {
    let (source, manifest) = (&tree.place.source, &open.snapshot.manifest);
    let posted = match posted {
        Posted::Sentry(it) if it.manifest != open.marks.manifest || !it.is_quiet() => {
            Posted::Nobody
        }
        posted => posted,
    };
    if matches!(&posted, Posted::Sentry(sentry) if sentry.is_trusted())
        && source.is_fresh_around(manifest) == Some(true)
    {
        return (true, posted);
    }
    let began = Instant::now();
    if !source.is_fresh(manifest) {
        return (false, posted);
    }
    let posted = match posted {
        Posted::Sentry(sentry) => Posted::Sentry(sentry.confirmed(began)),
        Posted::Nobody if source.is_fresh_around(manifest).is_some() => {
            Sentry::over(&tree.place.root, manifest, open.marks.manifest)
        }
        posted => posted,
    };
    (true, posted)
}

fn stale(snapshot: &Arc<Snapshot>, because: &str) -> View {
    View { snapshot: snapshot.clone(), stale_because: Some(because.to_owned()) }
}

/// The tree's own settings as they are now.
fn settings(root: &Path) -> Result<Settings, Failure> {
    Config::read(Some(root)).and_then(|config| config.settings()).map_err(|error| {
        Failure::Failed(
            Problem::unavailable("bad_settings", format!("{error:#}"))
                .advise("mend the settings file; then ask again"),
        )
    })
}

async fn blocking<T: Send + 'static>(
    work: impl FnOnce() -> T + Send + 'static,
) -> Result<T, Problem> {
    tokio::task::spawn_blocking(work).await.map_err(Problem::ours)
}

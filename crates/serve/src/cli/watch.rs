//! `wherein watch`: keeps an index up to date, and says what it did.
//!
//! Being told of changes only says when to look: every look compares the whole tree with its stamps,
//! so that no pattern of saving, no flood of a checkout and no lost event can leave anything out.
//! Only folders that are indexed are watched. Where the system has no more watches to give, the
//! tree is looked at from time to time instead.

use std::collections::BTreeSet;
use std::io::{self, IsTerminal, Write};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::time::{Duration, Instant};

use clap::Args;
use notify::{RecommendedWatcher, RecursiveMode};
use notify_debouncer_full::{DebounceEventResult, Debouncer, RecommendedCache, new_debouncer};
use serde::Serialize;
use wherein_corpus::worktree;
use wherein_engine::Work;
use wherein_engine::index::manifest::Manifest;

use super::Outcome;
use super::page::PlaceArgs;
use super::tree::Tree;

/// What to watch.
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  wherein watch                                 # questions then find the index as it should be
  wherein watch --vectors --json
  wherein watch /mnt/share/project --poll 2000  # where changes are not told of")]
pub struct WatchArgs {
    /// The folder; the repository around the current folder unless given.
    pub dir: Option<PathBuf>,

    /// Encode for search by meaning too, whenever something changed.
    #[arg(long)]
    pub vectors: bool,

    /// Look at the tree every so many milliseconds instead of being told of changes.
    #[arg(long, value_name = "MS", value_parser = clap::value_parser!(u64).range(10..))]
    pub poll: Option<u64>,

    /// Print a JSON line for each refresh.
    #[arg(long)]
    pub json: bool,

    #[command(flatten)]
    pub place: PlaceArgs,
}

/// Changes that follow each other faster than this are one.
const QUIET: Duration = Duration::from_millis(50);

/// Between two looks where nobody tells of changes.
const POLL: Duration = Duration::from_secs(1);

/// A look even though nobody told of a change: some file systems never do.
const AT_LEAST: Duration = Duration::from_secs(60);

/// A refresh that does not end in this time after a signal is given up; the index bears that.
const GRACE: Duration = Duration::from_secs(2);

/// Says that it is time for another look: something may have changed, or the process is to end.
struct Look;

/// A refresh, for programs.
#[derive(Serialize)]
struct Line {
    files: usize,
    read: usize,
    parsed: usize,
    indexed: usize,
    removed: usize,
    took_ms: f64,
}

/// Watches until it is asked to end.
pub fn run(args: &WatchArgs) -> anyhow::Result<Outcome> {
    let tree = Tree::around(args.dir.as_deref(), &args.place)?;
    let (tell, news) = channel();
    let ending = end_on_signal(tell.clone());
    let mut eyes = match args.poll {
        Some(every) => Eyes::Poll(Duration::from_millis(every)),
        None => Eyes::open(tell),
    };
    let voice = Voice { json: args.json, talks: io::stdout().is_terminal() };
    while !ending.load(Ordering::Relaxed) {
        let started = Instant::now();
        let work = tree.refresh_in_turn()?;
        let manifest = Manifest::load(&tree.place)?;
        // Before what is done is told, so that nothing is missed that follows on it.
        eyes.follow(&tree, &manifest, &voice)?;
        voice.tell(&work, manifest.files.len(), started.elapsed())?;
        if args.vectors
            && work != Work::default()
            && let Ok(model) = &tree.model
        {
            tree.encode_in_turn(model)?;
        }
        eyes.wait(&tree, &manifest, &news);
    }
    Ok(Outcome::Found)
}

/// What sees changes.
enum Eyes {
    /// The system tells.
    Told {
        debouncer: Box<Debouncer<RecommendedWatcher, RecommendedCache>>,
        folders: BTreeSet<PathBuf>,
    },
    /// We look.
    Poll(Duration),
}

impl Eyes {
    fn open(tell: Sender<Look>) -> Eyes {
        // Errors too: an overflow means that something changed.
        let on_event = move |_: DebounceEventResult| drop(tell.send(Look));
        match new_debouncer(QUIET, None, on_event) {
            Ok(debouncer) => {
                Eyes::Told { debouncer: Box::new(debouncer), folders: BTreeSet::new() }
            }
            Err(_) => Eyes::Poll(POLL),
        }
    }

    /// Watches the folders of the tree as it is now.
    fn follow(&mut self, tree: &Tree, manifest: &Manifest, voice: &Voice) -> anyhow::Result<()> {
        let Eyes::Told { debouncer, folders } = self else { return Ok(()) };
        let now = folders_of(tree, manifest);
        for gone in folders.difference(&now) {
            // One that is deleted is not watched any more.
            let _ = debouncer.unwatch(gone);
        }
        let mut refused = None;
        for new in now.difference(folders) {
            match debouncer.watch(new, RecursiveMode::NonRecursive) {
                Err(error) if new.exists() => refused = Some(error),
                _ => {}
            }
        }
        *folders = now;
        if let Some(error) = refused {
            voice.warn(&format!(
                "the system gives no more watches ({error}); looking every {} s instead. \
                 'wherein doctor' says how to raise the limit",
                POLL.as_secs()
            ));
            *self = Eyes::Poll(POLL);
        }
        Ok(())
    }

    /// Waits until something may have changed.
    fn wait(&self, tree: &Tree, manifest: &Manifest, news: &Receiver<Look>) {
        match self {
            Eyes::Told { .. } => {
                // What was too young to be sure of is looked at again, so that no question has to.
                let time = if tree.is_as(manifest) { AT_LEAST } else { QUIET };
                let _ = news.recv_timeout(time);
                while news.try_recv().is_ok() {}
            }
            Eyes::Poll(every) => loop {
                match news.recv_timeout(*every) {
                    Err(RecvTimeoutError::Timeout) if tree.is_as(manifest) => {}
                    _ => return,
                }
            },
        }
    }
}

/// Every indexed folder, and git's own, where a commit shows.
fn folders_of(tree: &Tree, manifest: &Manifest) -> BTreeSet<PathBuf> {
    let root = &tree.place.root;
    let watched = manifest.watched.iter().map(|watched| root.join(&watched.path));
    let mut folders: BTreeSet<PathBuf> =
        watched.filter(|path| path.starts_with(root) && path.is_dir()).collect();
    folders.extend(worktree::top_of(root).and_then(worktree::git_folder));
    folders
}

/// What is said, and where.
struct Voice {
    json: bool,
    talks: bool,
}

impl Voice {
    fn tell(&self, work: &Work, files: usize, took: Duration) -> anyhow::Result<()> {
        let Work { read, parsed, indexed, removed, .. } = *work;
        let took_ms = (took.as_secs_f64() * 1e6).round() / 1e3;
        if indexed == 0 && removed == 0 {
            return Ok(());
        }
        let mut out = io::stdout().lock();
        if self.json {
            let line = Line { files, read, parsed, indexed, removed, took_ms };
            writeln!(out, "{}", serde_json::to_string(&line)?)?;
        } else if self.talks {
            writeln!(
                out,
                "{files} files: {read} read, {indexed} indexed, {removed} removed in {took_ms:.0} ms"
            )?;
        }
        Ok(out.flush()?)
    }

    fn warn(&self, what: &str) {
        let _ = writeln!(io::stderr(), "wherein: {what}");
    }
}

/// Rings when the process is interrupted or asked to end.
fn end_on_signal(tell: Sender<Look>) -> Arc<AtomicBool> {
    let ending = Arc::new(AtomicBool::new(false));
    let flag = ending.clone();
    let wait = move || {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
        let Ok(runtime) = runtime else { return };
        runtime.block_on(crate::http::interrupted());
        flag.store(true, Ordering::Relaxed);
        let _ = tell.send(Look);
        std::thread::sleep(GRACE);
        std::process::exit(0);
    };
    std::thread::spawn(wait);
    ending
}

impl Tree {
    /// Whether the tree is as a manifest has it.
    fn is_as(&self, manifest: &Manifest) -> bool {
        manifest.settings == self.settings.digest() && self.place.source.is_fresh(manifest)
    }
}

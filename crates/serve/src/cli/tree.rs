//! Which tree a command is about, and its index, brought up to date if need be.

use std::collections::HashMap;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::{Context, bail};
use wherein_corpus::{Stamp, worktree};
use wherein_encoder::Model;
use wherein_engine::history::revision;
use wherein_engine::index::manifest::Manifest;
use wherein_engine::index::overlay::Overlay;
use wherein_engine::index::refresh::MEMORY;
use wherein_engine::index::vectors::encode::{GoOn, covered};
use wherein_engine::search::answer::Certificate;
use wherein_engine::{
    Bounds, Encoding, Error, Meaning, Settings, Snapshot, Store, TreePlace, Work, encode,
    refresh_within,
};

use super::page::PlaceArgs;
use super::progress::Bar;
use crate::config::{self, Config};

/// Between two looks at what another process is doing.
const PAUSE: Duration = Duration::from_millis(10);

/// How long a question waits for changed files to be read, by us or by another process, if it could
/// be answered from an older index.
const PATIENCE: Duration = Duration::from_secs(2);

/// How often an index is opened that turns out to be damaged: what is, is thrown away each time.
const TRIES: usize = 4;

/// A folder with its settings and the place of its index.
pub struct Tree {
    pub place: TreePlace,
    pub settings: Settings,
    /// What encodes, or why nothing does.
    pub model: Result<Model, NoModel>,
    /// Bytes of memory that indexing may use.
    pub memory: usize,
}

/// Why nothing encodes.
pub enum NoModel {
    /// Nobody wants it to.
    Unwanted,
    /// What was chosen cannot be used, and why.
    Unusable(String),
}

impl NoModel {
    pub fn reason(&self) -> &str {
        match self {
            NoModel::Unwanted => "the configuration says model = \"none\"; name another",
            NoModel::Unusable(why) => why,
        }
    }
}

/// An index to search, and what is wrong with it, if anything.
pub struct Opened {
    pub snapshot: Snapshot,
    /// Why the answer may not reflect the tree as it is now.
    pub stale_because: Option<String>,
    /// How many files are not as the index has them, as far as that was looked at.
    stale_files: u32,
}

impl Opened {
    /// The same with unsaved text over it, if there is any.
    pub fn overlaid(self, settings: &Settings, overlay: Option<&Overlay>) -> Result<Opened, Error> {
        let Some(overlay) = overlay else { return Ok(self) };
        let snapshot = Arc::new(self.snapshot).overlaid(settings, overlay)?;
        Ok(Opened { snapshot, ..self })
    }

    /// Says if an answer may not reflect the tree as it is now, to the reader and in its
    /// certificate.
    pub fn own_up(&self, certificate: &mut Certificate) {
        if let Some(because) = &self.stale_because {
            certificate.complete = false;
            certificate.stale_files = self.stale_files;
            let _ = writeln!(io::stderr(), "wherein: answering from the last index: {because}");
        }
    }
}

impl Tree {
    /// The folder named, or the repository around the current one, or the current one.
    pub fn around(dir: Option<&Path>, place: &PlaceArgs) -> anyhow::Result<Tree> {
        let place = tree_place(dir, place)?;
        let config = Config::read(Some(&place.root))?;
        let settings = config.settings()?;
        let model = match config.model() {
            Ok(Some(model)) => Ok(model),
            Ok(None) => Err(NoModel::Unwanted),
            // Words can be searched all the same.
            Err(error) => Err(NoModel::Unusable(format!("{error:#}"))),
        };
        Ok(Tree { place, settings, model, memory: MEMORY })
    }

    /// The same for a server that is to answer whatever the project's file says: every refresh reads
    /// that anew, and tells what is wrong with it. Which model it names nobody knows until then.
    pub fn around_at_any_rate(dir: Option<&Path>, place: &PlaceArgs) -> anyhow::Result<Tree> {
        let error = match Tree::around(dir, place) {
            Ok(tree) => return Ok(tree),
            Err(error) => error,
        };
        let place = tree_place(dir, place)?;
        let settings = Config::read(None)?.settings()?;
        let because =
            format!("the settings could not be read when this server was started: {error:#}");
        Ok(Tree { place, settings, model: Err(NoModel::Unusable(because)), memory: MEMORY })
    }

    /// The same tree as it was at a revision, if one is named.
    pub fn at(self, revision: Option<&str>) -> anyhow::Result<Tree> {
        match revision {
            Some(revision) => {
                let place = revision::place(&self.place, revision)?;
                Ok(Tree { place, ..self })
            }
            None => Ok(self),
        }
    }

    /// The index as it should be: fresh if that can be had soon, else as far as it is.
    pub fn open(&self) -> anyhow::Result<Opened> {
        self.trying(|| self.open_soon(Instant::now() + PATIENCE))
    }

    /// Asks the index; what turns out to be damaged is made anew.
    pub fn ask<T>(&self, ask: impl Fn(Opened) -> Result<T, Error>) -> anyhow::Result<T> {
        self.trying(|| ask(self.open_soon(Instant::now() + PATIENCE)?))
    }

    /// Does something with the index, and again while parts of it turn out to be damaged: each time
    /// they are thrown away, and opening it makes them anew.
    fn trying<T>(&self, attempt: impl Fn() -> Result<T, Error>) -> anyhow::Result<T> {
        for _ in 1..TRIES {
            match attempt() {
                Err(Error::Damaged { .. } | Error::Lexical(_)) => {}
                Err(error @ Error::Write { .. }) => {
                    return Err(error).context("the tree cannot be indexed");
                }
                done => return Ok(done?),
            }
        }
        Ok(attempt()?)
    }

    /// Brings the index up to date, showing progress on a terminal.
    pub fn refresh(&self) -> Result<Work, Error> {
        self.refresh_within(None)
    }

    fn refresh_within(&self, go_on: Option<GoOn>) -> Result<Work, Error> {
        let bar = Bar::new("indexing");
        let bounds = Bounds { go_on, memory: self.memory };
        refresh_within(&self.place, &self.settings, &|done, total| bar.set(done, total), bounds)
    }

    /// The same, waiting for another process that is at it.
    pub fn refresh_in_turn(&self) -> Result<Work, Error> {
        let bar = Bar::new("waiting for another process to index this tree");
        loop {
            match self.refresh() {
                Err(Error::Busy(_)) => bar.tick(),
                done => return done,
            }
            std::thread::sleep(PAUSE);
        }
    }

    /// Encodes what has no vector yet, showing progress on a terminal, and waiting for another
    /// process that is at it.
    pub fn encode_in_turn(&self, model: &Model) -> Result<Encoding, Error> {
        let waiting = Bar::new("waiting for another process to encode this tree");
        let mut tries = TRIES;
        loop {
            let bar = Bar::counting("encoding", "chunks");
            let progress = |done, total| bar.set(done, total);
            match encode(&self.place, model, &progress, &|| true) {
                Err(Error::Busy(_)) => waiting.tick(),
                // What is damaged was thrown away; the rest is kept.
                Err(Error::Damaged { .. }) if tries > 0 => tries -= 1,
                done => return done,
            }
            std::thread::sleep(PAUSE);
        }
    }

    /// The model, for what cannot be done without.
    pub fn needed_model(&self) -> Result<&Model, Error> {
        self.model.as_ref().map_err(|reason| Error::NoModel(reason.reason().to_owned()))
    }

    /// What search by meaning has to work with, for as long as `go_on` allows.
    pub fn meaning<'t>(&'t self, go_on: &'t (dyn Fn() -> bool + Sync)) -> Meaning<'t> {
        match &self.model {
            Ok(model) => Meaning::On { model, go_on },
            Err(reason) => Meaning::Off(reason.reason()),
        }
    }

    /// Says how much of the tree can be found by its meaning, if not all of it.
    pub fn own_up_to_gaps(&self, snapshot: &Snapshot) -> Result<(), Error> {
        let vectors = snapshot.vectors(self.needed_model()?)?;
        let (known, all) = (covered(&snapshot.manifest, vectors), snapshot.manifest.chunks());
        if known < all {
            let advice = "'wherein index' encodes the rest";
            let _ = writeln!(
                io::stderr(),
                "wherein: only {known} of {all} chunks have a vector; {advice}"
            );
        }
        Ok(())
    }

    /// The published snapshot, if it is what is on disk. Nothing else of it is opened before that is
    /// known: after an edit it is not, and somebody waits.
    fn fresh_snapshot(&self) -> Option<Snapshot> {
        let manifest = Manifest::load(&self.place).ok().filter(|it| self.is_fresh(it))?;
        let opened = Snapshot::of(&self.place, manifest);
        // Another process may have published and tidied up in between.
        let again = || Snapshot::open(&self.place).ok().filter(|it| self.is_fresh(&it.manifest));
        opened.ok().or_else(again)
    }

    fn is_fresh(&self, manifest: &Manifest) -> bool {
        manifest.settings == self.settings.digest() && self.place.source.is_fresh(manifest)
    }

    /// Opens what is published after bringing it up to date, unless that takes longer than until
    /// `deadline` and there is an older one.
    fn open_soon(&self, deadline: Instant) -> Result<Opened, Error> {
        if let Some(snapshot) = self.fresh_snapshot() {
            return Ok(Opened { snapshot, stale_because: None, stale_files: 0 });
        }
        let in_time = || Instant::now() < deadline;
        match self.refresh_within(Some(&in_time)) {
            Ok(work) => self.open_published(behind(&work)),
            Err(Error::Busy(_)) => self.open_beside_writer(deadline),
            Err(error @ Error::Write { .. }) => {
                self.open_published(Some(error.to_string())).map_err(|_| error)
            }
            Err(error) => Err(error),
        }
    }

    fn open_published(&self, stale_because: Option<String>) -> Result<Opened, Error> {
        Ok(self.opened(Snapshot::open(&self.place)?, stale_because))
    }

    /// Another process is indexing: wait for what it publishes, or after a while answer from what
    /// is there. If it dies, its lock is free, and this process takes over.
    fn open_beside_writer(&self, deadline: Instant) -> Result<Opened, Error> {
        let bar = Bar::new("waiting for another process to index this tree");
        let in_time = || Instant::now() < deadline;
        let mark = || std::fs::metadata(self.place.manifest()).ok().map(|it| Stamp::of(&it));
        let mut seen = mark();
        loop {
            bar.tick();
            std::thread::sleep(PAUSE);
            let now = mark();
            if now != seen
                && let Some(snapshot) = self.fresh_snapshot()
            {
                return Ok(Opened { snapshot, stale_because: None, stale_files: 0 });
            }
            seen = now;
            match self.refresh_within(Some(&in_time)) {
                Ok(work) => return self.open_published(behind(&work)),
                Err(Error::Busy(_)) => {}
                Err(error) => return Err(error),
            }
            if !in_time()
                && let Ok(snapshot) = Snapshot::open(&self.place)
            {
                let stale_because = (!self.is_fresh(&snapshot.manifest))
                    .then(|| "another process is updating the index".to_owned());
                return Ok(self.opened(snapshot, stale_because));
            }
        }
    }

    fn opened(&self, snapshot: Snapshot, stale_because: Option<String>) -> Opened {
        let stale_files = match &stale_because {
            Some(_) => self.differing(&snapshot.manifest),
            None => 0,
        };
        Opened { snapshot, stale_because, stale_files }
    }

    /// How many files came, went or are other than a manifest has them.
    fn differing(&self, manifest: &Manifest) -> u32 {
        if manifest.behind > 0 {
            return manifest.behind;
        }
        let Ok(walk) = self.place.source.walk(&self.settings.walk, Some(manifest)) else {
            return 0;
        };
        let now: HashMap<&str, Stamp> =
            walk.files.iter().map(|file| (file.path.as_str(), file.stamp)).collect();
        let is_left = |path: &str| !now.contains_key(path);
        let gone = manifest.files.iter().filter(|file| is_left(&file.path)).count();
        let files = manifest.files.iter().map(|file| (file.path.as_str(), file.stamp));
        let skipped = manifest.skipped.iter().filter_map(|it| Some((it.path.as_str(), it.stamp?)));
        let is_same = |(path, stamp): &(&str, Stamp)| now.get(path) == Some(stamp);
        let same = files.chain(skipped).filter(is_same).count();
        (gone + now.len() - same) as u32
    }
}

/// Where the index of a folder is, or of the one around us.
fn tree_place(dir: Option<&Path>, place: &PlaceArgs) -> anyhow::Result<TreePlace> {
    let root = match dir {
        Some(_) => root(dir)?,
        None => unnamed(root(None)?)?,
    };
    let store = Store::at(match &place.index_dir {
        Some(dir) => dir.clone(),
        None => cache_folder()?,
    });
    Ok(store.tree(&root))
}

/// The folder named, or the repository around the current one, or the current one.
pub fn root(dir: Option<&Path>) -> anyhow::Result<PathBuf> {
    if let Some(dir) = dir {
        return canonical(dir);
    }
    let here = std::env::current_dir()
        .context("the current folder is gone; change to one that exists or name a folder")?;
    let here = canonical(&here)?;
    Ok(worktree::top_of(&here).map_or(here.clone(), Path::to_owned))
}

/// A folder as the root of a tree that nobody named.
fn unnamed(root: PathBuf) -> anyhow::Result<PathBuf> {
    if is_everything(&root) {
        bail!(
            "{} is no project but everything you have; change to a project, or name the folder if you \
             mean it: --root DIR, or DIR for index, watch, serve, status, doctor and clear",
            root.display()
        );
    }
    Ok(root)
}

/// Whether a folder is the home folder or the root of the file system, and neither a repository nor
/// said to be a project: commands and servers are started there by mistake.
pub fn is_everything(folder: &Path) -> bool {
    let home = std::env::var_os("HOME").and_then(|home| std::fs::canonicalize(home).ok());
    let is_whole = folder.parent().is_none() || home.as_deref() == Some(folder);
    is_whole && worktree::top_of(folder).is_none() && !folder.join(config::FILE).is_file()
}

/// What a refresh left undone.
fn behind(work: &Work) -> Option<String> {
    let left = work.behind;
    (left > 0).then(|| format!("{left} changed files are not read yet; the next question goes on"))
}

fn canonical(dir: &Path) -> anyhow::Result<PathBuf> {
    let path =
        std::fs::canonicalize(dir).with_context(|| format!("cannot open {}", dir.display()))?;
    if !path.is_dir() {
        bail!("{} is not a folder; name the folder that holds it", dir.display());
    }
    Ok(path)
}

/// `$XDG_CACHE_HOME/wherein`, or what stands for it on this system.
fn cache_folder() -> anyhow::Result<PathBuf> {
    let from =
        |name: &str| std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    if let Some(cache) = from("XDG_CACHE_HOME").filter(|path| path.is_absolute()) {
        return Ok(cache.join("wherein"));
    }
    if cfg!(windows)
        && let Some(local) = from("LOCALAPPDATA")
    {
        return Ok(local.join("wherein"));
    }
    match from("HOME") {
        Some(home) if cfg!(target_os = "macos") => Ok(home.join("Library/Caches/wherein")),
        Some(home) => Ok(home.join(".cache/wherein")),
        None => bail!("no home folder to keep the index in; name one with --index-dir DIR"),
    }
}

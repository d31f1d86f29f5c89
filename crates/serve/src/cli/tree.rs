//! Which tree a command is about, and its index, brought up to date if need be.

use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context, bail};
use wherein_corpus::worktree;
use wherein_encoder::Model;
use wherein_engine::history::revision;
use wherein_engine::index::vectors::encode::covered;
use wherein_engine::search::answer::Certificate;
use wherein_engine::{
    Encoding, Error, Meaning, Settings, Snapshot, Store, TreePlace, Work, encode, refresh,
};

use super::args::PlaceArgs;
use super::config;
use super::progress::Bar;

/// Between two looks at what another process is doing.
const PAUSE: Duration = Duration::from_millis(50);

/// A folder with its settings and the place of its index.
pub struct Tree {
    pub place: TreePlace,
    pub settings: Settings,
    /// What encodes, or why nothing does.
    pub model: Result<Model, NoModel>,
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
}

impl Opened {
    /// Says if an answer may not reflect the tree as it is now, to the reader and in its
    /// certificate.
    pub fn own_up(&self, certificate: &mut Certificate) {
        if let Some(because) = &self.stale_because {
            certificate.complete = false;
            let _ = writeln!(io::stderr(), "wherein: answering from the last index: {because}");
        }
    }
}

impl Tree {
    /// The folder named, or the repository around the current one, or the current one.
    pub fn around(dir: Option<&Path>, place: &PlaceArgs) -> anyhow::Result<Tree> {
        let root = match dir {
            Some(dir) => canonical(dir)?,
            None => {
                let here = std::env::current_dir().context(
                    "the current folder is gone; change to one that exists or name a folder",
                )?;
                let here = canonical(&here)?;
                worktree::top_of(&here).map_or(here.clone(), Path::to_owned)
            }
        };
        let store = Store::at(match &place.index_dir {
            Some(dir) => dir.clone(),
            None => cache_folder()?,
        });
        let settings = config::settings(&root)?;
        let model = match config::model(&root) {
            Ok(Some(model)) => Ok(model),
            Ok(None) => Err(NoModel::Unwanted),
            // Words can be searched all the same.
            Err(error) => Err(NoModel::Unusable(format!("{error:#}"))),
        };
        Ok(Tree { place: store.tree(&root), settings, model })
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

    /// The index as it should be: fresh if it can be had without waiting for another process.
    pub fn open(&self) -> anyhow::Result<Opened> {
        if let Some(snapshot) = self.fresh_snapshot() {
            return Ok(Opened { snapshot, stale_because: None });
        }
        match self.refresh() {
            Ok(_) => self.open_published(None),
            Err(Error::Busy(_)) => self.open_beside_writer(),
            Err(error @ Error::Write { .. }) => {
                match self.open_published(Some(error.to_string())) {
                    Ok(opened) => Ok(opened),
                    Err(_) => Err(error).context("the tree cannot be indexed"),
                }
            }
            Err(error) => Err(error.into()),
        }
    }

    /// Asks the index; one that turns out to be damaged is built anew, once.
    pub fn ask<T>(&self, ask: impl Fn(Opened) -> Result<T, Error>) -> anyhow::Result<T> {
        match ask(self.open()?) {
            Err(Error::Damaged { .. } | Error::Lexical(_)) => {
                self.refresh_in_turn()?;
                Ok(ask(self.open()?)?)
            }
            asked => Ok(asked?),
        }
    }

    /// Brings the index up to date, showing progress on a terminal.
    pub fn refresh(&self) -> Result<Work, Error> {
        let bar = Bar::new("indexing");
        refresh(&self.place, &self.settings, &|done, total| bar.set(done, total))
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
        loop {
            let bar = Bar::counting("encoding", "chunks");
            let progress = |done, total| bar.set(done, total);
            match encode(&self.place, model, &progress, &|| true) {
                Err(Error::Busy(_)) => waiting.tick(),
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

    fn fresh_snapshot(&self) -> Option<Snapshot> {
        Snapshot::open(&self.place).ok().filter(|snapshot| self.is_fresh(snapshot))
    }

    fn is_fresh(&self, snapshot: &Snapshot) -> bool {
        snapshot.manifest.settings == self.settings.digest()
            && self.place.source.is_fresh(&snapshot.manifest)
    }

    fn open_published(&self, stale_because: Option<String>) -> anyhow::Result<Opened> {
        Ok(Opened { snapshot: Snapshot::open(&self.place)?, stale_because })
    }

    /// Another process is indexing: answer from what is there, or wait for the first snapshot.
    fn open_beside_writer(&self) -> anyhow::Result<Opened> {
        let bar = Bar::new("waiting for another process to index this tree");
        loop {
            match Snapshot::open(&self.place) {
                Ok(snapshot) => {
                    let stale_because = (!self.is_fresh(&snapshot))
                        .then(|| "another process is updating the index".to_owned());
                    return Ok(Opened { snapshot, stale_because });
                }
                Err(Error::Missing(_) | Error::Damaged { .. } | Error::Lexical(_)) => {}
                Err(error) => return Err(error.into()),
            }
            bar.tick();
            std::thread::sleep(PAUSE);
            match self.refresh() {
                Ok(_) => return self.open_published(None),
                Err(Error::Busy(_)) => {}
                Err(error) => return Err(error.into()),
            }
        }
    }
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

//! Which tree a command is about, and its index, brought up to date if need be.

use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context, bail};
use wherein_corpus::worktree;
use wherein_engine::index::fresh;
use wherein_engine::{Error, Settings, Snapshot, Store, TreePlace, Work, refresh};

use super::args::PlaceArgs;
use super::config;
use super::progress::Bar;

/// Between two looks at what another process is doing.
const PAUSE: Duration = Duration::from_millis(50);

/// A folder with its settings and the place of its index.
pub struct Tree {
    pub place: TreePlace,
    pub settings: Settings,
}

/// An index to search, and what is wrong with it, if anything.
pub struct Opened {
    pub snapshot: Snapshot,
    /// Why the answer may not reflect the tree as it is now.
    pub stale_because: Option<String>,
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
        Ok(Tree { place: store.tree(&root), settings })
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

    fn fresh_snapshot(&self) -> Option<Snapshot> {
        Snapshot::open(&self.place).ok().filter(|snapshot| self.is_fresh(snapshot))
    }

    fn is_fresh(&self, snapshot: &Snapshot) -> bool {
        snapshot.manifest.settings == self.settings.digest()
            && fresh::is_fresh(&self.place.root, &snapshot.manifest)
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

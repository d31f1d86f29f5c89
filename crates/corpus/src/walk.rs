//! From a root folder to the files worth reading, and what to look at to see that they changed.
//!
//! Rules of `.gitignore` (nested, global, `.git/info/exclude`), `.ignore` and `.whereinignore`
//! are followed; hidden files are left out; links are not followed. Submodules and nested
//! repositories belong to the tree; a second worktree of the same repository does not. Rules are read
//! from regular files alone: a pipe of that name would be waited for.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use ignore::{DirEntry, WalkBuilder};
use serde::{Deserialize, Serialize};

use crate::language::{Language, Overrides};
use crate::skip::{self, Skip};
use crate::stamp::Stamp;
use crate::worktree;

/// What a project may decide about its corpus.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WalkSettings {
    /// Files larger than this many bytes are skipped.
    pub max_file_size: u64,
    /// Extensions read as another language than usual.
    pub overrides: Overrides,
}

impl Default for WalkSettings {
    fn default() -> Self {
        WalkSettings { max_file_size: 1 << 20, overrides: Overrides::default() }
    }
}

/// A file worth reading.
#[derive(Debug)]
pub struct Found {
    /// Relative to the root, with forward slashes.
    pub path: String,
    /// What the file system says of it.
    pub stamp: Stamp,
    /// The language its name stands for.
    pub language: &'static Language,
}

/// A file or folder left out.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Skipped {
    /// Relative to the root, with forward slashes.
    pub path: String,
    /// Why.
    pub reason: Skip,
    /// Set if another content could change the verdict.
    pub stamp: Option<Stamp>,
}

/// A folder or ignore file whose change may change which files belong to the tree.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Watched {
    /// Absolute, or relative to the root.
    pub path: String,
    /// `None` while it does not exist.
    pub stamp: Option<Stamp>,
}

/// A tree as it was found.
#[derive(Debug, Default)]
pub struct Walk {
    /// Files to read, by path.
    pub files: Vec<Found>,
    /// Files left out, by path.
    pub skipped: Vec<Skipped>,
    /// Folders and ignore files that decided what is in the two lists above.
    pub watched: Vec<Watched>,
}

/// Walks `root`. Fails only if the root itself cannot be read.
pub fn walk(root: &Path, settings: &WalkSettings) -> io::Result<Walk> {
    fs::read_dir(root)?;
    let mut walk = Walk::default();
    walk.watch_outside(root);
    walk.go(root, root, None, settings);
    Ok(walk)
}

/// What a walk of `root` would say of one folder of it and of what stands right in it: for a folder
/// that changed in a tree that is known. Fails if it cannot be read.
pub fn list(root: &Path, folder: &str, settings: &WalkSettings) -> io::Result<Walk> {
    let start = root.join(folder);
    fs::read_dir(&start)?;
    let mut walk = Walk::default();
    walk.go(root, &start, Some(1), settings);
    Ok(walk)
}

/// Whether a watched path is the folder itself, right in it, or decides what is in a folder that is:
/// what [`list`] watches.
pub fn is_listed(folder: &str, watched: &str) -> bool {
    let parent = |path: &str| path.rsplit_once('/').map_or(String::new(), |(it, _)| it.to_owned());
    let decides = |path: &str| {
        let name = path.rsplit_once('/').map_or(path, |(_, name)| name);
        IGNORE_FILES.contains(&name) || name == ".git"
    };
    let inside = !watched.is_empty() && !watched.starts_with('/');
    let above = parent(watched);
    watched == folder
        || (inside && above == folder)
        || (inside && !above.is_empty() && parent(&above) == folder && decides(watched))
}

/// The file of rules that only wherein reads.
pub const OWN_IGNORE: &str = ".whereinignore";
/// The weightiest last.
pub(crate) const IGNORE_FILES: [&str; 3] = [".gitignore", ".ignore", OWN_IGNORE];

/// Folders that a walker was kept out of, in the order they were come across.
#[derive(Default)]
struct Kept {
    /// Other worktrees of the repository.
    twins: Vec<PathBuf>,
    /// Folders with rules that cannot be read, and how deep they are.
    odd: Vec<(PathBuf, usize)>,
}

/// The filter is the only place to keep a walker out of a folder, so it notes what it turns down.
fn walker(root: &Path, start: &Path, depth: Option<usize>, kept: &Arc<Mutex<Kept>>) -> WalkBuilder {
    let mut builder = WalkBuilder::new(start);
    builder.max_depth(depth);
    builder.require_git(false).follow_links(false);
    // A walker follows all files of a name or none.
    let is_odd = |name: &str| start.ancestors().any(|folder| is_special(&folder.join(name)));
    let [git, other, own] = IGNORE_FILES.map(|name| !is_odd(name));
    builder.git_ignore(git).ignore(other);
    if own {
        builder.add_custom_ignore_filename(OWN_IGNORE);
    }
    let (home, kept) = (worktree::repository_of(root), Arc::clone(kept));
    builder.filter_entry(move |entry| {
        if entry.depth() == 0 || !is_folder(entry) {
            return true;
        }
        let path = entry.path().to_owned();
        let mut kept = kept.lock().expect("no walk panics");
        if worktree::is_twin(&path, home.as_deref()) {
            kept.twins.push(path);
            return false;
        }
        let is_odd = IGNORE_FILES.iter().any(|name| is_special(&path.join(name)));
        if is_odd {
            kept.odd.push((path, entry.depth()));
        }
        !is_odd
    });
    builder
}

/// Whether something is there that is neither a file nor a folder.
fn is_special(path: &Path) -> bool {
    fs::metadata(path).is_ok_and(|it| !it.is_file() && !it.is_dir())
}

fn is_folder(entry: &DirEntry) -> bool {
    entry.file_type().is_some_and(|kind| kind.is_dir())
}

impl Walk {
    fn go(&mut self, root: &Path, start: &Path, depth: Option<usize>, settings: &WalkSettings) {
        let kept = Arc::<Mutex<Kept>>::default();
        for entry in walker(root, start, depth, &kept).build() {
            match entry {
                Ok(entry) => self.take(root, &entry, settings),
                Err(error) => self.unreadable(root, error),
            }
        }
        if depth != Some(0) {
            self.skip_odd(root, start);
        }
        let Kept { twins, odd } = std::mem::take(&mut *kept.lock().expect("no walk panics"));
        twins.iter().for_each(|twin| self.skip_twin(root, twin));
        for (folder, below) in odd {
            self.go(root, &folder, depth.map(|depth| depth - below), settings);
        }
        self.files.sort_unstable_by(|a, b| a.path.cmp(&b.path));
        self.skipped.sort_unstable_by(|a, b| a.path.cmp(&b.path));
    }

    fn take(&mut self, root: &Path, entry: &DirEntry, settings: &WalkSettings) {
        let Some(path) = relative(root, entry.path()) else {
            let path = entry.path().strip_prefix(root).unwrap_or(entry.path());
            return self.skip(path.to_string_lossy().into_owned(), Skip::BadName, None);
        };
        let Some(kind) = entry.file_type() else {
            return;
        };
        if kind.is_dir() {
            self.watch_folder(entry.path(), path, root);
        } else if kind.is_symlink() {
            self.skip(path, Skip::Symlink, None);
        } else if !kind.is_file() {
            self.skip(path, Skip::Special, None);
        } else if let Some(reason) = by_name(entry, settings) {
            self.skip(path, reason, None);
        } else {
            self.take_file(entry, path, settings);
        }
    }

    fn take_file(&mut self, entry: &DirEntry, path: String, settings: &WalkSettings) {
        let stamp = match entry.metadata() {
            Ok(metadata) => Stamp::of(&metadata),
            Err(error) => return self.skip(path, Skip::Unreadable(error.to_string()), None),
        };
        if stamp.size > settings.max_file_size {
            return self.skip(path, Skip::TooLarge(stamp.size), Some(stamp));
        }
        let language = Language::of_path(Path::new(&path), &settings.overrides);
        self.files.push(Found { path, stamp, language });
    }

    fn skip(&mut self, path: String, reason: Skip, stamp: Option<Stamp>) {
        self.skipped.push(Skipped { path, reason, stamp });
    }

    fn unreadable(&mut self, root: &Path, error: ignore::Error) {
        let path = path_of(&error).and_then(|path| relative(root, path)).unwrap_or_default();
        self.skip(path, Skip::Unreadable(error.to_string()), None);
    }

    fn skip_odd(&mut self, root: &Path, folder: &Path) {
        let files = IGNORE_FILES.map(|name| folder.join(name));
        for path in files.iter().filter(|it| is_special(it)).filter_map(|it| relative(root, it)) {
            self.skip(path, Skip::Special, None);
        }
    }

    fn skip_twin(&mut self, root: &Path, twin: &Path) {
        let path = twin.strip_prefix(root).unwrap_or(twin).to_string_lossy().into_owned();
        self.watch(root, &twin.join(".git"));
        self.skip(path, Skip::Worktree, None);
    }

    fn watch_folder(&mut self, folder: &Path, path: String, root: &Path) {
        for name in IGNORE_FILES {
            self.watch(root, &folder.join(name));
        }
        let stamp = fs::symlink_metadata(folder).ok().map(|metadata| Stamp::of(&metadata));
        self.watched.push(Watched { path, stamp });
    }

    /// Watches a file, if it exists; if it does not, its folder is watched.
    fn watch(&mut self, root: &Path, file: &Path) {
        if let (Ok(metadata), Some(path)) = (fs::metadata(file), relative(root, file)) {
            self.watched.push(Watched { path, stamp: Some(Stamp::of(&metadata)) });
        }
    }

    /// Ignore files above the root and those of git itself count too, once they exist.
    fn watch_outside(&mut self, root: &Path) {
        let above = root.ancestors().skip(1);
        let mut outside: Vec<PathBuf> =
            above.flat_map(|folder| IGNORE_FILES.map(|name| folder.join(name))).collect();
        outside.extend(worktree::repository_of(root).map(|git| git.join("info/exclude")));
        outside.extend(ignore::gitignore::gitconfig_excludes_path());
        for path in outside {
            let stamp = fs::metadata(&path).ok().map(|metadata| Stamp::of(&metadata));
            self.watched.push(Watched { path: path.to_string_lossy().into_owned(), stamp });
        }
    }
}

/// A name the project maps to a language is never skipped for it.
fn by_name(entry: &DirEntry, settings: &WalkSettings) -> Option<Skip> {
    let name = entry.file_name().to_string_lossy();
    if settings.overrides.name(&name) { None } else { skip::by_name(&name) }
}

fn relative(root: &Path, path: &Path) -> Option<String> {
    let path = path.strip_prefix(root).unwrap_or(path).to_str()?;
    Some(if cfg!(windows) { path.replace('\\', "/") } else { path.to_owned() })
}

fn path_of(error: &ignore::Error) -> Option<&Path> {
    match error {
        ignore::Error::WithPath { path, .. } => Some(path),
        ignore::Error::WithDepth { err, .. } | ignore::Error::WithLineNumber { err, .. } => {
            path_of(err)
        }
        _ => None,
    }
}

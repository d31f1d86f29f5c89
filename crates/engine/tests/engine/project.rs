//! A small project on disk and its index, for tests to change and to ask.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;
use std::thread::sleep;
use std::time::Duration;

use tempfile::TempDir;
use wherein_engine::search::answer::Answer;
use wherein_engine::search::query::Query;
use wherein_engine::{Meaning, Result, Settings, Snapshot, Store, TreePlace, Work, refresh};

/// Files of several languages; each holds a word that no other does.
pub const SAMPLE: &[(&str, &str)] = &[
    (
        "src/upload.py",
        "\"\"\"Sends files.\"\"\"\n\n\ndef retry_upload(name, attempts):\n    \"\"\"Tries a failed upload again.\"\"\"\n    for attempt in range(attempts):\n        if send(name):\n            return attempt\n    raise UploadError(name)\n\n\ndef send(name):\n    return open(name).read()\n",
    ),
    (
        "src/cache.rs",
        "//! Keeps pages.\n\n/// Throws the oldest page out.\npub fn evict_oldest(pages: &mut Vec<u32>) -> Option<u32> {\n    if pages.is_empty() { None } else { Some(pages.remove(0)) }\n}\n",
    ),
    (
        "web/session.js",
        "// Signs people in.\nfunction openSession(user, token) {\n  if (!token) {\n    throw new Error('no token');\n  }\n  return { user, token };\n}\n",
    ),
    (
        "docs/guide.md",
        "# Guide\n\n## Uploads\n\nA failed upload is tried again, see the backoff table.\n\n## Sessions\n\nA session needs a token.\n",
    ),
];

/// A tree of files and the place of its index. Trees made by [`Project::beside`] share a store.
pub struct Project {
    folder: Arc<TempDir>,
    pub place: TreePlace,
    pub settings: Settings,
}

impl Project {
    /// An empty tree.
    pub fn empty() -> Project {
        let folder = Arc::new(tempfile::tempdir().unwrap());
        Project::named(folder, "tree".as_ref())
    }

    /// The files of [`SAMPLE`].
    pub fn sample() -> Project {
        Project::empty().filled()
    }

    /// The files of [`SAMPLE`], indexed and left alone for long enough.
    pub fn indexed() -> Project {
        let project = Project::sample();
        project.settle();
        project.refresh();
        project
    }

    /// Another empty tree of the same store.
    pub fn beside(&self, name: impl AsRef<Path>) -> Project {
        Project::named(self.folder.clone(), name.as_ref())
    }

    fn named(folder: Arc<TempDir>, name: &Path) -> Project {
        let base = folder.path().canonicalize().unwrap();
        let root = base.join(name);
        fs::create_dir_all(&root).unwrap();
        let place = Store::at(base.join("index")).tree(&root);
        Project { folder, place, settings: Settings::default() }
    }

    pub fn filled(self) -> Project {
        for (path, text) in SAMPLE {
            self.write(path, text);
        }
        self
    }

    /// The same tree as another store sees it.
    pub fn elsewhere(&self) -> Project {
        let store = Store::at(self.folder.path().join("index of its own"));
        Project {
            folder: self.folder.clone(),
            place: store.tree(&self.place.root),
            settings: self.settings.clone(),
        }
    }

    pub fn path(&self, path: &str) -> PathBuf {
        self.place.root.join(path)
    }

    pub fn write(&self, path: &str, text: impl AsRef<[u8]>) {
        let path = self.path(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    pub fn remove(&self, path: &str) {
        fs::remove_file(self.path(path)).unwrap();
    }

    pub fn rename(&self, from: &str, to: &str) {
        fs::rename(self.path(from), self.path(to)).unwrap();
    }

    /// Makes the last change older than one tick of the file system's clock; younger files are
    /// read again to be sure, whatever their stamps say.
    pub fn settle(&self) {
        sleep(Duration::from_millis(40));
    }

    #[track_caller]
    pub fn refresh(&self) -> Work {
        self.try_refresh().unwrap()
    }

    pub fn try_refresh(&self) -> Result<Work> {
        refresh(&self.place, &self.settings, &|_, _| {})
    }

    #[track_caller]
    pub fn snapshot(&self) -> Snapshot {
        Snapshot::open(&self.place).unwrap()
    }

    /// Refreshes and asks.
    #[track_caller]
    pub fn ask(&self, query: &Query) -> Answer {
        self.refresh();
        search(&self.snapshot(), query).unwrap()
    }

    /// Refreshes and looks for words; the paths that answer, each once, best first.
    #[track_caller]
    pub fn find(&self, words: &str) -> Vec<String> {
        let mut paths = Vec::new();
        // These very words, not what is like them.
        let without = vec!["symbols".to_owned()];
        for hit in self.ask(&Query { without, ..Query::new(words) }).hits {
            if !paths.contains(&hit.path) {
                paths.push(hit.path);
            }
        }
        paths
    }

    /// Runs git in the tree, without the user's own settings.
    #[track_caller]
    pub fn git(&self, arguments: &[&str]) {
        let done = Command::new("git")
            .args(["-c", "user.name=t", "-c", "user.email=t@t", "-c", "init.defaultBranch=main"])
            .args(arguments)
            .current_dir(&self.place.root)
            .env("GIT_CONFIG_GLOBAL", "/dev/null")
            .env("GIT_CONFIG_NOSYSTEM", "1")
            .output()
            .unwrap();
        assert!(done.status.success(), "git {arguments:?}: {done:?}");
    }
}

/// Asks by words alone; a question about meaning is refused.
pub fn search(index: &Snapshot, query: &Query) -> Result<Answer> {
    wherein_engine::search(index, &Meaning::Off("words are enough here"), query)
}

/// Where the hits of an answer stand, best first.
pub fn spans(answer: &Answer) -> Vec<String> {
    let span = |hit: &wherein_engine::search::answer::Hit| {
        format!("{}:{}-{}", hit.path, hit.start_line, hit.end_line)
    };
    answer.hits.iter().map(span).collect()
}

/// Every file under `folder`, by path.
pub fn files_under(folder: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        if entry.file_type().unwrap().is_dir() {
            files.extend(files_under(&entry.path()));
        } else {
            files.push(entry.path());
        }
    }
    files.sort();
    files
}

/// A word that stands for a number, in letters: digits would be words of their own.
pub fn word(number: usize) -> String {
    let letter = |digit: u8| char::from(b"bcdfghjkmn"[usize::from(digit - b'0')]);
    "x".chars().chain(number.to_string().bytes().map(letter)).chain("x".chars()).collect()
}

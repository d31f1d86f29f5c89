//! A small project in a home of its own, and the program run in it.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Output, Stdio};
use std::thread::sleep;
use std::time::Duration;

use assert_cmd::Command;
use serde_json::Value;
use tempfile::TempDir;

/// The program under test.
pub const WHEREIN: &str = env!("CARGO_BIN_EXE_wherein");

/// Files of several languages, a prose one among them.
pub const SAMPLE: &[(&str, &str)] = &[
    (
        "src/upload.py",
        "import time\n\n\ndef retry_upload(name, attempts):\n    \"\"\"Tries a failed upload again.\"\"\"\n    for attempt in range(attempts):\n        if send(name):\n            return attempt\n    raise UploadError(name)\n",
    ),
    (
        "src/cache.rs",
        "/// Throws the oldest page out.\npub fn evict_oldest(pages: &mut Vec<u32>) -> Option<u32> {\n    if pages.is_empty() { None } else { Some(pages.remove(0)) }\n}\n",
    ),
    (
        "docs/guide.md",
        "# Guide\n\n## Uploads\n\nA failed upload is tried again.\n\n```python\nretry_upload('a', 3)\n```\n",
    ),
];

/// A tree, the user's home and the folder of indexes, gone when dropped.
pub struct Project {
    folder: TempDir,
}

/// What a run came to.
#[derive(Debug)]
pub struct Ran {
    pub code: Option<i32>,
    pub out: String,
    pub err: String,
}

impl Project {
    pub fn empty() -> Project {
        let project = Project { folder: tempfile::tempdir().unwrap() };
        fs::create_dir_all(project.root()).unwrap();
        fs::create_dir_all(project.home()).unwrap();
        project
    }

    /// The files of [`SAMPLE`].
    pub fn sample() -> Project {
        let project = Project::empty();
        for (path, text) in SAMPLE {
            project.write(path, text);
        }
        project
    }

    pub fn root(&self) -> PathBuf {
        self.folder.path().canonicalize().unwrap().join("tree")
    }

    pub fn home(&self) -> PathBuf {
        self.folder.path().join("home")
    }

    /// Where the program keeps its indexes unless told otherwise.
    pub fn cache(&self) -> PathBuf {
        self.home().join("cache/wherein")
    }

    /// Writes the user's own settings.
    pub fn configure(&self, text: &str) {
        let folder = self.home().join("config/wherein");
        fs::create_dir_all(&folder).unwrap();
        fs::write(folder.join("config.toml"), text).unwrap();
    }

    pub fn path(&self, path: &str) -> PathBuf {
        self.root().join(path)
    }

    pub fn write(&self, path: &str, text: impl AsRef<[u8]>) {
        let path = self.path(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    /// Makes the last change older than one tick of the file system's clock; younger files never
    /// count as up to date.
    pub fn settle(&self) {
        sleep(Duration::from_millis(40));
    }

    /// The program, to be run in the tree and away from the user's own home and settings.
    pub fn command(&self) -> Command {
        self.at_home(WHEREIN)
    }

    /// A shell script with the program as `$WHEREIN`.
    pub fn shell(&self, script: &str) -> Ran {
        let mut shell = self.at_home("sh");
        run(shell.env("WHEREIN", WHEREIN).args(["-c", script]))
    }

    fn at_home(&self, program: &str) -> Command {
        let mut command = Command::new(program);
        command
            .current_dir(self.root())
            .env_clear()
            .env("PATH", std::env::var_os("PATH").unwrap_or_default())
            .env("HOME", self.home())
            .env("XDG_CACHE_HOME", self.home().join("cache"))
            .env("XDG_CONFIG_HOME", self.home().join("config"))
            .timeout(Duration::from_secs(60));
        command
    }

    pub fn wherein<S: AsRef<std::ffi::OsStr>>(
        &self,
        arguments: impl IntoIterator<Item = S>,
    ) -> Ran {
        run(self.command().args(arguments))
    }

    /// Starts the program and does not wait for it.
    pub fn spawn(&self, arguments: &[&str]) -> Child {
        std::process::Command::new(WHEREIN)
            .args(arguments)
            .current_dir(self.root())
            .env("XDG_CACHE_HOME", self.home().join("cache"))
            .env("XDG_CONFIG_HOME", self.home().join("config"))
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap()
    }

    /// Asks with `--json` and more arguments; the answer, whatever the exit code.
    #[track_caller]
    pub fn ask(&self, arguments: &[&str]) -> Value {
        self.wherein(["--json"].iter().chain(arguments)).json()
    }
}

/// Runs a prepared command to its end.
pub fn run(command: &mut Command) -> Ran {
    Ran::of(command.output().unwrap())
}

impl Ran {
    /// What a process left behind; it may have failed, but not panicked.
    #[track_caller]
    pub fn of(output: Output) -> Ran {
        let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
        let (out, err) = (text(output.stdout), text(output.stderr));
        assert!(!err.contains("panicked"), "{err}");
        Ran { code: output.status.code(), out, err }
    }

    /// What was printed, if the program ended with `code`.
    #[track_caller]
    pub fn with_code(self, code: i32) -> Ran {
        assert_eq!(self.code, Some(code), "{self:?}");
        self
    }

    /// The one JSON value that was printed.
    #[track_caller]
    pub fn json(&self) -> Value {
        serde_json::from_str(&self.out).unwrap_or_else(|error| panic!("{error}: {self:?}"))
    }

    /// Fails unless the program complained, with exit code 2, nothing printed and in words that
    /// hold each of `words`.
    #[track_caller]
    pub fn fails_naming(&self, words: &[&str]) {
        assert_eq!((self.code, self.out.as_str()), (Some(2), ""), "{self:?}");
        for word in words {
            assert!(self.err.contains(word), "no '{word}' in {self:?}");
        }
    }
}

/// The paths of an answer's hits, best first.
pub fn paths(answer: &Value) -> Vec<&str> {
    let hits = answer["hits"].as_array().unwrap();
    hits.iter().map(|hit| hit["path"].as_str().unwrap()).collect()
}

/// The keys of a JSON object, sorted.
#[track_caller]
pub fn keys(value: &Value) -> Vec<&str> {
    let object = value.as_object().unwrap_or_else(|| panic!("no object: {value}"));
    let mut keys: Vec<&str> = object.keys().map(String::as_str).collect();
    keys.sort_unstable();
    keys
}

/// Whether indexes are kept in a folder, in whatever version of their form.
pub fn keeps_indexes(folder: &Path) -> bool {
    fs::read_dir(folder)
        .is_ok_and(|entries| entries.flatten().any(|it| it.path().join("trees").is_dir()))
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

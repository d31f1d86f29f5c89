//! Files that are a nuisance: skipped or read as well as can be, never a failure.

use std::fs::{self, File, Permissions};
use std::io::{BufWriter, Write};
use std::os::unix::fs::{PermissionsExt, chown, symlink};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use serde_json::{Value, json};

use crate::project::{Project, Ran, WHEREIN, paths};

/// How many files were skipped for each reason.
fn skipped(project: &Project) -> Value {
    let status = project.wherein(["status", "--json"]).with_code(0).json();
    status["skipped_by_reason"].clone()
}

/// Adds a nuisance to the sample, which must still be found, and compares what was skipped.
#[track_caller]
fn check(nuisance: impl Fn(&Project), expected: Value) -> Project {
    let project = Project::sample();
    nuisance(&project);
    let answer = project.wherein(["evict_oldest", "--json"]).with_code(0).json();
    assert_eq!(paths(&answer)[0], "src/cache.rs");
    assert_eq!(skipped(&project), expected);
    project
}

#[test]
fn links_are_not_followed() {
    check(
        |project| {
            symlink(".", project.path("here")).unwrap();
            symlink("../..", project.path("src/up")).unwrap();
            symlink("b", project.path("a")).unwrap();
            symlink("a", project.path("b")).unwrap();
            symlink("nowhere", project.path("c")).unwrap();
        },
        json!({"symbolic link": 5}),
    );
}

#[test]
fn empty_files_are_fine() {
    check(
        |project| {
            project.write("empty.py", "");
            project.write("empty.md", "");
            project.write("blank.rs", "\n\n  \n");
        },
        json!({}),
    );
}

#[test]
fn text_that_is_not_utf_8_is_searched_for_what_is_readable() {
    let project =
        check(|project| project.write("latin.py", b"def caf\xe9(): \xff\xfe zebra\n"), json!({}));
    let answer = project.ask(&["zebra", "--mode", "lexical"]);
    assert_eq!(paths(&answer), ["latin.py"]);
    assert!(answer["hits"][0]["snippet"].as_str().unwrap().contains('\u{fffd}'));
}

#[test]
fn binary_files_pipes_and_strange_names_are_skipped() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;
    check(
        |project| {
            project.write("data.py", b"evict_oldest\0\0");
            project.shell("mkfifo pipe.py").with_code(0);
            let name = OsStr::from_bytes(b"caf\xe9.py");
            fs::write(project.root().join(name), "evict_oldest").unwrap();
        },
        json!({"binary": 1, "not a regular file": 1, "name is not UTF-8": 1}),
    );
}

#[test]
fn a_pipe_in_the_place_of_settings_or_rules_is_not_waited_for() {
    let project = Project::sample();
    project.shell("mkfifo .gitignore src/.whereinignore").with_code(0);
    assert_eq!(paths(&project.ask(&["evict_oldest"])), ["src/cache.rs"]);
    assert_eq!(skipped(&project), json!({"not a regular file": 2}));
    project.shell("mkfifo wherein.toml").with_code(0);
    project.wherein(["upload"]).fails_naming(&["wherein.toml", "not a regular file"]);
}

#[test]
fn a_deep_tree_and_a_deep_nesting_are_fine() {
    check(
        |project| {
            project.write(&format!("{}deep.py", "d/".repeat(300)), "def deep(): pass\n");
            project
                .write("nested.py", format!("x = {}{}\n", "(\n".repeat(3000), ")\n".repeat(3000)));
            project.write("nested.json", "[\n".repeat(4000));
        },
        json!({}),
    );
}

/// A single line of a hundred million characters.
fn write_huge(path: &Path) {
    let mut file = BufWriter::new(File::create(path).unwrap());
    let block = [b'a'; 1 << 16];
    for _ in 0..100_000_000 / block.len() {
        file.write_all(&block).unwrap();
    }
}

#[test]
fn a_line_of_a_hundred_megabytes_costs_neither_time_nor_memory() {
    let project = Project::sample();
    write_huge(&project.path("huge.js"));
    let peak = peak_memory(&project);
    assert!(peak < 150_000_000, "{peak} bytes, though the file need not be read");
    assert_eq!(skipped(&project), json!({"too large": 1}));

    project.write("wherein.toml", "max_file_size = 1000000000\n");
    let peak = peak_memory(&project);
    assert!(peak < 300_000_000, "{peak} bytes");
    assert_eq!(skipped(&project), json!({"minified": 1}));
    assert_eq!(paths(&project.ask(&["evict_oldest", "-k1"])), ["src/cache.rs"]);
}

/// The most memory that `wherein index` had in use; 0 where the system does not tell.
fn peak_memory(project: &Project) -> u64 {
    let mut command = Command::new(WHEREIN);
    command.args(["index"]).current_dir(project.root()).stdout(Stdio::null());
    command.env("XDG_CACHE_HOME", project.home().join("cache"));
    command.env("XDG_CONFIG_HOME", project.home().join("config"));
    let mut child = command.spawn().unwrap();
    let mut peak = 0;
    loop {
        peak = peak.max(high_water(&child));
        if let Some(status) = child.try_wait().unwrap() {
            assert!(status.success(), "{status}");
            return peak;
        }
        std::thread::sleep(std::time::Duration::from_millis(2));
    }
}

fn high_water(child: &Child) -> u64 {
    let status = fs::read_to_string(format!("/proc/{}/status", child.id())).unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let kilobytes = line.and_then(|line| line.split_whitespace().next()?.parse::<u64>().ok());
    kilobytes.unwrap_or(0) * 1024
}

/// The superuser may read anything, so as the superuser the program is run as somebody else.
#[test]
fn what_may_not_be_read_is_skipped_with_the_reason() {
    let project = Project::sample();
    project.write("secret.py", "def evict_oldest(): pass\n");
    project.write("closed/inside.py", "def evict_oldest(): pass\n");
    let mode = |path: &str, mode| {
        fs::set_permissions(project.path(path), Permissions::from_mode(mode)).unwrap();
    };
    mode("secret.py", 0o000);
    mode("closed", 0o000);
    let ran = run_unprivileged(&project, &["evict_oldest", "--json"]);
    let Some(Ran { code, out, err }) = ran else {
        println!("not checked: the superuser may read anything and cannot become somebody else");
        return;
    };
    mode("closed", 0o755);
    let answer: Value = serde_json::from_str(&out).unwrap_or_else(|_| panic!("{err}"));
    assert_eq!((code, err.as_str()), (Some(0), ""));
    assert_eq!(paths(&answer), ["src/cache.rs"]);
    assert_eq!(answer["index"]["skipped"], 2);
}

#[test]
fn a_root_that_may_not_be_read_is_an_error() {
    let project = Project::sample();
    fs::set_permissions(project.root(), Permissions::from_mode(0o000)).unwrap();
    let root = project.root();
    let ran = run_unprivileged(&project, &["x", "--root", root.to_str().unwrap()]);
    fs::set_permissions(project.root(), Permissions::from_mode(0o755)).unwrap();
    match ran {
        Some(ran) => ran.fails_naming(&["tree", "Permission denied"]),
        None => println!("not checked: the superuser may read anything"),
    }
}

#[test]
fn an_index_that_may_only_be_read_answers_and_says_that_it_is_the_last() {
    let project = Project::sample();
    let ask = || run_unprivileged(&project, &["evict_oldest", "--json"]);
    let Some(first) = ask() else {
        println!("not checked: the superuser may write anything and cannot become somebody else");
        return;
    };
    assert_eq!(first.with_code(0).json()["index"]["complete"], true);
    let everything = files_and_folders_under(&project.home().join("cache"));
    let allow = |folders, files| {
        for path in &everything {
            let mode = if path.is_dir() { folders } else { files };
            fs::set_permissions(path, Permissions::from_mode(mode)).unwrap();
        }
    };
    allow(0o500, 0o400);
    project.write("src/late.rs", "pub fn evict_oldest() {}\n");
    let last = ask().unwrap().with_code(0);
    allow(0o700, 0o600);
    assert_eq!(
        (paths(&last.json()), &last.json()["index"]["complete"]),
        (vec!["src/cache.rs"], &json!(false))
    );
    assert!(last.err.starts_with("wherein: answering from the last index: "), "{last:?}");
    assert_eq!(last.json()["index"]["stale_files"], 1);
    let because = last.json()["stale_because"].as_str().unwrap().to_owned();
    assert!(last.err.contains(&because), "{last:?}");
    let after = ask().unwrap().with_code(0).json();
    assert_eq!((paths(&after).len(), &after["index"]["complete"]), (2, &json!(true)));
}

/// A folder and all that is in it.
fn files_and_folders_under(folder: &Path) -> Vec<PathBuf> {
    let mut found = vec![folder.to_owned()];
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        match entry.path().is_dir() {
            true => found.extend(files_and_folders_under(&entry.path())),
            false => found.push(entry.path()),
        }
    }
    found
}

/// Runs the program as a user who is bound by permissions; `None` if that cannot be arranged.
fn run_unprivileged(project: &Project, arguments: &[&str]) -> Option<Ran> {
    const NOBODY: u32 = 65534;
    let probe = project.home().join("probe");
    fs::write(&probe, "").unwrap();
    fs::set_permissions(&probe, Permissions::from_mode(0o000)).unwrap();
    let bound = File::open(&probe).is_err();
    let mut command = Command::new(WHEREIN);
    if !bound {
        open_to_all(project, NOBODY);
        command = Command::new(project.home().join("wherein"));
        command.uid(NOBODY).gid(NOBODY);
    }
    command.args(arguments).current_dir(project.home().parent().unwrap());
    if !arguments.contains(&"--root") {
        command.arg("--root").arg(project.root());
    }
    command.env("XDG_CACHE_HOME", project.home().join("cache"));
    command.env("XDG_CONFIG_HOME", project.home().join("config"));
    Some(Ran::of(command.output().ok()?))
}

/// Lets another user reach the tree, own the home and run a copy of the program.
fn open_to_all(project: &Project, user: u32) {
    let top = project.home();
    fs::set_permissions(top.parent().unwrap(), Permissions::from_mode(0o755)).unwrap();
    chown(&top, Some(user), Some(user)).unwrap();
    fs::copy(WHEREIN, top.join("wherein")).unwrap();
}

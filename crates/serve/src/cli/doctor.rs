//! `wherein doctor`: is everything as it should be, and what to do if not.
//!
//! A check looks at one thing and says what it found. Nothing is changed without `--fix`; with it
//! each check mends what it can and looks again.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use anyhow::Context;
use clap::Args;
use serde::Serialize;
use wherein_corpus::Language;
use wherein_engine::index::manifest::Manifest;
use wherein_engine::index::vectors::encode::forget_lost;
use wherein_engine::index::{health, private};
use wherein_engine::{Error, Snapshot};

use super::Outcome;
use super::page::PlaceArgs;
use super::status::human;
use super::tree::{NoModel, Tree};

/// What to check.
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  wherein doctor
  wherein doctor --fix

Exit codes: 0 healthy, 1 problems found, 2 failed.")]
pub struct DoctorArgs {
    /// The folder; the repository around the current folder unless given.
    pub dir: Option<PathBuf>,

    /// Mend what can be mended: throw away what is damaged, make it anew, close what is open to
    /// others.
    #[arg(long)]
    pub fix: bool,

    /// Print as JSON.
    #[arg(long)]
    pub json: bool,

    #[command(flatten)]
    pub place: PlaceArgs,
}

/// Less free space than this is a problem.
const LITTLE_SPACE: u64 = 256 << 20;

/// What a check found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
enum State {
    Healthy,
    Problem,
    Mended,
}

#[derive(Debug, Serialize)]
struct Finding {
    check: &'static str,
    state: State,
    what: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    advice: Option<String>,
}

impl Finding {
    fn healthy(check: &'static str, what: impl Into<String>) -> Finding {
        Finding { check, state: State::Healthy, what: what.into(), advice: None }
    }

    fn mended(check: &'static str, what: impl Into<String>) -> Finding {
        Finding { check, state: State::Mended, what: what.into(), advice: None }
    }

    fn problem(check: &'static str, what: impl Into<String>, advice: impl Into<String>) -> Finding {
        let advice = Some(advice.into());
        Finding { check, state: State::Problem, what: what.into(), advice }
    }
}

#[derive(Serialize)]
struct Report {
    root: String,
    folder: String,
    healthy: bool,
    findings: Vec<Finding>,
}

/// Checks everything and reports.
pub fn run(args: &DoctorArgs) -> anyhow::Result<Outcome> {
    let tree = Tree::around(args.dir.as_deref(), &args.place)?;
    let mut findings = vec![
        permissions(&tree, args.fix),
        index(&tree, args.fix).context("the index cannot be checked")?,
        packs(&tree, args.fix),
        leftovers(&tree, args.fix),
        model(&tree),
        grammars(),
        space(&tree),
    ];
    findings.extend(watches(&tree));
    #[cfg(feature = "fleet")]
    findings.extend(fleet());
    let healthy = findings.iter().all(|it| it.state != State::Problem);
    let report = Report {
        root: tree.place.root.to_string_lossy().into_owned(),
        folder: tree.place.folder.to_string_lossy().into_owned(),
        healthy,
        findings,
    };
    print(&report, args.json)?;
    Ok(if healthy { Outcome::Found } else { Outcome::Nothing })
}

/// Whether the engine and the database of the user's fleet answer, if there is one.
#[cfg(feature = "fleet")]
fn fleet() -> impl Iterator<Item = Finding> {
    let finding = |(check, looked)| match looked {
        Ok(what) => Finding::healthy(check, what),
        Err((what, advice)) => Finding::problem(check, what, advice),
    };
    super::fleet::health::look().into_iter().map(finding)
}

/// Whether every file of the index is as it was written.
fn index(tree: &Tree, fix: bool) -> anyhow::Result<Finding> {
    let found = match health::check(&tree.place) {
        Err(Error::Missing(_)) => {
            return Ok(Finding::healthy("index", "there is none yet; the first question makes it"));
        }
        Err(error @ Error::Damaged { .. }) => Err(error.to_string()),
        Err(error) => return Err(error.into()),
        Ok(health) if health.damages.is_empty() => {
            let (files, size) = (health.files, human(health.bytes));
            Ok(format!("{files} files, {size}, all as they were written"))
        }
        Ok(health) => {
            if fix {
                health.damages.iter().for_each(|it| drop(fs::remove_file(&it.path)));
                forget_lost(&tree.place)?;
            }
            let first = &health.damages[0];
            let more = match health.damages.len() {
                1 => String::new(),
                n => format!(" and {} more", n - 1),
            };
            Err(format!("{}: {}{more}", first.path.display(), first.what))
        }
    };
    match found {
        Ok(what) => Ok(Finding::healthy("index", what)),
        Err(what) if fix => {
            tree.refresh_in_turn()?;
            Snapshot::open(&tree.place)?;
            Ok(Finding::mended("index", format!("{what}; made anew")))
        }
        Err(what) => Ok(Finding::problem(
            "index",
            what,
            "a question that reads it makes it anew; 'wherein doctor --fix' does so now",
        )),
    }
}

/// Whether parses that other trees may use can be read.
fn packs(tree: &Tree, fix: bool) -> Finding {
    let damaged = health::damaged_packs(&tree.place);
    if damaged.is_empty() {
        return Finding::healthy("parses", "all can be read");
    }
    let what = format!("{} of them cannot be read, {} first", damaged.len(), damaged[0].display());
    if !fix {
        return Finding::problem("parses", what, "'wherein doctor --fix' throws them away");
    }
    damaged.iter().for_each(|path| drop(fs::remove_file(path)));
    Finding::mended("parses", format!("{what}; thrown away"))
}

/// Whether anyone else may read the index, and whether we may write it.
fn permissions(tree: &Tree, fix: bool) -> Finding {
    let base = tree.place.store.folder();
    if !base.exists() {
        return Finding::healthy("permissions", "there is nothing to protect yet");
    }
    let paths: Vec<PathBuf> = below(&base);
    let open: Vec<&PathBuf> = paths.iter().filter(|path| is_open(path)).collect();
    if let Some(first) = open.first() {
        let what = format!(
            "{} files or folders are open to others, {} first",
            open.len(),
            first.display()
        );
        if !fix {
            return Finding::problem("permissions", what, "'wherein doctor --fix' closes them");
        }
        return match open.iter().try_for_each(|path| private::close(path).map(drop)) {
            Ok(()) => Finding::mended("permissions", format!("{what}; closed")),
            Err(error) => {
                Finding::problem("permissions", format!("{what}: {error}"), "ask their owner")
            }
        };
    }
    let probe = base.join(".probe");
    match private::write(&probe, b"").and_then(|()| fs::remove_file(&probe)) {
        Ok(()) => Finding::healthy("permissions", "the index is yours alone, and can be written"),
        Err(error) => Finding::problem(
            "permissions",
            format!("{} cannot be written: {error}", base.display()),
            "make it yours, or name another folder with --index-dir",
        ),
    }
}

#[cfg(unix)]
fn is_open(path: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt;
    fs::symlink_metadata(path)
        .is_ok_and(|it| !it.is_symlink() && it.permissions().mode() & 0o077 != 0)
}

#[cfg(not(unix))]
fn is_open(_: &Path) -> bool {
    false
}

fn below(folder: &Path) -> Vec<PathBuf> {
    let mut paths = vec![folder.to_owned()];
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        if entry.file_type().is_ok_and(|kind| kind.is_dir()) {
            paths.extend(below(&entry.path()));
        } else {
            paths.push(entry.path());
        }
    }
    paths
}

/// Files that writers who were killed left behind; the next writer of a tree takes most away itself.
fn leftovers(tree: &Tree, fix: bool) -> Finding {
    const HOUR: u64 = 3600;
    let is_left = |path: &PathBuf| {
        let age =
            fs::metadata(path).and_then(|it| it.modified()).ok().and_then(|it| it.elapsed().ok());
        path.extension().is_some_and(|it| it == "new") && age.is_some_and(|it| it.as_secs() > HOUR)
    };
    let left: Vec<PathBuf> =
        below(&tree.place.store.folder()).into_iter().filter(is_left).collect();
    if left.is_empty() {
        return Finding::healthy("leftovers", "none");
    }
    let what = format!("{} files of writers that were killed", left.len());
    if !fix {
        return Finding::problem("leftovers", what, "'wherein doctor --fix' takes them away");
    }
    left.iter().for_each(|path| drop(fs::remove_file(path)));
    Finding::mended("leftovers", format!("{what}; taken away"))
}

fn model(tree: &Tree) -> Finding {
    match &tree.model {
        Ok(model) => match model.encode(&["a probe"], wherein_encoder::Side::Question) {
            Ok(_) => Finding::healthy("model", format!("{} answers", model.id())),
            Err(error) => Finding::problem("model", error.to_string(), "search by words goes on"),
        },
        Err(NoModel::Unwanted) => Finding::healthy("model", "none is wanted"),
        Err(NoModel::Unusable(why)) => {
            Finding::problem("model", why, "search by words goes on; see docs/models.md")
        }
    }
}

fn grammars() -> Finding {
    let all = Language::all();
    let bad: Vec<&str> = all.iter().filter(|it| !it.is_usable()).map(|it| it.name).collect();
    match bad.is_empty() {
        true => Finding::healthy("grammars", format!("{} languages can be read", all.len())),
        false => Finding::problem(
            "grammars",
            format!("of another version: {}", bad.join(", ")),
            "this program was built wrongly; build it again",
        ),
    }
}

/// Whether there is room to write.
fn space(tree: &Tree) -> Finding {
    let existing = tree.place.folder.ancestors().find(|it| it.exists());
    match existing.and_then(free_space) {
        None => Finding::healthy("space", "not known here"),
        Some(free) if free < LITTLE_SPACE => Finding::problem(
            "space",
            format!("{} free where the index is kept", human(free)),
            "free some, or name another folder with --index-dir",
        ),
        Some(free) => Finding::healthy("space", format!("{} free", human(free))),
    }
}

#[cfg(target_os = "linux")]
fn free_space(path: &Path) -> Option<u64> {
    let stat = rustix::fs::statvfs(path).ok()?;
    Some(stat.f_bavail * stat.f_frsize)
}

#[cfg(not(target_os = "linux"))]
fn free_space(_: &Path) -> Option<u64> {
    None
}

/// Whether `wherein watch` could be told of changes in every folder.
fn watches(tree: &Tree) -> Option<Finding> {
    let limit = fs::read_to_string("/proc/sys/fs/inotify/max_user_watches").ok()?;
    let limit: usize = limit.trim().parse().ok()?;
    let folders = Manifest::load(&tree.place).ok()?.watched.len();
    let what = format!("{limit} allowed, up to {folders} needed");
    Some(match folders * 2 < limit {
        true => Finding::healthy("watches", what),
        false => Finding::problem(
            "watches",
            what,
            "'wherein watch' will poll instead; raise fs.inotify.max_user_watches with sysctl",
        ),
    })
}

fn print(report: &Report, json: bool) -> anyhow::Result<()> {
    let mut out = io::stdout().lock();
    if json {
        writeln!(out, "{}", serde_json::to_string(report)?)?;
        return Ok(());
    }
    for finding in &report.findings {
        let mark = match finding.state {
            State::Healthy => "ok     ",
            State::Problem => "PROBLEM",
            State::Mended => "mended ",
        };
        writeln!(out, "{mark} {}: {}", finding.check, finding.what)?;
        if let Some(advice) = &finding.advice {
            writeln!(out, "        {advice}")?;
        }
    }
    Ok(())
}

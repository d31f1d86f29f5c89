//! Speed and size over any folder: `cargo bench -p wherein --bench speed -- DIR [--grow N]`.
//!
//! Measures the real program in processes of its own: a cold index by words, a cold query by words,
//! and the first answer by both on a tree never seen before, beside ripgrep's literal scan of the
//! same tree where `rg` is installed. CPU seconds and peak memory
//! are what the system says of the finished process. `--grow N` does the same over N copies of
//! the tree, each file made distinct, and prints the ratios. Nothing is downloaded, nothing in
//! the folder is changed.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio, exit};
use std::time::Instant;

use nix::sys::resource::{UsageWho, getrusage};
use nix::sys::time::TimeValLike;

const QUERIES: [&str; 5] = [
    "where are failed requests retried",
    "parse_header",
    "how is the configuration file loaded and validated",
    "close connection pool",
    "raise ValueError if the argument is not a string",
];
const LITERAL: &str = "ValueError";

fn main() {
    let args: Vec<String> = std::env::args().skip(1).filter(|arg| arg != "--bench").collect();
    match args.as_slice() {
        [flag, command @ ..] if flag == "--measure" => measure_here(command),
        [dir] => report(Path::new(dir), 1),
        [dir, flag, copies] if flag == "--grow" => match copies.parse() {
            Ok(copies) => report(Path::new(dir), copies),
            Err(_) => usage(),
        },
        [] => println!("speed: no folder given, nothing measured (see --help in the source)"),
        _ => usage(),
    }
}

fn usage() -> ! {
    eprintln!("usage: cargo bench -p wherein --bench speed -- DIR [--grow N]");
    exit(2)
}

/// What one process cost.
#[derive(Clone, Copy, Debug, Default)]
struct Cost {
    cpu_ms: f64,
    wall_ms: f64,
    peak_kb: f64,
}

/// Runs a command as the only child of this process and prints what it cost.
fn measure_here(command: &[String]) {
    let started = Instant::now();
    let status = Command::new(&command[0])
        .args(&command[1..])
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status();
    let wall_ms = started.elapsed().as_secs_f64() * 1e3;
    if !status.is_ok_and(|status| status.code().is_some_and(|code| code < 2)) {
        eprintln!("failed: {}", command.join(" "));
        exit(2);
    }
    let usage = getrusage(UsageWho::RUSAGE_CHILDREN).expect("the system keeps count of children");
    let cpu_ms = (usage.user_time().num_microseconds() + usage.system_time().num_microseconds())
        as f64
        / 1e3;
    println!("{cpu_ms} {wall_ms} {}", usage.max_rss());
}

/// Measures a command in a fresh process, so that its peak memory is its own.
fn measure(command: &[&str]) -> Cost {
    let own = std::env::current_exe().expect("this program has a path");
    let output =
        Command::new(own).arg("--measure").args(command).output().expect("it can be started");
    let text = String::from_utf8_lossy(&output.stdout);
    let numbers: Vec<f64> = text.split_whitespace().filter_map(|word| word.parse().ok()).collect();
    let [cpu_ms, wall_ms, peak_kb] = numbers.as_slice() else {
        eprintln!(
            "could not measure {}: {}",
            command.join(" "),
            String::from_utf8_lossy(&output.stderr)
        );
        exit(2);
    };
    Cost { cpu_ms: *cpu_ms, wall_ms: *wall_ms, peak_kb: *peak_kb }
}

fn median(mut costs: Vec<Cost>) -> Cost {
    let middle = costs.len() / 2;
    let mut pick = |key: fn(&Cost) -> f64| {
        costs.sort_by(|a, b| key(a).total_cmp(&key(b)));
        key(&costs[middle])
    };
    Cost { cpu_ms: pick(|c| c.cpu_ms), wall_ms: pick(|c| c.wall_ms), peak_kb: pick(|c| c.peak_kb) }
}

/// What one tree costs to index and to ask.
struct Figures {
    index: Cost,
    query: Cost,
    first_answer: Cost,
    bytes: u64,
}

fn report(dir: &Path, copies: usize) {
    let scratch = Scratch::new();
    println!("folder {}: {}", dir.display(), describe(dir));
    let one = figures(dir, &scratch.0.join("one"), 3);
    print("1 copy", &one);
    ripgrep(dir, &one);
    if copies > 1 {
        let grown = scratch.0.join("grown");
        grow(dir, &grown, copies);
        let many = figures(&grown, &scratch.0.join("many"), 1);
        print(&format!("{copies} copies"), &many);
        println!(
            "growth: {copies}x the tree takes {:.1}x the CPU time, {:.1}x the memory, {:.1}x the disk",
            many.index.cpu_ms / one.index.cpu_ms,
            many.index.peak_kb / one.index.peak_kb,
            many.bytes as f64 / one.bytes as f64,
        );
    }
}

/// Indexes `times` times from nothing, then asks each query four times.
fn figures(dir: &Path, store: &Path, times: usize) -> Figures {
    let wherein = env!("CARGO_BIN_EXE_wherein");
    let (dir, place) = (dir.to_string_lossy(), store.to_string_lossy());
    let cold = |_| {
        let _ = fs::remove_dir_all(store);
        measure(&[wherein, "index", &dir, "--index-dir", &place, "--no-vectors"])
    };
    let ask = |query: &str, mode: &str| {
        let place = ["--root", &dir, "--index-dir", &place, "--mode", mode];
        measure(&[&[wherein, "search", query], place.as_slice()].concat())
    };
    let first = |_| {
        let _ = fs::remove_dir_all(store);
        ask(QUERIES[0], "hybrid")
    };
    let first_answer = median((0..times).map(first).collect());
    let index = median((0..times).map(cold).collect());
    ask(QUERIES[0], "lexical");
    let asked = (0..4).flat_map(|_| QUERIES).map(|query| ask(query, "lexical"));
    let query = median(asked.collect());
    Figures { index, query, first_answer, bytes: size_of(store) }
}

fn print(label: &str, figures: &Figures) {
    let Figures { index, query, first_answer, bytes } = figures;
    println!(
        "{label}: cold index {:.2} CPU-s, {:.2} s wall, {:.0} MB peak, {:.1} MB on disk",
        index.cpu_ms / 1e3,
        index.wall_ms / 1e3,
        index.peak_kb / 1e3,
        *bytes as f64 / 1e6
    );
    println!(
        "{label}: cold query {:.1} CPU-ms, {:.1} ms wall, {:.0} MB peak (median of 20)",
        query.cpu_ms,
        query.wall_ms,
        query.peak_kb / 1e3
    );
    println!(
        "{label}: first answer by words and meaning, from nothing {:.2} s wall, {:.2} times the index, \
         {:.0} MB peak",
        first_answer.wall_ms / 1e3,
        first_answer.wall_ms / index.wall_ms,
        first_answer.peak_kb / 1e3
    );
}

/// The scan everyone knows, on the same tree in the same run.
fn ripgrep(dir: &Path, ours: &Figures) {
    if Command::new("rg").arg("--version").output().is_err() {
        return println!("ripgrep is not installed, so there is nothing to compare with");
    }
    let dir = dir.to_string_lossy();
    let scan = median((0..10).map(|_| measure(&["rg", "-F", "-n", LITERAL, &dir])).collect());
    println!("ripgrep's literal scan: {:.1} CPU-ms, {:.1} ms wall", scan.cpu_ms, scan.wall_ms);
    println!(
        "ratios to that scan: a cold query {:.2} of its CPU time, a cold index {:.1} times",
        ours.query.cpu_ms / scan.cpu_ms,
        ours.index.cpu_ms / scan.cpu_ms
    );
}

fn describe(dir: &Path) -> String {
    let (mut files, mut bytes) = (0u64, 0);
    each_file(dir, &mut |path| {
        files += 1;
        bytes += fs::metadata(path).map_or(0, |metadata| metadata.len());
    });
    format!("{files} files, {:.1} MB", bytes as f64 / 1e6)
}

fn size_of(dir: &Path) -> u64 {
    let mut bytes = 0;
    each_file(dir, &mut |path| bytes += fs::metadata(path).map_or(0, |metadata| metadata.len()));
    bytes
}

fn each_file(dir: &Path, visit: &mut impl FnMut(&Path)) {
    for entry in fs::read_dir(dir).into_iter().flatten().flatten() {
        match entry.file_type() {
            Ok(kind) if kind.is_dir() => each_file(&entry.path(), visit),
            Ok(kind) if kind.is_file() => visit(&entry.path()),
            _ => {}
        }
    }
}

/// Copies a tree several times. A line more at the end of each text keeps copies from being
/// recognised as the same content.
fn grow(dir: &Path, to: &Path, copies: usize) {
    let mut files: Vec<PathBuf> = Vec::new();
    each_file(dir, &mut |path| files.push(path.to_owned()));
    for copy in 0..copies {
        for file in &files {
            let inside = file.strip_prefix(dir).expect("files were found inside the folder");
            let target = to.join(format!("copy{copy}")).join(inside);
            fs::create_dir_all(target.parent().unwrap_or(to))
                .expect("the scratch folder is writable");
            let mut bytes = fs::read(file).unwrap_or_default();
            if !bytes.contains(&0) {
                bytes.extend_from_slice(format!("\ncopy_{copy}\n").as_bytes());
            }
            fs::write(target, bytes).expect("the scratch folder has room");
        }
    }
}

/// A folder that goes away again.
struct Scratch(PathBuf);

impl Scratch {
    fn new() -> Scratch {
        let path = std::env::temp_dir().join(format!("wherein-speed-{}", std::process::id()));
        fs::create_dir_all(&path).expect("the temporary folder is writable");
        Scratch(path)
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

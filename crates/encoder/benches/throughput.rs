//! Throughput of the encoder, beside ONNX Runtime's on the same weights where a Python that has
//! `onnx` and `onnxruntime` is named: `cargo bench -p wherein-encoder --bench throughput --
//! [--peer PYTHON --model FOLDER] [--threads N] [--rounds N]`.
//!
//! In: source files of this repository, cut to 64, 128 and 256 tokens. Out: a table a length with
//! texts a second of wall time and of CPU time. The contenders take turns, round after round, so
//! that a busy machine slows all of them alike; each figure is the median of its rounds. Our time
//! includes tokenizing, the peer's does not. Nothing is downloaded.

use std::cell::RefCell;
use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio, exit};
use std::time::Instant;

use nix::sys::resource::{UsageWho, getrusage};
use nix::sys::time::TimeValLike;
use rayon::{ThreadPool, ThreadPoolBuilder};
use serde::Deserialize;
use serde_json::json;
use wherein_encoder::{Bert, Besides, Level, ModelFile, built_in, convert};

const LENGTHS: [usize; 3] = [64, 128, 256];
const TEXTS: usize = 32;
/// The portable level is so much slower that it encodes only some of them.
const PORTABLE_TEXTS: usize = 4;
/// Vectors of the same weights that are further apart than this were computed differently.
const AGREEMENT: f32 = 0.99;

fn main() {
    let options = Options::parse(std::env::args().skip(1).filter(|arg| arg != "--bench"));
    let pool = ThreadPoolBuilder::new().num_threads(options.threads).build();
    let pool = pool.expect("threads can be started");
    let models: Vec<Bert> =
        Level::available().into_iter().map(|level| options.load().at(level)).collect();
    let peer = options
        .peer
        .as_ref()
        .map(|(python, model)| RefCell::new(Peer::start(python, model, options.threads)));
    println!("{TEXTS} texts, {} threads, median of {} rounds", options.threads, options.rounds);
    for length in LENGTHS {
        let texts = texts(&models[0], length);
        let mut contenders = ours(&models, &pool, &texts);
        contenders.extend(peer.iter().flat_map(|peer| theirs(peer, &models[0], &texts)));
        table(length, &take_turns(&contenders, options.rounds));
    }
}

/// What was asked for on the command line.
struct Options {
    /// A Python, and the folder of weights it is to read.
    peer: Option<(String, PathBuf)>,
    model: Option<PathBuf>,
    threads: usize,
    rounds: usize,
}

impl Options {
    fn parse(mut args: impl Iterator<Item = String>) -> Options {
        let mut options = Options { peer: None, model: None, threads: 2, rounds: 7 };
        let mut python = None;
        while let Some(flag) = args.next() {
            let value = args.next().unwrap_or_else(|| usage());
            match flag.as_str() {
                "--peer" => python = Some(value),
                "--model" => options.model = Some(value.into()),
                "--threads" => options.threads = value.parse().unwrap_or_else(|_| usage()),
                "--rounds" => options.rounds = value.parse().unwrap_or_else(|_| usage()),
                _ => usage(),
            }
        }
        options.peer =
            python.map(|python| (python, options.model.clone().unwrap_or_else(|| usage())));
        options
    }

    /// The model of the folder, or the one inside the program.
    fn load(&self) -> Bert {
        let loaded = match &self.model {
            None => built_in(),
            Some(folder) => convert(folder, Besides::default(), "benchmark")
                .and_then(|file| Bert::load(&ModelFile::trusted(file.leak())?)),
        };
        loaded.unwrap_or_else(|error| fail(&error.to_string()))
    }
}

fn usage() -> ! {
    fail("usage: throughput [--peer PYTHON --model FOLDER] [--threads N] [--rounds N]")
}

fn fail(why: &str) -> ! {
    eprintln!("{why}");
    exit(2)
}

/// Code of one length in tokens.
struct Texts {
    length: usize,
    texts: Vec<String>,
}

/// Stretches of this repository's sources that are at least `length` tokens long. What goes beyond
/// is cut off by the encoder.
fn texts(model: &Bert, length: usize) -> Texts {
    let mut sources = String::new();
    each_source(&Path::new(env!("CARGO_MANIFEST_DIR")).join(".."), &mut sources);
    let (mut texts, mut text) = (Vec::new(), String::new());
    for line in sources.lines() {
        text.extend([line, "\n"]);
        if model.ids(&text, length + 1).len() > length {
            texts.push(std::mem::take(&mut text));
        }
    }
    // Spread over all of them, so that the texts are not of one file.
    let step = (texts.len() / TEXTS).max(1);
    let texts: Vec<String> = texts.into_iter().step_by(step).take(TEXTS).collect();
    Texts { length, texts }
}

fn each_source(dir: &Path, sources: &mut String) {
    let mut entries: Vec<PathBuf> =
        fs::read_dir(dir).into_iter().flatten().flatten().map(|entry| entry.path()).collect();
    entries.sort();
    for path in entries {
        if path.is_dir() {
            each_source(&path, sources);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            sources.push_str(&fs::read_to_string(&path).unwrap_or_default());
        }
    }
}

/// One of those compared: its name, and how it encodes the texts once.
struct Contender<'c> {
    name: String,
    run: Box<dyn Fn() -> Run + 'c>,
}

/// What encoding all texts once cost, in seconds, and gave.
#[derive(Deserialize)]
struct Run {
    wall: f64,
    cpu: f64,
    vectors: Vec<Vec<f32>>,
}

fn ours<'c>(models: &'c [Bert], pool: &'c ThreadPool, texts: &'c Texts) -> Vec<Contender<'c>> {
    let run = move |model: &Bert, count: usize| {
        let list: Vec<&str> = texts.texts.iter().take(count).map(String::as_str).collect();
        let (started, before) = (Instant::now(), cpu_seconds());
        let vectors = pool.install(|| model.encode_up_to(&list, texts.length));
        Run { wall: started.elapsed().as_secs_f64(), cpu: cpu_seconds() - before, vectors }
    };
    let contender = |(model, level): (&'c Bert, Level)| {
        let count = if level == Level::Portable { PORTABLE_TEXTS } else { TEXTS };
        Contender {
            name: format!("wherein int8 {level:?}"),
            run: Box::new(move || run(model, count)),
        }
    };
    models.iter().zip(Level::available()).map(contender).collect()
}

fn cpu_seconds() -> f64 {
    let usage = getrusage(UsageWho::RUSAGE_SELF).expect("the system keeps count of a process");
    (usage.user_time().num_microseconds() + usage.system_time().num_microseconds()) as f64 / 1e6
}

fn theirs<'c>(peer: &'c RefCell<Peer>, model: &Bert, texts: &Texts) -> Vec<Contender<'c>> {
    let ids: Vec<Vec<u32>> = texts.texts.iter().map(|text| model.ids(text, texts.length)).collect();
    let contender = |kind: &str| {
        let request = json!({"kind": kind, "ids": ids}).to_string();
        Contender {
            name: format!("{} {kind}", peer.borrow().name),
            run: Box::new(move || peer.borrow_mut().ask(&request)),
        }
    };
    ["fp32", "int8"].map(contender).into()
}

/// ONNX Runtime in a process of its own, which answers a line for a line.
struct Peer {
    name: String,
    child: Child,
    answers: Box<dyn Iterator<Item = String>>,
}

impl Peer {
    fn start(python: &str, model: &Path, threads: usize) -> Peer {
        let script = concat!(env!("CARGO_MANIFEST_DIR"), "/benches/onnxruntime_peer.py");
        let child = Command::new(python)
            .args([Path::new(script), model, Path::new(&threads.to_string())])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn();
        let mut child =
            child.unwrap_or_else(|error| fail(&format!("cannot run {python}: {error}")));
        let answers = BufReader::new(child.stdout.take().expect("it was asked for a pipe"));
        let mut answers = Box::new(answers.lines().map_while(Result::ok));
        let name = answers.next().unwrap_or_else(|| fail("the peer could not start"));
        Peer { name, child, answers }
    }

    fn ask(&mut self, request: &str) -> Run {
        let pipe = self.child.stdin.as_mut().expect("it was asked for a pipe");
        let sent = writeln!(pipe, "{request}").ok();
        let answer = sent.and_then(|()| self.answers.next());
        let run = answer.and_then(|line| serde_json::from_str(&line).ok());
        run.unwrap_or_else(|| fail("the peer gave no answer"))
    }
}

impl Drop for Peer {
    fn drop(&mut self) {
        drop(self.child.stdin.take());
        let _ = self.child.wait();
    }
}

/// The runs of each contender, by its name.
type Runs = Vec<(String, Vec<Run>)>;

/// Lets everyone run once unmeasured, then round after round.
fn take_turns(contenders: &[Contender], rounds: usize) -> Runs {
    contenders.iter().for_each(|contender| drop((contender.run)()));
    let mut runs: Runs =
        contenders.iter().map(|contender| (contender.name.clone(), Vec::new())).collect();
    for _ in 0..rounds {
        for (contender, (_, runs)) in contenders.iter().zip(&mut runs) {
            runs.push((contender.run)());
        }
    }
    runs
}

fn table(length: usize, runs: &Runs) {
    let ours = speeds(&runs[0].1);
    let exact = runs.iter().find(|(name, _)| name.ends_with("fp32")).map(|(_, runs)| &runs[0]);
    println!(
        "\n{length:3} tokens                texts/s  texts/CPU-s   ours: wall    CPU  agreement"
    );
    for (name, runs) in runs {
        let (wall, cpu) = speeds(runs);
        let agreement = exact.map_or(1.0, |exact| agreement(exact, &runs[0]));
        println!(
            "{name:24} {wall:9.1} {cpu:12.1} {:11.2}x {:5.2}x {agreement:10.4}",
            ours.0 / wall,
            ours.1 / cpu
        );
        if name.starts_with("wherein") && agreement < AGREEMENT {
            fail("the vectors are not those of the same model");
        }
    }
}

/// Texts a second of wall time and of CPU time.
fn speeds(runs: &[Run]) -> (f64, f64) {
    let rate = |seconds: fn(&Run) -> f64| {
        median(runs.iter().map(|run| run.vectors.len() as f64 / seconds(run)).collect())
    };
    (rate(|run| run.wall), rate(|run| run.cpu))
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

/// The smallest cosine between the vectors of two runs.
fn agreement(one: &Run, other: &Run) -> f32 {
    let cosine = |(a, b): (&Vec<f32>, &Vec<f32>)| a.iter().zip(b).map(|(x, y)| x * y).sum::<f32>();
    one.vectors.iter().zip(&other.vectors).map(cosine).fold(1.0, f32::min)
}

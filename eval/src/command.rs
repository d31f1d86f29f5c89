//! From arguments to a printed summary, a folder on disk and an exit code.

mod runs;

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use anyhow::Context;
use tempfile::TempDir;

use wherein_engine::search::query::Mode;

use crate::args::{
    CompareArgs, EvalArgs, EvalCommand, FilesArgs, FunctionsArgs, ModeArg, QueryField, ReportArgs,
    RunArgs, SelfArgs,
};
use crate::compare::compare;
use crate::error::{Error, Result};
use crate::markdown;
use crate::ours::Ours;
use crate::protocol::{annotations, evidence, files, functions, rubric, selfmade, spans};
use crate::question::{NotAsked, QuestionSet};
use crate::report;
use crate::rival::{self, Entry, Rival};
use crate::run::Run;
use crate::samples;
use crate::searcher::{Progress, Tool};
use crate::{pairs, passages};
use runs::{Asking, Runs};

/// What only the caller knows.
pub struct Edge<'e> {
    /// The program's version.
    pub version: &'e str,
    /// Today.
    pub date: &'e str,
    /// The machine, in words.
    pub machine: &'e str,
    /// Is told how far the evaluation is.
    pub progress: Progress<'e>,
    /// Where summaries are printed.
    pub out: &'e mut dyn Write,
}

/// What an evaluation came to, beside failing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ExitKind {
    /// Measured, and no floor was missed.
    Passed,
    /// Measured, and below the floor that was set.
    BelowFloor,
}

/// Runs one evaluation command.
pub fn main(args: EvalArgs, edge: &mut Edge) -> anyhow::Result<ExitKind> {
    match &args.command {
        EvalCommand::Spans(args) => {
            let floor = args.min_hit5.map(|least| Floor { metric: spans::HIT5, least });
            let job = Job { floor, ..Job::new(&args.run, &args.file) };
            measure(&job, |_| spans::read(&args.file, &args.trees), edge)
        }
        EvalCommand::Files(args) => {
            let job = Job { options: files_options(args), ..Job::new(&args.run, &args.file) };
            measure(&job, |_| files::read(&args.file, &args.trees, variant(args)), edge)
        }
        EvalCommand::Evidence(args) => {
            let job = Job::new(&args.run, &args.source);
            measure(&job, |_| evidence::read(&args.source, &args.trees), edge)
        }
        EvalCommand::Functions(args) => {
            let options = functions_options(args);
            let job = Job { options, modes: ALL, ..Job::new(&args.run, &args.folder) };
            measure(&job, |work| functions::read(&functions_source(args), work), edge)
        }
        EvalCommand::Annotations(args) => {
            let job = Job::new(&args.run, &args.folder);
            measure(&job, |_| annotations::read(&args.folder, &args.trees), edge)
        }
        EvalCommand::Rubric(args) => {
            let job = Job::new(&args.run, &args.file);
            measure(&job, |_| rubric::read(&args.file, &args.trees), edge)
        }
        EvalCommand::Selfmade(args) => measure_self(args, rival::usual(), edge),
        EvalCommand::Compare(args) => print_comparison(args, edge),
        EvalCommand::Report(args) => write_report(args, edge),
        EvalCommand::Pairs(args) => {
            pairs::write(&args.root, edge.out)?;
            Ok(ExitKind::Passed)
        }
        EvalCommand::Passages(args) => {
            passages::write(&args.root, edge.out)?;
            Ok(ExitKind::Passed)
        }
    }
}

/// The user's own repository, asked of wherein and of the `usual` rivals, unless the user names
/// another one or wants none.
fn measure_self(
    args: &SelfArgs,
    usual: Vec<&'static Entry>,
    edge: &mut Edge,
) -> anyhow::Result<ExitKind> {
    let root = std::fs::canonicalize(&args.root).map_err(Error::read(&args.root))?;
    let options = options([("most", Some(args.most.to_string()))]);
    let beside = if args.no_rivals || args.run.rival.is_some() { Vec::new() } else { usual };
    let job = Job { options, beside, ..Job::new(&args.run, &root) };
    measure(&job, |work| selfmade::read(&root, args.most, work), edge)
}

/// Reads, asks, writes and prints.
fn measure(
    job: &Job,
    read: impl FnOnce(&Path) -> Result<QuestionSet>,
    edge: &mut Edge,
) -> anyhow::Result<ExitKind> {
    let work = Workroom::at(job.run.index_dir.as_deref())?;
    let tool = job.tool(&work.indexes())?;
    let mut set = read(&work.corpora())?;
    let not_asked = missing(&mut set, job.run.skip_missing)?;
    if let Some(file) = &job.run.samples {
        set.ask_in(Mode::Hybrid, job.run.scope.scope());
        let ours = Ours::new(work.indexes()).encoding(true);
        samples::write(&set, &ours, file, edge.progress)?;
        return Ok(ExitKind::Passed);
    }
    let runs = Asking { job, set, not_asked, edge }.runs(tool.as_ref(), &work.indexes())?;
    write(job, &runs)?;
    print(job, &runs, edge.out)?;
    let missed = |run: &Run| job.floor.as_ref().is_some_and(|floor| floor.is_missed_by(run));
    let below = runs.iter().any(|(_, run)| missed(run));
    Ok(if below { ExitKind::BelowFloor } else { ExitKind::Passed })
}

/// What the arguments of all protocols come down to.
struct Job<'a> {
    run: &'a RunArgs,
    /// The benchmark's file or folder.
    source: &'a Path,
    options: BTreeMap<String, String>,
    /// Asked in these unless the user names others.
    modes: &'static [ModeArg],
    /// Asked the same questions afterwards.
    beside: Vec<&'static Entry>,
    floor: Option<Floor>,
}

const USUAL: &[ModeArg] = &[ModeArg::Hybrid];
const ALL: &[ModeArg] = &[ModeArg::Lexical, ModeArg::Dense, ModeArg::Hybrid];

impl<'a> Job<'a> {
    fn new(run: &'a RunArgs, source: &'a Path) -> Job<'a> {
        let (options, beside) = (BTreeMap::new(), Vec::new());
        Job { run, source, options, modes: USUAL, beside, floor: None }
    }

    fn modes(&self) -> &[ModeArg] {
        match self.run.rival {
            Some(rival) => rival.modes,
            None if self.run.modes.is_empty() => self.modes,
            None => &self.run.modes,
        }
    }

    /// How many runs were asked for, whether or not they can be had.
    fn asked(&self) -> usize {
        self.modes().len() + self.beside.len()
    }

    /// Ours, unless the user names a rival.
    fn tool(&self, indexes: &Path) -> Result<Box<dyn Tool>> {
        Ok(match self.run.rival {
            Some(rival) => Box::new(Rival::new(rival, indexes)?),
            None => {
                let encodes = self.modes().iter().any(|mode| mode.mode() != Mode::Lexical);
                let ours = Ours::new(indexes).encoding(encodes).without(&self.run.without);
                Box::new(ours.upstream(self.run.expand_upstream))
            }
        })
    }
}

/// The least mean that passes.
struct Floor {
    metric: &'static str,
    least: f64,
}

impl Floor {
    fn is_missed_by(&self, run: &Run) -> bool {
        run.summary.mean(self.metric).is_none_or(|mean| mean < self.least)
    }
}

fn options<const N: usize>(given: [(&str, Option<String>); N]) -> BTreeMap<String, String> {
    given.into_iter().filter_map(|(name, value)| Some((name.to_owned(), value?))).collect()
}

fn yes(flag: bool) -> Option<String> {
    flag.then(|| "yes".to_owned())
}

fn variant(args: &FilesArgs) -> files::Variant {
    let navigation = args.query_field == QueryField::Navigation;
    files::Variant { navigation, mask: args.mask, exclude: args.exclude }
}

fn files_options(args: &FilesArgs) -> BTreeMap<String, String> {
    let field = variant(args).navigation.then(|| "query_nav".to_owned());
    options([("mask", yes(args.mask)), ("exclude", yes(args.exclude)), ("query-field", field)])
}

fn functions_source(args: &FunctionsArgs) -> functions::Source<'_> {
    functions::Source {
        folder: &args.folder,
        queries: args.queries.as_deref(),
        strip_docs: args.strip_docs,
        extension: args.extension.as_deref(),
    }
}

fn functions_options(args: &FunctionsArgs) -> BTreeMap<String, String> {
    options([
        ("queries", args.queries.as_deref().map(name_of)),
        ("strip-docs", yes(args.strip_docs)),
        ("extension", args.extension.clone()),
    ])
}

/// Where indexes and written-out corpora go.
struct Workroom {
    path: PathBuf,
    /// Removed when the evaluation is over.
    _temporary: Option<TempDir>,
}

impl Workroom {
    /// A store tells walkers to pass it over, so nothing to be searched may lie in it.
    fn indexes(&self) -> PathBuf {
        self.path.join("indexes")
    }

    fn corpora(&self) -> PathBuf {
        self.path.join("corpora")
    }

    fn at(folder: Option<&Path>) -> anyhow::Result<Workroom> {
        if let Some(folder) = folder {
            std::fs::create_dir_all(folder).map_err(Error::write(folder))?;
            let path = std::fs::canonicalize(folder).map_err(Error::read(folder))?;
            return Ok(Workroom { path, _temporary: None });
        }
        let temporary = tempfile::tempdir().context("no temporary folder for the index")?;
        let path = std::fs::canonicalize(temporary.path())?;
        Ok(Workroom { path, _temporary: Some(temporary) })
    }
}

fn missing(set: &mut QuestionSet, skip: bool) -> Result<Vec<NotAsked>> {
    if skip { set.take_missing() } else { set.require_trees().map(|()| Vec::new()) }
}

/// A file by its name: where a user keeps it is nobody's business.
fn name_of(path: &Path) -> String {
    path.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

/// One run fills the folder itself, several get a folder each in it. What was asked for decides,
/// so that the folders are the same wherever it runs.
fn write(job: &Job, runs: &Runs) -> Result<()> {
    let Some(out) = &job.run.out else {
        return Ok(());
    };
    for (name, run) in runs {
        let own = if job.asked() > 1 { out.join(name) } else { out.clone() };
        run.write(&own)?;
    }
    Ok(())
}

fn print(job: &Job, runs: &Runs, out: &mut dyn Write) -> io::Result<()> {
    let summaries: Vec<_> = runs.iter().map(|(_, run)| run.summary.clone()).collect();
    if job.run.json {
        serde_json::to_writer_pretty(&mut *out, &summaries)?;
        return writeln!(out);
    }
    match summaries.as_slice() {
        [only] => writeln!(out, "{}", markdown::summary(only)),
        several => write!(out, "{}", markdown::side_by_side(several)),
    }
}

fn print_comparison(args: &CompareArgs, edge: &mut Edge) -> anyhow::Result<ExitKind> {
    let comparison = compare(&report::read_one(&args.a)?, &report::read_one(&args.b)?)?;
    if args.json {
        serde_json::to_writer_pretty(&mut *edge.out, &comparison)?;
        writeln!(edge.out)?;
    } else {
        write!(edge.out, "{}", markdown::comparison(&comparison))?;
    }
    Ok(ExitKind::Passed)
}

fn write_report(args: &ReportArgs, edge: &mut Edge) -> anyhow::Result<ExitKind> {
    let page = report::page(&report::read(&args.runs)?);
    std::fs::write(&args.out, page).map_err(Error::write(&args.out))?;
    writeln!(edge.out, "{}", args.out.display())?;
    Ok(ExitKind::Passed)
}

#[cfg(test)]
mod tests;

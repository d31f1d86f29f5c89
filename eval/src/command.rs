//! From arguments to a printed summary, a folder on disk and an exit code.

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use anyhow::Context;
use tempfile::TempDir;

use crate::args::{
    CompareArgs, EvalArgs, EvalCommand, FilesArgs, FunctionsArgs, ModeArg, QueryField, ReportArgs,
    RunArgs,
};
use crate::ask::ask;
use crate::compare::compare;
use crate::error::{Error, Result};
use crate::markdown;
use crate::ours::Ours;
use crate::protocol::{annotations, evidence, files, functions, rubric, selfmade, spans};
use crate::question::{NotAsked, QuestionSet};
use crate::report;
use crate::rival::Rival;
use crate::run::{Run, Settings};
use crate::searcher::{Progress, Tool};
use crate::summary::summarise;

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
        EvalCommand::Selfmade(args) => {
            let root = std::fs::canonicalize(&args.root).map_err(Error::read(&args.root))?;
            let options = options([("most", Some(args.most.to_string()))]);
            let job = Job { options, ..Job::new(&args.run, &root) };
            measure(&job, |work| selfmade::read(&root, args.most, work), edge)
        }
        EvalCommand::Compare(args) => print_comparison(args, edge),
        EvalCommand::Report(args) => write_report(args, edge),
    }
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
    let measured = run_modes(job, &mut set, tool.as_ref(), &not_asked, edge)?;
    write(job, &measured.runs)?;
    print(job, &measured, edge.out)?;
    let missed = |run: &Run| job.floor.as_ref().is_some_and(|floor| floor.is_missed_by(run));
    let below = measured.runs.iter().any(missed);
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
    floor: Option<Floor>,
}

const LEXICAL: &[ModeArg] = &[ModeArg::Lexical];
const ALL: &[ModeArg] = &[ModeArg::Lexical, ModeArg::Dense, ModeArg::Hybrid];

impl<'a> Job<'a> {
    fn new(run: &'a RunArgs, source: &'a Path) -> Job<'a> {
        Job { run, source, options: BTreeMap::new(), modes: LEXICAL, floor: None }
    }

    fn modes(&self) -> &[ModeArg] {
        match self.run.rival {
            Some(rival) => rival.modes,
            None if self.run.modes.is_empty() => self.modes,
            None => &self.run.modes,
        }
    }

    /// Ours, unless the user names a rival.
    fn tool(&self, indexes: &Path) -> Result<Box<dyn Tool>> {
        Ok(match self.run.rival {
            Some(rival) => Box::new(Rival::new(rival, indexes)?),
            None => Box::new(Ours::new(indexes)),
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

/// Runs by mode, and why there is none of the others.
struct Measured {
    runs: Vec<Run>,
    unavailable: Vec<(String, String)>,
}

/// A mode that the tool has not got is noted beside those it has; it fails if it has none.
fn run_modes(
    job: &Job,
    set: &mut QuestionSet,
    tool: &dyn Tool,
    not_asked: &[NotAsked],
    edge: &Edge,
) -> Result<Measured> {
    let mut measured = Measured { runs: Vec::new(), unavailable: Vec::new() };
    for mode in job.modes() {
        set.ask_in(mode.mode(), job.run.scope.scope());
        match ask(set, tool, edge.progress) {
            Ok(asked) => {
                let summary = summarise(set, &asked, &tool.name(), mode.name(), not_asked.to_vec());
                let settings = settings(job, set, tool, *mode, edge);
                measured.runs.push(Run { settings, ranks: asked.ranks, summary });
            }
            Err(Error::Unavailable(reason)) => {
                measured.unavailable.push((mode.name().to_owned(), reason));
            }
            Err(error) => return Err(error),
        }
    }
    match measured.unavailable.first() {
        Some((_, reason)) if measured.runs.is_empty() => Err(Error::Unavailable(reason.clone())),
        _ => Ok(measured),
    }
}

fn settings(job: &Job, set: &QuestionSet, tool: &dyn Tool, mode: ModeArg, edge: &Edge) -> Settings {
    Settings {
        format: Settings::format(),
        protocol: set.protocol.to_owned(),
        tool: tool.name(),
        mode: mode.name().to_owned(),
        scope: job.run.scope.name().to_owned(),
        version: edge.version.to_owned(),
        build: Settings::build(),
        machine: edge.machine.to_owned(),
        date: edge.date.to_owned(),
        source: name_of(job.source),
        options: job.options.clone(),
        headline: set.headline.to_owned(),
        mean_over: set.mean_over,
    }
}

/// A file by its name: where a user keeps it is nobody's business.
fn name_of(path: &Path) -> String {
    path.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

/// One mode fills the folder itself, several get a folder each in it.
fn write(job: &Job, runs: &[Run]) -> Result<()> {
    let Some(out) = &job.run.out else {
        return Ok(());
    };
    for run in runs {
        let own = if job.modes().len() > 1 { out.join(&run.settings.mode) } else { out.clone() };
        run.write(&own)?;
    }
    Ok(())
}

fn print(job: &Job, measured: &Measured, out: &mut dyn Write) -> io::Result<()> {
    let summaries: Vec<_> = measured.runs.iter().map(|run| run.summary.clone()).collect();
    if job.run.json {
        serde_json::to_writer_pretty(&mut *out, &summaries)?;
        return writeln!(out);
    }
    for summary in &summaries {
        writeln!(out, "{}", markdown::summary(summary))?;
    }
    if job.modes().len() > 1 {
        write!(out, "{}", markdown::side_by_side(&summaries, &measured.unavailable))?;
    }
    Ok(())
}

fn print_comparison(args: &CompareArgs, edge: &mut Edge) -> anyhow::Result<ExitKind> {
    let comparison = compare(&Run::read(&args.a)?, &Run::read(&args.b)?)?;
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

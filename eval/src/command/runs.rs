//! From questions to runs: ours in every mode asked for, then each rival beside it.
//!
//! What cannot be measured is noted in the runs there are, so that every form of them says so: the
//! printed page, the folder on disk, JSON. Nothing is printed or written here.

use std::path::Path;

use super::{Edge, Job, name_of};
use crate::args::ModeArg;
use crate::ask::ask;
use crate::error::{Error, Result};
use crate::question::{NotAsked, QuestionSet};
use crate::rival::Rival;
use crate::run::{Run, Settings};
use crate::searcher::Tool;
use crate::summary::summarise;

/// Runs of the same questions, each by its mode or its rival's name.
pub type Runs = Vec<(&'static str, Run)>;

/// Everything a run needs beside a tool.
pub struct Asking<'a, 'e> {
    pub job: &'a Job<'a>,
    pub set: QuestionSet,
    pub not_asked: Vec<NotAsked>,
    pub edge: &'a Edge<'e>,
}

impl Asking<'_, '_> {
    /// Asks `tool` in every mode, then the rivals beside it; fails if `tool` has none of the modes.
    pub fn runs(&mut self, tool: &dyn Tool, indexes: &Path) -> Result<Runs> {
        let mut measured = Measured::default();
        for mode in self.job.modes() {
            measured.take(mode.name(), self.run(tool, *mode))?;
        }
        if measured.runs.is_empty() && !measured.absent.is_empty() {
            return Err(measured.absent.swap_remove(0).1);
        }
        for rival in &self.job.beside {
            let run = Rival::new(rival, indexes).and_then(|tool| self.run(&tool, rival.modes[0]));
            measured.take(rival.name, run)?;
        }
        Ok(measured.noted())
    }

    fn run(&mut self, tool: &dyn Tool, mode: ModeArg) -> Result<Run> {
        self.set.ask_in(mode.mode(), self.job.run.scope.scope());
        let asked = ask(&self.set, tool, self.edge.progress)?;
        let not_asked = self.not_asked.clone();
        let mut summary = summarise(&self.set, &asked, &tool.name(), mode.name(), not_asked);
        summary.notes.extend(tool.note());
        Ok(Run { settings: self.settings(tool, mode), ranks: asked.ranks, summary })
    }

    fn settings(&self, tool: &dyn Tool, mode: ModeArg) -> Settings {
        let Asking { job, set, edge, .. } = self;
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
}

/// The runs there are, and why there is none of the others.
#[derive(Default)]
struct Measured {
    runs: Runs,
    absent: Vec<(&'static str, Error)>,
}

impl Measured {
    /// A mode that a tool has not got, or a rival that fails, does not spoil what else was measured.
    fn take(&mut self, name: &'static str, run: Result<Run>) -> Result<()> {
        match run {
            Ok(run) => self.runs.push((name, run)),
            Err(error @ (Error::Unavailable(_) | Error::Rival { .. })) => {
                self.absent.push((name, error));
            }
            Err(error) => return Err(error),
        }
        Ok(())
    }

    fn noted(mut self) -> Runs {
        let notes: Vec<String> = self.absent.iter().map(note).collect();
        for (_, run) in &mut self.runs {
            run.summary.notes.extend_from_slice(&notes);
        }
        self.runs
    }
}

fn note((name, error): &(&'static str, Error)) -> String {
    let reason = error.to_string();
    let named = if reason.starts_with(name) { reason } else { format!("{name}: {reason}") };
    format!("Not measured: {named}")
}

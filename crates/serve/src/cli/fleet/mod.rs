//! `wherein fleet …` and `wherein search --fleet`: many repositories on a distributed engine.

pub mod args;
pub mod health;
pub mod open;
pub mod place;
mod read;

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::time::{Duration, Instant};

use anyhow::bail;
use serde::Serialize;
use wherein_engine::search::answer::Answer;
use wherein_engine::search::query::Query;
use wherein_fleet::access;
use wherein_fleet::catalogue::Repository;
use wherein_fleet::pull;
use wherein_fleet::search::{Asked, Found};
use wherein_fleet::sync::{Event, Worker};

use super::Outcome;
use super::output;
use super::page::Format;
use super::search::SearchArgs;
use args::{AddArgs, FleetArgs, FleetCommand, FleetStatusArgs, RemoveArgs, SyncArgs};
use place::Place;

/// Runs a command over a fleet.
pub fn run(args: &FleetArgs) -> anyhow::Result<Outcome> {
    match &args.command {
        FleetCommand::Add(args) => add(args),
        FleetCommand::Sync(args) => sync(args),
        FleetCommand::Status(args) => status(args),
        FleetCommand::Remove(args) => remove(args),
        FleetCommand::Read(args) => read::run(args),
        FleetCommand::Token => token(),
    }
}

fn add(args: &AddArgs) -> anyhow::Result<Outcome> {
    if args.name.is_some() && args.sources.len() > 1 {
        bail!("one name cannot be that of several repositories; add them one by one");
    }
    let catalogue = Place::of(&args.place)?.catalogue()?;
    for source in &args.sources {
        if source.starts_with('-') || args.branch.starts_with('-') {
            bail!("{source:?} is no address of a repository");
        }
        let source = match pull::is_remote(source) {
            true => source.clone(),
            false => std::path::absolute(source)?.to_string_lossy().into_owned(),
        };
        let name = args.name.clone().unwrap_or_else(|| pull::name_of(&source));
        let added = catalogue.add(&name, &source, &args.branch)?;
        writeln!(io::stdout(), "added {} from {}", added.name, added.source)?;
    }
    Ok(Outcome::Found)
}

fn remove(args: &RemoveArgs) -> anyhow::Result<Outcome> {
    let removed = Place::of(&args.place)?.catalogue()?.remove(&args.names)?;
    writeln!(io::stdout(), "{removed} repositories leave with the next 'wherein fleet sync'")?;
    Ok(if removed > 0 { Outcome::Found } else { Outcome::Nothing })
}

fn sync(args: &SyncArgs) -> anyhow::Result<Outcome> {
    let (place, model) = (Place::of(&args.place)?, place::model()?);
    let (catalogue, store) = (place.catalogue()?, place.store(&model)?);
    if !args.join {
        catalogue.queue(&args.names)?;
    }
    let worker = Worker {
        catalogue: &*catalogue,
        store: &store,
        model: &model,
        folder: place.folder.clone(),
        name: format!("{}", std::process::id()),
        nearest: place::nearest()?,
        lease: Duration::from_secs(args.lease.max(1)),
        patience: Duration::from_secs(args.patience),
        tell: &tell,
    };
    let done = worker.run()?;
    writeln!(io::stdout(), "{done} repositories are in the engine as they are")?;
    let failed = |it: &Repository| !it.trouble.is_empty();
    let all_well = !catalogue.repositories()?.iter().any(failed);
    Ok(if all_well { Outcome::Found } else { Outcome::Nothing })
}

fn tell(event: &Event) {
    let line = match event {
        Event::Began(name) => format!("{name}: pulling, parsing, encoding"),
        Event::Wrote(name, done, all) => format!("{name}: {done} of {all} files written"),
        Event::Ended(name, work) => format!(
            "{name}: {} files, {} added, {} removed, {} texts encoded",
            work.files, work.added, work.removed, work.encoded
        ),
        Event::Failed(name, why) => format!("{name}: {why}"),
        Event::Noted(what) => what.clone(),
        Event::Waiting(why) => format!("waiting: {why}"),
    };
    let _ = writeln!(io::stderr(), "wherein: {line}");
}

#[derive(Serialize)]
struct Line<'r> {
    name: &'r str,
    source: &'r str,
    branch: &'r str,
    state: &'static str,
    revision: &'r str,
    worker: &'r str,
    files: u64,
    chunks: u64,
    #[serde(skip_serializing_if = "str::is_empty")]
    trouble: &'r str,
}

fn line(it: &Repository) -> Line<'_> {
    Line {
        name: &it.name,
        source: &it.source,
        branch: &it.branch,
        state: it.state.name(),
        revision: &it.revision,
        worker: &it.worker,
        files: it.totals.files,
        chunks: it.totals.chunks,
        trouble: &it.trouble,
    }
}

fn status(args: &FleetStatusArgs) -> anyhow::Result<Outcome> {
    let catalogue = Place::of(&args.place)?.catalogue()?;
    let (all, unsettled) = (catalogue.repositories()?, catalogue.unsettled()?);
    let mut out = io::stdout().lock();
    if args.metrics {
        write!(out, "{}", metrics(&all, unsettled))?;
    } else if args.json {
        let lines: Vec<Line> = all.iter().map(line).collect();
        let report = serde_json::json!({ "repositories": lines, "unsettled_files": unsettled });
        writeln!(out, "{report}")?;
    } else {
        for it in all.iter().map(line) {
            let (files, chunks) = (it.files, it.chunks);
            let head = format!("{}\t{}\t{files} files\t{chunks} chunks", it.name, it.state);
            writeln!(out, "{head}\t{}\t{}", it.revision, it.trouble)?;
        }
        writeln!(out, "{} repositories, {unsettled} files not yet in the engine", all.len())?;
    }
    Ok(if all.is_empty() { Outcome::Nothing } else { Outcome::Found })
}

/// Sums for a monitor.
fn metrics(all: &[Repository], unsettled: u64) -> String {
    let mut states: BTreeMap<&str, usize> = BTreeMap::new();
    all.iter().for_each(|it| *states.entry(it.state.name()).or_default() += 1);
    let sum = |of: &dyn Fn(&Repository) -> u64| all.iter().map(of).sum::<u64>();
    let mut text = String::from("# TYPE wherein_fleet_repositories gauge\n");
    for (state, count) in states {
        text += &format!("wherein_fleet_repositories{{state=\"{state}\"}} {count}\n");
    }
    let sums = [
        ("files", sum(&|it| it.totals.files)),
        ("chunks", sum(&|it| it.totals.chunks)),
        ("unsettled_files", unsettled),
        ("failures", sum(&|it| it.failures.max(0) as u64)),
    ];
    for (name, value) in sums {
        text += &format!("# TYPE wherein_fleet_{name} gauge\nwherein_fleet_{name} {value}\n");
    }
    text
}

fn token() -> anyhow::Result<Outcome> {
    let token = io::read_to_string(io::stdin())?;
    let digest = access::digest(token.trim_end());
    writeln!(io::stdout(), "[[token]]\ndigest = \"{digest}\"\nrepositories = []")?;
    Ok(Outcome::Found)
}

/// An answer with where more of its kind is.
#[derive(Serialize)]
pub struct Page<'a> {
    #[serde(flatten)]
    answer: &'a Answer,
    facets: Vec<Facet<'a>>,
    took_ms: f64,
}

#[derive(Serialize)]
struct Facet<'a> {
    repository: &'a str,
    files: usize,
}

impl<'a> Page<'a> {
    /// The page of what was found.
    pub fn of(found: &'a Found, took: Duration) -> Page<'a> {
        let facet = |(repository, files): &'a (String, usize)| Facet { repository, files: *files };
        let facets = found.facets.iter().map(facet).collect();
        Page { answer: &found.answer, facets, took_ms: took.as_secs_f64() * 1000.0 }
    }
}

/// `wherein search --fleet`.
pub fn search(args: &SearchArgs, query: &Query) -> anyhow::Result<Outcome> {
    let started = Instant::now();
    let (place, model) = (Place::of(&args.fleet.place)?, place::model()?);
    let view = place.view(place::own_token().as_deref())?;
    let asked = Asked {
        query,
        repositories: &args.fleet.repositories,
        organisations: &args.fleet.organisations,
        view: &view,
        time: Duration::from_secs_f32(args.fleet.fleet_timeout.clamp(0.01, 600.0)),
    };
    let found = place.fleet(&model)?.search(&asked, Some(&model))?;
    for missing in &found.answer.index.partial {
        let _ = writeln!(io::stderr(), "wherein: not everything was searched: {missing}");
    }
    if args.page.format() == Format::Json {
        let page = Page::of(&found, started.elapsed());
        writeln!(io::stdout(), "{}", serde_json::to_string(&page)?)?;
        let is_found = found.answer.nothing_because.is_none();
        return Ok(if is_found { Outcome::Found } else { Outcome::Nothing });
    }
    output::print(&found.answer, None, query, args.page.format(), started.elapsed())
}

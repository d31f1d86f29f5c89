//! Commands that ask the graph: from arguments to a printed answer.

pub mod args;
pub mod changes;
mod draw;
mod print;

use std::io::{self, Write};

use anyhow::{Context, bail};
use serde::Serialize;
use wherein_corpus::SymbolKind;
use wherein_engine::graph::ask::calls::{self, Direction};
use wherein_engine::graph::ask::difference::{self, Bounds};
use wherein_engine::graph::ask::impact::{self, Change};
use wherein_engine::graph::ask::listing::{self, Listing};
use wherein_engine::graph::ask::map::{self, MapRequest};
use wherein_engine::graph::ask::{Subject, Target, export, find, namesakes, references, way};
use wherein_engine::graph::links::{Coverage, Unresolved};
use wherein_engine::{Error, Snapshot};

use super::Outcome;
use super::output::visible::Visible;
use super::target;
use super::tree::{Opened, Tree};
use args::*;

/// Lists symbols.
pub fn symbols(args: &SymbolsArgs) -> anyhow::Result<Outcome> {
    let kinds = args.kinds.iter().map(|name| {
        SymbolKind::named(name).with_context(|| {
            format!("'{name}' is no kind of symbol; say function, method, class, struct, …")
        })
    });
    let listing = Listing {
        query: args.query.clone(),
        kinds: kinds.collect::<anyhow::Result<_>>()?,
        languages: args.languages.clone(),
        paths: target::patterns(args.graph.root.as_deref(), &args.paths),
        limit: args.graph.limit,
    };
    let found = ask(&args.graph, |_, opened| listing::list(&opened.snapshot, &listing))?;
    output(&args.graph, &found, print::symbols)?;
    Ok(outcome(!found.symbols.is_empty(), "no symbol fits"))
}

/// Shows where a name is defined.
pub fn def(args: &DefArgs) -> anyhow::Result<Outcome> {
    let (found, unknown) = ask(&args.graph, |_, opened| {
        let found = listing::definitions(&opened.snapshot, &args.name, args.graph.limit)?;
        Ok((found, undefined(&opened.snapshot, &args.name)?))
    })?;
    output(&args.graph, &found, print::symbols)?;
    Ok(outcome(!found.symbols.is_empty(), &unknown))
}

/// Shows what uses something.
pub fn refs(args: &RefsArgs) -> anyhow::Result<Outcome> {
    let (found, unknown) = ask(&args.graph, |tree, opened| {
        let (subject, unknown) = subject(tree, &opened.snapshot, &args.target)?;
        let found = references::references(&opened.snapshot, &subject, args.graph.limit)?;
        Ok((found, unknown))
    })?;
    output(&args.graph, &found, print::references)?;
    let anything = found.total + found.possible_total + found.importers.len() > 0;
    let unseen =
        || format!("no use of {} is seen; that is not to say that there is none", args.target);
    Ok(outcome(anything, &unknown.unwrap_or_else(unseen)))
}

/// Shows who calls something, or what it calls.
pub fn call(args: &CallsArgs, direction: Direction) -> anyhow::Result<Outcome> {
    let (found, unknown) = ask(&args.graph, |tree, opened| {
        let (subject, unknown) = subject(tree, &opened.snapshot, &args.target)?;
        let of = members(&opened.snapshot, subject)?;
        let limit = args.graph.limit;
        Ok((calls::calls(&opened.snapshot, &of, direction, args.depth, limit)?, unknown))
    })?;
    output(&args.graph, &found, print::calls)?;
    Ok(outcome(!found.reached.is_empty(), unknown.as_deref().unwrap_or("no call is seen")))
}

/// Shows what a change reaches.
pub fn impact(args: &ImpactArgs) -> anyhow::Result<Outcome> {
    let tree = Tree::around(args.graph.root.as_deref(), &args.graph.place)?;
    let then = match &args.diff {
        Some(revision) => changes::since(&tree, revision)?,
        None => None,
    };
    let (depth, limit) = (args.depth, args.graph.limit);
    let (found, unknown) = ask_of(&tree, |opened| {
        let snapshot = &opened.snapshot;
        let (change, unknown) = match (&args.target, &then) {
            (Some(name), _) => {
                let (subject, unknown) = subject(&tree, snapshot, name)?;
                (Change::of(&subject), unknown)
            }
            (None, Some(then)) => {
                (difference::since(snapshot, &tree.settings, then, Bounds { depth, limit })?, None)
            }
            (None, None) => (Change::default(), None),
        };
        Ok((impact::impact(snapshot, &change, depth, limit)?, unknown))
    })?;
    output(&args.graph, &found, print::impact)?;
    let what = args.target.as_deref().unwrap_or("the change");
    let is_empty = found.changed.is_empty() && found.files.is_empty();
    let is_lost = found.lost.as_ref().is_some_and(|lost| lost.total_symbols > 0);
    let nothing = match unknown {
        Some(unknown) => unknown,
        None if is_empty && !is_lost => format!("{what} holds no symbol that is known"),
        None => format!("nothing that is seen depends on {what}"),
    };
    Ok(outcome(!found.files.is_empty(), &nothing))
}

/// Shows how two things are connected.
pub fn path(args: &PathArgs) -> anyhow::Result<Outcome> {
    let (found, unknown) = ask(&args.graph, |tree, opened| {
        let (from, no_start) = subject(tree, &opened.snapshot, &args.from)?;
        let (to, no_end) = subject(tree, &opened.snapshot, &args.to)?;
        Ok((way::way(&opened.snapshot, &from, &to)?, no_start.or(no_end)))
    })?;
    output(&args.graph, &found, print::way)?;
    let unconnected = || format!("nothing that is seen connects {} and {}", args.from, args.to);
    Ok(outcome(!found.links.is_empty(), &unknown.unwrap_or_else(unconnected)))
}

/// Draws the most central files of a tree.
pub fn map(args: &MapArgs) -> anyhow::Result<Outcome> {
    let found = ask(&args.graph, |tree, opened| {
        let mut focus = Vec::new();
        for path in &args.focus {
            match find(&opened.snapshot, &target(tree, path))? {
                Subject::File(file) => focus.push(file),
                Subject::Symbols(found) => {
                    let symbols = opened.snapshot.symbols()?;
                    focus.extend(found.first().map(|&symbol| symbols.file(symbol)));
                }
            }
        }
        map::map(&opened.snapshot, &MapRequest { budget: args.budget as usize, focus })
    })?;
    output(&args.graph, &found, print::map)?;
    Ok(outcome(!found.files.is_empty(), "the tree holds no code"))
}

/// Shows the signatures of files.
pub fn outline(args: &OutlineArgs) -> anyhow::Result<Outcome> {
    let found = ask(&args.graph, |tree, opened| {
        let patterns: Vec<String> = args
            .patterns
            .iter()
            .map(|it| target::relative(&tree.place.root, it).unwrap_or_else(|_| it.clone()))
            .collect();
        map::outline(&opened.snapshot, &patterns)
    })?;
    output(&args.graph, &found, |out, files| print::outline(out, files))?;
    Ok(outcome(!found.is_empty(), "no indexed file fits"))
}

/// Draws the graph of the files, or lists what it lacks.
pub fn graph(args: &ExportArgs) -> anyhow::Result<Outcome> {
    if args.unresolved {
        return unresolved(args);
    }
    let paths = target::patterns(args.graph.root.as_deref(), &args.paths);
    let found = ask(&args.graph, |_, opened| {
        export::file_graph(&opened.snapshot, &paths, args.graph.limit)
    })?;
    let mut out = io::stdout().lock();
    match args.format {
        _ if args.graph.json => writeln!(out, "{}", serde_json::to_string(&found)?)?,
        GraphFormat::Json => writeln!(out, "{}", serde_json::to_string(&found)?)?,
        GraphFormat::Dot => draw::dot(&mut out, &found)?,
        GraphFormat::Svg => draw::svg(&mut out, &found)?,
    }
    Ok(outcome(!found.nodes.is_empty(), "no two files are connected"))
}

#[derive(Serialize)]
struct Imports {
    coverage: Coverage,
    unresolved: Vec<Unresolved>,
}

fn unresolved(args: &ExportArgs) -> anyhow::Result<Outcome> {
    let found = ask(&args.graph, |_, opened| {
        let (links, files) = (opened.snapshot.links()?, &opened.snapshot.manifest.files);
        Ok(Imports {
            coverage: links.coverage(opened.snapshot.roles()).clone(),
            unresolved: links.unresolved(files),
        })
    })?;
    output(&args.graph, &found, |out, found| {
        print::imports(out, &found.coverage, &found.unresolved)
    })?;
    Ok(Outcome::Found)
}

/// Asks the tree the arguments name.
fn ask<T>(args: &GraphArgs, ask: impl Fn(&Tree, &Opened) -> Result<T, Error>) -> anyhow::Result<T> {
    let tree = Tree::around(args.root.as_deref(), &args.place)?;
    ask_of(&tree, |opened| ask(&tree, opened))
}

fn ask_of<T>(tree: &Tree, ask: impl Fn(&Opened) -> Result<T, Error>) -> anyhow::Result<T> {
    tree.ask(|opened| {
        if let Some(because) = &opened.stale_because {
            let _ = writeln!(io::stderr(), "wherein: answering from the last index: {because}");
        }
        ask(&opened)
    })
}

/// A path if there is such a file, else a name.
fn target(tree: &Tree, given: &str) -> Target {
    let (path, line) = target::split(given);
    match (target::relative(&tree.place.root, path), line) {
        (Ok(path), _) if tree.place.root.join(&path).is_dir() => Target::Name(given.to_owned()),
        (Ok(path), Some(line)) => Target::Line(path, line),
        (Ok(path), None) => Target::Path(path),
        (Err(_), _) => Target::Name(given.to_owned()),
    }
}

/// What is asked about, and what to say if nothing bears the name.
fn subject(
    tree: &Tree,
    snapshot: &Snapshot,
    given: &str,
) -> Result<(Subject, Option<String>), Error> {
    let subject = find(snapshot, &target(tree, given))?;
    let is_unknown = matches!(&subject, Subject::Symbols(found) if found.is_empty());
    let unknown = if is_unknown { Some(undefined(snapshot, given)?) } else { None };
    Ok((subject, unknown))
}

/// That nothing bears a name, and what bears the last part of it elsewhere.
fn undefined(snapshot: &Snapshot, name: &str) -> Result<String, Error> {
    const MOST: usize = 5;
    let near = namesakes(snapshot, name, MOST)?;
    Ok(match near.is_empty() {
        true => format!("nothing defines {name}"),
        false => format!("nothing defines {name}; there is {}", near.join(", ")),
    })
}

/// The symbols a subject stands for.
fn members(snapshot: &Snapshot, subject: Subject) -> Result<Vec<u32>, Error> {
    Ok(match subject {
        Subject::Symbols(symbols) => symbols,
        Subject::File(file) => snapshot.symbols()?.of_file(file).collect(),
    })
}

fn output<T: Serialize>(
    args: &GraphArgs,
    answer: &T,
    print: impl Fn(&mut dyn Write, &T) -> io::Result<()>,
) -> anyhow::Result<()> {
    let mut out = io::stdout().lock();
    match args.json {
        true => writeln!(out, "{}", serde_json::to_string(answer)?)?,
        false => print(&mut Visible(out), answer)?,
    }
    Ok(())
}

fn outcome(found: bool, nothing: &str) -> Outcome {
    if found {
        return Outcome::Found;
    }
    let _ = writeln!(io::stderr(), "wherein: {nothing}");
    Outcome::Nothing
}

/// Whether a revision is one git could mean: it must not be taken for an option.
fn check_revision(revision: &str) -> anyhow::Result<()> {
    if revision.is_empty() || revision.starts_with('-') {
        bail!("'{revision}' is no revision; name a commit, a branch or a tag");
    }
    Ok(())
}

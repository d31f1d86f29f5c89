//! Each tool's own part: from a request and the snapshots of some trees to items, best first.

#[cfg(feature = "fleet")]
pub mod fleet;
mod impact;
mod map;
pub mod read;
mod refs;
mod search;
mod similar;
mod status;
mod symbols;

use std::collections::HashSet;
use std::sync::Arc;

use wherein_engine::graph::ask::{Subject, Target, find, namesakes};
use wherein_engine::{Error, Snapshot};

use super::answer::Found;
use super::call::Desk;
use super::nearest;
use super::request::Request;
use super::roots::{Located, Roots};
use super::trouble::Trouble;
use crate::cli::target;
use crate::http::keeper::{Keeper, View};
use crate::http::pool::Wanted;

/// A tree with the snapshot that answers.
pub struct Tree {
    pub desk: Arc<Desk>,
    /// Which of the served folders.
    pub root: usize,
    pub view: View,
}

impl Tree {
    pub fn keeper(&self) -> &Keeper {
        &self.desk.roots.all[self.root].keeper
    }

    pub fn label(&self) -> &str {
        &self.desk.roots.all[self.root].label
    }

    pub fn snapshot(&self) -> &Snapshot {
        &self.view.snapshot
    }

    /// A path as answers name it.
    pub fn named(&self, path: &str) -> String {
        self.desk.roots.named(self.root, path)
    }

    /// An error that came of this tree.
    fn failure(&self) -> impl FnOnce(Error) -> Failure {
        let root = self.root;
        move |error| Failure::of(root, error)
    }
}

/// Why there is no answer.
#[derive(Debug)]
pub enum Failure {
    /// The index of a folder cannot be trusted.
    Damaged(usize),
    Trouble(Trouble),
}

impl From<Trouble> for Failure {
    fn from(trouble: Trouble) -> Failure {
        Failure::Trouble(trouble)
    }
}

/// Which folders a request is about.
pub fn roots(roots: &Roots, request: &Request) -> Result<Vec<usize>, Trouble> {
    let all = || (0..roots.all.len()).collect();
    let paths = match request {
        Request::Search(it) => &it.paths,
        Request::Symbols(it) => &it.paths,
        Request::Similar(it) => &it.paths,
        _ => return Ok(all()),
    };
    let chosen: Vec<usize> = (0..)
        .zip(roots.patterns(paths))
        .filter_map(|(root, patterns)| patterns.map(|_| root))
        .collect();
    match chosen.is_empty() {
        true => Err(Trouble::new("the paths leave out every folder", "Choose others.")),
        false => Ok(chosen),
    }
}

/// Answers a request.
pub fn ask(
    roots: &Roots,
    trees: &[Tree],
    request: &Request,
    wanted: &Wanted,
) -> Result<Found, Failure> {
    match request {
        Request::Search(it) => search::ask(roots, trees, it, wanted),
        Request::Read(it) => read::ask(roots, trees, it),
        Request::Symbols(it) => symbols::ask(roots, trees, it),
        Request::Refs(it) => refs::ask(roots, trees, it),
        Request::Impact(it) => impact::ask(roots, trees, it),
        Request::Map(it) => map::ask(roots, trees, it),
        Request::Similar(it) => similar::ask(roots, trees, it, wanted),
        Request::Status(_) => Ok(status::ask(trees)),
        Request::More(_) => Err(Trouble::new("a rest has no rest", "").into()),
    }
}

/// The trees among which a file is.
fn tree_of<'t>(trees: &'t [Tree], located: &Located) -> Result<&'t Tree, Trouble> {
    trees.iter().find(|tree| tree.root == located.root).ok_or_else(|| {
        Trouble::new(format!("{} is not indexed yet", located.path), "Ask again in a moment.")
    })
}

/// A path in a call; what comes nearest is named if it leads nowhere.
fn located(roots: &Roots, trees: &[Tree], path: &str) -> Result<Located, Trouble> {
    roots.locate(path).map_err(|mut trouble| {
        let views: Vec<(usize, &Snapshot)> =
            trees.iter().map(|tree| (tree.root, tree.snapshot())).collect();
        let near = roots.nearest_files(path, &views);
        if trouble.advice.is_empty() && !near.is_empty() {
            trouble.advice = format!("Nearest: {}.", near.join(", "));
        }
        trouble
    })
}

/// What a target means in each tree: a file or a line in one of them, a name in any.
fn subjects<'t>(
    roots: &Roots,
    trees: &'t [Tree],
    given: &str,
) -> Result<Vec<(&'t Tree, Subject)>, Failure> {
    let (path, line) = target::split(given);
    let looks_like_path = line.is_some() || path.contains('/');
    let is_name = |located: &Located| {
        let folder = &roots.all[located.root].keeper.tree.place.root;
        folder.join(&located.path).is_dir()
    };
    match roots.locate(path) {
        Ok(located) if !is_name(&located) => {
            let tree = tree_of(trees, &located)?;
            let target = match line {
                Some(line) => Target::Line(located.path, line),
                None => Target::Path(located.path),
            };
            let subject = find(tree.snapshot(), &target).map_err(tree.failure())?;
            return Ok(vec![(tree, subject)]);
        }
        // It is there and may not be read; a name would be merely absent.
        Err(trouble) if !trouble.advice.is_empty() => return Err(trouble.into()),
        // A name may hold anything but what makes a path.
        Err(_) if looks_like_path && !given.contains("::") => {
            return Err(self::located(roots, trees, path).map(|_| ()).unwrap_err().into());
        }
        _ => {}
    }
    let mut found = Vec::new();
    for tree in trees {
        let subject = find(tree.snapshot(), &Target::Name(given.to_owned()));
        match subject.map_err(tree.failure())? {
            Subject::Symbols(symbols) if symbols.is_empty() => {}
            subject => found.push((tree, subject)),
        }
    }
    if found.is_empty() {
        return Err(unknown(trees, given)?.into());
    }
    Ok(found)
}

/// That nothing bears a name, and which names come nearest.
fn unknown(trees: &[Tree], name: &str) -> Result<Trouble, Failure> {
    const MOST: usize = 5;
    let last = name.rsplit(['.', ':', '#', '\\']).find(|part| !part.is_empty()).unwrap_or(name);
    let mut near = Vec::new();
    for tree in trees {
        let snapshot = tree.snapshot();
        near.extend(namesakes(snapshot, name, MOST).map_err(tree.failure())?);
        let alike = nearest::identifiers(snapshot, last).map_err(tree.failure())?;
        // The name itself says less than what it is a member of.
        near.extend(alike.into_iter().filter(|it| it != last));
    }
    let mut told = HashSet::new();
    near.retain(|name| told.insert(name.clone()));
    let advice = match near.is_empty() {
        true => "Search for it in words.".to_owned(),
        false => format!("Nearest names: {}. Or search for it in words.", near.join(", ")),
    };
    Ok(Trouble::new(format!("nothing here defines {name}"), advice))
}

/// One sentence of what a graph cannot see.
fn horizon(notes: &[String]) -> Vec<String> {
    match notes {
        [] => Vec::new(),
        notes => vec![format!("# not seen: {}", notes.join("; "))],
    }
}

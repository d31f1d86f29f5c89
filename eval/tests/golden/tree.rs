//! From a tree's name to a snapshot of it.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use tempfile::TempDir;
use wherein_encoder::Model;
use wherein_engine::{Settings, Snapshot, Store, encode, refresh};

use crate::question;

/// The model that encodes trees and questions.
pub static MODEL: LazyLock<Model> = LazyLock::new(Model::built_in);

/// Every tree by its name, indexed once.
pub static TREES: LazyLock<BTreeMap<String, Tree>> = LazyLock::new(|| {
    names().into_iter().map(|name| (name.clone(), index(&name, &MODEL))).collect()
});

/// An indexed tree; its files go when it is dropped.
pub struct Tree {
    pub snapshot: Snapshot,
    _folder: TempDir,
}

/// Indexes a copy of a tree, out of reach of the ignore files above the original and of its git.
fn index(name: &str, model: &Model) -> Tree {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let base = folder.path().canonicalize().expect("an absolute path");
    let root = base.join(name);
    copy(&question::folder().join("trees").join(name), &root);
    let place = Store::at(base.join("index")).tree(&root);
    refresh(&place, &Settings::default(), &|_, _| {}).expect("an index");
    encode(&place, model, &|_, _| {}, &|| true).expect("vectors");
    Tree { snapshot: Snapshot::open(&place).expect("a snapshot"), _folder: folder }
}

/// The names of all trees.
fn names() -> BTreeSet<String> {
    let trees = entries(&question::folder().join("trees"));
    trees.iter().map(|path| path.file_name().unwrap().to_string_lossy().into_owned()).collect()
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in entries(from) {
        let target = to.join(entry.file_name().unwrap());
        if entry.is_dir() {
            copy(&entry, &target);
        } else {
            fs::copy(&entry, target).unwrap();
        }
    }
}

fn entries(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).unwrap_or_else(|e| panic!("{}: {e}", folder.display()));
    entries.map(|entry| entry.unwrap().path()).collect()
}

fn files_under(folder: &Path, root: &Path) -> BTreeSet<String> {
    let (folders, files): (Vec<PathBuf>, Vec<PathBuf>) =
        entries(folder).into_iter().partition(|path| path.is_dir());
    let relative = |path: &PathBuf| path.strip_prefix(root).unwrap().to_string_lossy().into_owned();
    let deeper = folders.iter().flat_map(|folder| files_under(folder, root));
    files.iter().map(relative).chain(deeper).collect()
}

#[test]
fn every_file_of_every_tree_is_indexed() {
    for name in names() {
        let original = question::folder().join("trees").join(&name);
        let manifest = index(&name, &Model::built_in()).snapshot.manifest;
        let indexed: BTreeSet<String> = manifest.files.into_iter().map(|file| file.path).collect();
        assert_eq!(indexed, files_under(&original, &original), "{name}: {:?}", manifest.skipped);
    }
}

#[test]
fn every_tree_is_asked_about() {
    let asked: BTreeSet<String> = question::all().into_iter().map(|q| q.tree).collect();
    assert_eq!(asked, names());
}

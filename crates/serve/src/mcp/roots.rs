//! The folders that are served, and the way from a path in a call to a file of one of them.
//!
//! One folder has no label, and paths are relative to it. Of several each has one, its folder's
//! name, and every path begins with it. A path that leads out of the folders, by `..`, from the
//! root of the file system or through a link, is refused.

use std::collections::HashMap;
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;

use tokio::sync::Notify;
use wherein_encoder::{Encoder, Model, Side};
use wherein_engine::Snapshot;

use super::nearest;
use super::trouble::Trouble;
use crate::cli::tree::Tree;
use crate::http::keeper::Keeper;
use crate::http::pool::Pool;
use crate::http::remember;

/// A served folder.
#[derive(Clone)]
pub struct Root {
    /// Stands before its paths; empty if it is the only one.
    pub label: String,
    pub keeper: Arc<Keeper>,
}

/// Every served folder.
#[derive(Clone)]
pub struct Roots {
    pub all: Vec<Root>,
    /// Folders that should be served and cannot be, and why; why there is none, if there is none.
    pub left_out: Vec<String>,
}

/// What is to be served.
#[derive(Default)]
pub struct Served {
    pub trees: Vec<Tree>,
    /// What cannot be, and why. An agent reads answers, not what a program says while it starts.
    pub left_out: Vec<String>,
}

/// A file in a call: which folder, and where in it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Located {
    pub root: usize,
    /// Relative to the folder, with forward slashes.
    pub path: String,
}

impl Roots {
    /// Several folders. Those that use the same model share it.
    pub fn of(served: Served, pool: &Arc<Pool>, published: &Arc<Notify>) -> Roots {
        let Served { trees, left_out } = served;
        let folders: Vec<&Path> = trees.iter().map(|tree| tree.place.root.as_path()).collect();
        let labels = labels(&folders);
        let mut models: HashMap<String, Arc<Model>> = HashMap::new();
        let root = |(mut tree, label): (Tree, String)| {
            tree.model = tree.model.map(|model| shared(model, &mut models));
            let keeper = Arc::new(Keeper::new(tree, pool.clone(), published.clone()));
            Root { label, keeper }
        };
        let all = trees.into_iter().zip(labels).map(root).collect();
        Roots { all, left_out }
    }

    /// A path as answers name it.
    pub fn named(&self, root: usize, path: &str) -> String {
        match self.all[root].label.as_str() {
            "" => path.to_owned(),
            label => format!("{label}/{path}"),
        }
    }

    /// The file a path in a call means.
    pub fn locate(&self, given: &str) -> Result<Located, Trouble> {
        let candidates = self.candidates(given)?;
        let mut found: Vec<Located> = Vec::new();
        for (root, path) in &candidates {
            let folder = &self.all[*root].keeper.tree.place.root;
            if let Ok(real) = folder.join(path).canonicalize() {
                let Ok(inside) = real.strip_prefix(folder) else { return Err(outside(given)) };
                let path = inside.to_string_lossy().replace('\\', "/");
                found.push(Located { root: *root, path });
            }
        }
        match found.as_slice() {
            [one] => Ok(one.clone()),
            [] => Err(Trouble::new(format!("there is no file {given}"), "")),
            several => {
                let names: Vec<String> =
                    several.iter().map(|it| self.named(it.root, &it.path)).collect();
                let what = format!("{given} is in several folders");
                Err(Trouble::new(what, format!("Say which: {}.", names.join(", "))))
            }
        }
    }

    /// Whether a path leads to something here, or out of here: nothing else may answer to it then.
    #[cfg(feature = "fleet")]
    pub fn knows(&self, given: &str) -> bool {
        self.locate(given).map_or_else(|trouble| !trouble.advice.is_empty(), |_| true)
    }

    /// Where a path may lead by its words alone.
    fn candidates(&self, given: &str) -> Result<Vec<(usize, PathBuf)>, Trouble> {
        let path = Path::new(given);
        if path.is_absolute() {
            // Links in the path to the folder itself are the user's own.
            let real = path.canonicalize().unwrap_or_else(|_| path.to_owned());
            let inside = |root: &Root| {
                let inside = real.strip_prefix(&root.keeper.tree.place.root).ok()?;
                Some(inside.to_owned())
            };
            let found = (0..).zip(&self.all).find_map(|(n, root)| Some((n, inside(root)?)));
            return found.map(|it| vec![it]).ok_or_else(|| outside(given));
        }
        let path = plain(path).ok_or_else(|| outside(given))?;
        let labelled = |root: &Root| match root.label.as_str() {
            "" => None,
            label => path.strip_prefix(label).ok().map(Path::to_owned),
        };
        if let Some((n, rest)) = (0..).zip(&self.all).find_map(|(n, it)| Some((n, labelled(it)?))) {
            return Ok(vec![(n, rest)]);
        }
        Ok((0..self.all.len()).map(|n| (n, path.clone())).collect())
    }

    /// The patterns that hold for each folder; none for a folder that they leave out.
    pub fn patterns(&self, given: &[String]) -> Vec<Option<Vec<String>>> {
        self.all.iter().map(|root| self.patterns_of(root, given)).collect()
    }

    fn patterns_of(&self, root: &Root, given: &[String]) -> Option<Vec<String>> {
        let folder = root.keeper.tree.place.root.to_string_lossy();
        let mut own = Vec::new();
        let (mut takes_all, mut chooses) = (false, false);
        for pattern in given {
            let (sign, glob) = match pattern.strip_prefix('!') {
                Some(glob) => ("!", glob),
                None => ("", pattern.as_str()),
            };
            chooses |= sign.is_empty();
            let glob = glob.strip_prefix("./").unwrap_or(glob);
            let glob = glob.strip_prefix(&*folder).map_or(glob, |it| it.trim_start_matches('/'));
            match (sign, self.below(root, glob).as_deref()) {
                (_, None) => {}
                ("!", Some("")) => return None,
                ("", Some("")) => takes_all = true,
                (_, Some(glob)) => own.push(format!("{sign}{glob}")),
            }
        }
        if takes_all {
            own.retain(|pattern| pattern.starts_with('!'));
        }
        let is_chosen = takes_all || own.iter().any(|pattern| !pattern.starts_with('!'));
        (is_chosen || !chooses).then_some(own)
    }

    /// A pattern without the label of a folder; none if it is for another.
    fn below(&self, root: &Root, glob: &str) -> Option<String> {
        let (first, rest) = glob.split_once('/').unwrap_or((glob, ""));
        match self.all.iter().find(|other| !other.label.is_empty() && other.label == first) {
            Some(other) => (other.label == root.label).then(|| rest.to_owned()),
            None => Some(glob.to_owned()),
        }
    }

    /// What looks most like a path that is not there.
    pub fn nearest_files(&self, given: &str, views: &[(usize, &Snapshot)]) -> Vec<String> {
        let of = |&(root, snapshot): &(usize, &Snapshot)| {
            let files = nearest::files(snapshot, given).into_iter();
            files.map(|path| self.named(root, &path)).collect::<Vec<_>>()
        };
        views.iter().flat_map(of).take(5).collect()
    }
}

fn outside(given: &str) -> Trouble {
    let what = format!("{given} leads out of the served folders");
    Trouble::new(what, "Name a file as answers do; nothing else can be read here.")
}

/// A relative path without `.` and `..`; none if it leads above its start.
fn plain(path: &Path) -> Option<PathBuf> {
    let mut plain = PathBuf::new();
    for part in path.components() {
        match part {
            Component::Normal(name) => plain.push(name),
            Component::CurDir => {}
            Component::ParentDir => {
                if !plain.pop() {
                    return None;
                }
            }
            Component::RootDir | Component::Prefix(_) => return None,
        }
    }
    Some(plain)
}

/// The folders' own names, told apart by a number where two are the same; none for one alone.
fn labels(folders: &[&Path]) -> Vec<String> {
    if folders.len() <= 1 {
        return vec![String::new(); folders.len()];
    }
    let mut taken: HashMap<String, usize> = HashMap::new();
    let label = |folder: &&Path| {
        let name = folder.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let number = taken.entry(name.clone()).or_default();
        *number += 1;
        if *number == 1 { name } else { format!("{name}~{number}") }
    };
    folders.iter().map(label).collect()
}

/// The same model for all that name it, with a memory for questions.
fn shared(model: Model, models: &mut HashMap<String, Arc<Model>>) -> Model {
    let id = model.id().to_owned();
    let one = models.entry(id.clone()).or_insert_with(|| Arc::new(remember::questions(model)));
    let one = one.clone();
    Model::new(id, move || Ok(Box::new(Shared(one.clone()))))
}

struct Shared(Arc<Model>);

impl Encoder for Shared {
    fn encode(&self, texts: &[&str], side: Side) -> Result<Vec<Vec<f32>>, wherein_encoder::Error> {
        self.0.encode(texts, side)
    }

    fn judge(
        &self,
        question: &str,
        passages: &[&str],
    ) -> Result<Option<Vec<f32>>, wherein_encoder::Error> {
        self.0.judge(question, passages)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use wherein_engine::{Settings, Store};

    fn served(folders: &[&Path]) -> Roots {
        let tree = |folder: &&Path| Tree {
            place: Store::at(folder.join(".index")).tree(&folder.canonicalize().unwrap()),
            settings: Settings::default(),
            model: Err(crate::cli::tree::NoModel::Unwanted),
            memory: wherein_engine::index::refresh::MEMORY,
        };
        let trees = folders.iter().map(tree).collect();
        let served = Served { trees, left_out: Vec::new() };
        Roots::of(served, &Arc::new(Pool::new(1)), &Arc::new(Notify::new()))
    }

    /// Two folders `api` and `web` with a file each, a file beside them, and links to it.
    fn folders() -> tempfile::TempDir {
        let top = tempfile::tempdir().unwrap();
        for (path, text) in [("api/src/a.rs", "a"), ("web/src/b.rs", "b"), ("secret.txt", "s")] {
            let path = top.path().join(path);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, text).unwrap();
        }
        #[cfg(unix)]
        {
            std::os::unix::fs::symlink("../secret.txt", top.path().join("api/link")).unwrap();
            std::os::unix::fs::symlink("..", top.path().join("api/up")).unwrap();
            std::os::unix::fs::symlink("src/a.rs", top.path().join("api/alias.rs")).unwrap();
        }
        top
    }

    #[track_caller]
    fn check(roots: &Roots, given: &str, expected: Result<(usize, &str), &str>) {
        match (roots.locate(given), expected) {
            (Ok(found), Ok((root, path))) => {
                assert_eq!((found.root, found.path.as_str()), (root, path), "{given}");
            }
            (Err(trouble), Err(words)) => {
                assert!(trouble.to_string().contains(words), "{given}: {trouble}");
            }
            (found, expected) => panic!("{given}: {found:?} where {expected:?} was expected"),
        }
    }

    #[test]
    #[cfg(unix)]
    fn paths_stay_inside_one_folder() {
        let top = folders();
        let api = top.path().join("api");
        let roots = served(&[&api]);
        let absolute = api.join("src/a.rs").display().to_string();
        let beside = top.path().join("secret.txt").display().to_string();
        for inside in ["src/a.rs", "./src/a.rs", "src/../src/a.rs", &absolute, "alias.rs"] {
            check(&roots, inside, Ok((0, "src/a.rs")));
        }
        for out in [
            "../secret.txt",
            "src/../../secret.txt",
            "link",
            "up/secret.txt",
            "/etc/passwd",
            &beside,
            "..",
            "/",
        ] {
            check(&roots, out, Err("leads out of the served folders"));
        }
        check(&roots, "src/no.rs", Err("no file"));
    }

    #[test]
    #[cfg(unix)]
    fn paths_of_several_folders_begin_with_their_labels() {
        let top = folders();
        let roots = served(&[&top.path().join("api"), &top.path().join("web")]);
        check(&roots, "api/src/a.rs", Ok((0, "src/a.rs")));
        check(&roots, "web/src/b.rs", Ok((1, "src/b.rs")));
        check(&roots, "src/b.rs", Ok((1, "src/b.rs")));
        check(&roots, "src", Err("Say which: api/src, web/src"));
        check(&roots, "web/../secret.txt", Err("no file"));
        check(&roots, "web/../../secret.txt", Err("leads out"));
        check(&roots, "api/link", Err("leads out"));
        assert_eq!(roots.named(1, "src/b.rs"), "web/src/b.rs");
    }

    #[test]
    fn patterns_choose_folders_by_their_labels() {
        let top = folders();
        let roots = served(&[&top.path().join("api"), &top.path().join("web")]);
        let check = |given: &[&str], expected: [Option<&[&str]>; 2]| {
            let given: Vec<String> = given.iter().map(|it| (*it).to_owned()).collect();
            let owned = |it: &[&str]| it.iter().map(|it| (*it).to_owned()).collect::<Vec<_>>();
            assert_eq!(roots.patterns(&given), expected.map(|it| it.map(owned)), "{given:?}");
        };
        check(&[], [Some(&[]), Some(&[])]);
        check(&["api"], [Some(&[]), None]);
        check(&["api/src"], [Some(&["src"]), None]);
        check(&["src"], [Some(&["src"]), Some(&["src"])]);
        check(&["!web"], [Some(&[]), None]);
        check(&["api", "web/src/**"], [Some(&[]), Some(&["src/**"])]);
        check(&["*.rs", "!api/src"], [Some(&["*.rs", "!src"]), Some(&["*.rs"])]);
    }

    #[test]
    fn labels_are_told_apart() {
        let folders = [Path::new("/a/x"), Path::new("/b/x"), Path::new("/b/y")];
        assert_eq!(labels(&folders), ["x", "x~2", "y"]);
        assert_eq!(labels(&folders[..1]), [""]);
    }
}

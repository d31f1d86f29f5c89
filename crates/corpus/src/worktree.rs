//! Which repository a folder belongs to, as far as its `.git` tells.

use std::fs;
use std::path::{Path, PathBuf};

/// The folder git keeps a repository's common data in, if `root` is its top or a worktree of it.
pub fn repository_of(root: &Path) -> Option<PathBuf> {
    let git = git_folder(root)?;
    let common = fs::read_to_string(git.join("commondir")).ok();
    let common = common.map_or(git.clone(), |relative| git.join(relative.trim()));
    fs::canonicalize(common).ok()
}

/// The folder that holds `HEAD` for this very worktree.
pub fn git_folder(root: &Path) -> Option<PathBuf> {
    let git = root.join(".git");
    if git.is_dir() {
        return Some(git);
    }
    let pointer = fs::read_to_string(git).ok()?;
    Some(root.join(pointer.strip_prefix("gitdir:")?.trim()))
}

/// Whether `folder` is another worktree of the repository whose common data is in `home`.
pub fn is_twin(folder: &Path, home: Option<&Path>) -> bool {
    let (Some(home), true) = (home, folder.join(".git").is_file()) else {
        return false;
    };
    repository_of(folder).as_deref() == Some(home)
}

/// The nearest folder at or above `start` that is the top of a repository.
pub fn top_of(start: &Path) -> Option<&Path> {
    start.ancestors().find(|folder| folder.join(".git").exists())
}

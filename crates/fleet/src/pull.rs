//! From where a repository comes to a folder with its files: a folder as it is, or a clone.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::catalogue::Repository;
use crate::error::{Error, Result};

/// A repository's files.
pub struct Pulled {
    /// Where they are.
    pub root: PathBuf,
}

/// Brings a repository's files to this machine, or up to date. Clones lie under `clones`.
pub fn pull(repository: &Repository, clones: &Path) -> Result<Pulled> {
    let source = &repository.source;
    let trouble = |why: String| Error::Pull { name: repository.name.clone(), why };
    if !is_remote(source) {
        let root = std::fs::canonicalize(source).map_err(|error| trouble(error.to_string()))?;
        return Ok(Pulled { root });
    }
    std::fs::create_dir_all(clones).map_err(|error| trouble(error.to_string()))?;
    let root = clones.join(repository.id.to_string());
    let update = || update(&root, &repository.branch);
    let done = match root.join(".git").is_dir() {
        // A clone that a dying worker left half made is made anew.
        true => update().or_else(|_| anew(&root, source, &repository.branch)),
        false => anew(&root, source, &repository.branch),
    };
    done.map_err(trouble)?;
    let root = std::fs::canonicalize(&root).map_err(|error| trouble(error.to_string()))?;
    Ok(Pulled { root })
}

/// Whether a source is pulled by git rather than read where it is.
pub fn is_remote(source: &str) -> bool {
    let is_scp = source
        .split_once(':')
        .is_some_and(|(host, path)| host.contains('@') && !host.contains('/') && !path.is_empty());
    source.contains("://") || is_scp
}

/// `organisation/name` of a remote, the name of a folder.
pub fn name_of(source: &str) -> String {
    let plain = source.trim_end_matches('/').trim_end_matches(".git");
    let parts: Vec<&str> = plain.split(['/', ':']).filter(|part| !part.is_empty()).collect();
    let last = parts.len().saturating_sub(if is_remote(source) { 2 } else { 1 });
    parts[last..].join("/")
}

fn anew(root: &Path, source: &str, branch: &str) -> std::result::Result<(), String> {
    let _ = std::fs::remove_dir_all(root);
    let mut command = git();
    command.args(["clone", "--quiet", "--depth", "1"]);
    if !branch.is_empty() {
        command.arg(format!("--branch={branch}"));
    }
    run(command.arg("--").arg(source).arg(root))
}

fn update(root: &Path, branch: &str) -> std::result::Result<(), String> {
    let wanted = if branch.is_empty() { "HEAD" } else { branch };
    let in_root = |arguments: &[&str]| run(git().arg("-C").arg(root).args(arguments));
    in_root(&["fetch", "--quiet", "--depth", "1", "origin", wanted])?;
    in_root(&["reset", "--quiet", "--hard", "FETCH_HEAD"])?;
    in_root(&["clean", "--quiet", "-fdx"])
}

/// Git that asks nobody anything and runs nothing that an address names.
fn git() -> Command {
    let mut command = Command::new("git");
    command.env("GIT_TERMINAL_PROMPT", "0").stdin(Stdio::null()).stdout(Stdio::null());
    command.args(["-c", "protocol.ext.allow=never", "-c", "core.hooksPath=/dev/null"]);
    command
}

fn run(command: &mut Command) -> std::result::Result<(), String> {
    let output =
        command.stderr(Stdio::piped()).output().map_err(|error| format!("git: {error}"))?;
    match output.status.success() {
        true => Ok(()),
        false => Err(String::from_utf8_lossy(&output.stderr).trim().to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_come_from_sources() {
        for (source, remote, name) in [
            ("https://host.example/acme/web.git", true, "acme/web"),
            ("git@host.example:acme/web.git", true, "acme/web"),
            ("ssh://git@host.example/group/acme/web", true, "acme/web"),
            ("/srv/trees/flask", false, "flask"),
            ("trees/flask/", false, "flask"),
            ("file:///srv/git/acme/web", true, "acme/web"),
        ] {
            assert_eq!(is_remote(source), remote, "{source}");
            assert_eq!(name_of(source), name, "{source}");
        }
    }
}

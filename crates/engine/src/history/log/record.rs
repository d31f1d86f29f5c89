//! From a commit to what is indexed of it: its message, the paths it changed, the words of the lines
//! it changed.

use std::collections::{BTreeSet, HashSet};

use gix::ObjectId;

use crate::error::Result;
use crate::grep::words;
use crate::history::hunks::{Hunk, hunks};
use crate::history::repository::{Difference, Git};

/// What is kept and indexed of a commit.
pub struct Record {
    /// Its id.
    pub id: ObjectId,
    /// When it was committed, in seconds since 1970.
    pub time: i64,
    /// Name and address.
    pub author: String,
    /// The whole message.
    pub message: String,
    /// Paths it changed, from the top of the repository; none of a merge.
    pub paths: Vec<String>,
    /// Distinct words of the lines it changed.
    pub words: String,
}

/// Files of a commit whose lines are read: a commit that touches more is about none of them.
const MOST_FILES: usize = 50;

/// Files larger than this are data.
const LARGEST: u64 = 256 << 10;

/// Distinct words of one commit.
const MOST_WORDS: usize = 1000;

impl Record {
    /// Reads a commit. What a merge brings in is told by the commits it merges.
    pub fn of(git: &Git, id: ObjectId) -> Result<Record> {
        let commit = git.commit(id)?;
        let mut differences = Vec::new();
        // The oldest commits of a shallow clone seem to have made everything there is.
        if commit.parents.len() < 2 && !git.is_boundary(id) {
            let before = match commit.parents.first() {
                Some(&parent) => Some(git.commit(parent)?.tree),
                None => None,
            };
            differences = git.differences(before, commit.tree)?;
        }
        let (name, address) = &commit.author;
        Ok(Record {
            id,
            time: commit.time,
            author: format!("{name} <{address}>"),
            words: changed_words(git, &differences)?,
            paths: differences.into_iter().map(|file| file.path).collect(),
            message: commit.message,
        })
    }
}

fn changed_words(git: &Git, differences: &[Difference]) -> Result<String> {
    let mut distinct = BTreeSet::new();
    let moved = moved(differences);
    let is_moved = |it: &Difference| match (it.before, it.after) {
        (Some(id), None) | (None, Some(id)) => moved.contains(&id),
        _ => false,
    };
    let changed = differences.iter().filter(|it| !is_moved(it));
    for file in changed.take(MOST_FILES) {
        let mut sides = Vec::new();
        for id in [file.before, file.after] {
            match id {
                Some(id) if git.size(id)? <= LARGEST => sides.push(git.blob(id)?),
                Some(_) => {}
                None => sides.push(Vec::new()),
            }
        }
        if let [before, after] = sides.as_slice()
            && !is_binary(before)
            && !is_binary(after)
        {
            gather(before, after, &mut distinct);
        }
        if distinct.len() >= MOST_WORDS {
            break;
        }
    }
    let words: Vec<String> = distinct.into_iter().take(MOST_WORDS).collect();
    Ok(words.join(" "))
}

/// Contents that went and came again under another name: no line of them changed.
fn moved(differences: &[Difference]) -> HashSet<ObjectId> {
    let gone = differences.iter().filter(|it| it.after.is_none()).filter_map(|it| it.before);
    let come = differences.iter().filter(|it| it.before.is_none()).filter_map(|it| it.after);
    let gone: HashSet<ObjectId> = gone.collect();
    come.filter(|id| gone.contains(id)).collect()
}

fn is_binary(bytes: &[u8]) -> bool {
    memchr::memchr(0, &bytes[..bytes.len().min(8000)]).is_some()
}

fn gather(before: &[u8], after: &[u8], distinct: &mut BTreeSet<String>) {
    let (old, new): (Vec<&[u8]>, Vec<&[u8]>) = (lines(before), lines(after));
    for Hunk { before, after } in hunks(before, after) {
        let gone = &old[before.start as usize..before.end as usize];
        let come = &new[after.start as usize..after.end as usize];
        for line in gone.iter().chain(come) {
            let line = String::from_utf8_lossy(line);
            for word in words(&line).filter(|word| word.len() > 1) {
                if distinct.len() < MOST_WORDS {
                    distinct.insert(line[word].to_owned());
                }
            }
        }
    }
}

fn lines(text: &[u8]) -> Vec<&[u8]> {
    text.split_inclusive(|byte| *byte == b'\n').collect()
}
